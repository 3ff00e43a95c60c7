"""Every architecture of masked models: head, attention, length, and the engine against a loop."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers

from curate.errors import InputError
from curate.models.encoding import Body, Encoder
from curate.models.loading import load_network
from curate.models.masked import MaskedText, load_model
from tests.models.conftest import byte_level, sentencepiece, wordpiece

BASE = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64,
    "max_position_embeddings": 64, "initializer_range": 0.4,
}  # fmt: skip
# numbering of positions from padding_idx + 1: two of 66 are never used
ROBERTA = BASE | {
    "max_position_embeddings": 66, "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2,
}  # fmt: skip
DISENTANGLED = BASE | {"relative_attention": True, "pos_att_type": ["c2p", "p2c"]}
ROTARY = ROBERTA | {"max_position_embeddings": 64, "cls_token_id": 0, "sep_token_id": 2}

ARCHITECTURES: dict[str, tuple[Callable[[], Any], dict[str, Any]]] = {
    "Bert": (wordpiece, BASE),
    "Roberta": (byte_level, ROBERTA),
    "XLMRoberta": (sentencepiece, ROBERTA),
    "Camembert": (sentencepiece, ROBERTA),
    "Albert": (sentencepiece, BASE | {"embedding_size": 16, "pad_token_id": 1}),
    "DistilBert": (
        wordpiece,
        {
            "dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64,
            "max_position_embeddings": 64, "initializer_range": 0.4,
        },
    ),
    "Electra": (wordpiece, BASE | {"embedding_size": 16}),
    # every third layer attends to all; the others to four tokens on either side
    "ModernBert": (byte_level, ROTARY | {"num_hidden_layers": 3, "local_attention": 8}),
    "Deberta": (wordpiece, DISENTANGLED),
    "DebertaV2": (
        wordpiece,
        DISENTANGLED
        | {"position_buckets": 8, "norm_rel_ebd": "layer_norm", "position_biased_input": False},
    ),
    "MPNet": (byte_level, ROBERTA),
    "Esm": (byte_level, ROBERTA | {"mask_token_id": 4, "token_dropout": True}),
}  # fmt: skip
# these compute positions from distances and have no table that could end
UNENDING = {"ModernBert", "DebertaV2"}

TEXTS = [
    "He is a doctor.", "My grandmother said that he left early, very early.",
    "Die Schwiegermutter hat gelacht.", "她是我的姐姐，我爱她。",
]  # fmt: skip
HOLES = [MaskedText(TEXTS[0], 0, 2), MaskedText(TEXTS[1], 3, 14), MaskedText(TEXTS[1], 25, 27)]
CANDIDATES = ["He", "she", "stepfather", "grandmother", "doctor"]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folders = {}
    for name, (make_tokenizer, options) in ARCHITECTURES.items():
        torch.manual_seed(11)
        folder = tmp_path_factory.mktemp(name)
        tokenizer = make_tokenizer()
        config = getattr(transformers, f"{name}Config")(vocab_size=len(tokenizer), **options)
        tokenizer.save_pretrained(folder)
        getattr(transformers, f"{name}ForMaskedLM")(config).eval().save_pretrained(folder)
        folders[name] = folder
    return folders


@pytest.fixture(params=sorted(ARCHITECTURES))
def architecture(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(architecture: str, saved: dict[str, Path]) -> Path:
    return saved[architecture]


class Plain:
    """The model as transformers reads it by itself, one text at a time."""

    def __init__(self, folder: Path) -> None:
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.model = transformers.AutoModelForMaskedLM.from_pretrained(
            folder, attn_implementation="eager"
        ).eval()

    def logp(self, ids: list[int]) -> torch.Tensor:
        with torch.no_grad():
            logits = self.model(torch.tensor([ids]), torch.ones(1, len(ids))).logits[0]
        return torch.log_softmax(logits.double(), -1)

    def attention(self, ids: list[int]) -> torch.Tensor:
        """What each token receives, averaged over layers, heads and queries."""
        with torch.no_grad():
            layers = self.model(torch.tensor([ids]), output_attentions=True).attentions
        total = torch.zeros(len(ids), dtype=torch.float64)
        for layer in layers:
            for head in layer[0]:
                total += head.double().mean(0)
        return total / (len(layers) * len(layers[0][0]))


def test_the_head_gives_the_logits_of_the_whole_model(folder: Path) -> None:
    network = load_network(str(folder))
    assert network.head is not None
    plain = Plain(folder)
    for text in TEXTS:
        ids = torch.tensor([plain.tokenizer(text)["input_ids"]])
        with torch.inference_mode():
            logits = plain.model(ids).logits[0]
            hidden, nothing = network.hidden(ids)
            same, attentions = network.hidden(ids, attention=True)
            places = [1, ids.shape[1] - 2]
            assert torch.allclose(network.head(hidden[0, places]), logits[places], atol=1e-5)
        assert nothing is None and torch.allclose(hidden, same, atol=1e-6)
        length = ids.shape[1]
        assert {layer.shape for layer in attentions} == {(1, 4, length, length)}


def test_the_greatest_length_is_what_the_model_takes(folder: Path, architecture: str) -> None:
    network = load_network(str(folder))
    assert network.max_length == 64
    ids = torch.full((1, 65), 7)
    network.model(input_ids=ids[:, :64])
    if architecture not in UNENDING:
        with pytest.raises((RuntimeError, IndexError)):
            network.model(input_ids=ids)


def test_whole_texts_are_read(folder: Path) -> None:
    network = load_network(str(folder))
    bodies = Encoder(network.tokenizer, max_length=network.max_length).bodies(TEXTS, words=True)
    for text, body in zip(TEXTS, bodies, strict=True):
        assert isinstance(body, Body)
        ids = network.tokenizer(text)["input_ids"]
        assert list(body.ids) == ids
        assert body.own == tuple(range(1, len(ids) - 1))
        assert len(body.words) == len(body.own)


def test_all_unmasked_likelihood_follows_its_definition(folder: Path) -> None:
    plain = Plain(folder)
    for text, score in zip(TEXTS, load_model(str(folder)).aul(TEXTS), strict=True):
        ids = plain.tokenizer(text)["input_ids"]
        logp, attention = plain.logp(ids), plain.attention(ids)
        own = range(1, len(ids) - 1)
        assert score.n_tokens == len(own)
        terms = [float(logp[i, ids[i]]) for i in own]
        assert score.mean_logp == pytest.approx(sum(terms) / len(terms), abs=1e-4)
        weighted = [float(attention[i] * logp[i, ids[i]]) for i in own]
        assert score.aula == pytest.approx(sum(weighted) / len(weighted), abs=1e-4)


def test_words_have_the_probability_of_their_pieces(folder: Path) -> None:
    plain, engine = Plain(folder), load_model(str(folder))
    mask, mask_id = plain.tokenizer.mask_token, plain.tokenizer.mask_token_id
    lengths = set()
    for hole, fill in zip(HOLES, engine.fill(HOLES, candidates=[CANDIDATES] * 3), strict=True):
        for word, p in fill.words.items():
            before = hole.text[: hole.start]
            lead = "a " if before.endswith(" ") else ""
            taken = plain.tokenizer(lead.rstrip(), add_special_tokens=False)["input_ids"]
            pieces = plain.tokenizer(lead + word, add_special_tokens=False)["input_ids"]
            pieces = pieces[len(taken) :]
            lengths.add(len(pieces))
            text = before + mask * len(pieces) + hole.text[hole.end :]
            ids = plain.tokenizer(text)["input_ids"]
            at, total = ids.index(mask_id), 0.0
            for place, piece in enumerate(pieces, at):
                total += float(plain.logp(ids)[place, piece])
                ids[place] = piece
            assert p == pytest.approx(math.exp(total), rel=2e-4, abs=1e-12)
    assert 1 in lengths or 2 in lengths
    assert max(lengths) > 1


def test_a_model_without_a_known_head_is_read_as_a_whole(
    saved: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [*TEXTS, TEXTS[0]]
    expected = load_model(str(saved["Bert"])).aul(texts)
    monkeypatch.setattr("curate.models.heads._HEADS", ())
    network = load_network(str(saved["Bert"]))
    assert network.head is None
    for one, other in zip(load_model(str(saved["Bert"])).aul(texts), expected, strict=True):
        assert one.mean_logp == pytest.approx(other.mean_logp, abs=1e-5)
        assert one.aula == pytest.approx(other.aula, abs=1e-5)


def test_attention_in_windows_is_not_taken_for_attention(tmp_path: Path) -> None:
    tokenizer = byte_level()
    tokenizer.save_pretrained(tmp_path)
    config = transformers.LongformerConfig(vocab_size=len(tokenizer), attention_window=8, **ROBERTA)
    transformers.LongformerForMaskedLM(config).save_pretrained(tmp_path)
    engine = load_model(str(tmp_path))
    assert engine.aul(TEXTS, attention=False)[0].mean_logp is not None
    with pytest.raises(InputError, match="attends"):
        engine.aul(TEXTS)
