"""What may be published together, and what is refused in one line."""

from __future__ import annotations

from typing import Any

import pytest

from curate.errors import InputError
from curate.hub.card.facts import Facts, read_facts
from curate.hub.card.licence_table import find_licence, known_licences
from curate.hub.card.licences import licence_findings, refuse_licences, whole_licence
from curate.hub.card.metadata import hub_values
from tests.hub.card.conftest import Release, pair


def facts_of(release: Release, *licences: str, about: dict[str, Any] | None = None) -> Facts:
    release.pairs(
        [
            pair(f"A king {n}", f"A queen {n}", licence=licence, source=f"source{n}")
            for n, licence in enumerate(licences)
        ]
    )
    release.manifest["about"] = about or {}
    return read_facts(release.folder, release.manifest)


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("CC BY 2.0 FR", "cc-by-2.0"),
        ("cc_by_sa_4.0", "cc-by-sa-4.0"),
        ("CC BY-NC-ND 4.0", "cc-by-nc-nd-4.0"),
        ("https://creativecommons.org/licenses/by-sa/3.0/", "cc-by-sa-3.0"),
        ("http://creativecommons.org/licenses/by/2.0/fr/deed.fr", "cc-by-2.0"),
        ("Creative Commons Attribution-ShareAlike 4.0 International", "cc-by-sa-4.0"),
        ("Creative Commons Attribution Non-Commercial No Derivatives 4.0", "cc-by-nc-nd-4.0"),
        ("CC0", "cc0-1.0"),
        ("Public Domain", "public-domain"),
        ("ODbL 1.0", "odbl"),
        ("MIT License", "mit"),
        ("all rights reserved", "all-rights-reserved"),
    ],
)
def test_ways_to_write_a_licence(written: str, found: str) -> None:
    assert find_licence(written).id == found
    assert find_licence(written).known


@pytest.mark.parametrize(
    "written", ["", "unstated", "unknown", "CC", "CC BY", "mine", "C-UDA", "CC BY-SA 3.0 and GFDL"]
)
def test_what_has_to_be_asked(written: str) -> None:
    assert not find_licence(written).known


def test_the_table() -> None:
    """Names on the Hub exist there; no-derivatives and non-commercial are as the ids say."""
    for key, licence in known_licences().items():
        assert licence.hub in hub_values("license")
        if key.startswith("cc-by"):
            assert (licence.derivatives == "no") == ("-nd-" in key)
            assert licence.non_commercial == ("-nc-" in key)
            assert bool(licence.share_alike) == ("-sa-" in key)
            assert licence.attribution
            assert licence.spdx == key.upper()
            assert licence.url.endswith(f"/{key[3:-4]}/{key[-3:]}/")


@pytest.mark.parametrize(
    "licences",
    [
        ["CC BY 4.0"],
        ["CC0 1.0", "CC BY 2.0 FR", "CC BY-SA 3.0", "CC BY-SA 4.0"],
        ["CC BY 4.0", "CC BY-NC 4.0"],
        ["CC BY 4.0", "CC BY-NC-SA 4.0", "CC BY-NC 4.0"],
        ["MIT", "ODC-BY", "Apache-2.0"],
    ],
)
def test_what_may_be_published(empty: Release, licences: list[str]) -> None:
    refuse_licences(facts_of(empty, *licences))


