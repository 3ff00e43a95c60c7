"""Tokenizers: words of tokens against hand-written ones, and tokenizers in plain Python."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import (
    AutoModelForMaskedLM,
    AutoTokenizer,
    BertConfig,
    BertForMaskedLM,
    BertJapaneseTokenizer,
    BertTokenizer,
    PhobertTokenizer,
    PreTrainedTokenizerFast,
)

from curate.models.encoding import Body, Context, Encoder, MaskedText
from curate.models.masked import load_model
from curate.models.tokens import SlowTokens, read_tokenizer
from tests.models.conftest import ROBERTA_NAMES, byte_level, sentencepiece, wordpiece

VOCABULARY = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "He", "She", "is", "a", "doc", "##tor", "grand",
    "##mother", "said", "that", "low", "-", "cost", "'", "t", "isn", ".", ",", "(", ")", "!",
    "彼", "女", "は", "医", "者", "です", "。", "caf", "##e", "Schw", "##ester",
]  # fmt: skip


def bytes_alone() -> Any:
    """Byte-level BPE without a merge: every byte of the text is a token."""
    from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers, processors

    names = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *pre_tokenizers.ByteLevel.alphabet()]
    tokenizer = Tokenizer(models.BPE(vocab={name: i for i, name in enumerate(names)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.post_processor = processors.RobertaProcessing(
        ("</s>", 2), ("<s>", 0), add_prefix_space=False
    )
    mask = AddedToken("<mask>", lstrip=True, special=True)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, mask_token=mask, **ROBERTA_NAMES)


def characters_alone(text: str) -> Any:
    """A unigram tokenizer whose entries are the characters of `text` and the mark of a space."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    entries = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "▁", *sorted(set(text) - {" "})]
    tokenizer = Tokenizer(models.Unigram([(entry, -1.0) for entry in entries], 3, False))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    names = ROBERTA_NAMES | {"mask_token": "<mask>"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


def numbers(tokenizer: Any, text: str) -> tuple[int, ...]:
    body = Encoder(tokenizer, max_length=1000).bodies([text], words=True)[0]
    assert isinstance(body, Body)
    return body.words


# texts cut into words by hand; a space belongs to the word of letters that it introduces
WORDS = [
    ["He", " isn't", " low", "!"],
    ["A", " low-cost", " ticket", ",", " l’homme", "."],
    ["'", "tis", " dogs", "'", " ", "(", "so", ")"],
    ["rock", "-", "'", "n", "'", "-", "roll"],
    ["in", " 2024", ":", " 3rd", " ", "€", "5"],
    ["snake", "_", "case", " ", " two", "\t", "tab"],
    ["Yes", ".", ".", "."],
    ["Go", " ", "👩", "\u200d", "⚕", "\ufe0f", "!"],
    ["ok", " ", "👍", "🏽"],
    ["cafe\u0301", " café", " nai\u0308ve"],
    ["Groß\u00advater", "."],
    ["قالَ", " الرَّجُل", "،", " نعم"],
    ["می\u200cروم", "."],
    ["हिन्दी", " में", " क्\u200dष", "।"],
    ["그는", " 의사다", "."],
    ["他", "是", "医", "生", "。"],
    ["彼", "女", "は", " ", "医", "者", "コ", "ー"],
    ["iPhone", "手", "机", "2"],
    list("ผู้หญิง"),
    list("ဆရာ"),
    ["Ő", " ő", " İ"],
]  # fmt: skip


@pytest.mark.parametrize("words", WORDS, ids="|".join)
def test_the_bytes_of_a_word_are_one_word(words: list[str]) -> None:
    expected = [number for number, word in enumerate(words) for _ in word.encode()]
    assert numbers(bytes_alone(), "".join(words)) == tuple(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He is", (0, 0, 0, 1, 1, 1)),
        ("他 是", (0, 1, 2, 3)),  # ▁ 他 ▁ 是
        ("il va, oui", (0, 0, 0, 1, 1, 1, 2, 3, 3, 3, 3)),
        ("l'eau", (0, 0, 0, 0, 0, 0)),
        ("a . b", (0, 0, 1, 2, 3, 3)),  # ▁a ▁ . ▁b
    ],
)
def test_the_mark_of_a_space_belongs_to_the_word_behind_it(
    text: str, expected: tuple[int, ...]
) -> None:
    assert numbers(characters_alone(text), text) == expected


