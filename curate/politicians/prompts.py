"""Where the blank stands beside a name: before or after it, by the word order of the language.

Stańczak et al. (2023, section 3.2 and Table 11) ask for ``<blank> NAME`` or ``NAME <blank>``.
Before and after are those of reading, so that they hold for right-to-left scripts too.
"""

from __future__ import annotations

from dataclasses import dataclass

from curate.errors import InputError
from curate.language import normalize
from curate.lexicon import load_lexicon
from curate.models.encoding import MaskedText
from curate.resources import lexicons_folder

__all__ = ["ORDER_KEYS", "POSITIONS", "Prompts", "load_prompts"]

ORDER_KEYS = {"ADJ": "adjective", "VERB": "verb"}
"""The key under ``order`` in language.toml that places the words of a UPOS."""

POSITIONS = {
    "ADJ": {"ADJ NOUN": "before", "NOUN ADJ": "after"},
    "VERB": {
        "SVO": "after", "SOV": "after", "OSV": "after", "V2": "after",
        "VSO": "before", "VOS": "before", "OVS": "before",
    },
}  # fmt: skip
"""Where a word stands beside a noun that it describes, or beside the subject of a verb."""

_SPACED = "spaces"


@dataclass(frozen=True)
class Prompts:
    """The place of the blank in one language by UPOS, and what stands between it and a name."""

    lang: str
    positions: dict[str, str]
    separator: str

    def text(self, name: str, upos: str) -> MaskedText:
        """``<blank> NAME`` or ``NAME <blank>``; the blank is an empty stretch."""
        name = normalize(name).strip()
        if self.positions[upos] == "before":
            return MaskedText(f"{self.separator}{name}", 0, 0)
        text = f"{name}{self.separator}"
        return MaskedText(text, len(text), len(text))


def load_prompts(lang: str) -> Prompts:
    """The prompts of a language: ``order`` and ``segmentation`` in its language.toml.

    Raises UsageError for an unknown language, InputError with file and key where the order is
    missing or none of `POSITIONS`.
    """
    config = load_lexicon(lang).config
    where = lexicons_folder() / lang / "language.toml"
    positions = {}
    for upos, key in ORDER_KEYS.items():
        order = str(config.order.get(key, "")).strip()
        if order not in POSITIONS[upos]:
            said = f"order.{key} = {order!r} is not known" if order else f"no key order.{key}"
            raise InputError(
                f"{said}, which says where a word stands beside a name",
                where=where,
                hint=f"one of: {', '.join(POSITIONS[upos])}",
            )
        positions[upos] = POSITIONS[upos][order]
    return Prompts(lang, positions, " " if config.segmentation == _SPACED else "")
