"""Putting questions to callables: what is asked, what an answer may be, and what comes of it, worked out by hand."""

import pytest

from abalo.config.thresholds import Gate
from abalo.core.case import Case
from abalo.core.judging import answered
from abalo.core.verdicts import Bound
from abalo.tasks.choice.asking import ASKINGS, Questionnaire, ask
from abalo.tasks.choice.files import load_choices
from abalo.tasks.choice.models.black_box import BlackBox, baseline
from abalo.tasks.choice.question import Choice

GATE = Gate(resamples=200)
FOUR = ("a stone", "a tree", "a bird", "a river")
QUESTIONS = Questionnaire(
    "by hand",
    tuple(Choice(f"q{k}", f"Which of the following is thing number {k}?", FOUR, k % 4) for k in range(60)),
)
"""Fifteen have the right answer at each place; each has a paraphrase."""


def model(function):
    return BlackBox("by hand", "1", function)


def judged(name, function, *bounds, **params):
    case = Case("choice", name, None, params, bounds, asking=ASKINGS[name])
    return answered(case, QUESTIONS, model(function), GATE, 1)


def first(_question, _options):
    return 0


def knowing(question, options):
    return options.index(FOUR[int("".join(filter(str.isdigit, question))) % 4])


def test_who_always_takes_the_first_is_fragile_where_options_move_and_nowhere_else():
    found = judged("perturbation_stability", first, k=5)
    # Four forms apply, since no question has spaces to mend: two of them move options, and there the first is another.
    assert found.summary.fragility_score.value == pytest.approx(2 / 4)
    assert found.summary.consistency_at_k.value == 0
    assert found.summary.estimate("fragility_score", "pert:order_rev").value == 1
    assert found.summary.estimate("fragility_score", "pert:punct").value == 0
    # The first is right in 15 of 60, and after a swap of the ends or a reversal where the last was right: 15 of 60.
    assert found.summary.accuracy.value == pytest.approx(0.25)
    assert found.summary.delta_accuracy.value == pytest.approx(0)


def test_who_knows_is_never_fragile():
    for name in ("perturbation_stability", "paraphrase_consistency"):
        found = judged(name, knowing, Bound("fragility_score", "max", 0.0), Bound("accuracy", "min", 1.0))
        assert found.verdict == "pass"
        assert found.holds


def test_who_forgets_when_reworded_loses_what_it_knew():
    found = judged(
        "paraphrase_consistency", lambda q, o: knowing(q, o) if q.startswith("Which of the f") else None, k=1
    )
    assert found.summary.fragility_score.value == 1
    assert found.summary.delta_accuracy.value == 1
    assert found.summary.missing_rate.value == pytest.approx(0.5)
    assert (found.summary.mcnemar.lost, found.summary.mcnemar.gained) == (60, 0)


def test_a_bound_on_a_single_variant_is_judged_on_that():
    bounds = (
        Bound("fragility_score", "max", 0.1, "pert:punct"),
        Bound("fragility_score", "max", 0.1, "pert:order_rev"),
    )
    found = judged("perturbation_stability", first, *bounds, k=5)
    assert [judgement.verdict for judgement in found.judgements] == ["pass", "fail"]
    assert "of pert:order_rev 1.000 [1.000, 1.000] is above max_fragility_score 0.1" in found.explanation


@pytest.mark.parametrize(
    ("name", "function", "bound", "reason"),
    [
        (
            "paraphrase_consistency",
            lambda _q, _o: None,
            Bound("fragility_score", "max", 0.0),
            "no original was answered, so no answer could change",
        ),
        (
            "perturbation_stability",
            lambda q, o: (knowing(q, o) + 1) % 4,
            Bound("delta_accuracy", "max", 0.0),
            "no original was answered right, so there is nothing to lose",
        ),
        (
            "perturbation_stability",
            first,
            Bound("fragility_score", "max", 0.0, "pert:space"),
            "no question was put as pert:space",
        ),
    ],
)
def test_what_answers_cannot_show_is_not_judged(name, function, bound, reason):
    found = judged(name, function, bound)
    assert found.verdict == "inconclusive"
    assert found.judgements[0].reason == reason


def test_few_questions_are_called_questions():
    case = Case("choice", "baseline", None, {}, (Bound("accuracy", "min", 0.5),), limit=8, asking=ASKINGS["baseline"])
    found = answered(case, QUESTIONS, model(knowing), GATE, 1)
    assert found.judgements[0].reason == "fewer than 50 distinct questions (8)"
    assert "distinct questions would settle it" in found.explanation


def test_copies_of_a_question_are_no_evidence_of_their_own():
    one = [Choice(f"copy{k}", "Which of the following is it?", FOUR, 0) for k in range(60)]
    case = Case("choice", "baseline", None, {}, (Bound("accuracy", "min", 0.5),), asking=ASKINGS["baseline"])
    found = answered(case, Questionnaire("copies", tuple(one)), model(first), GATE, 1)
    assert found.summary.accuracy.n == 1
    assert found.judgements[0].reason == "fewer than 50 distinct questions (1)"


def test_variants_that_can_be_put_are_known_beforehand():
    possible = {name: asking.possible(asking.configured()) for name, asking in ASKINGS.items()}
    assert possible == {
        "baseline": ("orig",),
        "paraphrase_consistency": ("orig", "para1", "para2"),
        "perturbation_stability": ("orig", "pert:punct", "pert:space", "pert:preamble"),
    }
    assert ASKINGS["paraphrase_consistency"].configured(k=5).k == 5


def test_questions_that_differ_have_another_digest():
    other = Questionnaire("by hand", (*QUESTIONS.choices[:-1], Choice("q59", "Which is it?", FOUR, 3)))
    assert QUESTIONS.sha256 != other.sha256
    assert QUESTIONS.sha256 == Questionnaire("elsewhere", QUESTIONS.choices).sha256


def test_the_questions_that_ship_are_put_in_up_to_eight_ways():
    questions = Questionnaire("bundled:questions", load_choices("bundled:questions"))
    put = {name: ask(asking, asking.configured(), questions, baseline()) for name, asking in ASKINGS.items()}
    assert len(put["baseline"].variants) == 72
    assert {prompt.variant for prompt in put["perturbation_stability"].variants} == {
        "orig",
        "pert:punct",
        "pert:space",
        "pert:preamble",
    }
    assert {prompt.variant for prompt in put["paraphrase_consistency"].variants} == {"orig", "para1", "para2"}
