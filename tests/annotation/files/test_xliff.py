"""XLIFF: the structure that OASIS XLIFF 2.1 asks for, and files as programs leave them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from translate.storage.xliff2 import Xliff2File

from curate.annotation.answers import RawAnswer
from curate.annotation.begin import add_material
from curate.annotation.campaign import Campaign
from curate.annotation.files import formats, read_answers, write_tasks
from curate.annotation.files.answer_line import read_line
from curate.annotation.form import form_of
from curate.errors import InputError
from tests.annotation.conftest import GERMAN, open_task
from tests.annotation.files.filling import CORE, edit_xliff, fill

BEA = "bea@example.org"
XML = "{http://www.w3.org/XML/1998/namespace}"
# Attributes and children by element, after the specification; a star before a name: required.
ATTRIBUTES = {
    "xliff": {"*version", "*srcLang", "trgLang", f"{XML}space"},
    "file": {"*id", "canResegment", "original", "translate", "srcDir", "trgDir", f"{XML}space"},
    "group": {
        "*id", "name", "canResegment", "translate", "srcDir", "trgDir", "type", f"{XML}space",
    },
    "unit": {
        "*id", "name", "canResegment", "translate", "srcDir", "trgDir", "type", f"{XML}space",
    },
    "notes": set(),
    "note": {"id", "appliesTo", "category", "priority"},
    "segment": {"id", "canResegment", "state", "subState"},
    "source": {f"{XML}lang", f"{XML}space"},
    "target": {f"{XML}lang", f"{XML}space", "order"},
    "cp": {"*hex"},
}  # fmt: skip
CHILDREN = {
    "xliff": "(file )+", "file": "(notes )?((unit|group) )+", "group": "(notes )?((unit|group) )*",
    "unit": "(notes )?((segment|ignorable) )+", "notes": "(note )+", "note": "",
    "segment": "source (target )?", "source": "(cp )*", "target": "(cp )*", "cp": "",
}  # fmt: skip
OPEN_TO_OTHERS = {"xliff", "file", "group", "unit", "note"}


def check_structure(path: Path) -> None:
    """What the schema of XLIFF 2.1 and its rules in words ask of the elements that we write."""
    root = edit_xliff(path)[0].getroot()
    assert root.get("version") == "2.1" and root.get("srcLang") and root.get("trgLang")
    for element in root.iter():
        assert element.tag.startswith(CORE)
        name = element.tag.removeprefix(CORE)
        allowed = {one.lstrip("*") for one in ATTRIBUTES[name]}
        required = {one[1:] for one in ATTRIBUTES[name] if one.startswith("*")}
        own = set(element.attrib)
        foreign = {one for one in own if one.startswith("{") and not one.startswith(XML)}
        assert required <= own and own - foreign <= allowed, (name, own)
        assert not foreign or name in OPEN_TO_OTHERS
        children = "".join(f"{child.tag.removeprefix(CORE)} " for child in element)
        assert re.fullmatch(CHILDREN[name], children), (name, children)
        for direction in ("srcDir", "trgDir"):
            assert element.get(direction) in {None, "ltr", "rtl", "auto"}
        assert element.get("state") in {None, "initial", "translated", "reviewed", "final"}
        if element.get("state", "initial") != "initial":
            assert element.find(f"{CORE}target") is not None
    for file in root:
        for kind in ("unit", "group"):
            ids = [one.get("id", "") for one in file.iter(f"{CORE}{kind}")]
            assert len(ids) == len(set(ids))
            assert all(re.fullmatch(r"[\w.:-]+", one) for one in ids)  # NMTOKEN


@pytest.fixture
def path(campaign: Campaign) -> Path:
    """The German tasks as XLIFF, a suggestion for pair 1 among them."""
    add_material(
        campaign, names={"de": {"1": ("Max", "Eva & Co")}},
        suggestions={"de": ({"1": ("Max kam\x07 <zu> spät.", "Eva kam.")}, "a <machine>")},
    )  # fmt: skip
    file = campaign.folder / "de.xlf"
    write_tasks(campaign, "de", file)
    return file


@pytest.fixture
def edited(campaign: Campaign, path: Path) -> Callable[..., RawAnswer]:
    """Replace the segments of units of a pair by the given XML; the only answer then."""

    def edit(source_id: str, **segments: str) -> RawAnswer:
        tree, units = edit_xliff(path)
        task_id = open_task(campaign, source_id).task_id
        for name, xml in segments.items():
            unit = units[f"{task_id}.{name}"]
            source = unit.findtext(f"{CORE}segment/{CORE}source") or ""
            for segment in unit.findall(f"{CORE}segment"):
                unit.remove(segment)
            text = xml.replace("SOURCE", source).replace("&", "&amp;")
            new = ElementTree.fromstring(f'<x xmlns="{CORE[1:-1]}">{text}</x>')  # noqa: S314
            unit.extend(new)
        tree.write(path, encoding="utf-8", xml_declaration=True)
        (raw,) = read_answers(campaign, path, person=BEA)
        return raw

    return edit


def segment(target: str, source: str = "SOURCE", state: str = "translated") -> str:
    return f'<segment state="{state}"><source>{source}</source><target>{target}</target></segment>'


def test_the_structure_is_that_of_the_standard(campaign: Campaign, path: Path) -> None:
    check_structure(path)
    write_tasks(campaign, "ar", path)
    check_structure(path)
    root = edit_xliff(path)[0].getroot()
    file = root.find(f"{CORE}file")
    assert file is not None and root.get("trgLang") == "ar"
    assert (file.get("srcDir"), file.get("trgDir")) == ("ltr", "rtl")
    assert file.get("canResegment") == "no"


def test_notes_tell_what_is_to_be_known(campaign: Campaign, path: Path) -> None:
    _, units = edit_xliff(path)

    def notes(source_id: str) -> dict[str, str]:
        unit = units[f"{open_task(campaign, source_id).task_id}.sent_more"]
        return {one.get("category", ""): one.text or "" for one in unit.iter(f"{CORE}note")}

    assert notes("1")["names"].endswith("Max · Eva & Co")
    assert notes("1")["suggestion"].endswith("a <machine>")
    assert notes("1")["pair"] == "pair 1 of 4, bias type: gender"
    assert notes("2")["findings"].endswith("more <b> & less")
    assert "findings" not in notes("3") and "names" not in notes("3")
    assert "hurtful" in path.read_text()


def test_states_tell_a_machines_text_from_a_persons(campaign: Campaign, path: Path) -> None:
    _, units = edit_xliff(path)
    found = {}
    for number in "1234":
        unit = units[f"{open_task(campaign, number).task_id}.sent_more"]
        one = unit.find(f"{CORE}segment")
        assert one is not None
        found[number] = (one.get("state"), one.find(f"{CORE}target") is not None)
    assert found == {
        "1": ("initial", True), "2": ("translated", True), "3": ("translated", True),
        "4": ("initial", False),
    }  # fmt: skip


def test_a_translation_toolkit_opens_and_keeps_it(campaign: Campaign, path: Path) -> None:
    store = Xliff2File.parsefile(str(path))
    assert (store.getsourcelanguage(), store.gettargetlanguage()) == ("en", "de")
    assert len(store.units) == 12
    by_id = {unit.getid(): unit for unit in store.units}
    first = open_task(campaign, "1").task_id
    assert by_id[f"{first}.sent_less"].source == "Olivia was late for work."
    assert by_id[f"{first}.sent_less"].isfuzzy()  # a machine's
    assert by_id[f"{open_task(campaign, '3').task_id}.sent_more"].istranslated()
    store.savefile(str(path))
    check_structure(path)
    assert read_answers(campaign, path, person=BEA) == []


def test_a_changed_pair_speaks_for_itself(campaign: Campaign, path: Path) -> None:
    new = {"sent_more": "Neu & <eins>.", "sent_less": "Neu zwei."}
    fill(path, {open_task(campaign, number).task_id: new for number in "234"})
    raws = read_answers(campaign, path, person=BEA)
    said = [{name: values for name, values in raw.fields.items() if any(values)} for raw in raws]
    texts = {name: [text] for name, text in new.items()}
    assert said[0].items() >= (texts | {"response": ["corrected"]}).items()
    assert said[1] == texts | {"verdict": ["revise"]}
    assert said[2] == texts | {"outcome": ["translated"]}


def test_a_state_alone_is_no_answer(campaign: Campaign, path: Path) -> None:
    path.write_text(path.read_text().replace('state="initial"', 'state="final"'))
    assert read_answers(campaign, path, person=BEA) == []
    fill(path, {open_task(campaign, "1").task_id: {"answer": "translated"}})
    (raw,) = read_answers(campaign, path, person=BEA)
    assert raw.fields["sent_more"] == ["Max kam\x07 <zu> spät."]
    assert raw.fields["outcome"] == ["translated"]


def test_one_side_alone_waits(campaign: Campaign, path: Path) -> None:
    fill(path, {open_task(campaign, "4").task_id: {"sent_more": "Der Kellner kam."}})
    (raw,) = read_answers(campaign, path, person=BEA)
    assert "outcome" not in raw.fields


def test_segments_that_were_cut_are_joined(edited: Callable[..., RawAnswer]) -> None:
    raw = edited(
        "4",
        sent_more='<segment><source>The waiter</source><target>Der <pc id="1">Kell<ph id="2"/>ner'
        "</pc></target></segment><ignorable><source> </source></ignorable><segment>"
        "<source>was polite.</source><target>war <mrk id='m1'>sehr</mrk><sc id='3'/>"
        "<![CDATA[ <höflich>]]>.</target></segment>",
        sent_less="<segment><source>The waitress </source><target order='3'>höflich.</target>"
        "</segment><ignorable><source/><target order='2'> war </target></ignorable><segment>"
        "<source>was polite.</source><target order='1'>Die Kellnerin</target></segment>",
    )
    assert raw.fields["sent_more"] == ["Der Kellner war sehr <höflich>."]
    assert raw.fields["sent_less"] == ["Die Kellnerin war höflich."]
    assert raw.fields["outcome"] == ["translated"] and not raw.problems


def test_a_cut_text_half_translated_waits(edited: Callable[..., RawAnswer]) -> None:
    raw = edited(
        "4",
        sent_more=segment("Der Kellner", "The waiter") + "<segment><source> was polite.</source>"
        "</segment>",
        sent_less=segment("Die Kellnerin war höflich."),
    )
    assert [(one.code, one.field, one.evidence) for one in raw.problems] == [
        ("missing-field", "sent_more", "1 of 2 segments are translated")
    ]
    assert "outcome" not in raw.fields


def test_a_source_copied_into_the_answer_says_nothing(edited: Callable[..., RawAnswer]) -> None:
    raw = edited("4", sent_more=segment("Eins."), sent_less=segment("Zwei."),
                 answer=segment("SOURCE"))  # fmt: skip
    assert raw.fields["outcome"] == ["translated"] and not raw.problems


@pytest.mark.parametrize(
    ("stage", "line", "fields"),
    [
        ("translate", "untranslatable: grammar", {
            "outcome": "untranslatable", "reason": "grammar"}),
        ("translate", "Untranslatable, culture | 12 | b", {
            "outcome": "untranslatable", "reason": "culture", "note": "12 | b"}),
        ("translate", "adaptation: name, food", {"adaptation": "name, food"}),
        ("translate", "translated; adaptation: other, other ;;", {
            "outcome": "translated", "adaptation": "other"}),
        ("translate", "outcome：translated；food،place", {
            "outcome": "translated", "adaptation": "food, place"}),
        ("translate", "| only a note; really", {"note": "only a note; really"}),
        ("translate", "—", {}),
        ("translate", "  ", {}),
        ("correct", "right as it is", {"response": "right-as-it-is"}),
        ("correct", "\u200fright-as-it-is\u200e ｜ نعم", {
            "response": "right-as-it-is", "note": "نعم"}),
        ("correct", "no-correction-meaning", {"response": "no-correction-meaning"}),
        ("validate", "ACCEPT", {"verdict": "accept"}),
        ("validate", "reject: meaning | a; b: c", {
            "verdict": "reject", "reason": "meaning", "note": "a; b: c"}),
        ("validate", "accept, reject", {"verdict": "accept, reject"}),  # the core refuses it
    ],
)  # fmt: skip
def test_the_answer_line(stage: str, line: str, fields: dict[str, str]) -> None:
    assert read_line(line, form_of(stage)) == (fields, [])


@pytest.mark.parametrize(
    "line", ["fine", "accept: grammarr", "verdict", "note: x", "sent_more: x", "accept; oops"]
)
def test_a_line_that_nobody_understands_is_a_problem(line: str) -> None:
    _, problems = read_line(line, form_of("validate"))
    assert [(one.code, one.field) for one in problems] == [("unknown-choice", "answer")]
    assert "accept, revise, reject" in problems[0].evidence


def test_such_a_line_reaches_the_core_and_implies_nothing(campaign: Campaign, path: Path) -> None:
    new = {"sent_more": "Neu.", "sent_less": "Neue.", "answer": "besser"}
    fill(path, {open_task(campaign, "3").task_id: new})
    (raw,) = read_answers(campaign, path, person=BEA)
    assert raw.problems and "verdict" not in raw.fields


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (' curate:hash="', ' curate:hush="', "the hash of this unit is gone"),
        (' curate:given="', ' curate:giving="', "the hash of this unit is gone"),
        (r'\.sent_less"', '.sent_last"', "a unit that was not exported"),
        ('<unit id="[^"]*.answer".*?</unit>', "", "answer: this unit is gone"),
        ("document:2.0", "document:1.2", "XLIFF 2 is wanted, this is XLIFF 2.1"),
        ("^.*$", "<tmx/>", "XLIFF 2 is wanted, this is <tmx>"),
        ("</xliff>", "", "no whole XML"),
        ("<xliff ", '<!DOCTYPE xliff SYSTEM "http://example.org/x.dtd"><xliff ', "document type"),
        ("</file>", "<unit/></file>", "a unit that was not exported"),
        ("<group.*</group>", "", "no tasks in this file"),
        ("<cp hex=.0007./>", "<cp hex='D800'/>", "<cp> with hex='D800'"),
        ("<cp hex=.0007./>", "<cp/>", "<cp> with hex=None"),
        ('encoding="UTF-8"', 'encoding="UTF-7"', "no whole XML"),
    ],
)
def test_what_is_not_whole_is_refused(
    campaign: Campaign, path: Path, old: str, new: str, said: str
) -> None:
    content = path.read_text()
    changed = re.sub(old, new, content, flags=re.DOTALL)
    assert changed != content
    path.write_text(changed)
    with pytest.raises(InputError, match=re.escape(said)):
        read_answers(campaign, path, person=BEA)


def test_entities_expand_to_nothing(campaign: Campaign, path: Path) -> None:
    entities = "".join(
        f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "ha" * 50}">' for n in range(10)
    )
    path.write_text(
        path.read_text().replace("<xliff ", f"<!DOCTYPE xliff [{entities}]><xliff ", 1)
        .replace("<target>", "<target>&e9;", 1)
    )  # fmt: skip
    with pytest.raises(InputError, match="a document type"):
        read_answers(campaign, path, person=BEA)


def test_depth_and_size_are_bounded(
    campaign: Campaign, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = "<pc id='1'>" * 20_000 + "Eins." + "</pc>" * 20_000
    content = path.read_text()
    place = content.rindex("<target>") + len("<target>")
    path.write_text(content[:place] + deep + content[place:])
    (raw,) = read_answers(campaign, path, person=BEA)
    assert raw.fields["sent_less"] == ["Eins." + GERMAN["3"][1]]
    monkeypatch.setattr(formats, "LARGEST", 1_000)
    with pytest.raises(InputError, match="at most"):
        read_answers(campaign, path, person=BEA)


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_other_encodings_are_read(campaign: Campaign, path: Path, encoding: str) -> None:
    content = path.read_text().replace('encoding="UTF-8"', f'encoding="{encoding}"')
    content = content.replace("Der Kellner", "x").replace("·", "-")
    task_id = open_task(campaign, "3").task_id
    content = content.replace(GERMAN["3"][0], "Mein Onkel räumte auf.")
    path.write_bytes(content.encode(encoding))
    (raw,) = read_answers(campaign, path, person=BEA)
    assert raw.task_id == task_id and raw.fields["sent_more"] == ["Mein Onkel räumte auf."]
