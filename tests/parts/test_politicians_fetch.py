"""A fetch from a real SPARQL server gives the truth, whatever goes wrong on the way."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from curate import schema
from curate.errors import CurateError, InputError, RemoteError, UsageError
from curate.politicians.fetch import fetch
from curate.politicians.fetch_settings import Fetch
from tests.parts.wikidata_people import LANGS, UNHEARD_OF, expected, people
from tests.parts.wikidata_proxy import Fault, Proxy, proxied
from tests.parts.wikidata_server import serving

pytestmark = pytest.mark.parts

SMALL, BIG = 5_000, 250_000
CONTACT = "someone@example.org"
COLUMNS = [name for name in schema.POLITICIANS.names if name != "retrieved"]


@pytest.fixture(scope="module")
def folder(request: pytest.FixtureRequest) -> Path:
    kept = request.config.cache
    assert kept is not None
    return kept.mkdir("wikidata")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[str]:
    try:
        with serving(SMALL, folder) as url:
            yield url
    except LookupError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def truth() -> list[tuple[Any, ...]]:
    return list(expected(people(SMALL)))


def rows(out: Path) -> list[tuple[Any, ...]]:
    table = pq.read_table(out / "politicians.parquet")
    assert table.schema.equals(schema.POLITICIANS)
    return list(zip(*(table.column(name).to_pylist() for name in COLUMNS), strict=True))


def run(url: str, out: Path, **wanted: Any) -> dict[str, Any]:
    options = {name: wanted.pop(name) for name in ("restart", "timeout") if name in wanted}
    wish = Fetch(endpoint=url, **{"langs": LANGS, **wanted})
    return fetch(wish, out, contact=CONTACT, pause=0.0, **options)


def assert_polite(proxy: Proxy) -> None:
    assert max(seen.at_once for seen in proxy.log) == 1
    assert all(CONTACT in seen.agent for seen in proxy.log)
    for before, after in pairwise(proxy.log):
        if before.fault and before.fault.retry_after:
            assert after.began - before.ended >= float(before.fault.retry_after)


def test_the_table_is_the_truth(server: str, tmp_path: Path, truth: list[Any]) -> None:
    with proxied(server) as proxy:
        record = run(proxy.url, tmp_path)
    assert rows(tmp_path) == truth
    assert_polite(proxy)
    assert record["requests"]["total"] == len(proxy.log)
    assert record["requests"]["failed"] == 0
    assert record["counts"]["rows"] == len(truth)
    new = sum(UNHEARD_OF in person.genders for person in people(SMALL))
    assert record["counts"]["unlisted_genders"] == {UNHEARD_OF: new}
    assert new > 0
    drops = pq.read_table(tmp_path / "drops.parquet")
    assert drops.schema.equals(schema.DROPS)
    dropped, kept = set(drops.column("sent_id").to_pylist()), {row[0] for row in truth}
    assert not dropped & kept
    assert len(dropped) + len(kept) == record["counts"]["listed"]
    assert CONTACT not in (tmp_path / "fetch.json").read_text()
    assert not (tmp_path / "parts").exists()
    # whole: nothing is asked for again
    assert run(proxy.url, tmp_path) == record


def test_a_few_languages_and_another_year(server: str, tmp_path: Path) -> None:
    run(server, tmp_path, langs=("hi", "en"), born_before=1950, scheme="paper")
    found = rows(tmp_path)
    many = [row for row in expected(people(SMALL), langs=("en", "hi")) if min(row[5]) < 1950]
    assert [row[:4] + row[5:] for row in found] == [row[:4] + row[5:] for row in many]


def test_another_occupation(server: str, tmp_path: Path) -> None:
    run(server, tmp_path, occupations=("Q36180",))
    assert {qid for row in rows(tmp_path) for qid in row[7]} == {"Q36180"}


def bad_luck(seed: int, often: float) -> Any:
    kinds = [
        Fault(status=429, retry_after="1"),
        Fault(status=503),
        Fault(status=504),
        Fault(cut=0),
        Fault(cut=200),
        Fault(cut=300, clean=True),
        Fault(page=True),
    ]
    chance = random.Random(seed)  # noqa: S311
    return lambda number, query: chance.choice(kinds) if chance.random() < often else None


def test_faults_are_survived(server: str, tmp_path: Path, truth: list[Any]) -> None:
    with proxied(server, bad_luck(3, 0.12)) as proxy:
        record = run(proxy.url, tmp_path)
    assert rows(tmp_path) == truth
    assert_polite(proxy)
    faults = Counter(bool(seen.fault) for seen in proxy.log)
    assert faults[True] >= 10
    assert record["requests"]["failed"] == faults[True]
    assert record["requests"]["total"] == len(proxy.log)


def test_what_times_out_is_split(server: str, tmp_path: Path, truth: list[Any]) -> None:
    """The largest country at once, its fifties and a year of them; half a batch; nobody's land."""

    def heavy(number: int, query: str) -> Fault | None:
        whole = "wd:Q30 ;" in query and "YEAR" not in query
        decade = "YEAR(?birth) >= 1950 && YEAR(?birth) < 1960" in query and "wd:Q30 ;" in query
        year = "YEAR(?birth) >= 1955 && YEAR(?birth) < 1956" in query and "STRENDS" not in query
        countries = "GROUP BY" in query and "STRENDS" not in query
        none = "NOT EXISTS {\n    ?person wdt:P27" in query and "YEAR" not in query
        batch = "P569 ?value" in query and query.count("wd:") > 200 * 7
        if any((whole, decade, year, countries, none, batch)):
            return Fault(status=500, body="java.util.concurrent.TimeoutException")
        return None

    with proxied(server, heavy) as proxy:
        record = run(proxy.url, tmp_path)
    assert rows(tmp_path) == truth
    assert record["parts"]["split"] == 5
    assert_polite(proxy)


