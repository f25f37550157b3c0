"""Cases that are run while the one before them is judged: only among the tests that ship, and with the same report."""

import threading

import pytest

from abalo.core.running.ahead import Ahead
from abalo.models.tokens.black_box import BlackBoxModel
from tests.reports import timeless


@pytest.fixture
def begun(monkeypatch) -> list[str]:
    """The cases that were begun ahead, of a model that would usually not run ahead."""
    monkeypatch.setattr(BlackBoxModel, "runs_ahead", True, raising=False)
    names, begin = [], Ahead.begin

    def noted(self, name, work):
        names.append(name)
        begin(self, name, work)

    monkeypatch.setattr(Ahead, "begin", noted)
    return names


LOOSE = "[[ner.accents]]\nmax_f1_drop_changed = 0.9\n"
"""A case with a bound that the model of these tests keeps."""


@pytest.fixture
def two_cases(project):
    project.write("thresholds.toml", LOOSE + LOOSE.replace("accents", "typos"))
    return project


def cases_of(names):
    return [name.partition("[")[0] for name in names]


@pytest.mark.slow
def test_the_report_is_the_same(two_cases, begun, monkeypatch):
    assert two_cases.run().ret == 0
    assert cases_of(begun) == ["ner/typos"]
    ahead = timeless(two_cases.document())
    monkeypatch.setattr(BlackBoxModel, "runs_ahead", False)
    assert two_cases.run().ret == 0
    assert timeless(two_cases.document()) == ahead
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ThreadPool")]


@pytest.mark.slow
@pytest.mark.parametrize("options", [("--abalo-stop-early",), ("-k", "accents")])
def test_nothing_is_run_ahead_that_may_not_be_asked_for(two_cases, begun, options):
    two_cases.run(*options)
    assert begun == []


def test_a_test_of_the_users_own_has_the_model_to_itself(two_cases, begun):
    own = "@pytest.mark.abalo('ner.{0}')\ndef test_{0}(case, judge):\n    assert judge(case).holds\n"
    two_cases.write("test_mine.py", "\n\n".join(["import pytest\n", own.format("accents"), own.format("typos")]))
    two_cases.write("conftest.py", "from abalo.pytest_plugin.fixtures import *\n")
    options = ("--abalo-corpus", "corpus.conll", "--abalo-model", "models:gazetteer")
    result = two_cases.pytester.runpytest_inprocess("test_mine.py", *options)
    result.assert_outcomes(passed=2)
    assert begun == []


def test_a_case_whose_function_fails_fails_by_itself(two_cases, begun):
    two_cases.write(
        "conftest.py",
        "from perturbations import word_level\n\n\n@word_level(example=('a', 'ab'))\ndef careless(word):\n"
        '    """A string where a list is meant."""\n    return word + "b"\n',
    )
    two_cases.write("thresholds.toml", LOOSE + LOOSE.replace("accents", "careless"))
    result = two_cases.run()
    assert result.ret == 1
    result.assert_outcomes(passed=1, failed=1)
    assert len(begun) == 1
