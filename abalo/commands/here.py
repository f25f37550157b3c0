"""Files of the working directory: thresholds and conftest.py."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from abalo.bundled import CASES, bundled_path
from abalo.errors import AbaloError, ends_the_run

if TYPE_CHECKING:
    from abalo.config.thresholds import Thresholds
    from abalo.core.documents.document import Document

_CONFTEST = "conftest.py"


def thresholds_here(*, asked: bool = False) -> Path:
    """The thresholds file here, else the defaults."""
    from abalo.config.thresholds import usual_path

    return usual_path(Path(), asked=asked)


def thresholds_of(document: Document) -> Path:
    """The thresholds file of a finished run, else the file here."""
    options = document.options
    if options is None:
        return thresholds_here()
    named = options.get("thresholds")
    return bundled_path(CASES) if named is None else Path(named)


def add_conftest_option(parser: argparse.ArgumentParser) -> None:
    """Adds the option of commands that read a finished run, and by default run no code of the folder."""
    parser.add_argument(
        "--conftest",
        action="store_true",
        help="import conftest.py here, which runs its code, if it registers what the run is about",
    )


def load_here(options: argparse.Namespace, least: float | None = None) -> Thresholds:
    """The named thresholds file, else the one here; errors mention ``--conftest``."""
    from abalo.config.thresholds import load

    try:
        return load(options.thresholds or thresholds_here(), least=least)
    except AbaloError as error:
        if options.conftest or not Path(_CONFTEST).is_file():
            raise
        raise AbaloError(f"{error}; if {_CONFTEST} here registers what is missing, add --conftest") from error


def import_conftest() -> None:
    """Imports conftest.py here, to register perturbations."""
    if not Path(_CONFTEST).is_file():
        return
    sys.path.insert(0, str(Path.cwd()))
    try:
        importlib.import_module("conftest")
    except BaseException as error:
        if ends_the_run(error):
            raise
        raise AbaloError(f"conftest.py cannot be imported: {type(error).__name__}: {error}") from error
