"""Paraphrases of exam stems: phrases put for others, clauses that move, and quotations, which stay as they are."""

import pytest

from docs.making.questions import EXAMPLES, example
from perturbations.families.choice import PARAPHRASES, paraphrases, question_of
from perturbations.languages.questions import quoted_places
from perturbations.lexicons import rows
from tests.rows import every


def made(question: str, rule: str, language: str) -> str | None:
    """The question as the rule rewords it."""
    return next((each.text for each in paraphrases(question, 99, language) if each.kind == rule), None)


@every(
    ("rule", "question", "expected"),
    [
        ("these", "Which of these lakes is salty?", "Which of the following lakes is salty?"),
        ("likely", "The jury will most likely", "The jury will most probably"),
        ("likely", "The tenant is likely to win.", "The tenant will probably win."),
        ("example", "This is an example of", "This exemplifies"),
        ("best", "Which of the two best describes rust?", "Which of the two most accurately describes rust?"),
        ("called", "A group of lions is called a", "A group of lions is known as a"),
        ("called", "Water as a gas is referred to as:", "Water as a gas is called:"),
        ("task", "Find the sum of 3 and 4.", "Determine the sum of 3 and 4."),
        ("kind", "Sand is what type of soil?", "Sand is what kind of soil?"),
        ("purpose", "What is the main reason for frost?", "What is the principal reason for frost?"),
        ("verb", "The term thaw refers to", "The term thaw denotes"),
        ("about", "Which statement about frogs is true?", "Which statement regarding frogs is true?"),
        ("people", "A person who bakes bread is a", "Someone who bakes bread is a"),
        ("quantity", "Birds come each year to", "Birds come every year to"),
        ("except", "All birds have the following EXCEPT", "All birds have the following EXCEPT FOR"),
        ("connective", "In order to float, a boat needs", "To float, a boat needs"),
        ("adverb", "Frost most often comes in", "Frost most frequently comes in"),
        ("negation", "Which sentence is incorrect?", "Which sentence is not correct?"),
        ("contraction", "A whale is not a fish, since it", "A whale isn't a fish, since it"),
        ("contraction", "What is the sum of 2 and 3?", "What's the sum of 2 and 3?"),
        ("verb", "The owner sued the baker.", "The owner brought suit against the baker."),
        ("condition", "If rain falls, what happens to the soil?", "What happens to the soil if rain falls?"),
        ("condition", "If x is 2, then what is 3x?", "What is 3x if x is 2?"),
        ("frame", "In old law, what was a fief?", "What was a fief, in old law?"),
        ("frame", "What is virtue, according to Plato?", "According to Plato, what is virtue?"),
        ("meaning", "What does frost mean?", "What is the meaning of frost?"),
        ("stated", "What is the sum of 2 and 3?", "State the sum of 2 and 3."),
        ("stated", "If x is 2, what is the value of 3x?", "If x is 2, state the value of 3x."),
        ("stated", "Who wrote the first law?", "State who wrote the first law."),
        ("view", "According to Plato, the soul is", "In the view of Plato, the soul is"),
        ("determiner", "In what year did the bridge fall?", "In which year did the bridge fall?"),
    ],
)
def test_an_english_phrase_is_put_for_another(rule, question, expected):
    assert made(question, rule, "en") == expected


@every(
    ("rule", "question", "expected"),
    [
        ("asked", "Sobre o voto, assinale a opção correta.", "Sobre o voto, qual é a opção correta?"),
        ("asked", "Assinale a única alternativa que cita um rio.", "Qual é a única alternativa que cita um rio?"),
        ("choose", "Assinale a afirmativa incorreta.", "Indique a afirmativa incorreta."),
        ("option", "Assinale a opção correta.", "Assinale a alternativa correta."),
        ("correct", "Sobre o prazo, é correto afirmar que", "Sobre o prazo, é certo afirmar que"),
        ("correct", "É INCORRETO AFIRMAR QUE", "NÃO É CORRETO AFIRMAR QUE"),
        ("according", "De acordo com a lei, o juiz deve", "Conforme a lei, o juiz deve"),
        ("according", "À luz do Código Civil, o prazo é de", "Sob a ótica do Código Civil, o prazo é de"),
        ("about", "No que se refere à posse, o dono", "No que diz respeito à posse, o dono"),
        ("about", "Sobre a multa, o réu", "Acerca da multa, o réu"),
        ("given", "Diante do exposto, o réu", "Em face do exposto, o réu"),
        ("given", "Com base no caso narrado, o réu", "Com base no caso descrito, o réu"),
        ("must", "Nesta ação, o autor deverá", "Nesta ação, o autor deve"),
        ("except", "São crimes, EXCETO", "São crimes, SALVO"),
        ("except", "Todas valem, à exceção de uma. Assinale-a.", "Todas valem, exceto uma. Assinale-a."),
        ("asking", "No caso, qual o prazo do recurso?", "No caso, qual é o prazo do recurso?"),
        ("verb", "Ana ajuizou ação contra Rui.", "Ana propôs ação contra Rui."),
        ("connective", "Ele pagou em razão disso e", "Ele pagou em virtude disso e"),
    ],
)
def test_a_portuguese_phrase_is_put_for_another(rule, question, expected):
    assert made(question, rule, "pt") == expected


