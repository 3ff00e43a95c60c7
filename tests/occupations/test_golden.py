"""Sentences written by hand from grammar: what each language makes of a new subject."""

from __future__ import annotations

from functools import cache

import pytest

from curate.lexicon import load_lexicon
from curate.lexicon.occupations import load_occupations
from curate.occupations import Built, build_table
from curate.occupations.counts import Sentence
from curate.schema import sentence_id
from curate.swap import Swapper

TOLD = [
    # articles that follow the next sound; one form for all
    ("en", "A man is singing.", "nurse", "A nurse is singing."),
    ("en", "A man is singing.", "accountant", "An accountant is singing."),
    ("en", "A woman is singing.", "officer", "An officer is singing."),
    ("en", "A woman is singing.", "he", "He is singing."),
    ("en", "A man is singing.", "she", "She is singing."),
    # en and ett
    ("sv", "En man sjunger.", "nurse", "En sjuksköterska sjunger."),
    ("sv", "En kvinna sjunger.", "kitchen-helper", "Ett köksbiträde sjunger."),
    ("sv", "En kvinna sjunger.", "he", "Han sjunger."),
    ("sv", "En man sjunger.", "homemaker.feminine", "En hemmafru sjunger."),
    ("sv", "En kvinna är trött.", "doctor", "En läkare är trött."),
    # nouns keep their capital; a neutral noun has a gender of its own
    ("de", "Ein Mann singt.", "nurse.feminine", "Eine Krankenpflegerin singt."),
    ("de", "Ein Mann singt.", "nurse.neutral", "Eine Pflegekraft singt."),
    ("de", "Eine Frau singt.", "doctor.masculine", "Ein Arzt singt."),
    ("de", "Eine Frau singt.", "he", "Er singt."),
    # predicates agree with the noun
    ("es", "Un hombre está cansado.", "nurse.feminine", "Una enfermera está cansada."),
    ("es", "Una mujer está cansada.", "nurse.masculine", "Un enfermero está cansado."),
    ("es", "Una mujer está cansada.", "journalist.masculine", "Un periodista está cansado."),
    ("es", "Un hombre está cansado.", "journalist.feminine", "Una periodista está cansada."),
    ("es", "Un hombre está cansado.", "homemaker.feminine", "Un ama de casa está cansada."),
    ("es", "Un hombre está cansado.", "she", "Ella está cansada."),
    ("fr", "Un homme est assis.", "nurse.feminine", "Une infirmière est assise."),
    ("fr", "Une femme est assise.", "lawyer.masculine", "Un avocat est assis."),
    ("fr", "Une femme est assise.", "judge.masculine", "Un juge est assis."),
    ("fr", "Un homme est assis.", "she", "Elle est assise."),
    # un, uno, una, un'
    ("it", "Un uomo è seduto.", "nurse.feminine", "Un'infermiera è seduta."),
    ("it", "Una donna è seduta.", "psychologist.masculine", "Uno psicologo è seduto."),
    ("it", "Una donna è seduta.", "scientist.masculine", "Uno scienziato è seduto."),
    ("it", "Un uomo è seduto.", "security-guard.neutral", "Una guardia giurata è seduta."),
    ("it", "Un uomo canta.", "teacher.masculine", "Un insegnante canta."),
    ("it", "Un uomo canta.", "teacher.feminine", "Un'insegnante canta."),
]

DEFINITE = [
    ("en", "A man is singing.", "officer", "The officer is singing."),
    ("sv", "En man sjunger.", "nurse", "Sjuksköterskan sjunger."),
    ("sv", "En man sjunger.", "kitchen-helper", "Köksbiträdet sjunger."),
    ("de", "Eine Frau singt.", "teacher.neutral", "Die Lehrkraft singt."),
    ("es", "Una mujer canta.", "homemaker.feminine", "El ama de casa canta."),
    ("es", "Una mujer canta.", "architect.feminine", "La arquitecta canta."),
    ("fr", "Une femme chante.", "lawyer.masculine", "L'avocat chante."),
    ("fr", "Une femme chante.", "judge.feminine", "La juge chante."),
    ("it", "Una donna canta.", "psychologist.masculine", "Lo psicologo canta."),
    ("it", "Una donna canta.", "lawyer.feminine", "L'avvocata canta."),
]