def test_pieces_of_wordpiece() -> None:
    """He | gr ##and … | isn ' t | low - cost: as many words as a reader counts."""
    tokenizer = wordpiece()
    text = "He isn't low-cost, 他是 Ωμέγα."
    tokens = tokenizer.tokenize(text)
    found = dict.fromkeys(range(9), "")
    for token, number in zip(tokens, numbers(tokenizer, text), strict=True):
        found[number] += token.removeprefix("##")
    assert [found[i] for i in range(8)] == [
        "He", "isn't", "low-cost", ",", "他", "是", "[UNK]", ".",
    ]  # fmt: skip


@pytest.mark.parametrize("make", [wordpiece, byte_level, sentencepiece, bytes_alone])
def test_numbers_are_consecutive_whatever_the_text(make: Any) -> None:
    encoder = Encoder(make(), max_length=10_000)
    alphabet = st.one_of(
        st.sampled_from("aé ́-'’ \t.他の👩\u200d\ufe0fกम्नا"), st.characters(codec="utf-8")
    )

    @settings(max_examples=150, deadline=None)
    @given(st.text(alphabet, max_size=30))
    def check(text: str) -> None:
        plain, body = encoder.bodies([text])[0], encoder.bodies([text], words=True)[0]
        if isinstance(body, str):
            assert plain == body
            return
        assert isinstance(plain, Body) and plain.ids == body.ids and plain.words == ()
        assert len(body.words) == len(body.own)
        steps = [b - a for a, b in zip(body.words, body.words[1:], strict=False)]
        assert body.words[0] == 0 and set(steps) <= {0, 1}

    check()


@pytest.mark.parametrize("make", [byte_level, sentencepiece])
def test_a_space_that_is_a_token_of_its_own_is_written_with_the_word(make: Any) -> None:
    """The mask has swallowed the space, so what fills it must bring one."""
    tokenizer = make()
    encoder = Encoder(tokenizer, max_length=64)
    text = MaskedText("My friend said", 3, 9)
    context = encoder.contexts([text])[0]
    assert isinstance(context, Context)
    for word in ("He", "Yes", "doctor"):
        pieces = encoder.pieces(context.before, word)
        assert pieces is not None
        whole = tokenizer(f"My {word} said")["input_ids"]
        assert list(context.filled(pieces, len(pieces))) == whole


# --- tokenizers in plain Python -------------------------------------------------------------


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("vocabulary") / "vocab.txt"
    path.write_text("\n".join(VOCABULARY), encoding="utf-8")
    return path


def slow_bert(vocabulary: Path, **options: Any) -> Any:
    return BertJapaneseTokenizer(
        str(vocabulary), word_tokenizer_type="basic", do_lower_case=False, **options
    )


def phobert(folder: Path) -> Any:
    """Entries "doc@@ tor": a mark on what goes on, none on what begins."""
    entries = ["He", "She", "is", "a", "doc@@", "tor", ".", "gr@@", "and@@", "mother", "said"]
    (folder / "entries.txt").write_text("".join(f"{entry} 1\n" for entry in entries))
    merges = [
        "d o", "do c", "t o", "to r</w>", "H e</w>", "S h", "Sh e</w>", "i s</w>", "g r", "a n",
        "an d", "m o", "mo t", "mot h", "moth e", "mothe r</w>", "s a", "sa i", "sai d</w>",
    ]  # fmt: skip
    (folder / "codes.txt").write_text("".join(f"{merge} 1\n" for merge in merges))
    return PhobertTokenizer(str(folder / "entries.txt"), str(folder / "codes.txt"))


SAME = [
    "He is a doctor.", "grandmother said that, (he)!", "He isn't low-cost.", "xyz grandmother",
    "彼女は医者", "Schwester cafe", "a xyz a", "doctordoctor .", "",
]  # fmt: skip


def test_a_python_tokenizer_gives_what_its_fast_twin_gives(vocabulary: Path) -> None:
    slow = slow_bert(vocabulary)
    fast = BertTokenizer(vocab=str(vocabulary), do_lower_case=False, tokenize_chinese_chars=False)
    assert not slow.is_fast and fast.is_fast
    one, other = Encoder(slow, max_length=64), Encoder(fast, max_length=64)
    assert one.bodies(SAME, words=True) == other.bodies(SAME, words=True)
    holes = [MaskedText(text, 0, 2) for text in SAME[:-1]]
    holes += [MaskedText("He saw [MASK] there.", 0, 2), MaskedText("a" * 200, 3, 4)]
    assert one.contexts(holes) == other.contexts(holes)
    for before in ("", "a ", "("):
        for word in ("doctor", "grandmother", "Schwester", "xyz", "low-cost"):
            assert one.pieces(before, word) == other.pieces(before, word), (before, word)