@pytest.mark.parametrize(
    ("licences", "message"),
    [
        (["unstated"], r"en-lsg: the licence of 'source0' \(unstated\) is not known"),
        ([""], r"'source0' \(unstated\) is not known"),
        (["House terms"], r"'source0' \(House terms\) is not known"),
        (["C-UDA"], "is not known"),
        (["CC BY-ND 4.0"], "forbids changed versions, and a pair is one"),
        (["CC BY-NC-ND 4.0"], "forbids changed versions"),
        (["all rights reserved"], "forbids passing it on"),
        (["research only"], "forbids passing it on"),
        (["CC BY-SA 4.0", "CC BY-NC-SA 4.0"], "each ask that what is made of them keeps"),
        (["CC BY-SA 4.0", "GFDL"], "CC-BY-SA-4.0 and gfdl each ask"),
        (["CC BY-SA 4.0", "CC BY-SA 1.0"], "each ask"),
        (["CC BY-SA 4.0", "CC BY-NC 4.0"], "lets everybody sell what is made of it, CC-BY-NC-4.0"),
        (["unstated", "CC BY-ND 4.0"], r"\(and 1 more\)"),
    ],
)
def test_what_is_refused(empty: Release, licences: list[str], message: str) -> None:
    facts = facts_of(empty, *licences)
    with pytest.raises(InputError, match=message) as caught:
        refuse_licences(facts)
    assert "\n" not in str(caught.value)
    assert caught.value.where == "en-lsg"


def test_share_alikes_may_stand_in_configurations_of_their_own(empty: Release) -> None:
    empty.pairs([pair("A king", "A queen", licence="CC BY-NC-SA 4.0", method="msg")], "en-msg")
    refuse_licences(facts_of(empty, "CC BY-SA 4.0"))


def test_people_without_a_licence(release: Release) -> None:
    del release.manifest["runs"]["politicians"]["licence"]
    facts = read_facts(release.folder, release.manifest)
    assert [one.config for one in licence_findings(facts)] == ["politicians"]


EVIDENCE = "https://example.org/terms"


def stated(licence: str, **more: Any) -> dict[str, Any]:
    one = {"source": "source0", "licence": licence, "evidence": EVIDENCE, **more}
    return {"licences": [one]}


def test_an_unstated_licence_may_be_stated(empty: Release) -> None:
    facts = facts_of(empty, "unstated", about=stated("CC BY 4.0"))
    refuse_licences(facts)
    whole = whole_licence(facts.configs[0], facts)
    assert whole is not None
    assert whole.id == "cc-by-4.0"


def test_it_is_stated_for_one_source_only(empty: Release) -> None:
    facts = facts_of(empty, "unstated", "unstated", about=stated("CC BY 4.0"))
    with pytest.raises(InputError, match="'source1'"):
        refuse_licences(facts)


def test_a_licence_of_ones_own_has_to_be_read(empty: Release) -> None:
    with pytest.raises(InputError, match="is not known"):
        refuse_licences(facts_of(empty, "unstated", about=stated("House terms")))
    read = stated("House terms", redistribute=True, derivatives=True)
    refuse_licences(facts_of(empty, "unstated", about=read))


@pytest.mark.parametrize("licence", ["CC BY-ND 4.0", "all rights reserved", "research only"])
def test_no_about_file_loosens_a_licence(empty: Release, licence: str) -> None:
    about = stated("CC BY 4.0", redistribute=True, derivatives=True)
    with pytest.raises(InputError, match="forbids"):
        refuse_licences(facts_of(empty, licence, about=about))


def test_a_known_licence_that_is_stated_is_still_refused(empty: Release) -> None:
    about = stated("CC BY-ND 4.0", redistribute=True, derivatives=True)
    with pytest.raises(InputError, match="forbids changed versions"):
        refuse_licences(facts_of(empty, "unstated", about=about))


@pytest.mark.parametrize(
    ("licences", "whole"),
    [
        (["CC BY 4.0"], "cc-by-4.0"),
        (["CC BY 4.0", "CC0 1.0"], None),
        (["CC BY 2.0", "CC BY-SA 3.0", "CC BY-SA 4.0"], "cc-by-sa-4.0"),
        (["CC BY-SA 4.0", "CC BY-NC-SA 4.0"], None),
        (["unstated"], None),
    ],
)
def test_the_licence_of_a_whole_configuration(
    empty: Release, licences: list[str], whole: str | None
) -> None:
    facts = facts_of(empty, *licences)
    found = whole_licence(facts.configs[0], facts)
    assert (found.id if found else None) == whole
