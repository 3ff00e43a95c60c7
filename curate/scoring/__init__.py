"""Scores of a model on minimal pairs."""

from curate.scoring.dataset import describe_dataset
from curate.scoring.registry import METRICS, find_metrics
from curate.scoring.run import Dataset, ScoreRun, score_pairs, write_scores
from curate.scoring.statistics import Share, share

__all__ = [
    "METRICS",
    "Dataset",
    "ScoreRun",
    "Share",
    "describe_dataset",
    "find_metrics",
    "score_pairs",
    "share",
    "write_scores",
]
