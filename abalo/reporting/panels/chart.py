"""The drop of every case as a bar with its interval and its bound, in inline SVG."""

from __future__ import annotations

from abalo.reporting import intervals, phrases
from abalo.reporting.intervals import Scale
from abalo.reporting.markup import bullets, section, text
from abalo.reporting.selection import Json, cases, measured_value, most_telling

_SHOWN = 40

_WIDTH, _LEFT, _RIGHT = 1040, 296, 730
_ROW, _BAR, _TOP, _AXIS = 28, 14, 8, 26
_LABEL = 38

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
    """The chart and its legend; empty where no case has a drop. With many cases, those that matter most."""
    perturbed = [result for result in cases(document) if result["perturbation"] != "baseline"]
    if not any(measured_value(result["metrics"]["f1_drop"]) is not None for result in perturbed):
        return ""
    shown = most_telling(perturbed, _SHOWN)
    hidden = len(perturbed) - len(shown)
    more = f"<p>{phrases.count(hidden, 'more case')} in the table below.</p>" if hidden else ""
    drop = f"F1 drop with {phrases.confidence(document)} interval" if phrases.confidence(document) else "F1 drop"
    return section(drop, f'<div class="abalo-scroll">{_chart(shown, drop)}</div>{_legend(shown)}{more}')


def _chart(results: list[Json], title: str) -> str:
    bottom = _TOP + _ROW * len(results)
    reach = [end for result in results for end in (*intervals.extent(result["metrics"]["f1_drop"]), _limit(result))]
    scale = intervals.spanning(reach, _LEFT, _RIGHT)
    rows = "".join(_row(result, scale, _TOP + _ROW * (k + 0.5)) for k, result in enumerate(results))
    return (
        f'<svg class="abalo-chart" viewBox="0 0 {_WIDTH} {bottom + _AXIS}" width="{_WIDTH}" '
        f'height="{bottom + _AXIS}" role="img" aria-labelledby="abalo-chart-title abalo-chart-text">'
        f'<title id="abalo-chart-title">{title}</title>'
        f'<desc id="abalo-chart-text">{"; ".join(map(_spoken, results))}</desc>'
        f"{_HATCHED}{_axis(scale, bottom)}{rows}</svg>"
    )


def _axis(scale: Scale, bottom: int) -> str:
    ticks = "".join(
        f'<path class="abalo-grid" d="M{scale.x(tick)} {_TOP}V{bottom}"/>'
        f'<text class="abalo-tick" x="{scale.x(tick)}" y="{bottom + 15}">{phrases.number(tick, 2)}</text>'
        for tick in scale.ticks()
    )
    return ticks + intervals.baseline(scale, (_TOP + bottom) / 2, bottom - _TOP)


def _row(result: Json, scale: Scale, middle: float) -> str:
    name, verdict = phrases.shortened(phrases.scenario(result), _LABEL), result["verdict"]
    drop, limit = result["metrics"]["f1_drop"], _limit(result)
    return (
        f'<g class="abalo-{verdict or "unjudged"}"><title>{_spoken(result)}</title>'
        f'<text class="abalo-label" x="{_LEFT - 10}" y="{middle + 4}">{text(name)}</text>'
        + ("" if drop is None else intervals.bar(drop, scale, middle, _BAR))
        + ("" if limit is None else intervals.limit(limit, scale, middle, _ROW - 6))
        + f'<text class="abalo-value" x="{_RIGHT + 14}" y="{middle + 4}">{phrases.measured(drop)}'
        f'<tspan class="abalo-outcome" dx="8">{phrases.SIGNS[verdict]} {phrases.verdict(result)}</tspan></text></g>'
    )


def _limit(result: Json) -> float | None:
    """The bound on the overall drop, the one that this axis can show; None where there is none."""
    found = (result["bound"] or {}).get("max_f1_drop")
    value: float | None = found.get("overall") if isinstance(found, dict) else found
    return value


def _spoken(result: Json) -> str:
    limit = _limit(result)
    bound = "" if limit is None else f", bound {phrases.number(limit)}"
    drop = phrases.measured(result["metrics"]["f1_drop"])
    return text(f"{phrases.scenario(result)}: drop {drop}{bound}, {phrases.verdict(result)}")


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
