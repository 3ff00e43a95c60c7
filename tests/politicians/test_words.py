"""Words beside names, against a reading of the model one text at a time, and their folder."""

from __future__ import annotations

import itertools
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

pytest.importorskip("torch", reason="needs the extra gender-curate[models]")
pytest.importorskip("transformers", reason="needs the extra gender-curate[models]")

from curate import schema
from curate.errors import InputError, UsageError
from curate.models.sources import MINI, embedded_mini
from curate.politicians import word_reading, words
from curate.politicians.prompts import Prompts
from curate.politicians.vocabulary import KeptForm, Vocabulary
from curate.politicians.word_assembly import Names, assemble_words
from curate.politicians.word_ranking import Candidates, Ranked, best_words
from curate.politicians.word_reading import BesideNames, WordReader, is_causal
from curate.politicians.words import WordSettings, generate_words
from tests.models.conftest import FAMILIES
from tests.scoring.tiny_models import OTHERS, tiny_bert, tiny_gpt2

NAMES = [
    "Ada Rowe", "Bo Lind", "Cy Frost", "Dorothea Marshwick", "Ed Pike", "Maria Flores", "Gus Kerr",
    "Hal Moor", "Ines Quade", "Jan Vries", "Kit", "Lena Sommerfeld", "Mo Nasser", "Nia Obi",
    "Otto von Stein", "Pilar Anaya", "Quinn O'Dell", "Rosa Jean-Baptiste", "Sam", "Zoë Ångström",
]  # fmt: skip
ADJECTIVES = {
    "good": "good", "better": "good", "happy": "happy", "old": "old", "older": "old",
    "American": "American", "beautiful": "beautiful", "courageous": "courageous",
    "well-known": "well-known", "melancholic": "melancholic",
    "married": "married",
}  # fmt: skip
VERBS = {
    "says": "say", "said": "say", "sings": "sing", "is": "be", "was": "be", "lives": "live",
    "resigned": "resign", "campaigned": "campaign", "whispered": "whisper",
}  # fmt: skip
LEMMAS = {"ADJ": ADJECTIVES, "VERB": VERBS}
ENGLISH = Prompts("en", {"ADJ": "before", "VERB": "after"}, " ")

Reading = dict[str, float]


@cache
def transformers_model(folder: Path, kind: str) -> tuple[Any, Any]:
    import torch
    import transformers

    auto = getattr(transformers, kind)
    return (
        transformers.AutoTokenizer.from_pretrained(folder),
        auto.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval(),
    )


def distribution(model: Any, ids: Sequence[int], at: int) -> Any:
    return _distribution(model, tuple(ids), at)


@lru_cache(maxsize=64)  # the words of one length begin with the same reading
def _distribution(model: Any, ids: tuple[int, ...], at: int) -> Any:
    import torch

    with torch.no_grad():
        return torch.softmax(model(torch.tensor([ids])).logits[0, at].double(), -1)


def masked_product(folder: Path, name: str, position: str, word: str) -> float:
    """The probability of a word beside a name: its entries one after the other, one text each."""
    tokenizer, model = transformers_model(folder, "AutoModelForMaskedLM")
    inner = tokenizer(name, add_special_tokens=False)["input_ids"]
    pieces = tokenizer(word, add_special_tokens=False)["input_ids"]
    first, last = tokenizer.cls_token_id, tokenizer.sep_token_id
    product = 1.0
    for done, piece in enumerate(pieces):
        blank = pieces[:done] + [tokenizer.mask_token_id] * (len(pieces) - done)
        ids = [first, *blank, *inner, last] if position == "before" else [
            first, *inner, *blank, last
        ]  # fmt: skip
        at = done + (1 if position == "before" else 1 + len(inner))
        product *= float(distribution(model, ids, at)[piece])
    return product


def causal_product(folder: Path, name: str, word: str) -> float:
    tokenizer, model = transformers_model(folder, "AutoModelForCausalLM")
    ids = [tokenizer.cls_token_id, *tokenizer(name, add_special_tokens=False)["input_ids"]]
    product = 1.0
    for piece in tokenizer(word, add_special_tokens=False)["input_ids"]:
        product *= float(distribution(model, ids, -1)[piece])
        ids.append(piece)
    return product


def ranked(values: Reading, lemmas: dict[str, str], top: int) -> list[tuple[str, str, float]]:
    """The best word of each lemma, best first."""
    rows: list[tuple[str, str, float]] = []
    for word in sorted(values, key=lambda one: -values[one]):
        if lemmas[word] not in {lemma for _, lemma, _ in rows}:
            rows.append((word, lemmas[word], values[word]))
    return rows[:top]


