"""The fields of a result that only attacks have."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from statistics import median
from typing import Annotated, Any, Literal

from annotated_types import Len

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
from abalo.core.documents.found import PartFacts, Result, ResultFields, certain
from abalo.core.protocols.task import Task
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import Count, JsonRecord, Share, declared, read
from abalo.core.records.outcome import Tried
from abalo.core.records.values import Whole
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.plan import PART
from abalo.corpora.training import corpus_name, load_named

TRIED = tuple(field.name for field in fields(Tried))

FACTS = "attack"


@dataclass(frozen=True, slots=True, kw_only=True)
class Queries(JsonRecord):
    """The number of variants that the model saw."""

    total: Count
    median: float | None
    most: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Rarity(JsonRecord):
    """Whether replacements are rarer in the training data."""

    of: Literal["entities", "words"]
    changes: Count
    pairs: Count
    original: float | None
    replacement: float | None
    p: Share | None
    training: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PartReplaced(JsonRecord):
    """The replaced and replaceable words of one part of speech."""

    part: str
    replaced: Count
    could: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackFacts(JsonRecord):
    """The facts about an attack."""

    targets: Count = declared("Number of searches: targets times seeds.")
    eligible_sentences: Count = declared("Number of distinct examples that could be attacked.")
    sources: Mapping[str, str] = declared("Sources beside the model, by purpose, such as synonyms and similarity.")
    queries: Queries = declared("Number of variants shown to the model: `total`, and `median` and `most` of a search.")
    log: str | None = declared("Name of the log in the folder `attacks`; null with `--abalo-no-text`.")
    spent: Count = declared("Number of searches that used up their budget.")
    untried: Count = declared("Number of searches without an admitted candidate.")
    candidates: Mapping[str, Count] = declared(
        "Number of candidates by fate: all, too dissimilar (`unlike`), of another part of speech, and `shown`."
    )
    failures: Mapping[str, Count] = declared("Number of failed searches by reason.")
    median_similarity: float | None = declared(
        "Median similarity of the successes to the original; null without a success."
    )
    by_seed: Sequence[JsonObject] = declared("Metrics of attacks for each seed.")
    offsets: Sequence[Annotated[Sequence[Whole], Len(2, 2)]] = declared(
        "[offset, count]: distance in words between the change and the entity, for successes. −1 is the word before."
    )
    compared: Mapping[str, Mapping[str, float | None]] = declared(
        "Mean of each trait over `successful` and `failed` searches."
    )
    rarity: Rarity | None = declared(
        "Whether the replacements are rarer in the training data: number of `changes` and `pairs`, mean counts, and "
        "`p` of Wilcoxon's signed-rank test; null without `training`.",
    )
    parts_of_speech: Sequence[PartReplaced] | None = declared(
        "For successes: words `replaced` and words that `could` be, by part of speech; null if unknown."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackFields(ResultFields):
    """What attacks add to a result."""

    attack: AttackFacts | None = declared("The searches of an attack.", default=None, required=True)


def facts_of(result: Result) -> AttackFacts:
    """The facts about the attack of a result."""
    return certain(AttackFields.of(result).attack)


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
