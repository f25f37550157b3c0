"""Searches, invariances and capabilities of a model that draws: outputs that chose a variant do not count."""

from hashlib import blake2b

import pytest

from abalo.config.thresholds import case_of
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.statistics.evidence import REPEATS
from abalo.invariances import Hunted
from abalo.models.labelling.prediction import Prediction
from tests.scripted import ScriptedModel, corpus_of, read_case, session_of

CORPUS = corpus_of(*(f"[Ana PESSOA] saiu ontem {number} de casa" for number in range(60)))


class Drawing(ScriptedModel):
    """Finds Ana but for ``noise`` of its answers, each drawn by text and repeat; with ``breaks`` never in a typo."""

    draws = True
    fingerprint = "drawing-1"

    def __init__(self, noise, breaks=False):
        super().__init__(lambda word: "B-PESSOA" if word == "Ana" else "O")
        self.noise, self.breaks, self.repeats = noise, breaks, []

    def predict(self, sentences):
        return self.repeat(sentences, 0)

    def repeat(self, sentences, index):
        self.repeats.append(index)
        return [self._one(each, index) for each in sentences]

    def _one(self, sentence, index):
        lot = int(blake2b(f"{index} {sentence.text}".encode(), digest_size=4).hexdigest(), 16) / 2**32
        edited = not {"saiu", "ontem", "de", "casa"} <= {*sentence.tokens}
        if lot < self.noise or (self.breaks and edited):
            return Prediction(("O",) * len(sentence), inputs=1)
        return super().predict([sentence])[0]


def judged(model, name, **entry):
    session = session_of(CORPUS, model, seeds=(1,))
    return session.judge(read_case(name, **entry))


def test_noise_that_a_search_has_found_is_no_success():
    """A search asks until a wrong answer is drawn; of the answers after it one in five is wrong."""
    ran, found = judged(Drawing(0.2), "deepwordbug", max_success_rate=0.5, least_similarity=-1.0)
    estimate = found.bound_view.estimate("success_rate")
    assert estimate.value < 0.35
    assert found.verdict == "pass"
    assert ran.evidence.notes[REPEATS] == 3


def test_a_break_of_a_model_that_draws_counts_in_every_repeat():
    _, found = judged(Drawing(0.05, breaks=True), "deepwordbug", max_success_rate=0.5, least_similarity=-1.0)
    assert found.bound_view.estimate("success_rate").value == pytest.approx(1, abs=0.02)
    assert found.verdict == "fail"


def test_the_final_variant_is_asked_about_once_in_each_repeat_and_nothing_else_again():
    model = Drawing(0.0, breaks=True)
    session = session_of(CORPUS, model, seeds=(1,), options=RunOptions(repeats=4))
    case = read_case("deepwordbug", sample=5, least_similarity=-1.0)
    session.predictor.clean()
    before = len(model.repeats)
    session.run(case)
    assert [each for each in model.repeats[before:] if each > 1] == [2, 3, 4]


def test_one_edit_breaks_no_invariance_of_a_model_that_draws():
    hunted = []

    def hunt(*given):
        hunted.append(given)
        return Hunted(1, "", None)

    case = read_case("typo_outside", draws=60, max_violations_per_thousand=0)
    session = session_of(CORPUS, Drawing(0.1), seeds=(1,))
    ran, found = session.judge(case, search=hunt)
    assert hunted == []
    assert ran.facts["invariance"]["draws"]
    assert found.verdict == "inconclusive"
    _, surely = session_of(CORPUS, Drawing(0.1, breaks=True), seeds=(1,)).judge(case)
    assert surely.verdict == "fail"


def test_a_filling_passes_if_it_does_so_in_most_repeats():
    entry = {
        "name": "names",
        "templates": ["[{who} PESSOA] saiu ontem de casa {number}"],
        "who": ["Ana"],
        "number": [str(number) for number in range(200)],
        "sample": 200,
        "min_pass_rate": 0.5,
    }
    case = case_of(tasks()["ner"], "capability", entry, Gate(language="pt"))
    rates = {}
    for repeats in (1, 5):
        session = session_of(CORPUS, Drawing(0.2), seeds=(1,), options=RunOptions(repeats=repeats))
        ran, found = session.judge(case)
        rates[repeats] = found.bound_view.estimate("pass_rate").value
        facts = ran.facts["capability"]
        assert facts["failed"] == round(200 * (1 - rates[repeats])) == facts["templates"][0]["failed"]
    assert 0.7 < rates[1] < 0.9 < rates[5]  # 0.8, and 0.942 that at least 3 of 5 are right
