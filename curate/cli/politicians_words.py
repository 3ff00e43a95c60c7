"""`curate politicians words | import`: words beside names, and people from tables of others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curate.cli.precision import Precision

if TYPE_CHECKING:
    from curate.politicians.vocabulary import Vocabulary

__all__ = ["import_table", "words"]

Lang = Annotated[str, typer.Option(help="Language of the names: a folder of lexicons/.")]
Out = Annotated[Path, typer.Option(help="Folder to write; a run cut off there goes on.")]
Json = Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")]


def words(
    people: Annotated[
        Path, typer.Argument(help="politicians.parquet, or the folder that holds it.")
    ],
    *,
    lang: Lang,
    out: Out,
    model: Annotated[str, typer.Option(help="mini (embedded), a Hub id, or a local folder.")] = (
        "mini"
    ),
    treebank: Annotated[
        list[Path],
        typer.Option(help="CoNLL-U file (.gz, .xz too) whose words are kept (repeat for more)."),
    ] = [],  # noqa: B006 (typer reads it)
    vocabulary: Annotated[
        Path | None, typer.Option(help="Or a TSV with upos, form, lemma (as vocabulary.tsv is).")
    ] = None,
    lemmatiser: Annotated[
        str,
        typer.Option(help="treebank, spacy[:NAME], stanza[:FOLDER], or a TSV: upos, form, lemma."),
    ] = "treebank",
    least: Annotated[
        int, typer.Option("--least-count", min=1, help="Occurrences a form has in the treebank.")
    ] = 1,
    least_share: Annotated[
        float,
        typer.Option(min=0, max=1, help="Share of them that are adjectives, or verbs (paper: 0)."),
    ] = 0.1,
    top_adjectives: Annotated[
        int, typer.Option(min=0, help="Adjectives a name (paper, English: 20).")
    ] = 100,
    top_verbs: Annotated[int, typer.Option(min=0, help="Verbs a name.")] = 20,
    beam: Annotated[
        int, typer.Option(min=1, help="Longer words read at a name, at the least.")
    ] = 20,
    most_pieces: Annotated[
        int, typer.Option(min=1, help="Words of more vocabulary entries are not read.")
    ] = 4,
    limit: Annotated[int, typer.Option(min=0, help="People to draw (0: everybody).")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of that draw.")] = 0,
    precision: Annotated[
        Precision, typer.Option(help="fp32, bf16 or fp16; auto: fp32, not on a CUDA device.")
    ] = Precision.fp32,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or mps.")] = "auto",
    batch_tokens: Annotated[
        int, typer.Option(min=0, help="Tokens computed at a time (0: what suits the device).")
    ] = 0,
    restart: Annotated[bool, typer.Option("--restart", help="Throw away what OUT holds.")] = False,
    as_json: Json = False,
) -> None:
    """Rank the adjectives and verbs that a model puts beside every name.

    Stańczak et al. (2023), section 3.2: the blank stands before or after the name
    by the word order of the language (order in its language.toml); adjectives and verbs of a
    Universal Dependencies treebank are kept, one row a lemma. Masked models read both places,
    causal ones only what comes after the name.

    Examples:

    [bold]curate politicians words out/people --lang en --model mini --treebank
    en_ewt-ud-dev.conllu.gz --out out/words[/bold]

    [bold]curate politicians words out/people --lang ar --model xlm-roberta-base
    --vocabulary adjectives.tsv --limit 1000 --out out/words-ar[/bold]
    """
    from curate.cli.columns import step_progress
    from curate.politicians.people import read_people
    from curate.politicians.words import WordSettings, generate_words

    kept = _vocabulary(treebank, vocabulary, lang=lang, least=least, least_share=least_share)
    kept = _lemmatised(kept, lemmatiser, lang=lang)
    table = read_people(people, lang=lang)
    settings = WordSettings(
        model=model, precision=precision.value, device=device, budget=batch_tokens,
        adjectives=top_adjectives, verbs=top_verbs, beam=beam, most_pieces=most_pieces,
    )  # fmt: skip
    with step_progress() as tell:
        manifest = generate_words(
            table, out, lang=lang, vocabulary=kept, settings=settings, limit=limit, seed=seed,
            restart=restart, on_progress=lambda done, of: tell("names", done, of),
        )  # fmt: skip
    if as_json:
        typer.echo(json.dumps(manifest, ensure_ascii=False, sort_keys=True))
    else:
        _say_words(manifest)
        typer.echo(f"written to {out}")


def _vocabulary(
    treebanks: list[Path], table: Path | None, *, lang: str, least: int, least_share: float
) -> Vocabulary:
    """The words that are kept: of the treebanks, or of a table."""
    from curate.errors import InputError, UsageError
    from curate.lexicon import load_lexicon
    from curate.politicians.vocabulary import build_vocabulary, read_vocabulary
    from curate.sources.treebank import read_treebank

    if bool(treebanks) == (table is not None):
        raise UsageError(
            "one of --treebank and --vocabulary says which words are kept",
            hint="--treebank FILE.conllu.gz: any Universal Dependencies file of the language",
        )
    if table is not None:
        return read_vocabulary(table)
    found = build_vocabulary(
        (sentence for path in treebanks for sentence in read_treebank(path)),
        marks=load_lexicon(lang).config.marks,
        least=least,
        least_share=least_share,
    )
    if not found.forms:
        raise InputError("no adjective and no verb here", where=treebanks[0])
    if found.left_out:
        told = ", ".join(f"{reason} {count:,}" for reason, count in found.left_out.items())
        typer.echo(f"adjectives and verbs of the treebank that are not kept: {told}", err=True)
    return found


def _lemmatised(vocabulary: Vocabulary, lemmatiser: str, *, lang: str) -> Vocabulary:
    """The same words with the lemmas of `lemmatiser`."""
    from curate.lexicon import load_lexicon
    from curate.politicians.lemmas import TREEBANK, lemmatise

    if lemmatiser == TREEBANK:
        return vocabulary
    found = lemmatise(vocabulary, lemmatiser, load_lexicon(lang).config.parsers)
    if found.kept:
        typer.echo(
            f"{found.kept:,} of {len(vocabulary.forms):,} forms keep their lemma: "
            f"{found.name} has none for them",
            err=True,
        )
    return found.vocabulary


def _say_words(manifest: dict[str, Any]) -> None:
    counts = manifest["counts"]
    genders = ", ".join(f"{name} {count:,}" for name, count in counts["genders"].items())
    typer.echo(f"{counts['people']:,} people ({genders}), {counts['names']:,} different names")
    for upos, position in manifest["positions"].items():
        kept = manifest["vocabulary"][upos]
        typer.echo(
            f"  {upos} {position} the name: {kept['forms']:,} forms of {kept['lemmas']:,} lemmas "
            f"kept, the best {manifest['top'][upos]:,} lemmas a name; "
            f"{counts['lemmas'][upos]:,} lemmas came up"
        )
    for upos in manifest["not_read"]:
        typer.echo(f"  {upos}: not read")
    for code, count in counts["dropped"].items():
        typer.echo(f"  dropped: {code} {count:,}")
    typer.echo(f"{counts['rows']:,} rows by {manifest['model']} ({manifest['revision']})")


def import_table(
    path: Annotated[Path, typer.Argument(help="CSV or TSV with a row a person.")],
    *,
    lang: Lang,
    columns: Annotated[
        str, typer.Option(help="The file's columns for name,gender[,id[,birth]], in that order.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for politicians.parquet and import.json.")],
    genders: Annotated[
        Path | None,
        typer.Option(help="A table with value and gender_qid, for words that are not known."),
    ] = None,
    gender_scheme: Annotated[str, typer.Option(help="default, paper or raw.")] = "default",
    retrieved: Annotated[str, typer.Option(help="Day of the table, ISO 8601 (else today).")] = "",
    as_json: Json = False,
) -> None:
    """Read people from a table that does not come from a fetch.

    People whose gender is not known are left out and counted; whoever is neither male nor female
    stays, as non-binary.

    Examples:

    [bold]curate politicians import legislators.csv --lang en --columns
    name_en,gender,wikidata,birth_date --out out/people[/bold]
    """
    from curate.politicians.people_import import import_people, write_people

    named = tuple(name.strip() for name in columns.split(",") if name.strip())
    people = import_people(
        path, lang=lang, columns=named, genders=genders, scheme=gender_scheme,
        retrieved=retrieved,
    )  # fmt: skip
    about = {"source": path.name, "lang": lang, "columns": list(named), "scheme": gender_scheme}
    described = write_people(people, out, about=about)
    if as_json:
        typer.echo(json.dumps(described, ensure_ascii=False, sort_keys=True))
        return
    found = ", ".join(f"{name} {count:,}" for name, count in described["genders"].items())
    typer.echo(f"{described['people']:,} of {described['rows']:,} rows are people ({found})")
    for reason, count in described["left_out"].items():
        typer.echo(f"  left out: {reason} {count:,}")
    for value, count in described["unknown_genders"].items():
        typer.echo(f"  unknown gender: {value or '(empty)'} {count:,}")
    if described["unread_births"]:
        typer.echo(f"  without a year in the birth date: {described['unread_births']:,}")
    typer.echo(f"written to {out}")
