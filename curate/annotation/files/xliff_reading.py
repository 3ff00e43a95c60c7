"""XLIFF 2 in, as translation programs leave it: segments cut, inline codes, states of their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element

from curate.annotation.campaign import Campaign
from curate.annotation.files.answer_line import FIELD, read_line
from curate.annotation.files.marks import folded, is_as_given
from curate.annotation.files.returned import Returned
from curate.annotation.files.safe_xml import parsed
from curate.annotation.files.xliff_names import OWN, READABLE, UNITS, unit_id, unit_parts
from curate.annotation.form import TEXT_FIELDS, form_of
from curate.annotation.problems import Problem
from curate.annotation.tasks import DONE, Task
from curate.errors import InputError

__all__ = ["read"]

_NEW_TEXT = {
    "translate": ("outcome", "translated"),
    "correct": ("response", "corrected"),
    "validate": ("verdict", "revise"),
}
"""What a changed text says by itself, by stage."""


@dataclass(frozen=True, slots=True)
class _Unit:
    source: str
    target: str
    given: str
    cut: str


def read(campaign: Campaign, path: Path) -> list[Returned]:
    """Read the units of every task together.

    A state that a program sets is no answer: only a text that was changed, and what the answer
    unit says. Raises InputError, with the unit, for what is no XLIFF 2, or lost some of it.
    """
    with path.open("rb") as stream:
        root = parsed(stream, str(path))
    space = _namespace(root, path)
    lang = root.get("trgLang", "")
    found: dict[str, dict[str, _Unit]] = defaultdict(dict)
    about: dict[str, tuple[str, str]] = {}
    for unit, mark in _units(root, space):
        content_hash = unit.get(f"{{{OWN}}}hash", "")
        identifier = unit.get("id", "")
        where = f"{path}#{identifier}"
        task_id, name = unit_parts(identifier)
        if not name:
            raise InputError("a unit that was not exported", where=where, hint="export it again")
        if name in found[task_id]:
            raise InputError("this unit stands here twice", where=where, hint="keep one of them")
        if not content_hash or not unit.get(f"{{{OWN}}}given"):
            raise InputError(
                "the hash of this unit is gone: the program dropped attributes it did not know",
                where=where, hint="use another program, or the XLSX form",
            )  # fmt: skip
        if about.setdefault(task_id, (mark, content_hash)) != (mark, content_hash):
            raise InputError("the units of this task have different hashes", where=where)
        found[task_id][name] = _read_unit(unit, space, where)
    return [
        _returned(campaign, units, path=path, task_id=task_id, about=(*about[task_id], lang))
        for task_id, units in found.items()
    ]


def _namespace(root: Element, path: Path) -> str:
    for space in READABLE:
        if root.tag == f"{{{space}}}xliff":
            return f"{{{space}}}"
    version = root.get("version", "")
    what = f"XLIFF {version}" if "xliff" in root.tag.lower() else f"<{root.tag[:60]}>"
    raise InputError(f"XLIFF 2 is wanted, this is {what}", where=path, hint="save as XLIFF 2.1")


def _units(root: Element, space: str) -> Iterator[tuple[Element, str]]:
    """Every unit with the campaign of its file."""
    for file in root.iter(f"{space}file"):
        for unit in file.iter(f"{space}unit"):
            yield unit, file.get(f"{{{OWN}}}campaign", "")


def _read_unit(unit: Element, space: str, where: str) -> _Unit:
    """Source and target with all segments joined; `cut` says where only some are translated."""
    sources, targets = [], []
    done = wanted = 0
    parts = [one for one in unit if one.tag in {f"{space}segment", f"{space}ignorable"}]
    for number, part in enumerate(parts, start=1):
        source, target = part.find(f"{space}source"), part.find(f"{space}target")
        text = _text(source, space, where)
        sources.append(text)
        if part.tag == f"{space}ignorable":
            between = text if target is None else _text(target, space, where)
            targets.append((_order(target, number), between, False))
            continue
        written = _text(target, space, where)
        targets.append((_order(target, number), written, True))
        wanted += bool(text.strip())
        done += bool(text.strip() and written.strip())
    targets.sort(key=lambda one: one[0])
    is_empty = not any(text.strip() for _, text, is_segment in targets if is_segment)
    cut = f"{done} of {wanted} segments are translated" if 0 < done < wanted else ""
    written = "" if is_empty else "".join(one[1] for one in targets)
    return _Unit("".join(sources), written, unit.get(f"{{{OWN}}}given", ""), cut)


def _order(target: Element | None, number: int) -> int:
    """The place of a target in its unit, where a program moved it."""
    said = target.get("order", "") if target is not None else ""
    return int(said) if said.isascii() and said.isdigit() and len(said) < 7 else number


def _text(element: Element | None, space: str, where: str) -> str:
    """The text of a source or target; what inline codes enclose stays, the codes go."""
    if element is None:
        return ""
    for one in element.iter(f"{space}cp"):
        try:
            one.text = chr(int(one.get("hex", ""), 16))
            one.text.encode()
        except (ValueError, OverflowError) as error:  # a surrogate is no character by itself
            raise InputError(f"<cp> with hex={one.get('hex')!r}", where=where) from error
    return "".join(element.itertext())


def _returned(
    campaign: Campaign, units: dict[str, _Unit], *, path: Path, task_id: str,
    about: tuple[str, str, str],
) -> Returned:  # fmt: skip
    """A task from its three units; `about`: the campaign, the hash and the language beside them."""
    for name in UNITS:
        if name not in units:
            where = f"{path}#{unit_id(task_id, name)}"
            raise InputError("this unit is gone", where=where, hint="export the file whole")
    mark, content_hash, lang = about
    fields = {name: units[name].target for name in TEXT_FIELDS}
    given = {name: units[name].given for name in TEXT_FIELDS}
    problems = [Problem("missing-field", name, one.cut) for name, one in units.items() if one.cut]
    task = campaign.tasks.get(task_id)
    if task is not None and task.stage != DONE:
        said, wrong = read_line(_line(units[FIELD]), form_of(task.stage))
        problems += wrong
        fields |= said
        if not problems:
            fields |= _implied(task, fields, given)
    elif _line(units[FIELD]):
        fields["note"] = _line(units[FIELD])
    return Returned(
        task_id=task_id, hash=content_hash, campaign=mark, lang=lang,
        sources=(units[TEXT_FIELDS[0]].source, units[TEXT_FIELDS[1]].source), fields=fields,
        given=given, where=f"{path}#{task_id}", ref=f"{path.name}#{task_id}",
        problems=tuple(problems),
    )  # fmt: skip


def _line(unit: _Unit) -> str:
    """What was answered; a source that was copied over is nothing."""
    return "" if folded(unit.target) == folded(unit.source) else unit.target.strip()


def _implied(task: Task, fields: dict[str, str], given: dict[str, str]) -> dict[str, str]:
    """What need not be written: two whole sentences, one of them changed, speak for themselves."""
    whole = all(fields[name].strip() for name in TEXT_FIELDS)
    if not whole or all(is_as_given(fields[name], given[name]) for name in TEXT_FIELDS):
        return {}
    name, choice = _NEW_TEXT[task.stage]
    return {} if name in fields or fields.get("outcome") == "untranslatable" else {name: choice}
