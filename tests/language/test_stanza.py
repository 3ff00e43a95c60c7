"""stanza's documents and folders; its models are too large to train or fetch in a test."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.errors import InputError
from curate.language.parsers import _stanza_words, load_parser

CONLLU = """# text = Vinieron del norte. Duermen.
1\tVinieron\tvenir\tVERB\t_\tNumber=Plur\t0\troot\t_\tstart_char=0|end_char=8
2-3\tdel\t_\t_\t_\t_\t_\t_\t_\tstart_char=9|end_char=12
2\tde\tde\tADP\t_\t_\t4\tcase\t_\t_
3\tel\tel\tDET\t_\tDefinite=Def|Gender=Masc\t4\tdet\t_\t_
4\tnorte\tnorte\tNOUN\t_\t_\t1\tobl:arg\t_\tstart_char=13|end_char=18
5\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\tstart_char=18|end_char=19

1\tDuermen\tdormir\tVERB\t_\t_\t0\troot\t_\tstart_char=20|end_char=27
2\t.\t.\tPUNCT\t_\t_\t1\tPUNCT-x\t_\tstart_char=27|end_char=28

"""
TEXT = "Vinieron del norte. Duermen."


def test_words_of_a_stanza_document() -> None:
    pytest.importorskip("stanza", reason="the extra [stanza]")
    from stanza.utils.conll import CoNLL

    words = list(_stanza_words(CoNLL.conll2doc(input_str=CONLLU)))
    assert [TEXT[w.start : w.end] for w in words] == [
        "Vinieron", "del", "del", "norte", ".", "Duermen", ".",
    ]  # fmt: skip
    assert [w.lemma for w in words[1:3]] == ["de", "el"]
    assert words[2].feats == {"Definite": "Def", "Gender": "Masc"}
    # governors count on through the text; a label that is not UD's is none
    assert [w.head for w in words] == [-1, 3, 3, 0, 0, -1, 5]
    assert [w.relation for w in words[3:]] == ["obl:arg", "punct", "root", ""]


def test_missing_models_are_named(tmp_path: Path) -> None:
    pytest.importorskip("stanza", reason="the extra [stanza]")
    for wish, fault in ((f"stanza:{tmp_path}", "no resources"), ("stanza:xx", "no stanza pipe")):
        parser = load_parser(wish, {})
        assert parser is not None
        with pytest.raises(InputError, match=fault):
            parser.parse(["x"])
