"""Loading: whole models only; what is missing, damaged or of another kind is said in one line."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from curate.errors import InputError, UsageError
from curate.models.devices import choose_device, reduced_precision
from curate.models.loading import load_network

SMALL = {
    "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16,
    "max_position_embeddings": 32,
}  # fmt: skip


@pytest.fixture
def folder(model_folders: dict[str, Path], tmp_path: Path) -> Path:
    """A copy of a whole BERT, to be spoilt."""
    return Path(shutil.copytree(model_folders["bert"], tmp_path / "model"))


def refusal(folder: Path, **options: Any) -> InputError:
    with pytest.raises(InputError) as raised:
        load_network(str(folder), **options)
    said = str(raised.value)
    assert "\n" not in said and len(said) < 500
    assert raised.value.where
    return raised.value


def configure(folder: Path, name: str = "config.json", **changes: Any) -> None:
    path = folder / name
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def rewrite(folder: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    path = folder / "model.safetensors"
    save_file(change(load_file(path)), path, metadata={"format": "pt"})


def without(*names: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda tensors: {name: t for name, t in tensors.items() if name not in names}


def save(folder: Path, model: Any) -> None:
    """Put another model beside the tokenizer."""
    for name in ("config.json", "model.safetensors"):
        (folder / name).unlink()
    model.save_pretrained(folder)


OTHERS: dict[str, tuple[Callable[[int], Any], str, str]] = {
    "body": (
        lambda v: transformers.BertModel(transformers.BertConfig(vocab_size=v, **SMALL)),
        "6 tensors are missing .*BertModel.*cls.predictions.bias", "BertForMaskedLM",
    ),
    "classifier": (
        lambda v: transformers.RobertaForSequenceClassification(
            transformers.RobertaConfig(vocab_size=v, **SMALL)
        ),
        "missing .*RobertaForSequenceClassification.*lm_head", "RobertaForMaskedLM",
    ),
    "discriminator": (
        lambda v: transformers.ElectraForPreTraining(
            transformers.ElectraConfig(vocab_size=v, embedding_size=8, **SMALL)
        ),
        "missing .*ElectraForPreTraining.*generator_lm_head.bias", "ElectraForMaskedLM",
    ),
    "causal": (
        lambda v: transformers.GPT2LMHeadModel(
            transformers.GPT2Config(vocab_size=v, n_embd=16, n_layer=1, n_head=2)
        ),
        "gpt2 model is a causal model", "--metric ppl",
    ),
    "decoder": (
        lambda v: transformers.BertLMHeadModel(
            transformers.BertConfig(vocab_size=v, is_decoder=True, **SMALL)
        ),
        "bert model is a causal model", "--metric ppl",
    ),
    "encoder-decoder": (
        lambda v: transformers.T5ForConditionalGeneration(
            transformers.T5Config(
                vocab_size=v, d_model=8, d_ff=8, num_layers=1, num_heads=2, d_kv=4
            )
        ),
        "t5 model is an encoder and decoder", "masked",
    ),
    "bart": (
        lambda v: transformers.BartForConditionalGeneration(
            transformers.BartConfig(
                vocab_size=v, d_model=8, encoder_layers=1, decoder_layers=1,
                encoder_attention_heads=2, decoder_attention_heads=2,
                encoder_ffn_dim=8, decoder_ffn_dim=8,
            )
        ),
        "bart model is an encoder and decoder", "masked",
    ),
    "pictures": (
        lambda v: transformers.ViTModel(
            transformers.ViTConfig(
                hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8,
                image_size=8, patch_size=4,
            )
        ),
        "vit model is no language model", "AutoModelForMaskedLM",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(OTHERS))
def test_models_that_are_no_whole_masked_model_are_refused(folder: Path, kind: str) -> None:
    make, said, hint = OTHERS[kind]
    save(folder, make(150))
    error = refusal(folder)
    assert error.hint and hint in error.hint
    with pytest.raises(InputError, match=said):
        raise error


def test_a_masked_model_is_no_causal_one(folder: Path) -> None:
    error = refusal(folder, task="causal")
    assert "bert model is a masked model" in str(error) and "--metric pll" in error.hint


def test_a_saved_pretraining_model_has_all_that_is_needed(folder: Path) -> None:
    """Extra tensors (the pooler and the classifier of sentence pairs) do no harm."""
    config = transformers.BertConfig(vocab_size=150, **SMALL)
    save(folder, transformers.BertForPreTraining(config))
    assert "cls.seq_relationship.weight" in load_file(folder / "model.safetensors")
    load_network(str(folder))


@pytest.mark.parametrize(
    ("names", "count"),
    [
        (("bert.encoder.layer.1.output.dense.weight",), 1),
        (("bert.embeddings.word_embeddings.weight",), 2),  # and the decoder that is tied to it
        (("bert.embeddings.LayerNorm.bias", "cls.predictions.transform.dense.weight"), 2),
    ],
)
def test_missing_tensors_are_named(folder: Path, names: tuple[str, ...], count: int) -> None:
    rewrite(folder, without(*names))
    said = str(refusal(folder))
    assert f"{count} tensor" in said and all(name in said for name in names)


def test_a_tied_decoder_need_not_be_there(folder: Path) -> None:
    assert "cls.predictions.decoder.weight" not in load_file(folder / "model.safetensors")
    load_network(str(folder))
    configure(folder, tie_word_embeddings=False)
    assert "cls.predictions.decoder.weight" in str(refusal(folder))


def test_old_names_of_tensors_are_understood(folder: Path) -> None:
    before = load_network(str(folder)).model.state_dict()

    def old(tensors: dict[str, Any]) -> dict[str, Any]:
        return {
            name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
                "LayerNorm.bias", "LayerNorm.beta"
            ): tensor
            for name, tensor in tensors.items()
        }

    rewrite(folder, old)
    after = load_network(str(folder)).model.state_dict()
    assert before.keys() == after.keys()
    assert all(torch.equal(before[name], after[name]) for name in before)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"vocab_size": 159}, "word_embeddings.weight is 150 x 32, not 159 x 32"),
        ({"vocab_size": 141}, "word_embeddings.weight is 150 x 32, not 141 x 32"),
        ({"num_hidden_layers": 3}, "16 tensors are missing from the weights: bert.encoder.layer.2"),
        ({"num_hidden_layers": 1}, "leaves out layers .*bert.encoder.layer.1"),
        ({"num_attention_heads": 5}, "not a multiple"),
        ({"hidden_size": "large"}, "does not describe a bert model"),
        ({"model_type": "blorp"}, "no architecture 'blorp'"),
        ({"model_type": None}, "model_type is missing"),
        ({"auto_map": {"AutoModelForMaskedLM": "modeling.OwnBert"}}, "code of its own .OwnBert"),
        ({"model_type": "own", "auto_map": {"AutoConfig": "configuration.C"}}, "code of its own"),
    ],
)
def test_a_configuration_that_does_not_fit_is_refused(
    folder: Path, changes: dict[str, Any], said: str
) -> None:
    configure(folder, **changes)
    with pytest.raises(InputError, match=said):
        raise refusal(folder)


def test_code_beside_the_weights_is_never_run(folder: Path, tmp_path: Path) -> None:
    """A class of transformers itself is used, by the same name; the checkpoint's file is not."""
    trace = tmp_path / "was-run"
    (folder / "modeling.py").write_text(f"open({str(trace)!r}, 'w').close()")
    configure(folder, auto_map={"AutoModelForMaskedLM": "modeling.BertForMaskedLM"})
    assert type(load_network(str(folder)).model) is transformers.BertForMaskedLM
    own = ["modeling.OwnTokenizer", None]
    configure(
        folder, "tokenizer_config.json", tokenizer_class="Own", auto_map={"AutoTokenizer": own}
    )
    assert "tokenizer needs code of its own (OwnTokenizer)" in str(refusal(folder))
    assert not trace.exists()