def same(found: list[Ranked], wanted: list[tuple[str, str, float]]) -> None:
    assert [(one.word, one.lemma) for one in found] == [row[:2] for row in wanted]
    for one, (_, _, p) in zip(found, wanted, strict=True):
        assert one.probability == pytest.approx(p, abs=1e-5, rel=1e-3)


def test_words_are_those_of_a_reading_one_by_one() -> None:
    """Every name, every word, with no shortcut; the mini model."""
    reader = WordReader.load(MINI, beam=10**6, most_pieces=20)
    top = {"ADJ": 8, "VERB": 7}
    found = BesideNames(reader, ENGLISH, LEMMAS, top).words(NAMES)
    capitals = {word[:1].upper() + word[1:]: lemma for word, lemma in ADJECTIVES.items()}
    written = {"ADJ": capitals | ADJECTIVES, "VERB": VERBS}
    longer = 0
    for name, own in zip(NAMES, found, strict=True):
        assert not isinstance(own, str)
        for upos, position in ENGLISH.positions.items():
            values = {
                word: masked_product(embedded_mini(), name, position, word)
                for word in written[upos]
            }
            same(own[upos], ranked(values, written[upos], top[upos]))
            tokenizer, _ = transformers_model(embedded_mini(), "AutoModelForMaskedLM")
            longer += sum(len(tokenizer.tokenize(one.word)) > 1 for one in own[upos])
    assert longer > 20, "words of several entries are among the best"


CHINESE = {
    "ADJ": {word: word for word in ("好", "大", "高兴", "美丽", "伟大", "小")},
    "VERB": {word: word for word in ("说", "是", "喜欢", "认为", "唱", "去")},
}


def test_words_of_a_script_without_spaces_one_by_one() -> None:
    reader = WordReader.load(MINI, beam=100)
    prompts = Prompts("zh", {"ADJ": "before", "VERB": "after"}, "")
    names = ["王小明", "李娜", "Ada Rowe"]
    found = BesideNames(reader, prompts, CHINESE, {"ADJ": 6, "VERB": 6}).words(names)
    for name, own in zip(names, found, strict=True):
        assert not isinstance(own, str)
        for upos, position in prompts.positions.items():
            values = {
                word: masked_product(embedded_mini(), name, position, word)
                for word in CHINESE[upos]
            }
            same(own[upos], ranked(values, CHINESE[upos], 6))


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_tokenizers_that_write_spaces_and_bytes(family: str, tmp_path: Path) -> None:
    """Entries are those of the whole text, cut where the name ends."""
    import torch

    make_tokenizer, make_model = FAMILIES[family]
    torch.manual_seed(7)
    tokenizer = make_tokenizer()
    tokenizer.save_pretrained(tmp_path)
    make_model(len(tokenizer)).eval().save_pretrained(tmp_path)
    _, model = transformers_model(tmp_path, "AutoModelForMaskedLM")
    lemmas = {word: word for word in ("doctor", "early", "left", "old", "sang", "ticket", "a")}
    prompts = Prompts("en", {"ADJ": "before", "VERB": "after"}, " ")
    reader = WordReader.load(str(tmp_path), beam=100, most_pieces=30)
    beside = BesideNames(reader, prompts, {"ADJ": lemmas, "VERB": lemmas}, {"ADJ": 7, "VERB": 7})
    name, mask = "She is", tokenizer.mask_token_id
    inner = tokenizer(name, add_special_tokens=False)["input_ids"]
    (own,) = beside.words([name])
    assert not isinstance(own, str)
    capitals = {word.capitalize(): word for word in lemmas}
    for upos, written in (("ADJ", lemmas | capitals), ("VERB", lemmas)):
        text = tokenizer(prompted(prompts, name, upos, tokenizer.mask_token))["input_ids"]
        at = text.index(mask)
        values = {}
        for word in written:
            cut = 0 if upos == "ADJ" else len(inner)
            before = "" if upos == "ADJ" else f"{name} "
            pieces = tokenizer(before + word, add_special_tokens=False)["input_ids"][cut:]
            if tokenizer.unk_token_id in pieces:
                continue
            values[word] = 1.0
            for done, piece in enumerate(pieces):
                blank = pieces[:done] + [mask] * (len(pieces) - done)
                ids = [*text[:at], *blank, *text[at + 1 :]]
                values[word] *= float(distribution(model, ids, at + done)[piece])
        same(own[upos], ranked(values, written, 7))


