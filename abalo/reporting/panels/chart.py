"""The headline number of every case as a bar with its interval and its bound, in inline SVG.

Drops in F1, success rates of attacks that search, and answers that change have a chart each: no axis fits all.
"""

from __future__ import annotations

from dataclasses import dataclass

from abalo.reporting import intervals, phrases
from abalo.reporting.intervals import Scale
from abalo.reporting.markup import bullets, section, text
from abalo.reporting.selection import Json, cases, headline_metric, is_baseline, measured_value, most_telling

_SHOWN = 40

_WIDTH, _LEFT, _RIGHT = 1040, 296, 730
_ROW, _BAR, _TOP, _AXIS = 28, 14, 8, 26
_LABEL = 38


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a chart shows: the headline metric of its cases; with ``whole`` its axis always runs from 0 to 1."""

    metric: str
    title: str
    word: str
    id: str
    whole: bool = False


_KINDS = (
    _Kind("f1_drop", "F1 drop", "drop", "abalo-chart"),
    _Kind(
        "fragility_score",
        "Fragility: answers that change with the question",
        "fragility",
        "abalo-fragility",
        whole=True,
    ),
    _Kind("success_rate", "Success rate of adaptive attacks", "success", "abalo-success", whole=True),
)

_HATCHED = (
    '<defs><pattern id="abalo-hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect class="abalo-hatch-ground" width="6" height="6"/>'
    '<path class="abalo-hatch-line" d="M0 0v6"/></pattern></defs>'
)

_LEGEND = (
    ("pass", "holds"),
    ("fail", "fails: beyond its bound"),
    ("inconclusive", "inconclusive: the interval holds the bound, or the correction leaves a doubt"),
    ("unjudged", "without a bound"),
)


def render(document: Json) -> str:
    """The charts and their legends; empty where no case has a number. With many cases, those that matter most."""
    perturbed = [result for result in cases(document) if not is_baseline(result)]
    by_kind = [(kind, [result for result in perturbed if headline_metric(result) == kind.metric]) for kind in _KINDS]
    drawn = [(kind, results) for kind, results in by_kind if any(_value(result) is not None for result in results)]
    return "".join(_section(kind, results, document, first=kind is drawn[0][0]) for kind, results in drawn)


def _section(kind: _Kind, results: list[Json], document: Json, *, first: bool) -> str:
    shown = most_telling(results, _SHOWN)
    hidden = len(results) - len(shown)
    more = f"<p>{phrases.count(hidden, 'more case')} in the table below.</p>" if hidden else ""
    confidence = phrases.confidence(document)
    title = f"{kind.title} with {confidence} interval" if confidence else kind.title
    chart = _chart(kind, shown, title, _HATCHED if first else "")
    return section(title, f'<div class="abalo-scroll">{chart}</div>{_legend(shown)}{more}')


def _chart(kind: _Kind, results: list[Json], title: str, patterns: str) -> str:
    bottom = _TOP + _ROW * len(results)
    scale = Scale(0.0, 1.0, _LEFT, _RIGHT)
    if not kind.whole:
        reach = [end for result in results for end in (*intervals.extent(_headline(result)), _limit(result))]
        scale = intervals.spanning(reach, _LEFT, _RIGHT)
    rows = "".join(_row(kind, result, scale, _TOP + _ROW * (k + 0.5)) for k, result in enumerate(results))
    spoken = "; ".join(_spoken(kind, result) for result in results)
    return (
        f'<svg class="abalo-chart" viewBox="0 0 {_WIDTH} {bottom + _AXIS}" width="{_WIDTH}" '
        f'height="{bottom + _AXIS}" role="img" aria-labelledby="{kind.id}-title {kind.id}-text">'
        f'<title id="{kind.id}-title">{title}</title>'
        f'<desc id="{kind.id}-text">{spoken}</desc>'
        f"{patterns}{_axis(scale, bottom)}{rows}</svg>"
    )


def _axis(scale: Scale, bottom: int) -> str:
    ticks = "".join(
        f'<path class="abalo-grid" d="M{scale.x(tick)} {_TOP}V{bottom}"/>'
        f'<text class="abalo-tick" x="{scale.x(tick)}" y="{bottom + 15}">{phrases.number(tick, 2)}</text>'
        for tick in scale.ticks()
    )
    return ticks + intervals.baseline(scale, (_TOP + bottom) / 2, bottom - _TOP)


def _row(kind: _Kind, result: Json, scale: Scale, middle: float) -> str:
    name, verdict = phrases.shortened(phrases.scenario(result), _LABEL), result["verdict"]
    found, limit = _headline(result), _limit(result)
    return (
        f'<g class="abalo-{verdict or "unjudged"}"><title>{_spoken(kind, result)}</title>'
        f'<text class="abalo-label" x="{_LEFT - 10}" y="{middle + 4}">{text(name)}</text>'
        + ("" if found is None else intervals.bar(found, scale, middle, _BAR))
        + ("" if limit is None else intervals.limit(limit, scale, middle, _ROW - 6))
        + f'<text class="abalo-value" x="{_RIGHT + 14}" y="{middle + 4}">{phrases.measured(found)}'
        f'<tspan class="abalo-outcome" dx="8">{phrases.SIGNS[verdict]} {phrases.verdict(result)}</tspan></text></g>'
    )


def _headline(result: Json) -> Json | None:
    found: Json | None = result["metrics"][headline_metric(result)]
    return found


def _value(result: Json) -> float | None:
    return measured_value(_headline(result))


def _limit(result: Json) -> float | None:
    """The overall bound on the headline number, the one that this axis can show; None where there is none."""
    found = (result["bound"] or {}).get(f"max_{headline_metric(result)}")
    value: float | None = found.get("overall") if isinstance(found, dict) else found
    return value


def _spoken(kind: _Kind, result: Json) -> str:
    limit = _limit(result)
    bound = "" if limit is None else f", bound {phrases.number(limit)}"
    found = phrases.measured(_headline(result))
    return text(f"{phrases.scenario(result)}: {kind.word} {found}{bound}, {phrases.verdict(result)}")


def _legend(results: list[Json]) -> str:
    """Only what this chart shows."""
    found = {result["verdict"] or "unjudged" for result in results}
    items = [
        f'<span class="abalo-swatch abalo-{verdict}"></span>{meaning}'
        for verdict, meaning in _LEGEND
        if verdict in found
    ]
    items.append('<span class="abalo-swatch abalo-swatch-interval"></span>interval')
    if any(_limit(result) is not None for result in results):
        items.append('<span class="abalo-swatch abalo-swatch-limit">▼</span>bound')
    return bullets(items, "abalo-legend")
