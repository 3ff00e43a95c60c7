"""The exports of a release: what they hold, for local and for published releases."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from curate.hub.exports import write_exports
from curate.hub.exports.eval_yaml import PROMPT
from curate.hub.exports.lm_eval import LM_EVAL
from curate.hub.exports.yaml_text import Function, yaml_text
from curate.resources import hub_cards_folder
from tests.hub.exports.small_release import write_small_release

PREFERENCE = hub_cards_folder() / LM_EVAL / "preference.py"
EXPORTED = ["en-crows", "de-lsg", "en-msg"]


class Loader(yaml.SafeLoader):
    """Reads ``!function`` as the name that follows."""


Loader.add_constructor("!function", lambda loader, node: Function(loader.construct_scalar(node)))


def exported(folder: Path, **manifest: Any) -> Path:
    write_exports(folder, write_small_release(folder, **manifest))
    return folder


def task(folder: Path, config: str) -> dict[str, Any]:
    text = (folder / LM_EVAL / f"{config}.yaml").read_text(encoding="utf-8")
    return dict(yaml.load(text, Loader=Loader))  # noqa: S506 (a safe loader with one tag more)


def written_files(folder: Path) -> dict[str, bytes]:
    paths = sorted(
        path for path in folder.rglob("*") if path.is_file() and path.parts[-3] != "data"
    )
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_what_is_written(tmp_path: Path) -> None:
    assert list(written_files(exported(tmp_path))) == [
        "eval.yaml", "lm_eval/_all.yaml", "lm_eval/de-lsg.yaml", "lm_eval/en-crows.yaml",
        "lm_eval/en-msg.yaml", "lm_eval/preference.py", "score.py",
    ]  # fmt: skip


def test_the_same_wherever_it_lies(tmp_path: Path) -> None:
    first, second = exported(tmp_path / "one"), exported(tmp_path / "two" / "copy")
    assert written_files(first) == written_files(second)
    assert not [text for text in written_files(first).values() if str(tmp_path).encode() in text]


def test_a_release_without_pairs_has_no_exports(tmp_path: Path) -> None:
    exported(tmp_path)
    manifest = write_small_release(tmp_path / "other")
    manifest["configs"] = {"drops": manifest["configs"]["drops"]}
    write_exports(tmp_path, manifest)
    assert written_files(tmp_path) == {}
    manifest["configs"]["de-lsg"] = {"file": "x", "rows": 0, "kind": "pairs"}
    write_exports(tmp_path, manifest)
    assert not (tmp_path / "eval.yaml").exists()


def test_a_local_task_reads_the_file_beside_it(tmp_path: Path) -> None:
    own = task(exported(tmp_path), "de-lsg")
    assert own["task"] == "small-de-lsg"
    assert own["custom_dataset"] == "preference.release_file"
    assert own["dataset_kwargs"] == {"file": "data/de-lsg/test-00000-of-00001.parquet"}
    assert "dataset_path" not in own


def test_a_published_task_reads_the_tag_of_its_version(tmp_path: Path) -> None:
    own = task(exported(tmp_path, repository="ns/name"), "de-lsg")
    assert (own["dataset_path"], own["dataset_name"]) == ("ns/name", "de-lsg")
    assert own["dataset_kwargs"] == {"revision": "v1.2.3"}
    assert "custom_dataset" not in own


def test_crows_compare_the_judged_sides(tmp_path: Path) -> None:
    own = task(exported(tmp_path), "en-crows")
    assert own["doc_to_choice"] == "{{[sent_more, sent_less]}}"
    assert own["process_results"] == "preference.more_stereotypical_preferred"
    assert "process_docs" not in own


def test_the_group_has_every_task(tmp_path: Path) -> None:
    group = task(exported(tmp_path), "_all")
    assert group["group"] == "small"
    assert sorted(group["task"]) == sorted(f"small-{config}" for config in EXPORTED)
    assert "aggregate_metric_list" not in group  # languages are not averaged


@pytest.mark.parametrize("config", EXPORTED)
def test_a_task_names_only_functions_that_are_there(tmp_path: Path, config: str) -> None:
    exported(tmp_path)
    tree = ast.parse((tmp_path / LM_EVAL / "preference.py").read_text(encoding="utf-8"))
    there = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    named = [value for value in task(tmp_path, config).values() if isinstance(value, Function)]
    assert named
    assert {name.removeprefix("preference.") for name in named} <= there


@pytest.fixture(scope="module")
def preference() -> Any:
    spec = importlib.util.spec_from_file_location("preference", PREFERENCE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_preference_by_hand(preference: Any) -> None:
    doc = {"masculine": "ab", "feminine": "äöü"}  # 2 and 6 bytes
    assert preference.masculine_preferred(doc, [(-4.0, False), (-6.0, False)]) == {
        "preferred": 1.0, "preferred_by_byte": 0.0, "tied": 0.0,
    }  # fmt: skip
    assert preference.masculine_preferred(doc, [(-6.0, False), (-6.0, True)]) == {
        "preferred": 0.0, "preferred_by_byte": 0.0, "tied": 1.0,
    }  # fmt: skip
    crows = {"sent_more": "x", "sent_less": "y"}
    assert preference.more_stereotypical_preferred(crows, [(-1.0, False), (-2.0, False)])[
        "preferred"
    ]


@given(st.text(min_size=1), st.text(min_size=1), *[st.floats(-1e3, 0)] * 2)
def test_exchanging_the_sides_exchanges_the_answer(a: str, b: str, x: float, y: float) -> None:
    spec = importlib.util.spec_from_file_location("preference_again", PREFERENCE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    a, b = (text.encode(errors="replace").decode() for text in (a, b))
    one = module.masculine_preferred({"masculine": a, "feminine": b}, [(x, 0), (y, 0)])
    two = module.masculine_preferred({"masculine": b, "feminine": a}, [(y, 0), (x, 0)])
    assert one["tied"] == two["tied"]
    assert one["preferred"] + two["preferred"] + one["tied"] == 1
    assert one["preferred_by_byte"] + two["preferred_by_byte"] <= 1


def test_the_first_fold(preference: Any) -> None:
    import datasets

    pairs = datasets.Dataset.from_dict({"n": [0, 1, 2], "folds": [[0, 1], [1], []]})
    assert preference.first_fold(pairs)["n"] == [0]
    unbalanced = datasets.Dataset.from_dict({"n": [0, 1], "folds": [[], []]})
    assert preference.first_fold(unbalanced)["n"] == [0, 1]


def check_eval_yaml(content: dict[str, Any]) -> None:
    """The documented fields: required ones, those of inspect-ai, and no others."""
    assert set(content) == {"name", "description", "evaluation_framework", "tasks"}
    assert content["evaluation_framework"] == "inspect-ai"
    assert all(isinstance(content[key], str) and content[key] for key in ("name", "description"))
    ids = [one["id"] for one in content["tasks"]]
    assert len(set(ids)) == len(ids) > 0
    for one in content["tasks"]:
        assert set(one) == {
            "id", "config", "split", "field_spec", "shuffle_choices", "solvers", "scorers",
        }  # fmt: skip
        assert set(one["field_spec"]) == {"input", "target", "choices"}


def test_eval_yaml(tmp_path: Path) -> None:
    about = {"title": "Pairs: 'of' {two} # \"sides\""}
    exported(tmp_path, about=about)
    content = yaml.safe_load((tmp_path / "eval.yaml").read_text(encoding="utf-8"))
    check_eval_yaml(content)
    assert content["name"] == about["title"]
    assert sorted(one["config"] for one in content["tasks"]) == sorted(EXPORTED)
    by_config = {one["config"]: one["field_spec"]["choices"] for one in content["tasks"]}
    assert by_config["de-lsg"] == ["masculine", "feminine"]
    assert by_config["en-crows"] == ["sent_more", "sent_less"]
    assert "50 %" in content["description"]
    assert set(re.findall(r"{(\w+)}", PROMPT)) == {"question", "letters", "choices"}


@given(
    st.recursive(
        st.text() | st.integers() | st.booleans() | st.none(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)
def test_yaml_says_what_was_given(value: Any) -> None:
    assert yaml.safe_load(yaml_text(value)) == value


def test_the_script_knows_where_it_was_published(tmp_path: Path) -> None:
    local = (exported(tmp_path / "local") / "score.py").read_text(encoding="utf-8")
    hub = (exported(tmp_path / "hub", repository="ns/name") / "score.py").read_text(
        encoding="utf-8"
    )
    assert 'PUBLISHED = ""' in local
    assert 'PUBLISHED = "ns/name@v1.2.3"' in hub
    for text in (local, hub):
        ast.parse(text)
        assert len(text.splitlines()) < 62
        header = re.search(r"# /// script\n(.*?)# ///\n", text, flags=re.DOTALL)
        assert header
        assert json.dumps(["gender-curate[models]"]) in header[1]
