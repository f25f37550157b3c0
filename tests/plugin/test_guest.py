"""In sessions that are not about models, the plugin is not felt."""

import subprocess
import sys

import pytest


def test_a_session_without_our_tests_gets_no_report_no_section_and_no_column(pytester):
    pytester.makepyfile("def test_sums():\n    assert 1 + 1 == 2\n")
    result = pytester.runpytest_inprocess("--html=page.html", "--self-contained-html")
    assert result.ret == 0
    assert "robustness" not in result.stdout.str()
    assert not pytester.path.joinpath("reports").exists()
    assert "abalo" not in pytester.path.joinpath("page.html").read_text("utf-8").replace("abalo-0.1.0", "").replace(
        '"abalo": "0.1.0"', ""
    ).replace("&#34;abalo&#34;: &#34;0.1.0&#34;", "")


def test_a_session_without_our_tests_does_not_mind_a_thresholds_file_of_another_kind(pytester):
    pytester.makefile(".toml", thresholds="[something]\nelse = 1\n")
    pytester.makepyfile("def test_sums():\n    assert 1 + 1 == 2\n")
    assert pytester.runpytest_inprocess().ret == 0


def test_collecting_imports_no_model_library(project):
    project.write("probe.py", PROBE)
    result = project.run("--collect-only", "-q", "-p", "probe", subprocess=True)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["model libraries: none"])


def test_options_take_values_with_a_space_also_when_these_are_paths_elsewhere(pytester, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    pytester.makepyprojecttoml('[tool.pytest.ini_options]\ntestpaths = ["inner"]\naddopts = ["-q"]\n')
    pytester.mkpydir("inner").joinpath("test_sums.py").write_text("def test_sums():\n    assert 1 + 1 == 2\n")
    pytester.path.joinpath("test_outer.py").write_text("def test_outer():\n    raise AssertionError\n")
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "--abalo-model", str(elsewhere), "-p", "no:cacheprovider"],
        check=False,
        capture_output=True,
        text=True,
        cwd=pytester.path,
    )
    assert result.returncode == pytest.ExitCode.OK, result.stdout
    assert "configfile: pyproject.toml" in result.stdout or "1 passed" in result.stdout
    assert "test_outer" not in result.stdout


PROBE = """
import sys


def pytest_collection_finish():
    found = {"torch", "transformers", "spacy", "datasets"} & set(sys.modules)
    print("model libraries:", ", ".join(sorted(found)) or "none")
"""
