"""A predicted span is shown as one span, also where it holds gold spans or lies across the end of one."""

from __future__ import annotations

import pytest

from abalo.core.documents.blocks import Examples
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.records import json_records as typed
from abalo.reporting.drawing import plain
from abalo.tasks.ner import marked
from perturbations import parse
from tests.reporting.documents import example, result_of, sample


@pytest.mark.parametrize(
    ("gold", "predicted", "shown"),
    [
        (
            "a [Turma ORG] do [Tribunal ORG] ouviu",
            "a [Turma do Tribunal ORG] ouviu",
            "a [{Turma – missed ORG} do {Tribunal – missed ORG} + ORG] ouviu",
        ),
        (
            "a [Ana Sá PER] de [Faro LOC]",
            "a Ana [Sá de LOC] [Faro LOC]",
            "a [Ana {Sá + LOC…} – missed PER] [de + …LOC] [Faro LOC]",
        ),
        (
            "a [Ana Sá PER] [Luz PER] saiu",
            "a [Ana PER] [Sá Luz PER] saiu",
            "a [{Ana + PER} {Sá + PER…} – missed PER] [{Luz + …PER} – missed PER] saiu",
        ),
        ("[Ana PER] [de Faro LOC]", "[Ana PER] de [Faro LOC]", "[Ana PER] [de {Faro + LOC} – missed LOC]"),
    ],
    ids=["holds two", "across an end", "across two", "inside"],
)
def test_a_predicted_span_is_one_span(gold, predicted, shown):
    document = sample()
    result = result_of(document, "accents")
    origins = [[place] for place in range(len(parse(gold)))]
    result["examples"] = [example(gold, predicted, gold, predicted, origins)]
    (block,) = marked.worst(typed.read(Result, result), typed.read(Document, document))
    assert isinstance(block, Examples)
    assert plain.lines(block.examples[0])[0] == ("original", shown)
