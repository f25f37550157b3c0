"""Cases, and running one: examples × seeds × model give outcomes."""

from __future__ import annotations

import inspect
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import product
from typing import Any, Literal

from abalo.attacks import Attack
from abalo.attacks.campaign import Campaign, OpenLog, campaign
from abalo.tasks.choice.asking import Asking
from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.promises import Hunt, Promise, Trial
from abalo.promises.trial import Promised
from abalo.core.predictor import Predictor
from abalo.core.example import Outcome
from abalo.sources.resources import LANGUAGE, Resources, unfit
from abalo.slices import Slice
from abalo.models.prediction import Prediction
from abalo.tasks.ner.alignment import View
from abalo.validators.demands import Required, passing, prepared
from abalo.core.verdicts import Bound
from perturbations import Perturbation, Perturbed, Pipeline, Sentence, Span, entity_spans, sentence_id

BASELINE = "baseline"
"""The case that perturbs nothing: how good the model is to begin with."""

STEPS = "steps"
"""The parameter of a pipeline that holds its steps: names, or tables of a name and parameters."""

SLICE = "slice"
"""The table of all cases about a part of the corpus."""

OF = "of"
"""The parameter that says which part."""


SpanSource = Literal["oracle", "predicted"]
"""Where an attack takes its targets: gold spans, or the model's own clean predictions [stage 4, "Span sources"]."""


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the gate: a perturbation, or several in turn, with parameters, and the bounds its result must keep.

    ``perturbation`` is None for the baseline, for an ``attack`` that searches, for an ``promise``, for a ``slice``
    and for an ``asking``, which puts questions to a model. ``params`` are as the user wrote them. ``seeds`` and
    ``limit`` are None where those of the run apply. A ``blocking`` case fails the run when it fails. ``span_source`` is
    None for what is not aimed at spans. A ``deep`` case runs only where it is asked for. ``entry`` is the place of the
    entry that it was read from in its table; one that asks to sample pipelines gives several cases. Variants that do
    not keep what it may ``require``, limits by validator, are filtered out.
    """

    task: str
    name: str
    perturbation: Perturbation | Pipeline | None
    params: Mapping[str, Any] = field(default_factory=dict)
    bounds: tuple[Bound, ...] = ()
    view: View = "projected"
    blocking: bool = True
    seeds: tuple[int, ...] | None = None
    limit: int | None = None
    span_source: SpanSource | None = None
    attack: Attack[Any] | None = None
    promise: Promise[Any] | None = None
    asking: Asking[Any] | None = None
    slice: Slice[Any] | None = None
    deep: bool = False
    entry: int = 0
    require: Mapping[str, Any] = field(default_factory=dict)

    @property
    def slug(self) -> str:
        """What sets the case apart, in ASCII letters, digits and ``._+-``, such as ``rate-0.1``; empty without that.

        Span source, steps, parameters, what is required, limit, and the view where it is another than usual.
        """
        params = dict(self.params)
        steps = params.pop(STEPS, ()) if isinstance(self.perturbation, Pipeline) else ()
        shown = {**params, **{f"require_{name}": limit for name, limit in self.require.items()}}
        shown |= {"limit": self.limit} if self.limit is not None else {}
        source = [str(self.span_source)] if self.span_source is not None else []
        source += ["+".join(map(_step, steps))] if steps else []
        view = [self.view] if self.view != usual_view(self.attack or self.promise or self.perturbation) else []
        return "-".join([*source, *(f"{_ascii(name)}-{_ascii(value)}" for name, value in shown.items()), *view])

    @property
    def id(self) -> str:
        """The same however pytest was started: ``ner/character_noise[rate-0.1]``."""
        return f"{self.task}/{self.name}" + (f"[{self.slug}]" if self.slug else "")


def step_of(step: Any) -> tuple[str, dict[str, Any]]:
    """Name and parameters of a step as thresholds.toml writes it: its name, or a table."""
    if isinstance(step, str):
        return step, {}
    return step["name"], {name: value for name, value in step.items() if name != "name"}


def skipped(case: Case, language: str) -> str | None:
    """Why the case cannot say anything of a corpus in the language; None where it can.

    It is for other languages, and does not itself say what it works with, or needs a model and names none.
    """
    if isinstance(case.perturbation, Pipeline):
        steps = zip(case.perturbation.steps, map(step_of, case.params[STEPS]), strict=True)
        return next((reason for step, (_, params) in steps if (reason := unfit(step, params, language))), None)
    if case.perturbation is not None:
        return unfit(case.perturbation, case.params, language)
    part = case.slice
    if part is None or not part.languages or language in part.languages or LANGUAGE in case.params:
        return None
    return f"{part.name} is for {' and '.join(part.languages)}; the {LANGUAGE} is {language}"


def _step(step: Any) -> str:
    name, params = step_of(step)
    return ".".join([_ascii(name), *(f"{_ascii(key)}-{_ascii(value)}" for key, value in params.items())])


def usual_view(
    tested: Perturbation | Pipeline | Attack[Any] | Promise[Any] | Asking[Any] | Slice[Any] | None,
) -> View:
    """The view that bounds are about unless they say otherwise: structural where whole entities may be replaced."""
    if isinstance(tested, Attack | Promise):
        return "structural"
    return "structural" if isinstance(tested, Perturbation | Pipeline) and tested.resizes else "projected"


def _ascii(value: object) -> str:
    items = [f"{key}_{item}" for key, item in value.items()] if isinstance(value, Mapping) else value
    text = "+".join(map(str, items)) if isinstance(items, list | tuple) else str(items)
    return re.sub(r"[^A-Za-z0-9._+]", "_", text)


@dataclass(frozen=True, slots=True, eq=False)
class Sliced:
    """What is in a slice, in words, and the outcomes of all other sentences."""

    text: str
    rest: Sequence[Outcome]


@dataclass(frozen=True, slots=True, eq=False)
class CaseRun:
    """What came of a case.

    ``forwards`` counts the distinct windows it needed beyond the clean corpus, ``shared_forwards`` those of them that
    the same attack on gold spans needs too. ``campaign`` is there for an attack that searches, ``promised`` for an
    promise, ``sliced`` for a slice, whose corpus and outcomes are those in it. ``filtered`` counts the variants that
    did not keep what was ``required``, which are no part of the outcomes.
    """

    case: Case
    corpus: Corpus
    params: Mapping[str, Any]
    seeds: tuple[int, ...]
    outcomes: Sequence[Outcome]
    forwards: int
    shared_forwards: int
    seconds: float
    campaign: Campaign | None = None
    promised: Promised | None = None
    sliced: Sliced | None = None
    required: Required = ()
    filtered: int = 0


def run(
    case: Case,
    corpus: Corpus,
    predictor: Predictor,
    seeds: Sequence[int],
    resources: Resources,
    open_log: OpenLog | None = None,
    hunt: Hunt | None = None,
) -> CaseRun:
    """Perturb every sentence once per seed, predict all distinct variants, and pair them with the clean predictions.

    Outcomes come seed by seed, each in the order of the corpus; those of an attack that searches are one per target,
    those of an promise one per edit, and ``hunt`` looks for the smallest that breaks it.

    ``predictor`` knows the clean ``corpus``, ``resources`` what perturbations ask for. The baseline has one seed, 0,
    since it draws nothing.
    """
    examined = corpus.first(case.limit)
    if case.attack is not None:
        return _attacked(case, case.attack, examined, predictor, seeds, open_log)
    if case.promise is not None:
        return _promised(case, case.promise, examined, predictor, seeds if case.seeds is None else case.seeds, hunt)
    if case.slice is not None:
        return _sliced(case, case.slice, examined, predictor, resources.language)
    started = time.perf_counter()
    perturbation = configured(case, resources)
    used = (0,) if perturbation is None else tuple(seeds if case.seeds is None else case.seeds)
    clean, scale = predictor.clean(), predictor.scale()
    targets = _targets(case.span_source, examined.sentences, clean)
    made = _variants(case, perturbation, examined.sentences, targets, used)
    required = prepared(case.require, examined)
    variants = _filtered(made, examined.sentences, required)
    beside: list[Perturbed | None] = []
    if case.span_source == "predicted":
        beside = _variants(case, perturbation, examined.sentences, _targets("oracle", examined.sentences, clean), used)
        beside = _filtered(beside, examined.sentences, required)
    predicted = predictor.predict(_inputs(variants), beside=_inputs(beside))
    perturbed = iter(predicted.predictions)
    ids = [sentence_id(sentence) for sentence in examined.sentences]
    outcomes = [
        Outcome(
            ids[i],
            seed,
            sentence,
            clean[i],
            variant,
            clean[i] if variant is None else next(perturbed),
            scale,
            targets[i] or (),
        )
        for (seed, (i, sentence)), variant in zip(product(used, enumerate(examined.sentences)), variants, strict=True)
    ]
    filtered = len(_inputs(made)) - len(_inputs(variants))
    params, seconds = _params(case, resources), time.perf_counter() - started
    return CaseRun(
        case,
        examined,
        params,
        used,
        outcomes,
        predicted.forwards,
        predicted.shared,
        seconds,
        required=required,
        filtered=filtered,
    )


def _attacked(
    case: Case,
    attack: Attack[Any],
    corpus: Corpus,
    predictor: Predictor,
    seeds: Sequence[int],
    open_log: OpenLog | None,
) -> CaseRun:
    started = time.perf_counter()
    settings = attack.configured(**case.params)
    found = campaign(attack, settings, corpus, predictor, seeds if case.seeds is None else case.seeds, open_log)
    used = tuple(dict.fromkeys(outcome.seed for outcome in found.outcomes))
    seconds = time.perf_counter() - started
    return CaseRun(case, corpus, asdict(settings), used, found.outcomes, found.forwards, 0, seconds, found)


def _promised(
    case: Case,
    promise: Promise[Any],
    corpus: Corpus,
    predictor: Predictor,
    seeds: Sequence[int],
    hunt: Hunt | None,
) -> CaseRun:
    """The edits are drawn once, under the first seed."""
    started = time.perf_counter()
    settings = promise.configured(**case.params)
    trial = Trial(promise, settings, corpus, predictor)
    outcomes, hunted = trial.drawn(seeds[0]), None
    if hunt is not None and trial.sentences:
        hunted = hunt(trial, outcomes)
    seconds = time.perf_counter() - started
    found = Promised(trial, outcomes, hunted)
    return CaseRun(
        case, corpus, asdict(settings), tuple(seeds[:1]), outcomes, trial.forwards, 0, seconds, promised=found
    )


def _sliced(case: Case, part: Slice[Any], corpus: Corpus, predictor: Predictor, language: str) -> CaseRun:
    """The clean predictions, told apart; like the baseline it has one seed, 0."""
    started = time.perf_counter()
    params = ({LANGUAGE: language} if language in part.languages else {}) | dict(case.params)
    settings = part.configured(**{name: value for name, value in params.items() if name != OF})
    cut, scale = part.cut(corpus, settings), predictor.scale()
    outcomes = [
        Outcome(sentence_id(sentence), 0, sentence, clean, None, clean, scale, outside=not cut.holds(sentence))
        for sentence, clean in zip(corpus.sentences, predictor.clean(), strict=False)  # of a longer corpus, too
    ]
    inside, rest = ([outcome for outcome in outcomes if outcome.outside is side] for side in (False, True))
    held = Corpus(corpus.name, tuple(outcome.gold for outcome in inside), corpus.scheme, corpus.repairs)
    seconds = time.perf_counter() - started
    return CaseRun(case, held, params, (0,), inside, 0, 0, seconds, sliced=Sliced(cut.text, rest))


def _targets(
    source: SpanSource | None, sentences: Sequence[Sentence], clean: Sequence[Prediction]
) -> list[tuple[Span, ...] | None]:
    """The spans to aim at in each sentence; None where nothing is aimed at all."""
    if source is None:
        return [None] * len(sentences)
    tags = [
        prediction.tags if source == "predicted" else sentence.tags or ()
        for sentence, prediction in zip(sentences, clean, strict=False)  # of a longer corpus under a limit
    ]
    return [tuple(entity_spans(each)) for each in tags]


def _variants(
    case: Case,
    perturbation: Perturbation | Pipeline | None,
    sentences: Sequence[Sentence],
    targets: Sequence[tuple[Span, ...] | None],
    seeds: Sequence[int],
) -> list[Perturbed | None]:
    """One variant per seed and sentence; None where nothing changes, as where there is no target."""
    if perturbation is None:
        return [None] * (len(seeds) * len(sentences))
    aimed = [
        sentence if spans is None else replace(sentence, anchors=spans)
        for sentence, spans in zip(sentences, targets, strict=True)
    ]
    return [
        _sampled(case, perturbation, sentence, seed) if targets[i] != () else None
        for seed in seeds
        for i, sentence in enumerate(aimed)
    ]


def _filtered(
    variants: Sequence[Perturbed | None], sentences: Sequence[Sentence], required: Required
) -> list[Perturbed | None]:
    """The variants, seed by seed; None for those that do not keep what is required."""
    if not required:
        return list(variants)
    pairs = [(sentences[k % len(sentences)], made.sentence) for k, made in enumerate(variants) if made is not None]
    kept = iter(passing(required, pairs))
    return [made if made is not None and next(kept) else None for made in variants]


def _inputs(variants: Sequence[Perturbed | None]) -> list[Sentence]:
    return [variant.sentence for variant in variants if variant is not None]


def _sampled(case: Case, perturbation: Perturbation | Pipeline, sentence: Sentence, seed: int) -> Perturbed | None:
    """A variant of the sentence; raises `AbaloError` where the perturbation's function breaks its promise."""
    try:
        variant = perturbation.sample(sentence, seed=seed)
        return replace(variant, joined=_joined(variant)) if variant is not None and perturbation.joins else variant
    except Exception as error:
        raise AbaloError(
            f"{case.id}: the {_whereabouts(perturbation)} failed on sentence {sentence_id(sentence)}: "
            f"{' '.join([f'{type(error).__name__}: {error}', *getattr(error, '__notes__', ())])}"
        ) from error


