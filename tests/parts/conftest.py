"""A Label Studio that the tests of one file share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.parts.studio_server import RunningServer, running_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    try:
        with running_server(tmp_path_factory.mktemp("studio")) as running:
            yield running
    except LookupError as error:
        pytest.skip(str(error))
