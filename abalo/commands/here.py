"""Files of the working directory: a thresholds file, and a conftest.py with perturbations."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from abalo.bundled import CASES, bundled
from abalo.errors import AbaloError, ends_the_run


def thresholds_here(*, asked: bool = False) -> Path:
    """The thresholds file here, else the default cases; ``asked`` says that a model or a corpus is named."""
    from abalo.config.thresholds import usual_path

    return usual_path(Path(), asked=asked)


def thresholds_of(document: Mapping[str, Any]) -> Path:
    """The thresholds file that a finished run was judged by, where its report says; else the file here."""
    options = document.get("options")
    if options is None:
        return thresholds_here()
    named = options.get("thresholds")
    return bundled(CASES) if named is None else Path(named)


def import_conftest() -> None:
    """Registers the perturbations of the conftest.py here, which is imported as pytest does it."""
    if not Path("conftest.py").is_file():
        return
    sys.path.insert(0, str(Path.cwd()))
    try:
        importlib.import_module("conftest")
    except BaseException as error:
        if ends_the_run(error):
            raise
        raise AbaloError(f"conftest.py cannot be imported: {type(error).__name__}: {error}") from error
