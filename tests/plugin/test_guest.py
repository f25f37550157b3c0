"""In sessions that are not about models, the plugin is not felt."""

import subprocess
import sys

import pytest

from abalo import __version__


def test_a_session_without_our_tests_gets_no_report_no_section_and_no_column(pytester):
    pytester.makepyfile("def test_sums():\n    assert 1 + 1 == 2\n")
    result = pytester.runpytest_inprocess("--html=page.html", "--self-contained-html")
    assert result.ret == 0
    assert "robustness" not in result.stdout.str()
    assert not pytester.path.joinpath("reports").exists()
    page = pytester.path.joinpath("page.html").read_text("utf-8").replace("&#34;", '"')
    assert "abalo" not in page.replace(f"abalo-{__version__}", "").replace(f'"abalo": "{__version__}"', "")


def test_a_session_without_our_tests_does_not_mind_a_thresholds_file_of_another_kind(pytester):
    pytester.makefile(".toml", thresholds="[something]\nelse = 1\n")
    pytester.makepyfile("def test_sums():\n    assert 1 + 1 == 2\n")
    assert pytester.runpytest_inprocess().ret == 0


@pytest.mark.slow
def test_collecting_imports_no_model_library(project):
    project.write("probe.py", PROBE)
    result = project.run("--collect-only", "-q", "-p", "probe", subprocess=True)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["model libraries: none"])


@pytest.mark.slow
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


OPTIONS_AND_HOOKS = {
    "abalo",
    "abalo.bundled",
    "abalo.config",
    "abalo.config.options",
    "abalo.core",
    "abalo.core.protocols",
    "abalo.core.protocols.options",
    "abalo.core.records",
    "abalo.core.records.rates",
    "abalo.errors",
    "abalo.pytest_plugin",
    "abalo.pytest_plugin.keys",
    "abalo.pytest_plugin.options",
    "abalo.version",
}
REPORT = {
    "abalo.comparison",
    "abalo.comparison.document",
    "abalo.comparison.document.node_names",
    "abalo.pytest_plugin.html_page",
    "abalo.pytest_plugin.losses",
    "abalo.pytest_plugin.report",
    "abalo.pytest_plugin.scores",
}


def modules_of(pytester: pytest.Pytester, *arguments: str) -> list[set[str]]:
    """The modules of ours and of our libraries that each process of a session without our tests has imported."""
    pytester.makeconftest(LISTING)
    pytester.makepyfile(PLAIN_TESTS)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", *arguments)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=3, failed=1, skipped=1, xfailed=1)
    return [set(line.split()) for line in (pytester.path / "modules.txt").read_text("utf-8").splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [(), ("--html=page.html", "--self-contained-html"), ("--junit-xml=junit.xml",)],
    ids=["alone", "html", "junit"],
)
def test_a_session_without_our_tests_imports_options_and_hooks_alone(pytester, arguments):
    assert modules_of(pytester, *arguments) == [OPTIONS_AND_HOOKS | REPORT]


@pytest.mark.slow
@pytest.mark.usefixtures("interpreters")
def test_so_does_every_worker(pytester):
    worker = OPTIONS_AND_HOOKS | REPORT
    controller = worker | {"abalo.pytest_plugin.collected"}  # looks for a note of the workers
    assert modules_of(pytester, "-n", "1") == [worker, controller]


@pytest.mark.parametrize(
    "arguments", [(), ("--abalo-model", "x", "--abalo-limit=5")], ids=["alone", "with our options"]
)
def test_blocked_by_its_own_name_only_the_options_stay(pytester, arguments):
    assert modules_of(pytester, "-p", "no:abalo", *arguments) == [OPTIONS_AND_HOOKS]


@pytest.mark.slow
def test_blocked_by_the_name_of_its_module_nothing_stays(pytester):
    assert modules_of(pytester, "-p", "no:abalo.pytest_plugin") == [set()]


LISTING = """
import sys

import pytest

LIBRARIES = {"datasets", "filelock", "numpy", "scipy", "torch", "transformers"}
WATCHED = {"abalo", "perturbations", "tests_behavioral", *LIBRARIES}


def write():
    found = [name for name in sys.modules if name.partition(".")[0] in WATCHED]
    with open("modules.txt", "a", encoding="utf-8") as modules:
        modules.write(" ".join(sorted(found)) + "\\n")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    if hasattr(session.config, "workerinput"):  # the controller does not wait for what a worker does after this
        write()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    if not hasattr(config, "workerinput"):
        write()
"""

PLAIN_TESTS = """
import pytest


@pytest.mark.parametrize("case", [1, 2])
def test_passes(case, record_property):
    record_property("case", case)


def test_prints():
    print("printed")


def test_fails():
    raise AssertionError


@pytest.mark.skip
def test_is_skipped():
    pass


@pytest.mark.xfail
def test_is_expected_to_fail():
    raise AssertionError
"""

PROBE = """
import sys


def pytest_collection_finish():
    found = {"torch", "transformers", "spacy", "datasets"} & set(sys.modules)
    print("model libraries:", ", ".join(sorted(found)) or "none")
"""


def test_a_module_of_a_stranger_with_the_name_of_ours_brings_no_other_tests(pytester):
    pytester.makepyfile(test_against="def test_it():\n    pass\n", test_other="def test_that():\n    pass\n")
    pytester.runpytest_inprocess("test_against.py").assert_outcomes(passed=1)
    pytester.runpytest_inprocess("test_against.py::test_it").assert_outcomes(passed=1)
