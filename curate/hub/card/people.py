"""How people are filed under genders, in words."""

from __future__ import annotations

from curate.hub.card.facts import ConfigFacts

__all__ = ["scheme_of"]

_SCHEMES = {
    "default": "trans women are filed as female, trans men as male, and everybody who is neither "
    "female nor male as non-binary",
    "paper": "everybody but cisgender women and men is filed as non-binary, as in Stańczak et al. "
    "(2023): trans women and trans men too",
    "raw": "every value stands for itself",
}


def scheme_of(config: ConfigFacts) -> str:
    """What the column `gender` means, by the scheme that the run names; not stated where it names
    none that is known."""
    settings = config.run.get("config")
    name = settings.get("scheme") if isinstance(settings, dict) else None
    return _SCHEMES.get(str(name), "how the values are filed is not stated")
