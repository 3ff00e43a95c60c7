"""The reliability of a small campaign, counted by hand, and of the votes on a lexicon."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer
from typer.testing import CliRunner

from curate import schema
from curate.annotation.reliability import Reliability, reliability
from curate.annotation.reliability.agreement import FieldAgreement
from curate.annotation.reliability.corrections import Corrections
from curate.annotation.reliability.fields import ALL
from curate.annotation.reliability.rows import MEASURE_COLUMNS, measure_rows
from curate.annotation.reliability.verdicts import Verdicts
from curate.annotation.reliability.votes import read_votes, votes_reliability
from curate.cli.translate_reliability import reliability as command
from curate.errors import InputError

Rows = list[dict[str, Any]]
EMPTY: dict[pa.DataType, Any] = {pa.string(): "", pa.int32(): 1}


def table(rows: Rows, wanted: pa.Schema) -> pa.Table:
    """Rows as a table, with nothing in the columns they do not name."""
    whole = [{field.name: EMPTY.get(field.type, []) for field in wanted} | row for row in rows]
    return pa.Table.from_pylist(whole, schema=wanted)


def task(uid: str, step: int = 1, stage: str = "translate", **more: Any) -> dict[str, Any]:
    codes = more.pop("codes", [])
    findings = [{"code": code, "field": "", "evidence": ""} for code in codes]
    about = {"uid": uid, "step": step, "stage": stage, "lang": "de", "findings": findings}
    return about | {"task_id": f"{uid}.{step}"} | more


def answer(person: str, to: dict[str, Any], **said: Any) -> dict[str, Any]:
    about = {name: to[name] for name in ("task_id", "uid", "lang", "step", "stage")}
    about |= {"person": person, "status": "valid", "answered_at": "2025-03-01T10:00:00+00:00"}
    return about | {"answer_id": f"{to['task_id']} {person} {sorted(said.items())}"} | said


def measure(answers: Rows, tasks: Rows, **options: Any) -> Reliability:
    return reliability(
        table(answers, schema.ANSWERS), table(tasks, schema.TRANSLATION_TASKS), **options
    )


def field(found: Reliability, name: str, *people: str, lang: str = "de") -> FieldAgreement:
    (one,) = [
        one for one in found.agreement if (one.field, one.people, one.lang) == (name, people, lang)
    ]
    return one


def translated(person: str, to: dict[str, Any], more: str, less: str, *kinds: str) -> Any:
    return answer(
        person, to, outcome="translated", sent_more=more, sent_less=less, adaptation=list(kinds)
    )


def untranslatable(person: str, to: dict[str, Any], reason: str) -> Any:
    return answer(person, to, outcome="untranslatable", reason=reason)


@pytest.fixture
def campaign() -> tuple[Rows, Rows]:
    """Four tasks that Ana and Ben did, one of them Cem too, and one that Ana did alone."""
    tasks = [task(uid) for uid in ("u1", "u2", "u3", "u4", "u5")]
    one, two, three, four, five = tasks
    answers = [
        translated("ana", one, "Er lacht.", "Sie lacht.", "name"),
        translated("ben", one, "Er  lacht. ", "Sie lacht.", "name", "food"),
        translated("cem", one, "Der Mann lacht.", "Sie lacht."),
        translated("ana", two, "Er ist alt.", "Sie ist alt."),
        translated("ben", two, "Er ist alt.", "Sie ist alt."),
        untranslatable("ana", three, "culture"),
        untranslatable("ben", three, "meaning"),
        untranslatable("ana", four, "grammar"),
        translated("ben", four, "Ein Wirt kocht.", "Eine Wirtin kocht.", "food"),
        translated("ana", five, "Er geht.", "Sie geht."),
    ]
    return answers, tasks


def test_people_on_the_same_task(campaign: tuple[Rows, Rows]) -> None:
    """outcome: T T T, T T, U U, U T: 3 of 4 tasks agree. Nine values, 6 T and 3 U:
    2 / 9 observed, (81 - 36 - 9) / (9 · 8) = 1/2 expected, alpha 1 - 4/9."""
    found = measure(*campaign)
    outcome = field(found, "outcome")
    assert (outcome.tasks, outcome.agreement.percent, outcome.agreement.n) == (4, 75.0, 4)
    assert outcome.alpha.value == pytest.approx(1 - 4 / 9)
    assert (outcome.alpha.values, outcome.alpha.coders) == (9, 3)
    reason = field(found, "reason")
    assert (reason.agreement.percent, reason.agreement.n, reason.tasks) == (0.0, 1, 4)
    more, less, both = (field(found, name) for name in ("sent_more", "sent_less", "both texts"))
    assert more.agreement.percent == pytest.approx(100 * (1 / 3 + 1) / 2)
    assert less.agreement.percent == 100.0
    assert both.agreement.percent == more.agreement.percent


def test_sets_are_compared_by_masi(campaign: tuple[Rows, Rows]) -> None:
    """u1: {n} {n, f} {}: ordered pairs 2 (2/3 + 1 + 1) / 2 = 8/3; u2: {} {}: 0; 5 values.

    Pooled {n}, {n, f} and three {}: 2 (2/3 + 3 + 3) = 40/3, over 4: 10/3.
    """
    adaptation = field(measure(*campaign), "adaptation")
    assert adaptation.distance == "MASI"
    assert adaptation.alpha.value == pytest.approx(1 - (8 / 3) / (10 / 3))
    assert adaptation.agreement.percent == pytest.approx(50.0)  # 0 of 3 pairs, then 1 of 1


def test_every_two_people(campaign: tuple[Rows, Rows]) -> None:
    found = measure(*campaign)
    assert field(found, "outcome", "ana", "ben").agreement.n == 4
    assert field(found, "outcome", "ana", "cem").agreement.n == 1
    assert field(found, "sent_more", "ana", "ben").agreement.percent == 100.0
    assert not [one for one in found.agreement if one.people == ("ben", "ana")]
    alone = field(found, "outcome", "ana", "cem").alpha
    assert (alone.value, bool(alone.note)) == (None, True)  # one category only


def test_what_does_not_count(campaign: tuple[Rows, Rows]) -> None:
    """Answers that are not valid, a person's earlier answer, answers of nobody in particular."""
    answers, tasks = campaign
    before = measure(answers, tasks)
    status = ("invalid", "skipped", "late", "stale", "superseded")
    noise = [answer("ana", tasks[0], outcome="untranslatable") | {"status": one} for one in status]
    noise.append(
        answer("ana", tasks[0], outcome="untranslatable") | {"answered_at": "2025-02-28T10:00:00"}
    )
    noise += [answer("", tasks[4], outcome="untranslatable")] * 2
    assert measure(noise + answers, tasks) == before
    assert measure([*reversed(answers), *noise], tasks) == before


