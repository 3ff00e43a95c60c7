"""The whole main job on the embedded corpus: pairs, checks, release, scores, report."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate.checks import check_pairs, rows_with_findings
from curate.checks.stored import write_verdicts
from curate.engine import write_parquet
from curate.errors import CurateError, UsageError
from curate.pairs.lsg import lsg_method
from curate.pairs.run import Method, run_pairs
from curate.report import write_report
from curate.resources import embedded_folder
from curate.schema import VERDICTS
from curate.sources import Corpus, read_pairs

__all__ = ["DEMO_MODEL", "DemoResult", "DemoRun", "embedded_corpora", "run_demo"]

DEMO_MODEL = "mini"
_LICENCE = "CC BY-SA 4.0"
_VERSION = "0.1.0"


@dataclass
class DemoRun:
    """One language and method: its folder, counts, pairs, and how many rows have findings."""

    folder: Path
    stats: dict[str, Any]
    pairs: pa.Table
    findings: int


@dataclass
class DemoResult:
    """What the demo made; `missing` says why a step was left out, in words."""

    runs: list[DemoRun] = field(default_factory=list)
    scores: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    missing: str = ""
    release: Path | None = None
    page: Path | None = None


def embedded_corpora() -> dict[str, Path]:
    """The sample corpora of the installation by language."""
    return {path.stem: path for path in sorted((embedded_folder() / "corpus").glob("*.txt"))}


def run_demo(
    langs: Sequence[str],
    out: Path,
    *,
    model: str = DEMO_MODEL,
    seed: int = 0,
    on_step: Callable[[str, float], None],
) -> DemoResult:
    """Build everything under `out`: ``runs/``, ``checks/``, ``release/``, ``scores/``, the page.

    `on_step` is told what is being done and the share (0 to 1) that is finished. Where the
    installation lacks the embedded model (or the packages to run it), only LSG is run and nothing
    is scored; `missing` then says so. Raises UsageError for a language without an embedded corpus,
    InputError for another `model` that cannot be found.
    """
    corpora = _chosen(langs)
    result = DemoResult(missing=_why_no_model(model))
    methods = list(_methods(corpora, "" if result.missing else model))
    _forget_others(out, {f"{lang}-{name}" for lang, name, _ in methods})
    with _one_thread(bool(result.missing)):
        for done, (lang, name, make) in enumerate(methods):
            on_step(f"pairs {lang}-{name}", 0.6 * done / len(methods))
            result.runs.append(_make(make(), corpora[lang], lang, out, seed))
        on_step("release", 0.6)
        result.release, result.problems = _release(result.runs, out / "release")
        if not result.missing:
            result.scores = _score(
                result.release, out / "scores", model, seed,
                lambda share: on_step("scores", 0.65 + 0.3 * share),
            )  # fmt: skip
    on_step("report", 0.97)
    result.page = write_report(out, out / "report.html", title="the embedded sample")
    on_step("done", 1.0)
    return result


def _chosen(langs: Sequence[str]) -> dict[str, Path]:
    corpora = embedded_corpora()
    unknown = [lang for lang in langs if lang not in corpora]
    if unknown:
        raise UsageError(
            f"no embedded corpus for {', '.join(map(repr, unknown))}",
            hint=f"there are: {', '.join(corpora)}",
        )
    return {lang: corpora[lang] for lang in dict.fromkeys(langs)} or corpora


def _forget_others(out: Path, names: set[str]) -> None:
    """Remove what an earlier demo made of languages or methods that this one leaves out."""
    for run in (out / "runs").glob("*-?sg"):
        if run.name not in names and (run / "stats.json").is_file():
            shutil.rmtree(run)
            (out / "checks" / f"{run.name}.parquet").unlink(missing_ok=True)
    for name in ("scores.parquet", "summary.json"):
        (out / "scores" / name).unlink(missing_ok=True)


@contextmanager
def _one_thread(idle: bool) -> Iterator[None]:
    """Let torch compute on one thread: the embedded model is too small to gain from a second.

    On a machine that is busy otherwise, threads that wait for each other cost several times as
    much as they save; and one thread gives the same last digits on every machine of a kind.
    """
    if idle:
        yield
        return
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _why_no_model(model: str) -> str:
    """Why MSG and scores cannot be made here; empty where they can."""
    from curate.models.sources import find_model

    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401

        find_model(model)
    except ImportError as error:
        return f"the package {error.name!r} is not installed (pip install 'gender-curate[models]')"
    except CurateError as error:
        if model != DEMO_MODEL:
            raise
        return error.message
    return ""


def _methods(langs: Iterable[str], model: str) -> Iterator[tuple[str, str, Callable[[], Method]]]:
    """(language, method, what makes it), LSG first; MSG where there is a model."""
    for lang in langs:
        yield lang, "lsg", partial(lsg_method, lang)
        if model:
            from curate.pairs.msg import msg_method

            yield lang, "msg", partial(msg_method, lang, model=model)


def _make(method: Method, path: Path, lang: str, out: Path, seed: int) -> DemoRun:
    name = f"{lang}-{method.name}"
    folder = out / "runs" / name
    corpus = Corpus(path, lang=lang, source="the sample corpus of curate", licence=_LICENCE)
    folds = 5 if method.name == "lsg" else 1
    stats = run_pairs(method, corpus, folder, folds=folds, seed=seed, restart=True)
    pairs = read_pairs(folder)
    verdicts = check_pairs(pairs)
    checks = out / "checks"
    checks.mkdir(parents=True, exist_ok=True)
    write_parquet(checks / f"{name}.parquet", VERDICTS, [verdicts])
    write_verdicts(verdicts, folder / "pairs.parquet")
    return DemoRun(folder, stats, pairs, rows_with_findings(verdicts))


def _release(runs: Sequence[DemoRun], out: Path) -> tuple[Path, list[str]]:
    from curate.hub import build_release, check_release

    build_release([run.folder for run in runs], out, name="curate-demo", version=_VERSION)
    problems = check_release(out, pairs=False)
    return out, [f"{problem.where}: {problem.code}: {problem.message}" for problem in problems]


def _score(
    release: Path, out: Path, model: str, seed: int, on_share: Callable[[float], None]
) -> list[dict[str, Any]]:
    from curate.models.masked import load_model
    from curate.scoring import describe_dataset, find_metrics, score_pairs, write_scores

    table = read_pairs(release)
    run = score_pairs(
        table,
        scorer=load_model(model),
        metrics=find_metrics(["sbm", "dbm"]),
        dataset=describe_dataset(release, table),
        seed=seed,
        on_progress=lambda pairs: on_share(pairs / max(table.num_rows, 1)),
    )
    write_scores(run, out)
    return run.summary
