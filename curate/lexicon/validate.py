"""Everything that can be wrong with a lexicon, found without running a swap."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from curate.language import unknown_features
from curate.lexicon.contrast import read_contrast
from curate.lexicon.dead_rules import dead_rules
from curate.lexicon.grammar import REFUSALS
from curate.lexicon.load import FILES, read_lexicon
from curate.lexicon.model import AgreementRow, Lexicon, PairRow
from curate.lexicon.occupations import read_occupations
from curate.lexicon.patterns import UPOS
from curate.lexicon.tables import Problem, Problems, read_text

__all__ = ["check_lexicon", "structural_problems"]

KINDS = frozenset({"pronoun", "possessive", "kinship", "title", "role", "noun", "animal"})
FLAGS = frozenset(
    {"ambiguous", "epicene", "archaic", "plural-only", "opaque-m", "opaque-f", "case"}
)
_GENDERS = {"masculine", "feminine"}


def check_lexicon(folder: Path) -> list[Problem]:
    """All findings of one language's folder, sorted by file and line."""
    problems = Problems(folder.name)
    for name in FILES:
        if not (folder / name).is_file():
            problems.add(name, 0, "file is missing")
    lexicon = read_lexicon(folder, problems)
    if lexicon is not None:
        structural_problems(lexicon, problems)
        _sources(lexicon, folder, problems)
        _smaller_files(lexicon, problems)
        _features(lexicon, problems)
        _rules(lexicon, folder, problems)
        read_contrast(lexicon, folder, problems)
        read_occupations(folder, problems)
    unique = dict.fromkeys(problems.found)
    return sorted(unique, key=lambda problem: (problem.file, problem.line))


def structural_problems(lexicon: Lexicon, problems: Problems) -> None:
    """What would make swaps wrong: in pairs.tsv, agreement.tsv and language.toml."""
    _config(lexicon, problems)
    _pairs(lexicon.pairs, problems)
    _agreement(lexicon, problems)


def _config(lexicon: Lexicon, problems: Problems) -> None:
    import langcodes

    config = lexicon.config
    if config.tag != problems.lang:
        problems.add("language.toml", 0, f"tag {config.tag!r} is not the folder's name")
    if not langcodes.tag_is_valid(config.tag):
        problems.add("language.toml", 0, f"{config.tag!r} is not a BCP-47 tag")
    if config.direction not in {"ltr", "rtl"}:
        problems.add("language.toml", 0, "direction must be ltr or rtl")


def _pairs(rows: tuple[PairRow, ...], problems: Problems) -> None:
    seen: dict[tuple[str, ...], int] = {}
    directions: dict[tuple[str, str], dict[str, PairRow]] = defaultdict(dict)
    for row in rows:
        for message in _row_problems(row):
            problems.add("pairs.tsv", row.line, message)
        key = (row.pair, row.masculine, row.feminine, row.upos, row.feats)
        if key in seen:
            problems.add("pairs.tsv", row.line, f"duplicate of line {seen[key]}")
        seen.setdefault(key, row.line)
        if row.flags & {"epicene", "ambiguous"}:
            continue
        for gender in sorted(_GENDERS):
            if f"opaque-{gender[0]}" in row.flags:
                continue
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
    if not row.pair or row.pair != row.pair.lower() or " " in row.pair:
        messages.append(f"pair id {row.pair!r} must be lower-case without spaces")
    if not row.masculine and not row.feminine:
        messages.append("both forms are empty")
    if row.upos not in UPOS:
        messages.append(f"{row.upos!r} is not a UPOS tag")
    if row.kind not in KINDS:
        messages.append(f"kind {row.kind!r} is not one of {', '.join(sorted(KINDS))}")
    unknown = sorted(f for f in row.flags if f not in FLAGS and not f.startswith("region="))
    if unknown:
        messages.append(f"unknown flags {unknown}")
    if row.masculine == row.feminine and "epicene" not in row.flags:
        messages.append(f"both forms are {row.masculine!r}: flag it epicene or mend it")
    if row.masculine != row.feminine and "epicene" in row.flags:
        messages.append("epicene, but the forms differ")
    for gender in (row.gender_m, row.gender_f):
        if gender not in {"", "Masc", "Fem", "Neut", "Com"}:
            messages.append(f"grammatical gender {gender!r} is not Masc, Fem, Neut or Com")
    return messages


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


def _sources(lexicon: Lexicon, folder: Path, problems: Problems) -> None:
    text = read_text(folder / "SOURCES.md", problems) or ""
    keys = {line.lstrip("# ").strip() for line in text.splitlines() if line.startswith("#")}
    for row in lexicon.pairs:
        if row.source not in keys:
            problems.add(
                "pairs.tsv", row.line, f"source {row.source!r} is no heading of SOURCES.md"
            )


def _features(lexicon: Lexicon, problems: Problems) -> None:
    """Features that are neither UD's nor the language's own: one finding each, at its first row."""
    own = lexicon.grammar.features
    files: dict[str, Sequence[PairRow | AgreementRow]] = {
        "pairs.tsv": (*lexicon.pairs, *lexicon.voted_out),
        "agreement.tsv": lexicon.agreement,
    }
    for file, rows in files.items():
        lines: dict[str, list[int]] = defaultdict(list)
        for row in rows:
            for feature in unknown_features(row.feats, own):
                lines[feature].append(row.line)
        for feature, found in lines.items():
            more = f" ({len(found)} rows)" if len(found) > 1 else ""
            problems.add(
                file,
                min(found),
                f"{feature} is not in Universal Dependencies{more}: mend it, or say what "
                "it means under [features] in agreement.toml",
            )


def _rules(lexicon: Lexicon, folder: Path, problems: Problems) -> None:
    """Rules that do nothing; not looked for where some rule could not even be read."""
    if any(problem.file == "agreement.toml" for problem in problems.found):
        return
    lines: dict[str, list[int]] = defaultdict(list)
    text = read_text(folder / "agreement.toml", problems) or ""
    for number, line in enumerate(text.splitlines(), start=1):
        lines[line.split("#")[0].strip()].append(number)
    for kind, number, message in dead_rules(lexicon):
        problems.add("agreement.toml", lines[f"[[{kind}]]"][number], f"{kind} {message}")


def _smaller_files(lexicon: Lexicon, problems: Problems) -> None:
    for name in lexicon.names:
        if name.gender not in _GENDERS:
            problems.add("names.tsv", 0, f"{name.name}: gender {name.gender!r}")
    by_name: dict[str, set[str]] = defaultdict(set)
    for name in lexicon.names:
        by_name[name.name].add(name.gender)
    for written, genders in by_name.items():
        if len(genders) > 1:
            problems.add("names.tsv", 0, f"{written} stands under both genders")
    for word in lexicon.context:
        if word.gender not in _GENDERS:
            problems.add("context.tsv", 0, f"{word.form}: gender {word.gender!r}")
    seen: dict[tuple[str, str], int] = {}
    for row in lexicon.golden:
        if row.direction not in _GENDERS:
            problems.add("golden.tsv", row.line, f"direction {row.direction!r}")
        code = row.expected.removeprefix("REFUSE:")
        if code != row.expected and code not in REFUSALS:
            problems.add("golden.tsv", row.line, f"unknown refusal code {code!r}")
        key = (row.sentence, row.direction)
        if key in seen:
            problems.add("golden.tsv", row.line, f"duplicate of line {seen[key]}")
        seen.setdefault(key, row.line)
