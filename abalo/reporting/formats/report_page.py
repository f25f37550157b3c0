"""report.html: the run on one self-contained page; a script draws cases and folds on demand."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from markupsafe import Markup

from abalo.comparison.blocks.newly_broken import with_records
from abalo.core.documents.blocks import Block, Fold, Text, fold_block
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.results import cases, siblings, weight
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import as_json
from abalo.reporting.content import run
from abalo.reporting.content.case import detail
from abalo.reporting.content.facts import facts
from abalo.reporting.content.remarks import remarks
from abalo.reporting.content.sections import Section, ordered_sections, subjects
from abalo.reporting.documents.quoting import PAGE_TITLE
from abalo.reporting.formats.assets import asset
from abalo.reporting.formats.elements import Elements, Node, all_of, in_script
from abalo.reporting.formats.html import environment, render
from abalo.reporting.formats.report_format import PAGE_NAME, ReportFormat
from abalo.reporting.formats.results_table import losses_of, row

SIZE_LIMIT = 2_000_000
"""Bytes that open at once and fit a message."""

_EXAMPLES = (10, 6, 3, 1, 0)

_OF_CASE, _OF_EXAMPLES = 4_000, 0.3
"""Bytes per case, and per character of its examples, as measured."""


@dataclass(frozen=True, slots=True)
class _Rendered:
    section: Section
    title: str
    blocks: tuple[Block, ...]
    markup: Markup


@dataclass(slots=True)
class _Later:
    folds: list[Fold] = field(default_factory=list)

    def __call__(self, fold: Fold) -> int:
        self.folds.append(fold)
        return len(self.folds) - 1


def report_page(document: Document, records: Iterable[str] = ()) -> str:
    """Returns the page, with fewer examples per case if it would exceed `SIZE_LIMIT`.

    ``records`` are lines of examples.jsonl.
    """
    document = with_records(document, records)
    likely = [most for most in _EXAMPLES if _estimate(document, most) <= SIZE_LIMIT] or [0]
    for most in likely:
        page = _page(document, most)
        if len(page.encode("utf-8")) <= SIZE_LIMIT:
            break
    return page


def _estimate(document: Document, most: int) -> float:
    of_examples = sum(len(str(as_json(each))) for result in cases(document) for each in result.examples[:most])
    return _OF_CASE * len(cases(document)) + _OF_EXAMPLES * of_examples


def _page(document: Document, most: int) -> str:
    later = _Later()
    rendered = [found for section in ordered_sections() if (found := _section(section, document, later)) is not None]
    shown = [each for section in rendered for block in section.blocks for each in (block, *_inside(block))]
    left = _rest(document, shown)
    rest = render(left, "part", later) if left else ""
    data, heading = _data(document, later.folds, most), subjects.heading(document)
    script = asset("page.js")
    return (
        environment()
        .get_template("report.html")
        .render(
            title=PAGE_TITLE,
            heading=heading,
            day=subjects.day(document),
            policy=_policy(script),
            style=Markup(asset("blocks.css") + asset("page.css")),  # noqa: S704 - files of this package
            script=Markup(script),  # noqa: S704 - likewise
            leading=[each for each in rendered if each.section.leads],
            sections=[each for each in rendered if not each.section.leads],
            rest=Markup(rest),  # noqa: S704 - rendered from a template that escapes
            cases=len(data["cases"]),
            data=Markup(in_script(data)),  # noqa: S704 - no character in it means anything to HTML
        )
    )


def _policy(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode()
    return f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; base-uri 'none'"


def _section(section: Section, document: Document, later: _Later) -> _Rendered | None:
    blocks = tuple(section.blocks(document))
    markup = render(blocks, "part", later)
    if not blocks:
        return None
    return _Rendered(section, section.heading(document), blocks, Markup(markup))  # noqa: S704 - from a template that escapes


def _inside(block: Block) -> Iterator[Block]:
    if isinstance(block, Fold):
        yield from (replace(each, title=block.title) for each in block.blocks)


def _rest(document: Document, shown: Sequence[Block]) -> list[Block]:
    found: list[Block] = []
    heading: Text | None = None
    for block in (*remarks(document), *run.further_blocks(document), *facts(document)):
        if isinstance(block, Text) and block.role == "heading":
            heading = block
        elif block not in shown:
            found += [heading] if heading is not None else []
            heading = None
            last = found[-1] if found else None
            if not block.title and isinstance(last, Fold):
                found[-1] = replace(last, blocks=(*last.blocks, block))
            else:
                found.append(fold_block(block))
    return found


def _data(document: Document, folds: Sequence[Fold], most: int) -> JsonObject:
    elements, losses = Elements(), losses_of(document)
    results = sorted((each for each in cases(document) if not run.is_skipped(each)), key=weight, reverse=True)
    bodies = [elements.add(_body(result, document, most)) for result in results]
    held = [elements.add(render(fold.blocks, "part")) for fold in folds]
    shared: list[Node] = elements.shared()
    return {
        "cases": [
            {**row(result, losses.get(result.id), document), "body": all_of(elements, body)}
            for result, body in zip(results, bodies, strict=True)
        ],
        "folds": [all_of(elements, each) for each in held],
        "shared": shared,
    }


def _body(result: Result, document: Document, most: int) -> str:
    kept = replace(result, examples=result.examples[:most])
    blocks = detail(kept, siblings(result, document), document)
    left_out = len(result.examples) - len(kept.examples)
    more = [Text((f"{left_out} more worst examples in examples.jsonl.",))] if left_out else []
    return render([*blocks, *more], "detail")


REPORT_FORMAT = ReportFormat("html", PAGE_NAME, report_page)
