"""Which sources may be published, changed and put together.

The facts are the table ``hub_cards/licences.tsv``, read from the licences and from what Creative
Commons says of adapting and combining works. This is a guard against oversights and no legal
advice: whoever publishes has to know the rights to what is published.

A pair is an adaptation of its sentence, so a licence without derivatives is refused. Rows under
several licences may stand in one release, for each row names its own, but a share-alike licence is
refused beside another one, and beside a non-commercial one, in the same configuration: no single
licence could then be that of the configuration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curate.errors import InputError
from curate.hub.card.licence_table import Licence, find_licence, one_line
from curate.hub.card.shapes import SourceFacts

if TYPE_CHECKING:
    from curate.hub.card.about import About, StatedLicence
    from curate.hub.card.facts import ConfigFacts, Facts

__all__ = [
    "LicenceFinding", "config_licences", "licence_findings", "licence_of", "refuse_licences",
    "release_licences", "sources_of", "whole_licence",
]  # fmt: skip

LEXICON_LICENCE = "CC BY-SA 4.0"
# Made by the build itself, out of ids and codes: nobody else's text.
_OWN_KINDS = frozenset({"drops"})


@dataclass(frozen=True)
class LicenceFinding:
    """Why a configuration may not be published.

    `unknown`: nobody has said under which licence a source stands; that may still be mended.
    """

    config: str
    message: str
    hint: str = ""
    unknown: bool = False


def refuse_licences(facts: Facts, *, unknown: bool = True) -> None:
    """Raise InputError, in one line, for the first thing that forbids publishing the release.

    Without `unknown`, sources whose licence nobody has stated pass: a release of them may be built
    and looked at, but not put on the Hub.
    """
    findings = [one for one in licence_findings(facts) if unknown or not one.unknown]
    if findings:
        first = findings[0]
        more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
        raise InputError(f"{first.message}{more}", where=first.config, hint=first.hint)


def licence_findings(facts: Facts) -> Iterator[LicenceFinding]:
    """All reasons against publishing, by configuration, then source."""
    for config in facts.configs:
        used: dict[str, Licence] = {}
        for source in sources_of(config, facts):
            licence = licence_of(source, facts.about)
            used.setdefault(licence.id, licence)
            if finding := _forbidden(config.name, source, licence):
                yield finding
        if reason := _mixed(list(used.values())):
            hint = "put these sources into releases of their own, or leave one out"
            yield LicenceFinding(config.name, reason, hint)


def _forbidden(config: str, source: SourceFacts, licence: Licence) -> LicenceFinding | None:
    named = f"{one_line(source.source)!r} ({one_line(source.licence) or 'unstated'})"
    if licence.redistribute == "no":
        return LicenceFinding(config, f"the licence of {named} forbids passing it on")
    if licence.derivatives == "no":
        reason = f"the licence of {named} forbids changed versions, and a pair is one"
        return LicenceFinding(config, reason)
    if not licence.known:
        hint = "--licence when rows are made, or [[licences]] source, licence, evidence in --about"
        return LicenceFinding(config, f"the licence of {named} is not known", hint, unknown=True)
    return None


def _mixed(used: list[Licence]) -> str:
    """Why these licences cannot stand in one configuration; empty where they can."""
    sharing = {one.share_alike: one for one in used if one.share_alike}
    if len(sharing) > 1:
        names = " and ".join(sorted(one.name for one in sharing.values()))
        return f"{names} each ask that what is made of them keeps their own licence"
    for licence in sharing.values():
        others = sorted(one.name for one in used if one.non_commercial)
        if others and not licence.non_commercial:
            return f"{licence.name} lets everybody sell what is made of it, {others[0]} does not"
    return ""


def whole_licence(config: ConfigFacts, facts: Facts) -> Licence | None:
    """The one licence under which all of a configuration may be used; None where rows differ.

    Share-alike rows make it the latest version of their licence (versions after 1.0 allow that);
    otherwise it is the licence of all rows, if they have only one.
    """
    used = config_licences(config, facts)
    if _mixed(list(used)) or not all(one.known for one in used):
        return None
    sharing = [one for one in used if one.share_alike]
    if sharing:
        return max(sharing, key=lambda one: one.id)
    return used[0] if len(used) == 1 else None


def release_licences(facts: Facts) -> tuple[Licence, ...]:
    """Every licence in the release once, in order of its id."""
    found = {one.id: one for config in facts.configs for one in config_licences(config, facts)}
    return tuple(found[key] for key in sorted(found))


def config_licences(config: ConfigFacts, facts: Facts) -> tuple[Licence, ...]:
    """Every licence in a configuration once, in order of its id."""
    found = (licence_of(source, facts.about) for source in sources_of(config, facts))
    by_id = {one.id: one for one in found}
    return tuple(by_id[key] for key in sorted(by_id))


def licence_of(source: SourceFacts, about: About) -> Licence:
    """The licence of rows of a source: the one they name, or else the one that `about` states.

    What a row names counts for more: an about file cannot loosen a licence that is known.
    """
    own = find_licence(source.licence)
    if own.known:
        return own
    stated = next((one for one in about.licences if one.source == source.source), None)
    return own if stated is None else _stated(stated)


def _stated(stated: StatedLicence) -> Licence:
    found = find_licence(stated.licence)
    if found.known:
        return found
    answers = {True: "yes", False: "ask"}
    return Licence(
        id=found.id,
        name=stated.licence,
        redistribute=answers[stated.redistribute],
        derivatives=answers[stated.derivatives],
        url=stated.evidence,
    )


def sources_of(config: ConfigFacts, facts: Facts) -> Iterable[SourceFacts]:
    """What a configuration is made of, also where its rows do not name a source."""
    if config.sources or config.kind in _OWN_KINDS:
        return config.sources
    if config.kind == "lexicon":
        own = [one for one in facts.languages if one.lexemes is not None]
        licences = {one.licence or LEXICON_LICENCE for one in own} or {LEXICON_LICENCE}
        return [SourceFacts("lexicon", licence, config.rows) for licence in sorted(licences)]
    run_input = config.run.get("input")
    name = run_input.get("name") if isinstance(run_input, dict) else None
    licence = config.run.get("licence") or "unstated"
    return [SourceFacts(str(name or config.name), str(licence), config.rows)]
