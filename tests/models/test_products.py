"""Packed matrix products: the same numbers, where they can be had and are faster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import nn
from transformers import AutoModelForMaskedLM

from curate.models import products
from curate.models.loading import load_network

SIZES = [16, 17, 31, 64, 100, 255, 256, 257, 511, 513, 999]


def has_products() -> bool:
    return torch.backends.mkldnn.is_available() and hasattr(
        torch.ops.mkldnn, "_reorder_linear_weight"
    )


pytestmark = pytest.mark.skipif(not has_products(), reason="this torch has no packed products")


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Packed whether it is faster here or not."""
    monkeypatch.setattr(products, "_is_faster", lambda: True)


@pytest.fixture
def unknown() -> Iterator[None]:
    """Nothing is known of this machine yet, nor afterwards."""
    products._is_faster.cache_clear()
    yield
    products._is_faster.cache_clear()


def packed_layers(module: Any) -> list[str]:
    return [name for name, one in module.named_modules() if type(one).__name__ == "PackedLinear"]


def plain_bert(model_folders: dict[str, Path], dtype: Any = torch.float32) -> Any:
    folder = model_folders["bert"]
    return AutoModelForMaskedLM.from_pretrained(folder, dtype=dtype).eval()


IDS = torch.tensor([[2, 10, 11, 12, 4, 13, 14, 3]] * 4)


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize(("dtype", "close"), [(torch.float32, 1e-5), (torch.bfloat16, 0.1)])
def test_a_model_gives_the_same_logits(
    model_folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch, dtype: Any, close: float
) -> None:
    monkeypatch.setattr(products, "_LEAST", 1)
    model = plain_bert(model_folders, dtype)
    linear = [name for name, one in model.named_modules() if type(one) is nn.Linear]
    with torch.inference_mode():
        before = model(input_ids=IDS).logits
        products.pack_model(model, torch)
        after = model(input_ids=IDS).logits
    assert packed_layers(model) == linear and len(linear) > 12
    assert after.dtype == before.dtype == dtype
    assert float((before - after).abs().max()) < close


@pytest.mark.usefixtures("always")
def test_small_layers_are_left(model_folders: dict[str, Path]) -> None:
    model = plain_bert(model_folders)
    products.pack_model(model, torch)
    sizes = {name: one.weight.numel() for name, one in plain_bert(model_folders).named_modules()
             if type(one) is nn.Linear}  # fmt: skip
    assert packed_layers(model) == [name for name, size in sizes.items() if size >= 4096]
    assert 0 < len(packed_layers(model)) < len(sizes)