LEFT_OUT = [
    ("en", "A man attacks a woman.", "other-gender-word"),
    ("en", "A man walks his dog.", "other-gender-word"),
    ("en", "A man's hat is red.", "not-the-subject"),
    ("en", "A man in a hat is singing.", "modified-subject"),
    ("en", "A man riding a horse.", "modified-subject"),
    ("en", "A man and a dog are running.", "coordinated-subject"),
    ("en", "A man!", "no-predicate"),
    ("en", "A man is \x07 singing.", "bad-text"),
    ("sv", "En man som sjunger sitter.", "modified-subject"),
    ("sv", "En kvinna rakar en man.", "other-gender-word"),
    ("de", "Ein Mann, der singt, tanzt.", "modified-subject"),
    ("de", "Ein Mann und ein Hund rennen.", "coordinated-subject"),
    ("es", "Un hombre sentado canta.", "modified-subject"),
    ("es", "Un hombre calvo canta.", "modified-subject"),
    ("fr", "Un homme d'une cinquantaine d'années chante.", "modified-subject"),
    ("fr", "Un homme masqué chante.", "modified-subject"),
    ("fr", "Une femme voilée chante.", "modified-subject"),
    ("it", "Un uomo che canta balla.", "modified-subject"),
    ("it", "Un uomo anziano canta.", "modified-subject"),
]


OTHERS = ["The man is singing.", "A manual is read.", "A dog sings."]


@cache
def _built(lang: str, article: str) -> Built:
    """All golden sentences of a language at once."""
    lexicon = load_lexicon(lang)
    golden = [row[:2] for row in (*TOLD, *DEFINITE, *LEFT_OUT)]
    texts = dict.fromkeys(text for own, text in golden if own == lang)
    sentences = [Sentence(row, text) for row, text in enumerate((*texts, *OTHERS))]
    return build_table(
        sentences, lexicon, load_occupations(lexicon), Swapper(lexicon), article=article
    )


def _told(lang: str, text: str, column: str, article: str) -> str:
    """The sentence as the table has it, told from `text` or from what is said so of the other."""
    built = _built(lang, article)
    [row] = [row for row in built.wide.to_pylist() if text in _same_told(built, row)]
    return str(row[column])


def _same_told(built: Built, row: dict[str, object]) -> list[str]:
    """The source texts of a row: its own, and those that differ from it in gender alone."""
    place = f"as row {row['row']}"
    same = [drop["sent_id"] for drop in built.drops.to_pylist() if drop["detail"] == place]
    texts = [text for _, text, *_ in (*TOLD, *DEFINITE)]
    lang = str(row["lang"])
    return [str(row["source_text"]), *(t for t in texts if sentence_id(lang, t) in same)]


@pytest.mark.parametrize(("lang", "text", "column", "expected"), TOLD)
def test_the_subject_is_exchanged(lang: str, text: str, column: str, expected: str) -> None:
    assert _told(lang, text, column, "indefinite") == expected


@pytest.mark.parametrize(("lang", "text", "column", "expected"), DEFINITE)
def test_the_definite_article(lang: str, text: str, column: str, expected: str) -> None:
    assert _told(lang, text, column, "definite") == expected


@pytest.mark.parametrize(("lang", "text", "code"), LEFT_OUT)
def test_what_cannot_be_told_is_dropped(lang: str, text: str, code: str) -> None:
    built = _built(lang, "indefinite")
    assert text not in built.wide.column("source_text").to_pylist()
    own = [d["code"] for d in built.drops.to_pylist() if d["sent_id"] == sentence_id(lang, text)]
    assert own == [code]


@pytest.mark.parametrize("text", OTHERS)
def test_sentences_about_others_are_not_ours(text: str) -> None:
    built = _built("en", "indefinite")
    assert text not in built.wide.column("source_text").to_pylist()
    assert sentence_id("en", text) not in built.drops.column("sent_id").to_pylist()


def test_an_ett_word_is_left_out_where_its_predicate_would_agree() -> None:
    assert _told("sv", "En kvinna är trött.", "doctor", "indefinite") == "En läkare är trött."
    built = _built("sv", "indefinite")
    assert _told("sv", "En kvinna är trött.", "kitchen-helper", "indefinite") == "None"
    drops = [drop for drop in built.drops.to_pylist() if drop["stage"] == "occupations-form"]
    assert [drop["code"] for drop in drops] == ["neuter-predicate"]
    assert drops[0]["detail"].startswith("kitchen-helper:")
