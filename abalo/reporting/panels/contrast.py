"""What sets the entities that an attack broke apart from those it did not [Dirkson et al., Breaking BERT, 5.1]."""

from __future__ import annotations

from abalo.reporting import phrases
from abalo.reporting.markup import Column, section, table, text
from abalo.reporting.panels.case import Case
from abalo.reporting.selection import Json, measured_value

_TRAITS = {
    "sentence_length": "Words in the sentence",
    "choices": "Words that could be changed",
    "entity_length": "Words in the entity",
}
"""Rows by trait, for attacks on the context."""

_ENTITIES_TO_CHOOSE_FROM = "Entities to choose from"
"""The choices of an attack on the entity itself."""

_SIGNIFICANT = 0.05
"""The p below which a difference is spoken of. [Dirkson et al., 5.3, do not say theirs]"""


def render(case: Case) -> str:
    """The mean of each trait on either side, and in a sentence whether what broke the model is rarer in training."""
    attack = case.result["attack"]
    if attack is None or not attack["targets"]:
        return ""
    broken = round((measured_value(case.result["metrics"]["success_rate"]) or 0.0) * attack["targets"])
    columns = [
        Column("Mean of"),
        Column(f"Successful attacks ({broken:,})", numeric=True),
        Column(f"Failed attacks ({attack['targets'] - broken:,})", numeric=True),
    ]
    names = _TRAITS | ({"choices": _ENTITIES_TO_CHOOSE_FROM} if "entities" in attack["sources"] else {})
    rows = [
        [text(names.get(trait, trait)), *(phrases.number(means[side], 1) for side in ("successful", "failed"))]
        for trait, means in attack["compared"].items()
    ]
    rarity = f"<p>{text(rarity_said(attack['rarity'], len(attack['by_seed'])))}</p>" if attack["rarity"] else ""
    return section("Successful against failed attacks", table(columns, rows) + rarity)


def rarity_said(rarity: Json, seeds: int) -> str:
    """How often the new and the original entities of the successes stand in the training data, and what p is."""
    training = phrases.name(rarity["training"])
    if not rarity["pairs"]:
        return f"No success, so nothing to say about how rare its entities are in {training}."
    counted = (
        f"In {training}, the entity that broke the model stands {phrases.number(rarity['replacement'], 1)} times on "
        f"average, the one it replaced {phrases.number(rarity['original'], 1)} times"
    )
    if rarity["p"] is None:
        return f"{counted}: every pair is equally frequent, so there is nothing to test (n = {rarity['pairs']:,})."
    p = phrases.p_value(rarity["p"])
    tested = f"Wilcoxon signed-rank test, two-sided p {p if p.startswith('<') else f'= {p}'}"
    shared = " The seeds attack the same entities, which makes p too small." if seeds > 1 else ""
    return f"{counted}: {_reading(rarity)} ({tested}, n = {rarity['pairs']:,}).{shared}"


def _reading(rarity: Json) -> str:
    if rarity["p"] >= _SIGNIFICANT:
        return "no clear difference"
    return (
        "what breaks the model is rarer"
        if rarity["replacement"] < rarity["original"]
        else "what breaks the model is more frequent"
    )
