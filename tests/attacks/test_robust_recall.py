"""Recall under attack, by which two models are compared that have other targets."""

from datetime import date
from string import ascii_lowercase

import pytest

from abalo.comparison.test.comparison import compare_task
from abalo.comparison.test.family import Runs
from abalo.config.thresholds import case_of
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.running.engine import Engine
from abalo.models.labelling.prediction import Prediction
from tests.scripted import ScriptedModel, corpus_of

NER = tasks()["ner"]
GATE = Gate(seeds=(1,), resamples=2_000)
NAMES = [f"Jo{first}{second}" for first in ascii_lowercase[:10] for second in ascii_lowercase[:6]]
CORPUS = corpus_of(*(f"viu [{name} PESSOA] {'hoje' if k < 36 else 'ontem'}" for k, name in enumerate(NAMES)))
"""60 entities, of which 36 stand before ``hoje`` and 24 before ``ontem``."""


class Reader(ScriptedModel):
    """Finds every capitalised word, whatever it is, in sentences that end in one of the words it ``knows``."""

    def __init__(self, *knows: str) -> None:
        super().__init__(lambda word: "B-PESSOA" if word[0].isupper() else "O")
        self.knows = knows

    def predict(self, sentences):
        found = super().predict(sentences)
        nothing = [Prediction(("O",) * len(sentence.tokens), inputs=1) for sentence in sentences]
        kept = [sentence.tokens[-1] in self.knows for sentence in sentences]
        return [each if keep else none for each, none, keep in zip(found, nothing, kept, strict=True)]


def measured(model, case):
    session = Engine(NER, CORPUS, model, GATE)
    ran, judged = session.judge(case)
    evidence = {session.baseline().id: session.run(session.baseline()).evidence, case.id: ran.evidence}
    return judged.bound_view.overall, evidence, ran


@pytest.fixture
def case():
    return case_of(NER, "entity_attack", {"least_similarity": -1.0, "candidates": 5}, GATE)


def test_an_entity_that_is_not_found_counts_against_a_model_that_no_attack_breaks(case):
    metrics, _, ran = measured(Reader("hoje"), case)
    assert metrics["success_rate"].value == 0
    assert metrics["robust_recall"].value == pytest.approx(36 / 60)
    assert ran.facts["attack"]["targets"] == 36  # what is not found is not attacked
    assert (ran.facts["distinct"], len(ran.evidence)) == (36, 60)


def test_two_models_that_nothing_breaks_are_told_apart_by_what_they_find(case):
    _, reference, _ = measured(Reader("hoje", "ontem"), case)
    metrics, new, _ = measured(Reader("hoje"), case)
    result = compare_task(NER, (case,), Runs(new, reference), GATE, date(2026, 11, 22))
    loss = next(each for each in result.losses if each.case == case.id and each.group is None)
    assert (loss.metric, loss.state) == ("robust_recall", "regressed")
    assert loss.loss.value == pytest.approx(1 - metrics["robust_recall"].value)
    assert result.mean is None  # which is of F1
