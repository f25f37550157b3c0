"""Predictions of one session, of any model: every input once, the clean corpus once for all workers."""

import threading
from dataclasses import dataclass

import numpy as np
import pytest

from abalo.core.protocols.predictor import Predictor
from abalo.errors import AbaloError


@dataclass(frozen=True)
class Length:
    """How long a text is; each letter is a model input."""

    letters: int

    @property
    def inputs(self) -> int:
        return self.letters


class Counting:
    """Says how long texts are; ``calls`` are the texts of each call."""

    fingerprint = "counting-1"

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def predict(self, texts):
        self.calls.append(list(texts))
        return [Length(len(text)) for text in texts]


class Lengths(Predictor[str, Length]):
    """Texts that differ in upper and lower case alone are the same to the model."""

    def key(self, given):
        return (given.lower(),)

    def checked(self, given, predictions):
        if len(given) != len(predictions):
            raise AbaloError(f"{len(predictions)} for {len(given)}")
        return list(predictions)

    def labels(self, prediction):
        return (prediction.letters,)

    def pack(self, predictions):
        return {"letters": np.array([each.letters for each in predictions])}

    def unpack(self, stored):
        return [Length(int(letters)) for letters in stored["letters"]]


def opened(*clean: str, model=None, store=None) -> tuple[Counting, Lengths]:
    model = model or Counting()
    return model, Lengths(model, clean, store)


def test_the_clean_corpus_is_predicted_once_and_equal_inputs_share_a_prediction():
    model, predictor = opened("ab", "c", "AB")
    first, second, third = predictor.clean()
    assert (first.letters, second.letters) == (2, 1)
    assert first is third
    predictor.clean()
    assert model.calls == [["ab", "c"]]
    assert predictor.clean_inputs() == 3


def test_a_case_costs_the_inputs_of_its_distinct_new_inputs():
    model, predictor = opened("ab", "c")
    found = predictor.predict(["xyz", "c", "XYZ", "de"])
    assert [each.letters for each in found.predictions] == [3, 1, 3, 2]
    assert (found.inputs, found.shared) == (5, 0)
    assert model.calls == [["ab", "c"], ["xyz", "de"]]


def test_the_same_case_again_costs_nothing_and_counts_the_same():
    model, predictor = opened("ab")
    first, again = predictor.predict(["xyz"]), predictor.predict(["xyz"])
    assert (first.inputs, again.inputs, len(model.calls)) == (3, 3, 2)


def test_batches_depend_on_the_case_alone():
    model, predictor = opened("ab")
    predictor.predict(["xyz"])
    predictor.predict(["xyz", "de"])
    assert model.calls[1:] == [["xyz"], ["xyz", "de"]]


def test_inputs_of_a_related_case_come_from_the_batches_of_that_case():
    model, predictor = opened("ab")
    found = predictor.predict(["xyz", "de"], beside=["xyz", "q"])
    assert model.calls[1:] == [["xyz", "q"], ["de"]]
    assert (found.inputs, found.shared) == (5, 3)


def test_a_case_with_the_inputs_of_another_beside_it_is_no_case_of_both():
    _, predictor = opened("ab")
    assert predictor.predict(["x"], beside=["y"]).predictions != predictor.predict(["x", "y"]).predictions


def test_a_search_asks_about_new_inputs_alone_and_forgets_nothing():
    model, predictor = opened("ab")
    answering = predictor.answering()
    assert [each.letters for each in answering(["ab", "xyz"])] == [2, 3]
    assert [each.letters for each in answering(["xyz", "de"])] == [3, 2]
    assert answering([]) == []
    assert (model.calls, answering.inputs) == ([["ab"], ["xyz"], ["de"]], 5)


def test_another_search_counts_for_itself():
    _, predictor = opened("ab")
    first, second = predictor.answering(), predictor.answering()
    first(["xyz"])
    second(["xyz"])
    assert (first.inputs, second.inputs) == (3, 3)


