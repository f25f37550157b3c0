"""README and the pages are short, and written as one would tell a colleague; tests/prose.py says what is counted."""

import re
from pathlib import Path

import pytest

from docs.made import makers
from tests.prose import marked, plain, rate, sentences, words

ROOT = Path(__file__).parent.parent
MADE = {module.PAGE for module in makers().values()}
REFERENCE = ROOT / "docs" / "reference"
OUTSIDE = [ROOT / f"{name}.md" for name in ("README", "ARCHITECTURE", "CONTRIBUTING", "CHANGELOG")]
BY_HAND = [path for path in sorted(ROOT.glob("docs/**/*.md")) if path not in MADE]
DOCS = [path for path in BY_HAND if not path.is_relative_to(REFERENCE)]
FIRST = [ROOT / "README.md", ROOT / "docs" / "tutorial.md"]
"""The pages that a stranger reads first."""


def text(path: Path) -> str:
    return path.read_text("utf-8")


def named(paths: list[Path]) -> list:
    return [pytest.param(path, id=path.relative_to(ROOT).as_posix()) for path in paths]


@pytest.mark.parametrize(
    "path", named([ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *BY_HAND])
)
def test_a_page_has_few_constructions_that_make_it_hard_to_read(path):
    page = text(path)
    assert rate([page]) <= 3.0 or len(marked([page])) <= 2, "\n".join(marked([page])[:10])  # a short page may have two


def test_all_pages_together_have_few_of_them():
    assert rate([text(path) for path in DOCS]) <= 3.0


@pytest.mark.parametrize("path", named(FIRST))
def test_no_sentence_of_the_first_pages_is_long(path):
    assert [each for each in sentences(plain(text(path))) if len(words(each)) > 30] == []


def test_the_pages_written_by_hand_are_short():
    """Words have a letter or a digit: the lines of tables are none."""
    counts = {path.relative_to(ROOT).as_posix(): len(re.findall(r"\S*\w\S*", text(path))) for path in [*OUTSIDE, *DOCS]}
    assert sum(counts.values()) <= 40_000, counts


@pytest.mark.parametrize(("name", "lines"), [("README", 150), ("CHANGELOG", 40), ("CONTRIBUTING", 80)])
def test_a_page_has_no_more_lines(name, lines):
    assert len(text(ROOT / f"{name}.md").splitlines()) <= lines


def test_readme_has_no_more_than_a_thousand_words():
    assert len(text(ROOT / "README.md").split()) <= 1000


def test_the_glossary_has_no_more_than_forty_terms_of_a_line_each():
    entries = re.findall(r"^### (.+)\n\n(.+)\n", text(ROOT / "docs" / "glossary.md"), re.MULTILINE)
    assert 10 <= len(entries) == text(ROOT / "docs" / "glossary.md").count("\n### ") <= 40


@pytest.mark.parametrize("path", named(sorted(ROOT.glob("docs/**/*.md"))))
def test_no_page_links_to_the_readme(path):
    assert not re.search(r"\]\([^)]*\bREADME\.md", text(path).replace("fixtures/model/README.md", ""))


def test_the_meter_counts_what_it_is_about():
    page = (
        "# Of a title\n\nOf a run, the score and that of the others, none where there is none.\n\n```\nthat of\n```\n"
    )
    assert rate([page]) == pytest.approx(1000 * 4 / 15)
    assert rate(["The score of a run is a number."]) == 0
    assert marked([page]) == ["Of a run, the score and that of the others, none where there is none."]
    assert sentences(plain("One two three. Four five six:\n* seven eight nine\n* ten eleven twelve")) == [
        "One two three.",
        "Four five six:",
        "* seven eight nine",
        "* ten eleven twelve",
    ]
