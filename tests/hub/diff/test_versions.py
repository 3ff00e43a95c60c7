"""Semantic versions: what a change asks for, and which version may be given."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.errors import UsageError
from curate.hub.diff import ConfigDiff, Counts, Diff, Identity, change_entry, change_lines
from curate.hub.versions import (
    change_level,
    enforce,
    is_version,
    newest,
    newest_below,
    proposed,
    tag_of,
    version_of_tag,
)


def made(*configs: ConfigDiff, **more: Any) -> Diff:
    identity = Identity("made", "1.0.0")
    return Diff(identity, identity, {config.config: config for config in configs}, **more)


def config(kind: str = "pairs", name: str = "de-lsg", **more: Any) -> ConfigDiff:
    return ConfigDiff(name, kind, more.pop("status", "changed"), (5, 5), **more)


def rows(**counts: int) -> dict[str, Any]:
    return {"languages": {"de": Counts(**counts)}}


NOTHING = made(config(status="same"))
DOCUMENTS = made(documents={"README.md": "changed"})
ADDED = made(config(**rows(added=2)))
CHANGED = made(config(**rows(changed=1)))


@pytest.mark.parametrize(
    ("diff", "level", "reason"),
    [
        (NOTHING, "none", ""),
        (DOCUMENTS, "patch", "README.md"),
        (made(settings={"de-lsg: seed": (1, 2)}), "patch", "de-lsg: seed"),
        (made(lexicons={"de": ("v1", "v2")}), "patch", "lexicons: de"),
        (made(toolkit=("0.1.0", "0.2.0")), "patch", "curate 0.1.0 to 0.2.0"),
        (made(config(status="rewritten")), "patch", "same rows"),
        (ADDED, "minor", "de-lsg: 2 added"),
        (made(config(columns_added={"x": "string"})), "minor", "columns added: x"),
        (made(config(status="added", **rows(added=3))), "minor", "de-lsg added"),
        (made(languages_added=("fi",)), "minor", "languages added: fi"),
        (made(schema=("1.0.0", "1.1.0")), "patch", "schema 1.0.0 to 1.1.0"),
        (CHANGED, "major", "de-lsg: 1 changed"),
        (made(config(**rows(added=9, removed=1))), "major", "de-lsg: 1 removed"),
        (made(config(status="removed", **rows(removed=3))), "major", "de-lsg removed"),
        (made(languages_removed=("fi",)), "major", "languages removed: fi"),
        (made(config(columns_removed={"x": "string"})), "major", "columns removed: x"),
        (made(config(columns_retyped={"x": ("int8", "int16")})), "major", "x (int8 to int16)"),
        (made(schema=("1.4.0", "2.0.0")), "major", "columns of version 2.0.0"),
        (made(config("lexicon", "lexicon", **rows(removed=1))), "major", "lexicon: 1 removed"),
        (made(config("drops", "drops", **rows(removed=1, changed=2))), "minor", "drops: 1 removed"),
        (made(config("drops", "drops", columns_removed={"row": "int64"})), "major", "row"),
    ],
)
def test_the_level_of_a_change(diff: Diff, level: str, reason: str) -> None:
    found, reasons = change_level(diff)
    assert found == level and reason in "; ".join(reasons)
    assert bool(reasons) == (level != "none") == bool(diff)


def test_only_reasons_of_the_level_are_told_and_long_lists_are_cut() -> None:
    _, reasons = change_level(made(config(**rows(changed=1)), documents={"README.md": "changed"}))
    assert reasons == ["de-lsg: 1 changed"]
    _, reasons = change_level(made(documents={f"f{n}": "changed" for n in range(9)}))
    assert reasons == ["documents: f0, f1, f2, f3 and 5 more"]


@pytest.mark.parametrize(
    ("old", "diff", "version"),
    [
        ("1.2.3", NOTHING, "1.2.3"),
        ("1.2.3", DOCUMENTS, "1.2.4"),
        ("1.2.3", ADDED, "1.3.0"),
        ("1.2.3", CHANGED, "2.0.0"),
        ("0.1.0", CHANGED, "1.0.0"),
        ("1.2.3+build.5", DOCUMENTS, "1.2.4"),
        ("2.0.0-rc.1", CHANGED, "2.0.0-rc.2"),
        ("1.1.0-rc.1", ADDED, "1.1.0-rc.2"),
        ("1.1.0-rc.1", CHANGED, "2.0.0"),
        ("1.1.0-rc.1", NOTHING, "1.1.0-rc.1"),
    ],
)
def test_the_proposed_version(old: str, diff: Diff, version: str) -> None:
    assert proposed(old, diff)[0] == version


@pytest.mark.parametrize(
    ("given_version", "old", "diff"),
    [
        ("1.0.1", "1.0.0", DOCUMENTS),
        ("1.1.0", "1.0.0", DOCUMENTS),
        ("1.1.0", "1.0.0", ADDED),
        ("2.0.0", "1.9.9", CHANGED),
        ("3.0.0", "1.0.0", NOTHING),
        ("2.0.0-rc.1", "1.0.0", CHANGED),
        ("1.0.0", "1.0.0-rc.1", NOTHING),
        ("1.1.0", "1.1.0-rc.1", ADDED),
        ("1.1.0-rc.10", "1.1.0-rc.9", ADDED),
    ],
)
def test_versions_that_are_high_enough(given_version: str, old: str, diff: Diff) -> None:
    enforce(given_version, old, diff)


@pytest.mark.parametrize(
    ("given_version", "old", "diff", "hint"),
    [
        ("1.0.1", "1.0.0", ADDED, "--version 1.1.0"),
        ("1.1.0", "1.0.0", CHANGED, "--version 2.0.0"),
        ("1.9.0-rc.1", "1.0.0", CHANGED, "--version 2.0.0"),
        ("1.1.0", "1.1.0-rc.1", CHANGED, "--version 2.0.0"),
    ],
)
def test_too_low_versions_need_force(given_version: str, old: str, diff: Diff, hint: str) -> None:
    with pytest.raises(UsageError, match="too low") as caught:
        enforce(given_version, old, diff)
    assert hint in caught.value.hint and "--force" in caught.value.hint
    assert all(reason in caught.value.message for reason in change_level(diff)[1])
    assert "\n" not in str(caught.value)
    enforce(given_version, old, diff, force=True)


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("diff", [NOTHING, DOCUMENTS, CHANGED])
@pytest.mark.parametrize(
    ("given_version", "old", "why"),
    [
        ("1.0.0", "1.0.0", "is the version"),
        ("1.0.0+other", "1.0.0", "is the version"),
        ("0.9.9", "1.0.0", "backwards"),
        ("1.0.0-rc.1", "1.0.0", "backwards"),
        ("1.9.0", "1.10.0", "backwards"),
        ("1.0.0-rc.9", "1.0.0-rc.10", "backwards"),
        ("1.0.0-alpha", "1.0.0-rc.1", "backwards"),
    ],
)
def test_no_version_twice_or_backwards(
    given_version: str, old: str, why: str, diff: Diff, force: bool
) -> None:
    with pytest.raises(UsageError, match=why):
        enforce(given_version, old, diff, force=force)


@pytest.mark.parametrize("text", ["1", "1.0", "v1.0.0", "1.0.0.0", "01.0.0", "1.0.0-", "one", ""])
def test_what_is_no_version(text: str) -> None:
    assert not is_version(text)
    with pytest.raises(UsageError, match="no version"):
        enforce(text, "1.0.0", DOCUMENTS)
    with pytest.raises(UsageError, match="no version"):
        proposed(text, DOCUMENTS)


def test_tags() -> None:
    assert tag_of("1.0.0-rc.1") == "v1.0.0-rc.1"
    assert version_of_tag("v1.0.0-rc.1") == "1.0.0-rc.1"
    assert [version_of_tag(tag) for tag in ("1.0.0", "v1", "main", "vv1.0.0")] == [None] * 4


def test_the_newest_and_what_to_compare_with() -> None:
    tags = ["1.9.0", "1.10.0", "2.0.0-rc.1", "nothing", "1.2.0"]
    assert newest(tags) == "2.0.0-rc.1"
    assert newest([]) is None and newest(["main"]) is None
    # Users hold 1.10.0: what the candidate changed since then counts in 2.0.0 too.
    assert newest_below(tags, "2.0.0") == "1.10.0"
    assert newest_below(tags, "2.0.0-rc.2") == "1.10.0"
    assert newest_below(tags, "1.10.0") == "1.9.0"
    assert newest_below(tags, "1.0.0") is None
    assert newest_below(["1.0.0-rc.1", "1.0.0-rc.2"], "1.0.0") == "1.0.0-rc.2"


COUNTS = st.builds(Counts, st.integers(0, 2), st.integers(0, 2), st.integers(0, 2))


@given(COUNTS, st.booleans(), st.tuples(*[st.integers(0, 20)] * 3))
def test_what_is_proposed_may_be_given(
    counts: Counts, documents: bool, numbers: tuple[int, int, int]
) -> None:
    """And no lower one may: the last version before it is refused."""
    diff = made(
        config(languages={"de": counts} if counts else {}, status="changed" if counts else "same"),
        documents={"README.md": "changed"} if documents else {},
    )
    old = ".".join(map(str, numbers))
    version, level, _ = proposed(old, diff)
    if level == "none":
        assert version == old and not diff
        return
    enforce(version, old, diff)
    lower = {"major": f"{numbers[0]}.{numbers[1] + 1}.0", "minor": _next_patch(numbers)}.get(level)
    if lower:
        with pytest.raises(UsageError, match="too low"):
            enforce(lower, old, diff)


def _next_patch(numbers: tuple[int, int, int]) -> str:
    return f"{numbers[0]}.{numbers[1]}.{numbers[2] + 1}"


def test_an_entry_of_the_changelog() -> None:
    diff = made(config(**rows(added=1200, changed=1)), config(name="fi-lsg", status="same"))
    entry = change_entry(
        diff, version="2.0.0", date="2026-01-31", level="major", note="Corrected\nforms"
    )
    assert entry == {
        "version": "2.0.0", "level": "major", "date": "2026-01-31", "note": "Corrected\nforms",
        "configs": {"de-lsg": {"added": 1200, "removed": 0, "changed": 1}},
    }  # fmt: skip
    first = change_entry(None, version="1.0.0", level="first")
    assert first == {"version": "1.0.0", "level": "first", "configs": {}, "note": ""}
    assert change_lines([entry, first]) == [
        "**2.0.0** (2026-01-31, major): Corrected forms; de-lsg 1,200 added, 1 changed",
        "**1.0.0** (first)",
    ]


def test_languages_can_be_picked() -> None:
    both = {"languages": {"de": Counts(added=1), "fi": Counts(changed=2)}, "columns": {"folds": 2}}
    diff = made(config(**both), config(name="fi-lsg", columns_added={"x": "int8"}))
    assert diff.counts == Counts(added=1, changed=2)
    finnish = diff.only(["fi"])
    assert finnish.counts == Counts(changed=2) and set(finnish.configs) == {"de-lsg", "fi-lsg"}
    # Over all languages: it would say too much of one.
    assert not finnish.configs["de-lsg"].columns
    assert diff.only(["de", "fi"]).configs["de-lsg"].columns == {"folds": 2}
    assert set(diff.only([]).configs) == {"fi-lsg"}
