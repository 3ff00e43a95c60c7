"""Whatever stands in a text comes back as it was, in every format (hypothesis)."""

from __future__ import annotations

import tempfile
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from curate.annotation.begin import add_material, begin, issue
from curate.annotation.campaign import Campaign
from curate.annotation.files import read_answers, write_tasks
from tests.annotation.conftest import crows
from tests.annotation.files.filling import SUFFIXES, edit_xliff, fill, fill_csv

HOSTILE = [
    "=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "'", "''=", "'=1", "'tis", "\"quoted\", and; so",
    "two\nlines\r\nthree\rfour", "\ttab", "a\x00b\x07c\x1bd", "\ufffe\uffff", "_x0041_ _x005F_",
    "\u202eright to left\u202c \u200f\u200e", "שלום, עולם", "👩\u200d🚀 e\u0301 U\u0308",
    "<mark>b</mark>&amp;&lt;",
    "]]>", "<!--", "#NAME?", "TRUE", "1,5", "00012", "1 / 12", "=", "{{ language }}", "%s $(x) `y`",
    "＝1", "＠x", "\x85\u2028\u2029", "none", "c-", "¶" * 300,
]  # fmt: skip
TEXT = st.one_of(
    st.sampled_from(HOSTILE),
    st.tuples(st.sampled_from(HOSTILE), st.sampled_from(HOSTILE)).map(" ".join),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40),
).filter(lambda text: bool(text.split()))
hostile = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
each_format = pytest.mark.parametrize("suffix", SUFFIXES)


def folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def campaign_of(folder: Path, source: tuple[str, str], suggestion: tuple[str, str]) -> Campaign:
    campaign = begin(folder, crows([("1", *source)]), name="&<\"'\x07>", langs=["de"])
    add_material(
        campaign, names={"de": {"1": suggestion}}, suggestions={"de": ({"1": suggestion}, "m\x07")}
    )
    issue(campaign)
    return campaign


@each_format
@hostile
@given(source=st.tuples(TEXT, TEXT), suggestion=st.tuples(TEXT, TEXT))
def test_what_is_given_out_comes_back_untouched(
    suffix: str, source: tuple[str, str], suggestion: tuple[str, str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        campaign = campaign_of(Path(folder), source, suggestion)
        path = Path(folder) / f"de.{suffix}"
        assert write_tasks(campaign, "de", path) == 1
        assert read_answers(campaign, path, person="a") == []


def put(path: Path, task_id: str, texts: dict[str, str]) -> None:
    """Texts as a person types them: into cells, or into the targets of an XLIFF file."""
    if path.suffix != ".xlf":
        fill(path, {task_id: texts | {"outcome": "translated"}})
        return
    tree, units = edit_xliff(path)
    core = "{urn:oasis:names:tc:xliff:document:2.0}"
    for name, text in (texts | {"answer": "translated"}).items():
        segment = units[f"{task_id}.{name}"].find(f"{core}segment")
        assert segment is not None
        for old in segment.findall(f"{core}target"):
            segment.remove(old)
        target = segment.makeelement(f"{core}target", {})
        target.text = text
        segment.append(target)
    tree.write(path, encoding="utf-8")


@each_format
@hostile
@given(suggestion=st.tuples(TEXT, TEXT), texts=st.tuples(TEXT, TEXT))
def test_what_a_person_writes_arrives(
    suffix: str, suggestion: tuple[str, str], texts: tuple[str, str]
) -> None:
    if suffix != "csv":  # what these programs cannot write into a file, nobody can
        assume(
            not any(unicodedata.category(c) == "Cc" or c in "\ufffe\uffff" for c in "".join(texts))
        )
    assume("_x" not in "".join(texts) or suffix != "xlsx")  # a spreadsheet would escape it
    # A leading sign behind our own apostrophe is the one thing that cannot be told apart.
    assume(not any(text.startswith("'") for text in texts) or suffix != "csv")
    with tempfile.TemporaryDirectory() as folder:
        campaign = campaign_of(Path(folder), ("A king.", "A queen."), suggestion)
        path = Path(folder) / f"de.{suffix}"
        write_tasks(campaign, "de", path)
        (task,) = campaign.open_tasks("de")
        put(path, task.task_id, dict(zip(("sent_more", "sent_less"), texts, strict=True)))
        (raw,) = read_answers(campaign, path, person="a")
        got = [folded(*raw.fields[name]) for name in ("sent_more", "sent_less")]
        assert got == [folded(text) for text in texts] and not raw.problems


@hostile
@given(texts=st.tuples(TEXT, TEXT))
def test_apostrophes_stay_where_nothing_was_guarded(texts: tuple[str, str]) -> None:
    texts = (f"'{texts[0]}", f"'{texts[1]}")
    with tempfile.TemporaryDirectory() as folder:
        campaign = begin(
            Path(folder), crows([("1", "A king.", "A queen.")]), name="n", langs=["de"]
        )
        issue(campaign)
        path = Path(folder) / "de.csv"
        write_tasks(campaign, "de", path)
        (task,) = campaign.open_tasks("de")
        fill_csv(path, {task.task_id: dict(zip(("sent_more", "sent_less"), texts, strict=True))})
        (raw,) = read_answers(campaign, path, person="a")
        assert [*raw.fields["sent_more"], *raw.fields["sent_less"]] == list(texts)
