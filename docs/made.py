"""The command of pages that are made from the code."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def keep(page: Path, made: str, command: str) -> int:
    """Writes the page or, with ``--check``, says whether it differs; returns the exit status.

    ``command`` is what makes it, such as ``python -m docs.make_catalogue``.
    """
    parser = argparse.ArgumentParser(description=f"Makes docs/{page.name} from the code: {command}")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the page differs")
    if not parser.parse_args().check:
        page.write_text(made, encoding="utf-8")
    elif not page.is_file() or page.read_text(encoding="utf-8") != made:
        print(f"docs/{page.name} is out of date: {command}", file=sys.stderr)
        return 1
    return 0
