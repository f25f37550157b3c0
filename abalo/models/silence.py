"""Keeping transformers and Inspect quiet while they work, and leaving them as they were."""

from __future__ import annotations

import logging
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

        log: Any = untyped
        verbosity, bars = log.get_verbosity(), log.is_progress_bar_enabled()
        log.set_verbosity_error()
        log.disable_progress_bar()
        try:
            yield
        finally:
            log.set_verbosity(verbosity)
            if bars:
                log.enable_progress_bar()


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


@contextmanager
def no_traces() -> Iterator[None]:
    """Within, Inspect traces no call, and its libraries, which deprecate each other, warn of nothing."""
    before = logging.root.manager.disable
    logging.disable(logging.INFO)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
