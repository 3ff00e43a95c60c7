"""What a lexicon's rows must be for its swaps to be right: looked at whenever it is loaded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from curate.genders import GENDERS
from curate.lexicon.model import Lexicon, PairRow
from curate.lexicon.patterns import UPOS
from curate.lexicon.tables import Problems

__all__ = ["is_sound", "pair_problems", "structural_problems"]

KINDS = frozenset({"pronoun", "possessive", "kinship", "title", "role", "noun", "animal"})
FLAGS = frozenset(
    {"ambiguous", "epicene", "archaic", "plural-only", "opaque-m", "opaque-f", "case"}
)
_GRAMMATICAL = frozenset({"", "Masc", "Fem", "Neut", "Com"})
# flags of rows whose form says nothing of one gender
_UNCOUNTED = {
    gender: frozenset({"epicene", "ambiguous", f"opaque-{gender[0]}"}) for gender in GENDERS
}


def structural_problems(lexicon: Lexicon, problems: Problems) -> None:
    """What would make swaps wrong: in pairs.tsv, agreement.tsv and language.toml."""
    _config(lexicon, problems)
    if not is_sound(lexicon.pairs):
        pair_problems(lexicon.pairs, problems)
    _agreement(lexicon, problems)


def _config(lexicon: Lexicon, problems: Problems) -> None:
    config = lexicon.config
    if config.tag != problems.lang:
        problems.add("language.toml", 0, f"tag {config.tag!r} is not the folder's name")
    if config.direction not in {"ltr", "rtl"}:
        problems.add("language.toml", 0, "direction must be ltr or rtl")


def is_sound(rows: Sequence[PairRow]) -> bool:
    """Whether the rows of pairs.tsv have no fault: a look at what differs among them.

    `pair_problems` looks at row after row, which is slow for a large file, and which is needed
    only to say where a fault is.
    """
    flags = {row.flags for row in rows}
    return (
        all(map(_is_pair_id, {row.pair for row in rows}))
        and {row.upos for row in rows} <= UPOS
        and {row.kind for row in rows} <= KINDS
        and {row.gender_m for row in rows} | {row.gender_f for row in rows} <= _GRAMMATICAL
        and not any(map(_unknown_flags, flags))
        and all((row.masculine == row.feminine) == ("epicene" in row.flags) for row in rows)
        and all(row.masculine or row.feminine for row in rows)
        and len(set(map(_identity, rows))) == len(rows)
        and _one_gender_each(rows, flags)
    )


def _one_gender_each(rows: Sequence[PairRow], flags: Collection[frozenset[str]]) -> bool:
    """Whether no form is masculine in one row and feminine in another."""
    counted = {g: {own for own in flags if own.isdisjoint(_UNCOUNTED[g])} for g in GENDERS}
    masculine, feminine = counted["masculine"], counted["feminine"]
    first = {(row.masculine.lower(), row.upos) for row in rows if row.flags in masculine}
    second = {(row.feminine.lower(), row.upos) for row in rows if row.flags in feminine}
    return not any(form for form, _ in first & second)


def pair_problems(rows: Sequence[PairRow], problems: Problems) -> None:
    """Note every fault of the rows of pairs.tsv with its line."""
    seen: dict[tuple[str, ...], int] = {}
    directions: dict[tuple[str, str], dict[str, PairRow]] = defaultdict(dict)
    for row in rows:
        for message in _row_problems(row):
            problems.add("pairs.tsv", row.line, message)
        key = _identity(row)
        if key in seen:
            problems.add("pairs.tsv", row.line, f"duplicate of line {seen[key]}")
        seen.setdefault(key, row.line)
        for gender in sorted(GENDERS):
            if row.flags.isdisjoint(_UNCOUNTED[gender]):
                directions[row.form(gender).lower(), row.upos][gender] = row
    for (form, _), by_gender in directions.items():
        if form and len(by_gender) == 2:
            first, second = sorted(by_gender.values(), key=lambda row: row.line)
            problems.add(
                "pairs.tsv",
                second.line,
                f"contradiction: {form!r} is masculine and feminine (line {first.line}); "
                "flag both rows ambiguous, or one side opaque",
            )


def _row_problems(row: PairRow) -> list[str]:
    messages = []
    if not _is_pair_id(row.pair):
        messages.append(f"pair id {row.pair!r} must be lower-case without spaces")
    if not row.masculine and not row.feminine:
        messages.append("both forms are empty")
    if row.upos not in UPOS:
        messages.append(f"{row.upos!r} is not a UPOS tag")
    if row.kind not in KINDS:
        messages.append(f"kind {row.kind!r} is not one of {', '.join(sorted(KINDS))}")
    unknown = _unknown_flags(row.flags)
    if unknown:
        messages.append(f"unknown flags {unknown}")
    if row.masculine == row.feminine and "epicene" not in row.flags:
        messages.append(f"both forms are {row.masculine!r}: flag it epicene or mend it")
    if row.masculine != row.feminine and "epicene" in row.flags:
        messages.append("epicene, but the forms differ")
    for gender in (row.gender_m, row.gender_f):
        if gender not in _GRAMMATICAL:
            messages.append(f"grammatical gender {gender!r} is not Masc, Fem, Neut or Com")
    return messages


def _is_pair_id(text: str) -> bool:
    return bool(text) and text == text.lower() and " " not in text


def _unknown_flags(flags: frozenset[str]) -> list[str]:
    return sorted(flag for flag in flags - FLAGS if not flag.startswith("region="))


def _identity(row: PairRow) -> tuple[str, ...]:
    """What no two rows share."""
    return row.pair, row.masculine, row.feminine, row.upos, row.feats


def _agreement(lexicon: Lexicon, problems: Problems) -> None:
    seen: dict[tuple[str, ...], int] = {}
    for row in lexicon.agreement:
        if row.upos not in UPOS:
            problems.add("agreement.tsv", row.line, f"{row.upos!r} is not a UPOS tag")
        if len(row.forms) < 2:
            problems.add("agreement.tsv", row.line, "needs a form of two genders at least")
        key = (row.upos, row.feats, *row.forms.values())
        if key in seen:
            problems.add("agreement.tsv", row.line, f"duplicate of line {seen[key]}")
        seen.setdefault(key, row.line)