def _joined(variant: Perturbed) -> int:
    """How many tokens at the end stand for none of the sentence."""
    last = max((new for new, origin in enumerate(variant.origins) if origin), default=-1)
    return len(variant.origins) - 1 - last


def _whereabouts(perturbation: Perturbation | Pipeline) -> str:
    """What failed, with where its code begins; of a pipeline the error itself says which step it was."""
    if isinstance(perturbation, Pipeline):
        return "pipeline"
    code = inspect.unwrap(perturbation.function).__code__
    return f"perturbation ({code.co_filename}:{code.co_firstlineno})"


def _params(case: Case, resources: Resources) -> dict[str, Any]:
    """What the case gives, and what was found for what it leaves open."""
    if isinstance(case.perturbation, Pipeline):
        steps = zip(case.perturbation.steps, map(step_of, case.params[STEPS]), strict=True)
        named = [(name, resources.named(member, params)) for member, (name, params) in steps]
        return {**case.params, STEPS: [{"name": name, **params} if params else name for name, params in named]}
    return dict(case.params) if case.perturbation is None else resources.named(case.perturbation, case.params)


def configured(case: Case, resources: Resources) -> Perturbation | Pipeline | None:
    """The case's perturbation with its parameters; None for the baseline.

    Raises `AbaloError` where a resource that it names cannot be had.
    """
    if case.perturbation is None:
        return None
    try:
        if isinstance(case.perturbation, Perturbation):
            return resources.configured(case.perturbation, case.params)
        steps = zip(case.perturbation.steps, map(step_of, case.params[STEPS]), strict=True)
        return Pipeline(tuple(resources.configured(member, params) for member, (_, params) in steps))
    except AbaloError as error:
        raise AbaloError(f"{case.id} {error}") from error
