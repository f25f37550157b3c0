"""Numbers with intervals and limits, drawn to scale in SVG."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from abalo.core.documents.blocks import Bar, Bars, Chart, Group, Measured
from abalo.core.records import words
from abalo.errors import visible

Point = tuple[float, float]


def tag(name: str, *children: object, **attributes: object) -> Markup:
    """Makes an escaped element; ``_`` in attribute names becomes ``-``."""
    opened = "".join(f' {key.strip("_").replace("_", "-")}="{_safe(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{opened}>{''.join(map(_safe, children))}</{name}>")  # noqa: S704 - every part is escaped


def _safe(value: object) -> str:
    if isinstance(value, Markup):
        return str(value)
    return str(escape(visible(f"{value:g}" if isinstance(value, float) else value)))


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values from ``low`` to ``high`` to pixels ``left`` to ``right``."""

    low: float
    high: float
    left: float
    right: float

    def x(self, value: float) -> float:
        """Returns the pixel of a value, clipped, to one decimal."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self.left + share * (self.right - self.left), 1)

    def cap(self, end: float, middle: float, half: float) -> str:
        """Returns the path of an end of an interval: a bar, or an arrow if the scale ends before it."""
        x, away = self.x(end), (end > self.high) - (end < self.low)
        tip = away * (self.right - self.left) / 60
        return f"M{x - tip:g} {middle - half}L{x} {middle}L{x - tip:g} {middle + half}"

    def ticks(self) -> list[float]:
        """Returns four to nine round values, 1, 2 or 5 times a power of ten apart."""
        raw = (self.high - self.low) / 5
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [round(k * step, 9) + 0.0 for k in range(first, last + 1)]


def spanning(values: Iterable[float | None]) -> tuple[float, float]:
    """Returns a range that contains 0, 0.05 and all values."""
    known = [value for value in values if value is not None]
    low, high = min([0.0, *known]), max([0.05, *known])
    air = 0.04 * (high - low)
    return (low - air if low < 0 else 0.0), high + air


def scale_of(bars: Sequence[Bar]) -> tuple[float, float]:
    """Returns the range of all drawn values; bars on few examples count only if all are."""
    counted = [bar for bar in bars if not bar.few] or bars
    return spanning(end for bar in counted for end in (*bar.number.ends, bar.limit, bar.reference))


# In the cell of a table ----------------------------------------------------------------------------------------------

_CELL_WIDTH = 220


def range_of(cells: Iterable[Bars]) -> tuple[float, float]:
    """Returns the range of a column's bars."""
    return spanning(value for cell in cells for value in (cell.limit, *(e for n in cell.numbers for e in n.ends)))


def in_cell(cell: Bars, scale: tuple[float, float]) -> Markup:
    """Draws numbers with intervals and limit, one below the other."""
    height, thickness = (20, 10) if len(cell.numbers) == 1 else (40, 9)
    over = Scale(*scale, 4.0, _CELL_WIDTH - 4.0)
    step, names = height / len(cell.numbers), ("one",) if len(cell.numbers) == 1 else ("first", "second")
    bars = [
        tag("g", *_bar(number, over, step * (k + 0.5), thickness), class_=f"abalo-{names[k]}")
        for k, number in enumerate(cell.numbers)
    ]
    zero, limit = _zero(over, height / 2, height), _limit(cell.limit, over, height / 2, height - 2)
    return _svg("abalo-interval", _CELL_WIDTH, height, cell.hint, zero, *bars, *limit)


def _svg(kind: str, width: float, height: float, title: str, *shapes: Markup) -> Markup:
    sizes = {"viewBox": f"0 0 {width:g} {height:g}", "width": float(width), "height": float(height)}
    return tag("svg", tag("title", title), *shapes, class_=kind, **sizes, role="img")


def _bar(number: Measured, scale: Scale, middle: float, thickness: float) -> list[Markup]:
    if number.value is None:
        return []
    zero, end = scale.x(0.0), scale.x(number.value)
    place = {"x": min(zero, end), "y": round(middle - thickness / 2, 1)}
    drawn = [tag("rect", class_="abalo-bar", **place, width=round(abs(end - zero), 1), height=thickness)]
    if number.low is not None and number.high is not None:
        drawn.append(whisker(number.low, number.high, scale, middle, thickness / 4))
    return drawn


