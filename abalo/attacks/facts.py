"""The fields of a result that only attacks have, as plain JSON values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

from abalo.attacks.analysis import by_seed, compared, median_similarity, offsets, rarity
from abalo.attacks.campaign import Campaign
from abalo.core.example import Json
from abalo.corpora import load


def attack_facts(campaign: Campaign, params: Mapping[str, Any]) -> Json:
    """Targets, sources, queries, and the analyses; docs/schema.md says what each is."""
    searched = [outcome.searched for outcome in campaign.outcomes if outcome.searched is not None]
    once = [outcome for outcome in campaign.outcomes if outcome.seed == campaign.outcomes[0].seed]
    queries = [each.queries for each in searched]
    training = params.get("training")
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
        "untried": sum(not each.queries for each in searched),
        "median_similarity": median_similarity(campaign.outcomes),
        "by_seed": [
            {"seed": seed, **{name: None if math.isnan(value) else value for name, value in found.items()}}
            for seed, found in by_seed(campaign.outcomes).items()
        ],
        "offsets": [[offset, count] for offset, count in offsets(campaign.outcomes).items()],
        "compared": compared(campaign.outcomes),
        "rarity": rarity(once, load(training)) | {"training": Path(training).name} if training else None,
    }
