"""Every task with a small corpus, a model that knows it by heart, and a case of each of its probes.

A task that is registered is tested by all of this. One whose predictor is of a new kind needs a model here as well.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abalo.bundled import CASES, bundled_path
from abalo.config.calibration import add_bounds
from abalo.config.options import Options, make_options
from abalo.config.thresholds import load
from abalo.core.protocols.predictor import Predictor
from abalo.core.protocols.probe import Case, probes
from abalo.core.protocols.task import Task, tasks
from abalo.core.records.example import Example, Variant
from abalo.core.records.gate import Gate
from abalo.core.records.outcome import Outcome
from abalo.core.running.engine import Engine
from abalo.models.classifiers.predictor import ClassPredictor
from abalo.models.coreference.predictor import CoreferencePredictor
from abalo.models.coreference.protocol import Resolved
from abalo.models.labelling.classified import Classified
from abalo.models.labelling.prediction import Prediction
from abalo.models.parsers.predictor import ParsePredictor
from abalo.models.parsers.protocol import Parse
from abalo.models.questions.predictor import ReadingPredictor
from abalo.models.questions.protocol import Answered
from abalo.models.tokens.predictor import TokenPredictor
from abalo.models.translators.predictor import TranslationPredictor
from abalo.models.translators.protocol import TranslatedText
from abalo.tasks.choice.models.protocol import Picked
from abalo.tasks.choice.predictor import AnswerPredictor
from abalo.tasks.parsing.corpus import arcs_of
from abalo.tasks.reading.example import texts
from perturbations import Sentence, unchanged
from tests.rows import every

LIMIT = 16
"""Examples of each corpus: enough for every probe to find something to do."""

GATE = Gate(seeds=(1, 2), resamples=100)

NAMES = sorted(tasks())

OF_PROMPTS = "prompt"
"""The kind of test of models that are asked by a prompt, which no case that ships has: tests/probes/test_prompt.py."""

PAIRS = [(name, probe) for name in NAMES for probe in probes() if probe in {*tasks()[name].probes} - {OF_PROMPTS}]

of_every_task = pytest.mark.parametrize("task", [tasks()[name] for name in NAMES], ids=NAMES)

SUBJECTS = (
    ("task", "probe"),
    [(tasks()[name], probes()[probe]) for name, probe in PAIRS],
    [f"{t}-{p}" for t, p in PAIRS],
)
of_every_probe = pytest.mark.parametrize(SUBJECTS[0], SUBJECTS[1], ids=SUBJECTS[2])
every_probe = every(*SUBJECTS)
"""The same in one test: for what runs no case."""


@cache
def options(name: str) -> Options:
    """The options of a run about the task on a few examples."""
    return make_options(task=name, thresholds=bundled_path(CASES), limit=LIMIT)


def corpus_named(task: Task) -> str:
    """The corpus that ships with a task; of one without, a file beside this one."""
    found = task.default_corpus or next(iter(map(str, Path(__file__).parent.glob(f"{task.name}-*"))), "")
    assert found, f"{task.name}: no corpus ships with it; put one with {LIMIT} examples beside {__file__}"
    return found


@cache
def corpus(name: str) -> Any:
    """The first examples of the corpus of the task."""
    task = tasks()[name]
    return task.read(corpus_named(task), options(name))


def session(task: Task, *, model: Any = None, **more: Any) -> Engine:
    """A session on those, with a model that knows them by heart."""
    own = corpus(task.name)
    return Engine(task, own, by_heart(task) if model is None else model, GATE, (), options(task.name), **more)


@cache
def cases(name: str) -> dict[str, Case]:
    """By name of a probe, its first default case; under a small limit, with a bound."""
    found: dict[str, Case] = {}
    for case in load(bundled_path(CASES)).cases:
        if case.task == name and case.probe.entries.skipped(case.plan, GATE.language) is None:
            found.setdefault(case.probe.name, add_bounds(replace(case, limit=LIMIT)))
    return found


# Models ---------------------------------------------------------------------------------------------------------------


class Labels:
    """Labels each sentence of the corpus as its gold says, any other word by word with the word's usual label."""

    name, fingerprint, mask_token, device, reads_text = "by heart", "by-heart-1", None, "cpu", False

    def __init__(self, predictor: TokenPredictor) -> None:
        self.settings: dict[str, Any] = {}
        self.asked = 0
        self._gold = {sentence.tokens: sentence.tags or () for sentence in predictor.inputs}
        seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for tokens, tags in self._gold.items():
            for token, tag in zip(tokens, tags, strict=True):
                seen[token][tag] += 1
        self._usual = {token: counts.most_common(1)[0][0] for token, counts in seen.items()}
        self.labels = tuple(sorted({tag for tags in self._gold.values() for tag in tags}))
        self._other = Counter(tag for tags in self._gold.values() for tag in tags).most_common(1)[0][0]

    def predict(self, sentences: Sequence[Any]) -> list[Prediction]:
        self.asked += len(sentences)
        return [self._prediction(sentence.tokens) for sentence in sentences]

    def _prediction(self, tokens: tuple[str, ...]) -> Prediction:
        tags = self._gold.get(tokens) or tuple(self._usual.get(token, self._other) for token in tokens)
        scores = np.zeros((len(tags), len(self.labels)), dtype=np.float32)
        for row, tag in enumerate(tags):
            scores[row, self.labels.index(tag)] = 4
        return Prediction(tags, scores)


class Answers:
    """Answers originals right, and anything else by the first option."""

    name, fingerprint = "by heart", "by-heart-1"

    def __init__(self, _predictor: AnswerPredictor) -> None:
        self.settings: dict[str, Any] = {}
        self.asked = 0

    def predict(self, prompts: Sequence[Any]) -> list[Picked]:
        self.asked += len(prompts)
        return [Picked.at(each.target if each.variant == "orig" else 0, each) for each in prompts]