def whisker(low: float, high: float, scale: Scale, middle: float, half: float) -> Markup:
    """Draws an interval."""
    line = f"M{scale.x(low)} {middle}H{scale.x(high)}{scale.cap(low, middle, half)}{scale.cap(high, middle, half)}"
    return tag("path", class_="abalo-whisker", d=line)


def _limit(value: float | None, scale: Scale, middle: float, height: float) -> list[Markup]:
    if value is None:
        return []
    x, top = scale.x(value), middle - height / 2
    return [
        tag("path", class_="abalo-limit", d=f"M{x} {top}v{height}"),
        tag("path", class_="abalo-limit-head", d=f"M{x - 4} {top - 1}h8l-4 6z"),
    ]


def _zero(scale: Scale, middle: float, height: float) -> Markup:
    return tag("path", class_="abalo-zero", d=f"M{scale.x(0.0)} {middle - height / 2}v{height}")


def _text(kind: str, x: float, y: float, *children: object, **attributes: object) -> Markup:
    return tag("text", *children, class_=f"abalo-{kind}", x=round(x, 1), y=round(y, 1), **attributes)


# Bars below each other -----------------------------------------------------------------------------------------------

_TOP, _AXIS = 8, 26


@dataclass(frozen=True, slots=True)
class FigureLayout:
    """The positions of the parts of a row, in pixels; ``length`` limits the name in characters.

    ``bar``, ``text`` and ``number`` are distances from the top of the row.
    """

    kind: str
    width: int
    left: int
    right: int
    label: int
    value: int
    length: int
    row: int
    bar: int
    text: int
    number: int


_WIDE = FigureLayout("abalo-chart", 1040, 296, 730, label=286, value=744, length=38, row=28, bar=14, text=18, number=18)
_NARROW = FigureLayout(
    "abalo-chart abalo-narrow", 350, 16, 334, label=0, value=0, length=44, row=64, bar=46, text=14, number=30
)


def bars(chart: Chart) -> Markup:
    """Draws a row for each bar, once for wide and once for narrow pages."""
    return Markup("").join(_bars(chart, layout) for layout in (_WIDE, _NARROW))


def _bars(chart: Chart, layout: FigureLayout) -> Markup:
    shown = [bar for group in chart.groups for bar in group.bars]
    bottom = _TOP + layout.row * len(shown)
    reach = chart.scale or scale_of(shown)
    scale = Scale(*reach, layout.left, layout.right)
    axis = [
        shape
        for tick in scale.ticks()
        for shape in (
            tag("path", class_="abalo-grid", d=f"M{scale.x(tick)} {_TOP}V{bottom}"),
            _text("tick", scale.x(tick), bottom + 15, _tick(tick, scale)),
        )
    ]
    zero = _zero(scale, (_TOP + bottom) / 2, bottom - _TOP)
    rows = [_row(chart, bar, scale, _TOP + layout.row * k, layout) for k, bar in enumerate(shown)]
    spoken = tag("desc", "; ".join(_bar_text(chart, bar) for bar in shown))
    return _svg(layout.kind, layout.width, bottom + _AXIS, chart.title or chart.quantity, spoken, *axis, zero, *rows)


def _row(chart: Chart, bar: Bar, scale: Scale, top: float, layout: FigureLayout) -> Markup:
    middle, baseline = top + layout.bar, top + layout.text
    found = [_text("label", layout.label, baseline, words.shorten(visible(bar.label), layout.length))]
    found += [*_bar(bar.number, scale, middle, 14), *_limit(bar.limit, scale, middle, 22)]
    said = bar.verdict
    outcome = [tag("tspan", f"{words.sign(said.verdict)} {said.word}", class_="abalo-outcome", dx=8)] if said else []
    found.append(_text("value", layout.value, top + layout.number, bar.number, *outcome))
    return tag("g", tag("title", _bar_text(chart, bar)), *found, class_=_kind(bar))