def test_unknown_words_leave_the_others_in_their_places(vocabulary: Path) -> None:
    """[UNK] is a word of its own, and what follows is found again behind it."""
    tokenizer = slow_bert(vocabulary)
    text = "xtorx grandmother ytory doctor."
    assert tokenizer.tokenize(text) == [
        "[UNK]", "grand", "##mother", "[UNK]", "doc", "##tor", ".",
    ]  # fmt: skip
    assert numbers(tokenizer, text) == (0, 1, 1, 2, 3, 3, 4)
    # the letters of "doc" inside of what is unknown are not the word
    assert tokenizer.tokenize("xdocx doctor") == ["[UNK]", "doc", "##tor"]
    assert numbers(tokenizer, "xdocx doctor") == (0, 1, 1)


def test_accents_that_a_tokenizer_drops_do_not_hide_its_tokens(vocabulary: Path) -> None:
    tokenizer = BertJapaneseTokenizer(
        str(vocabulary), word_tokenizer_type="basic", do_lower_case=True
    )
    assert tokenizer.tokenize("a Café a") == ["a", "caf", "##e", "a"]
    assert numbers(tokenizer, "a Café a") == (0, 1, 1, 2)


def test_the_mark_of_what_goes_on(tmp_path: Path) -> None:
    tokenizer = phobert(tmp_path)
    text = "grandmother is a doctor zz doctor ."
    assert tokenizer.tokenize(text) == [
        "gr@@", "and@@", "mother", "is", "a", "doc@@", "tor", "z@@", "z", "doc@@", "tor", ".",
    ]  # fmt: skip
    assert numbers(tokenizer, text) == (0, 0, 0, 1, 2, 3, 3, 4, 4, 5, 5, 6)


def test_a_word_grown_together_with_what_stands_before_it_has_no_pieces(tmp_path: Path) -> None:
    """Behind "s", "aid" is not cut off from it: "said" is one entry."""
    tokens = read_tokenizer(phobert(tmp_path))
    assert tokens.tail("s", "aid") is None
    assert tokens.tail("a ", "said") == tokens.tail("", "said") is not None


def test_characters_of_scripts_without_spaces(vocabulary: Path) -> None:
    tokenizer = slow_bert(vocabulary, subword_tokenizer_type="character")
    assert tokenizer.tokenize("彼女は医者。") == ["彼", "女", "は", "医", "者", "。"]
    assert numbers(tokenizer, "彼女は医者。") == (0, 1, 2, 3, 4, 5)


@pytest.mark.parametrize("kind", ["bert-japanese", "phobert"])
def test_the_engine_reads_models_with_python_tokenizers(
    kind: str, vocabulary: Path, tmp_path: Path
) -> None:
    tokenizer = slow_bert(vocabulary) if kind == "bert-japanese" else phobert(tmp_path)
    folder = tmp_path / kind
    tokenizer.save_pretrained(folder)
    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=32, initializer_range=0.5,
    )  # fmt: skip
    BertForMaskedLM(config).eval().save_pretrained(folder)
    plain = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForMaskedLM.from_pretrained(folder, attn_implementation="eager").eval()

    def logp(ids: list[int]) -> torch.Tensor:
        with torch.no_grad():
            return torch.log_softmax(model(torch.tensor([ids])).logits[0].double(), -1)

    assert isinstance(read_tokenizer(plain), SlowTokens)
    engine = load_model(str(folder))
    texts = ["He is a doctor .", "grandmother said .", "", "He " * 40]
    scores = engine.aul(texts, attention=False)
    assert [score.refused for score in scores] == [None, None, "no-tokens", "too-long"]
    for text, score in zip(texts[:2], scores, strict=False):
        ids = plain(text)["input_ids"]
        terms = [float(logp(ids)[i, ids[i]]) for i in range(1, len(ids) - 1)]
        assert score.mean_logp == pytest.approx(sum(terms) / len(terms), abs=1e-5)
    fill = engine.fill([MaskedText(texts[0], 8, 14)], candidates=[["doctor", "grandmother", "He"]])
    total = 0.0
    ids = plain(f"He is a {plain.mask_token} {plain.mask_token} .")["input_ids"]
    at = ids.index(plain.mask_token_id)
    for place, piece in enumerate(plain("doctor", add_special_tokens=False)["input_ids"], at):
        total += float(logp(ids)[place, piece])
        ids[place] = piece
    assert fill[0].words["doctor"] == pytest.approx(math.exp(total), rel=1e-4)
    assert set(fill[0].words) == {"doctor", "grandmother", "He"}
