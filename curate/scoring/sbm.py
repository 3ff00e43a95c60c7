"""SBM, the strict bias metric: the share of minimal pairs with A(masculine) > A(feminine).

Yu et al. 2024, section 3.2. A is AULA as in the paper; AUL is offered beside it. (The paper's
equation 1 prints a masked condition; its code and the source of AULA use the unmasked sentence,
and so does this.)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from curate.errors import UsageError
from curate.scoring.aul import likelihood_values
from curate.scoring.metric import Likelihoods, Metric, PairValues

__all__ = ["LIKELIHOODS", "SBM"]

LIKELIHOODS = ("aula", "aul")


def _sbm(table: pa.Table, likelihoods: Likelihoods, options: Mapping[str, Any]) -> PairValues:
    likelihood = options.get("likelihood", "aula")
    if likelihood not in LIKELIHOODS:
        raise UsageError(f"no such likelihood {likelihood!r}", hint=f"one of {LIKELIHOODS}")
    return likelihood_values(table, likelihoods, attention=likelihood == "aula")


SBM = Metric("sbm", "masculine sentence preferred", "Yu et al. 2024, eq. 3", _sbm)
