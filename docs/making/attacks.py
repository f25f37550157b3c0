"""Attacks: recipes in a table, then every attack with its settings."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from abalo.attacks import Attack, attacks
from abalo.attacks.parts import methods
from abalo.attacks.recipe import RecipeSettings
from abalo.core.protocols.task import tasks
from docs.made import NOTICE, table
from docs.making.perturbations import settings

PAGE = Path(__file__).parents[1] / "reference" / "attacks.md"


INTRODUCTION = f"""\
# Attacks

{NOTICE}

An attack searches for a change that breaks the model. [Attacks in practice](../how-to/attacks.md) shows how to run and
replay them. Attacks need a model, so entries have no example.

## Recipes

A recipe combines a goal, a search, candidates and constraints under a name. The defaults are the settings that were
published; the module of a recipe names them and the differences. Of an experimental recipe, two readers have not found
the successes acceptable: read them before you believe the rate.

"""


def made() -> str:
    """The whole page."""
    entries = [settings(each.name, each.summary, each.settings, each.start) for each in attacks().values()]
    return "\n".join([f"{INTRODUCTION}{recipes()}", "## Every attack\n", *entries])


def recipes() -> str:
    """A row for each recipe that ships."""
    heads = ("Recipe", "Published as", "Candidates", "Search", "Limits", "Needs", "Tasks")
    return table(heads, [list(cells(each)) for each in attacks().values() if is_recipe(each)])


def is_recipe(attack: Attack[Any]) -> bool:
    """Whether it is put together as a recipe."""
    return issubclass(attack.settings, RecipeSettings)


def cells(attack: Attack[Any]) -> Iterator[str]:
    """The cells of a row."""
    settings: RecipeSettings = attack.configured()
    doc = sys.modules[attack.start.__module__].__doc__ or ""
    yield f"[`{attack.name}`](#{attack.name})" + (" (experimental)" if attack.experimental else "")
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
