"""A loss against the accepted run is a test: counted, listed, cached and told as pytest tells any other."""

import json
import re
import shlex
from xml.etree import ElementTree as ET

import pytest

from abalo.cli import main
from abalo.comparison.document.loss_tests import failed_tests
from abalo.core.documents.losses_found import Comparison
from abalo.core.records import json_records as typed
from tests.plugin.conftest import miniature

pytestmark = pytest.mark.slow

LOOSE = """
[gate]
language = "pt"
resamples = 300

[[ner.baseline]]
min_f1 = 0.1

[[ner.accents]]
max_f1_drop_changed = 0.95
"""

MODULE = "tests_behavioral.test_against"
CASES = {"tests_behavioral.ner.test_baseline::test_f1[default]", "tests_behavioral.ner.test_accents::test_f1[default]"}
WORSE, GOOD = "models:blind_to_accents", "models:gazetteer"


@pytest.fixture
def accepted(pytester, monkeypatch):
    """A project whose bounds hold for every model, with its good model accepted as references/1.0."""
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    made = miniature(pytester)
    made.write("thresholds.toml", LOOSE)
    assert run(made, model=GOOD, reference=()).ret == 0
    assert main(["accept", str(made.path / "reports"), "--as", str(made.path / "references" / "1.0")]) == 0
    return made


def run(
    project, *arguments, model=WORSE, named="tests_behavioral.ner", reference=("--abalo-against", "references/1.0")
):
    words = ("--pyargs", named, "--abalo-corpus", "corpus.conll", "--abalo-model", model, *reference, *arguments)
    return project.pytester.runpytest_inprocess("-ra", *words)


def lost(project):
    """The ids of the losses that failed, by the report."""
    found = project.document()["comparison"]
    return [test.id for test in failed_tests(None if found is None else typed.read(Comparison, found))]


def last_failed(project):
    """The tests that ``--lf`` selects."""
    path = project.path / ".pytest_cache" / "v" / "cache" / "lastfailed"
    return set(json.loads(path.read_text("utf-8"))) if path.is_file() else set()


def named(path):
    """The failed tests of a JUnit file, and all of them."""
    tests = [*ET.parse(path).iter("testcase")]
    names = [(test.get("classname"), test.get("name")) for test in tests]
    return [name for name, test in zip(names, tests, strict=True) if test.find("failure") is not None], names


@pytest.mark.parametrize("workers", ["0", "1"])
def test_counts_summary_junit_page_and_cache_agree(accepted, workers):
    result = run(accepted, "-n", workers, "--junit-xml", "junit.xml", "--html", "page.html")
    found = lost(accepted)
    nodes = [f"{MODULE}::test_loss[{name}]" for name in found]
    assert {"ner/baseline", "ner/accents"} <= {*found}
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    outcomes = result.parseoutcomes()
    assert (outcomes["failed"], outcomes["passed"]) == (len(found), len(CASES))
    said = result.stdout.str()
    assert f"FAIL: {len(found)} losses against the reference 1.0" in said
    assert re.findall(r"^FAILED (\S+) - ", said, re.MULTILINE) == nodes
    assert all(int(share) <= 100 for share in re.findall(r"\[ *(\d+)%\]", said))
    in_xml, every = named("junit.xml")
    assert in_xml == [(MODULE, f"test_loss[{name}]") for name in found]
    assert len(every) == len({*every})
    page = accepted.path.joinpath("page.html").read_text("utf-8")
    assert all(f"test_loss[{name}]" in page for name in found)
    assert last_failed(accepted) == {*nodes, *CASES}
    assert main(["verdict", "reports", "--junit", "again.xml"]) == 1
    again, every_again = named("again.xml")
    assert (sorted(again), sorted(every_again)) == (sorted(in_xml), sorted(every))


def test_a_failed_loss_tells_loss_interval_limit_worst_type_and_a_sentence(accepted):
    said = run(accepted).stdout.str()
    text = said.partition("test_loss[ner/accents] ")[2].partition("\n____")[0]
    own = accepted.document()["comparison"]["tasks"]["ner"]
    (row,) = (each for each in own["losses"] if each["id"] == "ner/accents" and each["type"] is None)
    assert re.search(rf"loss {row['value']:.3f} \[{row['low']:.3f}, {row['high']:.3f}\], allowed 0\.010", text)
    assert re.search(r"largest loss: entity type LOCAL: .*loss 1\.000", text)
    broken = [each["sentence_id"] for each in own["newly_worse"] if each["case"] == "ner/accents"]
    assert f"id {broken[0]}; the reference was right after the change" in text
    assert "abalo show reports ner/accents --newly-broken --against references/1.0" in text
    assert "abalo show" not in run(accepted, "--abalo-no-text").stdout.str()


