"""The fillings of a capability: how many there are, and those that are run.

Every template is a stratum. The sample is shared out evenly; what a template with few fillings leaves goes to the
others. Of a template fillings are drawn without replacement, each equally likely, from a stream of its own, so that
another template, or a larger sample, changes none of those that are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from abalo.attacks.log import sentence_of
from abalo.attacks.regressions import changed_example, task_of
from abalo.attacks.regressions import load as load_failures
from abalo.capabilities.agreement import fitted
from abalo.capabilities.capability import CORPUS, Capability
from abalo.capabilities.fillers import Listed, Means, Row, Source, rows_of, suggested
from abalo.capabilities.templates import Template, Text, base_of
from abalo.core.example import Example
from abalo.core.filling import Filled, Filling
from abalo.core.task import Task
from abalo.errors import AbaloError
from abalo.files import is_file, read_text
from abalo.tasks.tokens.alignment import carried
from perturbations import Edit, Span, apply, parse, render, stream
from perturbations.streams import sample

_LISTED = 100_000
"""Up to so many fillings of a template are shuffled; of more, places are drawn until they differ. No more changes are
looked for in a corpus."""

_MASK = "…"
"""Stands where a language model is asked for a word."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A filling that is run: its ``stratum``, the ``values`` of its slots, and what it changes to (``after``).

    ``label`` is that of the expectation, filled.
    """

    stratum: str
    values: Mapping[str, str]
    before: Filling
    after: Filling | None = None
    label: str = ""

    @property
    def id(self) -> str:
        """Tells it from others by what the model reads."""
        own = self.before.example.id
        return own if self.after is None else f"{own}-{self.after.example.id}"


@dataclass(frozen=True, slots=True, eq=False)
class Stratum:
    """The fillings of one template: its ``name``, the template as ``written``, how many ``exist``, those ``drawn``."""

    name: str
    written: str
    exist: int
    drawn: Sequence[Drawn]

    @property
    def census(self) -> bool:
        """Whether all are run."""
        return len(self.drawn) == self.exist


class _Frame(Protocol):
    """All fillings of a stratum, which can be numbered."""

    name: str
    written: str

    @property
    def size(self) -> int:
        """How many there are, which a machine word need not hold, as `len` must."""
        ...

    def at(self, number: int) -> Drawn:
        """The filling of that number, from 0; raises ValueError where it makes no sense."""
        ...


def drawn(
    capability: Capability, task: Task, corpus: Any, examples: Sequence[Example], means: Means, seed: int
) -> list[Stratum]:
    """The strata of a capability with the fillings that are run, each text once.

    ``examples`` are those of the corpus. Raises `AbaloError` for a filling that cannot be made.
    """
    frames = list(_frames(capability, task, corpus, examples, means))
    if not sum(frame.size for frame in frames):
        raise AbaloError(f"{_place(capability, task)}: there is nothing to run: {_nothing(capability)}")
    shares = shared_out(capability.sample, [frame.size for frame in frames])
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
        strata.append(Stratum(frame.name, frame.written, exist, tuple(found.values())))
    return strata


def _place(capability: Capability, task: Task) -> str:
    return f"[[{task.name}.capability]] {capability.name!r}"


def _nothing(capability: Capability) -> str:
    if capability.templates:
        return "no filler has a value"
    if capability.failures:
        return f"{capability.failures} holds no sentence"
    return f"no sentence of the corpus has a value of {capability.change}"


def shared_out(sample: int, sizes: Sequence[int]) -> list[int]:
    """A share of the sample for each of the strata, none larger than the stratum; the first get what is left over."""
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
    """``count`` of the numbers below ``size``, in random order, each choice equally likely; all in order for all.

    The first of them are the same for a larger count, unless that is all.
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
    capability: Capability, task: Task, corpus: Any, examples: Sequence[Example], means: Means
) -> Iterator[_Frame]:
    known = {key: _rows(filler, means) for key, filler in capability.fillers.items()}
    if capability.failures:
        yield _Failures(capability, task, corpus)
    elif not capability.templates:
        rows = known[capability.change]
        if isinstance(rows, Source):
            raise AbaloError(f"{_place(capability, task)}: {rows.spec} fills templates alone; list the values")
        try:
            pairs = _Pairs(rows).listed()
        except ValueError as error:
            raise AbaloError(f"{_place(capability, task)} {capability.change}: {error}") from error
        yield _InCorpus(capability, task, examples, pairs, means)
    for number, template in enumerate(capability.templates, start=1):
        yield _Products(f"template {number}", capability, template, task, corpus, known, means)


