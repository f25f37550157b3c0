"""Draws the fillings of a capability.

Every template is a stratum with an equal share of the sample; large templates take what small ones leave. Each draws
without replacement, with equal probability, from its own random stream, so other templates or a larger sample keep
earlier draws.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from abalo.attacks.log import sentence_of
from abalo.attacks.regressions import example_after, task_of
from abalo.attacks.regressions import load as load_failures
from abalo.capabilities.agreement import agree_word
from abalo.capabilities.capability import CORPUS, Capability
from abalo.capabilities.fillers import FillerRow, ListedValues, Means, ValueSource, rows_of, suggest_rows
from abalo.capabilities.templates import Template, TemplateText, base_of
from abalo.core.protocols.task import AnyCorpus, Task
from abalo.core.records.example import Example
from abalo.core.records.filling import Filled, Filling
from abalo.errors import AbaloError
from abalo.files import is_file, read_text
from abalo.tasks.tokens.alignment import carry_span
from perturbations import Span, parse, render, stream
from perturbations.streams import sample

_LISTED = 100_000
"""Larger frames draw numbers until they differ, instead of shuffling."""

_MASK = "…"


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A filling to run, before and after its change; ``label`` is the expected label, filled."""

    stratum: str
    values: Mapping[str, str]
    before: Filling
    after: Filling | None = None
    label: str = ""

    @property
    def id(self) -> str:
        """Identifies what the model reads."""
        own = self.before.example.id
        return own if self.after is None else f"{own}-{self.after.example.id}"


@dataclass(frozen=True, slots=True, eq=False)
class TemplateStratum:
    """The fillings of one template: how many exist, and those drawn."""

    name: str
    written: str
    exist: int
    drawn: Sequence[Drawn]

    @property
    def census(self) -> bool:
        """True if all fillings run."""
        return len(self.drawn) == self.exist


class _Frame(Protocol):
    name: str
    written: str

    @property
    def size(self) -> int:
        """A property, since `len` is limited to a machine word."""
        ...

    def at(self, number: int) -> Drawn:
        """Numbers start at 0; raises ValueError if the filling makes no sense."""
        ...


def draw_strata(
    capability: Capability, task: Task, corpus: AnyCorpus, examples: Sequence[Example], means: Means, seed: int
) -> list[TemplateStratum]:
    """Draws each stratum's fillings, each text once; raises `AbaloError` if one fails or none exists."""
    frames = list(_frames(capability, task, corpus, examples, means))
    if not sum(frame.size for frame in frames):
        raise AbaloError(f"{_place(capability, task)}: there is nothing to run: {_nothing(capability)}")
    shares = share_sample(capability.sample, [frame.size for frame in frames])
    seen: set[str] = set()
    strata = []
    for frame, share in zip(frames, shares, strict=True):
        found = {}
        for number in numbers(frame.size, share, seed, frame.written):
            try:
                each = frame.at(number)
            except ValueError as error:
                raise AbaloError(f"{_place(capability, task)} {frame.name} {frame.written!r}: {error}") from error
            if each.id not in seen:
                found[each.id] = each
        seen |= found.keys()
        exist = len(found) if share == frame.size else frame.size
        strata.append(TemplateStratum(frame.name, frame.written, exist, tuple(found.values())))
    return strata


def _place(capability: Capability, task: Task) -> str:
    return f"[[{task.name}.capability]] {capability.name!r}"


def _nothing(capability: Capability) -> str:
    if capability.templates:
        return "no filler has a value"
    if capability.failures:
        return f"{capability.failures} holds no sentence"
    return f"no sentence of the corpus has a value of {capability.change}"


def share_sample(sample: int, sizes: Sequence[int]) -> list[int]:
    """Divides the sample evenly among strata, at most the size of each."""
    shares = [0] * len(sizes)
    left, free = min(sample, sum(sizes)), [k for k, size in enumerate(sizes) if size]
    while left:
        each, over = divmod(left, len(free))
        full = [k for k in free if sizes[k] <= each]
        for place, k in enumerate(full or free):
            shares[k] = sizes[k] if full else each + (place < over)
        left -= sum(shares[k] for k in full or free)
        free = [k for k in free if k not in full]
    return shares


