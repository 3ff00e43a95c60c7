"""XLIFF 2.1 out (OASIS, 2018): a group a task, with a unit for each sentence and for the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from curate.annotation.campaign import Campaign
from curate.annotation.files.answer_line import FIELD
from curate.annotation.files.given import Given, campaign_mark
from curate.annotation.files.instructions import answer_help, file_help, stage_help
from curate.annotation.files.marks import mark_of
from curate.annotation.files.xliff_names import CORE, OWN, unit_id
from curate.annotation.form import TEXT_FIELDS
from curate.annotation.guidelines import direction

__all__ = ["write"]

_SOURCES = dict(zip(TEXT_FIELDS, ("source_more", "source_less"), strict=True))
_KINDS = dict(
    zip(TEXT_FIELDS, ("the more stereotypical one", "the less stereotypical one"), strict=True)
)
_SHOWN = {
    "names": "Names to use, and no others: ",
    "findings": "",
    "others": "Other people wrote: ",
    "suggestion": "Prefilled by a machine, check every word. Origin: ",
}
"""What is shown of a task where there is any, and the words before it."""

_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def write(campaign: Campaign, lang: str, tasks: Sequence[Given], path: Path) -> None:
    """Write tasks as XLIFF; sentences must not be cut further, so that a pair stays a pair."""
    source_lang = campaign.settings.source_lang
    stages = list(dict.fromkeys(one.task.stage for one in tasks))
    head = (
        f'<xliff xmlns="{CORE}" xmlns:curate="{OWN}" version="2.1" '
        f"srcLang={_value(source_lang)} trgLang={_value(lang)}>"
    )
    file = (
        f'<file id="tasks" original={_value(campaign.settings.name)} canResegment="no" '
        f'srcDir="{direction(source_lang)}" trgDir="{direction(lang)}" '
        f"curate:campaign={_value(campaign_mark(campaign))}>"
    )
    notes = _notes([("instructions", line) for line in file_help(stages)], " " * 4)
    with path.open("w", encoding="utf-8", newline="\n") as sink:
        sink.write(f'<?xml version="1.0" encoding="UTF-8"?>\n{head}\n  {file}\n{notes}')
        for one in tasks:
            sink.write(_group(one))
        sink.write("  </file>\n</xliff>\n")


def _group(one: Given) -> str:
    cells = one.cells
    about = f"pair {cells['pair_number']}, bias type: {cells['bias_type']}"
    lines = [("pair", about), ("task", stage_help(one.task.stage))]
    lines += [(name, f"{before}{cells[name]}") for name, before in _SHOWN.items() if cells[name]]
    units = "".join(
        _unit(one, name, cells[_SOURCES[name]], one.prefilled[name], lines) for name in TEXT_FIELDS
    )
    asked = f"Your answer, where there is more to say. {answer_help(one.task.stage)}"
    return (
        f"    <group id={_value(one.task.task_id)} name={_value(one.task.stage)}>\n"
        f"{units}{_unit(one, FIELD, asked, '', [])}    </group>\n"
    )


def _unit(one: Given, name: str, source: str, target: str, lines: list[tuple[str, str]]) -> str:
    """A unit; what stands in the target is a machine's (state initial) or a person's."""
    state = "translated" if target and one.task.stage != "translate" else "initial"
    written = f"<target>{_content(target)}</target>" if target else ""
    own = [("sentence", _KINDS[name])] if name in _KINDS else []
    return (
        f'      <unit id={_value(unit_id(one.task.task_id, name))} name="{name}" '
        f'xml:space="preserve" curate:hash={_value(one.task.hash)} '
        f'curate:given="{mark_of(target)}">\n'
        f"{_notes([*own, *lines], ' ' * 8)}"
        f'        <segment state="{state}">\n'
        f"          <source>{_content(source)}</source>\n"
        f"{'          ' + written + chr(10) if written else ''}"
        f"        </segment>\n      </unit>\n"
    )


def _notes(lines: Sequence[tuple[str, str]], margin: str) -> str:
    if not lines:
        return ""
    notes = "".join(
        f'{margin}  <note category="{category}">{_plain(text)}</note>\n' for category, text in lines
    )
    return f"{margin}<notes>\n{notes}{margin}</notes>\n"


def _content(text: str) -> str:
    """Text of a sentence; characters that XML cannot hold become ``<cp>``."""
    return _NO_XML.sub(lambda found: f'<cp hex="{ord(found.group()):04X}"/>', _marks(text))


def _plain(text: str) -> str:
    return _NO_XML.sub("\ufffd", _marks(text))


def _marks(text: str) -> str:
    return escape(text, {"\r": "&#13;"})


def _value(text: str) -> str:
    return quoteattr(_NO_XML.sub("\ufffd", text), {"\r": "&#13;"})
