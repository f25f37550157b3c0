"""Estimates the calls to a language model before the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from abalo.core.protocols.budget import UnaffordableError
from abalo.core.protocols.probe import Case
from abalo.core.records.words import count
from abalo.core.running.engine import Engine
from abalo.core.statistics.repeating import draws

_NAMED = 3


@dataclass(frozen=True, slots=True)
class CallEstimate:
    """The calls of a run; upper limits if ``bounded``.

    ``fewest`` are the calls if a model of unknown kind turns out not to draw its answers.
    """

    model: str
    clean: int
    cases: Mapping[str, int]
    bounded: frozenset[str] = frozenset()
    sends_to: str = ""
    fewest: int | None = None

    @property
    def calls(self) -> int:
        """All calls, without bounded ones."""
        return self.clean + sum(number for name, number in self.cases.items() if name not in self.bounded)

    @property
    def most(self) -> int:
        """The upper limit of bounded calls."""
        return sum(self.cases[name] for name in self.bounded)

    def __str__(self) -> str:
        searches = f", and at most {self.most:,} more in searches" if self.most else ""
        said = f"{count(self.calls, 'call')} to {self.model}"
        if self.fewest is not None and self.fewest < self.calls:
            said = f"{count(self.fewest, 'call')} to {self.model}, or {self.calls:,} if its answers differ"
        said += searches
        return f"{said}; the texts of the corpus are sent to {self.sends_to}" if self.sends_to else said

    def refuse(self, most: int | None) -> None:
        """Raises `UnaffordableError` if calls exceed ``most``."""
        if most is None or self.calls <= most:
            return
        costly = sorted(((each, name) for name, each in self.cases.items() if name not in self.bounded), reverse=True)
        named = ", ".join(f"{name} ({each:,})" for each, name in costly[:_NAMED] if each)
        cases = f" Leave out cases with -k, such as {named}; or read" if named else " Read"
        raise UnaffordableError(
            f"model {self.model}: the run needs {count(self.calls, 'call')}, and --abalo-max-calls allows {most:,}; no "
            f"call was made.{cases} fewer examples with --abalo-limit, or ask less often with --abalo-repeats"
        )


def add_estimates(estimates: Sequence[CallEstimate]) -> CallEstimate | None:
    """The calls of several models; None if empty."""
    if not estimates:
        return None
    sends_to = ", ".join(dict.fromkeys(each.sends_to for each in estimates if each.sends_to))
    cases = Counter({name: 0 for each in estimates for name in each.cases})
    for each in estimates:
        cases.update(each.cases)
    bounded = frozenset[str]().union(*(each.bounded for each in estimates))
    names = ", ".join(dict.fromkeys(each.model for each in estimates))
    known = [each.calls if each.fewest is None else each.fewest for each in estimates]
    return CallEstimate(names, sum(each.clean for each in estimates), cases, bounded, sends_to, sum(known))


def estimate_calls(engine: Engine, cases: Iterable[Case]) -> CallEstimate | None:
    """The calls of corpus and cases; None if the model needs none."""
    copy = getattr(engine.model, "estimating", None)
    if copy is None:
        return None
    cases = list(cases)
    if draws(copy()) is not None:
        return _estimate(engine, copy(), cases)
    drawing = copy()
    drawing.draws = True
    return replace(_estimate(engine, drawing, cases), fewest=_estimate(engine, copy(), cases).calls)


def _estimate(engine: Engine, model: Any, cases: Iterable[Case]) -> CallEstimate:
    dry = replace(engine, model=model, store=None, open_log=None)
    done = _count_calls(dry, engine.baseline(), model)
    clean, by_case, bounded = done, {}, set()
    for case in cases:
        if _is_exact(case):
            now = _count_calls(dry, case, model)
            by_case[case.id], done = now - done, now
        else:
            by_case[case.id] = case.probe.most_asked(case, dry, dry.repeats)
            bounded.add(case.id)
    return CallEstimate(model.name, clean, by_case, frozenset(bounded), model.sends_to)


def _is_exact(case: Case) -> bool:
    probe = case.probe
    alone = not probe.perturbs or probe.ahead(case.plan) or not probe.drawn_under(case, (0,))
    return alone and not probe.searches and not probe.variants_from_model(case)


def _count_calls(dry: Engine, case: Case, model: Any) -> int:
    dry.evidence(case, dry.ran(case)[0])
    calls: int = model.estimated
    return calls