def numbers(size: int, count: int, seed: int, *labels: str) -> Iterator[int]:
    """Yields ``count`` random numbers below ``size`` without replacement, or all in order if ``count`` is larger.

    A larger ``count`` begins with the same numbers, unless it is all.
    """
    if count >= size:
        yield from range(size)
        return
    draws = stream(seed, "capability", *labels)
    if size <= _LISTED:
        yield from sample(draws, range(size), count)
        return
    seen: set[int] = set()
    while len(seen) < count:
        number = sum(int(draws.random() * 2**24) * 2 ** (24 * k) for k in range(size.bit_length() // 24 + 2)) % size
        if number not in seen:
            seen.add(number)
            yield number


# Frames ---------------------------------------------------------------------------------------------------------------


def _frames(
    capability: Capability, task: Task, corpus: AnyCorpus, examples: Sequence[Example], means: Means
) -> Iterator[_Frame]:
    known = {key: _rows(filler, means) for key, filler in capability.fillers.items()}
    if capability.failures:
        yield _Failures(capability, task, corpus)
    elif not capability.templates:
        rows = known[capability.change]
        if isinstance(rows, ValueSource):
            raise AbaloError(f"{_place(capability, task)}: {rows.spec} fills templates alone; list the values")
        try:
            pairs = _Pairs(rows).listed()
        except ValueError as error:
            raise AbaloError(f"{_place(capability, task)} {capability.change}: {error}") from error
        yield _InCorpus(capability, task, examples, pairs, means)
    for number, template in enumerate(capability.templates, start=1):
        yield _Products(f"template {number}", capability, template, task, corpus, known, means)


def _rows(filler: ListedValues | ValueSource, means: Means) -> tuple[FillerRow, ...] | ValueSource:
    if isinstance(filler, ListedValues):
        return filler.rows
    return filler if filler.kind == "masked-lm" else rows_of(filler, means)


class _Pairs:
    def __init__(self, rows: Sequence[FillerRow]) -> None:
        self._rows = rows
        self._said = [(row, row.to) for row in rows if row.to is not None]

    @property
    def size(self) -> int:
        return len(self._said) or math.perm(len(self._rows), 2)

    def at(self, number: int) -> tuple[FillerRow, FillerRow]:
        if self._said:
            return self._said[number]
        old, new = divmod(number, len(self._rows) - 1)
        return self._rows[old], self._rows[new + (new >= old)]

    def listed(self) -> list[tuple[FillerRow, FillerRow]]:
        if self.size > _LISTED:
            raise ValueError(
                f"{self.size:,} changes; expected at most {_LISTED:,}: list fewer values, or give each a to"
            )
        return [self.at(number) for number in range(self.size)]


class _Products:
    def __init__(
        self,
        name: str,
        capability: Capability,
        template: Template,
        task: Task,
        corpus: AnyCorpus,
        known: Mapping[str, Sequence[FillerRow] | ValueSource],
        means: Means,
    ) -> None:
        self.name, self.written = name, template.written
        self._capability, self._template, self._task, self._corpus = capability, template, task, corpus
        self._language = means.language
        by_base: dict[str, list[str]] = {}
        for key in template.keys:
            by_base.setdefault(base_of(key, capability.fillers), []).append(key)
        rows = self._with_suggestions(by_base, known, means)
        self._label = TemplateText(capability.expectation.label)
        self._changing = _Pairs(rows[capability.change] if capability.change else ())
        self._free = [(own, rows[base]) for base, own in by_base.items() if base != capability.change]

    @property
    def size(self) -> int:
        sizes = [math.perm(len(rows), len(keys)) for keys, rows in self._free]
        return math.prod(sizes) * (self._changing.size if self._capability.change else 1)

    def at(self, number: int) -> Drawn:
        before: dict[str, FillerRow] = {}
        for keys, rows in self._free:
            number, place = divmod(number, math.perm(len(rows), len(keys)))
            before |= zip(keys, _permutation(rows, place, len(keys)), strict=True)
        values = {key: row.value for key, row in before.items()}
        if not self._capability.change:
            return Drawn(self.name, values, self._filling(before))
        old, new = self._changing.at(number)
        change = self._capability.change
        after = before | {change: new}
        label = self._label.filled(after, self._fitting).text
        values[change] = f"{old.value} → {new.value}"
        return Drawn(self.name, values, self._filling(before | {change: old}), self._filling(after), label)

    def _filling(self, rows: Mapping[str, FillerRow]) -> Filling:
        try:
            return self._task.templates.written(self._template.filled(rows, self._fitting), self._corpus)
        except ValueError as error:
            said = ", ".join(f"{key} = {row.value!r}" for key, row in rows.items())
            raise ValueError(f"with {said}: {error}" if said else str(error)) from error

    def _fitting(self, word: str, row: FillerRow) -> str:
        return agree_word(word, row, self._language)

    def _with_suggestions(
        self, by_base: Mapping[str, Sequence[str]], known: Mapping[str, Sequence[FillerRow] | ValueSource], means: Means
    ) -> dict[str, Sequence[FillerRow]]:
        asked = {base: source for base in by_base if isinstance(source := known[base], ValueSource)}
        found: dict[str, Sequence[FillerRow]] = {
            base: rows for base in by_base if not isinstance(rows := known[base], ValueSource)
        }
        for base, source in asked.items():
            hidden = {key: FillerRow(_MASK) for other in asked if other not in found for key in by_base[other]}
            if any(len(rows) < len(by_base[other]) for other, rows in found.items()):
                found[base] = ()
                continue
            firsts = {key: row for other, rows in found.items() for key, row in zip(by_base[other], rows, strict=False)}
            filling = self._filling(firsts | hidden)
            (field, span), *_ = filling.places.get(by_base[base][0], [("", Span(0, 0, ""))])
            if not field:
                raise AbaloError(
                    f"{_place(self._capability, self._task)} {self.name}: {source.spec} proposes words of a sentence; "
                    f"list the values of {{{base}}}"
                )
            found[base] = suggest_rows(source, filling.example.fields[field].tokens, span.start, means)
        return found


def _permutation(rows: Sequence[FillerRow], place: int, count: int) -> Iterator[FillerRow]:
    left = list(rows)
    for _ in range(count):
        place, which = divmod(place, len(left))
        yield left.pop(which)


class _InCorpus:
    name = CORPUS

    def __init__(
        self,
        capability: Capability,
        task: Task,
        examples: Sequence[Example],
        pairs: Sequence[tuple[FillerRow, FillerRow]],
        means: Means,
    ) -> None:
        change, label = capability.change, TemplateText(capability.expectation.label)
        self.written = f"{task.noun}s of the corpus with a value of {{{change}}}"
        distinct = {example.id: example for example in examples}.values()
        texts = {example.id: " ".join(field.text for field in example.fields.values()) for example in distinct}
        words = {old: parse(old.value).tokens for old, _ in pairs}
        self._found = [
            Drawn(
                CORPUS,
                {change: f"{old.value} → {new.value}"},
                *both,
                label.filled({change: new}, lambda word, row: agree_word(word, row, means.language)).text,
            )
            for example in distinct
            for old, new in pairs
            if all(word in texts[example.id] for word in words[old])
            for both in task.templates.swapped(example, change, old.value, new.value)
        ]

    @property
    def size(self) -> int:
        return len(self._found)

    def at(self, number: int) -> Drawn:
        return self._found[number]


class _Failures:
    name = "known failures"

    def __init__(self, capability: Capability, task: Task, corpus: AnyCorpus) -> None:
        path = capability.folder / capability.failures
        self.written = capability.failures
        if not is_file(path):
            raise AbaloError(f"{_place(capability, task)}: {path}: no such file; give the path of one")
        self._task, self._corpus = task, corpus
        self._found = list(_replay_fillings(path, task) if path.suffix == ".jsonl" else _by_hand(path))

    @property
    def size(self) -> int:
        return len(self._found)

    def at(self, number: int) -> Drawn:
        text, targets = self._found[number]
        if isinstance(text, Example):
            return Drawn(self.name, {}, Filling(text))
        names = list(self._task.templates.fields)
        fields = dict(zip(names, map(Filled, text.split("\t", len(names) - 1)), strict=False))
        filling = self._task.templates.written(fields, self._corpus)
        return Drawn(self.name, {}, replace(filling, targets=targets))


def _by_hand(path: Path) -> Iterator[tuple[str, tuple[Span, ...]]]:
    """Lines are filled templates with tabs between fields; # begins a comment."""
    try:
        lines = read_text(path, "utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise AbaloError(f"{path}: cannot be read as UTF-8 text: {error}") from error
    for line in lines:
        if line.strip() and not line.startswith("#"):
            yield line.strip(), ()


def _replay_fillings(path: Path, task: Task) -> Iterator[tuple[str | Example, tuple[Span, ...]]]:
    for record in load_failures(path):
        if task_of(record) is not task:
            continue
        if record.target is None:
            yield example_after(record), ()
            continue
        made = record.change(sentence_of(record))
        target = carry_span(made, Span(*record.target)) if task.labelled == "spans" else None
        yield render(made.sentence), () if target is None else (target,)
