"""Corpora too large for one process, read part by part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from abalo.core.documents.document import DeviceRun
from abalo.core.documents.found import certain
from abalo.core.records import words
from abalo.core.records.json_records import Json, read
from perturbations import Perturbation

DEVICES, SAMPLED = "devices", "sampled"


@dataclass(frozen=True, slots=True)
class Part:
    """Bytes ``start`` to ``stop`` (exclusive) of a file, or rows."""

    start: int
    stop: int
    before: int
    examples: int


@dataclass(frozen=True, slots=True)
class Source:
    """A corpus to be cut; ``settled`` is what a part cannot decide, such as the tagging scheme."""

    name: str
    path: str
    kind: str
    sha256: str
    examples: int
    sentences: int
    labels: tuple[str, ...]
    settled: Mapping[str, Any]


class InParts(Protocol):
    """A corpus that is read part by part."""

    def cut(self, size: int) -> tuple[Source, tuple[Part, ...]]:
        """The corpus and its parts; raises `AbaloError` with a part's problems."""
        ...

    def read(self, source: Source, part: Part) -> Any:
        """A part; raises `AbaloError` if the file has changed."""
        ...

    def groups(self, source: Source) -> Sequence[str]:
        """The groups to count in every part."""
        ...

    def hindrance(self, member: Perturbation) -> str | None:
        """Why a perturbation needs the whole corpus, else None."""
        ...

    def labels_alone(self, source: Source) -> Any:
        """A made-up corpus with every label."""
        ...


def notices(facts: Json) -> Iterator[str]:
    """Warnings about differing devices and sampled examples."""
    if devices := facts.get(DEVICES):
        yield " ".join(_compare_devices([read(DeviceRun, each) for each in devices]))
    if SAMPLED in facts:
        most = words.count(facts[SAMPLED], "wrong example")
        yield (
            f"The report keeps at most {most} with text for each case, drawn at random; they are not the worst ones."
        )


def _compare_devices(devices: list[DeviceRun]) -> Iterator[str]:
    first, *others = devices
    ran = ", ".join(f"{each.name} ({words.count(each.chunks, 'chunk')})" for each in devices)
    yield f"Parts of the corpus were run on several devices: {ran}."
    for each in others:
        if each.differing is not None:
            told = f"{each.differing:,} of {words.count(certain(each.labels), 'label')}"
            yield f"For the first inputs of the corpus, {told} differ between {each.name} and {first.name}."
    yield "Results depend slightly on the device; run all parts on one kind of machine to reproduce the numbers."
