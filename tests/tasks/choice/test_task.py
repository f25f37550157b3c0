"""The document of a run with questions, worked out by hand: sixty, always answered with the first option."""

import json
from pathlib import Path

import pytest

from abalo.config.options import make_options
from abalo.config.thresholds import Thresholds
from abalo.core.documents.found import Result
from abalo.core.protocols.probe import baseline_of
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from abalo.core.records.gate import Gate
from abalo.core.records.json_records import as_json
from abalo.core.statistics.verdicts import Bound
from abalo.questions.question import Choice
from abalo.reporting.documents.document import assemble
from abalo.run.execution import Execution
from abalo.run.opened import Opened
from abalo.run.prepared import Prepared
from abalo.run.spec import RunSpec
from abalo.tasks.choice.corpus import Questionnaire
from abalo.tasks.choice.facts import facts_of
from abalo.tasks.choice.models.black_box import BlackBox
from abalo.tasks.choice.report import QuestionUnit
from tests.reporting.recording import HOSTILE
from tests.scripted import read_case

TASK = tasks()["choice"]
GATE = Gate(resamples=200)
OPTIONS = ("<i>a</i>", "b|b", "c", "c")
QUESTIONS = Questionnaire(
    "mine.jsonl", tuple(Choice(f"q{k}", f"{HOSTILE[:-1]} {k}?", OPTIONS, k % 3) for k in range(60))
)
"""Twenty have the right answer first; two options of each are the same."""

STABILITY = read_case(
    "perturbation_stability",
    Bound("fragility_score", "max", 0.2),
    Bound("fragility_score", "max", 1, "pert:punct"),
    task="choice",
    k=5,
)
BASELINE = read_case("baseline", Bound("accuracy", "min", 0.2), task="choice")


def first(_question, _options):
    return 0


def execution(function=first, corpus=QUESTIONS, **options):
    """A run in which the function answers."""
    thresholds = Thresholds(Path("thresholds.toml"), GATE, (baseline_of(TASK),))
    asked = make_options(thresholds=thresholds.path, model="mine.py:first", **options)
    opened = Opened(RunSpec(TASK, asked, thresholds), corpus, [BlackBox("mine.py:first", "f1", function)])
    return Execution(Prepared(opened))


def document_of(run):
    found = [each for case in (BASELINE, STABILITY) for each in run.judged(case).results]
    return typed.as_json(assemble(run.facts, [typed.read(Result, each) for each in found], [], [], complete=True))


@pytest.fixture(scope="module")
def document():
    return document_of(execution())


@pytest.fixture(scope="module")
def stability(document):
    return document["results"][1]


def test_the_document_holds_what_was_worked_out_by_hand(document, stability):
    # Of four forms two move the options, so that the first is another: all 120 of those answers change.
    assert stability["metrics"]["fragility_score"]["value"] == 0.5
    assert stability["metrics"]["consistency_at_k"]["value"] == 0
    assert len(stability["questions"]["flips"]) == 120
    found = stability["questions"]["flips"][0]
    assert {name: found[name] for name in ("id", "variant", "before", "after", "target")} == {
        "id": "q0",
        "variant": "pert:order_swap",
        "before": 0,
        "after": 3,
        "target": 0,
    }
    rates = {name: row["fragility_score"] for name, row in stability["per_type"].items()}
    assert rates["orig"] is None
    assert {name: rate["value"] for name, rate in rates.items() if rate} == {
        "pert:order_rev": 1,
        "pert:order_swap": 1,
        "pert:preamble": 0,
        "pert:punct": 0,
    }
    assert document["verdict"] == "fail"
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_the_baseline_has_no_measure_that_compares(document):
    baseline = document["results"][0]["metrics"]
    assert baseline["accuracy"]["value"] == pytest.approx(1 / 3)
    assert [baseline[name] for name in ("consistency_at_k", "fragility_score", "delta_accuracy")] == [None] * 3


def test_each_variant_has_its_answers_and_how_many_of_them_are_right(stability):
    rows = stability["questions"]["variants"]
    assert rows[0]["variant"] == "orig"
    assert {row["answers"] for row in rows} == {60}
    # The last option, which swap and reversal show first, is never right; the first is in 20 of 60.
    assert {name: row["accuracy"]["value"] for name, row in stability["per_type"].items()} == {
        "orig": pytest.approx(1 / 3),
        "pert:punct": pytest.approx(1 / 3),
        "pert:preamble": pytest.approx(1 / 3),
        "pert:order_swap": 0,
        "pert:order_rev": 0,
    }


def test_each_variant_has_a_test_of_its_own_before_that_of_their_majority(stability):
    found = stability["questions"]
    tests = {row["variant"]: row["mcnemar"] for row in found["variants"]}
    assert tests.pop("orig") is None
    lost = {"lost": 20, "gained": 0, "n": 60, "p": pytest.approx(2 * 0.5**20)}
    # Of four tests the smallest p counts four times, the next no less.
    moved = {**lost, "corrected": pytest.approx(8 * 0.5**20)}
    same = {"lost": 0, "gained": 0, "n": 60, "p": 1, "corrected": 1}
    assert tests == {"pert:punct": same, "pert:preamble": same, "pert:order_swap": moved, "pert:order_rev": moved}


def test_of_four_variants_two_right_are_no_majority(stability):
    # The twenty whose original is right stay so in two of four variants, a tie, which is not correct.
    found = stability["questions"]["mcnemar"]
    assert found == {"lost": 20, "gained": 0, "n": 60, "p": pytest.approx(2 * 0.5**20), "biased": True}


