"""Cases about questions: how they are put, what comes of the answers, and what is judged, worked out by hand."""

import pytest

from abalo.core.documents.blocks import Text
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.records import json_records as typed
from abalo.core.records.gate import Gate
from abalo.core.statistics.verdicts import Bound
from abalo.probes.rewording import PROBE
from abalo.questions.question import Choice
from abalo.tasks.choice.corpus import Questionnaire
from abalo.tasks.choice.files import load_choices
from abalo.tasks.choice.models.black_box import BlackBox, baseline
from abalo.tasks.choice.rewordings import REWORDINGS
from tests.reporting.documents import result as some_result
from tests.scripted import read_case, session_of
from tests.texts import TextWith

GATE = Gate(resamples=200)
FOUR = ("a stone", "a tree", "a bird", "a river")
QUESTIONS = Questionnaire(
    "by hand",
    tuple(Choice(f"q{k}", f"Which of the following is thing number {k}?", FOUR, k % 4) for k in range(60)),
)
"""Fifteen have the right answer at each place; each has a paraphrase."""


def judged(name, function, *bounds, questions=QUESTIONS, **entry):
    """The case run and judged, with the function as the model."""
    session = session_of(questions, BlackBox("by hand", "1", function), task="choice", gate=GATE)
    return session.judge(read_case(name, *bounds, task="choice", **entry))


def values(name, function, **entry):
    """A function that gives the value of a metric, of all answers or of those to one variant."""
    _, found = judged(name, function, **entry)
    return lambda metric, variant=None: found.bound_view.estimate(metric, variant).value


def first(_question, _options):
    return 0


def knowing(question, options):
    return options.index(FOUR[int("".join(filter(str.isdigit, question))) % 4])


def test_who_always_takes_the_first_is_fragile_where_options_move_and_nowhere_else():
    value = values("perturbation_stability", first, k=5)
    # Four forms apply, since no question has spaces to mend: two of them move options, and there the first is another.
    assert value("fragility_score") == pytest.approx(2 / 4)
    assert value("consistency_at_k") == 0
    assert value("fragility_score", "pert:order_rev") == 1
    assert value("fragility_score", "pert:punct") == 0
    # The first is right in 15 of 60, and after a swap of the ends or a reversal where the last was right: 15 of 60.
    assert value("accuracy") == pytest.approx(0.25)
    assert value("accuracy", "pert:order_rev") == pytest.approx(0.25)
    assert value("delta_accuracy") == pytest.approx(0)


@pytest.mark.parametrize("name", ["perturbation_stability", "paraphrase_consistency"])
def test_who_knows_is_never_fragile(name):
    _, found = judged(name, knowing, Bound("fragility_score", "max", 0.07), Bound("accuracy", "min", 0.93))
    assert found.verdict == "pass"
    assert found.holds


def test_who_forgets_when_reworded_loses_what_it_knew():
    def forgetting(question, options):
        return knowing(question, options) if question.startswith("Which of the f") else None

    run, found = judged("paraphrase_consistency", forgetting, k=1)
    value = {name: estimate.value for name, estimate in found.bound_view.overall.items()}
    assert value["fragility_score"] == 1
    assert value["delta_accuracy"] == 1
    assert value["missing_rate"] == pytest.approx(0.5)
    test = run.facts["questions"]["mcnemar"]
    assert (test["lost"], test["gained"]) == (60, 0)


def test_questions_without_a_variant_say_nothing_of_consistency():
    # One has a paraphrase, and its answers differ; the other is put once.
    pair = Questionnaire(
        "two", (Choice("a", "Which of the following is it?", FOUR, 0), Choice("b", "Stone or tree?", FOUR, 0))
    )
    _, found = judged(
        "paraphrase_consistency", lambda q, _o: 0 if q.startswith("Which of the f") else 1, questions=pair, k=1
    )
    consistency = found.bound_view.estimate("consistency_at_k")
    assert (consistency.value, consistency.n) == (0, 1)


def test_every_prompt_beyond_the_originals_is_counted():
    run, _ = judged("perturbation_stability", first, k=5)
    assert run.facts["inputs"] == 60 * 4
    assert (run.facts["sentences"], run.facts["changed"], run.facts["variants"]) == (60, 60, 60 * 4)
    run, _ = judged("baseline", first)
    assert run.facts["inputs"] == 0


def test_a_bound_on_a_single_variant_is_judged_on_that():
    bounds = (
        Bound("fragility_score", "max", 0.1, "pert:punct"),
        Bound("fragility_score", "max", 0.1, "pert:order_rev"),
    )
    _, found = judged("perturbation_stability", first, *bounds, k=5)
    assert [judgement.verdict for judgement in found.judgements] == ["pass", "fail"]
    assert "of pert:order_rev 1.000 [0.940, 1.000] is above max_fragility_score 0.1" in found.explanation


@pytest.mark.parametrize(
    ("name", "function", "bound", "reason"),
    [
        (
            "paraphrase_consistency",
            lambda _q, _o: None,
            Bound("fragility_score", "max", 0.0),
            TextWith("no original", "no answer"),
        ),
        (
            "perturbation_stability",
            lambda q, o: (knowing(q, o) + 1) % 4,
            Bound("delta_accuracy", "max", 0.0),
            TextWith("no original", "correctly", "nothing"),
        ),
        (
            "perturbation_stability",
            first,
            Bound("fragility_score", "max", 0.0, "pert:space"),
            TextWith("no question", " pert:space"),
        ),
    ],
)
def test_what_answers_cannot_show_is_not_judged(name, function, bound, reason):
    _, found = judged(name, function, bound)
    assert found.verdict == "inconclusive"
    assert found.judgements[0].reason == reason


