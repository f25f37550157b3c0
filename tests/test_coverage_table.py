"""docs/coverage.tsv is what the command measures on the published corpora.

All rows take about a minute of CPU time, so each corpus is a test of its own, which any worker may take.
What lies in a folder is skipped if nobody names it.
"""

import pytest

from benchmarks.perturbation_coverage import CORPORA, Measured, counted, differing
from docs.measured import COVERAGE_COLUMNS
from tests import published
from tests.published import FOLDER

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("corpus", CORPORA, ids=lambda each: f"{each.task}-{each.file}")
def test_the_table_is_what_is_measured(corpus: Measured):
    if not corpus.file.startswith("bundled:"):
        published.published(corpus.file)
    assert FOLDER is not None or corpus.file.startswith("bundled:")
    rows = counted(FOLDER, [corpus])
    assert rows
    assert differing(rows, [corpus]) == []


def test_a_row_that_differs_is_told(tmp_path, monkeypatch):
    table = tmp_path / "coverage.tsv"
    rows = [["accents", "ner", "pt", "lener-br/dev.conll", "10", "5", "4"], ["gone", "ner", "pt", "x", "1", "1", "1"]]
    table.write_text("".join("\t".join(row) + "\n" for row in [COVERAGE_COLUMNS, *rows]), encoding="utf-8")
    monkeypatch.setattr("benchmarks.perturbation_coverage.COVERAGE", table)
    corpus = [Measured("lener-br/dev.conll", "ner", "pt")]
    assert differing([rows[0]], corpus) == []
    assert differing([[*rows[0][:6], "3"]], corpus) == [
        "accents ner pt lener-br/dev.conll: ['10', '5', '4']; measured ['10', '5', '3']"
    ]
    assert differing([], corpus) == ["accents ner pt lener-br/dev.conll: ['10', '5', '4']; measured no row"]
