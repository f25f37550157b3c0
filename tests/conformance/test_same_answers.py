"""A model with the answers of the accepted one passes, whatever its name, precision or place, in every task."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from abalo.bundled import CASES, bundled_path
from abalo.config.thresholds import Thresholds
from abalo.core.documents.document import BaselineFacts, CorpusFacts, Document, Least, ModelFacts, TaskFacts
from abalo.core.protocols.probe import baseline_of
from abalo.core.records.gate import Gate
from abalo.core.statistics.evidence import ROWS
from abalo.models.labelling.classified import Classified
from abalo.models.labelling.prediction import Prediction
from abalo.reporting.documents.conclusion import conclude
from abalo.reporting.runs.finished import Run
from abalo.reporting.runs.reference import Reference, comparison
from tests.conformance.subjects import by_heart, cases, of_every_task, session

pytestmark = pytest.mark.slow

GATE = Gate(seeds=(1, 2), resamples=200)


class Wrapped:
    """The same answers from another model, each changed by ``reply``."""

    def __init__(self, model, name, reply=lambda each: each):
        self._model, self._reply, self.name, self.fingerprint = model, reply, name, name

    def __getattr__(self, name):
        return getattr(self._model, name)

    def predict(self, inputs):
        return [self._reply(each) for each in self._model.predict(inputs)]


def rounded(prediction):
    """Scores as in half the precision."""
    if isinstance(prediction, Prediction) and prediction.scores is not None:
        return replace(prediction, scores=prediction.scores * np.float32(0.996))
    if isinstance(prediction, Classified) and prediction.probabilities is not None:
        return replace(prediction, probabilities=prediction.probabilities * np.float32(0.996))
    return prediction


def without_scores(prediction):
    """Labels alone, as a service replies."""
    if isinstance(prediction, Prediction):
        return replace(prediction, scores=None)
    return replace(prediction, probabilities=None) if isinstance(prediction, Classified) else prediction


MODELS = {
    "renamed": lambda model: Wrapped(model, "2.0"),
    "bf16": lambda model: Wrapped(model, "bf16", rounded),
    "service": lambda model: Wrapped(model, "https://models.example/2", without_scores),
}


def changing(task):
    """The cases that change examples or ask them again."""
    kept = ("perturbation", "pipeline", "rewording", "slice")
    return [replace(case, bounds=()) for name, case in cases(task.name).items() if name in kept]


def evidence_of(task, model):
    """The evidence of the clean corpus and of these cases, as a run counts it."""
    opened = session(task, model=model)
    return {case.id: opened.run(case).evidence for case in (baseline_of(task), *changing(task))}


def widened(evidence, clusters):
    """The same about so many examples, repeated under other names until they are enough."""
    own = sorted({*evidence.clusters.tolist()})
    copies = -(-clusters // len(own))
    parts = []
    for copy in range(copies):
        kept = own[: clusters - copy * len(own)]
        part = evidence.only(np.isin(evidence.clusters, kept))
        names = {
            row: np.array([f"{copy} {each}" for each in getattr(part, row).tolist()]) for row in ("ids", "clusters")
        }
        parts.append(replace(part, **names))
    rows = {row: np.concatenate([getattr(part, row) for part in parts]) for row in ROWS}
    tables = {
        view: {name: np.concatenate([part.tables[view][name] for part in parts]) for name in own_tables}
        for view, own_tables in evidence.tables.items()
    }
    return replace(evidence, tables=tables, **rows)


def concluded(task, new, reference):
    """The comparison and the conclusion of a run against an accepted one; neither has a clean score that is decided."""

    def facts(name):
        baseline = BaselineFacts(least=Least(state="undecided"))
        return TaskFacts(
            model=ModelFacts(name=name, fingerprint=name), corpus=CorpusFacts(name="dev"), baseline=baseline
        )

    accepted = Reference("1.0", Run(Document(tasks={task.name: facts("1.0")}), reference), {})
    thresholds = Thresholds(bundled_path(CASES), GATE, tuple(changing(task)))
    here = {task.name: facts("2.0")}
    found = comparison(here, new, thresholds, accepted, date(2026, 11, 22))
    return found, conclude(Document(complete=True, tasks=here, comparison=found))


@pytest.fixture(scope="module")
def accepted():
    """The evidence of the accepted model of a task, once."""
    known = {}

    def found(task):
        if task.name not in known:
            known[task.name] = evidence_of(task, by_heart(task))
        return known[task.name]

    return found


@of_every_task
@pytest.mark.parametrize("way", MODELS)
def test_a_model_with_the_same_answers_passes(task, way, accepted):
    new = evidence_of(task, MODELS[way](by_heart(task)))
    for clusters in (12, 50):
        sides = [{case: widened(each, clusters) for case, each in side.items()} for side in (new, accepted(task))]
        found, conclusion = concluded(task, *sides)
        assert found.tasks[task.name].identical
        assert (conclusion.exit_code, conclusion.headline) == (0, "PASS")


@of_every_task
def test_a_reference_of_an_older_version_has_the_same_results(task, accepted):
    unknown = {case: replace(each, answers=np.full(len(each), "")) for case, each in accepted(task).items()}
    sides = [{case: widened(each, 12) for case, each in side.items()} for side in (accepted(task), unknown)]
    found, conclusion = concluded(task, *sides)
    assert found.tasks[task.name].baseline.state == "same results"
    assert (conclusion.exit_code, conclusion.headline) == (0, "PASS")


@of_every_task
def test_one_other_clean_answer_is_not_identical(task, accepted):
    clean = baseline_of(task).id
    new, reference = ({case: widened(each, 12) for case, each in accepted(task).items()} for _ in range(2))
    answers = np.array(["another", *new[clean].answers[1:].tolist()])
    found, conclusion = concluded(task, {**new, clean: replace(new[clean], answers=answers)}, reference)
    assert not found.tasks[task.name].identical
    assert (conclusion.exit_code, conclusion.headline) != (0, "PASS")
