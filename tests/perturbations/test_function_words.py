"""The language of text, by its commonest words and letters."""

from perturbations import Sentence
from perturbations.function_words import known_languages, language_of
from perturbations.languages import codes
from perturbations.lexicons import names
from tests.rows import every

TEXTS = {
    "pt": "O juiz não leu o recurso do réu , mas a sentença foi publicada no dia em que ele morreu na prisão .",
    "en": "The judge did not read the appeal , and it was published on the day that he died in prison .",
    "zh": "法官 没有 看 上诉 , 但是 判决 已经 公布 了 .",
    "es": "El juez no leyó el recurso del acusado , pero la sentencia se publicó el día de su muerte .",
    "gl": "O xuíz non leu o recurso do acusado , pero a sentenza foi publicada no día en que morreu , moi forte .",
    "ca": "El jutge no va llegir el recurs de l' acusat , però la sentència es va publicar el dia que va morir .",
    "it": "Il giudice non ha letto il ricorso , ma la sentenza è stata pubblicata nel giorno in cui morì .",
    "fr": "Le juge n' a pas lu le recours , mais la décision a été publiée le jour de sa mort , et on le sut .",
    "ro": "Judecătorul nu a citit recursul , dar sentința a fost publicată în ziua în care a murit .",
    "de": "Der Richter hat die Berufung nicht gelesen , und so war das Urteil in der Welt , als er starb .",
    "nl": "De rechter heeft het beroep niet gelezen , en het was in de krant op de dag dat hij is gestorven .",
    "ja": "裁判官 は 上訴 を 読ま なかった が , 判決 は 公表 さ れ た .",
    "ko": "판사 는 항소 를 읽지 않았다 .",
}


def text(*sentences: str) -> list[Sentence]:
    return [Sentence(tuple(sentence.split())) for sentence in sentences]


@every("language", TEXTS)
def test_a_language_is_found_where_there_are_cases_for_it_and_no_other_is_taken_for_it(language):
    assert language_of(text(TEXTS[language])) == (language if language in known_languages() else None)
    assert language_of(text(TEXTS[language].upper())) == (language if language in known_languages() else None)


def test_the_known_languages_are_those_with_a_list():
    assert {"en", "pt", "zh"} <= set(known_languages())
    assert known_languages() == tuple(code for code in codes() if f"function_words_{code}" in names())


@every(
    "sentences",
    [
        (),
        ("12 , 30 .", "( 4 )"),
        ("Rio de Janeiro", "Mato Grosso de Cima"),  # one small word alone
        (TEXTS["pt"], TEXTS["en"]),
        (TEXTS["pt"], TEXTS["es"]),
    ],
    ids=["no text", "no words", "names", "two languages", "a language and its neighbour"],
)
def test_without_a_language_that_stands_out_none_is_found(sentences):
    assert language_of(text(*sentences)) is None


def test_a_few_words_of_another_language_change_nothing():
    assert language_of(text(*[TEXTS["pt"]] * 9, TEXTS["en"])) == "pt"
    assert language_of(text(*[TEXTS["en"]] * 9, "El Paso de los Toros")) == "en"


def test_a_long_text_is_looked_at_from_its_beginning_to_its_end():
    """Sampled evenly, a text that begins in one language and goes on as long in another is in neither."""
    assert language_of(text(*[TEXTS["pt"]] * 3000, *[TEXTS["en"]] * 3000)) is None
    assert language_of(text(*[TEXTS["pt"]] * 200, *[TEXTS["en"]] * 5800)) == "en"