def test_the_last_failed_are_all_cases_of_the_task_until_the_loss_is_gone(accepted):
    run(accepted)
    before = {*lost(accepted)}
    run(accepted, "-k", "baseline", model=GOOD)  # judges no loss of accents, which is not over
    open_still = before - {"ner/baseline", "ner/labels"}  # both are about the clean corpus
    assert last_failed(accepted) == {*CASES, *(f"{MODULE}::test_loss[{name}]" for name in open_still)}
    again = run(accepted, "--lf")
    assert again.parseoutcomes()["passed"] == len(CASES)
    assert run(accepted, "--lf", model=GOOD).ret == 0
    assert last_failed(accepted) == set()


@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_failed_bound_stops_a_run_with_x_and_losses_are_told_all_the_same(accepted, workers):
    accepted.write("thresholds.toml", LOOSE.replace("min_f1 = 0.1", "min_f1 = 0.9"))
    result = run(accepted, "-x", "-n", workers, "-k", "baseline")
    found = lost(accepted)
    assert "ner/baseline" in found
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert result.parseoutcomes()["failed"] == 1 + len(found)
    assert set(re.findall(r"stopping after (\d+)", result.stdout.str())) == {"1"}


def test_losses_stop_nothing(accepted):
    result = run(accepted, "-x")
    assert result.parseoutcomes()["failed"] == len(lost(accepted)) > 1
    assert "stopping after" not in result.stdout.str()


def test_losses_are_listed_where_nothing_is_run(accepted):
    listed = run(accepted, "--collect-only", "-q", named="tests_behavioral", model=WORSE).outlines
    losses = [line for line in listed if line.startswith(MODULE)]
    assert losses == [f"{MODULE}::test_loss[ner/{name}]" for name in ("baseline", "mean", "labels", "types", "accents")]
    assert {*CASES} <= {*listed}
    without = run(accepted, "--collect-only", "-q", named="tests_behavioral", reference=()).outlines
    assert {*CASES} <= {*without}
    assert not any("test_loss" in line for line in without)


def test_the_id_of_a_loss_runs_all_cases_of_its_task_and_that_of_a_case_runs_it(accepted):
    result = run(accepted, named=f"{MODULE}::test_loss[ner/accents]", model=GOOD)
    assert result.ret == 0
    assert {each["id"] for each in accepted.document()["results"]} == {"ner/baseline", "ner/accents"}
    case = "tests_behavioral.ner.test_accents::test_f1[default]"
    run(accepted, named=case, model=GOOD, reference=()).assert_outcomes(passed=1)


def test_tests_of_a_users_own_have_their_losses_told(accepted):
    accepted.write(
        "test_own.py",
        "import pytest\nfrom abalo.pytest_plugin.fixtures import *\n\n\n"
        '@pytest.mark.abalo("ner.accents")\ndef test_mine(case, judge):\n    assert judge(case).holds\n',
    )
    run(accepted, named="test_own.py")
    assert last_failed(accepted) == {
        "test_own.py::test_mine[default]",
        *(f"{MODULE}::test_loss[{name}]" for name in lost(accepted)),
    }


def test_lines_of_losses_fit_a_terminal(accepted):
    lines = run(accepted).outlines
    assert max(len(line) for line in lines if line.endswith("REGRESSED")) <= 120


def test_ids_can_be_pasted_where_the_run_was_started_below_rootdir(accepted, monkeypatch):
    accepted.write("pytest.ini", "[pytest]\n")
    below = accepted.path / "below"
    below.mkdir()
    for name in ("corpus.conll", "models.py"):  # thresholds stay in rootdir, where they are looked for
        (accepted.path / name).rename(below / name)
    monkeypatch.chdir(below)
    said = run(accepted, reference=("--abalo-against", "../references/1.0")).stdout.str()
    assert f"rootdir: {accepted.path}\n" in said
    ids = re.findall(r"^FAILED (\S+) - ", said, re.MULTILINE)
    assert f"{MODULE}::test_loss[ner/accents]" in ids
    again = run(accepted, named=ids[0], reference=("--abalo-against", "../references/1.0"))
    assert re.findall(r"^FAILED (\S+) - ", again.stdout.str(), re.MULTILINE) == ids


def test_the_next_commands_choose_the_cases_of_the_run(accepted):
    run(accepted, "-k", "accents or nothing", "--abalo-repeats", "2", reference=())
    command = shlex.split(accepted.document()["next"][-1])
    chosen = ["--pyargs", "tests_behavioral.ner", "-k", "accents or nothing"]
    assert command[1:5] == chosen
    assert command[command.index("--abalo-repeats") + 1] == "2"
    assert accepted.document()["options"]["selection"] == chosen
