"""Model-based pairs: what is chosen from given predictions, and what a real run writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from curate.errors import InputError, UsageError
from curate.lexicon import load_lexicon
from curate.models.masked import Fill, MaskedText, Prediction
from curate.pairs.msg import msg_method
from curate.pairs.msg_generate import Generator, Outcome, Settings

Words = dict[str, float]


class Oracle:
    """Stands for a masked LM: probabilities by the text with its hole, `___`; ranks by `top`."""

    def __init__(
        self, words: dict[str, Words], top: Sequence[float] = (), *, longer: Any = ()
    ) -> None:
        self.words = words
        self.top = top
        self.longer = frozenset(longer)
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def fill(
        self,
        contexts: Sequence[MaskedText],
        *,
        candidates: Sequence[Sequence[str]],
        k: int = 10,
        floor: float | Sequence[float] = 0.0,
        fewest_pieces: int = 1,
        most_pieces: int | None = None,
        beam: int | None = None,
    ) -> list[Fill]:
        floors = [floor] * len(contexts) if isinstance(floor, float) else floor
        fills = []
        for context, wanted, least in zip(contexts, candidates, floors, strict=True):
            hole = context.text[: context.start] + "___" + context.text[context.end :]
            self.asked.append((hole, tuple(wanted)))
            known = self.words.get(hole, {})
            single = {w: known.get(w, 1e-5) for w in wanted if w not in self.longer}
            longer = {w: known.get(w, 1e-5) for w in wanted if w in self.longer}
            entries = sorted([*self.top, *single.values()], reverse=True)
            words = single if fewest_pieces == 1 else {}
            if most_pieces != 1:
                words = words | {word: p for word, p in longer.items() if p >= least}
            top = tuple(Prediction("token", p) for p in entries[:k]) if fewest_pieces == 1 else ()
            fills.append(Fill(top, words, self.longer & set(words)))
        return fills


def generate(
    lang: str,
    text: str,
    words: dict[str, Words],
    *,
    k: int = 10,
    matched: bool = False,
    **oracle: Any,
) -> Outcome:
    engine: Any = Oracle(words, **oracle)
    settings = Settings(k=10, threshold=0.01, matched=matched, most_pieces=4)
    outcome = Generator(load_lexicon(lang), engine, settings).generate([text])[0]
    if outcome.sides is not None:
        check_spans(outcome)
    return outcome


def check_spans(outcome: Outcome) -> None:
    """Outside the spans both sides are the same, character by character."""
    assert outcome.sides is not None
    rests = []
    for side, spans in zip(outcome.sides, outcome.spans, strict=True):
        rest, at = [], 0
        for span in spans:
            rest.append(side.text[at : span["start"]])
            at = span["end"]
        rests.append([*rest, side.text[at:]])
    assert rests[0] == rests[1]


def texts(outcome: Outcome) -> tuple[str, str]:
    assert outcome.sides is not None, (outcome.refused, outcome.detail)
    return outcome.sides[0].text, outcome.sides[1].text


def test_both_genders_predicted_make_a_pair_that_need_not_be_counterparts() -> None:
    hole = "My ___ was late."
    outcome = generate(
        "en", "My father was late.", {hole: {"brother": 0.2, "mother": 0.1, "father": 0.05}}
    )
    assert texts(outcome) == ("My brother was late.", "My mother was late.")
    assert (outcome.kind, outcome.original) == ("both", "masculine")
    assert outcome.probabilities == (0.2, 0.1)
    assert outcome.spans == (
        [{"start": 3, "end": 10, "rule": "pair"}], [{"start": 3, "end": 9, "rule": "pair"}],
    )  # fmt: skip
    assert outcome.ranks == [1, 2, 3]


def test_where_one_gender_is_predicted_the_lexicon_gives_the_other() -> None:
    hole = "My ___ was late."
    outcome = generate("en", "My father was late.", {hole: {"sister": 0.3, "brother": 0.0099}})
    assert texts(outcome) == ("My brother was late.", "My sister was late.")
    assert (outcome.kind, outcome.predicted) == ("feminine", ["sister"])
    assert outcome.probabilities == (0.0099, 0.3)


def test_where_none_is_predicted_the_sentence_is_dropped() -> None:
    outcome = generate(
        "en", "She is a doctor.", {"___ is a doctor.": {"He": 0.0099}}, top=[0.5, 0.2]
    )
    assert (outcome.refused, outcome.kind, outcome.sides) == ("msg-none", "none", None)
    assert outcome.detail == "predicted: token, token, token"


@pytest.mark.parametrize(("above", "kind"), [(9, "masculine"), (10, "none")])
def test_only_the_k_best_count(above: int, kind: str) -> None:
    outcome = generate(
        "en", "She is a doctor.", {"___ is a doctor.": {"He": 0.02}}, top=[0.05] * above
    )
    assert outcome.kind == kind
    assert outcome.ranks == [above + 1]


def test_words_of_several_pieces_take_part_in_the_ranks() -> None:
    hole = "My ___ was late."
    words = {hole: {"stepmother": 0.4, "mother": 0.2, "brother": 0.1}}
    outcome = generate("en", "My father was late.", words, longer=["stepmother", "stepfather"])
    assert texts(outcome) == ("My brother was late.", "My stepmother was late.")
    alone = generate(
        "en", "My father was late.", {hole: {"stepmother": 0.4, "stepfather": 0.002}},
        longer=["stepmother", "stepfather"],
    )  # fmt: skip
    assert texts(alone) == ("My stepfather was late.", "My stepmother was late.")
    assert alone.probabilities == (0.002, 0.4), "read a second time, without the floor"


def test_letter_case_is_that_of_the_place() -> None:
    hole = "___ is a doctor."
    outcome = generate("en", "He is a doctor.", {hole: {"he": 0.9, "He": 0.2, "She": 0.1}})
    assert outcome.probabilities == (0.2, 0.1)
    shouted = generate(
        "en", "THE KING IS HERE.", {"THE ___ IS HERE.": {"KING": 0.2, "MOTHER": 0.1}}
    )
    assert texts(shouted) == ("THE KING IS HERE.", "THE MOTHER IS HERE.")


def test_words_must_fit_the_reading() -> None:
    """After a preposition the nominative does not fit, whatever the model says."""
    outcome = generate(
        "en", "I saw her.", {"I saw ___.": {"he": 0.5, "him": 0.1, "her": 0.1, "men": 0.3}}
    )
    assert texts(outcome) == ("I saw him.", "I saw her.")


def test_what_agrees_follows_either_word() -> None:
    words = {"Der ___ schläft.": {"Mann": 0.2, "Lehrer": 0.1, "Frau": 0.15}}
    assert texts(generate("de", "Der Lehrer schläft.", words)) == (
        "Der Mann schläft.", "Die Frau schläft.",
    )  # fmt: skip
    spanish = {"Mi ___ está cansado.": {"hermano": 0.2, "madre": 0.1}}
    outcome = generate("es", "Mi padre está cansado.", spanish)
    assert texts(outcome) == ("Mi hermano está cansado.", "Mi madre está cansada.")


def test_matched_context_reads_each_gender_in_its_own_sentence() -> None:
    words = {
        "Mi ___ está cansado.": {"hermano": 0.2, "madre": 0.9},
        "Mi ___ está cansada.": {"madre": 0.1, "hermano": 0.9},
    }
    outcome = generate("es", "Mi padre está cansado.", words, matched=True)
    assert texts(outcome) == ("Mi hermano está cansado.", "Mi madre está cansada.")
    assert outcome.probabilities == (0.2, 0.1)


def test_a_sentence_needs_exactly_one_gender_word() -> None:
    engine: Any = Oracle({})
    settings = Settings(k=10, threshold=0.01, matched=False, most_pieces=4)
    outcomes = Generator(load_lexicon("en"), engine, settings).generate(
        ["The king saw the queen.", "It rains.", "He left."]
    )
    assert [o.refused for o in outcomes] == ["several-gender-words", "no-gender-word", "msg-none"]
    assert {hole for hole, _ in engine.asked} == {"___ left."}


def test_chinese_words_are_cut_at_their_bounds() -> None:
    outcome = generate(
        "zh", "我看见他在打扫房间。", {"我看见___在打扫房间。": {"他": 0.2, "她": 0.3}}
    )
    assert texts(outcome) == ("我看见他在打扫房间。", "我看见她在打扫房间。")
    assert outcome.spans[0] == [{"start": 3, "end": 4, "rule": outcome.spans[0][0]["rule"]}]


SENTENCES = [
    "He is a doctor.", "She is a doctor.", "My father was late.", "The queen sang.", "It rains.",
    "I saw her.", "Her mother left.", "The boy is here.", "The girl is here.", "His house is old.",
    "My sister was late.", "A man sang.", "The king is a doctor.", "He sang.", "She was here.",
]  # fmt: skip


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random BERT with a vocabulary of words; `grandfather` takes two entries."""
    torch = pytest.importorskip("torch", reason="needs the extra gender-curate[models]")
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

    torch.manual_seed(11)
    torch.set_num_threads(1)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    written = sorted({word for text in SENTENCES for word in text.replace(".", " .").split()})
    genders = ["him", "his", "Him", "mother", "boy", "grand", "##father", "##mother", "woman", "he"]
    entries = [*special, *dict.fromkeys([*written, *genders])]
    tokenizer = Tokenizer(
        models.WordPiece({entry: i for i, entry in enumerate(entries)}, unk_token=special[1])
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    folder = tmp_path_factory.mktemp("model")
    names = dict(
        zip(
            ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), special, strict=True
        )
    )
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(folder)
    shape = BertConfig(
        vocab_size=len(entries), hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=32, initializer_range=0.3,
    )  # fmt: skip
    BertForMaskedLM(shape).save_pretrained(folder)
    return folder


