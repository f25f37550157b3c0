"""Columns and rows of labels that neither corpus nor model has are not shown."""

import pytest

from abalo.core.documents.blocks import Table
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.records import json_records as typed
from abalo.reporting.content.sections.types import blocks as types
from abalo.reporting.formats.html import detail
from abalo.reporting.formats.report_page import report_page
from tests.reporting.documents import sample
from tests.reporting.shown import in_full
from tests.reporting.test_report_page import data_of

ZERO = {"value": 0.0, "low": 0.0, "high": 0.0, "n": 3}


def brought_in(**more):
    """A document in which a case has a type that its examples do not hold and the model does not predict."""
    document = sample()
    for result in document["results"]:
        if result["name"] == "accents":
            scores = dict.fromkeys(("precision", "recall", "f1", "f1_drop_changed"), ZERO)
            result["per_type"]["STRANGE"] = {**scores, "support": 0, **more}
    return document


def pages(document):
    """The heads of the map of types, what the tables say, the page of the case, and the types to filter by."""
    accents = next(each for each in document["results"] if each["name"] == "accents")
    table = next(block for block in types(typed.read(Document, document)) if isinstance(block, Table))
    row = next(
        each for each in data_of(report_page(typed.read(Document, document)))["cases"] if each["id"] == "ner/accents"
    )
    heads = [column.meaning for column in table.columns]
    return (
        heads,
        in_full(document),
        detail(typed.read(Result, accents), [typed.read(Result, each) for each in []], typed.read(Document, document)),
        row["groups"],
    )


def test_a_label_that_a_perturbation_has_brought_in_is_not_shown():
    assert not [place for place in pages(brought_in()) if "STRANGE" in place]


@pytest.mark.parametrize("more", [{"support": 1}, {"precision": {**ZERO, "value": 0.5}}])
def test_a_label_of_corpus_or_model_is_shown(more):
    assert len([place for place in pages(brought_in(**more)) if "STRANGE" in place]) == 4
