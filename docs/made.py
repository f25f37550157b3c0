"""Makes the pages of docs/reference from the code: ``python -m docs.made``; ``--check`` says which are out of date.

Each module of docs/making makes one page: ``PAGE`` is its path and ``made()`` its text. Name pages to make no others:
``python -m docs.made perturbations metrics``.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent
COMMAND = "python -m docs.made"
NOTICE = f"<!-- Made from the code by {COMMAND}; do not edit. -->"
"""The line that every page has below its title."""


def makers() -> Mapping[str, ModuleType]:
    """The modules that make a page, by the name of the page."""
    names = sorted(path.stem for path in HERE.joinpath("making").glob("*.py"))
    found = {name.replace("_", "-"): import_module(f"docs.making.{name}") for name in names}
    return {name: module for name, module in found.items() if hasattr(module, "made")}


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown; marks in cells that would end a cell are escaped."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |\n" for line in lines)


def shown(page: Path) -> str:
    """The path of a page in the repository."""
    return page.relative_to(HERE.parent).as_posix() if page.is_relative_to(HERE.parent) else str(page)


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the pages or, with ``--check``, names those that differ; returns the exit status."""
    known = makers()
    parser = argparse.ArgumentParser(prog=COMMAND, description="Makes the pages of docs/reference from the code.")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help=f"pages to make (default: all): {', '.join(known)}")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a page differs")
    options = parser.parse_args(arguments)
    if strange := [name for name in options.pages if name not in known]:
        parser.error(f"{strange[0]!r} is no page; expected one of {', '.join(known)}")
    stale = 0
    for name in options.pages or known:
        page, made = known[name].PAGE, known[name].made()
        if not options.check:
            page.write_text(made, encoding="utf-8")
        elif not page.is_file() or page.read_text(encoding="utf-8") != made:
            print(f"{shown(page)} is out of date: run {COMMAND} {name}", file=sys.stderr)
            stale = 1
    return stale


if __name__ == "__main__":
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    sys.exit(main())
