"""STS sets: four layouts, and every way in which a file is none."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from curate.errors import InputError, UsageError
from curate.sources.sts import STS, StsSet, read_sts

ORIGINAL = (
    'main-captions\tMSRvid\t2012test\t0001\t2.500\tA man says "no".\tA woman, too.\n'
    'main-news\tx\ty\t0002\t5\t"Yes," he said\tShe said "yes"\thttp://a\thttp://b\n'
)


def write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


def rows(read: StsSet) -> list[tuple[int, str, str, float]]:
    assert read.table.schema == STS
    return [tuple(row.values()) for row in read.table.to_pylist()]


def test_the_original_has_no_quoting_and_perhaps_two_more_columns(tmp_path: Path) -> None:
    read = read_sts(write(tmp_path / "sts-test.csv", ORIGINAL))
    assert (read.layout, read.rows) == ("original", 2)
    assert rows(read) == [
        (0, 'A man says "no".', "A woman, too.", 2.5),
        (1, '"Yes," he said', 'She said "yes"', 5.0),
    ]


def test_tabs_under_a_header_are_quoted_or_not(tmp_path: Path) -> None:
    head = "genre\tfilename\tsentence1\tsentence2\tscore\r\n"
    quoted = head + 'g\tf\t"Han sa ""ja""."\tHon.\t2.5\r\n'
    plain = head + 'g\tf\tHan sa "ja".\tHon "\t2.5\r\n'
    first = read_sts(write(tmp_path / "a.tsv", quoted))
    second = read_sts(write(tmp_path / "b.tsv", plain))
    assert (first.layout, second.layout) == ("tsv", "tsv")
    assert rows(first) == [(0, 'Han sa "ja".', "Hon.", 2.5)]
    assert rows(second) == [(0, 'Han sa "ja".', 'Hon "', 2.5)]


def test_quoted_csv_with_and_without_a_header(tmp_path: Path) -> None:
    body = '"Un homme, assis.",Une femme.,2.5\n"Il dit ""oui"".",Elle.,0\n'
    expected = [(0, "Un homme, assis.", "Une femme.", 2.5), (1, 'Il dit "oui".', "Elle.", 0.0)]
    assert rows(read_sts(write(tmp_path / "a.csv", body))) == expected
    headed = "sentence1,sentence2,similarity_score\n" + body
    assert rows(read_sts(write(tmp_path / "b.csv", headed))) == expected
    packed = tmp_path / "c.csv.gz"
    packed.write_bytes(gzip.compress(body.encode()))
    assert rows(read_sts(packed)) == expected


def test_texts_are_in_nfc_without_space_at_their_ends(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "Une  e\u0301le\u0300ve. , b ,1\n")
    assert rows(read_sts(path)) == [(0, "Une  élève.", "b", 1.0)]


BROKEN = {
    "six columns": ("a\tb\tc\td\t1.0\tA man.\n", ":1: 6 columns, 7 to 9 are wanted"),
    "one column less later": (ORIGINAL + "a\tb\tc\td\t1\tA man.\n", ":3: 6 columns"),
    "a score that is none": (
        "a\tb\tc\td\tmuch\tA man.\tA woman.\n",
        ":1: the score 'much' is not a number",
    ),
    "no score": ("a\tb\tc\td\t\tA man.\tA woman.\n", ":1: the score '' is not a number"),
    "nan": ("A man.,A woman.,nan\n", ":1: the score 'nan' is not a number"),
    "an empty sentence": ("a\tb\tc\td\t1\tA man.\t \n", ":1: sentence2 is empty"),
    "the original, quoted": (
        'a\tb\tc\td\t1\t"A ""man""."\tA woman.\n',
        ":1: the cell is quoted as in CSV",
    ),
    "a comma without quotes": (
        "A man.,A woman.,1\nA man, sitting.,A woman.,2\n",
        ":2: 4 columns, 3 are wanted",
    ),
    "broken quotes": ('A man.,A woman.,1\n"A man.,A woman.,2\n', ":2: broken quotes"),
    "text after quotes": ('"A man" sits.,A woman.,2\n', ":1: broken quotes"),
    "a header without score": ("sentence1,sentence2\na,b\n", ":1: no column 'score'"),
    "a header without sentence2": (
        "id\tsentence1\tscore\n1\tA man.\t2\n",
        ":1: no column 'sentence2'",
    ),
    "nothing": ("", "the file is empty"),
    "blank lines": ("\n\n", "the file is empty"),
    "a header alone": ("sentence1,sentence2,score\n", "there are no sentence pairs here"),
    "plain text": ("A man is singing.\n", ":1: 1 columns, 3 are wanted"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_such_file_is_refused_with_its_line(tmp_path: Path, name: str) -> None:
    text, message = BROKEN[name]
    with pytest.raises(InputError) as caught:
        read_sts(write(tmp_path / "set.csv", text))
    assert message in str(caught.value) and "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_other_bytes_and_missing_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    path.write_bytes("Élève.,b,1\n".encode("latin-1"))
    with pytest.raises(InputError, match=":1: not UTF-8"):
        read_sts(path)
    with pytest.raises(InputError, match="no such file"):
        read_sts(tmp_path / "none.csv")
    with pytest.raises(UsageError, match="no splits"):
        read_sts(path, split="test")


def test_a_dataset_folder_as_from_the_hub(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    folder = tmp_path / "set"
    folder.mkdir()
    header = "sentence1,sentence2,score\n"
    write(folder / "train.csv", header + "A dog.,A cat.,0.5\n")
    write(folder / "test.csv", header + "A man sings.,A woman.,1.5\n")
    read = read_sts(f"hub:{folder}", split="test")
    assert (read.layout, rows(read)) == ("hub", [(0, "A man sings.", "A woman.", 1.5)])
    assert rows(read_sts(f"hub:{folder}::train")) == [(0, "A dog.", "A cat.", 0.5)]
    with pytest.raises(UsageError, match="which split"):
        read_sts(f"hub:{folder}")
    with pytest.raises(UsageError, match="names a split"):
        read_sts(f"hub:{folder}::train", split="test")


def test_a_dataset_without_the_columns_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    folder = tmp_path / "set"
    folder.mkdir()
    write(folder / "test.csv", "text,score\nA man.,1\n")
    with pytest.raises(InputError, match="no column 'sentence1'"):
        read_sts(f"hub:{folder}:default:test")


@pytest.mark.parametrize(
    ("name", "layout"),
    [("sts-test.csv", "original"), ("test-sv.tsv", "tsv"), ("stsb-fr-test.csv.gz", "csv")],
)
def test_real_sets_are_read_whole(shared_data: Path, name: str, layout: str) -> None:
    read = read_sts(shared_data / "stsb" / name)
    assert (read.layout, read.rows) == (layout, 1379)
