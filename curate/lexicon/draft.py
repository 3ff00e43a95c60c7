"""A first draft of a language from what a curator has: translations, a treebank, word lists.

Everything in a draft is unreviewed and says so; worklist.tsv tells where to begin.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from curate.errors import InputError
from curate.lexicon.model import Lexicon
from curate.sources.delimited import read_delimited
from curate.sources.files import decoded_lines
from curate.sources.treebank import TreebankWord, read_treebank

__all__ = [
    "Candidate", "Draft", "Twin", "add_treebank", "merged", "read_candidates", "read_frequencies",
    "read_unimorph", "relations_of",
]  # fmt: skip

UNREVIEWED = "unreviewed"
AGREEING = frozenset({"DET", "ADJ", "PRON", "NUM", "AUX", "VERB"})
_GENDERS = ("Masc", "Fem")
_LEAST_RELATION = 20  # dependents of one relation, to say anything about it
_AGREES = 0.9
# what may share a gender without agreeing as an attribute does
_OTHERWISE = frozenset({"nsubj", "csubj", "conj", "appos", "flat", "fixed"})
# UniMorph's features that a lexicon tells forms apart by
_UNIMORPH = {
    "SG": ("Number", "Sing"), "PL": ("Number", "Plur"), "DU": ("Number", "Dual"),
    "NOM": ("Case", "Nom"), "ACC": ("Case", "Acc"), "GEN": ("Case", "Gen"), "DAT": ("Case", "Dat"),
    "INS": ("Case", "Ins"), "ESS": ("Case", "Loc"), "VOC": ("Case", "Voc"),
}  # fmt: skip
_UNIMORPH_UPOS = {"ADJ": "ADJ", "DET": "DET", "PRO": "PRON", "V.PTCP": "VERB", "N": "NOUN"}


@dataclass(frozen=True, slots=True)
class Candidate:
    """Both sides of an English pair in the new language; `agree`: share of systems that chose so.

    `others`: what other systems say, for the reviewer.
    """

    pair: str
    masculine: str
    feminine: str
    upos: str
    feats: str
    kind: str
    agree: float
    others: str


@dataclass(frozen=True, slots=True)
class Twin:
    """Two forms of one lemma that differ in gender alone; `seen` in the treebank."""

    upos: str
    masculine: str
    feminine: str
    feats: str
    seen: int


@dataclass(slots=True)
class Draft:
    candidates: list[Candidate] = field(default_factory=list)
    twins: list[Twin] = field(default_factory=list)
    nouns: list[Twin] = field(default_factory=list)
    # relation -> (dependents that agree in gender with their governor, dependents that have one)
    relations: dict[str, tuple[int, int]] = field(default_factory=dict)
    frequencies: Mapping[str, int] = field(default_factory=dict)

    def attributive(self) -> list[str]:
        """Relations whose dependents agree in gender with their governor."""
        return sorted(
            relation
            for relation, (agree, n) in self.relations.items()
            if n >= _LEAST_RELATION
            and agree / n >= _AGREES
            and relation.partition(":")[0] not in _OTHERWISE
        )

    def worklist(self) -> list[tuple[float, int, float, str, str]]:
        """(priority, frequency, doubt, pair, what) of every drafted pair, most urgent first."""
        rows = []
        for candidate in self.candidates:
            forms = (candidate.masculine.lower(), candidate.feminine.lower())
            frequency = sum(self.frequencies.get(form, 0) for form in forms)
            same = forms[0] == forms[1]
            doubt = 1.0 if same else 1.0 - candidate.agree
            what = f"{candidate.masculine} / {candidate.feminine}"
            what += "; one form for both: epicene or no pair" if same else ""
            what += f"; others: {candidate.others}" if candidate.others else ""
            priority = math.log1p(frequency) * (doubt + 0.05)
            rows.append((priority, frequency, doubt, candidate.pair, what))
        return sorted(rows, key=lambda row: (-row[0], row[3]))


def read_candidates(path: Path, english: Lexicon) -> list[Candidate]:
    """Candidate translations: a column `english`, and a column for each system.

    `english` holds forms of the English lexicon; a pair is drafted where both of its sides are
    there. The form that most systems give wins; a tie goes to the first column and says so.
    """
    table = read_delimited(path, wanted=("english",))
    systems = [place for place, name in enumerate(table.header) if name != "english"]
    if not systems:
        raise InputError("no column of a system beside english", where=path)
    column = table.header.index("english")
    found: dict[str, Counter[str]] = {}
    for row in table.rows:
        forms = [row[place].strip() for place in systems if place < len(row) and row[place].strip()]
        if forms and row[column].strip():
            found.setdefault(row[column].strip().lower(), Counter()).update(forms)
    candidates: dict[tuple[str, str], Candidate] = {}
    for pair in english.pairs:
        sides = [found.get(form.lower()) for form in (pair.masculine, pair.feminine)]
        if not all(sides) or "epicene" in pair.flags:
            continue
        winners = [side.most_common(1)[0] for side in sides if side]
        others = [
            form
            for side, won in zip(sides, winners, strict=True)
            for form in side or ()
            if form != won[0]
        ]
        agree = min(
            won[1] / (side or Counter()).total() for side, won in zip(sides, winners, strict=True)
        )
        candidates.setdefault(
            (pair.pair, pair.feats),
            Candidate(
                pair.pair, winners[0][0], winners[1][0], pair.upos, pair.feats, pair.kind, agree,
                ", ".join(dict.fromkeys(others)),
            ),
        )  # fmt: skip
    if not candidates:
        raise InputError(
            "no row pairs with the English lexicon", where=path,
            hint="column english must hold both forms of a pair: king, queen",
        )  # fmt: skip
    return list(candidates.values())


def read_frequencies(path: Path) -> dict[str, int]:
    """``word count`` a line, separated by white space."""
    found: dict[str, int] = {}
    for number, line in enumerate(decoded_lines(path), start=1):
        cells = line.split()
        if not cells:
            continue
        if len(cells) < 2 or not cells[-1].isdigit():
            raise InputError(
                f"{line.strip()!r} is not a word and a count", where=f"{path}:{number}"
            )
        found.setdefault(" ".join(cells[:-1]).lower(), int(cells[-1]))
    return found


def add_treebank(draft: Draft, path: Path) -> None:
    """Add a treebank: agreeing words with two genders, nouns with two, which relations agree."""
    forms: dict[tuple[str, str, str], dict[str, Counter[str]]] = defaultdict(
        lambda: defaultdict(Counter)
    )
    agree: Counter[str] = Counter(
        {name: agreeing for name, (agreeing, _) in draft.relations.items()}
    )
    seen: Counter[str] = Counter({name: n for name, (_, n) in draft.relations.items()})
    for sentence in read_treebank(path):
        for word in sentence:
            gender = word.feats.get("Gender", "")
            if gender in _GENDERS:
                key = (word.upos, word.lemma, _telling(word.feats))
                forms[key][gender][word.form.lower()] += 1
            _count_relation(sentence, word, agree, seen)
    twins = [twin for key, genders in forms.items() for twin in _twin(key, genders)]
    draft.twins = merged(draft.twins, (twin for twin in twins if twin.upos in AGREEING))
    draft.nouns = merged(draft.nouns, (twin for twin in twins if twin.upos == "NOUN"))
    draft.relations = {relation: (agree[relation], n) for relation, n in seen.items()}


def read_unimorph(path: Path) -> list[Twin]:
    """Twin forms of agreeing words in a UniMorph table (lemma, form, features by semicolons)."""
    forms: dict[tuple[str, str, str], dict[str, Counter[str]]] = defaultdict(
        lambda: defaultdict(Counter)
    )
    for number, line in enumerate(decoded_lines(path), start=1):
        cells = line.rstrip("\r\n").split("\t")
        if cells == [""]:
            continue
        if len(cells) < 3:
            raise InputError("lemma, form and features wanted", where=f"{path}:{number}")
        tags = cells[2].split(";")
        upos = _UNIMORPH_UPOS.get(tags[0], "")
        gender = {"MASC": "Masc", "FEM": "Fem"}.get(
            next((t for t in tags if t in ("MASC", "FEM")), "")
        )
        if upos in AGREEING and gender:
            bundle = dict(_UNIMORPH[tag] for tag in tags if tag in _UNIMORPH)
            forms[upos, cells[0], _telling(bundle)][gender][cells[1].lower()] += 1
    return merged([], (twin for key, genders in forms.items() for twin in _twin(key, genders)))


def relations_of(draft: Draft) -> str:
    """The [relations] section, with the evidence in comments."""
    lines = ["[relations]"]
    for relation, (agree, n) in sorted(draft.relations.items(), key=lambda item: -item[1][1]):
        if n >= _LEAST_RELATION:
            lines.append(f"# {relation}: {agree} of {n} agree in gender with their governor")
    wanted = " ".join(draft.attributive()) or "det amod"
    return "\n".join([*lines, f'attributive = "{wanted}"']) + "\n"


def _telling(feats: Mapping[str, str]) -> str:
    """The features that tell the forms of one word apart, gender aside."""
    return "|".join(f"{name}={feats[name]}" for name in ("Case", "Number") if name in feats)


def _count_relation(
    sentence: Sequence[TreebankWord], word: TreebankWord, agree: Counter[str], seen: Counter[str]
) -> None:
    governor = sentence[word.head] if 0 <= word.head < len(sentence) else None
    own = word.feats.get("Gender")
    if own and governor is not None and "Gender" in governor.feats:
        seen[word.relation] += 1
        agree[word.relation] += own == governor.feats["Gender"]


def _twin(key: tuple[str, str, str], genders: Mapping[str, Counter[str]]) -> Iterable[Twin]:
    if all(gender in genders for gender in _GENDERS):
        masculine, feminine = (genders[gender].most_common(1)[0] for gender in _GENDERS)
        if masculine[0] != feminine[0]:
            yield Twin(key[0], masculine[0], feminine[0], key[2], masculine[1] + feminine[1])


def merged(twins: Iterable[Twin], more: Iterable[Twin]) -> list[Twin]:
    """Both, the most seen first, each pair of forms once."""
    found: dict[tuple[str, str, str, str], Twin] = {}
    for twin in sorted([*twins, *more], key=lambda twin: -twin.seen):
        found.setdefault((twin.upos, twin.masculine, twin.feminine, twin.feats), twin)
    return list(found.values())
