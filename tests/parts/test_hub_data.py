"""Releases read from a Hub by name: the same numbers, whatever goes wrong on the way."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pyarrow.parquet as pq
import pytest
from huggingface_hub import CommitOperationAdd

from curate.pairs.lsg import lsg_method
from curate.pairs.run import run_pairs
from curate.sources import Corpus
from curate.sources.files import sha256_file
from tests.parts.hub_fixture import Hub, running_hub

pytestmark = pytest.mark.parts

REPO = "lab/pairs"
DATA = "data/en-lsg/test-00000-of-00001.parquet"
SENTENCES = "The king slept.\nThe queen sang.\nA waitress left.\nMy brother spoke.\n"
CARD = """---
license: cc-by-4.0
configs:
- config_name: en-lsg
  data_files:
  - {split: test, path: data/en-lsg/test-*.parquet}
---
# Pairs
"""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of four sentences, on this machine."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "corpus.txt").write_text(SENTENCES)
    corpus = Corpus(str(folder / "corpus.txt"), lang="en")
    run_pairs(lsg_method("en"), corpus, folder / "run", folds=2, seed=1)
    made = folder / "release"
    (made / "data" / "en-lsg").mkdir(parents=True)
    (folder / "run" / "pairs.parquet").rename(made / DATA)
    (made / "README.md").write_text(CARD)
    rows = pq.read_metadata(made / DATA).num_rows
    run = json.loads((folder / "run" / "manifest.json").read_text())
    manifest = {
        "name": "pairs", "version": "1.0.0", "schema": 2, "lexicons": {}, "changes": [],
        "configs": {"en-lsg": {"file": DATA, "rows": rows, "kind": "pairs"}},
        "runs": {"en-lsg": {"lang": "en", "method": "lsg"} | run},
        "files": {
            name: {"bytes": (made / name).stat().st_size, "sha256": sha256_file(made / name)}
            for name in (DATA, "README.md")
        },
    }  # fmt: skip
    (made / "manifest.json").write_text(json.dumps(manifest))
    return made


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with running_hub(tmp_path / "hub") as made:
        yield made


def upload(hub: Hub, release: Path, tag: str = "", **changed: bytes) -> str:
    """The files of a release as a commit, tagged; `changed` are files to send otherwise."""
    api = hub.api()
    api.create_repo(REPO, repo_type="dataset", exist_ok=True)
    paths = sorted(path for path in release.rglob("*") if path.is_file())
    files = {path.relative_to(release).as_posix(): path.read_bytes() for path in paths}
    adds = [CommitOperationAdd(name, data) for name, data in (files | changed).items()]
    oid = api.create_commit(REPO, adds, commit_message=tag or "more", repo_type="dataset").oid
    if tag:
        api.create_tag(REPO, tag=tag, revision=oid, repo_type="dataset")
    hub.forget()
    return str(oid)


def score(hub: Hub, data: str | Path, out: Path, **more: str) -> CompletedProcess[str]:
    return hub.curate("score", "--data", data, "--metric", "cps", "--out", out, **more)


def refused(done: CompletedProcess[str], status: int, *words: str) -> str:
    """One line and a hint, with these words in it."""
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr
    return done.stderr


def summary(out: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((out / "summary.json").read_text())
    return found


def test_scores_of_a_published_release_are_those_of_the_folder(
    hub: Hub, release: Path, tmp_path: Path
) -> None:
    upload(hub, release, "v1.0.0")
    commit = upload(hub, release, **{"notes/extra.txt": b"later"})
    here, there, main = tmp_path / "here", tmp_path / "there", tmp_path / "main"
    for data, out in ((release, here), (REPO, there), (f"{REPO}@main", main)):
        done = score(hub, data, out)
        assert done.returncode == 0, done.stderr
    for out, version in ((there, "v1.0.0"), (main, commit)):
        assert (out / "scores.parquet").read_bytes() == (here / "scores.parquet").read_bytes()
        named = [{**row, "dataset": "", "version": ""} for row in summary(here)]
        assert named == [{**row, "dataset": "", "version": ""} for row in summary(out)]
        assert {(row["dataset"], row["version"]) for row in summary(out)} == {(REPO, version)}
    assert not hub.log("GET", "notes/extra.txt")


def test_the_newest_version_is_taken_and_said(hub: Hub, release: Path) -> None:
    for tag in ("v1.9.0", "v1.10.0", "w2.0.0"):
        upload(hub, release, tag, **{"notes.txt": tag.encode()})
    done = hub.curate("pairs", "check", REPO, "--format", "csv")
    assert done.returncode in (0, 1), done.stderr
    assert "taking the newest version, v1.10.0" in done.stderr
    assert done.stdout == hub.curate("pairs", "check", release, "--format", "csv").stdout


def test_without_versions_main_is_taken_with_a_note(hub: Hub, release: Path) -> None:
    upload(hub, release)
    done = hub.curate("pairs", "check", REPO)
    assert done.returncode in (0, 1), done.stderr
    assert "taking main as it is now" in done.stderr


@pytest.mark.parametrize(
    ("do", "where"),
    [
        ({"do": "cut", "after": 1000}, "/__cdn/*"),
        ({"do": "cut", "after": 5}, "*/resolve/*/manifest.json"),
        ({"do": "status", "status": 503, "times": 2}, "*/refs"),
        ({"do": "status", "status": 429, "headers": {"Retry-After": "2"}}, "*/refs"),
        ({"do": "status", "status": 500}, "*/revision/*"),
        ({"do": "lost"}, "*/refs"),
        ({"do": "status", "status": 503}, "*/tree/*"),
        ({"do": "status", "status": 503}, "/__cdn/*"),
    ],
    ids=["cut", "cut-manifest", "503", "429", "500", "lost", "503-tree", "503-file"],
)
def test_what_passes_is_tried_again(
    hub: Hub, release: Path, tmp_path: Path, do: dict[str, object], where: str
) -> None:
    upload(hub, release, "v1.0.0")
    hub.fail(path=where, **do)
    done = hub.curate("pairs", "check", f"{REPO}@v1.0.0", "--format", "csv")
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    assert any(record["fault"] for record in hub.log())
    assert done.stdout == hub.curate("pairs", "check", release, "--format", "csv").stdout


def test_a_tampered_file_is_refused(hub: Hub, release: Path, tmp_path: Path) -> None:
    card = (release / "README.md").read_bytes() + b"\n"
    upload(hub, release, "v1.0.0", **{"README.md": card})
    refused(score(hub, REPO, tmp_path / "out"), 2, "README.md has", "do not trust")
    assert not (tmp_path / "out").exists()
    upload(hub, release, "v1.0.1")
    assert score(hub, REPO, tmp_path / "out").returncode == 0
    blob = next((hub.folder / "home").glob(f"hub/datasets--lab--pairs/snapshots/*/{DATA}"))
    blob.resolve().write_bytes(blob.read_bytes()[:-1] + b"x")
    refused(score(hub, f"{REPO}@v1.0.1", tmp_path / "again"), 2, "SHA-256", "remove")


def test_a_whole_release_has_every_file(hub: Hub, release: Path) -> None:
    upload(hub, release, "v1.0.0", **{"notes/extra.txt": b"more"})
    code = f"""
