"""Published corpora, which are not ours to ship: files in the folder that an environment variable names."""

import os
from pathlib import Path

import pytest

VARIABLE = "ABALO_TEST_DATA"


def published(name: str) -> Path:
    """A file of a published corpus; skips the test where it is not there, all tests on one line of the summary."""
    folder = os.environ.get(VARIABLE, "")
    if not folder or not Path(folder).is_dir():
        said = f"is {folder}, which is no folder" if folder else "is not set"
        pytest.skip(f"{VARIABLE} {said}; set it to the folder that holds lener-br/, wnut17/ and ud/")
    file = Path(folder, name)
    if not file.is_file():
        pytest.skip(f"no {name} in {VARIABLE}={folder}")
    return file.resolve()
