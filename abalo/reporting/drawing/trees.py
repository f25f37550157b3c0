"""Dependency trees: words in a line, arcs above them."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from abalo.core.documents.blocks import DrawnTree, TreeArc
from abalo.reporting.drawing.figures import tag

_LETTER, _GAP, _LABEL = 7.6, 16.0, 5.8
"""Pixels: letter width of words, space between words, letter width of labels."""

_STEP, _ROOM, _FOOT = 22.0, 16.0, 24.0
"""Pixels: height of an arc level, space above all arcs, height of the words."""


def draw_tree(tree: DrawnTree) -> Markup:
    """Draws a tree in SVG, with wrong arcs marked and named in its title."""
    centres, width = _places(tree)
    levels = _levels(tree.arcs, centres)
    base = _ROOM + _STEP * (1 + max(levels, default=1))
    shapes = [
        tag("text", word, x=round(x, 1), y=round(base + 16, 1), class_="abalo-tree-word")
        for word, x in zip(tree.words, centres, strict=True)
    ]
    drawn = [_arc(arc, level, centres, base) for arc, level in zip(tree.arcs, levels, strict=True)]
    wrong = [f"{tree.words[arc.word]}: {arc.label}, not {arc.right}" for arc in tree.arcs if arc.right]
    said = f"{tree.title}: {'; '.join(wrong)}" if wrong else f"{tree.title}: every arc is right"
    height = base + _FOOT
    box = {"viewBox": f"0 0 {width:g} {height:g}", "width": round(width, 1), "height": round(height, 1)}
    return tag("svg", tag("title", said), *drawn, *shapes, class_="abalo-tree", **box, role="img")


def _places(tree: DrawnTree) -> tuple[list[float], float]:
    labels = {arc.word: _label(arc) for arc in tree.arcs}
    centres, x = list[float](), 0.0
    for place, word in enumerate(tree.words):
        size = max(_LETTER * len(word), _LABEL * len(labels.get(place, ""))) + _GAP
        centres.append(x + size / 2)
        x += size
    return centres, max(x, 1.0)


def _levels(arcs: Sequence[TreeArc], centres: Sequence[float]) -> list[int]:
    spans = {k: (min(arc.word, arc.head), max(arc.word, arc.head)) for k, arc in enumerate(arcs) if arc.head >= 0}
    labels = {k: _label_ends(arcs[k], centres) for k in spans}
    levels = [1] * len(arcs)
    done: list[int] = []
    for k in sorted(spans, key=lambda k: spans[k][1] - spans[k][0]):
        below = [levels[j] for j in done if _overlap(spans[j], spans[k]) or _overlap(labels[j], labels[k])]
        levels[k] = min(1 + max((level for level in below if level < _HIGHEST), default=0), _HIGHEST)
        done.append(k)
    return levels


def _label_ends(arc: TreeArc, centres: Sequence[float]) -> tuple[float, float]:
    middle, half = (centres[arc.word] + centres[arc.head]) / 2, _LABEL * len(_label(arc)) / 2
    return middle - half, middle + half


def _overlap(first: tuple[float, float], second: tuple[float, float]) -> bool:
    return first[0] < second[1] and second[0] < first[1]


def _label(arc: TreeArc) -> str:
    return f"✗ {arc.label}" if arc.right else arc.label


_HIGHEST = 9


def _arc(arc: TreeArc, level: int, centres: Sequence[float], base: float) -> Markup:
    x, top = centres[arc.word], base - _STEP * level
    kind = "abalo-tree-wrong" if arc.right else "abalo-tree-arc"
    if arc.head < 0:
        path = f"M{x:.1f} {_ROOM:.1f}V{base:.1f}"
        middle, high = x, _ROOM
    else:
        other = centres[arc.head] + (4 if arc.head < arc.word else -4)
        x += -4 if arc.head < arc.word else 4
        bend = min(8.0, abs(x - other) / 2) * (1 if x > other else -1)
        path = (
            f"M{other:.1f} {base:.1f}V{top + 8:.1f}Q{other:.1f} {top:.1f} {other + bend:.1f} {top:.1f}"
            f"H{x - bend:.1f}Q{x:.1f} {top:.1f} {x:.1f} {top + 8:.1f}V{base:.1f}"
        )
        middle, high = (x + other) / 2, top
    arrow = f"M{x - 3:.1f} {base - 5:.1f}L{x:.1f} {base:.1f}L{x + 3:.1f} {base - 5:.1f}Z"
    hint = [tag("title", f"{arc.label}, not {arc.right}")] if arc.right else []
    label = tag("text", _label(arc), x=round(middle, 1), y=round(high - 3, 1))
    return tag("g", *hint, tag("path", d=path), tag("path", d=arrow, class_="abalo-tree-head"), label, class_=kind)
