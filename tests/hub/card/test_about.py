"""The about file: what people say, and what it must not hold."""

from __future__ import annotations

from pathlib import Path

import pytest

import curate.hub.card.about as about_module
from curate.errors import InputError
from curate.hub.card.about import about_of, read_about


def test_the_example_of_the_docstring(tmp_path: Path) -> None:
    example = str(about_module.__doc__).split("::\n", 1)[1].split("\nAn e-mail address")[0]
    lines = [line.removeprefix("    ") for line in example.splitlines()]
    (tmp_path / "about.toml").write_text("\n".join(lines), encoding="utf-8")
    about = read_about(tmp_path / "about.toml")
    assert about["authors"][0]["orcid"] == "0000-0002-1825-0097"
    assert about["licences"][0]["evidence"].startswith("https://")
    assert "notes" not in about  # what is unset is left out
    assert about_of(about).title == about["title"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('titel = "x"', "titel: unknown key"),
        ("title = 3", "title: "),
        ('title = ""', "title: "),
        ('authors = "Ada"', "authors: "),
        ('[[authors]]\nname = "A"\nmail = "b"', "authors.0.mail: unknown key"),
        ('[[authors]]\nname = "A"\norcid = "0000-0002-1825-0098"', "authors.0.orcid: no ORCID"),
        ('[[authors]]\norcid = "0000-0002-1825-0097"', "authors.0.name: "),
        ('homepage = "javascript:alert(1)"', "homepage: "),
        ('doi = "https://doi.org/10.5281/zenodo.1"', "doi: "),
        ('[[licences]]\nsource = "a"\nlicence = "CC0"', "licences.0.evidence: "),
        ('[[licences]]\nsource = "a"\nlicence = "CC0"\nevidence = "a mail"', "licences.0.evidence"),
        ('notes = "ask ada@example.org"', "notes: an e-mail address"),
        ('notes = "hf_abcdefghijklmnopqrstuvwxyz"', "notes: this looks like a token"),
        ('contact = "ghp_abcdefghijklmnopqrstuvwxyz0123"', "contact: this looks like a token"),
        ("title = ", "not TOML"),
        ('title = "a"\ntitle = "b"', "not TOML"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "about.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_about(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert "\n" not in str(caught.value)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_about(tmp_path / "about.toml")
    (tmp_path / "about.toml").write_bytes(b'title = "\xff"')
    with pytest.raises(InputError, match="not UTF-8"):
        read_about(tmp_path / "about.toml")
    (tmp_path / "about.toml").write_bytes(b"#" * 1_000_001)
    with pytest.raises(InputError, match="too large"):
        read_about(tmp_path / "about.toml")


def test_an_address_as_contact(tmp_path: Path) -> None:
    (tmp_path / "about.toml").write_text('contact = "ada@example.org"')
    assert read_about(tmp_path / "about.toml") == {"contact": "ada@example.org"}
