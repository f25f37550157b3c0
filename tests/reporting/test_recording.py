"""The recorded documents are what their runs leave today."""

import json
from typing import Any

import pytest

from abalo.reporting.documents.stored import as_stored, sealed
from tests.reporting.documents import questioned, recorded, sample
from tests.reporting.recording import PATH
from tests.reporting.recording import recorded as record
from tests.reports import misfits
from tests.rows import every


@pytest.mark.slow
def test_the_runs_leave_the_file_that_is_kept():
    assert _rounded(record()) == _rounded(json.loads(PATH.read_text("utf-8")))


def _rounded(value: Any) -> Any:
    """A value with numbers to four decimals, which differ in later ones between versions of NumPy."""
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return round(value, 4) if isinstance(value, float) else value


MADE = {"ner": recorded, "choice": lambda: recorded("choice"), "sample": sample, "questioned": questioned}


@every("document", [make() for make in MADE.values()], ids=MADE)
def test_recorded_and_edited_documents_fit_the_schema(document):
    assert not misfits(sealed(as_stored(document)))