@pytest.mark.usefixtures("always")
def test_a_loaded_network_computes_as_a_plain_one(
    model_folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from curate.models.masked import MaskedModel

    monkeypatch.setattr(products, "_LEAST", 1)
    texts = ["He is a doctor.", "My grandmother said that he left early, very early.", "Yes."]
    network = load_network(str(model_folders["bert"]), device="cpu")
    assert packed_layers(network.model) and network.head is not None
    found = MaskedModel(network).aul(texts)
    monkeypatch.setattr(products, "_is_faster", lambda: False)
    network = load_network(str(model_folders["bert"]), device="cpu")
    assert not packed_layers(network.model)
    for one, plain in zip(found, MaskedModel(network).aul(texts), strict=True):
        assert one.mean_logp == pytest.approx(plain.mean_logp, abs=1e-5)
        assert one.aula == pytest.approx(plain.aula, abs=1e-5)


Spoilt = Callable[[Any, Any], Any]
FAULTS: dict[str, Spoilt] = {
    "other-numbers": lambda layer, inputs: layer(inputs) + 0.5,
    "not-a-number": lambda layer, inputs: layer(inputs) * float("nan"),
    "other-shape": lambda layer, inputs: layer(inputs)[..., :-1],
}


def spoil(monkeypatch: pytest.MonkeyPatch, fault: Spoilt) -> None:
    real = products._packed_class()

    class PackedLinear(real):  # type: ignore[misc, valid-type]
        def forward(self, inputs: Any) -> Any:
            return fault(super().forward, inputs)

    monkeypatch.setattr(products, "_packed_class", lambda: PackedLinear)


def refuse(layer: Any, inputs: Any) -> Any:
    raise RuntimeError("could not create a primitive")


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("fault", [*FAULTS, "refuses"])
def test_a_model_that_fails_so_is_left_as_it_was(
    model_folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    model = plain_bert(model_folders)
    before = dict(model.named_modules())
    with torch.inference_mode():
        logits = model(input_ids=IDS).logits
        spoil(monkeypatch, FAULTS.get(fault, refuse))
        products.pack_model(model, torch)
        assert torch.equal(model(input_ids=IDS).logits, logits)
    after = dict(model.named_modules())
    assert list(after) == list(before)
    assert all(after[name] is one for name, one in before.items())


def without(name: str) -> Any:
    """torch's namespace without one of the two operations."""
    names = {"_linear_pointwise", "_reorder_linear_weight"} - {name}
    return SimpleNamespace(**{kept: getattr(torch.ops.mkldnn, kept) for kept in names})


@pytest.mark.usefixtures("unknown")
@pytest.mark.parametrize("lacking", ["_linear_pointwise", "_reorder_linear_weight", "mkldnn"])
def test_a_machine_without_the_operation(
    model_folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch, lacking: str
) -> None:
    with monkeypatch.context() as changed:
        if lacking == "mkldnn":
            changed.setattr(torch.backends.mkldnn, "is_available", lambda: False)
        else:
            changed.setattr(torch.ops, "mkldnn", without(lacking))
        assert not products._is_faster()
        network = load_network(str(model_folders["bert"]), device="cpu")
    assert not packed_layers(network.model)


@pytest.mark.usefixtures("unknown")
def test_a_machine_whose_operation_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    spoil(monkeypatch, refuse)
    assert not products._is_faster()


@pytest.mark.usefixtures("unknown")
@pytest.mark.parametrize(("ours", "chosen"), [(1.0, True), (1.7, True), (2.4, False), (9, False)])
def test_it_must_be_faster_by_a_margin(
    monkeypatch: pytest.MonkeyPatch, ours: float, chosen: bool
) -> None:
    """Against 2.7 of the plain layer; the margin keeps the choice the same from run to run."""
    monkeypatch.setattr(products, "_seconds", lambda layers, inputs: [ours, 2.7])
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    assert products._is_faster() is chosen
    assert torch.get_num_threads() == 2
    torch.set_num_threads(threads)


@pytest.mark.usefixtures("unknown")
def test_faster_but_wrong_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products, "_seconds", lambda layers, inputs: [1.0, 100.0])
    spoil(monkeypatch, FAULTS["other-numbers"])
    assert not products._is_faster()


class Looked(nn.Module):
    """Layers of every kind that packing meets."""

    def __init__(self) -> None:
        super().__init__()
        self.plain = nn.Linear(64, 64)
        self.bare = nn.Linear(64, 64, bias=False)
        self.hooked = nn.Linear(64, 64)
        self.hooked.register_forward_hook(lambda module, inputs, output: output * 2)
        self.before = nn.Linear(64, 64)
        self.before.register_forward_pre_hook(lambda module, inputs: (inputs[0] + 1,))
        self.exact = nn.Linear(64, 64).double()
        self.nested = nn.Sequential(nn.Linear(64, 64), nn.Sequential(nn.Linear(64, 64)))
        self.own = Own(64, 64)

    def forward(self, inputs: Any) -> Any:
        hidden = self.before(self.hooked(self.bare(self.plain(inputs))))
        hidden = self.exact(hidden.double()).float()
        return self.own(self.nested(hidden))


class Own(nn.Linear):
    """A linear layer with more to do than its product."""

    def forward(self, inputs: Any) -> Any:
        return super().forward(inputs).tanh()


@pytest.mark.usefixtures("always")
def test_layers_with_hooks_or_of_other_kinds_are_left() -> None:
    torch.manual_seed(0)
    module = Looked()
    inputs = torch.randn(20, 64)
    with torch.inference_mode():
        before = module(inputs)
        assert products.packed(module, torch) is module
        after = module(inputs)
    assert packed_layers(module) == ["plain", "bare", "nested.0", "nested.1.0"]
    assert torch.allclose(before, after, atol=1e-5)


@pytest.mark.usefixtures("always")
def test_a_single_layer_is_replaced_and_not_changed() -> None:
    layer = nn.Linear(64, 80)
    found = products.packed(layer, torch)
    inputs = torch.randn(3, 7, 64)
    with torch.inference_mode():
        assert found is not layer and found(inputs).shape == (3, 7, 80)
        assert torch.allclose(found(inputs), layer(inputs), atol=1e-5)
    assert (found.in_features, found.out_features) == (64, 80)


@pytest.mark.usefixtures("always")
def test_a_weight_that_is_shared_stays_with_the_embeddings(
    model_folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """BERT's projection is tied to its input embeddings, which must go on giving rows."""
    model = plain_bert(model_folders)
    rows = model.get_input_embeddings().weight
    assert model.get_output_embeddings().weight is rows
    kept = rows.clone()
    monkeypatch.setattr(products, "_LEAST", 1)
    products.pack_model(model, torch)
    assert "cls.predictions.decoder" in packed_layers(model)
    assert torch.equal(model.get_input_embeddings().weight, kept)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=["fp32", "bf16"])
@pytest.mark.parametrize(("inner", "outer"), [(768, 768), (768, 3072), (3072, 768)])
def test_a_row_depends_on_no_other(inner: int, outer: int, dtype: Any) -> None:
    """From 16 rows on, at BERT-base's sizes, packed and plain, whatever the threads."""
    torch.manual_seed(0)
    plain = nn.Linear(inner, outer).to(dtype)
    packed = products._packed_class()(plain)
    inputs = torch.randn(1000, inner).to(dtype)
    threads = torch.get_num_threads()
    with torch.inference_mode():
        for layer in (packed, plain):
            whole = layer(inputs)
            for count in SIZES:
                torch.set_num_threads(1 + count % 2)
                first, last = layer(inputs[:count].clone()), layer(inputs[-count:].clone())
                assert torch.equal(first, whole[:count]), count
                assert torch.equal(last, whole[-count:]), count
    torch.set_num_threads(threads)
