"""F1 of every entity type under every attack, as a heat table in inline SVG."""

from __future__ import annotations

from abalo.errors import visible
from abalo.reporting import phrases
from abalo.reporting.attacks import attacks
from abalo.reporting.markup import bullets, section, text
from abalo.reporting.selection import Json, entity_types, measured_value, most_telling

_SHOWN = 40

_LEFT, _TOP, _ROW, _GAP = 296, 24, 26, 2
_LABEL, _TYPE = 38, 18
_NARROWEST, _LETTER = 66, 8.2

_LEAST_REACH = 0.1
"""The smallest drop that is drawn in full colour: below it, noise would look like a fire."""


def render(document: Json) -> str:
    """Rows are the clean corpus and the attacks, columns the types; empty for a run without attacks or types."""
    found = attacks(document, "projected")
    types = entity_types(document)
    if not found or not types:
        return ""
    shown = most_telling(found, _SHOWN)
    hidden = len(found) - len(shown)
    more = f"<p>{phrases.count(hidden, 'more attack')} in robustness.json.</p>" if hidden else ""
    drawn = f'<div class="abalo-scroll">{_drawn(shown, types, document)}</div>'
    return section("F1 per entity type under attack", drawn + _legend(_reach(shown)) + more)


def _drawn(results: list[Json], types: list[str], document: Json) -> str:
    names = [phrases.shortened(visible(kind), _TYPE) for kind in types]
    cell = max(_NARROWEST, round(_LETTER * max(map(len, names)) + 12))
    rows = [("Baseline", (document.get("baseline") or {}).get("per_type", {}))]
    rows += [(phrases.scenario(result), result["per_type"]) for result in results]
    width, height = _LEFT + cell * len(types) + _GAP, _TOP + _ROW * len(rows) + _GAP
    heads = "".join(
        f'<text class="abalo-heat-type" x="{_LEFT + cell * (k + 0.5):g}" y="{_TOP - 8}"><title>{text(kind)}</title>'
        f"{text(shown)}</text>"
        for k, (kind, shown) in enumerate(zip(types, names, strict=True))
    )
    body = "".join(
        _row(name, table, types, _TOP + _ROW * k, cell, _reach(results)) for k, (name, table) in enumerate(rows)
    )
    spoken = "; ".join(_spoken(name, table, types) for name, table in rows)
    return (
        f'<svg class="abalo-heat" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        'aria-labelledby="abalo-heat-title abalo-heat-text">'
        '<title id="abalo-heat-title">F1 per entity type under attack</title>'
        f'<desc id="abalo-heat-text">{text(spoken)}</desc>{heads}{body}</svg>'
    )


def _row(name: str, table: Json, types: list[str], top: int, cell: int, reach: float) -> str:
    label = (
        f'<text class="abalo-label" x="{_LEFT - 10}" y="{top + _ROW / 2 + 4:g}"><title>{text(name)}</title>'
        f"{text(phrases.shortened(name, _LABEL))}</text>"
    )
    cells = (_cell(name, kind, table.get(kind), (_LEFT + cell * k, top), cell, reach) for k, kind in enumerate(types))
    return label + "".join(cells)


def _cell(name: str, kind: str, row: Json | None, corner: tuple[int, int], width: int, reach: float) -> str:
    """F1 on a ground as strong as what was lost or gained; bold where the interval of the drop leaves out 0."""
    left, top = corner
    drop = (row or {}).get("f1_drop")
    lost = measured_value(drop) or 0.0
    strength = round(min(1.0, abs(lost) / reach), 2)
    ground = f' fill-opacity="{strength:g}"' if lost else ""
    side = "loss" if lost > 0 else "gain" if lost < 0 else "clean" if drop is None else "none"
    clear = drop is not None and drop["low"] is not None and (drop["low"] > 0 or drop["high"] < 0)
    return (
        f"<g><title>{text(f'{name}, {kind}: {_said(row)}')}</title>"
        f'<rect class="abalo-heat-{side}"{ground} x="{left}" y="{top}" width="{width - _GAP}" height="{_ROW - _GAP}"/>'
        f'<text class="abalo-heat-number{" abalo-heat-clear" if clear else ""}" x="{left + (width - _GAP) / 2:g}" '
        f'y="{top + _ROW / 2 + 3:g}">{phrases.number(measured_value((row or {}).get("f1")), 2)}</text></g>'
    )


def _said(row: Json | None) -> str:
    if row is None:
        return "no entity"
    drop = row.get("f1_drop")
    return f"F1 {phrases.measured(row['f1'])}" + (f", drop {phrases.measured(drop)}" if drop is not None else "")


def _spoken(name: str, table: Json, types: list[str]) -> str:
    numbers = [f"{kind} {phrases.number(measured_value(table[kind]['f1']), 2)}" for kind in types if kind in table]
    return f"{name}: {', '.join(numbers)}"


def _reach(results: list[Json]) -> float:
    """The drop that has the full colour: the largest there is, either way."""
    drops = (measured_value(row["f1_drop"]) or 0.0 for result in results for row in result["per_type"].values())
    return max([_LEAST_REACH, *map(abs, drops)])


def _legend(reach: float) -> str:
    end = phrases.number(reach, 2)
    return bullets(
        [
            "number: F1",
            f'<span class="abalo-swatch abalo-swatch-loss"></span>F1 drop, from 0 to {end}',
            f'<span class="abalo-swatch abalo-swatch-gain"></span>F1 gain, from 0 to {end}',
            "<b>bold</b>: the interval of the drop leaves out 0",
        ],
        "abalo-legend",
    )