def prompted(prompts: Prompts, name: str, upos: str, word: str) -> str:
    blank = prompts.text(name, upos)
    return blank.text[: blank.start] + word + blank.text[blank.end :]


def test_a_context_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All masks of a text in one pass; adjectives and verbs behind a name together."""
    from curate.models import reading

    seen: list[tuple[int, ...]] = []
    plain = reading.at_places

    def spied(network: Any, ids: Any, rows: Any, places: Any) -> Any:
        seen.extend(ids)
        return plain(network, ids, rows, places)

    monkeypatch.setattr(reading, "at_places", spied)
    prompts = Prompts("es", {"ADJ": "after", "VERB": "after"}, " ")
    reader = WordReader.load(MINI, most_pieces=3)
    BesideNames(reader, prompts, LEMMAS, {"ADJ": 5, "VERB": 5}).words(["Ada Rowe", "Kit"])
    assert len(seen) > 12
    assert len(set(seen)) == len(seen)


SUFFIXED = [f"{stem}{end}" for stem in OTHERS[:12] for end in ("", "s", "ing", "sing", "ings")]
TINY = {word: word for word in SUFFIXED}


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_bert(tmp_path_factory.mktemp("bert"), layers=2)


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_gpt2(tmp_path_factory.mktemp("gpt2"))


def by_the_rule(folder: Path, name: str, *, top: int, beam: int, most: int) -> Reading:
    """The words that `LongerWords` promises to read, found by loops."""
    tokenizer, model = transformers_model(folder, "AutoModelForMaskedLM")
    inner = tokenizer(name, add_special_tokens=False)["input_ids"]
    pieces = {word: tokenizer(word, add_special_tokens=False)["input_ids"] for word in TINY}
    values = {
        w: masked_product(folder, name, "after", w) for w, own in pieces.items() if len(own) == 1
    }
    floor = sorted(values.values(), reverse=True)[top - 1] if len(values) >= top else 0.0
    lemmas = len(ranked(values, TINY, top))
    promises: dict[str, float] = {}
    for length in range(2, most + 1):
        blank = [tokenizer.cls_token_id, *inner, *[tokenizer.mask_token_id] * length,
                 tokenizer.sep_token_id]  # fmt: skip
        at = 1 + len(inner)
        p = [distribution(model, blank, at + entry) for entry in range(length)]
        promises |= {
            word: math.prod(float(p[i][piece]) for i, piece in enumerate(own))
            for word, own in pieces.items()
            if len(own) == length and float(p[0][own[0]]) >= floor
        }
    for rank, word in enumerate(sorted(promises, key=lambda one: -promises[one])):
        if rank >= beam and lemmas >= top:
            break
        lemmas += 1
        values[word] = masked_product(folder, name, "after", word)
    return values


@pytest.mark.parametrize(("top", "beam", "most"), list(itertools.product((4, 30), (1, 3), (2, 3))))
def test_longer_words_are_followed_as_the_beam_says(
    bert: Path, top: int, beam: int, most: int
) -> None:
    reader = WordReader.load(str(bert), beam=beam, most_pieces=most)
    prompts = Prompts("es", {"VERB": "after"}, " ")
    names = ["king sat", "the old queen", "girl"]
    found = BesideNames(reader, prompts, {"VERB": TINY}, {"VERB": top}).words(names)
    for name, own in zip(names, found, strict=True):
        assert not isinstance(own, str)
        same(own["VERB"], ranked(by_the_rule(bert, name, top=top, beam=beam, most=most), TINY, top))
        assert len(own["VERB"]) == top


def test_a_causal_model_reads_what_comes_after_a_name(gpt2: Path) -> None:
    reader = WordReader.load(str(gpt2), beam=100)
    prompts = Prompts("en", {"ADJ": "before", "VERB": "after"}, " ")
    beside = BesideNames(reader, prompts, {"ADJ": TINY, "VERB": TINY}, {"ADJ": 5, "VERB": 20})
    assert (reader.positions, beside.upos) == (("after",), ("VERB",))
    names = ["king sat", "the old queen", "girl"]
    for name, own in zip(names, beside.words(names), strict=True):
        assert not isinstance(own, str)
        values = {word: causal_product(gpt2, name, word) for word in TINY}
        same(own["VERB"], ranked(values, TINY, 20))


def test_the_kind_of_a_model_is_told(bert: Path, gpt2: Path) -> None:
    assert is_causal(str(gpt2))
    assert not is_causal(str(bert))
    assert not is_causal("no/such-model")


def test_names_that_a_model_cannot_take_have_codes(bert: Path, gpt2: Path) -> None:
    prompts = Prompts("es", {"VERB": "after"}, " ")
    names = ["king [SEP] sat", "the " * 60, "king"]
    for folder in (bert, gpt2):
        beside = BesideNames(WordReader.load(str(folder)), prompts, {"VERB": TINY}, {"VERB": 3})
        first, second, third = beside.words(names)
        assert (first, second) == ("special-token", "too-long")
        assert not isinstance(third, str)


def test_no_space_is_read_where_none_is_written(bert: Path) -> None:
    beside = BesideNames(
        WordReader.load(str(bert)), Prompts("zh", {"VERB": "after"}, ""), {"VERB": TINY},
        {"VERB": 3},
    )  # fmt: skip
    (own,) = beside.words(["king"])
    assert not isinstance(own, str)
    assert len(own["VERB"]) == 3


def test_of_equal_words_the_earlier_is_better() -> None:
    candidates = Candidates({"old": "old", "new": "new", "newer": "new"}, 2)
    found = best_words({"newer": 0.25, "new": 0.25, "old": 0.25}, candidates)
    assert [one.word for one in found] == ["old", "new"]


def test_a_word_may_open_the_text_with_a_capital() -> None:
    found = Candidates({"good": "good", "Good": "Goode", "American": "American"}, 3).at_beginning()
    assert dict(found.lemmas) == {"good": "good", "Good": "Goode", "American": "American"}
    assert Candidates({"kind": "kind"}, 1).at_beginning().words == ("kind", "Kind")


# ---- the folder


def people(names: Sequence[str], genders: Sequence[str] = ("female", "male", "non-binary")) -> Any:
    count = len(names)
    return pa.table(
        {
            "qid": [f"Q{n + 1}" for n in range(count)],
            "lang": ["es"] * count,
            "name": list(names),
            "gender": [genders[n % len(genders)] for n in range(count)],
        }
    )


CROWD = [f"{a} {b} {c}" for a, b, c in itertools.product(("king", "old", "she"), OTHERS[:4], "abc")]
CROWD += ["girl", "king [MASK]", CROWD[0], "queen", CROWD[5], "girl"]
KEPT = Vocabulary(
    tuple(sorted([KeptForm("ADJ", w, w) for w in OTHERS[5:10]] + [
        KeptForm("VERB", w, w) for w in SUFFIXED
    ]))
)  # fmt: skip


def generate(out: Path, model: Path, table: pa.Table, **options: Any) -> dict[str, Any]:
    numbers = {"adjectives": 3, "verbs": 6} | {
        name: options.pop(name) for name in ("adjectives", "verbs", "budget") if name in options
    }
    settings = WordSettings(model=str(model), **numbers)
    return generate_words(table, out, lang="es", vocabulary=KEPT, settings=settings, **options)


@pytest.fixture(scope="module")
def whole(bert: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an undisturbed run."""
    out = tmp_path_factory.mktemp("whole") / "out"
    generate(out, bert, people(CROWD))
    return out


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def test_the_table_is_by_person_upos_and_rank(whole: Path) -> None:
    table = pq.read_table(whole / "words.parquet")
    assert table.schema == schema.POLITICIAN_WORDS
    rows = table.to_pylist()
    keys = [(int(row["qid"][1:]), row["upos"], row["rank"]) for row in rows]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)
    assert Counter(row["upos"] for row in rows) == {"ADJ": 3 * 41, "VERB": 6 * 41}
    for one, two in itertools.pairwise(rows):
        if one["qid"] == two["qid"] and one["upos"] == two["upos"]:
            assert one["probability"] >= two["probability"]
    assert {(row["upos"], row["position"]) for row in rows} == {("ADJ", "after"), ("VERB", "after")}
    assert {row["model"] for row in rows} == {
        json.loads((whole / "words.json").read_text())["model"]
    }


