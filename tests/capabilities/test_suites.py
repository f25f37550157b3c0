"""The suites that ship: each can be read and filled, and asks for as much as it says."""

from collections import Counter
from itertools import product

import pytest

from abalo.bundled import bundled_path
from abalo.capabilities.capability import KINDS
from abalo.cli import main
from abalo.config.thresholds import load_suite
from abalo.core.records.gate import Gate

SUITES = sorted(path.stem for path in bundled_path("fixtures/capabilities").glob("*.toml"))
LEAST = {"ner-pt-legal": 12, "ner-en": 10, "ner-zh": 6, "classification-en": 18, "classification-pt": 18}
"""The smallest number of rows of the matrix, or of tests where a suite has few rows."""

CHECKLIST = ("vocabulary", "negation", "named entities", "robustness", "temporal", "fairness")


def test_the_suites_are_there():
    assert set(LEAST) <= set(SUITES)


@pytest.mark.slow
@pytest.mark.parametrize("suite", SUITES)
def test_every_template_is_filled(suite, capsys):
    assert main(["capabilities", "show", f"bundled:{suite}"]) == 0
    said = capsys.readouterr().out.splitlines()
    tests = [line for line in said if "/capability[" in line]
    templates = [line for line in said if line.startswith("  template ")]
    assert len(tests) >= LEAST.get(suite, 4)
    assert len(templates) >= len(tests)
    assert not [line for line in templates if "(0 of " in line]
    assert not [name for name, count in Counter(tests).items() if count > 1]


@pytest.mark.parametrize("language", ["en", "pt"])
def test_sentiment_has_every_kind_of_test_for_every_capability(language):
    cases = load_suite(bundled_path(f"fixtures/capabilities/classification-{language}.toml"), Gate())
    assert {(case.plan.row, case.plan.kind) for case in cases} == set(product(CHECKLIST, KINDS))


def filled(suite: str, capsys) -> list[str]:
    """The texts that the suite is shown with."""
    assert main(["capabilities", "show", f"bundled:{suite}"]) == 0
    said = capsys.readouterr().out.splitlines()
    return [line.strip().removeprefix("→ ") for line in said if line.startswith("    ")]


def test_feminine_bodies_were_heard_as_such(capsys):
    heard = [text for text in filled("ner-pt-legal", capsys) if text.startswith("Foram ouvid")]
    assert heard
    for text in heard:
        assert text.split()[1:3] in (["ouvidos", "o"], ["ouvidas", "a"])


@pytest.mark.slow
@pytest.mark.parametrize("suite", ["classification-en", "classification-pt"])
def test_sentences_begin_with_a_capital_and_no_space_stands_before_a_mark(suite, capsys):
    for text in filled(suite, capsys):
        assert not text[:1].islower() or text.startswith(("the ", "o "))  # the test of capitals has both
        assert not {" ?", " !", " ,", " :"} & {text[i : i + 2] for i in range(len(text))}


def test_no_space_stands_before_a_question_mark(capsys):
    asked = [text.partition("?") for text in filled("choice-en", capsys)]
    assert asked
    assert not [before for before, mark, _ in asked if not mark or before.endswith(" ") or " :" in before]


@pytest.mark.slow
def test_nothing_is_rude_but_persons(capsys):
    rude = [text for text in filled("classification-en", capsys) if "rude" in text or "friendly" in text]
    assert not [text for text in rude if "phone" in text or "film" in text or "hotel" in text]
