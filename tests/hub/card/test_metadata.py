"""The card's metadata: what is written agrees with `datasets`, what is broken is found."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curate.hub.card import check_card, check_metadata, front_matter, render_card, size_category
from curate.hub.card.card_model import CardModel
from curate.hub.card.facts import read_facts
from curate.hub.card.features import hub_features
from curate.hub.card.metadata import hub_values, metadata
from curate.hub.layout import KINDS
from tests.hub.card.conftest import Release, pair

TYPES = pa.schema(
    [
        ("truth", pa.bool_()), ("day", pa.date32()), ("moment", pa.timestamp("us")),
        ("single", pa.float32()), ("double", pa.float64()), ("large", pa.large_string()),
        ("nested", pa.list_(pa.list_(pa.int8()))), ("nothing", pa.null()),
        ("inside", pa.struct([("words", pa.list_(pa.string()))])),
        ("larger", pa.large_list(pa.int64())),
    ]
)  # fmt: skip


@pytest.fixture
def card(release: Release) -> Release:
    text = render_card(release.folder, release.manifest)
    (release.folder / "README.md").write_text(text, encoding="utf-8")
    return release


@pytest.mark.parametrize("columns", [*(kind.columns for kind in KINDS.values()), TYPES])
def test_features_are_those_of_datasets(columns: pa.Schema) -> None:
    datasets = pytest.importorskip("datasets", reason="needs the extra gender-curate[hub]")
    expected = datasets.Features.from_arrow_schema(columns)._to_yaml_list()
    assert hub_features(columns) == expected


def test_datasets_finds_what_the_card_says(card: Release, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="needs the extra gender-curate[hub]")
    facts = read_facts(card.folder, card.manifest)
    names = datasets.get_dataset_config_names(str(card.folder))
    assert sorted(names) == [one.name for one in facts.configs]
    for config in facts.configs:
        opened = datasets.load_dataset(
            str(card.folder), config.name, split="test", cache_dir=str(tmp_path / "cache")
        )
        assert opened.num_rows == config.rows
        assert opened.features == datasets.Features.from_arrow_schema(config.schema)
        split = opened.info.splits["test"]
        assert (split.num_bytes, split.num_examples) == (config.memory_bytes, config.rows)
        assert opened.info.dataset_size == config.memory_bytes


def test_huggingface_hub_reads_the_card(card: Release) -> None:
    hub = pytest.importorskip("huggingface_hub", reason="needs the extra gender-curate[hub]")
    data = hub.DatasetCard.load(card.folder / "README.md").data
    assert data.language == ["de", "en"]
    assert data.license == ["cc-by-2.0", "cc-by-sa-4.0", "cc0-1.0"]
    assert data.pretty_name == "Toy pairs"


def test_a_sound_card_has_no_problems(card: Release) -> None:
    assert check_card(card.folder, card.manifest) == []


def test_the_same_data_give_the_same_card(card: Release) -> None:
    again = render_card(card.folder, card.manifest)
    assert (card.folder / "README.md").read_text(encoding="utf-8") == again
    assert render_card(card.folder, card.manifest | {"files": {"x": {}}}) == again


def test_one_licence_is_no_list(empty: Release) -> None:
    empty.pairs([pair("A king", "A queen")])
    assert metadata(read_facts(empty.folder, empty.manifest))["license"] == "cc-by-2.0"


def test_a_licence_that_the_hub_does_not_know(empty: Release) -> None:
    empty.pairs([pair("A king", "A queen", licence="House licence", source="house.txt")])
    empty.manifest["about"] = {
        "licences": [
            {
                "source": "house.txt", "licence": "House licence", "redistribute": True,
                "derivatives": True, "evidence": "https://example.org/licence",
            }
        ]
    }  # fmt: skip
    found = metadata(read_facts(empty.folder, empty.manifest))
    assert (found["license"], found["license_name"]) == ("other", "house-licence")
    assert found["license_link"] == "https://example.org/licence"
    assert check_metadata(found) == []


def test_regions_go_into_language_details(empty: Release) -> None:
    rows = [pair("A king", "A queen") | {"lang": "pt-BR"}]
    empty.add("pt-lsg", "pairs", KINDS["pairs"].columns, rows, lang="pt-BR", method="lsg")
    empty.manifest["lexicons"] = {}
    found = metadata(read_facts(empty.folder, empty.manifest))
    assert (found["language"], found["language_details"]) == (["pt"], ["pt-BR"])
    assert check_metadata(found) == []


@pytest.mark.parametrize(
    ("rows", "size"),
    [
        (0, "n<1K"), (999, "n<1K"), (1_000, "1K<n<10K"), (99_999, "10K<n<100K"),
        (100_000, "100K<n<1M"), (1_000_000, "1M<n<10M"), (10**12, "10B<n<100B"),
    ],
)  # fmt: skip
def test_size_categories(rows: int, size: str) -> None:
    assert size_category(rows) == size
    assert size in hub_values("size_categories")


Change = Callable[[dict[str, Any]], object]


def put(key: str, value: Any) -> Change:
    return lambda content: content.update({key: value})


def info(key: str, value: Any) -> Change:
    return lambda content: content["dataset_info"][0].update({key: value})


def path(value: Any) -> Change:
    return lambda content: content["configs"][0]["data_files"][0].update(path=value)


FIRST = "data/drops/test-00000-of-00001.parquet"

BROKEN: list[tuple[str, Change, str]] = [
    ("a number as licence", put("license", 42), "license: must be a list"),
    ("an unknown licence", put("license", "cc-by-9.9"), "license: the Hub does not know"),
    ("a licence in words", put("license", ["Public domain"]), "license: the Hub does not know"),
    ("no licence", lambda c: c.pop("license"), "license: missing"),
    ("other without a name", put("license", "other"), "license: 'other' needs a license_name"),
    ("a name without other", put("license_name", "mine"), "license: license_name and license_link"),
    (
        "a link that is none",
        put("license_link", "see below"),
        "license_link: must be a web",
    ),
    ("a language by name", put("language", "english"), "language.0: 'english' is no language tag"),
    ("a language in capitals", put("language", ["EN"]), "language.0: 'EN' is written 'en'"),
    ("three letters for two", put("language", ["deu"]), "language.0: 'deu' is written 'de'"),
    ("a region", put("language", ["pt-BR"]), "language.0: 'pt-BR' belongs into language_details"),
    ("no for Norwegian", put("language", [False]), "language.0: must be text"),
    ("a language twice", put("language", ["en", "en"]), "language: 'en' is there twice"),
    ("no language", put("language", []), "language: is empty"),
    ("a wrong size", put("size_categories", ["1M<n<10M"]), "size_categories: '1M<n<10M', but 6"),
    ("a size in words", put("size_categories", ["small"]), "size_categories: the Hub does not"),
    ("two sizes", put("size_categories", ["n<1K", "1K<n<10K"]), "size_categories: a release has"),
    ("an unknown task", put("task_categories", ["bias"]), "task_categories: the Hub does not know"),
    ("an unknown key", put("licence", "cc0-1.0"), "licence: unknown key"),
    ("no name", put("pretty_name", ""), "pretty_name: must be one line of text"),
    ("a name of two lines", put("pretty_name", "a\nb"), "pretty_name: must be one line of text"),
    ("an unknown multilinguality", put("multilinguality", "many"), "multilinguality: the Hub does"),
    ("an unknown annotator", put("annotations_creators", "me"), "annotations_creators: the Hub"),
    ("tags that are numbers", put("tags", [1]), "tags.0: must be text"),
    ("no configurations", put("configs", []), "configs: is empty"),
    ("configurations as a mapping", put("configs", {"a": 1}), "configs: must be a list"),
    (
        "a path that leaves",
        path("../../x.parquet"),
        "configs.0.data_files.0.path: '../../x",
    ),
    ("an absolute path", path("/etc/passwd"), "configs.0.data_files.0.path: '/etc/passwd' is no"),
    ("a web address as path", path("https://x.org/a"), "configs.0.data_files.0.path: 'https://x"),
    ("a path that is not there", path("data/no.parquet"), "configs.0: data/no.parquet does not"),
    ("a path that is no table", path("README.md"), "configs.0: README.md is no parquet file"),
    (
        "two configurations of one name",
        lambda c: c["configs"].append(copy.deepcopy(c["configs"][0])),
        "configs: two configurations are 'drops'",
    ),
    (
        "a configuration that leaves",
        lambda c: c["configs"][0].update(config_name="../up"),
        "configs.0.config_name: not written as it has to be",
    ),
    (
        "a split twice",
        lambda c: c["configs"][0]["data_files"].append({"split": "test", "path": FIRST}),
        "configs.0: 'test' is there twice",
    ),
    ("more rows than there are", info("splits", []), "dataset_info.0.splits: is empty"),
    (
        "a wrong number of rows",
        lambda c: c["dataset_info"][0]["splits"][0].update(num_examples=5),
        "dataset_info: 5 rows of drops, the file has 4",
    ),
    ("sizes that do not add up", info("dataset_size", 1), "dataset_info: the sizes of 'drops'"),
    (
        "a size below nothing",
        info("download_size", -1),
        "dataset_info.0.download_size: must",
    ),
    (
        "other columns",
        info("features", [{"name": "a", "dtype": "x"}]),
        "dataset_info: other",
    ),
    ("a column without type", info("features", [{"name": "a"}]), "dataset_info.0.features: every"),
    ("a description of nothing", lambda c: c["dataset_info"].pop(), "dataset_info: and configs:"),
    ("a wish as a viewer", put("viewer", "yes"), "viewer: must be true or false"),
]


@pytest.mark.parametrize(
    ("change", "message"), [row[1:] for row in BROKEN], ids=[r[0] for r in BROKEN]
)
def test_broken_metadata(card: Release, change: Change, message: str) -> None:
    """Each of them gives one line that begins with the field."""
    content = front_matter(card.folder / "README.md")
    change(content)
    found = check_metadata(content, folder=card.folder, rows=6)
    assert len(found) == 1, [str(one) for one in found]
    assert str(found[0]).startswith(message)
    assert "\n" not in str(found[0])


TEXTS: list[tuple[str, str, str]] = [
    ("no fence", "# Pairs\n", "line 1: no YAML block"),
    ("one fence", "---\nlicense: mit\n", "line 1: no YAML block"),
    ("nothing", "", "line 1: no YAML block"),
    ("a byte order mark", "\ufeff---\na: 1\n---\n", "line 1: no YAML block"),
    ("tabs", "---\na:\n\t- b\n---\n", "line 3: the YAML block cannot be read"),
    ("a key twice", "---\na: 1\na: 2\n---\n", "line 3: the YAML block cannot be read: the key 'a'"),
    ("an open list", "---\nconfigs: [\n---\n", "line 2: the YAML block cannot be read"),
    ("a list", "---\n- a\n---\n", "line 1: the YAML block is no mapping"),
    ("nothing between", "---\n---\n", "line 1: the YAML block is no mapping"),
    (
        "a bomb of aliases",
        "---\na: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n---\n",
        "line 2: the YAML block cannot be read: an anchor or alias",
    ),
    (
        "a tag that runs code",
        "---\na: !!python/object/apply:os.system [ls]\n---\n",
        "line 2: the YAML block cannot be read: a tag",
    ),
    ("two documents", "---\na: 1\n--- \nb: 2\n---\n", "line 3: the YAML block cannot be read"),
    (
        "a bottomless list",
        f"---\na: {'[' * 900}{']' * 900}\n---\n",
        "line 2: the YAML block",
    ),
    ("a merge", "---\n<<: {a: 1}\nb: 2\n---\n", "line 2: the YAML block"),
    ("a number as key", "---\n1: a\n---\n", "line 2: the YAML block cannot be read: the key 1"),
    ("a day that is none", "---\na: 2026-99-99\n---\n", "line 2: the YAML block cannot be read"),
    ("no configurations", "---\nlicense: mit\n---\n", "the YAML block has no usable configs:"),
    (
        "configurations in words",
        "---\nconfigs: all\n---\n",
        "the YAML block has no usable configs:",
    ),
]


@pytest.mark.parametrize(("text", "message"), [row[1:] for row in TEXTS], ids=[r[0] for r in TEXTS])
def test_broken_cards(card: Release, text: str, message: str) -> None:
    (card.folder / "README.md").write_text(text, encoding="utf-8")
    found = check_card(card.folder, card.manifest)
    assert any(code == "card" and message in line for code, line in found), found
    assert all("\n" not in line for _, line in found)


def test_a_card_that_is_no_text(card: Release) -> None:
    (card.folder / "README.md").write_bytes(b"\xff\xfe")
    assert check_card(card.folder, card.manifest) == [("card", "the card cannot be read as UTF-8")]


def test_the_card_of_another_release(card: Release) -> None:
    del card.manifest["configs"]["drops"]
    card.manifest["configs"]["en-lsg"]["file"] = "data/other.parquet"
    card.manifest["configs"]["more"] = {"file": "x", "rows": 0, "kind": "drops"}
    lines = [line for code, line in check_card(card.folder, card.manifest) if code == "card"]
    assert lines == [
        "its configs: name drops, which the manifest lacks",
        "its configs: give another file for en-lsg",
        "its configs: lack more",
    ]


def test_the_warning_comes_first(card: Release) -> None:
    path = card.folder / "README.md"
    path.write_text(path.read_text(encoding="utf-8").replace("> **Content warning.**", "> Hello."))
    assert ("card", "no content warning on top of its text") in check_card(
        card.folder, card.manifest
    )


def test_links_out_of_the_release_are_no_files(card: Release, tmp_path: Path) -> None:
    path = card.folder / card.manifest["configs"]["drops"]["file"]
    path.rename(tmp_path / "outside.parquet")
    path.symlink_to(tmp_path / "outside.parquet")
    content = front_matter(card.folder / "README.md")
    found = [str(one) for one in check_metadata(content, folder=card.folder)]
    assert found == [f"configs.0: {FIRST} does not exist"]


def test_the_block_is_plain_yaml(card: Release) -> None:
    """What our strict reader reads, a usual one reads alike."""
    text = (card.folder / "README.md").read_text(encoding="utf-8")
    assert yaml.safe_load(text.split("---\n")[1]) == front_matter(card.folder / "README.md")


VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8),
        st.sampled_from(["en", "other", "mit", "test", FIRST, "n<1K", "fill-mask", "x-y", "-"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)  # fmt: skip
FIELDS = st.sampled_from([*CardModel.model_fields, "more"])


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60
)
@given(changes=st.dictionaries(FIELDS, VALUES, min_size=1, max_size=2))
def test_no_metadata_break_the_check(card: Release, changes: dict[str, Any]) -> None:
    """Whatever stands in a field, the check answers, in single lines."""
    content = front_matter(card.folder / "README.md") | changes
    for one in check_metadata(content, folder=card.folder, rows=6):
        assert "\n" not in str(one)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60
)
@given(st.one_of(st.text(max_size=80), st.text("a:-[]{}&*!|>'\" \n#,?", max_size=80)))
def test_no_text_breaks_the_check(card: Release, text: str) -> None:
    path = card.folder / "other"
    path.mkdir(exist_ok=True)
    (path / "README.md").write_text(f"---\n{text}\n---\n", encoding="utf-8", newline="\n")
    assert all("\n" not in line for _, line in check_card(path, card.manifest))
