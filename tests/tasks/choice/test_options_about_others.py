"""A model that knows every fact, and reads options about others by where these stand, is not fragile when they move."""

from itertools import combinations

import pytest

from abalo.questions.question import Choice
from abalo.tasks.choice.corpus import Questionnaire
from tests.tasks.choice.test_cases import judged

FACTS = ("ice melts", "fire burns", "rain falls")
LIES = ("lead floats", "gold rusts", "wood sinks")

BY_PLACE = {
    "A, B, and C": (0, 1, 2),
    "Both A & C": (0, 2),
    "Either B or C": (1, 2),
    "A e B": (0, 1),
    "A and B only": (0, 1),
    "As alternativas A e C estão corretas": (0, 2),
    "Options 2 and 3": (1, 2),
    "a. and b. above": (0, 1),
    "The first two": (0, 1),
    "A to C": (0, 1, 2),
    "Neither A nor C": (),
    "I and II only": (0, 1),
    "Apenas I e II": (0, 1),
    "A-C": (0, 1, 2),
    "The previous two options": (1, 2),
    "Alternativa anterior": (2,),
}
"""The places that an option names."""

BY_COUNT = {
    "All of them": 3,
    "All of these options.": 3,
    "Todas elas": 3,
    "Two of the above": 2,
    "Any of the above": 3,
    "Nenhuma delas": 0,
    "None of the other answers": 0,
    "nda": 0,
    "NRA": 0,
    "NOTA": 0,
    "AOTA": 3,
    "Any two of the above": 2,
    "All of the options listed above": 3,
    "Not any of the above": 0,
    "There is no correct answer": 0,
    "Not listed": 0,
}
"""How many of the others are true, by what an option says."""


def knowing(_question, options):
    """The place of the option about others where it holds, else of the one true fact that comes first in `FACTS`."""
    true = {place for place, option in enumerate(options) if option in FACTS}
    (about,) = (place for place, option in enumerate(options) if option not in FACTS + LIES)
    named = BY_PLACE.get(options[about])
    holds = len(true) == BY_COUNT[options[about]] if named is None else true == set(named)
    return about if holds or not true else min(true, key=lambda place: FACTS.index(options[place]))


QUESTIONS = Questionnaire(
    "about others",
    tuple(
        Choice(f"{form}-{''.join(map(str, true))}", "Which of the following holds?", (*others, form), 0)
        for form in (*BY_PLACE, *BY_COUNT)
        for count in range(4)
        for true in combinations(range(3), count)
        if (others := tuple(FACTS[place] if place in true else LIES[place] for place in range(3)))
    ),
)


def test_who_knows_every_fact_is_not_fragile_where_options_speak_of_others():
    run, found = judged("perturbation_stability", knowing, questions=QUESTIONS, k=5)
    assert found.bound_view.estimate("fragility_score", None).value == 0
    # Those that name places are put in their order; of eight questions each, the others move.
    named = 8 * len(BY_PLACE)
    assert run.facts["rewording"]["left_out"] == {"pert:order_swap": named, "pert:order_rev": named}
    assert run.facts["rewording"]["kinds"]["order:swap"] == 8 * len(BY_COUNT)


@pytest.mark.parametrize(
    "question",
    [
        "I. Ice melts. II. Lead floats. III. Rain falls. Which holds?",
        "Julgue: I - o gelo derrete; II - o chumbo boia; III - a chuva cai.",
        "(i) Ice melts (ii) Lead floats (iii) Rain falls",
    ],
)
def test_roman_numerals_that_the_question_lists_let_options_move(question):
    options = ("I only", "II only", "I and III only", "Apenas I e II")
    choices = Questionnaire("listed", (Choice("one", question, options, 2),))
    run, _ = judged("perturbation_stability", lambda *_: 0, questions=choices, k=5)
    assert run.facts["rewording"]["left_out"] == {}
    assert run.facts["rewording"]["kinds"]["order:reverse"] == 1