def test_answers_are_counted_by_place_over_the_orders_of_the_options(stability, document):
    # The right one at 0 comes to 3 in both reorderings; at 1 or 2 the swap leaves it and the reversal changes these.
    assert [(row["place"], row["answers"], row["right"]) for row in stability["questions"]["places"]] == [
        (0, 1, pytest.approx(1 / 9)),
        (1, 0, pytest.approx(3 / 9)),
        (2, 0, pytest.approx(3 / 9)),
        (3, 0, pytest.approx(2 / 9)),
    ]
    assert document["results"][0]["questions"]["places"] == []


def test_copies_of_a_question_are_one_pair_of_a_test():
    copies = tuple(Choice(f"copy{k}", "Which is it?", ("a", "b", "c", "d"), 0) for k in range(5))
    asked = Questionnaire("copies", (*copies, Choice("own", "Which one is it?", ("a", "b", "c", "d"), 0)))
    found = as_json(facts_of(execution(corpus=asked).judged(STABILITY).results[0]))
    swapped = next(row for row in found["variants"] if row["variant"] == "pert:order_swap")
    assert (swapped["answers"], swapped["mcnemar"]["n"], swapped["mcnemar"]["lost"]) == (6, 2, 2)
    assert found["mcnemar"]["n"] == 2


def test_a_result_is_about_the_one_view_that_there_is(document, stability):
    assert [each["id"] for each in document["results"]] == ["choice/baseline", "choice/perturbation_stability[k-5]"]
    assert (stability["view"], stability["probe"], stability["headline"]) == (None, "rewording", "fragility_score")
    assert (stability["sentences"], stability["changed"], stability["variants"]) == (60, 60, 240)
    assert stability["bound"] == {"max_fragility_score": {"overall": 0.2, "pert:punct": 1}}
    assert stability["seeds"] == [stability["params"]["seed"]] == [123]
    assert not {"unscored", "slice", "attack"} & stability.keys()
    assert stability["examples"] == []


def test_questions_and_what_answers_them_are_facts_of_the_task(document):
    assert document["tasks"]["choice"]["corpus"] == {
        "name": "mine.jsonl",
        "sha256": QUESTIONS.sha256,
        "questions": 60,
        "limit": None,
        "flagged": {f"q{k}": ["duplicate"] for k in range(60)},
        "chance": 0.25,
        "language": "en",
        "language_found": True,
        "distinct": 60,
    }
    own = document["tasks"]["choice"]
    known = {"name": "mine.py:first", "fingerprint": "f1", "settings": {}, "version": None}
    assert known.items() <= own["model"].items()
    assert own["baseline"]["accuracy"]["value"] == pytest.approx(1 / 3)


def test_the_accuracy_is_held_against_a_guess_among_four_options(document):
    # 20 of 60 are right: 0.33, which is neither above 0.3 nor above 0.25 for sure
    found = document["tasks"]["choice"]
    assert found["corpus"]["chance"] == 0.25
    assert found["baseline"]["least"]["state"] == "undecided"
    judged = [(each["bound"], each["limit"], each["verdict"]) for each in found["baseline"]["least"]["judgements"]]
    assert judged == [("min_accuracy", 0.3, "inconclusive"), ("min_accuracy", 0.25, "inconclusive")]
    assert found["notice"] is None


def test_answers_that_name_no_option_are_counted():
    def shy(question, _options):
        return 0 if question.startswith("Which") else None

    result = execution(shy).judged(STABILITY).results[0]
    found = as_json(facts_of(result))
    assert found["missing"] == 60
    preambled = next(row for row in found["variants"] if row["missing"])
    assert (preambled["variant"], preambled["missing"]) == ("pert:preamble", 60)
    assert result.per_type["pert:preamble"].more["fragility_score"].value == 1
    assert [flip["after"] for flip in found["flips"] if flip["variant"] == "pert:preamble"] == [None] * 60


def test_without_text_no_question_and_no_option_is_left():
    said = json.dumps(document_of(execution(with_text=False)))
    assert "bold" not in said
    assert "b|b" not in said


def test_wrong_answers_are_recorded_as_they_were_shown():
    lines = list(execution().prepared.engine.run(STABILITY).records)
    # 40 of 60 originals and of either form that moves no option, and all 60 of both that do.
    assert len(lines) == 3 * 40 + 2 * 60
    swapped = next(each for each in lines if each["place"] == "pert:order_swap")
    assert list(swapped["options"]) == ["c", "b|b", "c", "<i>a</i>"]
    assert (swapped["sentence_id"], swapped["gold"], swapped["clean"], swapped["predicted"]) == ("q0", 3, 0, 0)


@pytest.mark.parametrize(("predicted", "answer"), [(0, "Salmon"), (None, "no answer")])
def test_a_question_is_followed_by_the_answer_that_it_got(predicted, answer):
    record = {"sentence_id": "en-01", "seed": 1, "gold": 1, "clean": 1, "predicted": predicted, "edits": {}}
    record |= {"case": "choice/baseline", "question": "Which is a mammal?", "options": ["Salmon", "Dolphin"]}
    line = TASK.report.line(typed.read(QuestionUnit, record))
    assert line == f"Which is a mammal? → {answer}   (right: Dolphin; options: A Salmon; B Dolphin)"
