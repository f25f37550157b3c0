"""Parts of a report, for looking at one of them."""

import re
from html.parser import HTMLParser
from typing import Any

from abalo.core.documents.blocks import Block, unfold_blocks
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.records import json_records as typed
from abalo.reporting.content import case, run
from abalo.reporting.formats import markdown
from abalo.reporting.formats.html import render

VOID = {"br", "hr", "img", "input", "meta", "link"}
SPACED = {"p", "div", "h2", "h3", "li", "td", "th", "pre", "dt", "dd"}

Json = dict[str, Any]


class Page(HTMLParser):
    """Reads a fragment, refuses one whose tags do not nest, and keeps text, tags and attributes."""

    def __init__(self, fragment: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.feed(fragment)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self.words.append(" " if tag in SPACED else "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


def html(*blocks: Block) -> str:
    """Blocks as HTML."""
    return render(blocks, "detail")


def of_run(document: Json, title: str) -> str:
    """The part of the summary under a title, as HTML; empty without such a part."""
    blocks = unfold_blocks(
        [*run.opening(typed.read(Document, document)), *run.sections(typed.read(Document, document))]
    )
    return "".join(html(block) for block in blocks if getattr(block, "title", "").endswith(title))


def in_full(document: Json) -> str:
    """All tables of a run in Markdown, as LaTeX has them."""
    return markdown.render(run.tables(typed.read(Document, document)), 400)


def of_case(result: Json, siblings: list[Json], document: Json, title: str) -> str:
    """The same of the detail of a case."""
    blocks = unfold_blocks(
        case.detail(
            typed.read(Result, result),
            [typed.read(Result, each) for each in siblings],
            typed.read(Document, document),
        )
    )
    return "".join(html(block) for block in blocks if getattr(block, "title", "") == title)


def table_of(fragment: str) -> list[list[str]]:
    """The text of every cell, without the small intervals, by row."""
    rows = re.findall(r"<tr>(.*?)</tr>", re.sub(r"<small.*?</small>", "", fragment))
    return [[Page(cell).text for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in rows]