@every(
    ("rule", "question", "language"),
    [
        ("because", "The game ended because of the rain.", "en"),
        ("likely", "Which is least likely to float?", "en"),
        ("contraction", "Which of the three is NOT a fish?", "en"),  # capitals are there to be seen
        ("called", "The witness is called by the court.", "en"),
        ("condition", "If the tenant pays, will he stay?", "en"),  # "he" would come before the tenant
        ("frame", "By what right, should the king rule?", "en"),
        ("frame", "In this town, what is its name?", "en"),
        ("meaning", "What does it mean?", "en"),
        ("view", "According to the text, the soul is", "en"),
        ("stated", "What is the name of the plant used for?", "en"),  # more than a noun
        ("stated", "What is the name of the lake and where is it?", "en"),
        ("stated", "Who did the king of France fear?", "en"),
        ("stated", "What is the sum of 2 and 3? And of 4?", "en"),
        ("determiner", "I know what year it was.", "en"),
        ("connective", "Even although", "en"),
        ("asked", "Assinale a opção correta: o prazo. Depois, siga.", "pt"),
        ("asked", "Assinale-a.", "pt"),
        ("according", "No segundo a contar de hoje,", "pt"),
        ("about", "A ilha fica longe em relação ao porto.", "pt"),
        ("given", "Ele parou diante do juiz.", "pt"),
    ],
)
def test_what_only_looks_like_a_phrase_is_left_alone(rule, question, language):
    assert made(question, rule, language) is None


@every(
    ("question", "language"),
    [
        ('The sign says "which of the following is often called frost".', "en"),
        ("The sign says “What is the time, approximately?”.", "en"),
        ("The book is named 'often seen'.", "en"),
        ('A lei diz: "de acordo com o juiz".', "pt"),
        ("A lei diz «é correto afirmar que sim».", "pt"),
        ("This question refers to the following passage. Frost is often seen. He did not go. Who is he?", "en"),
    ],
)
def test_quotations_are_left_alone(question, language):
    assert [each.kind for each in paraphrases(question, 99, language) if each.kind not in ("orig", "verb")] == []


def test_around_a_quotation_phrases_are_put_for_others():
    assert made('A rule "is often kept" but not often.', "adverb", "en") == 'A rule "is often kept" but not frequently.'


@every(
    ("question", "expected"),
    [
        ('He said "go on" twice', ["go", "on"]),
        ("The dogs' bowl and Ann's 'red hat' are here", ["red", "hat"]),
        ("He said “go", ["go"]),  # a mark that none closes
        ("5' 10 and 6'", []),
        ("Leia o trecho a seguir. Era uma vez. Quem fala?", ["Era", "uma", "vez", "."]),
    ],
)
def test_the_tokens_of_quotations_are_found(question, expected):
    sentence = question_of(question)
    assert [sentence.tokens[place] for place in sorted(quoted_places(sentence))] == expected


def test_the_last_phrase_is_the_one_that_changes():
    assert made("Frost often comes. It often", "adverb", "en") == "Frost often comes. It frequently"


@pytest.mark.parametrize("language", ["en", "pt"])
def test_no_phrase_of_the_lists_is_put_for_itself_and_every_neighbour_is_told(language):
    for phrase, other, rule, before, after in rows(f"question_phrases_{language}"):
        assert phrase != other
        assert rule.isalpha()
        assert before
        assert after


@pytest.mark.parametrize("language", ["en", "pt"])
def test_every_rule_is_applied_and_the_page_has_an_example_of_each_in_order(language):
    assert {row[2] for row in rows(f"question_phrases_{language}")} <= set(PARAPHRASES[language])
    assert list(EXAMPLES[language]) == [*PARAPHRASES[language]]
    assert all(before != after for before, after in (example(rule, language) for rule in EXAMPLES[language]))
