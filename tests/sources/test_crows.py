"""Files of the CrowS-Pairs family: layouts, encodings, bad rows."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate import schema
from curate.errors import InputError, UsageError
from curate.sources import read_pairs
from curate.sources.crows import CrowsFile, count_drops, read_crows
from curate.sources.decoding import mend_mojibake

HEADER = ",sent_more,sent_less,stereo_antistereo,bias_type,annotations\n"
ROWS = (
    '0,"The aunt, it seems, cannot park.","The uncle, it seems, cannot park.",stereo,gender,[]\n'
    "1,He mends roofs.,She mends roofs.,antistereo,gender,[]\n"
)


def written(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def crows(tmp_path: Path, rows: str, encoding: str = "utf-8") -> CrowsFile:
    return read_crows(written(tmp_path / "c.csv", HEADER + rows, encoding), lang="en")


def test_the_original_layout(tmp_path: Path) -> None:
    read = crows(tmp_path, ROWS)
    assert read.layout == "crows"
    assert read.table.schema == schema.CROWS
    first, second = read.table.to_pylist()
    assert first["sent_more"] == "The aunt, it seems, cannot park."
    assert first["sent_less"] == "The uncle, it seems, cannot park."
    assert (first["stereo_antistereo"], first["bias_type"]) == ("stereo", "gender")
    assert (first["lang"], first["source_id"], first["round"]) == ("en", "0", 0)
    assert (first["masculine"], first["feminine"]) == (None, None)
    assert second["sent_more"] == "He mends roofs."
    assert second["stereo_antistereo"] == "antistereo"
    assert read.drops.num_rows == 0


def test_sjsd_keeps_a_as_the_more_stereotypical_side(tmp_path: Path) -> None:
    text = (
        "ID,A_en,B_en,A_x,B_x,stereo_antistereo\n"
        "7,He dug.,She dug.,Er grub.,Sie grub.,antistereo\n"
        "9,She wept.,He wept.,Sie weinte.,Er weinte.,stereo\n"
    )
    read = read_crows(written(tmp_path / "s.csv", text), lang="de")
    rows = read.table.to_pylist()
    assert read.layout == "sjsd"
    assert [(row["sent_more"], row["sent_less"]) for row in rows] == [
        ("Er grub.", "Sie grub."),
        ("Sie weinte.", "Er weinte."),
    ]
    assert [row["source_id"] for row in rows] == ["7", "9"]
    assert {row["bias_type"] for row in rows} == {"gender"}


def test_columns_by_locale_name_the_language(tmp_path: Path) -> None:
    text = (
        "id\tsent_more_en_US\tsent_less_en_US\tsent_more_fr_FR\tsent_less_fr_FR\t"
        "stereo_antistereo\tbias_type_en_US\tbias_type_fr_FR\n"
        "3\tShe wept.\tHe wept.\tElle pleurait.\tIl pleurait.\tstereo\tgender\tgenre\n"
    )
    path = written(tmp_path / "m.tsv", text)
    both = read_crows(path).table.to_pylist()
    assert [row["lang"] for row in both] == ["en", "fr"]
    assert [row["bias_type"] for row in both] == ["gender", "genre"]
    assert [row["source_id"] for row in both] == ["3", "3"]
    assert [row["source"] for row in both] == ["m.tsv:en_US", "m.tsv:fr_FR"]
    (french,) = read_crows(path, lang="fr").table.to_pylist()
    assert french["sent_more"] == "Elle pleurait."
    with pytest.raises(InputError, match=r"no columns for 'de'; there are: en_US, fr_FR"):
        read_crows(path, lang="de")


def stereoset(path: Path) -> Path:
    def sentences(*texts: str) -> list[dict[str, str]]:
        labels = ("stereotype", "anti-stereotype", "unrelated")
        return [{"sentence": t, "gold_label": g} for t, g in zip(texts, labels, strict=False)]

    within = {
        "id": "w1", "target": "nurse", "bias_type": "gender", "context": "The nurse is BLANK.",
        "sentences": sentences("The nurse is she.", "The nurse is he.", "The nurse is tin."),
    }  # fmt: skip
    between = {
        "id": "b1", "target": "cook", "bias_type": "profession", "context": "We met a cook.",
        "sentences": sentences("She smiled.", "He smiled."),
    }  # fmt: skip
    broken = {"id": "b2", "context": "", "sentences": sentences("Only one.")}
    value = {"data": {"intrasentence": [within], "intersentence": [between, broken]}}
    return written(path, json.dumps(value))


def test_stereoset_drops_what_is_unrelated(tmp_path: Path) -> None:
    read = read_crows(stereoset(tmp_path / "dev.json"), lang="en")
    rows = read.table.to_pylist()
    assert [(row["sent_more"], row["sent_less"]) for row in rows] == [
        ("The nurse is she.", "The nurse is he."),
        ("We met a cook. She smiled.", "We met a cook. He smiled."),
    ]
    assert [row["bias_type"] for row in rows] == ["gender", "profession"]
    assert count_drops(read.drops) == {"unrelated": 1, "cell-count": 1}
    assert "anti-stereotype" in read.drops.to_pylist()[1]["detail"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_give_the_same_table(tmp_path: Path, encoding: str) -> None:
    rows = ROWS.replace("roofs", "röofs")
    assert crows(tmp_path, rows, encoding).table.equals(crows(tmp_path, rows).table)


def test_gzip_is_read(tmp_path: Path) -> None:
    path = tmp_path / "c.csv.gz"
    path.write_bytes(gzip.compress((HEADER + ROWS).encode()))
    assert read_crows(path, lang="en").table.num_rows == 2


def test_other_bytes_are_refused_with_their_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"c\.csv:4: not UTF-8: byte 0xf6"):
        crows(tmp_path, ROWS + "2,Schön.,Gut.,stereo,gender,[]\n", "latin-1")
    with pytest.raises(InputError, match="UTF-16 without a byte order mark"):
        crows(tmp_path, ROWS, "utf-16-le")


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("5,,She left.,stereo,gender,[]", "empty-cell"),
        ("5,  ,She left.,stereo,gender,[]", "empty-cell"),
        ("5,She left.,She left. ,stereo,gender,[]", "equal-sides"),
        ("5,She left.,He left.,both,gender,[]", "bad-direction"),
        ("5,She\x07 left.,He left.,stereo,gender,[]", "control-characters"),
        ("5,She left \ufffd.,He left.,stereo,gender,[]", "control-characters"),
        ("5,She left.,He left.,stereo", "cell-count"),
        ("5,She left.,He left.,stereo,gender,[],more", "cell-count"),
        ("5,He mends roofs.,She mends roofs.,stereo,gender,[]", "duplicate"),
        ("5,She saw the naÃ¯ve Zoë.,He saw the naÃ¯ve Zoë.,stereo,gender,[]", "mojibake"),
    ],
)
def test_bad_rows_become_drops(tmp_path: Path, row: str, code: str) -> None:
    read = crows(tmp_path, ROWS + row + "\n")
    assert read.table.num_rows == 2
    (drop,) = read.drops.to_pylist()
    assert (drop["code"], drop["row"], drop["stage"]) == (code, 2, "crows-import")
    assert drop["detail"].startswith("id 5: ")


def test_mojibake_is_mended_and_counted(tmp_path: Path) -> None:
    spoilt = "Zoë’s café".encode().decode("cp1252")
    assert spoilt != "Zoë’s café"
    read = crows(tmp_path, f"0,{spoilt} and her.,{spoilt} and him.,stereo,gender,[]\n")
    (row,) = read.table.to_pylist()
    assert row["sent_more"] == "Zoë’s café and her."
    assert read.mended == 2


@pytest.mark.parametrize(
    "text",
    [
        "The naïve Zoë — “so” he said … 5 €",
        "«\u00a0Déjà\u00a0» dit-il",
        "HYVÄÄ”",
        "Spaß”",
        "Он сказал «да»",
        "ครูสอน",
    ],
)
def test_good_text_is_no_mojibake(text: str) -> None:
    assert mend_mojibake(text) == (text, "none")


@given(st.text(alphabet="abc äöüßéèñ’“”…", min_size=1))
def test_what_was_read_wrongly_is_read_anew(text: str) -> None:
    """UTF-8 read as Windows-1252 (with Latin-1's controls where that has no letter) comes back."""
    spoilt = "".join(_as_1252(byte) for byte in text.encode())
    assert mend_mojibake(spoilt)[0] == text


def _as_1252(byte: int) -> str:
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


def test_a_foreign_file_needs_its_language(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not name its language"):
        read_crows(written(tmp_path / "c.csv", HEADER + ROWS))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("c.csv", "a,b\n1,2\n", "not a table of CrowS-Pairs; the columns are 'a', 'b'"),
        ("c.csv", "", "the file is empty"),
        ("c.csv", HEADER, "a header and no rows"),
        ("c.json", "{", "not JSON"),
        ("c.json", "[1, 2]", "no list under"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_crows(written(tmp_path / name, text), lang="en")


def test_a_layout_can_be_demanded(tmp_path: Path) -> None:
    path = written(tmp_path / "c.csv", HEADER + ROWS)
    with pytest.raises(InputError, match="in the layout 'sjsd'"):
        read_crows(path, lang="en", layout="sjsd")


def test_our_table_is_read_back_and_scored_under_the_same_ids(tmp_path: Path) -> None:
    table = crows(tmp_path, ROWS).table
    pq.write_table(table, tmp_path / "crows.parquet")
    assert read_crows(tmp_path).table.equals(table)
    with pytest.raises(InputError, match=r"no pairs in 'de' here; there are: en"):
        read_crows(tmp_path, lang="de")
    columns = ("sent_more", "sent_less")
    scored = read_pairs(tmp_path / "crows.parquet", columns=columns, keep=["lang"])
    assert scored.column("pair_id").to_pylist() == table.column("pair_id").to_pylist()


@pytest.mark.parametrize(
    ("name", "lang", "wanted"),
    [
        ("crows_pairs/crows_pairs_anonymized.csv", "en", ("crows", 1507, 1)),
        ("crows_pairs/crows_pairs_revised_en_1677.tsv", "", ("revised", 1677, 0)),
        ("s_jsd/cps_translated_fi_formatted.csv", "fi", ("sjsd", 212, 0)),
    ],
)
def test_the_published_files(
    shared_data: Path, name: str, lang: str, wanted: tuple[str, int, int]
) -> None:
    read = read_crows(shared_data / name, lang=lang)
    assert (read.layout, read.table.num_rows, read.drops.num_rows) == wanted
    assert set(read.drops.column("code").to_pylist()) <= {"duplicate"}
    assert read.mended == 0