def _kind(bar: Bar) -> str:
    return f"abalo-{(bar.verdict and bar.verdict.verdict) or 'unjudged'}"


def _bar_text(chart: Chart, bar: Bar) -> str:
    limit = "" if bar.limit is None else f", bound {words.limit(bar.limit)}"
    verdict = "" if bar.verdict is None else f", {bar.verdict.word}"
    return f"{bar.label}: {chart.quantity} {bar.number}{limit}{verdict}"


def _tick(value: float, scale: Scale) -> str:
    return words.number(value, 2 if scale.high < 10 else 0)


# Columns on either side of something ---------------------------------------------------------------------------------

_COLUMN, _BAR, _APART, _BETWEEN, _BEGIN, _END = 22, 18, 10, 62, 62, 12
_CEILING, _HEIGHT, _BELOW = 26, 150, 46


def columns(chart: Chart) -> Markup:
    """Draws a column for each bar, group beside group."""
    groups, bottom = chart.groups, _CEILING + _HEIGHT
    most = max(bar.number.value or 0.0 for group in groups for bar in group.bars)
    scale = Scale(0.0, max(4.0, most), bottom, _CEILING)
    drawn: list[Markup] = []
    x = float(_BEGIN)
    for number, group in enumerate(groups):
        if number:
            box = {"x": x + 4, "y": _CEILING, "width": _BETWEEN - 8, "height": _HEIGHT}
            drawn.append(tag("rect", class_="abalo-entity", **box))
            drawn.append(_text("tick", x + _BETWEEN / 2, bottom + 16, chart.between))
            x += _BETWEEN
        start = x
        for k, bar in enumerate(group.bars):
            outermost = k == (0 if number == 0 else len(group.bars) - 1)
            x += _APART * (outermost and number > 0)
            drawn.append(_upright(bar, x + _COLUMN / 2, scale, chart.quantity, far=outermost))
            x += _COLUMN + _APART * (outermost and number == 0)
        drawn.append(_text("tick", (start + x) / 2, bottom + 38, group.name))
    grid = [
        shape
        for tick in scale.ticks()
        for shape in (
            tag("path", class_="abalo-grid" if tick else "abalo-zero", d=f"M{_BEGIN} {scale.x(tick)}H{x:g}"),
            _text("tick abalo-count", _BEGIN - 8, scale.x(tick) + 4, f"{tick:,g}"),
        )
    ]
    known = [bar for group in groups for bar in group.bars if bar.number.value]
    spoken = tag("desc", "; ".join(f"{bar.label}: {bar.number.value:,g}" for bar in known))
    quantity = _text("tick abalo-count", _BEGIN - 8, 12, chart.quantity)
    return _svg(
        "abalo-distances", x + _END, bottom + _BELOW, chart.title or chart.quantity, spoken, quantity, *grid, *drawn
    )


def _upright(bar: Bar, middle: float, scale: Scale, quantity: str, *, far: bool) -> Markup:
    count = bar.number.value or 0.0
    top = scale.x(count)
    place = {"x": middle - _BAR / 2, "y": top, "width": _BAR, "height": round(scale.left - top, 1)}
    said = tag("title", f"{bar.label}: {words.count(int(count), quantity.removesuffix('s'))}")
    tick = [_text("tick", middle, scale.left + 16, bar.tick)] if bar.tick else []
    return tag("g", said, tag("rect", class_="abalo-bar", **place), *tick, class_=f"abalo-{'far' if far else 'near'}")


# A circle with a sector for each group -------------------------------------------------------------------------------

_ACROSS, _UP, _INNER, _OUTER = 544, 372, 34, 150
_MIDDLE = (_ACROSS / 2, _UP / 2)
_EDGE, _WIDEST, _FILLED = 5, 20, 0.78
"""Degrees free at a sector's edges, degrees of the widest bar, filled share."""


