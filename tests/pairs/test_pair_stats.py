"""The paper's tables from stats.json: numbers by hand, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curate.errors import InputError
from curate.pairs.stats import bar, read_stats, summary_tables

LSG = {
    "method": "lsg", "lang": "en", "n_rows": 400, "n_sentences": 390, "n_single": 160,
    "n_pairs": 150, "kept": 100, "discarded_balance": 50,
    "original_masculine": 100, "original_feminine": 50,
    "words_masculine": 12, "words_feminine": 6, "drops": {"no-gender-word": 230, "balance": 50},
}  # fmt: skip
MSG = {
    "method": "msg", "lang": "en", "n_rows": 400, "n_sentences": 390, "n_single": 150,
    "n_pairs": 130, "kept": 120, "discarded_balance": 10,
    "original_masculine": 100, "original_feminine": 50,
    "both": 60, "one_masculine": 40, "one_feminine": 30, "none": 20, "words_masculine": 4,
    "words_feminine": 3, "words_one": 5, "words_both": 4,
    "topk_coverage": [0.5 + k / 30 for k in range(15)], "drops": {"msg-none": 20},
}  # fmt: skip


def _folder(path: Path, stats: Any) -> Path:
    path.mkdir(parents=True)
    (path / "stats.json").write_text(json.dumps(stats), encoding="utf-8")
    return path


def test_the_paper_s_example(tmp_path: Path) -> None:
    _folder(tmp_path / "runs" / "en-msg", MSG)
    _folder(tmp_path / "runs" / "en-lsg", LSG)
    runs = read_stats([tmp_path])
    assert [run["method"] for run in runs] == ["lsg", "msg"]
    tables = {table.title.split(".")[0]: table for table in summary_tables(runs)}
    assert tables["Table 2"].rows[0] == ("en", "lsg", "100", "150", "160", "390", "2.00 : 1")
    assert tables["Table 3"].rows == [
        ("en", "40.0 %", "46.7 %", "26.7 %", "20.0 %", "13.3 %", "150")
    ]
    assert tables["Table 5"].rows == [
        ("en", "lsg", "33.3 %", "50", "–"),
        ("en", "msg", "20.0 %", "10", "20"),
    ]
    assert [row[1:3] for row in tables["Figure 3"].rows][::14] == [
        ("1", "50.0 %"),
        ("15", "96.7 %"),
    ]
    assert [row[3] for row in tables["Figure 4"].rows] == ["12", "6", "4", "3", "4", "5"]
    assert ("en", "lsg", "no-gender-word", "230", "57.5 %") in tables["Why rows were dropped"].rows
    for table in tables.values():
        assert all(len(row) == len(table.header) for row in table.rows)


def test_lsg_alone_has_no_table_3() -> None:
    titles = [table.title for table in summary_tables([LSG])]
    assert not any("Table 3" in title or "Figure 3" in title for title in titles)


def test_bars() -> None:
    assert bar(0) == ""
    assert bar(1, 4) == "████"
    assert bar(0.5, 1) == "▌"
    assert bar(2, 3) == "███"


def test_what_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no stats\.json"):
        read_stats([tmp_path])
    _folder(tmp_path / "a", {"method": "lsg"})
    with pytest.raises(InputError, match="no lang"):
        read_stats([tmp_path / "a"])
    (tmp_path / "a" / "stats.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="not JSON"):
        read_stats([tmp_path / "a"])


def test_stats_of_other_things_are_passed_over(tmp_path: Path) -> None:
    for name, stats in (("lsg", LSG), ("clean", {"method": "clean", "lang": "en", "kept": 3})):
        (tmp_path / name).mkdir()
        (tmp_path / name / "stats.json").write_text(json.dumps(stats), encoding="utf-8")
    assert [stats["method"] for stats in read_stats([tmp_path])] == [LSG["method"]]
    with pytest.raises(InputError, match="not the stats of a run"):
        read_stats([tmp_path / "clean"])