def test_people_of_one_name_have_the_same_words_and_their_own_gender(whole: Path) -> None:
    table = people(CROWD)
    rows = pq.read_table(whole / "words.parquet").to_pylist()
    words_of: dict[str, list[Any]] = {}
    genders = dict(zip(table["qid"].to_pylist(), table["gender"].to_pylist(), strict=True))
    for row in rows:
        assert row["gender"] == genders[row["qid"]]
        words_of.setdefault(row["qid"], []).append((row["upos"], row["word"], row["probability"]))
    names: dict[str, str] = {}
    for qid, name in zip(table["qid"].to_pylist(), table["name"].to_pylist(), strict=True):
        if name in names:
            assert words_of[qid] == words_of[names[name]]
        names.setdefault(name, qid)
    assert {"female", "male", "non-binary"} == {row["gender"] for row in rows}


def test_every_row_is_that_of_its_name_alone(whole: Path, bert: Path) -> None:
    rows = pq.read_table(whole / "words.parquet").to_pylist()
    reader = WordReader.load(str(bert))
    prompts = Prompts("es", {"ADJ": "after", "VERB": "after"}, " ")
    lemmas = {upos: KEPT.lemmas(upos) for upos in ("ADJ", "VERB")}
    beside = BesideNames(reader, prompts, lemmas, {"ADJ": 3, "VERB": 6})
    for number, name in enumerate(CROWD):
        own = [row for row in rows if row["qid"] == f"Q{number + 1}"]
        (alone,) = beside.words([name])
        if isinstance(alone, str):
            assert own == []
            continue
        wanted = [(u, rank, *one) for u, ranks in alone.items()
                  for rank, one in enumerate(ranks, start=1)]  # fmt: skip
        assert wanted == [
            (r["upos"], r["rank"], r["word"], r["lemma"], r["probability"]) for r in own
        ]


