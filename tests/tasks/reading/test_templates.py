"""Templates of questions about passages, and what an answer has wrong in them."""

import pytest

from abalo.core.protocols.task import tasks
from abalo.core.records.filling import Filled
from abalo.models.questions.protocol import Answered
from abalo.tasks.reading.example import CONTEXT
from perturbations.answers import answer_text, answers_in

TEMPLATES = tasks()["reading"].templates


def filling(**fields):
    return TEMPLATES.written({name: Filled(text) for name, text in fields.items()}, None)


ASKED = {"passage": "Ana lives in Lima. Bob lives in Oslo.", "question": "Where does Bob live?"}


def test_a_template_is_a_question_with_the_answer_at_its_place():
    found = filling(**ASKED, answer="Oslo")
    context = found.example.fields[CONTEXT]
    assert [answer_text(context, span) for span in answers_in(context)] == ["Oslo"]
    assert TEMPLATES.fault(found, Answered("Oslo.")) == ""
    assert TEMPLATES.fault(found, Answered("Lima")) == "answered 'Lima', not 'Oslo'"
    assert TEMPLATES.fault(found, Answered("")) == "answered 'no answer', not 'Oslo'"


def test_an_empty_answer_is_no_answer():
    found = filling(**ASKED, answer="")
    assert TEMPLATES.fault(found, Answered("")) == ""
    assert TEMPLATES.fault(found, Answered("Lima")) == "answered 'Lima', not 'no answer'"


def test_what_is_missing_is_told():
    with pytest.raises(ValueError, match="expected question"):
        filling(passage="Ana lives in Lima.")
    with pytest.raises(ValueError, match="'Rome' does not stand in the passage"):
        filling(**ASKED, answer="Rome")


def test_a_word_is_swapped_in_passage_and_answer():
    ((before, after),) = TEMPLATES.swapped(filling(**ASKED, answer="Oslo").example, "town", "Oslo", "Rome")
    assert before.example.gold == ("Oslo",)
    assert after.example.gold == ("Rome",)
    assert after.example.fields[CONTEXT].text == "Ana lives in Lima. Bob lives in Rome."


def test_two_answers_are_compared_once_normalised():
    found = filling(**ASKED, answer="Oslo")
    assert TEMPLATES.differing(found, Answered("the Oslo"), found, Answered("Oslo")) == ""
    assert TEMPLATES.differing(found, Answered("Lima"), found, Answered("")) == "answered 'Lima', then 'no answer'"