def run(
    model: Path, corpus: Path, out: Path, *, batch_rows: int = 8192, **options: Any
) -> dict[str, Any]:
    from curate.pairs.run import run_pairs
    from curate.sources import Corpus

    method = msg_method("en", model=str(model), **options)
    return run_pairs(method, Corpus(str(corpus), lang="en"), out, folds=1, batch_rows=batch_rows)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "en.txt"
    path.write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    return path


def test_a_run_writes_the_same_bytes_however_it_is_cut(
    model: Path, corpus: Path, tmp_path: Path
) -> None:
    outs = [tmp_path / name for name in ("whole", "three", "one")]
    for out, rows in zip(outs, (8192, 3, 1), strict=True):
        run(model, corpus, out, batch_rows=rows)
    for name in ("pairs.parquet", "aside.parquet", "drops.parquet", "stats.json", "manifest.json"):
        contents = {(out / name).read_bytes() for out in outs}
        assert len(contents) == 1, name


def test_every_sentence_is_a_pair_or_a_drop_and_the_counts_add_up(
    model: Path, corpus: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    stats = run(model, corpus, out)
    pairs = pq.read_table(out / "pairs.parquet").to_pylist()
    assert pairs
    for pair in pairs:
        fill = pair["fill"]
        assert fill["model"] == model.name and fill["revision"].startswith("sha256:")
        assert (fill["k"], fill["threshold"], fill["context"]) == (10, 0.01, "original")
        assert pair["masculine"] != pair["feminine"]
        for side, word in (("masculine", "word_m"), ("feminine", "word_f")):
            assert fill[word] in pair[side]
        if fill["kind"] in {"both", "masculine"}:
            assert fill["p_m"] >= 0.01
    assert stats["method"] == "msg" and stats["n_sentences"] == len(SENTENCES)
    read = stats["both"] + stats["one_masculine"] + stats["one_feminine"] + stats["none"]
    drops = stats["drops"]
    assert drops["no-gender-word"] == 1 and drops["several-gender-words"] == 1
    assert read == stats["n_single"] == len(SENTENCES) - 2
    assert stats["n_pairs"] == read - drops.get("msg-none", 0) - drops.get("duplicate", 0)
    coverage = stats["topk_coverage"]
    assert len(coverage) == 15 and coverage == sorted(coverage) and 0 < coverage[-1] <= 1
    sides = [pair["fill"]["kind"] for pair in pairs]
    assert sides.count("masculine") == sides.count("feminine"), "one-sided pairs are balanced"


def test_no_path_of_this_machine_is_written(model: Path, corpus: Path, tmp_path: Path) -> None:
    run(model, corpus, tmp_path / "out")
    manifest = (tmp_path / "out" / "manifest.json").read_text(encoding="utf-8")
    assert str(model.parent) not in manifest and model.name in manifest


def test_settings_that_make_no_sense_are_refused(model: Path) -> None:
    with pytest.raises(InputError):
        msg_method("en", model="no/such/folder/here")
    with pytest.raises(UsageError):
        msg_method("en", model=str(model), threshold=0.0)
    with pytest.raises(UsageError):
        msg_method("xx", model=str(model))
