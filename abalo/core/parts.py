"""Corpora that are read part after part, since they are too large for one process: the parts, and what reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from abalo.core import words
from perturbations import Perturbation

PART = 10_000
"""Examples in a part of a corpus, which no batch crosses: as many as in a shard, where a corpus is cut into shards."""

DEVICES, SAMPLED = "devices", "sampled"
"""Facts of a task that are there only of a run in parts: the devices that gave other predictions or have other names,
and how many examples of a case were kept at most."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a corpus: bytes ``start`` up to but not including ``stop`` of its file, or rows of a Parquet file.

    ``before`` is how many lines, or rows, come before it; it has so many ``examples``.
    """

    start: int
    stop: int
    before: int
    examples: int


@dataclass(frozen=True, slots=True)
class Source:
    """A corpus that is cut: what the user called it, and what reading all of it has shown.

    ``path`` is absolute, ``kind`` says how its file is cut. ``sha256`` is that of the corpus. It has so many
    ``examples``, of so many ``sentences`` in all their fields. ``labels`` are those that occur. ``settled`` is what a
    part by itself leaves open, such as the tagging scheme, as values of JSON: parts are read accordingly.
    """

    name: str
    path: str
    kind: str
    sha256: str
    examples: int
    sentences: int
    labels: tuple[str, ...]
    settled: Mapping[str, Any]


class InParts(Protocol):
    """A corpus that can be read part after part."""

    def cut(self, size: int) -> tuple[Source, tuple[Part, ...]]:
        """The corpus, and its parts of ``size`` examples, of which the last may have fewer; all of it is read.

        Raises `AbaloError` with the problems of the first part that has any.
        """
        ...

    def read(self, source: Source, part: Part) -> Any:
        """The corpus that a part is; raises `AbaloError` where the file is no longer what was cut."""
        ...

    def groups(self, source: Source) -> Sequence[str]:
        """The groups of labels that are counted in every part, also in one that holds none of them."""
        ...

    def hindrance(self, member: Perturbation) -> str | None:
        """Why a case with that perturbation cannot be run part after part; None where it can."""
        ...

    def labels_alone(self, source: Source) -> Any:
        """A corpus of made-up examples with every label that occurs, by which a model is loaded."""
        ...


def notices(facts: Mapping[str, Any]) -> Iterator[str]:
    """A line about devices that differ, and one about examples that are a sample, where there are any."""
    if devices := facts.get(DEVICES):
        yield " ".join(_compared(devices))
    if SAMPLED in facts:
        most = words.count(facts[SAMPLED], "wrong example")
        yield f"Of each case at most {most} with text were kept, drawn by lot; they are no worse than others."


def _compared(devices: list[Mapping[str, Any]]) -> Iterator[str]:
    first, *others = devices
    ran = ", ".join(f"{each['name']} ({words.count(each['shards'], 'shard')})" for each in devices)
    yield f"Parts of the corpus were run on several devices: {ran}."
    for each in others:
        if each["differing"] is not None:
            told = f"{each['differing']:,} of {words.count(each['labels'], 'label')}"
            yield f"Of the first inputs of the corpus, {told} differ on {each['name']} from those on {first['name']}."
    yield "Other devices are other sums; run all parts on one kind of machine to have the same numbers again."
