"""Scores of a model on minimal pairs."""

from curate.scoring.dataset import describe_dataset
from curate.scoring.folder import ModelSettings, score_to_folder
from curate.scoring.metric import Metric, Options
from curate.scoring.registry import METRICS, find_metrics
from curate.scoring.run import Dataset, ScoreRun, score_pairs, write_scores
from curate.scoring.statistics import Estimate, share

__all__ = [
    "METRICS",
    "Dataset",
    "Estimate",
    "Metric",
    "ModelSettings",
    "Options",
    "ScoreRun",
    "describe_dataset",
    "find_metrics",
    "score_pairs",
    "score_to_folder",
    "share",
    "write_scores",
]
