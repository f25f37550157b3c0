"""Weaknesses in a report, and examples that target them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from abalo.augmentation.variants import Change, CorpusVariant, Put, Steps, is_labelled, texts_of
from abalo.bundled import USUAL_LANGUAGE
from abalo.core.documents.document import Document
from abalo.core.documents.found import PerturbationFields, Result
from abalo.core.protocols.results import cases, measured_number, metric_of, outcome, probe_of, task_of
from abalo.core.protocols.task import Task
from abalo.core.records.example import Example
from abalo.core.records.words import count
from abalo.core.statistics.plan import BASELINE
from abalo.errors import AbaloError
from abalo.probes.drawing import FIELD
from abalo.probes.pipeline import PIPELINE, STEPS, step_of
from abalo.sources.resources import Resources
from perturbations import UnknownPerturbation, find, stream
from perturbations.streams import sample

_FIRST = ("fail", "inconclusive")

_CHANGING = ("perturbation", PIPELINE, "rewording")

_LEFT_OUT: Mapping[str, str] = {
    "slice": "a part of the corpus, which no perturbation can produce",
    "attack": "an attack that needs the model to search",
    "invariance": "an invariance under single edits",
}


@dataclass(frozen=True, slots=True, eq=False)
class Weakness:
    """A change that lowers the score, with its result."""

    change: Change
    result: Result

    @property
    def drop(self) -> float:
        """The drop in the score, above 0."""
        return measured_number(self.result, self.result.headline).value or 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Weaknesses:
    """Weaknesses by importance; ``left_out`` gives reasons for other cases."""

    taken: tuple[Weakness, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Aimed:
    """Variants for a weakness, possibly fewer than ``wanted``."""

    weakness: Weakness
    variants: tuple[CorpusVariant, ...]
    wanted: int


def language_of(document: Document) -> str:
    """The language of the report's corpus, or the usual one."""
    own = document.corpus.language if document.corpus is not None else ""
    return own or document.gate.language or USUAL_LANGUAGE


def weaknesses(document: Document, most: int, task: Task, resources: Resources) -> Weaknesses:
    """The ``most`` important cases that lower the score.

    A case counts if its drop is above 0 and it failed or was inconclusive, or if the whole interval is above 0. Failed
    cases come first, then inconclusive ones, each by the interval's low end. Equal changes count once. ``resources``
    belong to the training data.
    """
    changing = [result for result in cases(document) if probe_of(result).name != BASELINE]
    own = [result for result in changing if task_of(result) is task]
    if not own:
        named = sorted({task_of(result).name for result in changing})
        only = f", only of {', '.join(named)}; name other training data, or --task" if named else "; run more cases"
        raise AbaloError(f"the report has no case of the task {task.name} that changes texts{only}")
    judged = [_judge_result(result, resources) for result in own]
    found = sorted((each for each in judged if isinstance(each, Weakness)), key=_order)
    left_out = [each for each in judged if isinstance(each, str)]
    taken: list[Weakness] = []
    for weakness in found:
        twin = next((other for other in taken if _settings(other) == _settings(weakness)), None)
        if twin is not None:
            left_out.append(f"{_case_title(weakness.result)}: the same edits as {_case_title(twin.result)}")
        elif len(taken) == most:
            left_out.append(
                f"{_case_title(weakness.result)}: not among the first {most}, with {outcome(weakness.result)}"
            )
        else:
            taken.append(weakness)
    return Weaknesses(tuple(taken), tuple(left_out))


def _judge_result(result: Result, resources: Resources) -> Weakness | str:
    name, probe = _case_title(result), probe_of(result).name
    if probe not in _CHANGING:
        return f"{name}: {_LEFT_OUT.get(probe, 'a kind of test without variants')}"
    drop = measured_number(result, result.headline)
    if drop.value is None or not drop.value > 0:
        return f"{name}: costs no {metric_of(result, task_of(result).floor).words}"
    if result.verdict not in _FIRST and not (drop.low or 0) > 0:
        return f"{name}: {outcome(result)} is not significant"
    try:
        return Weakness(_change(result, resources), result)
    except (AbaloError, UnknownPerturbation, TypeError, ValueError) as error:
        return f"{name}: {error}"


def _change(result: Result, resources: Resources) -> Change:
    name, params = result.name, result.params
    if (rewording := task_of(result).rewordings.lists.get(name)) is not None:
        return Put(rewording, rewording.configured(**params))
    own = {key: value for key, value in params.items() if key != FIELD}
    steps = map(step_of, params[STEPS]) if name == PIPELINE else [(name, own)]
    return Steps(tuple(resources.configured(find(step), given) for step, given in steps), str(params.get(FIELD, "")))


def _order(weakness: Weakness) -> tuple[int, float, str]:
    result = weakness.result
    verdict, low = result.verdict, measured_number(result, result.headline).low
    rank = _FIRST.index(verdict) if verdict in _FIRST else len(_FIRST)
    return rank, -(weakness.drop if low is None else low), _case_title(result)


def _settings(weakness: Weakness) -> str:
    return repr(weakness.change.notes)


def shares(size: int, found: Sequence[Weakness], share: Fraction) -> list[int]:
    """The number of variants per weakness, in proportion to its drop.

    The total is at most ``share`` of all examples, originals included. Largest remainders round up.
    """
    room = int(share * size / (1 - share))
    drops = [Fraction(weakness.drop) for weakness in found]
    exact = [room * drop / sum(drops) for drop in drops]
    due = [int(each) for each in exact]
    for k in sorted(range(len(due)), key=lambda k: due[k] - exact[k])[: room - sum(due)]:
        due[k] += 1
    return due


def aim_variants(
    examples: Sequence[Example], task: Task, found: Sequence[Weakness], wanted: Sequence[int], seed: int
) -> Iterator[Aimed]:
    """Yields up to ``wanted`` distinct, labelled variants per weakness, spread over the corpus."""
    order = sample(stream(seed, "augment"), range(1, len(examples) + 1), len(examples))
    seen = set(map(texts_of, examples))
    start = 0
    for weakness, most in zip(found, wanted, strict=True):
        variants: list[CorpusVariant] = []
        for k in range(len(order) if most else 0):
            number = order[(start + k) % len(order)]
            example = examples[number - 1]
            for variant in weakness.change.variants(task, example, number, [seed]):
                is_new = len(variants) < most and texts_of(variant.example) not in seen
                if is_new and is_labelled(variant.example, example):
                    seen.add(texts_of(variant.example))
                    variants.append(variant)
            if len(variants) == most:
                start = (start + k + 1) % len(order)
                break
        yield Aimed(weakness, tuple(variants), most)


def describe_weakness(each: Aimed) -> str:
    """One line with verdict, drop and number of variants."""
    result, made = each.weakness.result, len(each.variants)
    verdict = "fails" if result.verdict == "fail" else result.verdict or "measured"
    fewer = f" of {each.wanted:,}: no more examples fit" if made < each.wanted else ""
    return f"{_case_title(result)}: {verdict}, {outcome(result)}: {count(made, 'variant')}{fewer}"


def _case_title(result: Result) -> str:
    source = PerturbationFields.of(result).span_source
    return str(result.id) + (f" ({source} spans)" if source and source not in result.id else "")
