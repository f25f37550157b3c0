"""Where what a command found goes: printed in a format, and written to a folder."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from abalo.reporting.page import Page

_FORMATS = ("text", "markdown", "html", "json")


def add_output_options(parser: argparse.ArgumentParser, name: str = "") -> None:
    """How it is printed; with a ``name`` also a folder for files called that."""
    parser.add_argument("--format", choices=_FORMATS, default="text", help="what is printed (default: %(default)s)")
    if name:
        parser.add_argument(
            "--out", type=Path, metavar="DIR", help=f"write {name}.html, .md and .json there, too, whole or not at all"
        )


def show(page: Page, options: argparse.Namespace) -> None:
    """Writes the files that are asked for, then prints the page, in colours where a terminal shows them."""
    from abalo.reporting.console import in_colour

    folder = getattr(options, "out", None)
    if folder is not None:
        page.write(folder)
    sys.stdout.write(page.shown(options.format, colour=in_colour(sys.stdout)))
