"""A case that is run while the one before it is counted: the same results, in a thread that can be stopped."""

import sys
import threading

import pytest

from abalo.core.records.gate import Gate
from abalo.core.running.ahead import SWITCH, Ahead
from abalo.core.statistics.evidence import sha256_of
from abalo.errors import AbaloError
from tests.scripted import Gazetteer, corpus_of, read_case, session_of

CORPUS = corpus_of("[José PESSOA] saiu", "nada aqui", "[José PESSOA] saiu de [Belém LOCAL]")
CASES = [read_case("accents"), read_case("typos"), read_case("letter_case")]


class Model:
    """Predicts in batches until told to stop, and has the attributes of a model that runs ahead."""

    runs_ahead = True

    def __init__(self):
        self.on_progress = None
        self.begun = threading.Event()

    def work(self):
        while True:
            self.begun.set()
            if self.on_progress is not None:
                self.on_progress(1, 2)


class Watched(Gazetteer):
    """Knows in which threads it was asked."""

    runs_ahead = True
    on_progress = None

    def __init__(self, *texts):
        super().__init__(*texts)
        self.asked_in = []

    def predict(self, sentences):
        self.asked_in.append(threading.current_thread() is threading.main_thread())
        return super().predict(sentences)


class Failing(Watched):
    """Fails where a word is in capitals."""

    def predict(self, sentences):
        if any(token.isupper() for each in sentences for token in each.tokens):
            raise RuntimeError("never heard of it")
        return super().predict(sentences)


@pytest.fixture(autouse=True)
def the_switches_of_threads_are_as_usual():
    before = sys.getswitchinterval()
    yield
    assert sys.getswitchinterval() == before


def test_what_was_begun_is_there_once_and_for_its_name_alone():
    ahead = Ahead(Model())
    ahead.begin("a", threading.current_thread)
    assert sys.getswitchinterval() == pytest.approx(SWITCH)
    assert ahead.result("a") is not threading.main_thread()
    assert ahead.result("a") is None
    ahead.begin("a", lambda: 1)
    assert ahead.result("b") is None
    assert ahead.result("a") is None


def test_other_models_are_not_asked_ahead():
    ahead = Ahead(object())
    ahead.begin("a", lambda: 1)
    assert ahead.result("a") is None


def test_closing_stops_what_is_under_way_after_its_batch():
    model = Model()
    ahead = Ahead(model)
    ahead.begin("a", model.work)
    assert model.begun.wait(10)
    ahead.close()
    assert model.on_progress is None
    assert ahead.result("a") is None
    ahead.close()


def run(model, following):
    session = session_of(CORPUS, model, gate=Gate(resamples=100))
    after = [*CASES[1:], None] if following else [None] * 3
    return [session.run(case, following=each) for case, each in zip(CASES, after, strict=True)]


def test_cases_run_ahead_have_the_same_evidence_facts_and_examples():
    model = Watched("[José PESSOA] [Belém LOCAL]")
    ahead, usual = run(model, following=True), run(Gazetteer("[José PESSOA] [Belém LOCAL]"), following=False)
    assert not all(model.asked_in)
    for one, other in zip(ahead, usual, strict=True):
        assert sha256_of({"case": one.evidence}) == sha256_of({"case": other.evidence})
        assert {**one.facts, "seconds": 0} == {**other.facts, "seconds": 0}
        assert one.examples == other.examples
        assert one.records == other.records


def test_an_error_ahead_is_that_of_its_own_case():
    session = session_of(CORPUS, Failing("[José PESSOA]"), gate=Gate(resamples=100))
    upper = read_case("letter_case", case="upper")
    assert session.run(CASES[0], following=upper).case.id == "ner/accents"
    with pytest.raises(AbaloError, match="never heard of it"):
        session.run(upper)


def test_nothing_is_begun_before_what_was_begun_is_asked_for():
    ahead = Ahead(Watched())
    ahead.begin("first", lambda: 1)
    with pytest.raises(RuntimeError, match="first"):
        ahead.begin("second", lambda: 2)
    assert ahead.result("first") == 1
