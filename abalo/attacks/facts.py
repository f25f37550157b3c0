"""The fields of a result that only attacks have, as plain JSON values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from statistics import median
from typing import Any

from abalo.attacks.analysis import (
    Of,
    Row,
    by_seed,
    compared,
    failures,
    median_similarity,
    offsets,
    parts_replaced,
    rarity,
    rows_of,
)
from abalo.attacks.attack import training_files
from abalo.attacks.campaign import Campaign
from abalo.core.evidence import Evidence
from abalo.core.example import Json
from abalo.core.outcome import Tried
from abalo.core.plan import PART
from abalo.core.task import Task
from abalo.corpora.training import load_named, named

TRIED = tuple(field.name for field in fields(Tried))

FACTS = "attack"
"""The field of a result."""


def attack_facts(campaign: Campaign, params: Mapping[str, Any], *, as_part: bool = False) -> Json:
    """Targets, sources, queries, and the analyses; docs/reference/report.md says what each is.

    ``by_seed`` is left to `with_seeds`. With ``as_part`` there is also the field by which `joined` puts the facts of
    parts together.
    """
    corpora = [load_named(each) for each in training_files(params.get("training", ""))]
    of: Of = "words" if campaign.places else "entities"
    rows = rows_of(campaign.outcomes, campaign.task, corpora, of, campaign.places, campaign.parts_of_speech)
    told = {
        "eligible_sentences": campaign.eligible,
        "sources": dict(campaign.sources),
        "log": None if campaign.log is None else campaign.log.name,
    }
    training = {"of": of, "training": " + ".join(map(named, corpora))} if corpora else None
    part = {"numbers": list(campaign.numbers), "rows": [asdict(row) for row in rows]}
    return {FACTS: _facts(rows, told, training)} | ({PART: part} if as_part else {})


def joined(parts: Sequence[Json], evidence: Evidence) -> Json:
    """The fields that are no sums in the results of all parts of a case, as those of the whole.

    ``evidence`` is that of the whole.
    """
    rows = [Row(**row) for each in parts for row in each[PART]["rows"]]
    told = max(parts, key=lambda each: len(each[PART]["rows"]))[FACTS]  # one without rows may not say what they are of
    searched = len(rows)  # in front of the targets that the model has wrong to begin with
    return {
        FACTS: _facts(rows, told, told["rarity"]),
        "seeds": list(dict.fromkeys(evidence.seeds[:searched].tolist())),
        "distinct": len(set(evidence.clusters[:searched].tolist())),
        "changed": len(set(evidence.ids[evidence.changed].tolist())),
    }


def with_seeds(facts: Json, evidence: Evidence, task: Task) -> Json:
    """The attack facts with the metrics of each seed, which stand in the evidence."""
    rows = [
        {"seed": seed, **{name: None if math.isnan(value) else value for name, value in found.items()}}
        for seed, found in by_seed(evidence, task).items()
    ]
    return {**facts, "by_seed": rows}


def _facts(rows: Sequence[Row], told: Mapping[str, Any], training: Mapping[str, Any] | None) -> Json:
    """The facts in the rows, and those ``told``; ``training`` says of what units rarity is, and in which data."""
    queries = [row.queries for row in rows]
    return {
        "targets": len(rows),
        "eligible_sentences": told["eligible_sentences"],
        "sources": told["sources"],
        "queries": {
            "total": sum(queries),
            "median": median(queries) if queries else None,
            "most": max(queries, default=0),
        },
        "log": told["log"],
        "spent": sum(row.spent for row in rows),
        "untried": sum(not row.tried["shown"] for row in rows),
        "candidates": {name: sum(row.tried[name] for row in rows) for name in TRIED},
        "failures": failures(rows),
        "median_similarity": median_similarity(rows),
        "by_seed": [],
        "offsets": [[offset, count] for offset, count in offsets(rows).items()],
        "compared": compared(rows),
        "rarity": None if training is None else rarity(rows, training["of"]) | {"training": training["training"]},
        "parts_of_speech": parts_replaced(rows),
    }
