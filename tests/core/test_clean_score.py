"""The clean score of a training: large enough, and better than an answer that reads nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.running.clean_score import CleanScore, clean_score
from abalo.core.statistics.evidence import join_trainings
from abalo.core.statistics.verdicts import Bound
from abalo.corpora.running_text import running_text
from abalo.models.labelling.classified import Classified
from abalo.questions.question import Choice
from abalo.tasks.choice.corpus import Questionnaire
from abalo.tasks.choice.models.black_box import BlackBox
from abalo.tasks.classification.corpus import LabelledTexts
from abalo.tasks.pairs.metrics.similarity import SCORE
from tests.compared import found_of, run_of
from tests.scripted import ScriptedModel, corpus_of, read_case, session_of
from tests.tasks.labels.scripted import Script, degrees_of, texts_of

GATE = Gate(language="en", resamples=1_000)
ONE_LABEL = {"several": False}


def of_entities(*trainings, gate=GATE, **entry) -> CleanScore:
    """The clean score of trainings, each given by the sentences whose one entity it finds.

    F1 is then 2k / (k + n) for k found of n, since nothing is found that is not there.
    """
    evidence = join_trainings([run_of(each) for each in trainings])
    return clean_score(tasks()["ner"], read_case("baseline", **entry), evidence, gate, {})


def of_texts(says, *rows, several=False, gate=GATE, **entry) -> CleanScore:
    """The clean score of a model that labels texts by a function."""
    corpus = rows[0] if isinstance(rows[0], LabelledTexts) else texts_of(*rows)
    session = session_of(corpus, Script(lambda text: Classified(says(text))), task="classification", gate=gate)
    case = read_case("baseline", task="classification", **entry)
    return clean_score(session.task, case, session.run(case).evidence, gate, {"several": several})


def labelled(label, number, word):
    """So many texts that hold the word, with the label."""
    return [(f"{word} number {k}", label) for k in range(number)]


BALANCED = [*labelled("0", 100, "bad"), *labelled("1", 100, "good")]
"""Texts with labels 0 and 1, a hundred of each, which one word tells apart."""

ANSWERS = "bound", "limit", "value", "verdict"


def said(found: CleanScore) -> list[tuple]:
    return [tuple(each[name] for name in ANSWERS) for each in found.facts["judgements"]]


# Large enough ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "n", "state"),
    [
        (100, 200, "above"),  # F1 200/300 = 0.67
        (36, 200, "undecided"),  # 72/236 = 0.305, with some 0.04 to either side
        (34, 200, "undecided"),  # 68/234 = 0.291
        (10, 200, "below"),  # 20/210 = 0.10
        (0, 200, "below"),
    ],
)
def test_the_interval_says_whether_the_score_is_large_enough(found, n, state):
    score = of_entities(np.arange(n) < found)
    assert score.state == state
    assert said(score) == [("min_f1", 0.3, pytest.approx(2 * found / (found + n)), score.every[0].verdict)]


@pytest.mark.parametrize(("n", "state"), [(49, "undecided"), (50, "above")])
def test_fewer_than_fifty_examples_decide_nothing(n, state):
    assert of_entities(np.ones(n)).state == state


def test_few_examples_are_below_where_the_exact_law_says_so_and_never_above():
    """Of n, 0 right is below 0.3 at a level of 0.025 where 0.7 ** n is, from 11 on; 0.0283 of 10 is not."""
    assert [of_entities(np.zeros(n)).state for n in (10, 11, 49)] == ["undecided", "below", "below"]
    score = of_entities(np.ones(49))
    assert (score.state, score.every[0].needed) == ("undecided", 50)


def test_a_score_below_is_a_failed_bound_of_the_clean_corpus_even_if_that_does_not_block():
    corpus = corpus_of(*(f"[José{k} PESSOA] negou" for k in range(200)))
    case = read_case("baseline", Bound("f1", "min", 0.05), blocking=False)
    # F1 2 * 20 / 220 = 0.18, and 2 * 100 / 300 = 0.67
    for found, verdict, limits in ((20, "fail", [0.05, 0.3]), (100, "pass", [0.05])):
        known = {f"José{k}" for k in range(found)}
        session = session_of(corpus, ScriptedModel(lambda word, known=known: "B-PESSOA" if word in known else "O"))
        run, plain = session.judge(case, 1)
        score = clean_score(session.task, case, run.evidence, GATE, {}).failing(plain)
        assert plain.verdict == "pass"
        assert (score.verdict, score.holds) == (verdict, verdict == "pass")
        assert [each.bound.limit for each in score.judgements] == limits
        told = [each.reason for each in score.judgements]
        assert told[1:] == ["0.300 is the least clean score; least in [[ner.baseline]] sets another"] * len(limits[1:])


def test_the_least_score_is_that_of_the_case_else_of_the_gate_else_of_the_task():
    half, gate = found_of(0.5), replace(GATE, least=0.5)
    assert of_entities(half).least == 0.3
    assert of_entities(half, gate=gate).least == 0.5
    assert of_entities(half, gate=gate, least=0.9).least == 0.9
    assert of_entities(half, gate=gate, least=0.0).least == 0
    # F1 100/150 = 0.67
    assert of_entities(half, gate=gate).state == "above"
    assert of_entities(half, gate=gate, least=0.9).state == "below"


def test_a_least_of_zero_asks_nothing():
    score = of_entities(np.zeros(200), least=0)
    assert (score.state, score.every) == ("above", ())


# Several trainings ----------------------------------------------------------------------------------------------------


def test_each_training_is_judged_by_itself_and_the_one_that_finds_nothing_is_named():
    good = found_of(0.9)
    score = of_entities(good, np.zeros(200, dtype=bool), good)
    assert score.state == "below"  # though the mean is 2/3 · 0.95 = 0.63
    (first,), (second,), (third,) = score.judgements
    assert [each.verdict for each in (first, second, third)] == ["pass", "fail", "pass"]
    assert [each.estimate.value for each in (first, second, third)] == pytest.approx([360 / 380, 0, 360 / 380])
    assert second.reason == "training 2"
    assert [each["training"] for each in score.facts["judgements"]] == [0, 1, 2]


def test_one_undecided_training_leaves_the_score_undecided():
    assert of_entities(found_of(0.9), found_of(0.18)).state == "undecided"


def test_a_single_training_has_no_number():
    assert of_entities(found_of(0.9)).every[0].reason is None


# Better than an answer that reads nothing: labels ---------------------------------------------------------------------


def test_a_classifier_of_labels_0_and_1_needs_a_mean_recall_above_a_half():
    # right for all of 0 and for 80 of 100 of 1: accuracy 0.9, mean recall (1 + 0.8) / 2
    score = of_texts(lambda text: ("0",) if "bad" in text or int(text.split()[-1]) < 20 else ("1",), *BALANCED)
    assert said(score) == [
        ("min_accuracy", 0.3, pytest.approx(0.9), "pass"),
        ("min_balanced_accuracy", 0.5, pytest.approx(0.9), "pass"),
    ]
    assert score.state == "above"


def test_one_answer_for_all_is_never_above_however_often_it_is_right():
    rows = [*labelled("0", 20, "bad"), *labelled("1", 180, "good")]
    score = of_texts(lambda _text: ("1",), *rows)
    assert said(score) == [
        ("min_accuracy", 0.3, pytest.approx(0.9), "pass"),
        ("min_balanced_accuracy", 0.5, pytest.approx(0.5), "inconclusive"),
    ]
    assert score.state == "undecided"


def test_one_answer_for_nearly_all_is_not_above():
    rows = [*labelled("0", 40, "bad"), *labelled("1", 160, "good")]
    # two of 40 with label 0 are found: (2/40 + 1) / 2 = 0.525
    score = of_texts(lambda text: ("0",) if text in ("bad number 0", "bad number 1") else ("1",), *rows)
    assert score.every[1].estimate.value == pytest.approx(0.525)
    assert score.state == "undecided"


def test_a_model_that_is_always_right_is_above():
    score = of_texts(lambda text: ("0",) if "bad" in text else ("1",), *BALANCED)
    assert (score.every[1].estimate.value, score.state) == (1.0, "above")
    # Of 100 that are all right, the share right is at least 0.025 ** (1 / 100), by Clopper and Pearson.
    assert score.every[1].estimate.low == pytest.approx(0.025 ** (1 / 100), abs=1e-6)


def test_a_model_that_swaps_the_labels_is_below():
    score = of_texts(lambda text: ("1",) if "bad" in text else ("0",), *BALANCED)
    assert (score.state, [each.verdict for each in score.every]) == ("below", ["fail", "fail"])


def test_the_mean_recall_is_over_the_labels_of_gold():
    rows = [*BALANCED, *labelled("2", 100, "fair"), *labelled("3", 100, "poor")]
    says = {"bad": ("0",), "good": ("1",), "fair": ("0",), "poor": ("never in gold",)}
    score = of_texts(lambda text: says[text.split()[0]], *rows)
    # two of four labels are found wholly, two not at all
    assert said(score)[1] == ("min_balanced_accuracy", 0.25, pytest.approx(0.5), "pass")


def test_a_corpus_with_one_label_tells_no_model_from_a_constant_answer():
    score = of_texts(lambda _text: ("1",), *labelled("1", 200, "good"))
    assert said(score)[1] == ("min_balanced_accuracy", 1.0, pytest.approx(1.0), "inconclusive")
    assert score.state == "undecided"


def test_a_model_that_is_known_to_guess_is_not_asked_to_beat_an_answer_that_reads_nothing():
    rows = [*labelled("0", 20, "bad"), *labelled("1", 180, "good")]
    score = of_texts(lambda _text: ("1",), *rows, guesses=True)
    assert said(score) == [("min_accuracy", 0.3, pytest.approx(0.9), "pass")]
    assert (score.state, score.facts["guesses"]) == ("above", True)


def test_both_questions_can_be_left_out():
    score = of_texts(lambda _text: ("1",), *labelled("1", 200, "good"), guesses=True, least=0)
    assert (score.state, score.every) == ("above", ())


# Sets of labels, options, degrees -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("right", "state"), [(80, "above"), (0, "undecided")])
def test_sets_of_labels_are_compared_with_the_best_constant_set(right, state):
    sets = [("a",)] * 60 + [("a", "b")] * 100 + [("b",)] * 40
    sentences = tuple(running_text(f"text number {k}") for k in range(200))
    corpus = LabelledTexts("by hand", sentences, golds=tuple(sets), several=True)

    def says(text):
        place = int(text.split()[-1])
        return sets[place] if place < right else ("a", "b")

    score = of_texts(says, corpus, several=True)
    # {a, b} is the set of 100 of 200; of the first 80 another 60 are right
    value = (100 + min(right, 60)) / 200
    assert said(score)[1] == ("min_accuracy", 0.5, pytest.approx(value), score.every[1].verdict)
    assert score.state == state


@pytest.mark.parametrize(
    ("right", "state", "verdicts"),
    [
        (120, "above", ["pass", "pass"]),  # 0.6
        (70, "undecided", ["inconclusive", "inconclusive"]),  # 0.35, with some 0.07 to either side
        (20, "below", ["fail", "fail"]),
    ],
)
def test_answers_to_questions_are_compared_with_chance(right, state, verdicts):
    # 100 questions of four options, 100 of two: a guess is right in (1/4 + 1/2) / 2 = 0.375
    questions = [Choice(f"q{k}", f"Question {k}?", tuple("abcd" if k % 2 else "ab"), 0) for k in range(200)]
    corpus = Questionnaire("mine.jsonl", tuple(questions))
    model = BlackBox("mine.py:answers", "f1", lambda text, _options: int(int(text.split()[-1][:-1]) >= right))
    session = session_of(corpus, model, task="choice", gate=GATE)
    case = read_case("baseline", task="choice")
    run, found = session.judge(case, 1)
    facts = session.task.report.facts(session, found.bound_view)["corpus"]
    score = clean_score(session.task, case, run.evidence, GATE, facts)
    assert said(score) == [
        ("min_accuracy", 0.3, pytest.approx(right / 200), verdicts[0]),
        ("min_accuracy", pytest.approx(0.375), pytest.approx(right / 200), verdicts[1]),
    ]
    assert score.state == state


def of_degrees(says) -> CleanScore:
    corpus = degrees_of(*((f"first {k}", f"second {k}", k) for k in range(200)))

    def degree(pair):
        place = int(pair[0].split()[-1])
        return Classified((), np.array([says(place)], dtype=np.float32), names=(SCORE,))

    session = session_of(corpus, Script(degree), task="pairs", gate=GATE)
    case = read_case("baseline", task="pairs")
    return clean_score(session.task, case, session.run(case).evidence, GATE, ONE_LABEL)


def swapped(k: int) -> float:
    """The degree of the pair next to this one, so that ranks are nearly those of gold, but not in every resample."""
    return float(k ^ 1)


@pytest.mark.parametrize(
    ("says", "value", "state"),
    [
        # each of 200 ranks is off by one: 1 - 6 * 200 / (200 * (200**2 - 1))
        (swapped, 1 - 6 / (200**2 - 1), "above"),
        (lambda k: -swapped(k), -(1 - 6 / (200**2 - 1)), "below"),
        (lambda k: 1.0, 0.0, "below"),  # the same degree for every pair
        (float, 1.0, "undecided"),  # all resamples agree, so the interval has no width
    ],
)
def test_degrees_of_similarity_are_judged_by_their_rank_correlation(says, value, state):
    score = of_degrees(says)
    assert [(each.bound.name, each.bound.limit) for each in score.every] == [
        ("min_spearman", 0.3),
        ("min_spearman", 0.0),
    ]
    assert [each.estimate.value for each in score.every] == pytest.approx([value] * 2, abs=1e-5)
    assert score.state == state
