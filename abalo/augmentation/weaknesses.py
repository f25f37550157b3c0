"""The weaknesses that a robustness report shows, and training examples aimed at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from abalo.augmentation.variants import Change, Put, Steps, Variant, is_labelled, texts_of
from abalo.bundled import USUAL_LANGUAGE
from abalo.core.example import Example
from abalo.core.plan import BASELINE
from abalo.core.results import Json, cases, measured, metric_of, outcome, probe_of, task_of
from abalo.core.settings import LANGUAGE
from abalo.core.task import Task
from abalo.core.words import count
from abalo.corpora.json_text import strict_json
from abalo.errors import AbaloError
from abalo.files import read_text
from abalo.probes.pipeline import PIPELINE, STEPS, step_of
from abalo.reporting.document import SCHEMA
from abalo.reporting.finished import whole
from abalo.reporting.stored import from_stored
from abalo.sources.resources import Resources
from perturbations import UnknownPerturbation, find, stream
from perturbations.streams import sample

_FIRST = ("fail", "inconclusive")

_CHANGING = ("perturbation", PIPELINE, "rewording")
"""The probes whose cases make variants without the model."""

_LEFT_OUT: Mapping[str, str] = {
    "slice": "a part of the corpus, which no perturbation makes more of",
    "attack": "an attack that needs the model to search",
    "promise": "a promise about single edits",
}
"""Why cases of other probes make no training data."""


@dataclass(frozen=True, slots=True, eq=False)
class Weakness:
    """A change that lowers the score, and the result of the report that shows it."""

    change: Change
    result: Json

    @property
    def drop(self) -> float:
        """The drop in the score, above 0."""
        return measured(self.result, self.result["headline"]).value or 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Weaknesses:
    """Those taken, the most important first; and why the other cases of the report are not, a line each."""

    taken: tuple[Weakness, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Aimed:
    """The variants aimed at a weakness, and how many there would be if it fitted more examples."""

    weakness: Weakness
    variants: tuple[Variant, ...]
    wanted: int


def read_report(path: Path) -> Json:
    """The document of a robustness.json; raises `AbaloError` for anything else."""
    remedy = "expected robustness.json, as every run writes it into reports/"
    try:
        document = strict_json(read_text(path))
    except OSError as error:
        raise AbaloError(f"{path}: cannot be read: {error.strerror or error}; {remedy}") from error
    except (ValueError, RecursionError) as error:
        raise AbaloError(f"{path}: not JSON; {remedy}") from error
    if not isinstance(document, dict) or not isinstance(document.get("results"), list):
        raise AbaloError(f"{path}: no results in it; {remedy}")
    if document.get("schema") != SCHEMA:
        raise AbaloError(f"{path}: schema is {document.get('schema')!r}; expected {SCHEMA!r}; run the tests again")
    with whole(path):
        return from_stored(document)


def language_of(document: Json) -> str:
    """The language of the corpus that the report is about, as far as it says so."""
    for part in (document.get("corpus"), document.get("gate")):
        if isinstance(part, dict) and LANGUAGE in part:
            return str(part[LANGUAGE])
    return USUAL_LANGUAGE


def weaknesses(document: Json, most: int, task: Task, resources: Resources) -> Weaknesses:
    """The cases of a task that lower the score, at most ``most``, in the order of their importance.

    A case is one of them if its drop is above 0 and it failed or was inconclusive, or if the whole interval of the
    drop is above 0. Failed ones come first, then inconclusive ones, then the others; among these, the larger the low
    end of the interval, the earlier. Of cases with the same perturbation and settings, as on gold and predicted spans,
    the first counts. Perturbations take what they need from ``resources``, those of the training data.
    """
    changing = [result for result in cases(document) if probe_of(result).name != BASELINE]
    own = [result for result in changing if task_of(result) is task]
    if not own:
        named = sorted({task_of(result).name for result in changing})
        only = f", only of {', '.join(named)}; name other training data, or --task" if named else "; run more cases"
        raise AbaloError(f"the report has no case of the task {task.name} that changes texts{only}")
    judged = [_judged(result, resources) for result in own]
    found = sorted((each for each in judged if isinstance(each, Weakness)), key=_order)
    left_out = [each for each in judged if isinstance(each, str)]
    taken: list[Weakness] = []
    for weakness in found:
        twin = next((other for other in taken if _settings(other) == _settings(weakness)), None)
        if twin is not None:
            left_out.append(f"{_named(weakness.result)}: the same edits as {_named(twin.result)}")
        elif len(taken) == most:
            left_out.append(f"{_named(weakness.result)}: beyond the first {most}, with {outcome(weakness.result)}")
        else:
            taken.append(weakness)
    return Weaknesses(tuple(taken), tuple(left_out))


def _judged(result: Json, resources: Resources) -> Weakness | str:
    """The weakness that a result shows, or why it shows none."""
    name, probe = _named(result), probe_of(result).name
    if probe not in _CHANGING:
        return f"{name}: {_LEFT_OUT.get(probe, 'a kind of case that draws no variants')}"
    drop = measured(result, result["headline"])
    if drop.value is None or not drop.value > 0:
        return f"{name}: costs no {metric_of(result, task_of(result).floor).words}"
    if result["verdict"] not in _FIRST and not (drop.low or 0) > 0:
        return f"{name}: {outcome(result)} may be none"
    try:
        return Weakness(_change(result, resources), result)
    except (AbaloError, UnknownPerturbation, TypeError, ValueError) as error:
        return f"{name}: {error}"


def _change(result: Json, resources: Resources) -> Change:
    """The change with its settings; raises UnknownPerturbation, TypeError, ValueError or `AbaloError`."""
    name, params = result["perturbation"], result["params"]
    if (rewording := task_of(result).rewordings.lists.get(name)) is not None:
        return Put(rewording, rewording.configured(**params))
    steps = map(step_of, params[STEPS]) if name == PIPELINE else [(name, params)]
    return Steps(tuple(resources.configured(find(step), given) for step, given in steps))


def _order(weakness: Weakness) -> tuple[int, float, str]:
    result = weakness.result
    verdict, low = result["verdict"], measured(result, result["headline"]).low
    rank = _FIRST.index(verdict) if verdict in _FIRST else len(_FIRST)
    return rank, -(weakness.drop if low is None else low), _named(result)


def _settings(weakness: Weakness) -> str:
    return repr(weakness.change.notes)


def shares(size: int, found: Sequence[Weakness], share: Fraction) -> list[int]:
    """How many variants each weakness is due, in proportion to its drop, of a corpus of ``size`` examples.

    Together they are at most ``share`` of the examples written, originals included. The remainder of rounding goes to
    those that lose most by it, the first of equals.
    """
    room = int(share * size / (1 - share))
    drops = [Fraction(weakness.drop) for weakness in found]
    exact = [room * drop / sum(drops) for drop in drops]
    due = [int(each) for each in exact]
    for k in sorted(range(len(due)), key=lambda k: due[k] - exact[k])[: room - sum(due)]:
        due[k] += 1
    return due


def aimed(
    examples: Sequence[Example], task: Task, found: Sequence[Weakness], wanted: Sequence[int], seed: int
) -> Iterator[Aimed]:
    """For each weakness as many variants of the examples as are wanted, or as there are.

    Examples come in random order, and each weakness goes on where the one before it stopped, so that variants are
    spread over the corpus. None is like another, or like an original, and of each the labels are known. Raises
    `AbaloError` where a perturbation fails.
    """
    order = sample(stream(seed, "augment"), range(1, len(examples) + 1), len(examples))
    seen = set(map(texts_of, examples))
    start = 0
    for weakness, most in zip(found, wanted, strict=True):
        variants: list[Variant] = []
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


def described(each: Aimed) -> str:
    """A weakness that was taken, its verdict, its drop and its number of variants, in a line."""
    result, made = each.weakness.result, len(each.variants)
    verdict = "fails" if result["verdict"] == "fail" else result["verdict"] or "measured"
    fewer = f" of {each.wanted:,}: it fits no more" if made < each.wanted else ""
    return f"{_named(result)}: {verdict}, {outcome(result)}: {count(made, 'variant')}{fewer}"


def _named(result: Json) -> str:
    source: Any = result["span_source"]
    return str(result["id"]) + (f" ({source} spans)" if source and source not in result["id"] else "")