def test_languages_apart_and_together(campaign: tuple[Rows, Rows]) -> None:
    answers, tasks = campaign
    other = task("v1", lang="fi")
    more = [untranslatable("dia", other, "culture"), untranslatable("eve", other, "culture")]
    found = measure(answers + more, [*tasks, other])
    assert field(found, "outcome", lang=ALL).agreement.percent == 80.0
    assert field(found, "outcome", lang=ALL).alpha.values == 11
    assert field(found, "outcome", lang="fi").alpha.value is None
    only = measure(answers + more, [*tasks, other], langs=["de"])
    assert {one.lang for one in only.agreement} == {"de"}
    with pytest.raises(InputError, match="'sv'"):
        measure(answers, tasks, langs=["sv"])


def test_two_validators_of_one_text() -> None:
    """Who accepts ends with the text that was shown, given again or not."""
    shown = task("u1", 2, "validate", text_more="Er lacht.", text_less="Sie lacht.",
                 outcome="translated", author="ana")  # fmt: skip
    found = measure(
        [
            answer("ben", shown, verdict="accept"),
            answer("cem", shown, verdict="accept", sent_more="Er lacht.", sent_less="Sie lacht."),
            answer("dia", shown, verdict="revise", sent_more="Er lacht.", sent_less="Sie lachte."),
            answer(
                "eve", shown, verdict="reject", reason="meaning", sent_more="Er", sent_less="Sie"
            ),
        ],
        [shown],
    )
    assert field(found, "verdict").agreement.percent == pytest.approx(100 / 6)
    assert field(found, "sent_more").agreement.percent == 100.0
    assert field(found, "sent_less").agreement.percent == pytest.approx(100 / 3)
    assert field(found, "reason").agreement.n == 0


