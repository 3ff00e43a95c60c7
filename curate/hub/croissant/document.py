"""The Croissant document of a release, and how it is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from curate.engine import write_json
from curate.hub.card.bibtex import bibtex, repository_link
from curate.hub.card.facts import ConfigFacts, Facts, read_facts
from curate.hub.card.licence_table import Licence
from curate.hub.card.licences import release_licences
from curate.hub.card.markdown import in_words
from curate.hub.croissant.context import CONFORMS_TO, CONTEXT
from curate.hub.croissant.fields import fields_of
from curate.hub.croissant.responsible import responsible_ai
from curate.hub.layout import KINDS
from curate.sources.files import sha256_file

__all__ = ["CROISSANT", "croissant_document", "write_croissant"]

CROISSANT = "croissant.json"
_KEYWORDS = (
    "gender bias", "minimal pairs", "language model evaluation", "masked language models",
    "counterfactual data",
)  # fmt: skip


def write_croissant(folder: Path, manifest: dict[str, Any]) -> None:
    """Write `croissant.json` into a folder that holds the data; see `croissant_document`."""
    write_json(Path(folder) / CROISSANT, croissant_document(folder, manifest))


def croissant_document(folder: Path, manifest: dict[str, Any]) -> dict[str, Any]:
    """Croissant 1.1 metadata with the fields of its responsible-AI vocabulary 1.0.

    Files are named relative to the document, so it describes a local folder and the same folder on
    the Hub; where the manifest names a repository, the web address of each file at the tag of this
    version stands beside it. Every file has its SHA-256 and its size in bytes. Nothing depends on
    the clock or on where the folder lies.

    Specification: https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html
    """
    facts = read_facts(Path(folder), manifest)
    document = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "@id": facts.name,
        "conformsTo": CONFORMS_TO,
        "name": facts.title,
        "alternateName": facts.name,
        "description": _description(facts),
        "version": facts.version,
        "datePublished": facts.date,
        "license": [_licence(one) for one in release_licences(facts)],
        "creator": _creators(facts),
        "citeAs": bibtex(facts),
        "inLanguage": [language.tag for language in facts.languages],
        "keywords": [*_KEYWORDS, *(language.name for language in facts.languages)],
        "url": repository_link(facts),
        "sameAs": f"https://doi.org/{facts.about.doi}" if facts.about.doi else "",
        "isLiveDataset": False,
        **responsible_ai(facts),
        "distribution": [_file(Path(folder), facts, config) for config in facts.configs],
        "recordSet": [_record_set(config) for config in facts.configs],
    }
    return {key: value for key, value in document.items() if value not in ("", [])}


def _description(facts: Facts) -> str:
    names = {language.tag: language.name for language in facts.languages}
    if not facts.pair_configs:
        kinds = ", ".join(config.name for config in facts.configs)
        return (
            f"{facts.rows:,} rows about gender in language, {in_words([*names.values()])}: {kinds}."
        )
    langs = sorted({lang for config in facts.pair_configs for lang in config.langs})
    group = " or in the group they speak of" if facts.of_kind("crows") else ""
    return (
        "Content warning: sentences may be offensive and state stereotypes. "
        f"{facts.rows:,} minimal pairs in {in_words([names.get(lang, lang) for lang in langs])}: "
        f"two sentences that differ in the gender of one person{group}, and in what grammar makes "
        "agree with it. They measure whether a language model prefers one of them; 50 % means no "
        "preference. For evaluation only: do not train on them."
    )


def _licence(licence: Licence) -> str | dict[str, str]:
    if licence.spdx:
        return f"https://spdx.org/licenses/{licence.spdx}"
    return licence.url or {"@type": "sc:CreativeWork", "name": licence.name}


def _creators(facts: Facts) -> list[dict[str, Any]]:
    creators = []
    for author in facts.about.authors:
        person: dict[str, Any] = {"@type": "sc:Person", "name": author.name}
        if author.orcid:
            person["url"] = f"https://orcid.org/{author.orcid}"
        if author.affiliation:
            person["affiliation"] = {"@type": "sc:Organization", "name": author.affiliation}
        creators.append(person)
    return creators


def _file(folder: Path, facts: Facts, config: ConfigFacts) -> dict[str, Any]:
    described = {
        "@type": "cr:FileObject",
        "@id": config.file,
        "name": config.file,
        "description": f"The {config.rows:,} rows of {config.name}.",
        "contentUrl": config.file,
        "contentSize": f"{config.file_bytes} B",
        "encodingFormat": "application/x-parquet",
        "sha256": sha256_file(folder / config.file),
    }
    if facts.repository:
        described["sameAs"] = f"{repository_link(facts)}/resolve/v{facts.version}/{config.file}"
    return described


def _record_set(config: ConfigFacts) -> dict[str, Any]:
    record_set: dict[str, Any] = {
        "@type": "cr:RecordSet",
        "@id": config.name,
        "name": config.name,
        "description": f"{config.rows:,} rows of {config.kind} ({', '.join(config.langs)}).",
        "field": fields_of(config.name, config.file, config.schema),
    }
    keys = [key for key in _keys(config) if key in config.schema.names]
    if keys:
        ids = [{"@id": f"{config.name}/{key}"} for key in keys]
        record_set["key"] = ids[0] if len(ids) == 1 else ids
    return record_set


def _keys(config: ConfigFacts) -> tuple[str, ...]:
    """The columns that together name a row."""
    kind = KINDS.get(config.kind)
    return kind.keys if kind else ()
