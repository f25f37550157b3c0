"""Variants of the examples of a corpus, each linked to its original, for files that a task reads again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from abalo.core.example import Example
from abalo.core.rewording import Rewording
from abalo.core.task import Task, tasks
from abalo.errors import AbaloError
from perturbations import UNLABELLED, Perturbation, Perturbed, Pipeline, Sentence, sample_pipeline


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """A variant of example ``original`` of a corpus, counted from 1; ``edits`` holds by field what was done.

    ``way`` is the seed, or the name of the rewording.
    """

    original: int
    example: Example
    edits: Mapping[str, Perturbed]
    way: int | str


class Change(Protocol):
    """A change of examples that makes variants."""

    @property
    def name(self) -> str:
        """The perturbations joined by ``+``, or the list of rewordings."""
        ...

    @property
    def notes(self) -> Mapping[str, Any]:
        """The perturbations in order and their ``params``, as notes on a variant give them."""
        ...

    def variants(self, task: Task, example: Example, number: int, seeds: Sequence[int], /) -> Iterator[Variant]:
        """Variants of example ``number``, in the order of the seeds; raises `AbaloError` where a step fails."""
        ...

    def may_fit(self, task: Task, example: Example, /) -> bool:
        """Whether chance may be why there is no variant."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Perturbations, each applied to the result of the one before."""

    steps: tuple[Perturbation, ...]

    @property
    def name(self) -> str:
        """The names of the perturbations, joined by ``+``."""
        return "+".join(step.name for step in self.steps)

    @property
    def notes(self) -> Mapping[str, Any]:
        """The perturbations and their parameters."""
        params = [
            {"rate": step.rate} | {key: _written(each) for key, each in step.params.items()} for step in self.steps
        ]
        return {"perturbations": [step.name for step in self.steps], "params": params}

    def variants(self, task: Task, example: Example, number: int, seeds: Sequence[int]) -> Iterator[Variant]:
        """A variant for each seed that changes the example."""
        fields = task.fields.chosen(example, task.fields.usual(self._whole))
        for seed in seeds:
            drawn = ((name, self._sampled(example, name, number, seed)) for name in fields)
            edits = {name: made for name, made in drawn if made is not None}
            new = task.carry(example, edits) if edits else None
            if new is not None:
                yield Variant(number, new, edits, seed)

    def may_fit(self, task: Task, example: Example) -> bool:
        """Whether a perturbation can miss and either needs a model to know its sites or has one here."""
        whole = self._whole
        names = task.fields.chosen(example, task.fields.usual(whole))
        return whole.may_miss and (whole.cost == "model" or any(whole.fits(example.fields[name]) for name in names))

    @property
    def _whole(self) -> Perturbation | Pipeline:
        return self.steps[0] if len(self.steps) == 1 else Pipeline(self.steps)

    def _sampled(self, example: Example, name: str, number: int, seed: int) -> Perturbed | None:
        sentence = example.fields[name]
        try:
            if len(self.steps) == 1:  # with edits as they were drawn
                return self.steps[0].sample(sentence, seed=seed)
            return sample_pipeline(self.steps, sentence, seed=seed)
        except Exception as error:  # a perturbation of the user's own may raise anything
            raise AbaloError(
                f"{self.name}: failed on sentence {number} ({example.id}): {type(error).__name__}: {error}"
            ) from error


@dataclass(frozen=True, slots=True, eq=False)
class Put:
    """A list of rewordings of a task, under its settings."""

    rewording: Rewording[Any]
    settings: Any

    @property
    def name(self) -> str:
        """The name of the list."""
        return self.rewording.name

    @property
    def notes(self) -> Mapping[str, Any]:
        """The list and its settings."""
        params = {name: getattr(self.settings, name) for name in type(self.settings).ranges}
        return {"perturbations": [self.name], "params": [params]}

    def variants(self, task: Task, example: Example, number: int, _seeds: Sequence[int]) -> Iterator[Variant]:
        """All ways of the list that apply; nothing is drawn, so that the seeds do not matter."""
        if not self.rewording.takes(example, self.settings):
            return
        for way in self.rewording.ways(example, self.settings):
            new = task.carry(example, way.edits)
            if new is not None:
                yield Variant(number, new, way.edits, way.id)

    def may_fit(self, _task: Task, _example: Example) -> bool:
        """Never: nothing is drawn."""
        return False


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """Distinct variants in the order of the corpus, those of an example in that of the seeds.

    ``missed`` counts the examples that chance has left alone under every seed, ``untouched`` those in which nothing
    fits; where a model would have to be asked which it is, all of them are ``missed``. ``repeated`` counts the variants
    that are left out since an earlier seed made the same, ``unknown`` those whose labels nobody knows. ``size`` is that
    of the corpus.
    """

    variants: tuple[Variant, ...]
    size: int
    missed: int
    untouched: int
    repeated: int
    unknown: int


