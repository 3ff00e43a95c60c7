"""`curate release publish` with the real client and `datasets`, against the Hub's protocol.

Whatever goes wrong, and whenever, readers find the old version whole or the new one, and the same
command again ends in exactly one tag.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("datasets")

from curate import schema
from curate.checks.stored import write_verdicts
from curate.hub import build_release
from tests.hub.made_folders import row, write_run
from tests.parts.hub_fixture import Hub, running_hub

REPO = "ann/pairs"
CONFIG = "en-lsg"
FAULTS: dict[str, dict[str, Any]] = {
    "503 at the commit": {"do": "status", "status": 503, "method": "POST", "path": "*/commit/*"},
    "429 at the tag": {
        "do": "status", "status": 429, "method": "POST", "path": "*/tag/*", "times": 2,
        "headers": {"Retry-After": "1"},
    },
    "500 at the settings": {"do": "status", "status": 500, "path": "*/preupload/*"},
    "cut upload": {"do": "drop", "method": "PUT", "path": "/__lfs/*", "after": 1000},
    "answer of the commit lost": {"do": "lost", "method": "POST", "path": "*/commit/*"},
    "answer of the tag lost": {"do": "lost", "method": "POST", "path": "*/tag/*"},
    "cut while reading back": {"do": "cut", "path": "/__cdn/*", "after": 1000},
    "no answer at first": {"do": "drop", "path": "/api/whoami*", "after": 0},
    "busy while listing": {"do": "status", "status": 504, "path": "*/tree/*"},
}  # fmt: skip


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with running_hub(tmp_path / "hub") as made:
        yield made


def release_of(folder: Path, *people: str) -> Path:
    """A release with a pair of sentences about each of these people."""
    rows = []
    for number, name in enumerate(people):
        side = "feminine" if number % 2 else "masculine"
        one = row(f"A king saw {name} and | slept.", f"A queen saw {name} and | slept.", side)
        rows.append({**one, "sent_id": one["pair_id"]})
    run = write_run(folder / "run", rows)
    write_verdicts(schema.VERDICTS.empty_table(), run / "pairs.parquet")
    build_release([run], folder / "release")
    return folder / "release"


@pytest.fixture
def first(tmp_path: Path) -> Path:
    return release_of(tmp_path / "first", "Ann", "Ben")


@pytest.fixture
def second(tmp_path: Path) -> Path:
    return release_of(tmp_path / "second", "Ann", "Ben", "Cid", "Dan")


def publish(hub: Hub, release: Path, *options: str, **env: Any) -> subprocess.CompletedProcess[str]:
    return hub.curate("release", "publish", release, "--repo", REPO, *options, **env)


def refs(hub: Hub) -> dict[str, str]:
    found = hub.api().list_repo_refs(REPO, repo_type="dataset")
    return {tag.name: tag.target_commit for tag in found.tags}


def rows_of(hub: Hub, revision: str, *, streaming: bool = False) -> int:
    """How many pairs a user gets who loads this revision with an empty cache."""
    code = (
        "import json, datasets\n"
        f"d = datasets.load_dataset({REPO!r}, {CONFIG!r}, revision={revision!r}, split='test',"
        f" streaming={streaming})\n"
        "print(json.dumps(sum(1 for _ in d)))"
    )
    return int(hub.python(code, home=f"reader-{revision}-{time.monotonic_ns()}"))


def one_line(result: subprocess.CompletedProcess[str], code: int, words: str) -> None:
    assert result.returncode == code, result.stderr
    told = [line for line in result.stderr.splitlines() if line.startswith("curate: ")]
    assert len(told) == 1, result.stderr
    assert re.search(words, told[0]), told[0]
    assert "Traceback" not in result.stderr


def test_two_versions_load_by_their_tags(hub: Hub, first: Path, second: Path) -> None:
    done = publish(hub, first, "--version", "1.0.0")
    assert done.returncode == 0, done.stderr
    assert "tag v1.0.0" in done.stdout
    done = publish(hub, second)
    assert done.returncode == 0, done.stderr
    assert "v1.1.0: a minor version" in done.stdout
    assert list(refs(hub)) == ["v1.0.0", "v1.1.0"]
    assert rows_of(hub, "v1.0.0") == 2
    assert rows_of(hub, "v1.1.0") == 4
    assert rows_of(hub, "v1.1.0", streaming=True) == 4
    commits = hub.api().list_repo_commits(REPO, repo_type="dataset")
    assert len(commits) == 3  # the empty repository, and one for each version
    card = hub.api().hf_hub_download(
        REPO, "README.md", repo_type="dataset", revision="v1.1.0", local_dir=first.parent / "card"
    )
    assert REPO in Path(card).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_survived(name: str, hub: Hub, first: Path) -> None:
    hub.fail(**FAULTS[name])
    done = publish(hub, first, "--version", "1.0.0")
    assert done.returncode == 0, done.stderr
    assert list(refs(hub)) == ["v1.0.0"]
    assert rows_of(hub, "v1.0.0") == 2
    assert len(hub.api().list_repo_commits(REPO, repo_type="dataset")) == 2


@pytest.mark.parametrize("step", ["*/commit/*", "/__lfs/*", "*/tag/*"])
def test_a_hub_that_stays_down_leaves_the_old_version(
    step: str, hub: Hub, first: Path, second: Path
) -> None:
    assert publish(hub, first, "--version", "1.0.0").returncode == 0
    hub.fail(do="status", status=503, path=step, times=1000)
    one_line(publish(hub, second), 3, "could not")
    assert list(refs(hub)) == ["v1.0.0"]
    assert rows_of(hub, "v1.0.0") == 2
    hub.heal()
    assert publish(hub, second).returncode == 0
    assert list(refs(hub)) == ["v1.0.0", "v1.1.0"]
    assert rows_of(hub, "v1.1.0") == 4


def _started(hub: Hub, release: Path, *options: str) -> subprocess.Popen[str]:
    command = [
        sys.executable, "-m", "curate.cli", "release", "publish", str(release), "--repo", REPO,
        *options,
    ]  # fmt: skip
    return subprocess.Popen(
        command, env=hub.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize(
    ("method", "step"),
    [("POST", "/tag/"), ("POST", "/commit/"), ("PUT", "/__lfs/"), ("GET", "/resolve/")],
)
def test_a_killed_process_leaves_one_version_whole(
    method: str, step: str, hub: Hub, first: Path, second: Path
) -> None:
    assert publish(hub, first, "--version", "1.0.0").returncode == 0
    hub.forget()
    hub.fail(do="delay", seconds=5, method=method, path=f"*{step}*")
    process = _started(hub, second, "--date", "2026-01-30")
    hub.await_request(method, step)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    hub.heal()
    assert list(refs(hub)) == ["v1.0.0"]
    assert rows_of(hub, "v1.0.0") == 2
    assert rows_of(hub, "main") in {2, 4}
    done = publish(hub, second, "--date", "2026-02-02")  # another day
    assert done.returncode == 0, done.stderr
    assert list(refs(hub)) == ["v1.0.0", "v1.1.0"]
    assert rows_of(hub, "v1.1.0") == 4
    assert len(hub.api().list_repo_commits(REPO, repo_type="dataset")) == 3
    assert "published already" in publish(hub, second).stdout


def test_a_server_that_dies_is_met_again(hub: Hub, first: Path) -> None:
    hub.fail(do="die", when="after", method="POST", path="*/commit/*")
    one_line(publish(hub, first, "--version", "1.0.0"), 3, "could not")
    hub.kill()
    hub.start()
    assert publish(hub, first, "--version", "1.0.0").returncode == 0
    assert list(refs(hub)) == ["v1.0.0"]
    assert len(hub.api().list_repo_commits(REPO, repo_type="dataset")) == 2


def test_a_commit_of_somebody_else_is_not_run_over(hub: Hub, first: Path, second: Path) -> None:
    assert publish(hub, first, "--version", "1.0.0").returncode == 0
    hub.forget()
    hub.fail(do="delay", seconds=3, method="POST", path="*/preupload/*")
    process = _started(hub, second)
    hub.await_request("POST", "/preupload/")
    from huggingface_hub import CommitOperationAdd

    hub.api().create_commit(
        REPO, [CommitOperationAdd("NOTES.md", b"mine")], commit_message="x", repo_type="dataset"
    )
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 3, errors
    assert "somebody else committed there meanwhile" in errors
    assert list(refs(hub)) == ["v1.0.0"]
    files = hub.api().list_repo_files(REPO, repo_type="dataset")
    assert "NOTES.md" in files
    one_line(publish(hub, second), 2, "NOTES.md there is not of a release")
    assert publish(hub, second, "--replace").returncode == 0
    assert list(refs(hub)) == ["v1.0.0", "v1.1.0"]
    assert "NOTES.md" not in hub.api().list_repo_files(REPO, repo_type="dataset")


def test_what_the_hub_gives_back_is_compared(hub: Hub, first: Path) -> None:
    """A configuration that `datasets` reads with fewer rows is never tagged."""
    hub.fail(do="cut", path="/__cdn/*", after=1000, times=1000)
    result = publish(hub, first, "--version", "1.0.0")
    assert result.returncode != 0
    assert refs(hub) == {}
    hub.heal()
    assert publish(hub, first, "--version", "1.0.0").returncode == 0


def test_private_gated_branches_and_organisations(hub: Hub, first: Path, second: Path) -> None:
    done = hub.curate(
        "release", "publish", first, "--repo", "lab/pairs", "--version", "1.0.0", "--private",
        "--gated", "--branch", "next",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    info = hub.api().dataset_info("lab/pairs")
    assert (info.private, info.gated) == (True, "auto")
    found = hub.api().list_repo_refs("lab/pairs", repo_type="dataset")
    heads = {branch.name: branch.target_commit for branch in found.branches}
    assert heads["next"] == found.tags[0].target_commit
    assert heads["next"] != heads["main"]
    done = hub.curate(
        "release",
        "publish",
        second,
        "--repo",
        "lab/pairs",
        "--public",
        "--open",
        "--branch",
        "next",
    )
    assert done.returncode == 0, done.stderr
    info = hub.api().dataset_info("lab/pairs")
    assert (info.private, info.gated) == (False, False)


def test_a_dry_run_sends_nothing(hub: Hub, first: Path) -> None:
    done = publish(hub, first, "--dry-run", "--json")
    assert done.returncode == 0, done.stderr
    planned = json.loads(done.stdout)
    assert planned["version"] == "1.0.0"
    assert "README.md" in planned["uploaded"]
    assert hub.log("POST") == []
    assert not hub.api().repo_exists(REPO, repo_type="dataset")


def test_no_token_no_rights(hub: Hub, first: Path) -> None:
    for token, repository, words in (
        ("", REPO, "no right to sign in"),
        ("hf_wrong", REPO, "no right to sign in"),
        ("ann-read", REPO, "may only read"),
        ("ann-write", "guild/pairs", "may not publish under 'guild'"),
        ("ben-write", "lab/pairs", "no right to"),
    ):
        result = hub.curate("release", "publish", first, "--repo", repository, token=token)
        one_line(result, 2, words)
    assert hub.log("POST", "/commit/") == []


def test_a_name_that_a_model_has(hub: Hub, first: Path) -> None:
    hub.api().create_repo(REPO, repo_type="model")
    one_line(publish(hub, first), 2, "a model repository has this name")
    assert not hub.api().repo_exists(REPO, repo_type="dataset")


@pytest.mark.parametrize("name", ["pairs", "a/b/c", "../x", "ann/", "ann/pa irs", "hub://x/y"])
def test_no_repository(name: str, hub: Hub, first: Path) -> None:
    one_line(hub.curate("release", "publish", first, "--repo", name), 2, "is no repository")


def test_a_hub_that_is_not_there(hub: Hub, first: Path) -> None:
    hub.kill()
    one_line(publish(hub, first), 3, "could not sign in")


def test_200_000_pairs_in_20_seconds(hub: Hub, tmp_path: Path) -> None:
    people = [f"Ann {number} {number:b}" for number in range(200_000)]
    release = release_of(tmp_path / "large", *people)
    began = time.monotonic()
    done = publish(hub, release, "--version", "1.0.0")
    seconds = time.monotonic() - began
    assert done.returncode == 0, done.stderr
    print(f"200,000 pairs published in {seconds:.1f} s")
    assert seconds < 60, "asked: 20 s on an idle machine"
