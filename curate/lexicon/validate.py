"""Everything that can be wrong with a lexicon, found without running a swap."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from curate.genders import GENDERS
from curate.language import unknown_features
from curate.lexicon.grammar import REFUSALS
from curate.lexicon.load import FILES, read_lexicon
from curate.lexicon.model import AgreementRow, Lexicon, PairRow
from curate.lexicon.structure import structural_problems
from curate.lexicon.tables import Problem, Problems, read_text

__all__ = ["check_lexicon"]


def check_lexicon(folder: Path) -> list[Problem]:
    """All findings of one language's folder, sorted by file and line."""
    # each of them takes milliseconds that a command which only loads a lexicon should not pay
    from curate.lexicon.contrast import read_contrast
    from curate.lexicon.occupations import read_occupations

    problems = Problems(folder.name)
    for name in FILES:
        if not (folder / name).is_file():
            problems.add(name, 0, "file is missing")
    lexicon = read_lexicon(folder, problems)
    if lexicon is not None:
        structural_problems(lexicon, problems)
        _tag(lexicon, problems)
        _sources(lexicon, folder, problems)
        _smaller_files(lexicon, problems)
        _features(lexicon, problems)
        _rules(lexicon, folder, problems)
        read_contrast(lexicon, folder, problems)
        read_occupations(folder, problems)
    unique = dict.fromkeys(problems.found)
    return sorted(unique, key=lambda problem: (problem.file, problem.line))


def _tag(lexicon: Lexicon, problems: Problems) -> None:
    import langcodes

    if not langcodes.tag_is_valid(lexicon.config.tag):
        problems.add("language.toml", 0, f"{lexicon.config.tag!r} is not a BCP-47 tag")


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
    from curate.lexicon.dead_rules import dead_rules

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
        if name.gender not in GENDERS:
            problems.add("names.tsv", 0, f"{name.name}: gender {name.gender!r}")
    by_name: dict[str, set[str]] = defaultdict(set)
    for name in lexicon.names:
        by_name[name.name].add(name.gender)
    for written, genders in by_name.items():
        if len(genders) > 1:
            problems.add("names.tsv", 0, f"{written} stands under both genders")
    for word in lexicon.context:
        if word.gender not in GENDERS:
            problems.add("context.tsv", 0, f"{word.form}: gender {word.gender!r}")
    seen: dict[tuple[str, str], int] = {}
    for row in lexicon.golden:
        if row.direction not in GENDERS:
            problems.add("golden.tsv", row.line, f"direction {row.direction!r}")
        code = row.expected.removeprefix("REFUSE:")
        if code != row.expected and code not in REFUSALS:
            problems.add("golden.tsv", row.line, f"unknown refusal code {code!r}")
        key = (row.sentence, row.direction)
        if key in seen:
            problems.add("golden.tsv", row.line, f"duplicate of line {seen[key]}")
        seen.setdefault(key, row.line)