def make(examples: Sequence[Example], task: Task, change: Change, seeds: Sequence[int]) -> Made:
    """The variants of every example; raises `AbaloError` where a step fails."""
    variants: list[Variant] = []
    missed = untouched = repeated = unknown = 0
    for number, example in enumerate(examples, start=1):
        drawn = list(change.variants(task, example, number, seeds))
        distinct = {texts_of(each.example): each for each in reversed(drawn)}.values()
        known = [each for each in drawn if each in distinct and is_labelled(each.example, example)]
        variants += known
        repeated += len(drawn) - len(distinct)
        unknown += len(distinct) - len(known)
        if not drawn:
            hidden = change.may_fit(task, example)
            missed, untouched = missed + hidden, untouched + (not hidden)
    return Made(tuple(variants), len(examples), missed, untouched, repeated, unknown)


def texts_of(example: Example) -> tuple[tuple[str, Sentence], ...]:
    """The fields of an example, by which equal variants are told."""
    return tuple(example.fields.items())


def is_labelled(new: Example, original: Example) -> bool:
    """Whether a variant has the labels that its original has: of the whole, and of every word."""
    lost = original.gold is not None and new.gold is None
    before, after = original.whole.tags or (), new.whole.tags or ()
    return not lost and (UNLABELLED not in after or UNLABELLED in before)


def linked(
    examples: Sequence[Example], variants: Iterable[tuple[Change, Variant]], *, keep_originals: bool
) -> tuple[list[Example], list[dict[str, Any]]]:
    """The variants, after their originals where these are kept, and notes on where each comes from.

    An original is called by its number, a variant by that, its change and its seed or rewording, such as
    ``17/accents/1``; of several with one such name the second ends in ``/2``, and so on. Notes on a variant: ``id``,
    ``original``, ``sentence_id`` (of the original, as in reports), ``perturbations`` in the order of the pipeline,
    their ``params``, ``seed`` or ``rewording``, and the ``edits`` that `perturbations.apply` makes of the original
    again; of an example with several fields these are by field.
    """
    by_original: dict[int, list[tuple[Change, Variant]]] = {}
    for change, variant in variants:
        by_original.setdefault(variant.original, []).append((change, variant))
    found: list[Example] = []
    notes: list[dict[str, Any]] = []
    named: Counter[str] = Counter()
    for number, example in enumerate(examples, start=1):
        if keep_originals:
            found.append(example)
            notes.append({"id": str(number), "sentence_id": example.id})
        for change, variant in by_original.get(number, ()):
            name = f"{number}/{change.name}/{variant.way}"
            named[name] += 1
            found.append(variant.example)
            notes.append(_note(change, variant, example, name if named[name] == 1 else f"{name}/{named[name]}"))
    return found, notes


def check_name(path: Path, task: Task) -> None:
    """Raises `AbaloError` for a name whose ending tells no format that the task writes."""
    if path.suffix.lower() not in task.writers:
        if not task.writers:
            raise AbaloError(f"--out {path}: the task {task.name} writes no files")
        able = [name for name, other in tasks().items() if path.suffix.lower() in other.writers]
        note = f"; {path.suffix} is for {', '.join(able)}" if able else ""
        raise AbaloError(
            f"--out {path}: ends in {path.suffix or 'nothing'!r}; expected one of {', '.join(task.writers)} for "
            f"{task.name}{note}"
        )


def _note(change: Change, variant: Variant, original: Example, name: str) -> dict[str, Any]:
    edits = {field: [edit.to_json() for edit in made.edits] for field, made in variant.edits.items()}
    return {
        "id": name,
        "original": str(variant.original),
        "sentence_id": original.id,
        **change.notes,
        "seed" if isinstance(variant.way, int) else "rewording": variant.way,
        "edits": edits if len(original.fields) > 1 else next(iter(edits.values())),
    }


def _written(value: Any) -> Any:
    """A parameter as JSON has it; of what JSON does not have, its name."""
    plain = value is None or isinstance(value, bool | int | float | str | tuple)
    return value if plain else str(getattr(value, "name", value))
