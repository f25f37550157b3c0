"""The findings of a command as text, Markdown, HTML or JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Literal, get_args

from abalo.core.documents.blocks import Block
from abalo.core.records.example import JsonObject
from abalo.files import write_together
from abalo.locking import FolderLock
from abalo.reporting.formats.assets import asset
from abalo.reporting.formats.console import text
from abalo.reporting.formats.files import as_bytes, check_folder
from abalo.reporting.formats.html import PHONES, render
from abalo.reporting.formats.markdown import SIZE_LIMIT
from abalo.reporting.formats.markdown import render as in_markdown

Format = Literal["text", "markdown", "html", "json"]

FORMATS: tuple[Format, ...] = get_args(Format)

_MOST = (None, 400, 200, 100, 50, 25, 10, 0)

_ALL = 1_000_000


def write(files: Mapping[str, bytes], folder: Path) -> None:
    """Writes the files together; raises `AbaloError` if the folder is unwritable, in use, or a reference."""
    check_folder(folder)
    with FolderLock(folder):
        write_together(folder, files)


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """The findings of a command, in files called ``name``.

    ``document`` is for programs, ``brief`` for a terminal, and ``blocks(most)`` for pages with at most ``most`` rows in
    long tables; None means all.
    """

    name: str
    title: str
    document: JsonObject
    blocks: Callable[[int | None], Sequence[Block]]
    brief: Sequence[Block]

    def shown(self, form: Format, *, colour: bool = False) -> str:
        """Formats the page; ``colour`` applies only to text."""
        match form:
            case "text":
                return text(self.brief, colour=colour)
            case "markdown":
                return self._markdown()
            case "html":
                return self._html()
            case "json":
                return as_bytes(self.document).decode()

    def files(self) -> dict[str, bytes]:
        """Returns HTML, Markdown and JSON by file name."""
        suffixes: dict[str, Format] = {"html": "html", "md": "markdown", "json": "json"}
        return {
            f"{self.name}.{suffix}": self.shown(form).encode("utf-8", "backslashreplace")
            for suffix, form in suffixes.items()
        }

    def _markdown(self) -> str:
        pages = (f"{in_markdown(self.blocks(most), _ALL)}\n<!-- {self.title} -->\n" for most in _MOST)
        fitting = (page for page in pages if len(page.encode("utf-8", "backslashreplace")) <= SIZE_LIMIT)
        return next(fitting, f"{in_markdown(self.blocks(0)[:2], _ALL)}\n<!-- {self.title} -->\n")

    def _html(self) -> str:
        style = f"<style>{asset('blocks.css')}{asset('page.css')}</style>"
        head = f'<meta charset="utf-8"><title>{escape(self.title)}</title>{PHONES}{style}'
        body = f"<main><h1>{escape(self.title)}</h1>{render(self.blocks(None), 'summary', level=2)}</main>"
        return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body class="abalo-page">{body}</body></html>\n'
