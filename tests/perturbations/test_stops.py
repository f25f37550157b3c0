"""Where sentences end within a text."""

from perturbations import apply, find, parse
from perturbations.languages.questions import question_of, stretches
from perturbations.resources import InOrder
from perturbations.stops import ends_text, sentences_in
from perturbations.text import Sentence
from tests.rows import every


def parts(text: str) -> list[str]:
    """The sentences of a text that white space cuts into tokens."""
    sentence = parse(text)
    return [" ".join(sentence.tokens[start:stop]) for start, stop in sentences_in(sentence)]


@every(
    "text",
    [
        "He met Mr . Smith .",
        "Then-Gov . Walter left .",
        "The U.S . Senate left .",
        "At 5 p.m . He left .",
        "J . R . Smith left .",
        "Smith Inc . Sells it .",
        "Consta ( fls . 3 ) o pedido .",
        "Consta às fls . Todos saíram .",
        "Conforme o art . 246 . O autor saiu .",
        "Rel . Des . Rui Sá votou .",
        "1 . First he left .",
        "No . 5 . Then he left .",
        "He waited ... Then he left .",
        "He waited . . . Then he left .",
        "他 走 …… 我 走 。",
        "他 说 “ 走 。 ” 然 后 走 。",
        '" I go . I stay . " he said .',
        "( He left . I stayed . )",
        "What ? he said .",
    ],
)
def test_what_is_one_sentence_stays_one(text):
    assert parts(text) == [text]


@every(
    ("text", "expected"),
    [
        ("He left . She stayed !", ["He left .", "She stayed !"]),
        ("He came in 1990 . She stayed .", ["He came in 1990 .", "She stayed ."]),
        ("He left ( today ) . She stayed .", ["He left ( today ) .", "She stayed ."]),
        ("good film . it works .", ["good film .", "it works ."]),
        ("他 走 。 我 走 ！", ["他 走 。", "我 走 ！"]),
        ("[Yahoo ! ORG] left . [Ann PER] stayed .", ["Yahoo ! left .", "Ann stayed ."]),
    ],
)
def test_a_stop_behind_a_word_ends_a_sentence(text, expected):
    assert parts(text) == expected


def test_a_stop_without_white_space_ends_a_sentence_only_in_scripts_without():
    assert len(sentences_in(Sentence(("site", ".", "Com", "left", "."), spaces=("", "", " ", "", "")))) == 1
    assert len(sentences_in(Sentence(("走", "。", "走", "。"), spaces=("",) * 4))) == 2


@every(
    ("text", "ends"),
    [
        ("He left .", True),
        ("He left ...", True),
        ("He left . ”", True),
        ("in 2017 .", True),
        ("( fls .", False),
        ("Art . 53 .", False),
        ("He left", False),
    ],
)
def test_a_text_ends_with_a_stop_that_belongs_to_no_abbreviation(text, ends):
    assert ends_text(parse(text)) == ends


def test_sentences_change_places_whole():
    sentence = parse("Mr . Smith of the U.S . left . Dr . Sá stayed .")
    (site,) = find("sentence_order").sites(sentence)
    assert [apply(sentence, [edit]).sentence.text for edit in site] == [
        "Dr . Sá stayed . Mr . Smith of the U.S . left ."
    ]
    assert list(find("sentence_order").sites(parse("O autor saiu . Conforme o art ."))) == []


def test_a_sentence_that_was_cut_behind_an_abbreviation_is_joined_as_one():
    corpus = [parse(text) for text in ("Ana saiu .", "Consta às fls .", "12 o pedido .", "Rui ficou .", "Fim .")]
    concat = find("concat_sent").configured(following=InOrder("corpus", corpus), sentences=2)
    assert concat.sample(corpus[0], seed=1).sentence.text == "Ana saiu . Consta às fls . 12 o pedido . Rui ficou ."
    assert concat.configured(sentences=1).sample(corpus[1], seed=1).sentence.text == (
        "Consta às fls . 12 o pedido . Rui ficou ."
    )


def test_questions_are_cut_at_no_abbreviation():
    question = question_of("Mr. J. Smith lives in the U.S. now. What does he pay?")
    assert [" ".join(question.tokens[each.start : each.stop]) for each in stretches(question)] == [
        "Mr . J . Smith lives in the U . S . now",
        "What does he pay",
    ]


def test_no_remark_comes_behind_an_abbreviation():
    long = "O juiz ouviu a testemunha e o réu no dia seguinte , conforme fls ."
    sites = list(find("irrelevant_text").sites(parse(long)))
    assert {edit.start for site in sites for edit in site} == {0}
