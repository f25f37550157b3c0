"""Report blocks of baselines that do not compare sentences."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.documents.blocks import Block, Column, Row, Table, meanings
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.preflight import percent
from abalo.core.records.json_records import Json
from abalo.tasks.pairs.artefacts import CHECKS, FOLDS, suspicious

NAME = "pairs"


def summary(results: Sequence[Result], document: Document) -> Sequence[Block]:
    """A table of the baselines, if any."""
    found = _find_artefacts(document)
    if not found:
        return []
    columns = (
        Column("Labels predicted from"),
        Column("Accuracy", f"over {found['pairs']:,} distinct pairs, {FOLDS}-fold cross-validation", numeric=True),
    )
    rows = tuple(Row((said, percent(found[name]))) for name, said in CHECKS.items())
    return [Table(columns, rows, "Artefacts of the corpus", meanings(columns), noun="baseline")]


def remarks(results: Sequence[Result], document: Document) -> Sequence[str]:
    """A warning if such a baseline predicts labels well."""
    told = suspicious(_find_artefacts(document))
    if not told:
        return []
    return [
        (
            f"Pairs: part of the labels can be predicted from {' or from '.join(told)}, so correct labels do not prove "
            "that the model compares the sentences."
        )
    ]


def _find_artefacts(document: Document) -> Json | None:
    return document.tasks[NAME].corpus.more.get("artefacts") if NAME in document.tasks else None
