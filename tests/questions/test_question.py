"""Multiple choice: what a question must have, and where its right answer goes when the options move."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.questions.question import MOST_PARAPHRASES, Choice
from perturbations.families.choice import FORMATTINGS
from tests.rows import every
from tests.tasks.choice.prompts import paraphrased, reformatted, unchanged

CAPITAL = Choice("q1", "Which  city is the capital of Chile?", ("Lima", "Quito", "Santiago", "Bogotá"), 2)


@every(
    ("changed", "error", "message"),
    [
        ({"id": ""}, ValueError, "id is ''; expected visible characters"),
        ({"id": "a\nb"}, ValueError, "on one line"),
        ({"id": 1}, TypeError, "expected a string"),
        ({"question": " "}, ValueError, "the question is ' '"),
        ({"options": ["a", "b"]}, TypeError, "expected a string and a tuple"),
        ({"options": ("a",), "target": 0}, ValueError, "1 options; expected at least 2"),
        ({"options": ("a", ""), "target": 0}, ValueError, "option 1 is ''"),
        ({"options": tuple("abcdefghijklmnopqrstuvwxyz0")}, ValueError, "27 options; expected at most 26"),
        ({"target": 4}, ValueError, "target is 4; expected 0 to 3"),
        ({"target": -1}, ValueError, "target is -1; expected 0 to 3"),
        ({"target": True}, TypeError, "target is True; expected the place"),
        ({"target": "C"}, TypeError, "target is 'C'; expected the place"),
        ({"language": "fr"}, ValueError, "language is 'fr'; expected 'en' or 'pt' or None"),
    ],
)
def test_what_is_no_choice_is_an_error(changed, error, message):
    given = {"id": "q", "question": "Which?", "options": ("a", "b", "c", "d"), "target": 0} | changed
    with pytest.raises(error, match=message):
        Choice(**given)


def test_paraphrases_keep_options_and_target():
    original, other = paraphrased(CAPITAL)
    assert (original.item, original.variant, original.question) == ("q1", "orig", "Which city is the capital of Chile?")
    assert (other.item, other.variant, other.kind) == ("q1", "para1", "determiner")
    assert other.question == "What city is the capital of Chile?"
    assert (other.options, other.target, other.order) == (CAPITAL.options, 2, (0, 1, 2, 3))


def test_other_orders_carry_the_target_along():
    *_, swapped, turned = reformatted(CAPITAL, 5)
    assert (swapped.variant, swapped.kind, turned.variant, turned.kind) == (
        "pert:order_swap",
        "order:swap",
        "pert:order_rev",
        "order:reverse",
    )
    assert (swapped.options, swapped.target) == (("Bogotá", "Quito", "Santiago", "Lima"), 2)
    assert (turned.options, turned.target) == (("Bogotá", "Santiago", "Quito", "Lima"), 1)
    assert (swapped.order, turned.order) == ((3, 1, 2, 0), (3, 2, 1, 0))


def test_an_answer_means_the_option_of_the_original():
    turned = reformatted(CAPITAL, 5)[-1]
    assert [turned.original(place) for place in (0, 1, 2, 3, None)] == [3, 2, 1, 0, None]
    for place in (4, -1):
        with pytest.raises(ValueError, match=f"answer {place}; expected 0 to 3, or None"):
            turned.original(place)


def test_by_default_there_are_two_paraphrases_and_three_changes_of_form_at_most():
    asked = Choice("q", "Which of the following causes tides? Which metal is it ?", ("a", "b"), 0)
    assert [each.variant for each in paraphrased(asked)] == ["orig", "para1", "para2"]
    assert [each.variant for each in reformatted(asked)] == ["orig", "pert:punct", "pert:space", "pert:preamble"]


def test_the_language_that_is_given_counts():
    asked = Choice("q", "Neon?", ("sim", "não"), 0, "pt")
    assert reformatted(asked)[-1].question == "Leia a pergunta e escolha uma resposta. Neon?"


@given(st.data())
def test_in_every_variant_the_target_is_the_right_option(data):
    options = tuple(data.draw(st.lists(st.sampled_from("abcdefg"), min_size=2, max_size=7)))  # some of them alike
    target = data.draw(st.integers(0, len(options) - 1))
    choice = Choice("q", "Which of the following causes tides?", options, target)
    for prompt in (*paraphrased(choice, MOST_PARAPHRASES), *reformatted(choice, len(FORMATTINGS))):
        assert sorted(prompt.order) == list(range(len(options)))
        assert prompt.original(prompt.target) == target
        assert tuple(options[place] for place in prompt.order) == prompt.options


def test_prompts_name_their_task_and_seed_and_are_told_apart_by_them():
    put = [unchanged(CAPITAL), paraphrased(CAPITAL)[0], reformatted(CAPITAL)[0], reformatted(CAPITAL, seed=7)[0]]
    assert [(prompt.task, prompt.seed) for prompt in put] == [
        ("baseline", 123),
        ("paraphrase_consistency", 123),
        ("perturbation_stability", 123),
        ("perturbation_stability", 7),
    ]
    assert {prompt.variant for prompt in put} == {"orig"}
    assert len({*put, *put}) == 4


def test_logs_have_the_variant_under_the_column_of_its_task():
    reworded, moved = paraphrased(CAPITAL)[1], reformatted(CAPITAL, 5)[-1]
    assert reworded.labels == {"variant": "para1", "paraphrase_id": "para1", "perturbation_kind": None}
    assert moved.labels == {"variant": "pert:order_rev", "paraphrase_id": None, "perturbation_kind": "order:reverse"}