def test_whoever_has_no_words_is_a_drop(whole: Path) -> None:
    (row,) = pq.read_table(whole / "drops.parquet").to_pylist()
    place = CROWD.index("king [MASK]")
    assert row == {
        "sent_id": f"Q{place + 1}", "row": place, "stage": "politician-words",
        "code": "special-token", "detail": "king [MASK]",
    }  # fmt: skip
    counts = json.loads((whole / "words.json").read_text())["counts"]
    assert counts["dropped"] == {"special-token": 1}
    assert (counts["people"], counts["names"]) == (42, 39)
    assert counts["genders"] == {"female": 14, "male": 14, "non-binary": 14}


@pytest.mark.parametrize("sizes", [(1, 512, 256), (64, 7, 3), (100_000, 1, 1)])
def test_batches_and_parts_change_no_byte(
    whole: Path,
    bert: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    sizes: tuple[int, int, int],
) -> None:
    budget, part, chunk = sizes
    monkeypatch.setattr(words, "_PART", part)
    monkeypatch.setattr(word_reading, "_CHUNK", chunk)
    generate(tmp_path / "out", bert, people(CROWD), budget=budget)
    assert contents(tmp_path / "out") == contents(whole)


def test_exchanged_genders_exchange_nothing_else(whole: Path, bert: Path, tmp_path: Path) -> None:
    turned = people(CROWD, ("male", "female", "non-binary"))
    generate(tmp_path / "out", bert, turned)
    tables = [pq.read_table(f / "words.parquet") for f in (whole, tmp_path / "out")]
    one, two = (table.drop_columns(["gender"]) for table in tables)
    assert one.equals(two)
    swap = {"male": "female", "female": "male", "non-binary": "non-binary"}
    genders = [table.column("gender").to_pylist() for table in tables]
    assert [swap[gender] for gender in genders[0]] == genders[1]


RUN = """
import sys, pickle
from curate.politicians import words
from tests.politicians import test_words as t
words._PART = 1
t.generate(t.Path(sys.argv[1]), t.Path(sys.argv[2]), t.people(t.CROWD))
"""


def test_a_killed_run_is_gone_on_with(whole: Path, bert: Path, tmp_path: Path) -> None:
    out, script = tmp_path / "out", tmp_path / "run.py"
    script.write_text(RUN, encoding="utf-8")
    root = Path(__file__).resolve().parents[2]
    environment = os.environ | {"PYTHONPATH": str(root)}
    process = subprocess.Popen(
        [sys.executable, str(script), str(out), str(bert)], cwd=root, env=environment
    )
    deadline = time.monotonic() + 120
    while finished_parts(out) < 3 and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    kept = finished_parts(out)
    assert 3 <= kept < 39
    done: list[int] = []
    generate(out, bert, people(CROWD), on_progress=lambda rows, of: done.append(rows))
    assert done[0] == kept
    assert done[-1] == 39
    assert contents(out) == contents(whole)
    assert not (out / "parts").exists()