def _rows(filler: Listed | Source, means: Means) -> tuple[Row, ...] | Source:
    if isinstance(filler, Listed):
        return filler.rows
    return filler if filler.kind == "masked-lm" else rows_of(filler, means)


class _Pairs:
    """The pairs of values, before and after: as the values say, else each to every other; made when asked for."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._said = [(row, row.to) for row in rows if row.to is not None]

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self._said) or math.perm(len(self._rows), 2)

    def at(self, number: int) -> tuple[Row, Row]:
        """The pair of that number, from 0."""
        if self._said:
            return self._said[number]
        old, new = divmod(number, len(self._rows) - 1)
        return self._rows[old], self._rows[new + (new >= old)]

    def listed(self) -> list[tuple[Row, Row]]:
        """All of them; raises ValueError for more than can be looked for in a corpus."""
        if self.size > _LISTED:
            raise ValueError(
                f"{self.size:,} changes; expected at most {_LISTED:,}: list fewer values, or give each a to"
            )
        return [self.at(number) for number in range(self.size)]


class _Products:
    """The Cartesian product of the values of all slots of a template.

    Numbered keys of one filler have different values; of the slot that changes the values are pairs.
    """

    def __init__(
        self,
        name: str,
        capability: Capability,
        template: Template,
        task: Task,
        corpus: Any,
        known: Mapping[str, Sequence[Row] | Source],
        means: Means,
    ) -> None:
        self.name, self.written = name, template.written
        self._capability, self._template, self._task, self._corpus = capability, template, task, corpus
        self._language = means.language
        by_base: dict[str, list[str]] = {}
        for key in template.keys:
            by_base.setdefault(base_of(key, capability.fillers), []).append(key)
        rows = self._with_suggestions(by_base, known, means)
        self._label = Text(capability.expectation.label)
        self._changing = _Pairs(rows[capability.change] if capability.change else ())
        self._free = [(own, rows[base]) for base, own in by_base.items() if base != capability.change]

    @property
    def size(self) -> int:
        """How many there are."""
        sizes = [math.perm(len(rows), len(keys)) for keys, rows in self._free]
        return math.prod(sizes) * (self._changing.size if self._capability.change else 1)

    def at(self, number: int) -> Drawn:
        """The filling of that number."""
        before: dict[str, Row] = {}
        for keys, rows in self._free:
            number, place = divmod(number, math.perm(len(rows), len(keys)))
            before |= zip(keys, _permuted(rows, place, len(keys)), strict=True)
        values = {key: row.value for key, row in before.items()}
        if not self._capability.change:
            return Drawn(self.name, values, self._filling(before))
        old, new = self._changing.at(number)
        change = self._capability.change
        after = before | {change: new}
        label = self._label.filled(after, self._fitting).text
        values[change] = f"{old.value} → {new.value}"
        return Drawn(self.name, values, self._filling(before | {change: old}), self._filling(after), label)

    def _filling(self, rows: Mapping[str, Row]) -> Filling:
        try:
            return self._task.templates.written(self._template.filled(rows, self._fitting), self._corpus)
        except ValueError as error:
            said = ", ".join(f"{key} = {row.value!r}" for key, row in rows.items())
            raise ValueError(f"with {said}: {error}" if said else str(error)) from error

    def _fitting(self, word: str, row: Row) -> str:
        return fitted(word, row, self._language)

    def _with_suggestions(
        self, by_base: Mapping[str, Sequence[str]], known: Mapping[str, Sequence[Row] | Source], means: Means
    ) -> dict[str, Sequence[Row]]:
        """The values of all fillers; where a language model is asked, all other slots have their first value.

        Several slots for a model are asked for from left to right, each with the likeliest words in those before.
        """
        asked = {base: source for base in by_base if isinstance(source := known[base], Source)}
        found: dict[str, Sequence[Row]] = {
            base: rows for base in by_base if not isinstance(rows := known[base], Source)
        }
        for base, source in asked.items():
            hidden = {key: Row(_MASK) for other in asked if other not in found for key in by_base[other]}
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
            found[base] = suggested(source, filling.example.fields[field].tokens, span.start, means)
        return found


def _permuted(rows: Sequence[Row], place: int, count: int) -> Iterator[Row]:
    """The arrangement of ``count`` different rows with that number."""
    left = list(rows)
    for _ in range(count):
        place, which = divmod(place, len(left))
        yield left.pop(which)


class _InCorpus:
    """Every place in the corpus where a value stands, with what it changes to; each distinct example once."""

    name = CORPUS

    def __init__(
        self,
        capability: Capability,
        task: Task,
        examples: Sequence[Example],
        pairs: Sequence[tuple[Row, Row]],
        means: Means,
    ) -> None:
        change, label = capability.change, Text(capability.expectation.label)
        self.written = f"{task.noun}s of the corpus with a value of {{{change}}}"
        distinct = {example.id: example for example in examples}.values()
        texts = {example.id: " ".join(field.text for field in example.fields.values()) for example in distinct}
        words = {old: parse(old.value).tokens for old, _ in pairs}
        self._found = [
            Drawn(
                CORPUS,
                {change: f"{old.value} → {new.value}"},
                *both,
                label.filled({change: new}, lambda word, row: fitted(word, row, means.language)).text,
            )
            for example in distinct
            for old, new in pairs
            if all(word in texts[example.id] for word in words[old])
            for both in task.templates.swapped(example, change, old.value, new.value)
        ]

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self._found)

    def at(self, number: int) -> Drawn:
        """The filling of that number."""
        return self._found[number]


class _Failures:
    """Sentences that once broke a model: of a regression corpus, or written by hand in a file of lines."""

    name = "known failures"

    def __init__(self, capability: Capability, task: Task, corpus: Any) -> None:
        path = capability.folder / capability.failures
        self.written = capability.failures
        if not is_file(path):
            raise AbaloError(f"{_place(capability, task)}: {path}: no such file; give the path of one")
        self._task, self._corpus = task, corpus
        self._found = list(_replayed(path, task) if path.suffix == ".jsonl" else _by_hand(path))

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self._found)

    def at(self, number: int) -> Drawn:
        """The sentence of that number."""
        text, targets = self._found[number]
        if isinstance(text, Example):
            return Drawn(self.name, {}, Filling(text))
        names = list(self._task.templates.fields)
        fields = dict(zip(names, map(Filled, text.split("\t", len(names) - 1)), strict=False))
        filling = self._task.templates.written(fields, self._corpus)
        return Drawn(self.name, {}, replace(filling, targets=targets))


def _by_hand(path: Path) -> Iterator[tuple[str, tuple[Span, ...]]]:
    """The lines of a file, each a filled template, a tab between its fields; empty ones, and those with #, are none."""
    try:
        lines = read_text(path, "utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise AbaloError(f"{path}: cannot be read as UTF-8 text: {error}") from error
    for line in lines:
        if line.strip() and not line.startswith("#"):
            yield line.strip(), ()


def _replayed(path: Path, task: Task) -> Iterator[tuple[str | Example, tuple[Span, ...]]]:
    """The changed examples of a regression corpus that are of the task.

    Sentences are in the bracket notation, those with labelled spans each with the one that was broken.
    """
    for record in load_failures(path):
        if task_of(record) is not task:
            continue
        if record["target"] is None:
            yield changed_example(record), ()
            continue
        made = apply(sentence_of(record), [Edit.from_json(edit) for edit in record["edits"]])
        target = carried(made, Span(*record["target"])) if task.labelled == "spans" else None
        yield render(made.sentence), () if target is None else (target,)
