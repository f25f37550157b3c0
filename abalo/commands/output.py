"""Prints results and writes them to a folder."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from abalo.commands.streams import on_any_encoding
from abalo.errors import visible_lines

if TYPE_CHECKING:
    from abalo.reporting.formats.command_output import Page

FORMATS = ("text", "markdown", "html", "json")


def say(text: object, file: TextIO | None = None) -> None:
    """Prints untrusted text with all characters visible."""
    print(visible_lines(text), file=file, flush=True)


def add_output_options(parser: argparse.ArgumentParser, name: str = "") -> None:
    """Adds the format and, for a ``name``, a folder."""
    parser.add_argument("--format", choices=FORMATS, default="text", help="format of the output (default: %(default)s)")
    if name:
        parser.add_argument(
            "--out",
            type=Path,
            metavar="DIR",
            help=f"also write {name}.html, .md and .json to this folder, such as {name} (default: not written)",
        )


@dataclass(frozen=True, slots=True)
class Output:
    """Text to print and files to write first; None as folder writes none."""

    said: str
    form: str
    files: Mapping[str, bytes]
    folder: Path | None

    def deliver(self) -> None:
        """Writes, then prints; raises `AbaloError`."""
        if self.folder is not None:
            from abalo.reporting.formats.command_output import write

            write(self.files, self.folder)
        with on_any_encoding(self.form):
            sys.stdout.write(self.said)


def output_of(page: Page, options: argparse.Namespace) -> Output:
    """Renders the page in the chosen format; writes nothing."""
    from abalo.reporting.formats.console import in_colour

    folder: Path | None = getattr(options, "out", None)
    said = page.shown(options.format, colour=in_colour(sys.stdout))
    return Output(said, options.format, {} if folder is None else page.files(), folder)
