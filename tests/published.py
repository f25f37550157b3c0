"""Published corpora, which are not ours to ship: files in the folder that an environment variable names."""

import os
from pathlib import Path

import pytest

VARIABLE = "ABALO_TEST_DATA"
FOLDER = Path(os.environ[VARIABLE]).absolute() if os.environ.get(VARIABLE) else None
"""As it was when tests were collected: some of them run in a directory of their own."""


def published(name: str) -> Path:
    """A file of a published corpus; skips the test where it is not there, all tests on one line of the summary."""
    if FOLDER is None or not FOLDER.is_dir():
        said = "is not set" if FOLDER is None else f"is {FOLDER}, which is no folder"
        pytest.skip(f"{VARIABLE} {said}; set it to the folder that holds lener-br/, wnut17/ and ud/")
    if not (FOLDER / name).is_file():
        pytest.skip(f"no {name} in {VARIABLE}={FOLDER}")
    return FOLDER / name
