"""Fixtures for behavioural tests. ``from abalo.pytest_plugin.fixtures import *`` in a conftest.py brings them all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import pytest

from abalo.attacks.regressions import Replay, name_of, replayed
from abalo.tasks.choice.asking import Questionnaire
from abalo.tasks.choice.models.black_box import OVERLAP
from abalo.tasks.choice.models.loading import load as load_choice_model
from abalo.tasks.choice.models.protocol import ChoiceModel
from abalo.corpora import Corpus
from abalo.corpora import load as load_corpus
from abalo.tasks.choice.files import load_choices
from abalo.errors import AbaloError
from abalo.promises import Hunt
from abalo.core.judging import Decided
from abalo.models import TokenModel
from abalo.models.devices import torch_threads
from abalo.models.labels import types_of
from abalo.models.loading import load_as_asked
from abalo.core.predictor import Predictor
from abalo.pytest_plugin.cases import blocking_bounds, case_of, configuration
from abalo.pytest_plugin.gates import Gate, QuestionGate, TagGate
from abalo.pytest_plugin.options import Options, command_for
from abalo.pytest_plugin.progress import Progress
from abalo.pytest_plugin.report import PAYLOAD, STORE
from abalo.reporting.asked import QuestionFacts, facts_of_questions
from abalo.reporting.document import RunFacts, facts_of
from abalo.sources.resources import Resources
from abalo.core.case import BASELINE, Case
from abalo.config.thresholds import check_types

__all__ = [
    "abalo_choice_model",
    "abalo_corpus",
    "abalo_gate",
    "abalo_model",
    "abalo_options",
    "abalo_question_gate",
    "abalo_questions",
    "judge",
    "replay",
]


class Judge(Protocol):
    """Runs a case, puts it into the report, and returns it judged."""

    def __call__(self, case: Case, hunt: Hunt | None = None, /) -> Decided:
        """``hunt`` looks for the smallest edit that breaks the promise of an promise."""
        ...


_WITHHELD = "withheld by --abalo-no-text"


@pytest.fixture(scope="session")
def abalo_options(pytestconfig: pytest.Config) -> Options:
    """What the command line asks for."""
    options = configuration(pytestconfig).options
    assert options is not None, "a bad configuration ends the run before any fixture"
    return options


@pytest.fixture(scope="session")
def abalo_corpus(abalo_options: Options, request: pytest.FixtureRequest) -> Corpus:
    """The corpus to judge on, limited as asked."""
    with _told_once(request):
        return load_corpus(
            abalo_options.corpus,
            limit=abalo_options.limit,
            lenient=abalo_options.lenient,
            scheme=abalo_options.scheme,
        )


@pytest.fixture(scope="session")
def abalo_model(abalo_options: Options, abalo_corpus: Corpus, request: pytest.FixtureRequest) -> TokenModel:
    """The model to judge, loaded once a session, on a GPU where there is one."""
    with _told_once(request):
        workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
        if workers > 1:
            torch_threads(workers)
        tags = {tag for sentence in abalo_corpus.sentences for tag in sentence.tags or ()}
        return load_as_asked(abalo_options.model, abalo_options, tags)


@pytest.fixture(scope="session")
def abalo_gate(
    abalo_options: Options, abalo_corpus: Corpus, abalo_model: TokenModel, request: pytest.FixtureRequest
) -> TagGate:
    """The corpus predicted once, the baseline measured, ready to judge cases."""
    thresholds = configuration(request.config).thresholds
    assert thresholds is not None, "a bad configuration ends the run before any fixture"
    store = request.config.stash.get(STORE, None)
    predictor = Predictor(abalo_model, abalo_corpus.sentences, store=None if store is None else Path(store))
    mask_token = abalo_options.mask_token if abalo_options.mask_token is not None else abalo_model.mask_token
    bounds = blocking_bounds(request.session.items)
    resources = Resources(abalo_corpus, mask_token, thresholds.gate.language)
    gate = TagGate(abalo_options, thresholds, abalo_corpus, predictor, resources, bounds, {})
    with _told_once(request), Progress(request.config, abalo_model):
        if abalo_model.labels or abalo_options.limit is None:
            check_types(thresholds, types_of(abalo_model.labels) | set(abalo_corpus.entity_counts))
        baseline = gate.judged(Case("ner", BASELINE, None))
        gate.facts.update(
            facts_of(
                RunFacts(
                    thresholds,
                    gate.seeds,
                    abalo_corpus,
                    abalo_options.limit,
                    abalo_model,
                    abalo_options.bundled_model,
                    predictor.clean(),
                    mask_token,
                    bounds,
                    predictor.scale(),
                    abalo_options.profile,
                ),
                baseline.bound_view,
            )
        )
    return gate


@pytest.fixture(scope="session")
def abalo_questions(abalo_options: Options, request: pytest.FixtureRequest) -> Questionnaire:
    """The questions to judge on, limited as asked."""
    with _told_once(request):
        choices = load_choices(abalo_options.questions, limit=abalo_options.limit)
        return Questionnaire(abalo_options.questions, choices)


@pytest.fixture(scope="session")
def abalo_choice_model(abalo_options: Options, request: pytest.FixtureRequest) -> ChoiceModel:
    """What answers them."""
    with _told_once(request):
        logs = abalo_options.reports / "inspect" if abalo_options.with_text else None
        name = OVERLAP if abalo_options.choice_model is None else abalo_options.choice_model
        return load_choice_model(name, abalo_options.choice_args, logs)


@pytest.fixture(scope="session")
def abalo_question_gate(
    abalo_options: Options,
    abalo_questions: Questionnaire,
    abalo_choice_model: ChoiceModel,
    request: pytest.FixtureRequest,
) -> QuestionGate:
    """The questions and what answers them, ready to judge cases."""
    thresholds = configuration(request.config).thresholds
    assert thresholds is not None, "a bad configuration ends the run before any fixture"
    bounds = blocking_bounds(request.session.items)
    facts = QuestionFacts(
        thresholds,
        abalo_questions,
        abalo_options.limit,
        abalo_choice_model,
        abalo_choice_model.name == OVERLAP,
        bounds,
        abalo_options.profile,
    )
    return QuestionGate(
        abalo_options, thresholds, abalo_questions, abalo_choice_model, bounds, facts_of_questions(facts)
    )


_GATES = {"ner": "abalo_gate", "choice": "abalo_question_gate"}


@pytest.fixture
def judge(request: pytest.FixtureRequest) -> Judge:
    """A function that runs a case, puts it into the report, and returns it judged.

    It brings the gate of the case's own task alone: who judges questions loads no tagger.
    """
    asked = case_of(request.node)
    gate: Gate = request.getfixturevalue(_GATES["ner" if asked is None else asked.task])

    def run_and_record(case: Case, hunt: Hunt | None = None, /) -> Decided:
        __tracebackhide__ = True
        with _told_once(request, stop=False), Progress(request.config, gate.model):
            result = gate.judged(case, hunt)
            results = gate.results(result, command_for(request.config, request.node))
        request.node.stash[PAYLOAD] = {"facts": gate.facts, "results": results}
        return result

    return run_and_record


@pytest.fixture
def replay(abalo_gate: TagGate, request: pytest.FixtureRequest) -> Callable[[Mapping[str, Any]], Replay]:
    """A function that tries again what once broke a model, puts it into the report, and returns what came of it."""

    def replay_and_record(record: Mapping[str, Any]) -> Replay:
        __tracebackhide__ = True
        with _told_once(request, stop=False):
            found = replayed(record, abalo_gate.predictor.answering())
        if not abalo_gate.options.with_text:
            found = replace(found, before=_WITHHELD, after=_WITHHELD)
        request.node.stash[PAYLOAD] = {
            "facts": abalo_gate.facts,
            "regression": {
                "id": name_of(record),
                "attack": record["attack"],
                "status": found.status,
                "before": found.before if abalo_gate.options.with_text else None,
                "after": found.after if abalo_gate.options.with_text else None,
                "labels": list(found.labels),
                "recorded": list(found.recorded),
            },
        }
        return found

    return replay_and_record


@contextmanager
def _told_once(request: pytest.FixtureRequest, *, stop: bool = True) -> Iterator[None]:
    """Turns an `AbaloError` into a failure that is its message alone; with ``stop`` it also ends the run."""
    __tracebackhide__ = True
    try:
        yield
    except AbaloError as error:
        if stop:
            request.session.shouldfail = "the corpus or the model cannot be used, as the error above says"
        raise pytest.fail.Exception(str(error), pytrace=False) from None