def test_an_answer_cut_by_the_clock_is_split(server: str, tmp_path: Path, truth: list[Any]) -> None:
    def cut(number: int, query: str) -> Fault | None:
        whole = "wd:Q183 ;" in query and "YEAR" not in query
        return Fault(cut=500, clean=True) if whole else None

    with proxied(server, cut) as proxy:
        record = run(proxy.url, tmp_path)
    assert rows(tmp_path) == truth
    assert record["parts"]["split"] == 1


COMMAND = """
import sys
from curate.cli.politicians import app
app(sys.argv[1:])
"""


def started(url: str, out: Path, langs: tuple[str, ...] = LANGS) -> subprocess.Popen[bytes]:
    arguments = ["fetch", "--langs", ",".join(langs), "--endpoint", url, "--contact", CONTACT,
                 "--out", str(out), "--json"]  # fmt: skip
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def test_killed_and_resumed(server: str, tmp_path: Path, truth: list[Any]) -> None:
    chance, kills = random.Random(11), 6  # noqa: S311
    slow = Fault(delay=0.05)
    with proxied(server, lambda number, query: slow) as proxy:
        for _ in range(kills):
            asked = len(proxy.log)
            process = started(proxy.url, tmp_path)
            while len(proxy.log) == asked and process.poll() is None:
                time.sleep(0.02)
            time.sleep(chance.uniform(0.0, 1.5))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            assert not (tmp_path / "fetch.json").exists()
        finished = list((tmp_path / "parts").glob("*/*.parquet"))
        assert finished
        process = started(proxy.url, tmp_path)
        output = process.communicate()[0]
    assert process.returncode == 0
    assert rows(tmp_path) == truth
    assert max(seen.at_once for seen in proxy.log) <= 2  # a killed one's last, still under way
    # a kill costs the part at work and no more: four batches, or one list
    assert len(proxy.log) - len({seen.query for seen in proxy.log}) <= 4 * kills
    asked = json.loads(output)["requests"]["total"]
    assert len(proxy.log) - kills <= asked <= len(proxy.log)


def test_cut_off_while_the_table_is_written(
    server: str, tmp_path: Path, truth: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(*_: Any) -> None:
        raise KeyboardInterrupt

    with proxied(server) as proxy:
        with monkeypatch.context() as patched:
            patched.setattr("curate.politicians.fetch.record_of", cut_off)
            with pytest.raises(KeyboardInterrupt):
                run(proxy.url, tmp_path)
        (tmp_path / ".politicians.parquet.1.tmp").write_bytes(b"half")
        asked = len(proxy.log)
        record = run(proxy.url, tmp_path)
        assert len(proxy.log) == asked == record["requests"]["total"]
    assert rows(tmp_path) == truth
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"politicians.parquet", "drops.parquet", "fetch.json"}


def test_two_at_once_are_kept_apart(server: str, tmp_path: Path) -> None:
    with proxied(server, lambda number, query: Fault(delay=0.2)) as proxy:
        process = started(proxy.url, tmp_path)
        while not proxy.log and process.poll() is None:
            time.sleep(0.02)
        with pytest.raises(UsageError, match="another fetch is at work here"):
            run(proxy.url, tmp_path)
        process.kill()
        process.communicate()


