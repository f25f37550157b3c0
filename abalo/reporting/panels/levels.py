"""F1 drops by what of language was touched: a quarter of a circle for each level, in inline SVG [TextFlint, section 3].

A level that was not tested has no score, and no bar: it says so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import get_args

from abalo.reporting import intervals, phrases
from abalo.reporting.intervals import Scale
from abalo.reporting.markup import Column, badge, definitions, section, table, text
from abalo.reporting.selection import Json, cases, has_f1, is_baseline, measured_value, most_telling
from perturbations.perturbation import Kind

_MEANINGS: Mapping[str, str] = {
    "morphology": "the form of words, such as spelling, accents, letter case, inflection",
    "lexis": "which word stands there, such as synonyms, opposites, other numbers",
    "syntax": "what fills a place in the sentence, such as other names, or is added to it, such as adverbs",
    "pragmatics": "what is said beside the point, or how it is presented, such as asides and punctuation",
}

_SHOWN = 12
"""How many bars a quarter can have and still be read."""

_WIDTH, _HEIGHT, _INNER, _OUTER = 544, 372, 34, 150
_MIDDLE = (_WIDTH / 2, _HEIGHT / 2)
_EDGE, _WIDEST, _FILLED = 5, 20, 0.78
"""Degrees that a quarter keeps free at its edges, degrees of the widest bar, and how much of its place a bar takes."""


def render(document: Json) -> str:
    """The figure, a table that names its bars, and what the levels are; empty where no case is of a level."""
    tested = [
        result
        for result in cases(document)
        if has_f1(result) and not is_baseline(result) and measured_value(result["metrics"]["f1_drop"]) is not None
    ]
    by_level = {level: [result for result in tested if result.get("kind") == level] for level in get_args(Kind)}
    shown = {level: most_telling(results, _SHOWN) for level, results in by_level.items()}
    bars = [result for results in shown.values() for result in results]
    if not bars:
        return ""
    numbers = {id(result): number for number, result in enumerate(bars, start=1)}
    reach = [end for result in bars for end in intervals.extent(result["metrics"]["f1_drop"])]
    scale = intervals.spanning(reach, _INNER, _OUTER)
    figure = f'<div class="abalo-scroll">{_figure(by_level, shown, numbers, scale)}</div>'
    rows = f'<div class="abalo-dense">{_table(shown, numbers)}</div>'
    drawn = f'<div class="abalo-levels">{figure}{rows}</div>'
    return section("F1 drop by level of language", drawn + definitions(_MEANINGS, *_notes(by_level, shown, tested)))


def _notes(
    by_level: Mapping[str, Sequence[Json]], shown: Mapping[str, Sequence[Json]], tested: Sequence[Json]
) -> list[str]:
    """What is not in the figure, and why."""
    untested = [level for level, results in by_level.items() if not results]
    hidden = sum(map(len, by_level.values())) - sum(map(len, shown.values()))
    others = len(tested) - sum(map(len, by_level.values()))
    found = []
    if untested:
        found.append(f"Not tested in this run, so without a score: {', '.join(untested)}.")
    if hidden:
        found.append(f"{phrases.count(hidden, 'more case')} of these levels in the table of results.")
    if others:
        verb = "is" if others == 1 else "are"
        found.append(f"{phrases.count(others, 'case')} that {verb} of no level {verb} left out.")
    return found


def _figure(
    by_level: Mapping[str, Sequence[Json]],
    shown: Mapping[str, Sequence[Json]],
    numbers: Mapping[int, int],
    scale: Scale,
) -> str:
    spoken = "; ".join(_spoken(level, results) for level, results in by_level.items())
    quarters = "".join(
        _quarter(level, 90 * k, by_level[level], results, numbers, scale)
        for k, (level, results) in enumerate(shown.items())
    )
    return (
        f'<svg class="abalo-rose" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img" '
        'aria-labelledby="abalo-rose-title abalo-rose-text">'
        '<title id="abalo-rose-title">F1 drop by level of language</title>'
        f'<desc id="abalo-rose-text">{text(spoken)}</desc>{quarters}{_rings(scale)}</svg>'
    )


def _quarter(
    level: str,
    start: float,
    results: Sequence[Json],
    shown: Sequence[Json],
    numbers: Mapping[int, int],
    scale: Scale,
) -> str:
    """The ground of a level, its name, and its bars clockwise; for one that was not tested only ground and name."""
    kind = "tested" if results else "untested"
    ground = _sector(start + 1, start + 89, _INNER, _OUTER)
    place = (90 - 2 * _EDGE) / max(1, len(shown))
    bars = "".join(
        _bar(result, start + _EDGE + place * (k + 0.5), min(_WIDEST, place * _FILLED), numbers[id(result)], scale)
        for k, result in enumerate(shown)
    )
    return (
        f'<g class="abalo-level-{kind}"><path class="abalo-ground" d="{ground}"/>'
        f"{bars}{_named(level, start, results)}</g>"
    )


def _named(level: str, start: float, results: Sequence[Json]) -> str:
    """The name of the level in the corner outside its quarter, and how bad it gets there."""
    right, upper = start < 180, start in (0, 270)
    x = _MIDDLE[0] + (_OUTER - 12 if right else 12 - _OUTER)
    y = 22 if upper else _HEIGHT - 26
    anchor = "start" if right else "end"
    worst = max((measured_value(result["metrics"]["f1_drop"]) or 0.0 for result in results), default=0.0)
    said = f"{phrases.count(len(results), 'case')}, worst {phrases.number(worst)}" if results else "not tested"
    return (
        f'<text class="abalo-level" x="{x:g}" y="{y}" text-anchor="{anchor}">{phrases.sentence_case(level)}</text>'
        f'<text class="abalo-level-said" x="{x:g}" y="{y + 16}" text-anchor="{anchor}">{said}</text>'
    )


def _bar(result: Json, angle: float, width: float, number: int, scale: Scale) -> str:
    """A bar from the ring of 0 to the drop, its interval as whiskers, and its number outside."""
    drop = result["metrics"]["f1_drop"]
    said = text(f"{number}. {phrases.scenario(result)}: drop {phrases.measured(drop)}, {phrases.verdict(result)}")
    bar = _sector(angle - width / 2, angle + width / 2, scale.x(0.0), scale.x(drop["value"]))
    x, y = _point(angle, _OUTER + 11)
    return (
        f'<g class="abalo-{result["verdict"] or "unjudged"}"><title>{said}</title>'
        f'<path class="abalo-bar" d="{bar}"/>{_whisker(drop, angle, scale)}'
        f'<text class="abalo-tick" x="{x}" y="{round(y + 4, 1)}">{number}</text></g>'
    )


def _whisker(drop: Json, angle: float, scale: Scale) -> str:
    if drop["low"] is None or drop["high"] is None:
        return ""
    ends = [scale.x(drop["low"]), scale.x(drop["high"])]
    line = "M{} {}L{} {}".format(*_point(angle, ends[0]), *_point(angle, ends[1]))
    caps = "".join(_arc(angle - 180 / end, angle + 180 / end, end) for end in ends)
    return f'<path class="abalo-whisker" d="{line}{caps}"/>'


def _rings(scale: Scale) -> str:
    """A ring for each round drop, with its number at the top."""
    x, y = _MIDDLE
    rings = []
    for tick in scale.ticks():
        radius = scale.x(tick)
        kind = "abalo-grid" if tick else "abalo-zero"
        rings.append(
            f'<circle class="abalo-ring {kind}" cx="{x:g}" cy="{y:g}" r="{radius}"/>'
            f'<text class="abalo-tick abalo-ring-said" x="{x:g}" y="{round(y - radius + 4, 1)}">'
            f"{phrases.number(tick, 2)}</text>"
        )
    return "".join(rings)


def _table(shown: Mapping[str, Sequence[Json]], numbers: Mapping[int, int]) -> str:
    columns = [Column("Level"), Column("No.", numeric=True), Column("Case"), Column("F1 drop", numeric=True)]
    body = [
        [
            phrases.sentence_case(level),
            str(numbers[id(result)]),
            text(phrases.scenario(result)),
            phrases.measured(result["metrics"]["f1_drop"]),
            badge(result["verdict"], phrases.verdict(result)),
        ]
        for level, results in shown.items()
        for result in results
    ]
    return table([*columns, Column("Verdict")], body)


def _spoken(level: str, results: Sequence[Json]) -> str:
    drops = [
        f"{phrases.scenario(result)} {phrases.number(measured_value(result['metrics']['f1_drop']))}"
        for result in results
    ]
    return f"{level}: {', '.join(drops) or 'not tested'}"


def _point(angle: float, radius: float) -> tuple[float, float]:
    """The place at so many degrees clockwise from the top, in pixels to one decimal."""
    turned = math.radians(angle)
    return (
        round(_MIDDLE[0] + radius * math.sin(turned), 1),
        round(_MIDDLE[1] - radius * math.cos(turned), 1),
    )


def _sector(start: float, stop: float, inner: float, outer: float) -> str:
    """The outline between two angles and two radii."""
    points = [_point(start, inner), _point(stop, inner), _point(stop, outer), _point(start, outer)]
    (a, b), (c, d), (e, f), (g, h) = points
    return f"M{a} {b}A{inner} {inner} 0 0 1 {c} {d}L{e} {f}A{outer} {outer} 0 0 0 {g} {h}Z"


def _arc(start: float, stop: float, radius: float) -> str:
    (a, b), (c, d) = _point(start, radius), _point(stop, radius)
    return f"M{a} {b}A{radius} {radius} 0 0 1 {c} {d}"
