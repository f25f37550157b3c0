"""Models that say what a test wants, outcomes written by hand, and sessions over both."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from abalo.config.thresholds import case_of
from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.records.outcome import Outcome, Searched
from abalo.core.running.engine import Engine
from abalo.core.statistics.estimates import Measurement, measure
from abalo.core.statistics.evidence import Evidence, collect
from abalo.core.statistics.verdicts import Bound
from abalo.corpora import Corpus
from abalo.corpora.examples import example_of, variant_of
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.scores import ScoreScale
from perturbations import Perturbed, Sentence, Span, parse

NER = "ner"


class ScriptedModel:
    """A `TokenModel` that tags every word by itself with ``tag``; ``asked`` is every sentence it was shown."""

    name = "scripted"
    fingerprint = "scripted-1"
    labels = ("O", "B-PESSOA", "I-PESSOA", "B-LOCAL", "I-LOCAL")
    device = "cpu"
    reads_text = False
    draws = False

    def __init__(self, tag: Callable[[str], str], mask_token: str | None = None) -> None:
        self.tag = tag
        self.mask_token = mask_token
        self.settings = {"dtype": "fp32"}
        self.asked: list[Sentence] = []

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        self.asked += sentences
        return [Prediction(tuple(map(self.tag, sentence.tokens)), inputs=1) for sentence in sentences]


class Gazetteer(ScriptedModel):
    """Knows the entities of these sentences by heart: type and B or I off each word, never off its neighbours."""

    def __init__(self, *texts: str, mask_token: str | None = None) -> None:
        known = {word: tag for text in texts for word, tag in zip(parse(text).tokens, parse(text).tags, strict=True)}
        super().__init__(lambda word: known.get(word, "O"), mask_token)


def all_outside() -> ScriptedModel:
    """A model that finds nothing."""
    return ScriptedModel(lambda word: "O")


def corpus_of(*texts: str) -> Corpus:
    """Sentences in bracket notation."""
    return Corpus("by hand", tuple(map(parse, texts)))


def outcome(
    gold: Sentence | str,
    clean: Sequence[str] | Prediction | None = None,
    perturbed: Perturbed | None = None,
    predicted: Sequence[str] | Prediction | None = None,
    seed: int = 1,
    *,
    scale: ScoreScale | None = None,
    targets: Sequence[Span] = (),
    searched: Searched | None = None,
    outside: bool = False,
) -> Outcome:
    """An outcome; the clean prediction is right where ``clean`` is left out, the other one stands for both without."""
    example = example_of(parse(gold) if isinstance(gold, str) else gold)
    before = _prediction(example.sentence.tags if clean is None else clean)
    after = before if predicted is None else _prediction(predicted)
    variant = None if perturbed is None else variant_of(example, perturbed)
    return Outcome(example, seed, before, variant, after, scale, tuple(targets), searched, outside)


def _prediction(tags: Sequence[str] | Prediction) -> Prediction:
    return tags if isinstance(tags, Prediction) else Prediction(tuple(tags))


def evidence_of(outcomes: Sequence[Outcome], task: str = NER, *, notes: dict[str, int] | None = None) -> Evidence:
    """The counts in outcomes by all metrics of the task."""
    known = tasks()[task]
    groups = known.groups(outcomes)
    held, metrics = known.held(outcomes, groups) if outcomes else np.zeros((0, 0), dtype=np.int64), known.metrics()
    alike = all(map(known.views_agree, outcomes))
    return collect(outcomes, groups, held, metrics.values(), known.views, alike=alike, notes=notes)


def measured(
    outcomes: Sequence[Outcome],
    view: str = "projected",
    *,
    task: str = NER,
    resamples: int = 300,
    confidence: float = 0.95,
) -> Measurement:
    """All metrics of the task in one view of the outcomes."""
    gate = Gate(confidence=confidence, resamples=resamples)
    return measure(evidence_of(outcomes, task), (view,), tasks()[task].metrics().values(), gate)[view]


def read_case(name: str, *bounds: Bound, task: str = NER, gate: Gate | None = None, **entry: Any) -> Case:
    """The case that an entry of thresholds.toml with these values is, with these bounds after its own."""
    case = case_of(tasks()[task], name, entry, gate or Gate(language="pt"))
    return replace(case, bounds=(*case.bounds, *bounds))


def session_of(
    corpus: Any,
    model: Any,
    *,
    task: str = NER,
    gate: Gate | None = None,
    seeds: Sequence[int] = (1, 2),
    **more: Any,
) -> Engine:
    """A session about the corpus and the model; ``more`` is as `Engine` has it."""
    return Engine(tasks()[task], corpus, model, gate or Gate(language="pt"), tuple(seeds), **more)
