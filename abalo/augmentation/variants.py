"""Variants of corpus examples, linked to their originals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from abalo.core.documents.rewording import Rewording
from abalo.core.protocols.task import Task, tasks
from abalo.core.records.example import Example
from abalo.errors import AbaloError
from perturbations import UNLABELLED, Perturbation, Perturbed, Pipeline, Sentence, sample_pipeline


@dataclass(frozen=True, slots=True, eq=False)
class CorpusVariant:
    """A variant of example ``original``, counted from 1.

    ``way`` is the seed or the rewording's name.
    """

    original: int
    example: Example
    edits: Mapping[str, Perturbed]
    way: int | str


class Change(Protocol):
    """Makes variants of examples."""

    @property
    def name(self) -> str:
        """The perturbations joined by ``+``, or the rewordings."""
        ...

    @property
    def notes(self) -> Mapping[str, object]:
        """The perturbations and ``params`` for notes."""
        ...

    def variants(self, task: Task, example: Example, number: int, seeds: Sequence[int], /) -> Iterator[CorpusVariant]:
        """Yields variants in the order of the seeds; raises `AbaloError` if a step fails."""
        ...

    def may_fit(self, task: Task, example: Example, /) -> bool:
        """Whether other seeds may yield a variant."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Perturbations applied one after the other.

    ``field`` is a field choice of the task; "" means the usual fields.
    """

    steps: tuple[Perturbation, ...]
    field: str = ""

    @property
    def name(self) -> str:
        return "+".join(step.name for step in self.steps)

    @property
    def notes(self) -> Mapping[str, object]:
        params = [
            {"rate": step.rate} | {key: _as_json(each) for key, each in step.params.items()} for step in self.steps
        ]
        return {"perturbations": [step.name for step in self.steps], "params": params}

    def variants(self, task: Task, example: Example, number: int, seeds: Sequence[int]) -> Iterator[CorpusVariant]:
        given = task.fields.given(example, self._chosen(task))
        for seed in seeds:
            drawn = ((name, self._sampled(example, sentence, number, seed)) for name, sentence in given.items())
            edits = {name: made for name, made in drawn if made is not None}
            new = task.carry(example, edits) if edits else None
            if new is not None:
                yield CorpusVariant(number, new, edits, seed)

    def may_fit(self, task: Task, example: Example) -> bool:
        whole = self._whole
        given = task.fields.given(example, self._chosen(task))
        return whole.may_miss and (whole.cost == "model" or any(map(whole.fits, given.values())))

    @property
    def _whole(self) -> Perturbation | Pipeline:
        return self.steps[0] if len(self.steps) == 1 else Pipeline(self.steps)

    def _chosen(self, task: Task) -> str:
        return self.field or task.fields.usual(self._whole)

    def _sampled(self, example: Example, sentence: Sentence, number: int, seed: int) -> Perturbed | None:
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
    """A list of rewordings with settings; ignores seeds."""

    rewording: Rewording[Any]
    settings: Any

    @property
    def name(self) -> str:
        return self.rewording.name

    @property
    def notes(self) -> Mapping[str, object]:
        params = {name: getattr(self.settings, name) for name in type(self.settings).ranges}
        return {"perturbations": [self.name], "params": [params]}

    def variants(self, task: Task, example: Example, number: int, _seeds: Sequence[int]) -> Iterator[CorpusVariant]:
        if not self.rewording.takes(example, self.settings):
            return
        for way in self.rewording.ways(example, self.settings):
            new = task.carry(example, way.edits)
            if new is not None:
                yield CorpusVariant(number, new, way.edits, way.id)

    def may_fit(self, _task: Task, _example: Example) -> bool:
        return False


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """Distinct variants, in the order of the corpus and the seeds.

    Attributes:
        missed: examples that other seeds may change.
        untouched: examples that the change never fits.
        repeated: duplicates dropped.
        unknown: variants dropped for unknown labels.
    """

    variants: tuple[CorpusVariant, ...]
    size: int
    missed: int
    untouched: int
    repeated: int
    unknown: int


def make(examples: Sequence[Example], task: Task, change: Change, seeds: Sequence[int]) -> Made:
    """Makes the variants of every example."""
    variants: list[CorpusVariant] = []
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
    """The fields of an example, for comparison."""
    return tuple(example.fields.items())


def is_labelled(new: Example, original: Example) -> bool:
    """Whether a variant keeps all labels."""
    lost = original.gold is not None and new.gold is None
    before, after = original.whole.tags or (), new.whole.tags or ()
    return not lost and (UNLABELLED not in after or UNLABELLED in before)


def link_variants(
    examples: Sequence[Example], variants: Iterable[tuple[Change, CorpusVariant]], *, keep_originals: bool
) -> tuple[list[Example], list[dict[str, object]]]:
    """The variants, optionally after their originals, and notes on each.

    Originals are named by number, variants such as ``17/accents/1``, duplicates with ``/2`` and so on. ``sentence_id``
    is the original's id in reports; ``edits`` suit `perturbations.apply`, by field if an example has several.
    """
    by_original: dict[int, list[tuple[Change, CorpusVariant]]] = {}
    for change, variant in variants:
        by_original.setdefault(variant.original, []).append((change, variant))
    found: list[Example] = []
    notes: list[dict[str, object]] = []
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
    """Raises `AbaloError` for formats that the task cannot write."""
    if path.suffix.lower() not in task.writers:
        if not task.writers:
            raise AbaloError(f"--out {path}: the task {task.name} writes no files")
        able = [name for name, other in tasks().items() if path.suffix.lower() in other.writers]
        note = f"; {path.suffix} is for {', '.join(able)}" if able else ""
        raise AbaloError(
            f"--out {path}: ends in {path.suffix or 'nothing'!r}; expected one of {', '.join(task.writers)} for "
            f"{task.name}{note}"
        )


def _note(change: Change, variant: CorpusVariant, original: Example, name: str) -> dict[str, object]:
    edits = {field: [edit.to_json() for edit in made.edits] for field, made in variant.edits.items()}
    return {
        "id": name,
        "original": str(variant.original),
        "sentence_id": original.id,
        **change.notes,
        "seed" if isinstance(variant.way, int) else "rewording": variant.way,
        "edits": edits if len(original.fields) > 1 else next(iter(edits.values())),
    }


def _as_json(value: object) -> object:
    plain = value is None or isinstance(value, bool | int | float | str | tuple)
    return value if plain else str(getattr(value, "name", value))
