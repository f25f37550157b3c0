"""The cost of a run, and the largest affordable panel."""

from __future__ import annotations

import math
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from abalo.core.records.example import Example
from abalo.core.records.words import count
from abalo.core.statistics.panel import Panel, order_clusters, sizes
from abalo.errors import AbaloError

_BUDGET = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(s|m|h|f|c)")
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_IN_WORDS = {"f": "input", "c": "call"}

SPENT = 0.8
"""Share of the time; the rest covers reports."""

STOPPED = 0.9


class UnaffordableError(AbaloError):
    """A run exceeds its budget, or its design is of another corpus."""


class OutOfTimeError(AbaloError):
    """The time of a run is over."""


@dataclass(frozen=True, slots=True)
class Budget:
    """A budget in seconds, inputs or calls; the others are None."""

    text: str
    seconds: float | None = None
    inputs: int | None = None

    @classmethod
    def read(cls, text: str) -> Budget:
        """Parses ``5m``, ``90s``, ``2h``, ``20000f`` (inputs) or ``2000c`` (calls); else raises `AbaloError`."""
        found = _BUDGET.fullmatch(text)
        amount = float(found[1]) if found else 0.0
        if found is None or not amount or (found[2] in _IN_WORDS and amount != int(amount)):
            raise AbaloError(
                f"--abalo-budget {text}: expected a time, such as 5m, 90s or 2h; a number of inputs, such as 20000f; "
                "or of calls of a language model, such as 2000c"
            )
        if found[2] in _SECONDS:
            return cls(text, seconds=amount * _SECONDS[found[2]])
        return cls(text, inputs=int(amount))


@dataclass(frozen=True, slots=True)
class Affordable:
    """A panel and its largest cost in ``inputs``; ``larger`` is the next panel's, None if unknown."""

    panel: Panel
    inputs: int
    larger: int | None = None


def cost(panel: Panel, examples: Iterable[Example], tried: Sequence[int] = (0,)) -> int:
    """The largest number of inputs of a panel, of which ``tried`` are asked twice."""
    inputs_of: dict[str, set[str]] = defaultdict(set)
    for example in examples:
        inputs_of[example.cluster].add(example.id)
    clusters = order_clusters(inputs_of, panel.seed)
    clean = sum(len(inputs_of[cluster]) for cluster in clusters[: panel.sentences])
    drawn = panel.clusters_by_case(clusters).values()
    changed = sum(len(inputs_of[cluster]) for own in drawn for cluster in own)
    return sum(clean + changed + min(again, clean) for again in tried)


def affordable(
    groups: Sequence[Sequence[str]], examples: Sequence[Example], seed: int, looks: int, tried: Sequence[int] = (0,)
) -> Iterator[Affordable]:
    """The panels of a corpus with costs, smallest first."""
    named = tuple(tuple(group) for group in groups)
    if not named:
        return
    for sentences, each in sizes(len({example.cluster for example in examples}), len(named)):
        panel = Panel(named, each, sentences, seed, looks)
        yield Affordable(panel, cost(panel, examples, tried))


def choose(panels: Iterable[Affordable], inputs: float, budget: Budget) -> Affordable:
    """The largest affordable panel; raises `UnaffordableError` without one."""
    found: Affordable | None = None
    for each in panels:
        if each.inputs > inputs:
            if found is None:
                panel, paid = each.panel, count(max(0, math.floor(inputs)), "input")
                needed = f"{panel.sentences} distinct sentences of {count(len(panel.cases), 'case')}"
                raise UnaffordableError(
                    f"--abalo-budget {budget.text}: pays for {paid}; the smallest panel, {needed}, needs "
                    f"{each.inputs:,} with the clean corpus; give more, or select fewer cases with -k"
                )
            return replace(found, larger=each.inputs)
        found = each
    if found is None:
        raise UnaffordableError(f"--abalo-budget {budget.text}: nothing to draw: no case draws variants")
    return found


@dataclass(slots=True)
class Deadline:
    """The time, by `time.monotonic`, after which no batch begins."""

    at: float = math.inf
    over: bool = field(default=False, init=False)

    def check(self) -> None:
        """Raises `OutOfTimeError` after the deadline."""
        if time.monotonic() >= self.at:
            self.over = True
            raise OutOfTimeError("the time of --abalo-budget is over")

    @contextmanager
    def kept_by(self, models: Sequence[object]) -> Iterator[None]:
        """Stops models after the batch in which time runs out."""
        own = [(model, model.on_progress) for model in models if hasattr(model, "on_progress")]

        def watch(shown: Callable[[int, int], None] | None) -> Callable[[int, int], None]:
            def told(done: int, total: int) -> None:
                if shown is not None:
                    shown(done, total)
                self.check()

            return told

        try:
            for model, shown in own:
                model.on_progress = watch(shown)
            yield
        finally:
            for model, shown in own:
                model.on_progress = shown
