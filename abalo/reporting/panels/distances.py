"""How far from the entity the changes sat that broke the model [Dirkson et al., Breaking BERT, Figure 1]."""

from __future__ import annotations

from collections.abc import Mapping

from abalo.reporting import phrases
from abalo.reporting.intervals import Scale
from abalo.reporting.markup import section, text
from abalo.reporting.panels.case import Case

_REACH = 15
"""Words from the entity that have a bar of their own; what is farther away shares one on either side."""

_NEAR = 2
"""Words from the entity that the paper found most of the changes within."""

_COLUMN, _BAR, _APART, _ENTITY, _LEFT, _RIGHT = 22, 18, 10, 62, 62, 12
_TOP, _HEIGHT, _AXIS = 26, 150, 46

_NOTE = (
    "Every entity of a sentence has near words, only those of long sentences have far ones: "
    "part of the fall on either side comes from that."
)


def render(case: Case) -> str:
    """A bar per distance, words before the entity on the left; empty where no change outside an entity broke one."""
    attack = case.result["attack"]
    counts = {} if attack is None else _pooled(attack["offsets"])
    if not counts:
        return ""
    return section(
        "Where the changes sat that broke the model",
        f'<div class="abalo-scroll">{_drawn(counts)}</div><p>{text(_said(counts))} {text(_NOTE)}</p>',
    )


def _pooled(offsets: list[list[int]]) -> dict[int, int]:
    """Changes by distance, with what is beyond `_REACH` one word further out."""
    found: dict[int, int] = {}
    for offset, count in offsets:
        pool = max(-_REACH - 1, min(_REACH + 1, offset))
        found[pool] = found.get(pool, 0) + count
    return found


def _said(counts: Mapping[int, int]) -> str:
    total, near = sum(counts.values()), sum(count for offset, count in counts.items() if abs(offset) <= _NEAR)
    before = sum(count for offset, count in counts.items() if offset < 0)
    return (
        f"Of {phrases.count(total, 'change')} in successful attacks, {_share(near, total)} sat within {_NEAR} words of "
        f"the entity, and {_share(before, total)} before it."
    )


def _share(part: int, whole: int) -> str:
    return f"{part:,} ({100 * part / whole:.0f} %)"


def _drawn(counts: Mapping[int, int]) -> str:
    width, bottom = _middle(_REACH + 1) + _COLUMN / 2 + _RIGHT, _TOP + _HEIGHT
    scale = Scale(0.0, float(max(4, *counts.values())), bottom, _TOP)
    offsets = [offset for offset in range(-_REACH - 1, _REACH + 2) if offset]
    spoken = "; ".join(f"{_place(offset)}: {counts[offset]:,}" for offset in offsets if offset in counts)
    sides = "".join(
        f'<text class="abalo-tick" x="{_middle(middle):g}" y="{bottom + 38}">words {side} the entity</text>'
        for middle, side in ((-_REACH // 2, "before"), (_REACH // 2 + 1, "after"))
    )
    return (
        f'<svg class="abalo-distances" viewBox="0 0 {width:g} {bottom + _AXIS}" width="{width:g}" '
        f'height="{bottom + _AXIS}" role="img"><title>Changes by their distance from the entity, in words</title>'
        f'<desc>{spoken}</desc><text class="abalo-tick abalo-count" x="{_LEFT - 8}" y="12">changes</text>'
        f"{_grid(scale, width - _RIGHT)}{_entity(bottom)}"
        f"{''.join(_bar(offset, counts.get(offset, 0), scale) for offset in offsets)}{sides}</svg>"
    )


def _grid(scale: Scale, right: float) -> str:
    return "".join(
        f'<path class="{"abalo-grid" if tick else "abalo-zero"}" d="M{_LEFT} {scale.x(tick)}H{right:g}"/>'
        f'<text class="abalo-tick abalo-count" x="{_LEFT - 8}" y="{scale.x(tick) + 4:g}">{tick:,g}</text>'
        for tick in scale.ticks()
    )


def _entity(bottom: int) -> str:
    """Where the entity stands, between its last word before and its first word after."""
    left = _middle(-1) + _COLUMN / 2
    return (
        f'<rect class="abalo-entity" x="{left + 4:g}" y="{_TOP}" width="{_ENTITY - 8}" height="{_HEIGHT}"/>'
        f'<text class="abalo-tick" x="{left + _ENTITY / 2:g}" y="{bottom + 16}">entity</text>'
    )


def _middle(offset: int) -> float:
    """The middle of a bar, in pixels: the entity stands where 0 would, and what is pooled a little apart."""
    apart = 0 if offset < -_REACH else _APART if offset <= _REACH else 2 * _APART
    column = offset + _REACH + (1.5 if offset < 0 else 0.5)
    return _LEFT + apart + _COLUMN * column + (_ENTITY if offset > 0 else 0)


def _bar(offset: int, count: int, scale: Scale) -> str:
    middle, top, far = _middle(offset), scale.x(count), abs(offset) > _REACH
    label = f"&gt; {_REACH}" if far else f"{abs(offset)}"
    labelled = far or abs(offset) in (1, 2, 3) or offset % 5 == 0
    tick = f'<text class="abalo-tick" x="{middle:g}" y="{scale.left + 16:g}">{label}</text>' if labelled else ""
    return (
        f'<g class="abalo-{"far" if far else "near"}">'
        f"<title>{_place(offset)}: {phrases.count(count, 'change')}</title>"
        f'<rect class="abalo-bar" x="{middle - _BAR / 2:g}" y="{top:g}" width="{_BAR}" '
        f'height="{scale.left - top:g}"/>{tick}</g>'
    )


def _place(offset: int) -> str:
    side = "before" if offset < 0 else "after"
    if abs(offset) > _REACH:
        return f"more than {_REACH} words {side}"
    return f"{phrases.count(abs(offset), 'word')} {side}"