import json
from curate.sources.hub_release import find_release
before = (find_release("{REPO}").folder / "notes").exists()
after = (find_release("{REPO}@v1.0.0", whole=True).folder / "notes").exists()
print(json.dumps([before, after]))
"""
    assert hub.python(code) == [False, True]


def test_wrong_names_and_missing_rights_are_one_line(hub: Hub, release: Path) -> None:
    upload(hub, release, "v1.0.0")
    hub.api().create_repo("ann/own", repo_type="dataset", private=True)
    hub.api().update_repo_settings(REPO, repo_type="dataset", gated="manual")

    def check(name: str, token: str) -> CompletedProcess[str]:
        return hub.curate("pairs", "check", name, token=token, home=f"home-{token}")

    refused(check("lab/none", "ann-read"), 2, "lab/none", "no such data set", "hf auth login")
    refused(check("ann/own", ""), 2, "no such data set", "private", "hf auth login")
    refused(check("ann/own", "ben-read"), 2, "no such data set")
    refused(check(f"{REPO}@v9.0.0", "ann-read"), 2, "no tag 'v9.0.0'", "v1.0.0")
    refused(check(f"{REPO}@v1.0.0", ""), 2, "gated", "hf auth login")
    refused(check(REPO, "made-up"), 2, "Invalid credentials", "hf auth login")
    refused(check(REPO, "ann-none"), 2, "permission")
    hub.api().create_repo("lab/empty", repo_type="dataset")
    refused(check("lab/empty", "ann-read"), 2, "lab/empty", "no data folder")


def test_a_hub_that_is_down_is_exit_3_or_the_cache(hub: Hub, release: Path, tmp_path: Path) -> None:
    upload(hub, release, "v1.0.0")
    hub.fail(do="status", status=503, times=0, headers={"Retry-After": "1000"})
    text = refused(hub.curate("pairs", "check", REPO), 3, "503")
    assert text.count("\n") <= 3
    hub.heal()
    fresh = hub.curate("pairs", "check", REPO, "--format", "csv")
    hub.fail(do="status", status=503, times=0, headers={"Retry-After": "1000"})
    cached = hub.curate("pairs", "check", REPO, "--format", "csv")
    assert "using v1.0.0 as it is in the cache" in cached.stderr
    assert cached.stdout == fresh.stdout
    hub.kill()
    offline = hub.curate("pairs", "check", REPO, "--format", "csv", HF_HUB_OFFLINE="1")
    assert offline.stdout == fresh.stdout
    nothing = hub.curate("pairs", "check", REPO, home="empty", HF_HUB_OFFLINE="1")
    assert refused(nothing, 2, "HF_HUB_OFFLINE").count("\n") <= 3


def test_a_report_of_a_published_release_lies_here_not_in_the_cache(
    hub: Hub, release: Path, tmp_path: Path
) -> None:
    upload(hub, release, "v1.0.0")
    program = Path(sys.executable).with_name("curate")
    done = subprocess.run(
        [program, "report", REPO], cwd=tmp_path, env=hub.env, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "lab/pairs v1.0.0" in (tmp_path / "pairs.html").read_text()
    assert not list((tmp_path / "hub" / "home").rglob("*.html"))
