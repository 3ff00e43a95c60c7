"""Every metric on every pair, for three kinds of model, against the naive reading of the papers."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.scoring.conftest import FAMILIES, SIXTY_PAIRS, Pairs, bert, byte_level, save, wordpiece
from tests.scoring.reference import Naive, NaiveCausal, Sides, equal_blocks, later_pieces, shared

torch = pytest.importorskip("torch", reason="needs the extra gender-curate[models]")
torch.set_num_threads(1)

TOKEN_METRICS = ("cps", "sjsd", "bsjsd", "acc", "sss", "aul", "aula", "sbm", "pll")
WORD_METRICS = ("cps", "sjsd", "pll")
TOLERANCE = 1e-4


@pytest.fixture(scope="module", params=sorted(FAMILIES))
def family(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def naive(family: str, oracle_folders: dict[str, Path]) -> Naive:
    return Naive.load(oracle_folders[family])


@pytest.fixture(scope="module")
def scorer(family: str, oracle_folders: dict[str, Path]) -> Any:
    from curate.models.masked import load_model

    return load_model(str(oracle_folders[family]), precision="fp32", device="cpu")


COLUMNS = ("sent_more", "sent_less")


def engine(
    scorer: Any,
    metrics: Iterable[str],
    path: Path = SIXTY_PAIRS,
    columns: tuple[str, str] = COLUMNS,
    **options: Any,
) -> Any:
    from curate.scoring import Dataset, find_metrics, score_pairs
    from curate.sources import read_pairs

    table = read_pairs(path, columns=columns, lang="en")
    return score_pairs(
        table, scorer=scorer, metrics=find_metrics(list(metrics)), dataset=Dataset("sixty", "1"),
        options=options,
    )  # fmt: skip


@pytest.fixture(scope="module")
def run(scorer: Any) -> Any:
    """Every metric of tokens on every pair."""
    return engine(scorer, TOKEN_METRICS)


def by_metric(run: Any) -> dict[str, list[Sides]]:
    """The values of the run in order of rows; None where a pair is left out."""
    found: dict[str, list[Sides]] = {}
    for row in sorted(run.scores.to_pylist(), key=lambda row: row["row"]):
        sides = (row["value_a"], row["value_b"])
        found.setdefault(row["metric"], []).append(None if None in sides else sides)
    return found


def worst(ours: list[Sides], theirs: list[Sides]) -> float:
    """The largest difference; the same pairs must have no value."""
    assert [sides is None for sides in ours] == [sides is None for sides in theirs]
    return max(
        abs(x - y)
        for one, other in zip(ours, theirs, strict=True)
        if one is not None and other is not None
        for x, y in zip(one, other, strict=True)
    )


def expected_of(naive: Naive, metric: str, sixty: Pairs, **options: bool) -> list[Sides]:
    """The naive values; a pair whose sides are the same tokens to the model is no pair."""
    return [
        None
        if naive.encode(a).ids == naive.encode(b).ids
        else getattr(naive, metric)(a, b, **options)
        for a, b in sixty
    ]


def test_the_pairs_hold_what_they_should(naive: Naive, sixty: Pairs) -> None:
    """Several differing places, unequal lengths, repetition, words in pieces, every mark."""
    coded = [(naive.encode(a), naive.encode(b)) for a, b in sixty]
    assert len(set(sixty)) == 60
    assert all(unicodedata.is_normalized("NFC", text) for pair in sixty for text in pair)
    blocks = [
        sum(i == 0 or block[i - 1] != (x - 1, y - 1) for i, (x, y) in enumerate(block))
        for block in (equal_blocks(a.own_ids, b.own_ids, autojunk=False) for a, b in coded)
    ]
    assert sum(count > 2 for count in blocks) >= 15
    assert sum(len(a.own) != len(b.own) for a, b in coded) >= 20
    assert sum(len(set(a.own_ids)) < len(a.own) for a, _ in coded) >= 20
    assert sum(any(later_pieces(a.text, a.spans)) for a, _ in coded) >= 30
    assert sum(naive.sss(a, b) is None for a, b in sixty) >= 2


def test_every_metric_on_every_pair(naive: Naive, run: Any, sixty: Pairs) -> None:
    found = by_metric(run)
    off = {
        metric: worst(found[metric], expected_of(naive, metric, sixty)) for metric in TOKEN_METRICS
    }
    assert max(off.values()) <= TOLERANCE, off


def test_the_models_are_sometimes_right(run: Any) -> None:
    """Accuracies that are all 0 would test nothing."""
    rates = [sides for sides in by_metric(run)["acc"] if sides]
    assert sum(a > 0 or b > 0 for a, b in rates) >= 3


def test_masking_within_the_word(naive: Naive, scorer: Any, sixty: Pairs) -> None:
    found = by_metric(engine(scorer, WORD_METRICS, masking="within-word"))
    off = {
        metric: worst(found[metric], expected_of(naive, metric, sixty, within_word=True))
        for metric in WORD_METRICS
    }
    assert max(off.values()) <= TOLERANCE, off
    alone = expected_of(naive, "pll", sixty)
    assert sum(a != b for a, b in zip(alone, found["pll"], strict=True)) >= 30


def test_without_the_last_character(naive: Naive, scorer: Any, sixty: Pairs) -> None:
    found = by_metric(engine(scorer, ["sss", "aula"], perturb="last-character"))
    shorter = [(a[:-1], b[:-1]) for a, b in sixty]
    for metric in ("sss", "aula"):
        assert worst(found[metric], expected_of(naive, metric, shorter)) <= TOLERANCE


def test_sentences_against_sentences(
    naive: Naive, scorer: Any, sixty: Pairs, tmp_path: Path
) -> None:
    """MBE of two columns, and of our pairs: there each sentence counts on its original side."""
    first, second = ([pair[side] for pair in sixty] for side in (0, 1))
    record = engine(scorer, ["mbe"]).summary[0]
    assert record["value"] == pytest.approx(naive.mbe(first, second), abs=1e-3)
    record = engine(scorer, ["mbe"], compat="kaneko2022").summary[0]
    assert record["value"] == pytest.approx(naive.mbe(first, second, cosine=False), abs=1e-3)
    rows = [
        our_pair(a, b, "feminine" if at % 3 else "masculine") for at, (a, b) in enumerate(sixty)
    ]
    record = engine_of_ours(scorer, rows, "mbe", tmp_path).summary[0]
    assert record["value"] == pytest.approx(naive.mbe(first[::3], _but_thirds(second)), abs=1e-3)


def _but_thirds(texts: list[str]) -> list[str]:
    return [text for at, text in enumerate(texts) if at % 3]


FILLS = [
    ("Nobody helps ", " here.", "him", "her"),
    ("", " did it.", "He", "She"),
    ("My ", " is shy.", "uncle", "aunt"),
    ("The young ", " sang.", "man", "woman"),
    ("", " est fier.", "Il", "Elle"),
    ("Der ", ".", "Lehrer", "Lehrerin"),
    ("", "是医生。", "他", "她"),
    ("", " забыл зонт.", "Он", "Она"),
]


def test_words_at_a_mask(naive: Naive, scorer: Any, tmp_path: Path) -> None:
    """DBM of fills by another model: P of both words in the place of the word that was there.

    Where a mask changes how the text beside it is cut, it is left to the tests of filling.
    """
    rows, expected = [], []
    for at, (left, right, word_m, word_f) in enumerate(FILLS):
        original = "feminine" if at % 2 else "masculine"
        word = word_f if at % 2 else word_m
        fill = {
            "model": "other", "revision": "r", "k": 10, "threshold": 0.0, "context": "original",
            "word_m": word_m, "p_m": 0.5, "word_f": word_f, "p_f": 0.5, "kind": "both",
        }  # fmt: skip
        sides = [left + word_m + right, left + word_f + right]
        rows.append(our_pair(*sides, original, method="msg", fill=fill))
        text = left + word + right
        expected.append(naive.dbm(text, len(left), len(left) + len(word), word_m, word_f))
    found = by_metric(engine_of_ours(scorer, rows, "dbm", tmp_path))["dbm"]
    told = [(ours, theirs) for ours, theirs in zip(found, expected, strict=True) if theirs]
    assert len(told) >= 5
    for ours, theirs in told:
        assert ours == pytest.approx(theirs, rel=1e-4)


def our_pair(masculine: str, feminine: str, original: str, **more: Any) -> dict[str, Any]:
    from curate import schema

    row = {
        "lang": "en", "masculine": masculine, "feminine": feminine, "original": original,
        "method": "lsg", "entries": [], "edits_m": [], "edits_f": [], "fill": None,
        "sent_id": "s", "source": "own", "licence": "CC0", "lexicon_version": "v", "folds": [],
    }  # fmt: skip
    row |= more
    return {"pair_id": schema.pair_id("en", str(row["method"]), masculine, feminine), **row}


def engine_of_ours(scorer: Any, rows: list[dict[str, Any]], metric: str, tmp_path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from curate import schema
    from curate.scoring import Dataset, find_metrics, score_pairs
    from curate.sources import read_pairs

    path = tmp_path / f"{metric}.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema=schema.PAIRS), path)
    return score_pairs(
        read_pairs(path), scorer=scorer, metrics=find_metrics([metric]), dataset=Dataset("d", "1")
    )


def test_summaries_count_what_the_values_say(naive: Naive, run: Any, sixty: Pairs) -> None:
    """Shares, means and n of the naive values, recounted here."""
    records = {record["metric"]: record for record in run.summary}
    for metric in TOKEN_METRICS:
        values = [v for v in expected_of(naive, metric, sixty) if v is not None]
        record = records[metric]
        assert record["n"] == len(values), metric
        assert record["n_dropped"] == 60 - len(values), metric
        if metric == "sjsd":
            expected = sum(a - b for a, b in values) / len(values)
        elif metric == "acc":
            expected = _percent_right(naive, sixty)
        else:
            lower = metric == "bsjsd"
            expected = 100 * sum((a < b) if lower else (a > b) for a, b in values) / len(values)
        assert record["value"] == pytest.approx(expected, abs=TOLERANCE), metric


def _percent_right(naive: Naive, sixty: Pairs) -> float:
    """Of all shared tokens of all sides: a token counts alike in a short and in a long pair."""
    right = total = 0
    for a, b in sixty:
        one, other = naive.encode(a), naive.encode(b)
        if one.ids != other.ids:
            for i, j in shared(one.own_ids, other.own_ids):
                right += naive.one_mask(one, i)[1] + naive.one_mask(other, j)[1]
                total += 2
    return 100 * right / total


def test_a_trained_model(sixty: Pairs) -> None:
    """The model of the package, on every tenth pair: many of its guesses are right."""
    import pyarrow as pa

    from curate.models.masked import load_model
    from curate.models.sources import embedded_mini
    from curate.scoring import Dataset, find_metrics, score_pairs
    from curate.sources import read_pairs

    naive = Naive.load(embedded_mini())
    table = read_pairs(SIXTY_PAIRS, columns=COLUMNS, lang="en")
    some = list(range(0, 60, 10))
    run = score_pairs(
        table.take(pa.array(some)), scorer=load_model("mini", precision="fp32", device="cpu"),
        metrics=find_metrics(list(TOKEN_METRICS)), dataset=Dataset("some", "1"),
    )  # fmt: skip
    found = by_metric(run)
    off = {
        metric: worst(found[metric], expected_of(naive, metric, [sixty[at] for at in some]))
        for metric in TOKEN_METRICS
    }
    assert max(off.values()) <= TOLERANCE, off
    assert max(sides[0] for sides in found["acc"] if sides) > 0.3


# --- the papers' own scripts --------------------------------------------------------------------


def test_cps_as_published(naive: Naive, scorer: Any, sixty: Pairs) -> None:
    for compat in ("nangia2020", "kaneko2022"):
        run = engine(scorer, ["cps"], compat=compat)
        ours = by_metric(run)["cps"]
        theirs: list[Sides] = [naive.nangia2020(a, b) for a, b in sixty]
        assert worst(ours, theirs) <= 0.0005 + TOLERANCE
        values = [v for v in ours if v is not None]
        assert all(x == round(x, 3) for sides in values for x in sides)
        record = run.summary[0]
        assert (record["n"], record["n_tied"]) == (60, sum(a == b for a, b in values))
        assert record["value"] == pytest.approx(100 * sum(a > b for a, b in values) / 60)


def test_likelihoods_as_published(naive: Naive, scorer: Any, sixty: Pairs) -> None:
    found = by_metric(engine(scorer, ["aul", "aula"], compat="kaneko2022"))
    for metric, attention in (("aul", False), ("aula", True)):
        expected: list[Sides] = []
        for pair in sixty:
            a, b = (naive.kaneko2022_likelihood(text, attention=attention) for text in pair)
            expected.append(None if a is None or b is None else (a, b))
        assert worst(found[metric], expected) <= TOLERANCE


def test_differing_tokens_as_published(naive: Naive, scorer: Any, sixty: Pairs) -> None:
    """A side without differing tokens is NaN there: the pair stays in n, for neither side."""
    run = engine(scorer, ["sss"], compat="kaneko2022")
    theirs: list[Sides] = []
    for a, b in (naive.kaneko2022_sss(*pair) for pair in sixty):
        theirs.append(None if a is None or b is None else (a, b))
    assert None in theirs
    ours = [v if v and np.isfinite(v).all() else None for v in by_metric(run)["sss"]]
    assert worst(ours, theirs) <= 0.0005 + TOLERANCE
    wins = sum(sides is not None and sides[0] > sides[1] for sides in theirs)
    assert run.summary[0]["n"] == 60
    assert run.summary[0]["value"] == pytest.approx(100 * wins / 60)


def test_the_first_and_last_token_go_whatever_they_are(tmp_path: Path, sixty: Pairs) -> None:
    """A tokenizer without a closing token: the published script loses the last word."""
    from curate.models.masked import load_model

    torch.manual_seed(5)
    texts = [text for pair in sixty for text in pair]
    tokenizer = wordpiece(texts, 400, template="[CLS] $A")
    folder = save(tmp_path / "open", tokenizer, bert(len(tokenizer)))
    naive = Naive.load(folder)
    scorer = load_model(str(folder), precision="fp32", device="cpu")
    ours = by_metric(engine(scorer, ["aul"]))["aul"]
    published = by_metric(engine(scorer, ["aul"], compat="kaneko2022"))["aul"]
    assert worst(ours, expected_of(naive, "aul", sixty)) <= TOLERANCE
    expected: list[Sides] = []
    for pair in sixty:
        a, b = (naive.kaneko2022_likelihood(text, attention=False) for text in pair)
        expected.append(None if a is None or b is None else (a, b))
    assert worst(published, expected) <= TOLERANCE
    assert ours != published


def test_popular_tokens_of_long_sentences(tmp_path: Path, oracle_folders: dict[str, Path]) -> None:
    """From 200 tokens on, the published alignment ignores tokens that are more than 1 % of them."""
    from curate.models.masked import load_model

    a, b = (" ".join([who, "."] * 100) for who in ("men", "a"))
    path = tmp_path / "long.tsv"
    path.write_text(f"sent_more\tsent_less\n{a}\t{b}\n{b}\t{a}\n", encoding="utf-8")
    folder = oracle_folders["bert"]
    naive = Naive.load(folder)
    one, other = naive.encode(a), naive.encode(b)
    assert len(other.ids) >= 200
    junked = equal_blocks(list(one.ids), list(other.ids), autojunk=True)
    whole = equal_blocks(list(one.ids), list(other.ids), autojunk=False)
    assert (len(junked), len(whole)) == (3, 102)  # [CLS], the last full stop, [SEP]; all of them
    scorer = load_model(str(folder), precision="fp32", device="cpu")
    both = [(a, b), (b, a)]
    published = by_metric(engine(scorer, ["cps"], path, compat="nangia2020"))["cps"]
    assert worst(published, [naive.nangia2020(*pair) for pair in both]) <= 0.0005 + TOLERANCE
    ours = by_metric(engine(scorer, ["cps"], path))["cps"]
    assert worst(ours, [naive.cps(*pair) for pair in both]) <= 1e-3  # 100 tokens


# --- causal models ------------------------------------------------------------------------------


@pytest.mark.parametrize("opening", ["tokenizer", "model", None])
def test_perplexity(opening: str | None, tmp_path: Path, sixty: Pairs) -> None:
    """With a token that opens a text every token counts, without one the first does not."""
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    from curate.models.causal import load_causal

    torch.manual_seed(3)
    texts = [text for pair in sixty for text in pair]
    pieces = byte_level(texts, 600).backend_tokenizer
    pieces.post_processor = None
    names = {"bos_token": "<s>"} if opening == "tokenizer" else {}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=pieces, **names)
    sizes = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 128}
    model = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(tokenizer), initializer_range=0.3, eos_token_id=None,
            bos_token_id=0 if opening else None, **sizes,
        )
    )  # fmt: skip
    folder = save(tmp_path / "gpt2", tokenizer, model)
    naive = NaiveCausal.load(folder)
    scorer = load_causal(str(folder), precision="fp32", device="cpu")
    run = engine(scorer, ["ppl"])
    found = by_metric(run)["ppl"]
    exchanged = by_metric(engine(scorer, ["ppl"], columns=(COLUMNS[1], COLUMNS[0])))["ppl"]
    assert found == [sides and (sides[1], sides[0]) for sides in exchanged]
    for at in range(0, 60, 4):
        ours, theirs = found[at], naive.ppl(*sixty[at])
        assert ours == (theirs if theirs is None else pytest.approx(theirs, rel=1e-5))
    wins = sum(sides is not None and sides[0] < sides[1] for sides in found)
    assert run.summary[0]["value"] == pytest.approx(100 * wins / 60)
