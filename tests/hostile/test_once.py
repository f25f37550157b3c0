"""One error is told once, where it is, however many tests it keeps from running."""

import subprocess
import sys

import pytest

OWN = """
from perturbations import character_level


@character_level(example=("é", "e"))
def accents(char):
    return []
"""


def test_an_own_perturbation_with_the_name_of_ours_is_refused_where_it_is_defined(tmp_path):
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    ended = subprocess.run([sys.executable, "own.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    last = ended.stderr.splitlines()[-1]
    assert last.startswith("ValueError: two perturbations are called 'accents': ")
    assert 'own.py", line 5, in <module>' in ended.stderr


@pytest.mark.slow
def test_in_a_conftest_it_ends_the_run_with_one_message(project):
    project.write("conftest.py", OWN)
    result = project.run(subprocess=True)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = result.stdout.str() + result.stderr.str()
    assert told.count("two perturbations are called 'accents': ") == 1


def test_without_the_plugin_the_suite_says_so_once(pytester, monkeypatch):
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", "-p", "no:abalo", "--pyargs", "tests_behavioral")
    result.assert_outcomes(errors=1)
    assert result.stdout.str().count("tests_behavioral needs the plugin that -p no:abalo blocks") == 1