def verdict_of(found: Reliability, translator: str, validator: str, lang: str = "de") -> Verdicts:
    (one,) = [
        one
        for one in found.verdicts
        if (one.translator, one.validator, one.lang) == (translator, validator, lang)
    ]
    return one


def test_validators_on_translators() -> None:
    """Seven verdicts of Ben on Ana, one of Cem on Ana, and one of Ana on herself."""
    said = [
        ("translated", "accept"), ("translated", "accept"), ("translated", "revise"),
        ("translated", "reject"), ("untranslatable", "accept"), ("untranslatable", "revise"),
        ("untranslatable", "reject"),
    ]  # fmt: skip
    tasks = [
        task(f"u{number}", 2, "validate", outcome=outcome, author="ana")
        for number, (outcome, _) in enumerate(said)
    ]
    answers = [
        answer("ben", one, verdict=verdict) for one, (_, verdict) in zip(tasks, said, strict=True)
    ]
    more = [task(uid, 4, "validate", outcome="translated", author="ana") for uid in ("u1", "u9")]
    answers += [answer("cem", more[0], verdict="accept"), answer("ana", more[1], verdict="accept")]
    found = measure(answers, tasks + more)
    whole, ben = verdict_of(found, "", ""), verdict_of(found, "ana", "ben")
    assert (whole.n, whole.pairs, whole.own) == (8, 7, 1)
    assert (whole.accepted.hits, whole.revised.hits, whole.rejected.hits) == (4, 2, 2)
    assert ben.accepted.percent == pytest.approx(300 / 7)
    # T T T T U U U against T T T U U T T: 4 of 7; 14 values, 9 T and 5 U
    assert ben.outcome_agreement.percent == pytest.approx(100 * 4 / 7)
    assert ben.outcome_alpha.value == pytest.approx(1 - (6 / 14) / ((196 - 81 - 25) / 182))
    assert not [one for one in found.verdicts if one.validator == "ana"]


def correct(uid: str, step: int = 2, *codes: str, lang: str = "de") -> dict[str, Any]:
    return task(uid, step, "correct", codes=codes or ["not-minimal"], lang=lang)


def test_what_became_of_pairs_that_were_not_minimal() -> None:
    """As Fort et al. 2024, Table 2: each pair once, by its last task."""
    tasks = [correct(f"u{number}") for number in range(1, 7)]
    tasks += [correct("u7", 2), correct("u7", 3), correct("u8", 2), correct("u8", 3)]
    tasks += [
        # after the last round, what was not mended goes on with its findings, as does what is right
        correct("u9", 2),
        task("u9", 3, "validate", codes=["not-minimal"]),
        correct("v0", 2),
        task("v0", 3, "validate", codes=["not-minimal"]),
        correct("v1", 2),
        correct("n1", 2, "empty-side"),  # no matter of minimality
        correct("n2", 2, "unknown-contrast"),  # a note is no finding
        correct("n3", 2, "of-no-check"),
        task("n4", 1, codes=["not-minimal"]),
        correct("f1", 2, "empty-side", "agreement", lang="fi"),
    ]
    replies = [
        ("u1.2", "ana", "corrected"), ("u2.2", "ana", "right-as-it-is"),
        ("u3.2", "ana", "no-correction-meaning"), ("u4.2", "ana", "no-correction-grammar"),
        ("u5.2", "ana", "corrected"), ("u5.2", "ben", "no-correction-grammar"),
        ("u6.2", "ana", "corrected"), ("u6.2", "ben", "corrected"),
        ("u6.2", "cem", "right-as-it-is"),
        ("u7.2", "ana", "corrected"), ("u7.3", "ana", "no-correction-grammar"),
        ("v1.2", "ana", "no-correction-culture"),
        ("u9.2", "ana", "corrected"), ("v0.2", "ana", "right-as-it-is"),
        ("u8.2", "ana", "corrected"), ("n1.2", "ana", "corrected"), ("n2.2", "ana", "corrected"),
    ]  # fmt: skip
    by_id = {one["task_id"]: one for one in tasks}
    answers = [answer(person, by_id[at], response=response) for at, person, response in replies]
    found = measure(answers, list(reversed(tasks)))
    assert found.corrections == [
        Corrections("de", 11, 2, 2, 1, 2, 1, differ=1, still_open=2),
        Corrections("fi", 1, 0, 0, 0, 0, 0, differ=0, still_open=1),
        Corrections(ALL, 12, 2, 2, 1, 2, 1, differ=1, still_open=3),
    ]
    assert field(found, "response").agreement.percent == pytest.approx(100 * (0 + 1 / 3) / 2)


