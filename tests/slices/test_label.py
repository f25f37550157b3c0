"""The examples of one label, in all tasks that label a whole example."""

from pathlib import Path

import pytest

from abalo.config.thresholds import refuse
from abalo.core.protocols.task import tasks
from abalo.core.records.example import Example
from abalo.core.records.gate import Gate
from abalo.core.statistics.verdicts import Bound
from abalo.errors import AbaloError
from abalo.models.labelling.classified import Classified
from abalo.slices import slices
from abalo.slices.slice import labels_of
from tests.scripted import read_case, session_of
from tests.tasks.labels.scripted import Script, texts_of
from tests.texts import TextWith

PART = slices()["label"]
ROWS = [(f"{word} text number {k}", label) for k in range(60) for word, label in (("a", "bad"), ("one", "good"))]
ROWS += [("another text", "mixed")]
TEXTS = texts_of(*ROWS)


def judged(label: str):
    """Of texts that are good the model has half right, of all others all."""

    def says(text: str) -> Classified:
        right = dict(ROWS)[text]
        return Classified(("bad" if right == "good" and int(text.rsplit(maxsplit=1)[-1]) % 2 else right,))

    case = read_case("slice", Bound("accuracy_gap", "max", 0.2), task="classification", of="label", label=label)
    session = session_of(TEXTS, Script(says), task="classification", gate=Gate(language="en", resamples=300))
    return session.judge(case)


def test_it_fits_tasks_that_label_an_example_as_a_whole():
    assert {name for name, task in tasks().items() if PART.fits(task)} == {
        "classification",
        "pairs",
        "aspects",
        "relations",
    }


def test_the_texts_of_the_label_are_compared_with_the_rest():
    run, found = judged("good")
    assert run.facts["slice"]["text"] == "labelled good"
    assert run.facts["slice"]["rest"]["sentences"] == 61
    values = found.bound_view.overall
    assert values["accuracy"].value == pytest.approx(0.5)
    assert values["accuracy_gap"].value == pytest.approx(0.5), "the rest is all right"
    assert found.verdict == "fail"


def test_a_label_that_the_corpus_lacks_leaves_nothing_in_and_says_so():
    run, found = judged("goood")
    text = TextWith("labelled goood (not ", " 'good'?; there are bad, good, mixed)")
    assert run.facts["slice"]["text"] == text
    assert found.verdict == "inconclusive"


def test_a_label_that_neither_corpus_nor_model_has_is_refused_before_the_run():
    task, session = tasks()["classification"], session_of(TEXTS, Script(lambda _: Classified(("bad",))))
    cases = [read_case("slice", task="classification", of="label", label=label) for label in ("goood", "good")]
    said = "no label 'goood' in corpus or model; did you mean 'good'?; there are bad, good, mixed"
    assert list(task.check(cases, session)) == [(cases[0], "label", said)]
    with pytest.raises(AbaloError, match=r"a.toml \[\[classification.slice\]\] label: no label 'goood' in corpus"):
        refuse(Path("a.toml"), task.check(cases, session))


def test_of_several_labels_one_is_enough():
    cut = PART.cut(TEXTS, PART.configured(label="good"))
    assert [cut.holds(gold) for gold in (("bad", "good"), ("bad",), ())] == [True, False, False]


def test_the_label_has_to_be_given_and_other_tasks_have_no_such_slice(write):
    from abalo.config.thresholds import load

    with pytest.raises(AbaloError, match='label needs label, a label of the corpus: label = "NAME"'):
        load(write('[[classification.slice]]\nof = "label"\n'))
    with pytest.raises(AbaloError, match="'label' is a slice by labels of the whole, which the task ner has none of"):
        load(write('[[ner.slice]]\nof = "label"\nlabel = "PER"\n'))


def test_a_task_may_have_one_label_as_a_mere_text():
    assert labels_of(Example("x", {}, "x", "good")) == ("good",)
    assert labels_of(Example("x", {}, "x", ("bad", "good"))) == ("bad", "good")
    assert labels_of(Example("x", {}, "x")) == ()
