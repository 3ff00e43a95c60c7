"""Facts are counted from the tables, exactly, whatever the batches."""

from __future__ import annotations

import random
import statistics
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate import schema
from curate.errors import InputError
from curate.hub.card.facts import read_facts
from curate.hub.card.languages import language_records
from curate.lexicon import load_lexicon
from tests.hub.card.conftest import Release, pair


def test_pairs(release: Release) -> None:
    facts = read_facts(release.folder, release.manifest)
    (config,) = (one for one in facts.configs if one.name == "en-lsg")
    pairs = config.pairs
    assert pairs is not None
    assert (config.rows, config.langs, config.method, config.seed) == (3, ("en",), "lsg", 3)
    assert (pairs.masculine, pairs.feminine, pairs.folds, pairs.in_folds) == (2, 1, 2, 2)
    assert (pairs.entries, pairs.fill) == (1, None)
    assert pairs.example is not None
    assert pairs.example.first == "The king | slept."
    assert config.drops is not None
    assert config.drops.reasons == (("no-gender-word", 2), ("duplicate", 1))
    assert [(one.source, one.licence, one.rows) for one in config.sources] == [
        ("corpus.txt", "CC BY 2.0 FR", 2), ("other.txt", "CC0 1.0", 1),
    ]  # fmt: skip
    assert config.checked is not None
    assert config.checked.codes == (("not-nfc", 2), ("not-minimal", 1))


def test_fills(release: Release) -> None:
    facts = read_facts(release.folder, release.manifest)
    fill = next(one.pairs.fill for one in facts.configs if one.name == "en-msg" and one.pairs)
    assert fill is not None
    assert (fill.model, fill.k, fill.threshold, fill.both, fill.masculine) == (
        "toy", "10", "0.01", 1, 0,
    )  # fmt: skip


def test_what_people_judged(release: Release) -> None:
    facts = read_facts(release.folder, release.manifest)
    (config,) = facts.of_kind("crows")
    crows = config.crows
    assert crows is not None
    assert crows.directions == (("antistereo", 1), ("stereo", 1))
    assert crows.bias_types == (("age", 1), ("gender", 1))
    assert (crows.rounds, crows.gendered) == ((("0", 1), ("2", 1)), 1)
    (alpha,) = config.reliability  # no two pseudonyms are named
    assert (alpha.value, alpha.low, alpha.high, alpha.units) == (0.813, 0.7, 0.9, 40)


def test_no_gender_is_filed_under_another(release: Release) -> None:
    facts = read_facts(release.folder, release.manifest)
    people = facts.of_kind("politicians")[0].people
    assert people is not None
    assert people.people == 3
    assert ("en", "non-binary", 1) in people.by_gender
    assert ("de", "non-binary", 1) in people.by_gender
    assert dict(people.raw_values) == {"Q48270": 2, "Q1052281": 1, "Q6581072": 1, "Q6581097": 1}


def test_rows_and_languages(release: Release) -> None:
    facts = read_facts(release.folder, release.manifest)
    assert facts.rows == 6  # pairs of sentences, not drops or people
    assert [one.tag for one in facts.languages] == ["de", "en"]
    english = facts.languages[1]
    assert (english.lexemes, english.forms, english.name) == (1, 2, "English")
    assert (english.go, english.coverage) == (None, None)  # another version of the lexicon


def test_status_of_the_lexicon_that_made_the_pairs(release: Release) -> None:
    release.manifest["lexicons"] = {"de": load_lexicon("de").version}
    german = read_facts(release.folder, release.manifest).languages[0]
    assert german.coverage is not None
    assert 0 < german.coverage <= 1
    assert german.coverage_sentences
    assert german.go is True


def test_the_status_is_carried_by_the_manifest(release: Release) -> None:
    """The installed lexicon may change: what was known at the build counts."""
    records = language_records(["en", "de", "xx"])
    assert sorted(records) == ["de", "en"]
    assert records["de"]["golden_passed"] == records["de"]["golden"] > 0
    assert records["de"]["go"] is True
    release.manifest["lexicons"] = {"de": "old"}
    release.manifest["languages"] = {"de": records["de"] | {"version": "old", "coverage": 0.5}}
    german = read_facts(release.folder, release.manifest).languages[0]
    assert (german.coverage, german.golden_passed) == (0.5, records["de"]["golden"])
    release.manifest["lexicons"] = {"de": "another"}
    german = read_facts(release.folder, release.manifest).languages[0]
    assert (german.coverage, german.go, german.name) == (None, None, "German")