def test_votes_on_a_lexicon(tmp_path: Path) -> None:
    """keep keep, drop drop, keep drop, and a lone vote: 2 of 3; 1 - (2/6) / (18/30)."""
    path = tmp_path / "votes.tsv"
    votes = ["man keep keep", "boy drop drop", "king keep drop", "duke - keep"]
    lines = ["pair\treviewer\tvote\treason", "king\tr1\tdrop\tunnatural"]  # r1 thinks again
    for pair, *said in (line.split() for line in votes):
        lines += [f"{pair}\tr{at}\t{one}\t" for at, one in enumerate(said, 1) if one != "-"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    both, pair = votes_reliability(read_votes(path), lang="en")
    assert (both.people, pair.people) == ((), ("r1", "r2"))
    assert both.agreement.percent == pytest.approx(200 / 3)
    assert both.alpha.value == pytest.approx(1 - (2 / 6) / (18 / 30))
    assert pair.alpha == both.alpha
    (nobody,) = votes_reliability([])
    assert (nobody.alpha.value, nobody.agreement.n) == (None, 0)


def test_every_figure_is_a_row(campaign: tuple[Rows, Rows]) -> None:
    found = measure(*campaign)
    rows = measure_rows(found)
    assert all(tuple(row) == MEASURE_COLUMNS for row in rows)
    (row,) = [
        row
        for row in rows
        if (row["field"], row["people"], row["measure"]) == ("outcome", "", "alpha (nominal)")
    ]
    assert float(row["value"]) == pytest.approx(1 - 4 / 9)
    assert (row["n"], row["n_values"], row["n_coders"], row["seed"]) == ("4", "9", "3", "0")


def test_a_column_that_is_missing() -> None:
    empty = table([], schema.ANSWERS)
    with pytest.raises(InputError, match="no column author, findings"):
        reliability(empty, table([], schema.TRANSLATION_TASKS).drop(["author", "findings"]))
    assert reliability(empty, table([], schema.TRANSLATION_TASKS)) == Reliability([], [], [])


def written(folder: Path, answers: Rows, tasks: Rows) -> Path:
    pq.write_table(table(answers, schema.ANSWERS), folder / "answers.parquet")
    pq.write_table(table(tasks, schema.TRANSLATION_TASKS), folder / "tasks.parquet")
    return folder


def called(*arguments: str) -> str:
    app = typer.Typer()
    app.command()(command)
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_command(tmp_path: Path, campaign: tuple[Rows, Rows]) -> None:
    answers, tasks = campaign
    verdict = task("u1", 2, "validate", outcome="translated", author="ana")
    tasks += [verdict, correct("u2")]
    folder = written(tmp_path, [*answers, answer("=ben()", verdict, verdict="accept")], tasks)
    out = tmp_path / "new" / "reliability.csv"
    shown = called(str(folder), "--samples", "200", "--out", str(out))
    for words in ("several people", "every two", "validators", "not minimal", "75.0 (30–95)"):
        assert words in shown
    with out.open(encoding="utf-8", newline="") as source:
        rows = list(csv.DictReader(source))
    assert {row["table"] for row in rows} == {"agreement", "verdicts", "corrections"}
    assert not [cell for row in rows for cell in row.values() if cell.startswith("=")]
    figures = json.loads(called(str(folder), "--json", "--lang", "de"))
    assert set(figures) == {"agreement", "verdicts", "corrections", "seed"}
    assert figures["corrections"][0]["still_open"] == 1


def test_the_command_without_answers(tmp_path: Path) -> None:
    assert "nothing to compare" in called(str(written(tmp_path, [], [])))


def test_the_command_without_a_campaign(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"answers\.parquet"):
        called(str(tmp_path))