def circle(chart: Chart) -> Markup:
    """Draws a sector for each group, and rings for round values."""
    reach = chart.scale or spanning(end for group in chart.groups for bar in group.bars for end in bar.number.ends)
    scale, width = Scale(*reach, _INNER, _OUTER), 360 / len(chart.groups)
    sectors = [_sector(group, width * k, width, scale, chart) for k, group in enumerate(chart.groups)]
    x, y = _MIDDLE
    rings = [
        shape
        for tick in scale.ticks()
        for radius in [scale.x(tick)]
        for shape in (
            tag("circle", class_=f"abalo-ring abalo-{'grid' if tick else 'zero'}", cx=x, cy=y, r=radius),
            _text("tick abalo-ring-said", x, y - radius + 4, _tick(tick, scale)),
        )
    ]
    spoken = "; ".join(
        f"{group.name}: " + (", ".join(f"{bar.label} {bar.number.number}" for bar in group.bars) or group.note)
        for group in chart.groups
    )
    return _svg("abalo-rose", _ACROSS, _UP, chart.title or chart.quantity, tag("desc", spoken), *sectors, *rings)


def _sector(group: Group, start: float, width: float, scale: Scale, chart: Chart) -> Markup:
    ground = tag("path", class_="abalo-ground", d=_outline(start + 1, start + width - 1, _INNER, _OUTER))
    place = (width - 2 * _EDGE) / max(1, len(group.bars))
    thick = min(_WIDEST, place * _FILLED)
    drawn = [_ray(bar, start + _EDGE + place * (k + 0.5), thick, scale, chart) for k, bar in enumerate(group.bars)]
    middle = (start + width / 2) % 360
    right, upper = middle < 180, middle < 90 or middle > 270
    x, y = _MIDDLE[0] + (_OUTER - 12 if right else 12 - _OUTER), 22 if upper else _UP - 26
    anchor = {"text_anchor": "start" if right else "end"}
    named = [_text("level", x, y, words.sentence_case(group.name), **anchor)]
    named.append(_text("level-said", x, y + 16, group.note, **anchor))
    return tag("g", ground, *drawn, *named, class_=f"abalo-level-{'tested' if group.bars else 'untested'}")


def _ray(bar: Bar, angle: float, width: float, scale: Scale, chart: Chart) -> Markup:
    value = bar.number.value or 0.0
    outline = _outline(angle - width / 2, angle + width / 2, scale.x(0.0), scale.x(value))
    drawn = [tag("title", f"{bar.tick}. {_bar_text(chart, bar)}"), tag("path", class_="abalo-bar", d=outline)]
    if bar.number.low is not None and bar.number.high is not None:
        ends = [scale.x(bar.number.low), scale.x(bar.number.high)]
        line = "M{} {}L{} {}".format(*_point(angle, ends[0]), *_point(angle, ends[1]))
        caps = "".join(_arc(angle - 180 / end, angle + 180 / end, end) for end in ends)
        drawn.append(tag("path", class_="abalo-whisker", d=line + caps))
    x, y = _point(angle, _OUTER + 11)
    return tag("g", *drawn, _text("tick", x, y + 4, bar.tick), class_=_kind(bar))


def _point(angle: float, radius: float) -> Point:
    """Degrees run clockwise from the top."""
    turned = math.radians(angle)
    return round(_MIDDLE[0] + radius * math.sin(turned), 1), round(_MIDDLE[1] - radius * math.cos(turned), 1)


def _outline(start: float, stop: float, inner: float, outer: float) -> str:
    points = [_point(start, inner), _point(stop, inner), _point(stop, outer), _point(start, outer)]
    (a, b), (c, d), (e, f), (g, h) = points
    return f"M{a} {b}A{inner} {inner} 0 0 1 {c} {d}L{e} {f}A{outer} {outer} 0 0 0 {g} {h}Z"


def _arc(start: float, stop: float, radius: float) -> str:
    (a, b), (c, d) = _point(start, radius), _point(stop, radius)
    return f"M{a} {b}A{radius} {radius} 0 0 1 {c} {d}"


SHAPES: dict[str, Callable[[Chart], Markup]] = {"bars": bars, "columns": columns, "circle": circle}
