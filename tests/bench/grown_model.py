"""The embedded model grown to the shape of BERT-base: as much to compute, and trained predictions.

    python tests/bench/grown_model.py FOLDER

Every hidden unit, head and inner unit stands there three times over (weights divided by three where
the copies are added up), and eight layers are put on top whose weights are zero and which give back
what they get, up to the scale of a layer norm. The vocabulary is filled up to 30,522 entries that
are never likely. No trained model of that size is at hand where the benchmarks run; how far the two
sides of a pair lie apart, which decides what `--precision auto` must compute twice, needs one.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("HF_HUB_OFFLINE", "1")
COPIES, LAYERS, VOCABULARY = 3, 12, 30_522
NEVER = -30.0


def grow(folder: Path) -> Path:
    """Write the grown model to `folder`."""
    import torch
    import transformers

    from curate.models.sources import embedded_mini

    small = transformers.AutoModelForMaskedLM.from_pretrained(embedded_mini(), dtype=torch.float32)
    tokenizer = transformers.AutoTokenizer.from_pretrained(embedded_mini())
    config = transformers.BertConfig(
        vocab_size=VOCABULARY, max_position_embeddings=small.config.max_position_embeddings
    )
    large = transformers.BertForMaskedLM(config)
    state = {name: _grown(name, value) for name, value in small.eval().state_dict().items()}
    whole = large.state_dict()
    with torch.no_grad():
        for name, value in whole.items():
            if name in state:
                value.copy_(state[name])
            elif ".layer." in name:
                value.zero_()
        _identity_layers(whole, small, tokenizer, first=small.config.num_hidden_layers)
    large.load_state_dict(whole)
    large.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _grown(name: str, value: Any) -> Any:
    """A tensor of the small model, tiled; entries of the vocabulary are added where it has them."""
    import torch

    entries = name.endswith(("word_embeddings.weight", "decoder.weight", "predictions.bias"))
    if entries or name.endswith("decoder.bias"):
        value = value.repeat(1, COPIES) if value.dim() == 2 else value
        filler = 0.0 if value.dim() == 2 else NEVER
        more = torch.full((VOCABULARY - len(value), *value.shape[1:]), filler)
        return torch.cat([value, more])
    if "embeddings" in name and value.dim() == 2:
        return value.repeat(1, COPIES)
    if "predictions.transform.LayerNorm" in name:  # the decoder adds up the copies
        return value.repeat(COPIES) / COPIES
    return value.repeat(COPIES, COPIES) / COPIES if value.dim() == 2 else value.repeat(COPIES)


def _identity_layers(whole: Any, small: Any, tokenizer: Any, *, first: int) -> None:
    """Layer norms of the layers from `first` on that give back vectors of the usual scale."""
    import torch

    ids = tokenizer("She said that he had left the house early.", return_tensors="pt")["input_ids"]
    with torch.no_grad():
        hidden = small.base_model(input_ids=ids).last_hidden_state[0]
    spread = float(hidden.std(-1, correction=0).mean())
    centre = float(hidden.mean(-1).mean())
    for layer in range(first, LAYERS):
        for part in ("attention.output", "output"):
            prefix = f"bert.encoder.layer.{layer}.{part}.LayerNorm"
            whole[f"{prefix}.weight"].fill_(spread)
            whole[f"{prefix}.bias"].fill_(centre)


if __name__ == "__main__":
    grow(Path(sys.argv[1]))