@pytest.mark.parametrize(("text", "said"), [("{oops", "not JSON"), ("[]", "not a JSON object")])
def test_a_configuration_that_is_none_is_refused(folder: Path, text: str, said: str) -> None:
    (folder / "config.json").write_text(text)
    error = refusal(folder)
    assert said in str(error) and error.where.endswith("config.json")


@pytest.mark.parametrize("bytes_kept", [-1000, 4, 0])
def test_weights_that_are_cut_off_are_refused(folder: Path, bytes_kept: int) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:bytes_kept])
    assert "cut off" in refusal(folder).hint


def test_a_missing_shard_is_refused(folder: Path) -> None:
    names = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    index = {"metadata": {}, "weight_map": dict.fromkeys(names, "model-00001-of-00001.safetensors")}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    assert "model-00001-of-00001.safetensors" in str(refusal(folder))


def test_no_weights_and_pickled_weights_are_two_things(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    assert "model.safetensors is missing" in str(refusal(folder))
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    assert "pickled weights are never loaded" in str(refusal(folder))


def test_weights_that_are_not_finite_are_refused(folder: Path) -> None:
    def spoil(tensors: dict[str, Any]) -> dict[str, Any]:
        tensors["cls.predictions.bias"][3] = float("nan")
        return tensors

    rewrite(folder, spoil)
    assert "not finite" in str(refusal(folder))


def test_a_tokenizer_without_a_mask_token_is_refused(folder: Path) -> None:
    path = folder / "tokenizer_config.json"
    settings = json.loads(path.read_text())
    del settings["mask_token"]
    path.write_text(json.dumps(settings))
    assert "no mask token" in str(refusal(folder))


def test_a_tokenizer_with_more_entries_than_embeddings_is_refused(folder: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens(["blarg", "fnord"])
    tokenizer.save_pretrained(folder)
    said = str(refusal(folder))
    assert "152" in said and "150" in said and "blarg, fnord" in said


def test_a_precision_in_which_a_model_cannot_compute_is_refused(folder: Path) -> None:
    """The Fourier transforms of FNet exist in float32 only."""
    config = {name: value for name, value in SMALL.items() if "attention" not in name}
    save(folder, transformers.FNetForMaskedLM(transformers.FNetConfig(vocab_size=150, **config)))
    assert refusal(folder, precision="bf16").hint == "--precision fp32"
    network = load_network(str(folder))
    with pytest.raises(InputError, match="attends"):
        network.hidden(torch.tensor([[2, 7, 3]]), attention=True)


def test_the_projection_computes_in_full_precision(folder: Path) -> None:
    """The body's rounding is left, that of the logits is gone."""
    from transformers import AutoModelForMaskedLM

    full, half = (
        AutoModelForMaskedLM.from_pretrained(folder),
        load_network(str(folder), precision="bf16"),
    )
    ids = torch.tensor([[2, 10, 20, 30, 3]])
    assert half.head is not None
    with torch.inference_mode():
        hidden = half.hidden(ids)[0][0]
        assert hidden.dtype == torch.bfloat16
        logits = half.head(hidden)
        assert logits.dtype == torch.float32
        weights = full.cls.predictions.decoder.weight.bfloat16().float()
        bias = full.cls.predictions.decoder.bias.bfloat16().float()
        transform = full.cls.predictions.transform.bfloat16().float()
        expected = transform(hidden.float()) @ weights.T + bias
    assert torch.allclose(logits, expected, atol=1e-5)
    assert not torch.equal(logits, logits.bfloat16().float())
    assert half.model.dtype == torch.bfloat16


def test_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    assert choose_device("auto") == "cpu"
    for device in ("cuda", "mps"):
        with pytest.raises(UsageError, match="no device"):
            choose_device(device)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert (choose_device("auto"), choose_device("cpu")) == ("mps", "cpu")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert choose_device("auto") == "cuda"


def test_the_reduced_precision_of_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda **_: True)
    assert reduced_precision("cuda") == "bf16"
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda **_: False)
    assert reduced_precision("cuda") == "fp16"
    assert reduced_precision("mps") == "fp16"
    names = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    for first, second in ((True, False), (False, True), (False, False)):
        for name, there in zip(names, (first, second), strict=True):
            monkeypatch.setattr(torch.cpu, name, lambda there=there: there, raising=False)
        assert reduced_precision("cpu") == ("bf16" if first or second else None)
    for name in names:
        monkeypatch.delattr(torch.cpu, name)
    assert reduced_precision("cpu") is None