def test_a_file_that_changed_is_counted_anew(release: Release) -> None:
    read_facts(release.folder, release.manifest)
    release.pairs([pair("A king", "A queen")])
    facts = read_facts(release.folder, release.manifest)
    assert {one.name: one.rows for one in facts.configs}["en-lsg"] == 1


def test_batches_change_nothing(tmp_path: Path) -> None:
    """Counts in pieces equal counts of the whole, by an independent way of counting."""
    draw = random.Random(5)  # noqa: S311 (texts, no secrets)
    rows = [
        pair(
            f"{'x' * draw.randrange(1, 90)} he {n}", f"{'y' * draw.randrange(1, 90)} she {n}",
            draw.choice(["masculine", "feminine"]), folds=list(range(draw.randrange(4))),
            entries=[f"e{draw.randrange(30)}"], source=f"s{draw.randrange(3)}",
        )
        for n in range(500)
    ]  # fmt: skip
    seen = []
    for size in (7, 500):
        release = Release(tmp_path / str(size))
        release.pairs(rows)
        path = release.folder / release.manifest["configs"]["en-lsg"]["file"]
        table = pa.Table.from_pylist(rows, schema=schema.PAIRS)
        pq.write_table(table, path, row_group_size=size)
        seen.append(read_facts(release.folder, release.manifest).configs[0])
    lengths = [len(row[side]) for row in rows for side in ("masculine", "feminine")]
    for config in seen:
        pairs = config.pairs
        assert pairs is not None
        assert pairs.lengths is not None
        assert pairs.lengths.median == statistics.median(lengths)
        assert pairs.lengths.mean == pytest.approx(statistics.mean(lengths))
        assert (pairs.lengths.least, pairs.lengths.most) == (min(lengths), max(lengths))
        assert pairs.in_folds == sum(bool(row["folds"]) for row in rows)
        assert pairs.entries == len({entry for row in rows for entry in row["entries"]})
        counts = Counter(row["source"] for row in rows)
        assert {one.source: one.rows for one in config.sources} == counts
    assert seen[0].pairs == seen[1].pairs


def test_a_release_without_rows(empty: Release) -> None:
    empty.pairs([])
    facts = read_facts(empty.folder, empty.manifest)
    assert facts.configs[0].pairs is not None
    assert facts.configs[0].pairs.lengths is None
    assert (facts.rows, facts.configs[0].memory_bytes) == (0, 0)


@pytest.mark.parametrize(
    "file", ["../x.parquet", "/etc/passwd", "", None, "a\\..\\b", "data/../../x"]
)
def test_a_path_that_leaves_the_release(release: Release, file: object) -> None:
    release.manifest["configs"]["en-lsg"]["file"] = file
    with pytest.raises(InputError, match="no file inside the release"):
        read_facts(release.folder, release.manifest)


def test_files_that_cannot_be_read(release: Release) -> None:
    path = release.folder / release.manifest["configs"]["en-lsg"]["file"]
    path.write_bytes(b"no parquet")
    with pytest.raises(InputError, match="en-lsg cannot be read"):
        read_facts(release.folder, release.manifest)
    path.unlink()
    with pytest.raises(InputError, match="missing"):
        read_facts(release.folder, release.manifest)


def test_a_column_that_is_missing(empty: Release) -> None:
    empty.add("en-lsg", "pairs", pa.schema([("masculine", pa.string())]), [{"masculine": "x"}])
    with pytest.raises(InputError, match="no column"):
        read_facts(empty.folder, empty.manifest)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("changes", [{"note": "no version"}]),
        ("changes", [{"version": "1.0.0", "configs": {"a": {"added": "many"}}}]),
        ("changes", 3),
        ("checked", {"en-lsg": {"codes": {"a": "b"}}}),
        ("checked", {"en-lsg": {"codes": [1]}}),
        ("reliability", {"en-crows": {"agreement": [{"alpha": {"value": "high"}}]}}),
        ("runs", {"en-lsg": 3}),
        ("configs", {"en-lsg": 3}),
        ("languages", {"en": 3}),
        ("about", {"titel": "x"}),
    ],
)
def test_a_manifest_with_odd_entries(release: Release, key: str, value: object) -> None:
    release.manifest[key] = value
    with pytest.raises(InputError) as caught:
        read_facts(release.folder, release.manifest)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("manifest.json")