def test_other_settings_are_refused(server: str, tmp_path: Path) -> None:
    stop = [Fault(status=403)]
    with proxied(server, lambda n, query: stop[0] if "P569 ?value" in query else None) as proxy:
        with pytest.raises(RemoteError, match="access is refused"):
            run(proxy.url, tmp_path)
        with pytest.raises(UsageError, match=r"unfinished .* born_before 2001, not 1990"):
            run(proxy.url, tmp_path, born_before=1990)
        stop[0] = Fault()
        run(proxy.url, tmp_path)
        with pytest.raises(UsageError, match="langs ar,en,es,fr,hi,ru,zh, not en"):
            run(proxy.url, tmp_path, langs=("en",))
        run(proxy.url, tmp_path, langs=("en",), restart=True)
    assert {row[1] for row in rows(tmp_path)} == {"en"}


def test_a_language_without_labels(server: str, tmp_path: Path) -> None:
    with proxied(server) as proxy:
        with pytest.raises(InputError, match="has a label in mt") as raised:
            run(proxy.url, tmp_path, langs=("en", "mt"))
        assert raised.value.exit_code == 2
        assert not (tmp_path / "politicians.parquet").exists()
        asked = len(proxy.log)
        run(proxy.url, tmp_path, langs=("en",))
        assert len(proxy.log) == asked
    assert rows(tmp_path) == expected(people(SMALL), langs=("en",))


ALWAYS = {
    "a query the server rejects": (Fault(status=400, body="Parse error at 1:1"), 3, "Parse error"),
    "a page": (Fault(page=True), 3, "a page instead of data"),
    "shut out": (Fault(status=403), 3, "access is refused"),
    "nothing there": (Fault(status=404), 3, "fails with 404"),
    "a ban": (Fault(status=429, retry_after="90000"), 3, "fails with 429"),
}


@pytest.mark.parametrize("case", ALWAYS)
def test_what_stays_bad_ends_in_one_line(server: str, tmp_path: Path, case: str) -> None:
    fault, code, text = ALWAYS[case]
    with proxied(server, lambda number, query: fault) as proxy:
        with pytest.raises(CurateError, match=text) as raised:
            run(proxy.url, tmp_path)
        assert len(proxy.log) <= 6
    assert raised.value.exit_code == code
    assert "\n" not in str(raised.value)


def test_nobody_there_and_nobody_known(server: str, tmp_path: Path) -> None:
    with pytest.raises(RemoteError, match="cannot be reached"):
        run("http://127.0.0.1:9/query", tmp_path / "down")
    with pytest.raises(UsageError, match="nobody here has this occupation"):
        run(server, tmp_path / "none", occupations=("Q12345678",))


@pytest.mark.skipif(not os.environ.get("CURATE_BIG_FETCH"), reason="CURATE_BIG_FETCH=1: minutes")
def test_a_quarter_of_a_million(folder: Path, tmp_path: Path) -> None:
    """Ten minutes and 1 GB at most, with a fault in a hundred queries and a kill on the way."""
    chance = random.Random()  # noqa: S311 (another moment every time)
    with serving(BIG, folder) as url, proxied(url, bad_luck(5, 0.01)) as proxy:
        began = time.monotonic()
        process = started(proxy.url, tmp_path)
        killed = chance.uniform(20, 120)
        time.sleep(killed)
        process.send_signal(signal.SIGKILL)
        first = os.wait4(process.pid, 0)[2].ru_maxrss
        asked = len(proxy.log)
        _, status, usage = os.wait4(started(proxy.url, tmp_path).pid, 0)
        took, peak = time.monotonic() - began, max(first, usage.ru_maxrss)
    assert status == 0
    record = json.loads((tmp_path / "fetch.json").read_text())
    load = os.getloadavg()[1]
    print(
        f"\n{took:.0f} s, killed after {killed:.0f} s and {asked} queries, {peak / 1024:.0f} MB, "
        f"load {load:.1f} on {os.cpu_count()} processors: "
        f"{record['requests']}, {record['parts']}, {record['counts']}"
    )
    assert rows(tmp_path) == expected(people(BIG))
    again = Counter(seen.query for seen in proxy.log if not seen.fault)
    assert sum(number - 1 for number in again.values()) <= 4
    assert max(seen.at_once for seen in proxy.log[:asked]) == 1
    assert max(seen.at_once for seen in proxy.log[asked + 1 :]) == 1
    assert took <= 600
    assert peak <= 1_000_000
