"""The variants of TextFlint, each with its counterpart here and whether that is right, from textflint.tsv."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from abalo.sources.model_backed import KINDS
from docs.made import NOTICE, table
from perturbations import Perturbation, UnknownPerturbation, find

PAGE = Path(__file__).parents[1] / "reference" / "textflint-variants.md"
DATA = Path(__file__).parent / "textflint.tsv"

INTRODUCTION = f"""\
# TextFlint's variants

{NOTICE}

[TextFlint's names](textflint.md) explains the differences. A variant is *right* if two readers found it right. It is
*experimental* if they have not read its present form.
"""

_NONE = "–"
_SUITE = "suite "


def rows() -> Iterator[tuple[str, str, str, str, str]]:
    """Of each variant the task, the language, its name, what stands for it here, and its state."""
    with DATA.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield row["task"], row["language"], row["variant"], *_state(row)


def _state(row: dict[str, str]) -> tuple[str, str]:
    """The counterpart, and its state."""
    ours = row["ours"] or row["variant"]
    if ours == "-":
        return _NONE, "none in this language"
    if ours.startswith(_SUITE):
        return f"suite `{ours.removeprefix(_SUITE)}`", "right"
    try:
        member = find(ours)
    except UnknownPerturbation:
        return _NONE, "none yet"
    settings = f", `{row['settings']}`" if row["settings"] else ""
    return f"[`{member.name}`](perturbations.md#{member.name}){settings}", _judged(member, row)


def _judged(member: Perturbation, row: dict[str, str]) -> str:
    needed = [name for name, kind in member.resources().items() if kind in KINDS]
    if member.cost == "model":
        task = "ner" if row["task"] == "universal" else row["task"]
        lines = "; ".join(f'{name} = "NAME"' for name in needed)
        return f"needs a model: `[[{task}.{member.name}]]`, `{lines}`"
    return "right" if member.experimental(row["language"]) is None else "experimental"


def made() -> str:
    """The page."""
    found = list(rows())
    states = Counter("needs a model" if state.startswith("needs") else state for *_, state in found)
    counts = [(state, str(number)) for state, number in states.most_common()]
    heads = ("Task", "Language", "Variant", "Ours", "State")
    summary = table(("State", "Variants"), [*counts, ("all", str(len(found)))])
    return f"{INTRODUCTION}\n{summary}\n{table(heads, found)}"
