"""The fields of a result that only attacks have, as plain JSON values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from statistics import median
from typing import Any

from abalo.attacks.analysis import (
    Of,
    SearchFacts,
    by_seed,
    failures,
    mean_traits,
    median_similarity,
    offsets,
    parts_replaced,
    rarity,
    rows_of,
)
from abalo.attacks.attack import training_files
from abalo.attacks.campaign import Campaign
from abalo.core.evidence import Evidence
from abalo.core.example import JsonObject
from abalo.core.found import AttackFacts, PartFacts
from abalo.core.outcome import Tried
from abalo.core.plan import PART
from abalo.core.records import read
from abalo.core.task import Task
from abalo.corpora.training import corpus_name, load_named

TRIED = tuple(field.name for field in fields(Tried))

FACTS = "attack"


def attack_facts(campaign: Campaign, params: Mapping[str, Any], *, as_part: bool = False) -> JsonObject:
    """Targets, sources, queries and analyses, as in docs/reference/report.md.

    `with_seeds` adds ``by_seed``; ``as_part`` adds what `join_fields` needs.
    """
    corpora = [load_named(each) for each in training_files(params.get("training", ""))]
    of: Of = "words" if campaign.places else "entities"
    rows = rows_of(campaign.outcomes, campaign.task, corpora, of, campaign.places, campaign.parts_of_speech)
    log = None if campaign.log is None else campaign.log.name
    training = (of, " + ".join(map(corpus_name, corpora))) if corpora else None
    part = {"numbers": list(campaign.numbers), "rows": [asdict(row) for row in rows]}
    return {FACTS: _facts(rows, campaign.eligible, campaign.sources, log, training)} | ({PART: part} if as_part else {})


def join_fields(parts: Sequence[JsonObject], evidence: Evidence) -> JsonObject:
    """Joins the fields that are not sums; ``evidence`` covers all parts."""
    own = [(read(PartFacts, each[PART]).rows, read(AttackFacts, each[FACTS])) for each in parts]
    rows = [SearchFacts(**row) for found, _ in own for row in found]
    told = max(own, key=lambda each: len(each[0]))[1]  # one without rows may not say what they are of
    training = None if told.rarity is None else (told.rarity.of, told.rarity.training)
    searched = len(rows)  # in front of the targets that the model has wrong to begin with
    return {
        FACTS: _facts(rows, told.eligible_sentences, told.sources, told.log, training),
        "seeds": list(dict.fromkeys(evidence.seeds[:searched].tolist())),
        "distinct": len(set(evidence.clusters[:searched].tolist())),
        "changed": len(set(evidence.ids[evidence.changed].tolist())),
    }


def with_seeds(facts: JsonObject, evidence: Evidence, task: Task) -> JsonObject:
    """Adds the metrics of each seed."""
    rows = [
        {"seed": seed, **{name: None if math.isnan(value) else value for name, value in found.items()}}
        for seed, found in by_seed(evidence, task).items()
    ]
    return {**facts, "by_seed": rows}


def _facts(
    rows: Sequence[SearchFacts],
    eligible: int,
    sources: Mapping[str, str],
    log: str | None,
    training: tuple[Of, str] | None,
) -> JsonObject:
    queries = [row.queries for row in rows]
    return {
        "targets": len(rows),
        "eligible_sentences": eligible,
        "sources": dict(sources),
        "queries": {
            "total": sum(queries),
            "median": median(queries) if queries else None,
            "most": max(queries, default=0),
        },
        "log": log,
        "spent": sum(row.spent for row in rows),
        "untried": sum(not row.tried["shown"] for row in rows),
        "candidates": {name: sum(row.tried[name] for row in rows) for name in TRIED},
        "failures": failures(rows),
        "median_similarity": median_similarity(rows),
        "by_seed": [],
        "offsets": [[offset, count] for offset, count in offsets(rows).items()],
        "compared": mean_traits(rows),
        "rarity": None if training is None else rarity(rows, training[0]) | {"training": training[1]},
        "parts_of_speech": parts_replaced(rows),
    }
