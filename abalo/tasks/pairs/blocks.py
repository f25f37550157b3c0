"""The part of reports about pairs as such: how far one gets without comparing the sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from abalo.core.blocks import Block, Column, Row, Table, meanings
from abalo.core.preflight import percent
from abalo.tasks.pairs.artefacts import CHECKS, FOLDS, suspicious

NAME = "pairs"


def summary(results: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Sequence[Block]:
    """A table of the baselines that read only a part of the pairs; nothing where there are none."""
    found = _found(document)
    if not found:
        return []
    columns = (
        Column("Labels told by"),
        Column("Accuracy", f"over {found['pairs']:,} distinct pairs in {FOLDS} parts, by the others", numeric=True),
    )
    rows = tuple(Row((said, percent(found[name]))) for name, said in CHECKS.items())
    return [Table(columns, rows, "Artefacts of the corpus", meanings(columns), noun="baseline")]


def remarks(results: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Sequence[str]:
    """A remark where labels can be told without comparing the sentences."""
    told = suspicious(_found(document))
    if not told:
        return []
    by = " and by ".join(told)
    return [f"Pairs: labels of the corpus can be told in part by {by}, so a model that is right need not compare both."]


def _found(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    found: Mapping[str, Any] | None = document["tasks"].get(NAME, {}).get("corpus", {}).get("artefacts")
    return found
