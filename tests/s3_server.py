"""An S3 server on loopback (moto's), for one test or one file of tests.

Import the fixture into a test file (``from tests.s3_server import S3, s3``), or start one with
`running_s3`. Programs that a test starts get ``env=server.env``; this process has the same
variables while the server runs, so that `fsspec` finds it by ``s3://`` addresses alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest

__all__ = ["S3", "running_s3", "s3"]

BUCKET = "texts"
# What a client might take from the machine it runs on instead of from the test.
_OWN = ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_ENDPOINT_URL_S3")


class S3:
    """A running server with one empty bucket; `url` names a place in it."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint, self.bucket = endpoint, BUCKET

    @property
    def variables(self) -> dict[str, str]:
        """What a client needs to find the server and to be let in."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint, "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing", "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull, "NO_PROXY": "127.0.0.1,localhost",
        }  # fmt: skip

    @property
    def env(self) -> dict[str, str]:
        """The environment of a program that a test starts."""
        inherited = {name: value for name, value in os.environ.items() if name not in _OWN}
        return inherited | self.variables

    def url(self, path: str = "") -> str:
        """``s3://BUCKET/path``."""
        return f"s3://{self.bucket}/{path}"

    def files(self) -> Any:
        """A file system of `s3fs` without a listing cache; it takes ``BUCKET/path`` or `url`."""
        import s3fs

        return s3fs.S3FileSystem(use_listings_cache=False, skip_instance_cache=True)

    def put(self, path: str, data: bytes) -> str:
        """Write an object; its address."""
        with self.files().open(self.url(path), "wb") as stream:
            stream.write(data)
        return self.url(path)

    def get(self, path: str) -> bytes:
        with self.files().open(self.url(path), "rb") as stream:
            return bytes(stream.read())

    def names(self, path: str = "") -> list[str]:
        """The objects under a place, from the bucket on, sorted."""
        found = self.files().find(self.url(path))
        return sorted(name.removeprefix(f"{self.bucket}/") for name in found)

    def remove(self, path: str) -> None:
        """Remove an object, or all under a place."""
        self.files().rm(self.url(path), recursive=True)


@contextmanager
def running_s3() -> Iterator[S3]:
    """Start a server on a free port of 127.0.0.1 and stop it when the block ends.

    Skips the test where the packages are missing.
    """
    pytest.importorskip("moto", reason="no S3 server: install the package moto[s3,server]")
    s3fs = pytest.importorskip("s3fs", reason="no S3 client: install the extra remote")
    from moto.core import DEFAULT_ACCOUNT_ID
    from moto.s3.models import s3_backends
    from moto.server import ThreadedMotoServer

    # moto keeps buckets by process: one whose server a test has stopped would still be there
    s3_backends[DEFAULT_ACCOUNT_ID]["aws"].reset()
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    made = S3(f"http://{host}:{port}")
    try:
        with patch.dict(os.environ, made.variables):
            for name in _OWN:
                os.environ.pop(name, None)
            s3fs.S3FileSystem.clear_instance_cache()  # another server had another port
            made.files().mkdir(made.bucket)
            yield made
    finally:
        s3fs.S3FileSystem.clear_instance_cache()
        server.stop()
        s3_backends[DEFAULT_ACCOUNT_ID]["aws"].reset()


@pytest.fixture
def s3() -> Iterator[S3]:
    """A fresh server, one empty bucket."""
    with running_s3() as made:
        yield made
