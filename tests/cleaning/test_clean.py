"""`curate corpus clean`: what it drops, what it keeps, the same however it is run."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from curate import schema
from curate.cleaning.run import clean_config, clean_corpus
from curate.cli.corpus import app
from curate.engine import Engine
from curate.errors import CurateError, InputError, UsageError
from curate.sources import Corpus

FILES = ("sentences.parquet", "drops.parquet", "stats.json")
LONG = "Yesterday {} walked all the way down to the harbour to see the big grey ships come in."
LINES = [
    "My sister works in a small hospital close to the beach.",
    "My sister works in a small hospital, close to the beach!",
    "My sister works in a small hospital close to the beach.",
    LONG.format("he"),
    LONG.format("she"),
    LONG.format("Tom"),
    LONG.format("Ken"),
    "Meine Schwester arbeitet in einem kleinen Krankenhaus am Strand.",
    "Моя сестра работает в маленькой больнице у моря.",
    "Ja.",
    "",
]


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def clean(spec: Path, out: Path, lang: str = "en", **changed: Any) -> dict[str, Any]:
    names = ("near", "identify", "least_confidence", "seed")
    config = clean_config(lang, **{n: changed.pop(n) for n in names if n in changed})
    licence = changed.pop("licence", "unstated")
    return clean_corpus(config, Corpus(spec, lang=lang, licence=licence), out, **changed)


def drops(out: Path) -> list[tuple[int, str, str]]:
    rows = pq.read_table(out / "drops.parquet").to_pylist()
    return [(row["row"], row["code"], row["detail"]) for row in rows]


def texts(out: Path) -> list[str]:
    return list(pq.read_table(out / "sentences.parquet").column("text").to_pylist())


def files(out: Path) -> dict[str, bytes]:
    return {name: (out / name).read_bytes() for name in FILES}


def test_every_row_is_kept_or_dropped_with_its_reason(tmp_path: Path) -> None:
    stats = clean(write(tmp_path / "c.txt", LINES), tmp_path / "out", licence="CC0-1.0")
    assert texts(tmp_path / "out") == [LINES[0], *LINES[3:6], LINES[9]]
    first = schema.sentence_id("en", LINES[0])
    rows = drops(tmp_path / "out")
    assert [row[:2] for row in rows] == [
        (1, "near-duplicate"),
        (2, "duplicate"),
        (6, "near-duplicate"),
        (7, "wrong-language"),
        (8, "wrong-language"),
        (10, "empty-line"),
    ]
    assert rows[0][2] == f"{first} 1.000"
    kept, alike = rows[2][2].split()
    assert kept == schema.sentence_id("en", LONG.format("Tom"))
    assert 0.8 <= float(alike) < 1.0
    assert rows[3][2].startswith("de ")
    assert rows[4][2] == "Cyrillic script 1.000"
    assert stats["n_rows"] == len(LINES) == stats["kept"] + sum(stats["drops"].values())
    assert stats["licences"] == {"CC0-1.0": 5}
    assert not (tmp_path / "out" / "parts").exists()


def test_what_is_written_is_a_corpus_and_what_the_schemas_say(tmp_path: Path) -> None:
    clean(write(tmp_path / "c.txt", LINES), tmp_path / "out")
    table = pq.read_table(tmp_path / "out" / "sentences.parquet")
    assert table.schema.remove_metadata() == schema.SENTENCES
    assert pq.read_schema(tmp_path / "out" / "drops.parquet").remove_metadata() == schema.DROPS
    again = clean(tmp_path / "out" / "sentences.parquet", tmp_path / "again")
    assert again["drops"] == {}
    assert texts(tmp_path / "again") == texts(tmp_path / "out")
    ids = pq.read_table(tmp_path / "again" / "sentences.parquet").column("sent_id")
    assert ids.to_pylist() == table.column("sent_id").to_pylist()
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["files"]["sentences.parquet"]["rows"] == table.num_rows
    assert manifest["config"]["identifier"].startswith("py3langid ")


def test_source_and_licence_are_carried_row_by_row(tmp_path: Path) -> None:
    rows = {
        "text": ["The sea is calm today.", "Snow fell on the hills.", "The SEA is calm today!"],
        "source": ["diary", "weather", "diary"],
        "licence": ["CC0-1.0", "CC BY 4.0", "CC BY-SA 4.0"],
    }
    pq.write_table(pa.table(rows), tmp_path / "c.parquet")
    config = clean_config("en")
    stats = clean_corpus(config, Corpus(tmp_path / "c.parquet", lang="en"), tmp_path / "out")
    kept = pq.read_table(tmp_path / "out" / "sentences.parquet")
    assert kept.column("source").to_pylist() == ["diary", "weather"]
    assert kept.column("licence").to_pylist() == ["CC0-1.0", "CC BY 4.0"]
    assert stats["licences"] == {"CC BY 4.0": 1, "CC0-1.0": 1}
    read = next(Corpus(tmp_path / "out" / "sentences.parquet", lang="en").batches())
    assert read.column("licence").to_pylist() == ["CC0-1.0", "CC BY 4.0"]
    assert read.column("source").to_pylist() == ["diary", "weather"]


def test_what_is_switched_off_is_not_done(tmp_path: Path) -> None:
    spec = write(tmp_path / "c.txt", LINES)
    clean(spec, tmp_path / "a", near=None, identify=False)
    assert {code for _, code, _ in drops(tmp_path / "a")} == {"duplicate", "empty-line"}
    clean(spec, tmp_path / "b", near=1.0, identify=False)
    assert [row for row, code, _ in drops(tmp_path / "b") if code == "near-duplicate"] == [1]


TEMPLATE = st.builds(
    "The {} of the {} never saw the {} in town again.".format,
    *[st.sampled_from(["son", "aunt", "king", "cook", "cook,", "KING", "cat"])] * 3,
)


@given(st.lists(TEMPLATE | st.sampled_from(LINES), min_size=1, max_size=50), st.integers(1, 60))
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_batches_change_no_byte(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], rows: int
) -> None:
    folder = tmp_path_factory.mktemp("run")
    spec = write(folder / "c.txt", [*lines, "Good morning, everyone."])
    clean(spec, folder / "a")
    clean(spec, folder / "b", batch_rows=rows)
    assert files(folder / "a") == files(folder / "b")


def test_workers_and_real_text(shared_data: Path, tmp_path: Path) -> None:
    with gzip.open(shared_data / "tatoeba" / "de.txt.gz", "rt", encoding="utf-8") as lines:
        some = [next(lines).strip() for _ in range(6000)]
    spec = write(tmp_path / "c.txt", [*some, *(line.upper() for line in some[:100])])
    stats = clean(spec, tmp_path / "a", lang="de")
    clean(spec, tmp_path / "b", lang="de", engine=Engine(workers=2), batch_rows=1700)
    assert files(tmp_path / "a") == files(tmp_path / "b")
    # the hundred in capitals are repetitions, but for those whose small letters are unlike (ß)
    assert stats["drops"]["near-duplicate"] >= 95
    assert stats["drops"].get("wrong-language", 0) <= 5


class Cut(Corpus):
    """A corpus whose reading is interrupted after some batches."""

    def batches(self, rows: int = 8192) -> Iterator[pa.Table]:
        for number, batch in enumerate(super().batches(rows)):
            if number == 3:
                raise KeyboardInterrupt
            yield batch


def test_a_run_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    lines = [f"Number {n} of the houses in street {n % 7} is sold." for n in range(300)]
    spec = write(tmp_path / "c.txt", [*lines, *LINES])
    clean(spec, tmp_path / "whole")
    config = clean_config("en")
    with pytest.raises(KeyboardInterrupt):
        clean_corpus(config, Cut(spec, lang="en"), tmp_path / "cut", batch_rows=50)
    assert (tmp_path / "cut" / "parts").is_dir()
    seen: list[int] = []
    clean_corpus(
        config, Corpus(spec, lang="en"), tmp_path / "cut", batch_rows=64, on_progress=seen.append
    )
    assert seen[0] == 150
    assert files(tmp_path / "cut") == files(tmp_path / "whole")


def test_a_finished_run_is_left_as_it_is_and_another_is_refused(tmp_path: Path) -> None:
    spec = write(tmp_path / "c.txt", LINES)
    stats = clean(spec, tmp_path / "out")
    before = (tmp_path / "out" / "sentences.parquet").stat().st_mtime_ns
    assert clean(spec, tmp_path / "out") == stats
    assert (tmp_path / "out" / "sentences.parquet").stat().st_mtime_ns == before
    with pytest.raises(UsageError, match=r"near 0\.8, now 0\.9"):
        clean(spec, tmp_path / "out", near=0.9)
    assert clean(spec, tmp_path / "out", near=0.9, restart=True)["settings"]["near"] == 0.9


def test_languages_without_a_lexicon_are_cleaned_too(tmp_path: Path) -> None:
    lines = ["Mijn zus werkt in een klein ziekenhuis vlak bij het strand.", LINES[7], "東京です。"]
    stats = clean(write(tmp_path / "c.txt", lines), tmp_path / "out", lang="nl")
    assert texts(tmp_path / "out") == lines[:1]
    assert stats["settings"]["lexicon_version"] == ""
    # Swiss German is unknown to the identifier: its script is not
    unknown = clean(write(tmp_path / "d.txt", lines), tmp_path / "gsw", lang="gsw")
    assert unknown["drops"] == {"wrong-language": 1}


def test_gender_words_without_spaces_keep_apart(tmp_path: Path) -> None:
    line = "昨天下午{}一个人从城里一直走到了很远很远的海边去看那些灰色的大船回来。"
    lines = [line.format("他"), line.format("她"), line.format("他") + "!"]
    clean(write(tmp_path / "c.txt", lines), tmp_path / "out", lang="zh")
    assert texts(tmp_path / "out") == lines[:2]


@pytest.mark.parametrize(
    "wrong", [{"near": 0.3}, {"near": 1.5}, {"least_confidence": 0.2}, {"least_confidence": 2.0}]
)
def test_senseless_settings_are_refused(tmp_path: Path, wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        clean(write(tmp_path / "c.txt", LINES), tmp_path / "out", **wrong)
    assert not (tmp_path / "out").exists()


def test_an_unreadable_corpus_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_bytes(b"good line\n\xff\xfe\n")
    with pytest.raises(InputError):
        clean(tmp_path / "c.txt", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_command_line(tmp_path: Path) -> None:
    spec = write(tmp_path / "c.txt", LINES)
    words = ["clean", "--lang", "en", "--corpus", str(spec), "--workers", "1", "--licence", "CC0"]
    told = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "out")])
    assert told.exit_code == 0, told.output
    assert "near-duplicate" in told.output
    assert "licence CC0" in told.output
    options = ["--json", "--no-near", "--no-identify"]
    told = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "b"), *options])
    assert json.loads(told.stdout)["drops"] == {"duplicate": 1, "empty-line": 1}
    wrong = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "c"), "--near", "0.1"])
    assert isinstance(wrong.exception, CurateError)
