"""A number, its interval and its limit, drawn to scale in SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from abalo.reporting.selection import Json

_CELL_WIDTH, _CELL_HEIGHT, _CELL_BAR = 220, 20, 10

IN_CELL = (4.0, _CELL_WIDTH - 4.0)
"""The pixels that a scale takes in the cell of a table."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from ``low`` to ``high`` laid over the pixels ``left`` to ``right``."""

    low: float
    high: float
    left: float
    right: float

    def x(self, value: float) -> float:
        """The place of a value, in pixels to one decimal; values outside stand on the rim."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self.left + share * (self.right - self.left), 1)

    def ticks(self) -> list[float]:
        """Round values at 1, 2 or 5 times a power of ten apart, between four and nine of them."""
        raw = (self.high - self.low) / 5
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [round(k * step, 9) + 0.0 for k in range(first, last + 1)]


def spanning(values: Iterable[float | None], left: float, right: float) -> Scale:
    """A scale from 0 or below to at least 0.05, wide enough for all ``values``, with a little air on either side."""
    known = [value for value in values if value is not None]
    low, high = min([0.0, *known]), max([0.05, *known])
    air = 0.04 * (high - low)
    return Scale(low - air if low < 0 else 0.0, high + air, left, right)


def extent(estimate: Json | None) -> list[float | None]:
    """What a scale must hold to show an estimate: its value and the ends of its interval."""
    return [] if estimate is None else [estimate["value"], estimate["low"], estimate["high"]]


def bar(estimate: Json, scale: Scale, middle: float, thickness: float) -> str:
    """A bar from 0 to the value, and whiskers over the interval; empty where the value has no meaning."""
    if estimate["value"] is None:
        return ""
    zero, end = scale.x(0.0), scale.x(estimate["value"])
    top = round(middle - thickness / 2, 1)
    drawn = (
        f'<rect class="abalo-bar" x="{min(zero, end)}" y="{top}" '
        f'width="{round(abs(end - zero), 1)}" height="{thickness}"/>'
    )
    if estimate["low"] is None or estimate["high"] is None:
        return drawn
    low, high, cap = scale.x(estimate["low"]), scale.x(estimate["high"]), thickness / 4
    return drawn + (
        f'<path class="abalo-whisker" d="M{low} {middle}H{high}'
        f'M{low} {middle - cap}v{2 * cap}M{high} {middle - cap}v{2 * cap}"/>'
    )


def limit(value: float, scale: Scale, middle: float, height: float) -> str:
    """A bound: an upright line with a triangle on top."""
    x, top = scale.x(value), middle - height / 2
    return (
        f'<path class="abalo-limit" d="M{x} {top}v{height}"/>'
        f'<path class="abalo-limit-head" d="M{x - 4} {top - 1}h8l-4 6z"/>'
    )


def baseline(scale: Scale, middle: float, height: float) -> str:
    """The upright line at 0."""
    return f'<path class="abalo-zero" d="M{scale.x(0.0)} {middle - height / 2}v{height}"/>'


def in_cell(estimate: Json | None, scale: Scale, bound: float | None, label: str) -> str:
    """A number with its interval and its bound, for the cell of a table; ``label`` says it in words."""
    middle = _CELL_HEIGHT / 2
    return (
        f'<svg class="abalo-interval" viewBox="0 0 {_CELL_WIDTH} {_CELL_HEIGHT}" width="{_CELL_WIDTH}" '
        f'height="{_CELL_HEIGHT}" role="img"><title>{label}</title>'
        + baseline(scale, middle, _CELL_HEIGHT)
        + ("" if estimate is None else bar(estimate, scale, middle, _CELL_BAR))
        + ("" if bound is None else limit(bound, scale, middle, _CELL_HEIGHT - 2))
        + "</svg>"
    )