def finished_parts(out: Path) -> int:
    return len(list((out / "parts").glob("*+*.json")))


def test_a_finished_run_is_left_as_it_is_and_another_refused(
    whole: Path, bert: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    first = generate(out, bert, people(CROWD))
    seen: list[int] = []
    again = generate(out, bert, people(CROWD), on_progress=lambda *_: seen.append(1))
    assert first == again
    assert not seen
    with pytest.raises(UsageError, match="a run with another top is finished here"):
        generate(out, bert, people(CROWD), verbs=2)
    with pytest.raises(UsageError, match="another people is finished here"):
        generate(out, bert, people(CROWD[:5]))
    assert contents(out) == contents(whole)
    for damaged in ('{"curate"', "[]"):
        (out / "words.json").write_text(damaged)
        with pytest.raises(InputError, match="not the record of a run"):
            generate(out, bert, people(CROWD))
    manifest = generate(out, bert, people(CROWD), verbs=2, restart=True)
    assert manifest["top"] == {"ADJ": 3, "VERB": 2}


def test_an_unfinished_run_of_another_kind_is_refused(bert: Path, tmp_path: Path) -> None:
    def stop(rows: int, of: int) -> None:
        if rows:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generate(tmp_path, bert, people(CROWD), on_progress=stop)
    with pytest.raises(UsageError, match="an unfinished run with another"):
        generate(tmp_path, bert, people(CROWD), verbs=2)


def test_a_draw_of_people(whole: Path, bert: Path, tmp_path: Path) -> None:
    manifest = generate(tmp_path / "a", bert, people(CROWD), limit=9, seed=2)
    assert manifest["counts"]["people"] == 9
    drawn = pq.read_table(tmp_path / "a" / "words.parquet").to_pylist()
    rows = pq.read_table(whole / "words.parquet").to_pylist()
    qids = {row["qid"] for row in drawn}
    assert drawn == [row for row in rows if row["qid"] in qids]


def test_a_causal_model_leaves_out_what_stands_before_names(gpt2: Path, tmp_path: Path) -> None:
    settings = WordSettings(model=str(gpt2), adjectives=3, verbs=4)
    table = people(["king sat", "girl"])
    manifest = generate_words(table, tmp_path / "en", lang="en", vocabulary=KEPT, settings=settings)
    assert (manifest["kind"], manifest["not_read"]) == ("causal", ["ADJ"])
    rows = pq.read_table(tmp_path / "en" / "words.parquet").to_pylist()
    assert {row["upos"] for row in rows} == {"VERB"}
    alone = WordSettings(model=str(gpt2), verbs=0)
    with pytest.raises(UsageError, match="nothing to read"):
        generate_words(table, tmp_path / "no", lang="en", vocabulary=KEPT, settings=alone)
    assert not (tmp_path / "no").exists()


def test_settings_that_make_no_sense_are_refused(bert: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no words are wanted"):
        generate(tmp_path / "out", bert, people(["king"]), adjectives=0, verbs=0)
    with pytest.raises(InputError, match="no model"):
        generate(tmp_path / "out", Path("nowhere"), people(["king"]))
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match="is a file"):
        generate(tmp_path / "file", bert, people(["king"]))
    assert not (tmp_path / "out").exists()


def test_a_name_that_comes_again_after_many_parts() -> None:
    """Blocks are put together by name, with gaps where a name has no words."""
    names = Names.collect(["a", "b", "c", "a", "d", "b", "a"])
    assert names.distinct == ("a", "b", "c", "d")
    fields = ["upos", "position", "rank", "word", "lemma", "probability"]

    def part(*places: int) -> pa.Table:
        rows = [
            {"place": place, **dict(zip(fields, ("ADJ", "after", 1, f"w{place}", "l", 0.5),
                                        strict=True))}
            for place in places
        ]  # fmt: skip
        return pa.Table.from_pylist(rows) if rows else pa.table({"place": pa.array([], pa.int64())})

    whole = people(["a", "b", "c", "a", "d", "b", "a"])
    tables = list(assemble_words(whole, names, [part(0), part(), part(1, 3)], model="m",
                                 revision="r"))  # fmt: skip
    found = [(row["qid"], row["word"]) for table in tables for row in table.to_pylist()]
    assert found == [
        ("Q1", "w0"), ("Q2", "w1"), ("Q4", "w0"), ("Q5", "w3"), ("Q6", "w1"), ("Q7", "w0")
    ]  # fmt: skip
