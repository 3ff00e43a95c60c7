"""The narrowed last layer gives what the whole one gives, and is left out where it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from curate.models.last_layer import find_last_layer
from curate.models.loading import load_network
from curate.models.masked import MaskedTokens, load_model

IDS = torch.tensor([[2, 10, 11, 12, 13, 3], [2, 20, 21, 22, 23, 3]])


def test_chosen_positions_are_those_of_the_whole_layer(folder: Path) -> None:
    network = load_network(str(folder))
    assert network.last is not None
    chosen = torch.tensor([1, 4, 6, 11, 4])
    with torch.inference_mode():
        whole = network.hidden(IDS)[0].flatten(0, 1)
        assert torch.equal(network.hidden_at(IDS, chosen), whole[chosen])
        assert torch.equal(network.hidden(IDS)[0].flatten(0, 1), whole)  # and back


def test_an_error_leaves_the_layer_whole(folder: Path) -> None:
    network = load_network(str(folder))
    with torch.inference_mode():
        whole = network.hidden(IDS)[0]
        with pytest.raises(IndexError):
            network.hidden_at(IDS, torch.tensor([400]))
        assert torch.equal(network.hidden(IDS)[0], whole)


def test_a_layer_of_another_build_is_left_alone(model_folders: dict[str, Path]) -> None:
    network = load_network(str(model_folders["bert"]))
    layer: Any = network.model.base_model.encoder.layer[-1]
    hooks = len(layer.output._forward_pre_hooks)
    # a position looks at another after the attention: no longer one at a time
    layer.output.register_forward_hook(lambda module, inputs, output: output.flip(-2))
    assert find_last_layer(network.model, torch) is None
    assert len(layer.output._forward_pre_hooks) == hooks


def test_a_run_is_narrowed(folder: Path) -> None:
    """Of two contexts, two positions are read: the last layer sees 16 rows (the least), not 40."""
    model = load_model(str(folder))
    layer: Any = model._network.model.base_model.encoder.layer[-1]
    seen: list[int] = []
    layer.intermediate.register_forward_hook(
        lambda module, inputs, output: seen.append(output.shape[:-1].numel())
    )
    ids = tuple(range(5, 25))
    model.read([MaskedTokens(ids, (3,), (7,)), MaskedTokens(ids[::-1], (4,), (7,))])
    assert seen == [16]
