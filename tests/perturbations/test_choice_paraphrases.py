"""Paraphrases of questions: what each rule makes of them, what it leaves alone, and what all promise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations import apply
from perturbations.families.choice import (
    PARAPHRASES,
    language_of,
    normalise,
    paraphrases,
    question_languages,
    question_of,
)
from perturbations.lexicons import pairs, rows
from tests.rows import every

ADDED = """
    these the following probable which what is are does do caused by result results from brought about because meaning
    of in view state destas destes é são causado causada causados causadas provocado provocada provocados provocadas
    resulta resultam por pelo pela pelos pelas de do da dos das que qual quais como o a os as um uma
    """
LANGUAGES = question_languages()
OTHER = {
    token for each in LANGUAGES for row in rows(f"question_phrases_{each}") for token in question_of(row[1]).tokens
}
"""All that a paraphrase may hold and its question not."""


def made(question: str, rule: str, language: str | None = None) -> str | None:
    """The question as the rule rewords it."""
    return next((each.text for each in paraphrases(question, 9, language) if each.kind == rule), None)


@every(
    ("rule", "question", "expected"),
    [
        ("these", "Which of the following is a metal?", "Which of these is a metal?"),
        ("these", "Which one of the following metals melts first?", "Which one of these metals melts first?"),
        ("these", "In a cell, which of the following is green?", "In a cell, which of these is green?"),
        ("these", "WHICH OF THE FOLLOWING IS A METAL?", "WHICH OF THESE IS A METAL?"),
        ("probable", "What is the most likely cause of the fire?", "What is the most probable cause of the fire?"),
        ("probable", "Which outcome is least likely?", "Which outcome is least probable?"),
        ("probable", "Which of the two is the most likely?", "Which of the two is the most probable?"),
        ("passive", "What causes tides?", "What are tides caused by?"),
        ("passive", "What causes the tides on Earth?", "What are the tides on Earth caused by?"),
        ("passive", "Which gas causes acid rain?", "Which gas is acid rain caused by?"),
        ("passive", "Which of the following causes rabies?", "Which of the following is rabies caused by?"),
        ("passive", "Which process results in erosion?", "Which process does erosion result from?"),
        ("passive", "Which policy leads to price increases?", None),
        ("passive", "Which policy leads to inflation?", "Which policy is inflation brought about by?"),
        (
            "passive",
            "The wind causes the waves. How high are they?",
            "The waves are caused by the wind. How high are they?",
        ),
        ("passive", "A lack of rain leads to a drought.", "A drought is brought about by a lack of rain."),
        ("passive", "Smoking results in cancer.", "Cancer results from smoking."),
        ("passive", "Deforestation leads to soil erosion.", "Soil erosion is brought about by deforestation."),
        ("passive", "Friction causes heat. Which is true?", "Heat is caused by friction. Which is true?"),
        ("passive", "Grace causes trouble.", None),  # a name
        ("passive", "Smoking leads to Vienna.", None),
        ("because", "The ice broke because the lake was warm.", "Because the lake was warm, the ice broke."),
        ("because", "The game ended, because of the rain.", None),  # a cause by a noun
        ("because", "Which law applies because a child signed?", "Because a child signed, which law applies?"),
        ("determiner", "Which planet is the largest?", "What planet is the largest?"),
        ("determiner", "What metal rusts?", "Which metal rusts?"),
        ("determiner", "It rains. Which organ itches?", "It rains. What organ itches?"),
    ],
)
def test_an_english_rule_applies(rule, question, expected):
    assert made(question, rule, "en") == expected


@every(
    ("rule", "question", "expected"),
    [
        ("these", "Qual das seguintes é um metal?", "Qual destas é um metal?"),
        ("these", "Quais dos seguintes países têm mar?", "Quais destes países têm mar?"),
        ("probable", "Qual é a causa mais provável do ruído?", "Qual é a mais provável causa do ruído?"),
        ("probable", "Quais são os efeitos menos prováveis?", "Quais são os menos prováveis efeitos?"),
        ("passive", "O que causa as marés?", "Pelo que são causadas as marés?"),
        ("passive", "Qual gás causa o efeito estufa?", "Por qual gás é causado o efeito estufa?"),
        ("passive", "Quais vírus causam os surtos?", "Por quais vírus são causados os surtos?"),
        ("passive", "Qual dos seguintes causa uma gripe?", "Por qual dos seguintes é causada uma gripe?"),
        ("passive", "Qual destes gases causa a névoa?", "Por qual destes gases é causada a névoa?"),
        ("passive", "Qual reação resulta na formação de sal?", "De qual reação resulta a formação de sal?"),
        ("passive", "O que resulta nos incêndios?", "Do que resultam os incêndios?"),
        ("passive", "Qual hábito leva ao aumento do peso?", "Por qual hábito é provocado o aumento do peso?"),
        ("passive", "Qual hábito leva às reações?", None),
        ("passive", "O vento causa as ondas.", "As ondas são causadas pelo vento."),
        ("passive", "As bactérias causam a cárie.", "A cárie é causada pelas bactérias."),
        ("passive", "Uma faísca causa o incêndio.", "O incêndio é causado por uma faísca."),
        ("passive", "A seca resulta na queda da safra.", "A queda da safra resulta da seca."),
        ("passive", "O vírus causa febre.", "Febre é causada pelo vírus."),
        ("passive", "A dengue causa febre alta e dor.", None),
        ("passive", "O vírus da dengue causa febre alta.", "Febre alta é causada pelo vírus da dengue."),
        ("passive", "As chuvas resultam em erosão.", "Erosão resulta das chuvas."),
        ("passive", "O tabaco causa câncer.", "Câncer é causado pelo tabaco."),
        ("passive", "O gato causa espanto.", None),  # a noun whose gender no list tells
        ("because", "O gelo quebrou porque o lago esquentou.", "Como o lago esquentou, o gelo quebrou."),
        ("because", "O rio subiu, porque choveu muito.", "Como choveu muito, o rio subiu."),
        ("because", "Qual lei vale porque um menor assinou?", "Como um menor assinou, qual lei vale?"),
        ("because", "O que derrete porque o dia está quente?", "Como o dia está quente, o que derrete?"),
        ("determiner", "Qual planeta é o maior?", "Que planeta é o maior?"),
        ("determiner", "Que país é este?", "Qual país é este?"),
        ("determiner", "Que países têm mar?", "Quais países têm mar?"),
    ],
)
def test_a_portuguese_rule_applies(rule, question, expected):
    assert made(question, rule, "pt") == expected


@every(
    "question",
    [
        "What will most likely happen next?",  # an adverb
        "Which is most likely to float?",
        "What causes the seasons to change?",  # more than a noun phrase
        "What causes people pain?",  # two objects
        "Which act causes the buyer loss?",
        "What are the main causes of rust?",  # a noun
        "Which of the following causes explain inflation?",
        "Which of these causes matters?",
        "The main causes include rain.",
        "Which road leads to the station?",  # no cause
        "The test results in Peru fell.",
        "What causes SARS?",  # number unknown
        "What causes economics?",
        "The doctor says stress causes pain.",  # said, not so
        "The car did not stop because the light was red.",  # what has the reason
        "She thinks the road is wet because rain fell.",
        "The alarm rang only because a cat walked past.",
        "This is because the Sun is hot.",
        "The man ate and slept because the day was long.",
        "Ana stayed at home because rain fell.",  # perhaps a name
        "Which metal floats because it is light?",  # "it" is what is asked
        "The answer is unclear because",  # no end
        "The lake froze because ___.",
    ],
)
def test_english_that_a_rule_is_not_sure_of_is_left_alone(question):
    kinds = {each.kind for each in paraphrases(question, 9, "en")}
    assert kinds & {"probable", "passive", "because"} == set()


@every(
    "question",
    [
        "Which of the planets is the largest?",
        "Which person wrote the play?",
        "WHICH GAS CAUSES THE HAZE?",
        "Which is it?",
        "What means of transport is it?",
        "What a planet.",
        "In which of these following years was it?",
        "?",
    ],
)
def test_english_that_no_rule_is_about_is_left_alone(question):
    assert [each.kind for each in paraphrases(question, 9, "en")] == ["orig"]


@every(
    "question",
    [
        "Qual resultado é mais provável?",
        "Qual é o planeta mais provável do que os outros?",
        "Qual é o evento mais provável de ocorrer?",
        "Qual é a causa da seca?",
        "A justa causa o impede.",
        "Qual rua leva à escola?",
        "Qual via leva à estação?",
        "Quem causa o dano?",
        "O que causa calor?",  # no article, no gender
        "O que causa o dia e a noite?",
        "O carro não parou porque o sinal estava verde.",
        "Ele disse que saiu porque o dia estava quente.",
        "Isso é porque o Sol é quente.",
        "Ana ficou em casa porque choveu.",
        "Qual das duas flutua porque é leve?",  # whose subject is what is asked
        "Qual é o maior planeta?",
        "Qual dos planetas é o maior?",
        "Que é isso?",
    ],
)
def test_portuguese_that_no_rule_is_sure_of_is_left_alone(question):
    assert [each.kind for each in paraphrases(question, 9, "pt")] == ["orig"]


def test_variants_are_numbered_as_they_apply_and_come_in_the_order_of_the_rules():
    question = "The ice broke because the lake was warm. Which of the following causes tides? Which metal is it?"
    ids = [(each.id, each.kind) for each in paraphrases(question, 9)]
    assert ids == [
        ("orig", "orig"),
        ("para1", "these"),
        ("para2", "passive"),
        ("para3", "because"),
        ("para4", "determiner"),
    ]
    for k in range(5):
        assert [(each.id, each.kind) for each in paraphrases(question, k)] == ids[: k + 1]


def test_the_original_is_the_normalised_question():
    (original,) = paraphrases("  Who\u00a0 is\n\tA\u0301na ?", 2)
    assert (original.id, original.text, original.question.edits) == ("orig", "Who is Ána ?", ())


def test_the_edits_make_the_paraphrase():
    question = question_of("The wind causes the waves. How high are they?")
    (_, turned) = paraphrases(question.text)
    assert apply(question, turned.question.edits).sentence.text == turned.text
    # waves are ← causes, and the wind moved behind them
    assert turned.question.sentence.tokens[:4] == ("The", "waves", "are", "caused")
    assert turned.question.origins[:4] == ((3,), (4,), (2,), (2,))


@every(
    ("question", "language"),
    [
        ("Which gas is it?", "en"),
        ("Qual gás é este?", "pt"),
        ("As bactérias causam cárie?", "pt"),
        ("Capital?", "en"),
        ("Água?", "pt"),
    ],
)
def test_a_questions_words_tell_its_language(question, language):
    assert language_of(question_of(question)) == language


@every(
    ("arguments", "error", "message"),
    [
        ((3,), TypeError, "the question is 3; expected a string"),
        ((" \n",), ValueError, "expected at least one visible character"),
        (("Why?", -1), ValueError, "k is -1; expected 0 or more"),
        (("Why?", True), TypeError, "k is True; expected a whole number"),
        (("Why?", 1.0), TypeError, "k is 1.0; expected a whole number"),
        (("Why?", 1, "fr"), ValueError, "language is 'fr'; expected 'en' or 'pt'"),
        (("Why?", 1, "ptt"), ValueError, "did you mean 'pt'"),
    ],
)
def test_misuse_is_an_error(arguments, error, message):
    with pytest.raises(error, match=message):
        paraphrases(*arguments)


# Sentences from the rules' own words meet every branch; free text meets none of them.
OPENINGS = """
    Which What The A which of the following most likely is causes results in leads to because tides Ana , . ? ! ; (
    Qual Quais O Os As Que qual das dos seguintes mais provável causa causam resulta na leva ao à porque ondas
    """
VOCABULARY = sorted({word for each in LANGUAGES for word in pairs(f"question_words_{each}")} | set(OPENINGS.split()))
QUESTIONS = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=14).map(" ".join) | st.text(max_size=40).filter(
    str.strip
)
LANGUAGE = st.sampled_from([None, *LANGUAGES])


@given(QUESTIONS, LANGUAGE)
def test_paraphrases_are_the_same_every_time_differ_and_hold_no_other_words(question, language):
    found = paraphrases(question, 99, language)
    assert found == paraphrases(question, 99, language) == paraphrases(found[0].text, 99, language)
    assert found[0].text == normalise(question)
    assert len({each.text for each in found}) == len(found) <= 1 + max(map(len, PARAPHRASES.values()))
    own = {token.lower() for token in found[0].question.sentence.tokens}
    for each in found[1:]:
        assert {token.lower() for token in each.question.sentence.tokens} - own <= {
            *ADDED.split(),
            *OTHER,
            ",",
            "?",
            ".",
        }
        assert normalise(each.text) == each.text
        assert question_of(each.text).text == each.text


@given(st.text().filter(str.strip))
def test_a_questions_words_and_spaces_are_its_normalised_text(text):
    assert question_of(text).text == normalise(text)
    assert normalise(normalise(text)) == normalise(text)
