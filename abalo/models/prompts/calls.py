"""Counts and limits the calls of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock

from abalo.core.documents.document import KEPT_ON
from abalo.core.records.rates import Price


class CallLimit:
    """The maximum calls of a run, ``most``, or None.

    ``shared`` is the processes' count file; None for one process.
    """

    def __init__(self, most: int | None = None, shared: Path | None = None) -> None:
        self.most = most
        self._shared = shared
        self._taken = 0

    def take(self, wanted: int) -> int:
        """Reserves up to ``wanted`` calls; returns their number."""
        if self.most is None:
            return wanted
        if self._shared is None:
            return self._take(wanted, self.most)
        with FileLock(f"{self._shared}.lock"):
            self._taken = int(self._shared.read_text("utf-8")) if self._shared.exists() else 0
            allowed = self._take(wanted, self.most)
            self._shared.write_text(str(self._taken), "utf-8")
        return allowed

    def _take(self, wanted: int, most: int) -> int:
        allowed = max(0, min(wanted, most - self._taken))
        self._taken += allowed
        return allowed


@dataclass(slots=True)
class Calls:
    """The calls of one model in this process.

    ``estimated`` is None before the estimate. ``kept`` counts cached replies, ``kept_on`` by the day of their calls,
    ``again`` calls after unreadable replies, ``retried`` those after failures, ``failed`` calls without an answer,
    ``left_out`` calls beyond the limit. ``stopping`` after Ctrl-C.
    """

    limit: CallLimit = field(default_factory=CallLimit)
    price: Price | None = None
    estimated: int | None = None
    made: int = 0
    kept: int = 0
    kept_on: Counter[str] = field(default_factory=Counter)
    again: int = 0
    retried: int = 0
    failed: int = 0
    in_flight: int = 0
    stopping: bool = False
    left_out: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def count(self, input_tokens: int, output_tokens: int) -> None:
        self.made += 1
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens

    def keep(self, days: Collection[str]) -> None:
        """Counts cached replies by their days."""
        self.kept += len(days)
        self.kept_on.update(days)

    def allowed(self, wanted: int) -> int:
        """The wanted calls within the limit."""
        allowed = self.limit.take(wanted)
        self.left_out += wanted - allowed
        return allowed

    @property
    def facts(self) -> dict[str, int]:
        """The numbers for the report."""
        return {
            "made": self.made,
            "kept": self.kept,
            "again": self.again,
            "retried": self.retried,
            "left_out": self.left_out,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            **self._cost,
            **{f"{KEPT_ON}{day}": number for day, number in sorted(self.kept_on.items())},
        }

    @property
    def _cost(self) -> dict[str, int]:
        """Unknown if calls told no tokens."""
        used = self.input_tokens, self.output_tokens
        if self.price is None or (self.made and not any(used)):
            return {}
        return {"cost": self.price.millionths(*used)}

    @property
    def foreseen(self) -> str:
        """Estimated tokens and cost of estimated calls; "" if unknown."""
        used = self.input_tokens + self.output_tokens
        if self.estimated is None or not self.made or not used:
            return ""
        times = self.estimated / self.made
        cost = "".join(f", cost {millionths * times / 1e6:,.2f}" for millionths in self._cost.values())
        return f"about {round(used * times, -3):,.0f} tokens{cost}, by the first {self.made:,} calls"

    def __str__(self) -> str:
        left = "" if self.estimated is None else f", {max(0, self.estimated - self.made):,} left"
        others = {"in flight": self.in_flight, "tried again": self.retried, "failed": self.failed}
        told = "".join(f", {number:,} {name}" for name, number in others.items() if number)
        end = "; stopping after those in flight, Ctrl-C again stops at once" if self.stopping else ""
        return f"{self.made:,} calls made{told}{left}{end}"
