"""Keeping transformers quiet while it works, and leaving it as it was."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def quiet() -> Iterator[None]:
    """Within, nothing warns and transformers neither logs below errors nor draws progress bars."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from transformers.utils import logging as untyped

        logging: Any = untyped
        verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
        logging.set_verbosity_error()
        logging.disable_progress_bar()
        try:
            yield
        finally:
            logging.set_verbosity(verbosity)
            if bars:
                logging.enable_progress_bar()


@contextmanager
def no_conversion_requests() -> Iterator[None]:
    """Within, transformers sends no request to the hub to convert pickled weights."""
    name = "DISABLE_SAFETENSORS_CONVERSION"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
