"""The two tables of targeted attacks, as stage 4 lays them out: which metrics stand in them, and their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from abalo.reporting import phrases
from abalo.reporting.selection import Json, siblings, views_differ


@dataclass(frozen=True, slots=True)
class MetricColumn:
    """A metric in a table. ``when_clean`` says whether it is anything but nothing or all where nothing is attacked."""

    metric: str
    heading: str
    when_clean: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class AttackRow:
    """An attack on the spans of one source, or the clean corpus, with a measured number, or None, per column."""

    attack: str
    source: str
    values: list[Json | None]


_FOUND = (
    MetricColumn("precision", "Precision", when_clean=True),
    MetricColumn("recall", "Recall", when_clean=True),
    MetricColumn("f1", "F1", when_clean=True),
)

ATTACK_COLUMNS = (
    *_FOUND,
    MetricColumn("f1_drop", "F1 drop"),
    MetricColumn("entity_flip_rate", "Flip rate"),
    MetricColumn("span_miss_rate", "Span miss", when_clean=True),
    MetricColumn("span_token_error_rate", "Span token error", when_clean=True),
    MetricColumn("conf_drop_gold", "Conf drop gold"),
    MetricColumn("conf_drop_pred", "Conf drop pred"),
    MetricColumn("prob_drop_gold", "Prob drop gold"),
    MetricColumn("prob_drop_pred", "Prob drop pred"),
)
"""[stage 4, "Length-preserving attacks"], and the drops in probability."""

STRUCTURE_COLUMNS = (
    *_FOUND,
    MetricColumn("entity_retention_rate", "Retention"),
    MetricColumn("entity_retention_rate_unshifted", "Retention, unshifted"),
    MetricColumn("entity_recovery_rate", "Recovery", when_clean=True),
    MetricColumn("entity_recovery_rate_unshifted", "Recovery, unshifted", when_clean=True),
    MetricColumn("conf_drop_gold_structural", "Conf drop gold"),
)
"""[stage 4, "Insertion — true structural view"], and what the seed's retention may have been."""

ATTACKS_TITLE = "Targeted attacks"
STRUCTURE_TITLE = "Attacks that move words, in the structural view"
DROPS_NOTE = "Drops are clean minus attacked, so positive is worse; conf drops are in logits."
STRUCTURE_NOTES = {
    "retention": "of the entities found on the clean sentence, those still found",
    "recovery": "of all gold entities, those found",
    "unshifted": "looked for at their old places, where other words may stand now: what the ruler costs",
}


def attacks(document: Json, view: str) -> list[Json]:
    """The results of cases that are aimed at spans, in one view and in document order."""
    return [result for result in document["results"] if result["span_source"] is not None and result["view"] == view]


def attack_rows(document: Json) -> list[AttackRow]:
    """The clean corpus, then every attack, in the projected view; empty for a run without attacks."""
    return _rows(document, attacks(document, "projected"), ATTACK_COLUMNS, "projected")


def structure_rows(document: Json) -> list[AttackRow]:
    """The same in the structural view, of the attacks that move words, so that the views differ."""
    moving = [result for result in attacks(document, "structural") if views_differ(result, siblings(result, document))]
    return _rows(document, moving, STRUCTURE_COLUMNS, "structural")


def _rows(document: Json, results: Sequence[Json], columns: Sequence[MetricColumn], view: str) -> list[AttackRow]:
    if not results:
        return []
    clean = _baseline(document, view)
    return [
        AttackRow("Baseline", "none", [clean.get(each.metric) if each.when_clean else None for each in columns]),
        *(
            AttackRow(
                phrases.attack(result), result["span_source"], [result["metrics"].get(each.metric) for each in columns]
            )
            for result in results
        ),
    ]


def _baseline(document: Json, view: str) -> Json:
    """By metric, what was measured on the clean corpus: in full where the baseline is a case of the run."""
    for result in document["results"]:
        if result["perturbation"] == "baseline" and result["view"] == view:
            found: Json = result["metrics"]
            return found
    return document.get("baseline") or {}
