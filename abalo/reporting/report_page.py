"""report.html: the run as one page that a reviewer reads from the top, in one file that needs no other.

Its panels are HTML, and say all without a script. The table of cases, all about each case, and what is folded away are
data in the page, which its script draws when they are wanted.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from markupsafe import Markup

from abalo.core.blocks import Block, Fold, Text, folded
from abalo.core.results import Json, cases, siblings, weight
from abalo.reporting import run
from abalo.reporting.assets import asset
from abalo.reporting.case import detail
from abalo.reporting.case_rows import losses_of, row
from abalo.reporting.elements import Elements, Node, all_of, in_script
from abalo.reporting.facts import facts
from abalo.reporting.html import environment, rendered
from abalo.reporting.newly_broken import with_records
from abalo.reporting.panels import Panel, ordered
from abalo.reporting.quoting import PAGE_TITLE
from abalo.reporting.remarks import remarks

SIZE_LIMIT = 2_000_000
"""Bytes: a page of this size opens at once, and can be attached to a message."""

_EXAMPLES = (10, 6, 3, 1, 0)
"""How many examples each case may have: the first that keeps the page within its limit is used."""

_OF_CASE, _OF_EXAMPLES = 4_000, 0.3
"""Bytes of the page for a case without examples, and for each character of these as plain values: a little less than
was measured on the report that ships."""


@dataclass(frozen=True, slots=True)
class _Section:
    """A panel with its title and what it shows in the page of a run."""

    panel: Panel
    title: str
    blocks: tuple[Block, ...]
    markup: Markup


@dataclass(slots=True)
class _Later:
    """The folds that the script draws when they are opened; each has the number of its place."""

    folds: list[Fold] = field(default_factory=list)

    def __call__(self, fold: Fold) -> int:
        self.folds.append(fold)
        return len(self.folds) - 1


def report_page(document: Json, records: Iterable[str] = ()) -> str:
    """The page; ``records`` are the lines of examples.jsonl, from which sentences that the run broke are shown.

    Where the examples of all cases would make it larger than `SIZE_LIMIT`, each case has fewer of them, and says so.
    """
    document = with_records(document, records)
    likely = [most for most in _EXAMPLES if _estimate(document, most) <= SIZE_LIMIT] or [0]
    for most in likely:
        page = _page(document, most)
        if len(page.encode("utf-8")) <= SIZE_LIMIT:
            break
    return page


def _estimate(document: Json, most: int) -> float:
    """About how many bytes the page has with so many examples of each case, so that few are made in vain."""
    of_examples = sum(len(str(each)) for result in cases(document) for each in result["examples"][:most])
    return _OF_CASE * len(cases(document)) + _OF_EXAMPLES * of_examples


def _page(document: Json, most: int) -> str:
    later = _Later()
    sections = [found for panel in ordered() if (found := _section(panel, document, later)) is not None]
    shown = [each for section in sections for block in section.blocks for each in (block, *_inside(block))]
    left = _rest(document, shown)
    rest = rendered(left, "part", later) if left else ""
    data = _data(document, later.folds, most)
    script = asset("page.js")
    return (
        environment()
        .get_template("report.html")
        .render(
            title=PAGE_TITLE,
            policy=_policy(script),
            style=Markup(asset("blocks.css") + asset("page.css")),  # noqa: S704 - files of this package
            script=Markup(script),  # noqa: S704 - likewise
            leading=[each for each in sections if each.panel.leads],
            sections=[each for each in sections if not each.panel.leads],
            rest=Markup(rest),  # noqa: S704 - rendered from a template that escapes
            cases=len(data["cases"]),
            data=Markup(in_script(data)),  # noqa: S704 - no character in it means anything to HTML
        )
    )


def _policy(script: str) -> str:
    """Nothing may be loaded and no script may run but that of the page."""
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode()
    return f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; base-uri 'none'"


def _section(panel: Panel, document: Json, later: _Later) -> _Section | None:
    blocks = tuple(panel.blocks(document))
    markup = rendered(blocks, "part", later)
    if not blocks:
        return None
    return _Section(panel, panel.heading(document), blocks, Markup(markup))  # noqa: S704 - from a template that escapes


def _inside(block: Block) -> Iterator[Block]:
    """The blocks of a fold as they are elsewhere, under the title of the fold."""
    if isinstance(block, Fold):
        yield from (replace(each, title=block.title) for each in block.blocks)


def _rest(document: Json, shown: Sequence[Block]) -> list[Block]:
    """Whatever a report says that no panel has shown, each part folded away under its title.

    A part without a title belongs to the one before it, and a heading stands above those that follow it.
    """
    found: list[Block] = []
    heading: Text | None = None
    for block in (*remarks(document), *run.added(document), *facts(document)):
        if isinstance(block, Text) and block.role == "heading":
            heading = block
        elif block not in shown:
            found += [heading] if heading is not None else []
            heading = None
            last = found[-1] if found else None
            if not block.title and isinstance(last, Fold):
                found[-1] = replace(last, blocks=(*last.blocks, block))
            else:
                found.append(folded(block))
    return found


def _data(document: Json, folds: Sequence[Fold], most: int) -> dict[str, Any]:
    """The cases, what each says when it is opened, and what the folds hold."""
    elements, losses = Elements(), losses_of(document)
    results = sorted(cases(document), key=weight, reverse=True)
    bodies = [elements.add(_body(result, document, most)) for result in results]
    held = [elements.add(rendered(fold.blocks, "part")) for fold in folds]
    shared: list[Node] = elements.shared()
    return {
        "cases": [
            {**row(result, losses.get(result["id"]), document), "body": all_of(elements, body)}
            for result, body in zip(results, bodies, strict=True)
        ],
        "folds": [all_of(elements, each) for each in held],
        "shared": shared,
    }


def _body(result: Json, document: Json, most: int) -> str:
    """All about one case, with at most so many examples."""
    kept = {**result, "examples": result["examples"][:most]}
    blocks = detail(kept, siblings(result, document), document)
    left_out = len(result["examples"]) - len(kept["examples"])
    more = [Text((f"{left_out} more worst examples in examples.jsonl.",))] if left_out else []
    return rendered([*blocks, *more], "detail")
