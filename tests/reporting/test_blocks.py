"""Further parts of a report, which anybody can add with one object."""

import pytest

from abalo.core.documents.blocks import Text
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.records import json_records as typed
from abalo.errors import AbaloError
from abalo.reporting.content.blocks import ReportBlock, blocks, ordered_blocks
from abalo.reporting.formats.html import detail, summary
from abalo.reporting.formats.latex import latex
from abalo.reporting.formats.markdown import markdown
from tests.reporting.documents import result_of, sample


@pytest.fixture
def weather():
    added = ReportBlock(
        "weather",
        lambda document: [Text((f"Cloudy over {document.corpus.name}.",), "Weather")],
        lambda result, _document: [Text((f"Rain on {result.name}.",), "Weather")],
    )
    blocks.register(added)


def test_a_block_that_is_registered_is_part_of_every_page(weather):
    document = sample()
    assert "<h3>Weather</h3><p>Cloudy over lener-br/dev.conll.</p>" in summary(typed.read(Document, document))
    assert "## Weather\n\nCloudy over lener-br/dev.conll." in markdown(typed.read(Document, document))
    assert "Rain on accents." in detail(
        typed.read(Result, result_of(document, "accents")),
        [typed.read(Result, each) for each in []],
        typed.read(Document, document),
    )
    assert "Weather" not in latex(typed.read(Document, document))  # running text is for screens


def test_blocks_stand_in_their_order_around_what_tasks_and_kinds_of_case_say(weather):
    assert [block.name for block in ordered_blocks()] == [
        "trainings",
        "levels",
        "capabilities",
        "comparison",
        "look",
        "weather",
    ]
    page = summary(typed.read(Document, sample()))
    assert page.index("by level of") < page.index("Weather") < page.index("Measured on")


def test_a_built_in_block_cannot_be_replaced():
    with pytest.raises(AbaloError, match="there is a built-in report block called 'levels'"):
        blocks.register(ReportBlock("levels"))
