"""Makes the table of recipes in docs/attacks.md: ``python -m docs.make_recipes``; ``--check`` says if it is up to date.

A row repeats what the module of a recipe says and what its settings are: nothing about one recipe is written here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from abalo.attacks import Attack, attacks
from abalo.attacks.parts import methods
from abalo.attacks.recipe import RecipeSettings
from abalo.core.task import tasks
from docs.made import keep

PAGE = Path(__file__).parent / "attacks.md"
BEGIN, END = "<!-- recipes: python -m docs.make_recipes -->\n", "<!-- end of recipes -->"


def page() -> str:
    """The whole page, with the table as it is now."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return f"{before}{BEGIN}{table()}{END}{rest.partition(END)[2]}"


def table() -> str:
    """A row for each recipe that ships."""
    heads = ("Recipe", "Published as", "Candidates", "Search", "Limits", "Needs", "Tasks")
    rows = [heads, ("---",) * len(heads), *(tuple(cells(each)) for each in attacks().values() if is_recipe(each))]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def is_recipe(attack: Attack[Any]) -> bool:
    """Whether it is put together as a recipe."""
    return issubclass(attack.settings, RecipeSettings)


def cells(attack: Attack[Any]) -> Iterator[str]:
    """The cells of a row."""
    settings: RecipeSettings = attack.configured()
    doc = sys.modules[attack.plan.__module__].__doc__ or ""
    yield f"[`{attack.name}`](catalogue.md#{attack.name})"
    yield doc.partition("\n")[0].rstrip(".").replace("[", "(").replace("]", ")")
    yield attack.summary.rstrip(".")
    yield f"{settings.search}, words by {settings.ranking}" if methods()[settings.search].ranks else settings.search
    yield "; ".join(limits(settings)) or "–"
    yield ", ".join(f"`{name}`" for name in attack.needs) or "–"
    yield ", ".join(name for name, task in tasks().items() if attack.fits(task))


def limits(settings: RecipeSettings) -> Iterator[str]:
    """The limits that a recipe has by default, as parameters."""
    if settings.most_words:
        yield f"`most_words = {settings.most_words}`"
    if settings.most_changed < 1:
        yield f"`most_changed = {settings.most_changed:g}`"
    if settings.most_edits:
        yield f"`most_edits = {settings.most_edits}`"
    if settings.least_similarity > -1:
        yield f"`least_similarity = {settings.least_similarity:g}`"


def main() -> int:
    """Writes the page or, with ``--check``, says whether it differs; returns the exit status."""
    return keep(PAGE, page(), "python -m docs.make_recipes")


if __name__ == "__main__":
    sys.exit(main())
