"""LSG: which sentences become pairs, what is said of the others, and the run folder."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate import schema
from curate.engine import Engine, run_stage
from curate.errors import InputError, UsageError
from curate.pairs.lsg import LSG, LsgConfig, lsg_method
from curate.pairs.rebalance import rebalance
from curate.pairs.run import run_pairs
from curate.sources import Corpus, read_corpus

SENTENCES = """\
The actress left early.
The king slept.
He is here.
She is here.
A woman sang.
An actor sang.
The train is late.
He saw his brother.
The queen slept.
He is here.

He was born in 1950.
My uncle cooks.
The other thing happened.
bad\x07row
The policeman waved.
"""
FILES = ("pairs.parquet", "aside.parquet", "drops.parquet", "stats.json", "manifest.json")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text(SENTENCES, encoding="utf-8")
    return path


def _run(path: Path, out: Path, **options: Any) -> dict[str, Any]:
    settings = {"folds": 5, "batch_rows": 4} | options
    return run_pairs(lsg_method("en"), Corpus(path, lang="en", licence="own"), out, **settings)


def _bytes(folder: Path) -> dict[str, str]:
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in FILES}


def test_every_row_is_a_pair_or_a_drop(corpus: Path, tmp_path: Path) -> None:
    stats = _run(corpus, tmp_path / "run", folds=0)
    pairs = pq.read_table(tmp_path / "run" / "pairs.parquet")
    drops = pq.read_table(tmp_path / "run" / "drops.parquet")
    assert pairs.schema.equals(schema.PAIRS)
    assert drops.schema.equals(schema.DROPS)
    texts = {(row["masculine"], row["feminine"], row["original"]) for row in pairs.to_pylist()}
    assert texts == {
        ("The actor left early.", "The actress left early.", "feminine"),
        ("The king slept.", "The queen slept.", "masculine"),
        ("He is here.", "She is here.", "masculine"),
        ("A man sang.", "A woman sang.", "feminine"),
        ("An actor sang.", "An actress sang.", "masculine"),
        ("He was born in 1950.", "She was born in 1950.", "masculine"),
        ("My uncle cooks.", "My aunt cooks.", "masculine"),
        ("The policeman waved.", "The policewoman waved.", "masculine"),
    }
    codes = dict(zip(drops["row"].to_pylist(), drops["code"].to_pylist(), strict=True))
    assert codes == {
        3: "duplicate", 6: "no-gender-word", 7: "several-gender-words", 8: "duplicate",
        9: "duplicate", 10: "empty-line", 13: "no-gender-word", 14: "control-character",
    }  # fmt: skip
    assert stats["drops"] == dict(sorted(Counter(codes.values()).items()))
    assert (stats["n_rows"], stats["n_sentences"], stats["n_single"]) == (16, 13, 10)
    assert (stats["n_pairs"], stats["kept"], stats["discarded_balance"]) == (8, 8, 0)
    assert (stats["original_masculine"], stats["original_feminine"]) == (6, 2)
    assert (stats["words_masculine"], stats["words_feminine"]) == (6, 6)


def test_the_columns_of_a_pair(corpus: Path, tmp_path: Path) -> None:
    _run(corpus, tmp_path / "run", folds=0)
    row = pq.read_table(tmp_path / "run" / "pairs.parquet").to_pylist()[0]
    m, f = "The actor left early.", "The actress left early."
    assert row["pair_id"] == schema.pair_id("en", "lsg", m, f)
    assert row["sent_id"] == schema.sentence_id("en", f)
    assert (row["method"], row["fill"], row["licence"]) == ("lsg", None, "own")
    assert row["source"] == "corpus.txt"
    assert len(row["entries"]) == 1
    (edit_m,), (edit_f,) = row["edits_m"], row["edits_f"]
    assert m[edit_m["start"] : edit_m["end"]] == "actor"
    assert f[edit_f["start"] : edit_f["end"]] == "actress"


def test_folds_balance_and_what_is_set_aside(corpus: Path, tmp_path: Path) -> None:
    stats = _run(corpus, tmp_path / "run", folds=2)
    pairs = pq.read_table(tmp_path / "run" / "pairs.parquet").to_pylist()
    aside = pq.read_table(tmp_path / "run" / "aside.parquet").to_pylist()
    assert len(pairs) + len(aside) == stats["n_pairs"] == 8
    for fold in range(2):
        inside = Counter(row["original"] for row in pairs if fold in row["folds"])
        assert inside == {"masculine": 2, "feminine": 2}
    assert stats["kept"] == 4
    assert all(row["folds"] for row in pairs)
    assert all(row["folds"] == [] for row in aside)
    drops = pq.read_table(tmp_path / "run" / "drops.parquet").to_pylist()
    left_out = [row["detail"] for row in drops if row["code"] == "balance"]
    assert left_out == [row["pair_id"] for row in aside]
    assert len(pairs) + len(drops) == stats["n_rows"]
    assert [row["row"] for row in drops] == sorted(row["row"] for row in drops)


@pytest.mark.parametrize(
    "options", [{"batch_rows": 1}, {"batch_rows": 100}, {"engine": Engine(workers=2)}]
)
def test_batches_and_workers_change_no_byte(
    corpus: Path, tmp_path: Path, options: dict[str, int]
) -> None:
    _run(corpus, tmp_path / "calm")
    _run(corpus, tmp_path / "other", **options)
    assert _bytes(tmp_path / "calm") == _bytes(tmp_path / "other")


def test_a_cut_run_goes_on(corpus: Path, tmp_path: Path) -> None:
    class Cut(Exception):
        pass

    def cut(rows: int) -> None:
        if rows >= 8:
            raise Cut

    _run(corpus, tmp_path / "calm")
    with pytest.raises(Cut):
        _run(corpus, tmp_path / "cut", on_progress=cut)
    assert not (tmp_path / "cut" / "manifest.json").exists()
    told: list[int] = []
    _run(corpus, tmp_path / "cut", batch_rows=3, on_progress=told.append)
    assert told[0] == 8
    assert _bytes(tmp_path / "calm") == _bytes(tmp_path / "cut")


def test_a_finished_run_is_left_alone_and_another_refused(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    stats = _run(corpus, out)
    written = (out / "pairs.parquet").stat().st_mtime_ns
    assert _run(corpus, out, engine=Engine(workers=2)) == stats
    assert (out / "pairs.parquet").stat().st_mtime_ns == written
    with pytest.raises(UsageError, match=r"another seed \(0, now 1\)"):
        _run(corpus, out, seed=1)
    with corpus.open("a", encoding="utf-8") as stream:
        stream.write("A nun prayed.\n")
    with pytest.raises(UsageError, match="another input"):
        _run(corpus, out)
    assert _run(corpus, out, restart=True)["n_rows"] == 17


def test_balancing_anew_is_a_run_with_that_balance(corpus: Path, tmp_path: Path) -> None:
    _run(corpus, tmp_path / "a", folds=5, seed=0)
    _run(corpus, tmp_path / "b", folds=3, seed=9)
    counts = rebalance(tmp_path / "a", folds=3, seed=9)
    assert counts["n_pairs"] == 8
    assert _bytes(tmp_path / "a") == _bytes(tmp_path / "b")
    manifest = json.loads((tmp_path / "a" / "manifest.json").read_text())
    for name, entry in manifest["files"].items():
        assert hashlib.sha256((tmp_path / "a" / name).read_bytes()).hexdigest() == entry["sha256"]
    with pytest.raises(InputError, match="no finished run"):
        rebalance(tmp_path)


def test_an_unreadable_corpus_leaves_nothing(corpus: Path, tmp_path: Path) -> None:
    with corpus.open("ab") as stream:
        stream.write(b"caf\xe9\n")
    with pytest.raises(InputError, match="not UTF-8"):
        _run(corpus, tmp_path / "run", batch_rows=2)
    assert not (tmp_path / "run").exists()


def test_how_the_corpus_was_read_is_part_of_a_run(corpus: Path, tmp_path: Path) -> None:
    _run(corpus, tmp_path / "run")
    other = Corpus(corpus, lang="en", licence="other")
    with pytest.raises(UsageError, match="licence own, now other"):
        run_pairs(lsg_method("en"), other, tmp_path / "run", folds=5)


def test_the_stage_takes_its_own_declarations(corpus: Path) -> None:
    config = LsgConfig(lang="en", lexicon_version="v")
    (table,) = read_corpus(corpus, lang="en")
    outputs = run_stage(LSG, table, config)
    rows = pa.concat_arrays(
        [outputs[name].column("row").combine_chunks() for name in ("pairs", "drops")]
    )
    assert sorted(rows.to_pylist()) == list(range(16))


def test_an_unknown_language(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown language 'tlh'"):
        lsg_method("tlh")
