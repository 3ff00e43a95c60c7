"""Ways to score models on a release: lm-evaluation-harness, the Hub's eval.yaml, score.py."""

from curate.hub.exports.write import write_exports

__all__ = ["write_exports"]
