"""Where what a command found goes: printed in a format, and written to a folder."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from abalo.errors import visible_lines

if TYPE_CHECKING:
    from abalo.reporting.page import Page

FORMATS = ("text", "markdown", "html", "json")


def say(text: object, file: TextIO | None = None) -> None:
    """Prints text, in which names may stand that others gave; every character of it can be seen."""
    print(visible_lines(text), file=file, flush=True)


def add_output_options(parser: argparse.ArgumentParser, name: str = "") -> None:
    """How it is printed; with a ``name`` also a folder for files called that."""
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
    """The text to print, and the files that are written to a folder before; no folder for none."""

    said: str
    files: Mapping[str, bytes]
    folder: Path | None

    def deliver(self) -> None:
        """Writes, then prints; raises `AbaloError` where the folder cannot be written."""
        if self.folder is not None:
            from abalo.reporting.page import write

            write(self.files, self.folder)
        sys.stdout.write(self.said)


def output_of(page: Page, options: argparse.Namespace) -> Output:
    """The page as it is asked for, in colours where a terminal shows them; nothing is written yet."""
    from abalo.reporting.console import in_colour

    folder: Path | None = getattr(options, "out", None)
    said = page.shown(options.format, colour=in_colour(sys.stdout))
    return Output(said, {} if folder is None else page.files(), folder)
