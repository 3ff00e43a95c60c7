"""Finding a model: what is refused, and how a folder is pinned."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from curate.errors import InputError, UsageError
from curate.models.loading import load_network
from curate.models.sources import find_model, folder_revision


@pytest.mark.parametrize("name", ["./nowhere", "a/b/c/d", "nobody/no-such-model", "/no/such", ""])
def test_a_missing_model_is_one_clear_error(name: str) -> None:
    with pytest.raises(InputError) as raised:
        find_model(name)
    assert raised.value.hint and "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("lost", "said"), [("config.json", "config.json"), ("model.safetensors", "pickled")]
)
def test_a_folder_that_is_no_model_is_refused(
    model_folders: dict[str, Path], tmp_path: Path, lost: str, said: str
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(model_folders["bert"], folder)
    (folder / lost).unlink()
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    with pytest.raises(InputError, match=said):
        load_network(str(folder))


def test_weights_that_are_none_are_an_input_error(
    model_folders: dict[str, Path], tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(model_folders["bert"], folder)
    (folder / "model.safetensors").write_bytes(b"not a tensor")
    with pytest.raises(InputError):
        load_network(str(folder))


def test_the_revision_follows_the_content_alone(
    model_folders: dict[str, Path], tmp_path: Path
) -> None:
    first, second = model_folders["bert"], tmp_path / "copy"
    shutil.copytree(first, second)
    (second / "README.md").write_text("a card", encoding="utf-8")
    assert folder_revision(second) == folder_revision(first)
    (second / "config.json").write_text("{}", encoding="utf-8")
    assert folder_revision(second) != folder_revision(first)


def test_unknown_precision_and_device_are_usage_errors(model_folders: dict[str, Path]) -> None:
    with pytest.raises(UsageError):
        load_network(str(model_folders["bert"]), precision="int3")
    with pytest.raises(UsageError):
        load_network(str(model_folders["bert"]), device="abacus")
