"""The model card, written from the card's data."""

from __future__ import annotations

from typing import Any

__all__ = ["render_card"]

_CARD = """---
license: cc-by-4.0
library_name: transformers
pipeline_tag: fill-mask
language:
{languages}
---

# {name}

A small masked language model for {n_languages} languages, made to let `curate` run without a
download: in its demo, its tests and its examples.

**Its scores are not findings about any known model.** It is far too small and has read far too
little to stand for the models that people use. What `curate` measures on it shows that the
measuring works, and nothing about gender bias in language models at large. It writes no text, and
decisions about people must not rest on it.

## What it is

BERT's shape: {layers} layers of {hidden}, {heads} heads, {parameters:,} parameters, a cased
WordPiece vocabulary of {vocabulary:,} entries{whole}, texts of up to {max_length} tokens.
The weights are stored in bfloat16 ({megabytes:.1f} MB, safetensors).

## What it was trained on

{sources}

One sentence in fifty of the sources under "held out" was kept from training, chosen by a hash of
its text; one that also stands in another source was seen there.

## How

{steps:,} of {steps_planned:,} steps of about {batch_tokens:,} tokens{seen}; {mask_rate:.0%} of the
tokens are predicted (of these 80 % masked, 10 % replaced, 10 % kept); AdamW, learning rate
{learning_rate:g} with linear warm-up ({warmup:.0%} of the steps) and linear decay to zero (the last
{decay:.0%}), weight decay {weight_decay:g}, seed {seed}.{notes}

## How well it does

Share of masked tokens of held-out sentences that its first guess restores (15 % of the tokens, all
replaced by the mask), with the exported weights:

| language | accuracy | masked tokens | sentences |
|---|---:|---:|---:|
{accuracy}

## Licence

The weights are licensed CC BY 4.0. The sources and their licences are named above; of their text
the model's files hold the vocabulary only.
"""


def render_card(card: dict[str, Any]) -> str:
    """README.md of a model folder, from the data in its card.json."""
    training = card["training"]
    whole = card["whole_words"]
    sources = [
        "| source | language | licence | sentences | tokens | held out | share of the batches |",
        "|---|---|---|---:|---:|---:|---:|",
    ]
    total = sum(source["weight"] for source in card["sources"]) or 1.0
    sources += [
        f"| {s['name']} | {s['lang']} | {s['licence']} | {s['sentences']:,} | {s['tokens']:,} | "
        f"{s['held_out']:,} | {s['weight'] / total:.1%} |"
        for s in card["sources"]
    ]
    accuracy = [
        f"| {lang} | {100 * a['top1']:.1f} % | {a['tokens']:,} | {a['sentences']:,} |"
        for lang, a in sorted(card["held_out_accuracy"].items())
    ]
    seen = card["tokens_seen"]
    return _CARD.format(
        name=card["name"],
        languages="\n".join(f"- {lang}" for lang in card["languages"]),
        n_languages=len(card["languages"]),
        layers=card["layers"],
        hidden=card["hidden"],
        heads=card["heads"],
        parameters=card["parameters"],
        vocabulary=card["vocabulary"],
        max_length=card["max_length"],
        whole=f" ({whole['share']:.1%} of {whole['words']:,} given words are entries of their own)"
        if whole["words"]
        else "",
        megabytes=card["bytes"] / 1e6,
        sources="\n".join(sources) if card["sources"] else "The sources were not recorded.",
        steps=card["steps"],
        steps_planned=card["steps_planned"],
        seen=f", {seen:,} tokens in all" if seen else "",
        notes="".join(f"\n\n{note}" for note in card.get("notes", [])),
        accuracy="\n".join(accuracy),
        **training,
    )
