"""Whatever a manifest says: findings or one line, and never a sound release that is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curate.errors import CurateError
from curate.hub import check_release

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["../x", "/etc/passwd", "data", "lsg", "de-lsg", "1.0.0"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2)
    ),
    max_leaves=4,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything inside a JSON value."""
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    return [path, *(one for key, inner in items for one in places(inner, (*path, key)))]


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_it_is_judged(release: Path, data: st.DataObject) -> None:
    path = release / "manifest.json"
    kept = path.read_text(encoding="utf-8")
    content = json.loads(kept)
    place = data.draw(st.sampled_from([one for one in places(content) if one]))
    within = content
    for step in place[:-1]:
        within = within[step]
    if data.draw(st.booleans()):
        del within[place[-1]]
    else:
        within[place[-1]] = data.draw(VALUES)
    path.write_text(json.dumps(content), encoding="utf-8")
    try:
        found = check_release(release, pairs=False)
    except CurateError as error:
        assert "\n" not in str(error)
    else:
        errors = [one for one in found if one.level == "error"]
        unchanged = json.loads(kept) == content
        # a `runs` entry may hold a setting that no document prints
        free = place[0] in {"runs", "changes", "curate", "lexicons", "languages", "about"}
        assert errors or unchanged or free, place
    finally:
        path.write_text(kept, encoding="utf-8")


@pytest.mark.parametrize(
    "part",
    [
        {"changes": [{}]},
        {"changes": [{"version": "1.0.0", "configs": {"en-lsg": {"added": "x"}}}]},
        {"languages": {"en": {"reviewers": 3}}},
        {"checked": {"en-lsg": {"codes": {"x": "y"}}}},
        {"reliability": {"en-lsg": {"agreement": [{"alpha": {"value": "high"}}]}}},
        {"reliability": {"en-lsg": {"agreement": 5}}},
        {"about": {"authors": 7}},
    ],
)
def test_parts_of_other_shapes(release: Path, part: dict[str, Any]) -> None:
    path = release / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | part))
    try:
        assert any(one.level == "error" for one in check_release(release, pairs=False))
    except CurateError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize("key", ["configs", "files", "runs", "lexicons", "version", "schema"])
def test_nothing_that_is_needed_may_be_missing(release: Path, key: str) -> None:
    path = release / "manifest.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    del content[key]
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(CurateError):
        check_release(release)
