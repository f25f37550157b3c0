"""The fields of a result that only attacks have, as plain JSON values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from statistics import median
from typing import Any

from abalo.attacks.analysis import by_seed, compared, failures, median_similarity, offsets, parts_replaced, rarity
from abalo.attacks.attack import training_files
from abalo.attacks.campaign import Campaign
from abalo.core.example import Json, Tried
from abalo.corpora.training import load_named, named

TRIED = tuple(field.name for field in fields(Tried))


def attack_facts(campaign: Campaign, params: Mapping[str, Any]) -> Json:
    """Targets, sources, queries, and the analyses; docs/schema.md says what each is."""
    searched = [outcome.searched for outcome in campaign.outcomes if outcome.searched is not None]
    queries = [each.queries for each in searched]
    return {
        "targets": len(searched),
        "eligible_sentences": campaign.eligible,
        "sources": dict(campaign.sources),
        "queries": {
            "total": sum(queries),
            "median": median(queries) if queries else None,
            "most": max(queries, default=0),
        },
        "log": None if campaign.log is None else campaign.log.name,
        "spent": sum(each.spent for each in searched),
        "untried": sum(not each.tried.shown for each in searched),
        "candidates": {name: sum(getattr(each.tried, name) for each in searched) for name in TRIED},
        "failures": failures(campaign.outcomes, campaign.task),
        "median_similarity": median_similarity(campaign.outcomes, campaign.task),
        "by_seed": [
            {"seed": seed, **{name: None if math.isnan(value) else value for name, value in found.items()}}
            for seed, found in by_seed([*campaign.outcomes, *campaign.not_found], campaign.task).items()
        ],
        "offsets": [[offset, count] for offset, count in offsets(campaign.outcomes, campaign.task).items()],
        "compared": compared(campaign.outcomes, campaign.task),
        "rarity": _rarity(campaign, training_files(params.get("training", ""))),
        "parts_of_speech": _parts(campaign),
    }


def _rarity(campaign: Campaign, training: Sequence[str]) -> Json | None:
    if not training:
        return None
    corpora = [load_named(each) for each in training]
    found = rarity(campaign.outcomes, campaign.task, corpora, "words" if campaign.places else "entities")
    return found | {"training": " + ".join(map(named, corpora))}


def _parts(campaign: Campaign) -> list[Json] | None:
    if campaign.parts_of_speech is None or not campaign.places:
        return None
    return parts_replaced(campaign.outcomes, campaign.task, campaign.places, campaign.parts_of_speech)
