"""Numbers in lanes that stretch to the page: name, bar, number, verdict."""

from __future__ import annotations

from markupsafe import Markup

from abalo.core.documents.blocks import Bar, Chart
from abalo.core.records import words
from abalo.errors import visible
from abalo.reporting.drawing.figures import Scale, scale_of, tag, whisker

_WIDTH, _HEIGHT, _BAR = 1000, 20, 10


def lanes(chart: Chart) -> Markup:
    """Draws a lane for each bar, below an axis."""
    bars = [bar for group in chart.groups for bar in group.bars]
    reach = chart.scale or scale_of(bars)
    scale = Scale(*reach, 0.0, float(_WIDTH))
    rows = [_lane(chart, bar, scale) for bar in bars]
    return tag("div", _axis(scale), tag("ol", *rows, class_="abalo-lanes"), class_="abalo-lane-box")


def anchor(case: str) -> str:
    """Returns a case's HTML id, such as ``case-ner-accents``."""
    kept = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "_.") else "-" for letter in case)
    return f"case-{kept.strip('-')}"


def _axis(scale: Scale) -> Markup:
    places = 2 if scale.high < 10 else 0
    shares = ((tick, scale.x(tick) / _WIDTH) for tick in scale.ticks())
    ticks = (
        tag("span", words.number(tick, places), style=f"left:{share:.1%};transform:translateX(-{_before(share):.0%})")
        for tick, share in shares
    )
    return tag("div", tag("span", *ticks, class_="abalo-lane-ticks"), class_="abalo-lane-axis", aria_hidden="true")


def _before(share: float) -> float:
    """Returns how much of a number stands left of its tick: half, but at the ends of the axis what has room."""
    return 0.5 + min(0.0, share / _EDGE - 0.5) + max(0.0, 0.5 - (1 - share) / _EDGE)


_EDGE = 0.12
"""Share of a narrow axis that a number takes."""


def _lane(chart: Chart, bar: Bar, scale: Scale) -> Markup:
    label = visible(bar.label)
    name = tag("a", label, href=f"#{anchor(bar.case)}") if bar.case else tag("span", label)
    decided = bar.verdict
    kind = (decided and decided.verdict) or "unjudged"
    badge = f"{words.sign(decided.verdict)} {decided.word}" if decided else ""
    number = bar.number.number.removesuffix(bar.number.unit).rstrip()
    said = Markup(" ").join([tag("span", number), tag("small", bar.number.interval, class_="abalo-quiet")])
    linked = {"data_case": anchor(bar.case)} if bar.case else {}
    return tag(
        "li",
        tag("span", name, class_="abalo-lane-name"),
        _draw_lane(chart, bar, scale),
        tag("span", said, class_="abalo-lane-number"),
        tag("span", badge, class_=f"abalo-badge abalo-{kind}") if badge else Markup(""),
        class_=f"abalo-lane abalo-{kind}",
        **linked,
    )


def _draw_lane(chart: Chart, bar: Bar, scale: Scale) -> Markup:
    middle, shapes = _HEIGHT / 2, []
    grid = "".join(f"M{scale.x(tick)} 0V{_HEIGHT}" for tick in scale.ticks())
    shapes.append(tag("path", class_="abalo-grid", d=grid))
    zero = scale.x(0.0)
    if bar.number.value is not None:
        end = scale.x(bar.number.value)
        size = {"x": min(zero, end), "y": middle - _BAR / 2, "width": round(abs(end - zero), 1), "height": _BAR}
        shapes.append(tag("rect", class_="abalo-bar", **size))
    if bar.number.low is not None and bar.number.high is not None:
        shapes.append(whisker(bar.number.low, bar.number.high, scale, middle, 3.0))
    shapes.append(tag("path", class_="abalo-zero", d=f"M{zero} 0V{_HEIGHT}"))
    for kind, value in (("limit", bar.limit), ("reference", bar.reference)):
        if value is not None:
            shapes.append(tag("path", class_=f"abalo-{kind}", d=f"M{scale.x(value)} 1V{_HEIGHT - 1}"))
    box = f"0 0 {_WIDTH} {_HEIGHT}"
    return tag(
        "svg",
        tag("title", _lane_text(chart, bar)),
        *shapes,
        class_="abalo-lane-drawn",
        viewBox=box,
        preserveAspectRatio="none",
        role="img",
    )


def _lane_text(chart: Chart, bar: Bar) -> str:
    parts = [f"{bar.label}: {chart.quantity} {bar.number}"]
    parts += [f"bound {words.limit(bar.limit)}"] if bar.limit is not None else []
    parts += [f"reference {words.number(bar.reference)}"] if bar.reference is not None else []
    parts += [bar.verdict.word] if bar.verdict is not None else []
    return ", ".join(parts)
