"""Runs and cases as HTML for a notebook, made of the blocks of the pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from abalo.core.documents.blocks import Block, Examples, Fold, Item, Row, Table, Text
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.results import headline, metric_of
from abalo.reporting.content import case, review
from abalo.reporting.documents.document import assemble
from abalo.reporting.documents.finding import glance
from abalo.reporting.formats.html import styled

_SENTENCES = 3
"""Sentences that are shown of a case."""


def result_html(result: Result) -> str:
    """A case: its verdict, number with interval, worst sentences and bounds."""
    document = assemble({}, (), (), (), complete=True)
    lead, *found = glance(result, document)
    number = Text((Item(str(headline(result)), metric_of(result, result.headline).words),))
    shown = [*map(_few, found), *case.judgements(result, document)]
    return styled(_alone([lead, *(() if result.judgements else (number,)), *shown]))


def report_html(document: Document) -> str:
    """A run: its verdict, subjects, failed cases with their worst sentences, and all cases in short."""
    return styled(_alone(review.page(document)))


def facts_html(title: str, facts: Mapping[str, str]) -> str:
    """Facts below a title."""
    return styled([Text(tuple(Item(text, term) for term, text in facts.items()), title, "facts")])


def page_html(blocks: Iterable[Block]) -> str:
    """The blocks of a page."""
    return styled(_alone(blocks))


def _few(block: Block) -> Block:
    """The block with a few of its sentences."""
    if isinstance(block, Examples):
        return replace(block, examples=block.examples[:_SENTENCES], open=_SENTENCES)
    if isinstance(block, Text) and block.open is not None:
        return replace(block, most=_SENTENCES)
    return block


def _alone(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks without links to other parts of a page, and without empty commands."""
    for block in blocks:
        if isinstance(block, Text) and not (block.role == "command" and not any(block.lines)):
            yield replace(block, case="")
        elif isinstance(block, Table):
            yield replace(block, rows=_unlinked(block.rows))
        elif isinstance(block, Fold):
            yield replace(block, blocks=tuple(_alone(block.blocks)))
        elif not isinstance(block, Text):
            yield block


def _unlinked(rows: Sequence[Row]) -> tuple[Row, ...]:
    return tuple(replace(row, case="") for row in rows)