def test_predictions_that_do_not_fit_are_refused():
    class Silent(Counting):
        def predict(self, texts):
            return []

    _, predictor = opened("ab", model=Silent())
    with pytest.raises(AbaloError, match="0 for 1"):
        predictor.clean()


def test_a_model_that_cannot_be_judged_on_the_corpus_is_refused_before_any_case():
    class Refusing(Lengths):
        def check_clean(self, predictions):
            raise AbaloError(f"all {len(predictions)} are useless")

    with pytest.raises(AbaloError, match="all 2 are useless"):
        Refusing(Counting(), ["ab", "AB", "c"]).predict(["x"])


def test_a_second_worker_reads_what_the_first_predicted(tmp_path):
    first, one = opened("ab", "c", "AB", store=tmp_path / "store")
    second, other = opened("ab", "c", "AB", store=tmp_path / "store")
    assert one.clean() == other.clean()
    assert (first.calls, second.calls) == ([["ab", "c"]], [])


def test_another_model_or_another_corpus_is_another_file(tmp_path):
    changed = Counting()
    changed.fingerprint = "counting-2"
    opened("ab", store=tmp_path)[1].clean()
    opened("ab", model=changed, store=tmp_path)[1].clean()
    longer, predictor = opened("ab", "c", store=tmp_path)
    predictor.clean()
    assert (len(changed.calls), len(longer.calls)) == (1, 1)


def test_of_workers_that_start_together_one_predicts(tmp_path):
    workers = [opened("ab", "c", store=tmp_path) for _ in range(4)]
    start = threading.Barrier(len(workers))
    found = []

    def work(predictor: Lengths) -> None:
        start.wait()
        found.append(predictor.clean())

    threads = [threading.Thread(target=work, args=(predictor,)) for _, predictor in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(len(model.calls) for model, _ in workers) == [0, 0, 0, 1]
    assert found == [[Length(2), Length(1)]] * 4


@pytest.fixture
def parts_of_two(monkeypatch):
    monkeypatch.setattr("abalo.core.protocols.predictor.PART", 2)


@pytest.mark.usefixtures("parts_of_two")
def test_no_batch_crosses_a_part_and_an_input_in_two_parts_is_predicted_in_both():
    model, predictor = opened("ab", "c", "AB", "def", "gh")
    assert [each.letters for each in predictor.clean()] == [2, 1, 2, 3, 2]
    assert model.calls == [["ab", "c"], ["AB", "def"], ["gh"]]
    assert list(predictor.known()) == [("ab",), ("c",), ("def",), ("gh",)]
    assert predictor.clean_inputs() == 2 + 1 + 3 + 2
    assert predictor.clean()[0] is predictor.known()["ab",]  # of two, the first


@pytest.mark.usefixtures("parts_of_two")
def test_inputs_that_stand_for_examples_are_predicted_part_by_part():
    model, predictor = opened("ab", "c", "de", "f", "gh")
    predictor.clean()
    model.calls.clear()
    found = predictor.predict_each(["xyz", "c", "ab", "XYZ"])
    assert model.calls == [["xyz"], ["ab", "XYZ"]]
    assert [each.letters for each in found.predictions] == [3, 1, 2, 3]
    assert found.inputs == 3


@pytest.mark.usefixtures("parts_of_two")
def test_the_digest_of_predictions_does_not_depend_on_parts(monkeypatch):
    texts = ("ab", "c", "AB", "def", "gh")
    cut = opened(*texts)[1].digest()
    monkeypatch.setattr("abalo.core.protocols.predictor.PART", 10_000)
    assert cut == opened(*texts)[1].digest()


@pytest.mark.usefixtures("parts_of_two")
def test_the_first_batch_is_of_the_first_part_alone():
    model, predictor = opened("ab", "c", "de", "f")
    assert predictor.preflight(twice=True).inputs == 2
    assert model.calls == [["ab", "c"], ["ab", "c"]]
    predictor.clean()
    assert model.calls[2:] == [["de", "f"]]
