"""The suites that ship: each can be read and filled, and asks for as much as it says."""

from collections import Counter
from itertools import product

import pytest

from abalo.bundled import bundled
from abalo.capabilities.capability import KINDS
from abalo.cli import main
from abalo.config.thresholds import load_suite
from abalo.core.gate import Gate

SUITES = sorted(path.stem for path in bundled("fixtures/capabilities").glob("*.toml"))
LEAST = {"ner-pt-legal": 12, "ner-en": 10, "ner-zh": 6, "classification-en": 18, "classification-pt": 18}
"""The smallest number of rows of the matrix, or of tests where a suite has few rows."""

CHECKLIST = ("vocabulary", "negation", "named entities", "robustness", "temporal", "fairness")


def test_the_suites_are_there():
    assert set(LEAST) <= set(SUITES)


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
    cases = load_suite(bundled(f"fixtures/capabilities/classification-{language}.toml"), Gate())
    assert {(case.plan.row, case.plan.kind) for case in cases} == set(product(CHECKLIST, KINDS))
