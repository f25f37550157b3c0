"""README and the pages are short, and written as one would tell a colleague; tests/prose.py says what is counted.
Tests assert values rather than sentences.

A sentence of a generated page is written where it comes from: a docstring, a help text, a field's meaning.
"""

import ast
import re
from pathlib import Path

import pytest

from docs.made import makers
from tests.prose import marked, plain, rate, sentences, words
from tests.rows import every

ROOT = Path(__file__).parent.parent
MADE = {module.PAGE for module in makers().values()}
REFERENCE = ROOT / "docs" / "reference"
OUTSIDE = [ROOT / f"{name}.md" for name in ("README", "ARCHITECTURE", "CONTRIBUTING", "CHANGELOG")]
PAGES = sorted(ROOT.glob("docs/**/*.md"))
"""All pages, the generated ones too."""
DOCS = [path for path in PAGES if path not in MADE and not path.is_relative_to(REFERENCE)]
FIRST = [ROOT / "README.md", ROOT / "docs" / "tutorial.md"]
"""The pages that a stranger reads first."""
SENTENCE = re.compile(r"(?:\b[^\W\d_]+,? ){3}[^\W\d_]+\b")
"""Four words in a row, without figures between them."""


def text(path: Path) -> str:
    return path.read_text("utf-8")


def named(paths: list[Path]) -> list:
    return [pytest.param(path, id=path.relative_to(ROOT).as_posix()) for path in paths]


@every("path", named([*OUTSIDE, *PAGES]))
def test_a_page_has_few_constructions_that_make_it_hard_to_read(path):
    page = text(path)
    assert rate([page]) <= 3.0, "\n".join(marked([page])[:10])


def test_all_pages_together_have_few_of_them():
    assert rate([text(path) for path in [ROOT / "README.md", *PAGES]]) <= 2.0


@pytest.mark.slow
def test_docstrings_have_few_of_them():
    """Those of attributes, too."""
    found = [
        node.value.value
        for path in sorted((ROOT / "abalo").rglob("*.py"))
        for node in ast.walk(ast.parse(text(path)))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]
    assert rate(found) <= 3.0, "\n".join(marked(found)[:10])


@pytest.mark.parametrize("path", named(FIRST))
def test_no_sentence_of_the_first_pages_is_long(path):
    assert [each for each in sentences(plain(text(path))) if len(words(each)) > 30] == []


def test_the_pages_written_by_hand_are_short():
    """Words have a letter or a digit: the lines of tables are none."""
    counts = {path.relative_to(ROOT).as_posix(): len(re.findall(r"\S*\w\S*", text(path))) for path in [*OUTSIDE, *DOCS]}
    assert sum(counts.values()) <= 40_000, counts


@pytest.mark.parametrize(("name", "lines"), [("README", 150), ("CHANGELOG", 50), ("CONTRIBUTING", 80)])
def test_a_page_has_no_more_lines(name, lines):
    assert len(text(ROOT / f"{name}.md").splitlines()) <= lines


def test_readme_has_no_more_than_a_thousand_words():
    assert len(text(ROOT / "README.md").split()) <= 1000


def test_the_glossary_has_no_more_than_forty_terms_of_a_line_each():
    entries = re.findall(r"^### (.+)\n\n(.+)\n", text(ROOT / "docs" / "glossary.md"), re.MULTILINE)
    assert 10 <= len(entries) == text(ROOT / "docs" / "glossary.md").count("\n### ") <= 40


@every("path", named(PAGES))
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


def pins_a_sentence(test: ast.FunctionDef) -> bool:
    """Whether the test asserts four words in a row, here or in lines of a terminal."""
    asserted = [
        node
        for node in ast.walk(test)
        if isinstance(node, ast.Assert)
        or (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and "match_line" in node.func.attr)
    ]
    strings = [each.value for node in asserted for each in ast.walk(node) if isinstance(each, ast.Constant)]
    return any(isinstance(each, str) and SENTENCE.search(each) is not None for each in strings)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("assert 'the score is not known' in page", True),
        ("result.stdout.fnmatch_lines(['*no case ran, so*'])", True),
        ("assert 'score 0.5 of 3 runs' in page", False),
        ("said = 'the score is not known'", False),
    ],
)
def test_a_sentence_is_four_words_in_an_assert(line, expected):
    (test,) = ast.parse(f"def test_it():\n    {line}").body
    assert pins_a_sentence(test) is expected


@pytest.mark.slow
def test_few_tests_pin_a_sentence():
    """Error messages and sentences of a corpus may be pinned; of a report, pin its values: `tests.texts.TextWith`."""
    sources = [ast.parse(text(path)) for path in ROOT.joinpath("tests").rglob("test_*.py")]
    tests = [
        node
        for source in sources
        for node in source.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    assert len(tests) > 5000
    assert sum(map(pins_a_sentence, tests)) <= 0.15 * len(tests)