class Classes:
    """Labels each text of the corpus as its gold says, any other as most of the corpus is labelled."""

    name, fingerprint, mask_token, device = "by heart", "by-heart-1", None, "cpu"

    def __init__(self, predictor: ClassPredictor) -> None:
        self.settings: dict[str, Any] = {}
        self.asked = 0
        self._gold = dict(zip(predictor.inputs, predictor.golds, strict=True))
        counts = Counter(label for gold in predictor.golds for label in gold)
        self.labels = tuple(sorted(counts))
        self._other = (counts.most_common(1)[0][0],)

    def predict(self, texts: Sequence[str]) -> list[Classified]:
        self.asked += len(texts)
        return [self._labelled(self._gold.get(text, self._other)) for text in texts]

    def _labelled(self, labels: tuple[str, ...]) -> Classified:
        likely = np.array([0.9 if label in labels else 0.1 for label in self.labels], np.float32)
        return Classified(labels, likely, names=self.labels)


class Readings:
    """Answers each question of the corpus as its gold says, any other with the last word of the passage."""

    name, fingerprint, mask_token, device = "by heart", "by-heart-1", None, "cpu"

    def __init__(self, predictor: ReadingPredictor) -> None:
        self.settings: dict[str, Any] = {}
        self.asked = 0
        self._gold = {texts(example): example.gold for example in corpus("reading").examples}

    def predict(self, given: Sequence[tuple[str, str]]) -> list[Answered]:
        self.asked += len(given)
        return [Answered((self._gold.get(each, (each[0].split()[-1],)) or ("",))[0]) for each in given]


class TreesByHeart:
    """Parses each sentence of the corpus as its gold has it, and hangs the words of any other on the one before."""

    name, fingerprint, mask_token, device = "by heart", "by-heart-1", None, "cpu"

    def __init__(self, predictor: ParsePredictor) -> None:
        self.settings: dict[str, Any] = {}
        self.labels: tuple[str, ...] = ()
        self.asked = 0
        self._gold = {each.sentence.tokens: each.sentence for each in corpus("parsing").examples}

    def predict(self, sentences: Sequence[Sentence]) -> list[Parse]:
        self.asked += len(sentences)
        return [self._parsed(each) for each in sentences]

    def _parsed(self, sentence: Sentence) -> Parse:
        if (known := self._gold.get(sentence.tokens)) is not None:
            arcs = arcs_of(known)
            return Parse(tuple(-1 if head is None else head for head in arcs.heads), arcs.relations)
        return Parse(tuple(range(-1, len(sentence) - 1)), ("dep",) * len(sentence))


class Translations:
    """Translates each text of the corpus as its first reference does, and gives back any other as it is."""

    name, fingerprint, mask_token, device = "by heart", "by-heart-1", None, "cpu"

    def __init__(self, predictor: TranslationPredictor) -> None:
        self.settings: dict[str, Any] = {}
        self.asked = 0
        self._gold = {example.sentence.text: example.gold[0] for example in corpus("translation").examples}

    def predict(self, texts: Sequence[str]) -> list[TranslatedText]:
        self.asked += len(texts)
        return [TranslatedText(self._gold.get(text, text)) for text in texts]


class ClustersByHeart:
    """Gives each document of the corpus its gold clusters, and any other one none."""

    name, fingerprint, mask_token, device = "by heart", "by-heart-1", None, "cpu"

    def __init__(self, predictor: CoreferencePredictor) -> None:
        self.settings: dict[str, Any] = {}
        self.asked = 0
        self._gold = {each.sentence.tokens: each.source.gold(each.sentence) for each in corpus("coreference").examples}

    def predict(self, documents: Sequence[Sentence]) -> list[Resolved]:
        self.asked += len(documents)
        gold = [self._gold.get(each.tokens, ()) for each in documents]
        return [Resolved(tuple(sorted(tuple(sorted(cluster)) for cluster in clusters))) for clusters in gold]


MODELS: dict[type[Predictor], Callable[[Any], Any]] = {
    TokenPredictor: Labels,
    AnswerPredictor: Answers,
    ClassPredictor: Classes,
    ReadingPredictor: Readings,
    ParsePredictor: TreesByHeart,
    TranslationPredictor: Translations,
    CoreferencePredictor: ClustersByHeart,
}
"""Factories of a model that knows a clean corpus by heart, by the kind of predictor that it goes with."""


def by_heart(task: Task) -> Any:
    """A new model that gets every example of the small corpus right, and not every variant of it."""
    predictor = task.predictor(None, corpus(task.name))
    for kind, make in MODELS.items():
        if isinstance(predictor, kind):
            return make(predictor)
    raise LookupError(f"{task.name}: add a model for {type(predictor).__name__} to MODELS of {__name__}")


# Outcomes -------------------------------------------------------------------------------------------------------------


def shown_again(task: Task) -> list[Outcome]:
    """Every example beside a variant of it in which nothing is edited, both predicted alike."""
    opened = session(task)
    kinds = [way for each in task.rewordings.lists.values() for way in each.possible(each.configured())[1:]] or [""]
    outcomes = []
    for example, clean in zip(opened.examples, opened.predictor.clean(), strict=True):
        variant = Variant(*_same(task, example), kind=kinds[0])
        outcomes += [Outcome(example, 1, clean, each, clean, opened.predictor.scale()) for each in (None, variant)]
    return outcomes


def _same(task: Task, example: Example) -> tuple[Example, dict[str, Any]]:
    edits = {name: unchanged(example.fields[name]) for name in task.fields.chosen(example, "")}
    carried = task.carry(example, edits)
    assert carried is not None
    return carried, edits