def test_few_questions_are_called_questions():
    _, found = judged("baseline", knowing, Bound("accuracy", "min", 0.5), limit=8)
    assert found.judgements[0].reason == "fewer than 50 distinct questions (8)"
    assert "distinct questions would settle it" in found.explanation


def test_copies_of_a_question_are_no_evidence_of_their_own():
    copies = tuple(Choice(f"copy{k}", "Which of the following is it?", FOUR, 0) for k in range(60))
    _, found = judged("baseline", first, Bound("accuracy", "min", 0.5), questions=Questionnaire("copies", copies))
    assert found.bound_view.estimate("accuracy").n == 1
    assert found.judgements[0].reason == "fewer than 50 distinct questions (1)"


def test_variants_that_can_be_put_are_known_beforehand():
    possible = {name: rewording.possible(rewording.configured()) for name, rewording in REWORDINGS.items()}
    assert possible == {
        "paraphrase_consistency": ("orig", "para1", "para2"),
        "perturbation_stability": ("orig", "pert:punct", "pert:space", "pert:preamble"),
    }
    assert REWORDINGS["paraphrase_consistency"].configured(k=5).k == 5


def test_questions_that_differ_have_another_digest():
    other = Questionnaire("by hand", (*QUESTIONS.choices[:-1], Choice("q59", "Which is it?", FOUR, 3)))
    assert QUESTIONS.sha256 != other.sha256
    assert QUESTIONS.sha256 == Questionnaire("elsewhere", QUESTIONS.choices).sha256


def test_the_questions_that_ship_are_put_in_up_to_eight_ways():
    session = session_of(
        Questionnaire("bundled:questions", load_choices("bundled:questions")), baseline(), task="choice", gate=GATE
    )
    put = {
        name: session.run(read_case(name, task="choice")).evidence
        for name in ("baseline", "paraphrase_consistency", "perturbation_stability")
    }
    assert {name: evidence.groups for name, evidence in put.items()} == {
        "baseline": ("orig",),
        "paraphrase_consistency": ("orig", "para1", "para2"),
        "perturbation_stability": ("orig", "pert:punct", "pert:space", "pert:preamble"),
    }
    assert len(put["baseline"]) == 72


NAMING = Choice("naming", "Which of the following is it?", ("a stone", "a tree", "Both A and B", "a river"), 0)
SAME = Choice("same", "Which of these is it?", ("a stone", "a tree", "a tree", "a river"), 0)


def test_questions_whose_options_name_each_other_are_left_out_of_reorderings_and_counted():
    mixed = Questionnaire("mixed", (*QUESTIONS.choices, NAMING))
    run, _ = judged("perturbation_stability", first, questions=mixed, k=5)
    assert run.facts["rewording"] == {
        "excluded": 0,
        "left_out": {"pert:order_swap": 1, "pert:order_rev": 1},
        "kinds": {"punct": 61, "preamble": 61, "order:swap": 60, "order:reverse": 60},
    }
    put = {row["variant"]: row["answers"] for row in run.facts["questions"]["variants"]}
    assert put == {"orig": 61, "pert:punct": 61, "pert:preamble": 61, "pert:order_swap": 60, "pert:order_rev": 60}
    run, _ = judged("perturbation_stability", first, questions=mixed, k=3)
    assert run.facts["rewording"]["left_out"] == {}


def reported(choices):
    """The result of paraphrases of these questions, as its probe shows it."""
    run, _ = judged("paraphrase_consistency", first, questions=Questionnaire("few", choices))
    sizes = {name: run.facts[name] for name in ("sentences", "changed", "rewording")}
    whole = some_result("accents", {}, 0.8, [])
    return {**whole, "id": "choice/paraphrase_consistency[k-2]", "task": "choice", **sizes}


def test_a_notice_says_where_few_questions_could_be_paraphrased():
    plain = tuple(Choice(f"plain{k}", f"Number {k}?", FOUR, 0) for k in range(60))
    kept = reported((*QUESTIONS.choices[:26], *plain))
    assert kept["rewording"]["kinds"] == {"these": 26}
    assert PROBE.report.findings(typed.read(Result, kept)) == []
    few = reported((*QUESTIONS.choices[:25], *plain))
    said = TextWith("choice/paraphrase_consistency[k-2]: only 25 of 85 questions (29 %) ")
    assert PROBE.report.findings(typed.read(Result, few)) == [Text((said,), role="notice")]
    assert PROBE.report.remarks([typed.read(Result, each) for each in [kept, few]], typed.read(Document, {})) == [said]


@pytest.mark.parametrize("name", ["perturbation_stability", "paraphrase_consistency"])
def test_flagged_questions_are_left_out_on_demand_and_counted(name):
    mixed = Questionnaire("mixed", (*QUESTIONS.choices, SAME))
    run, _ = judged(name, first, questions=mixed)
    assert (run.facts["sentences"], run.facts["rewording"]["excluded"]) == (61, 0)
    run, _ = judged(name, first, questions=mixed, exclude_flagged=True)
    assert (run.facts["sentences"], run.facts["rewording"]["excluded"]) == (60, 1)


def test_nothing_is_judged_where_all_questions_are_flagged():
    bound = Bound("fragility_score", "max", 0.1)
    run, found = judged(
        "perturbation_stability", first, bound, questions=Questionnaire("one", (SAME,)), exclude_flagged=True
    )
    assert run.facts["rewording"]["excluded"] == 1
    assert found.verdict == "inconclusive"
