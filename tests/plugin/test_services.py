"""Whole runs on a slow service that fails: the same report whatever is in flight, fails, or was stopped before."""

import os
import signal
import socket
import subprocess
import sys
import time
from shutil import rmtree

import pytest

from benchmarks import mock_service
from benchmarks.mock_service import MockService, label, serving
from tests.reports import document_in, timeless

CASES = """
[gate]
language = "en"
resamples = 200
seeds = [1]

[[classification.baseline]]
min_accuracy = 0.5

[[classification.letter_case]]

[[classification.typos]]
rate = 0.2

[[classification.deepwordbug]]
sample = 6
budget = 20
"""
TEXTS = [f"a {('bad', 'good')[k % 2]} film number {k}" for k in range(60)]


@pytest.fixture
def folder(pytester, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(pytester.path / "cache"))
    rows = "".join(f"{text}\t{label(text)}\n" for text in TEXTS)
    pytester.path.joinpath("dev.tsv").write_text(f"text\tlabel\n{rows}", "utf-8")
    pytester.path.joinpath("t.toml").write_text(CASES, "utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        pytester.port = free.getsockname()[1]  # the same for all runs: kept answers hold for one address
    return pytester


def arguments(model, in_flight, *further):
    return (
        *("-p", "no:cacheprovider", "--pyargs", "tests_behavioral.classification"),
        *("--abalo-model", f"{mock_service.__file__}:{model}", "--abalo-model-args", f"concurrency={in_flight}"),
        *("--abalo-corpus", "dev.tsv", "--abalo-thresholds", "t.toml", *further),
    )


def told(folder) -> dict:
    """The document without times, calls, commands, and how many were in flight."""
    document = timeless(document_in(folder.path / "reports"))
    for model in (document["model"], *(task["model"] for task in document["tasks"].values())):
        del model["calls"]
    for result in document["results"]:
        del result["calls"], result["command"]
    return document


def run(folder, model, in_flight, *further, **service):
    """The document of a run, and what the service was asked."""
    with serving(MockService(**service), folder.port) as asked:
        result = folder.runpytest_inprocess(*arguments(model, in_flight, *further))
        assert result.ret == 0, result.stdout.str()
    if asked.failed:
        assert sum(called(folder, "retried")) == asked.failed
        result.stdout.fnmatch_lines([f"PASS: * {asked.failed} retries of failed calls"])
    return told(folder), asked


def called(folder, what) -> list[int]:
    """A number of the clean corpus and of each case."""
    document = document_in(folder.path / "reports")
    of_cases = {result["id"]: result["calls"] for result in document["results"]}.values()
    return [each.get(what, 0) for each in (document["model"]["calls"], *of_cases)]


@pytest.mark.slow
def test_the_report_is_the_same_whatever_is_in_flight_and_fails_at_first(folder):
    expected, asked = run(folder, "plain", 1)
    assert (asked.most, asked.failed) == (1, 0)
    assert expected["results"][0]["metrics"]["accuracy"]["value"] == 1.0
    for model, in_flight, fails in (("plain", 4, 0.0), ("asynchronous", 16, 0.0), ("plain", 16, 0.3)):
        found, further = run(folder, model, in_flight, fails=fails, delay=0.01)
        if model == "asynchronous":  # another function of the same file
            found, expected_of_it = (
                {**each, "tasks": None, "model": None, "options": None} for each in (found, expected)
            )
            assert found == expected_of_it
        else:
            assert found == expected
        assert 1 < further.most <= in_flight
        assert (further.failed > 20) is (fails > 0)
        assert further.requests == asked.requests + further.failed


@pytest.mark.slow
def test_two_workers_have_the_limit_together(folder):
    expected, _ = run(folder, "plain", 3)
    found, asked = run(folder, "plain", 3, "-n", "2", delay=0.01, fails=0.1)
    assert found == expected
    assert asked.most <= 3


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_killed_run_goes_on_with_the_missing_calls(folder):
    expected, whole = run(folder, "plain", 4, "--abalo-model-version", "1")
    rmtree(folder.path / "reports")
    further = ("--abalo-model-version", "2")
    with serving(MockService(delay=0.01, fails=0.1), folder.port) as asked:
        command = [sys.executable, "-m", "pytest", *arguments("plain", 4, *further)]
        process = subprocess.Popen(command, cwd=folder.path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while asked.requests < 200:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        before = asked.requests - asked.failed
        time.sleep(0.1)
    found, rest = run(folder, "plain", 16, *further, "--abalo-resume")
    assert before - 8 <= whole.requests - rest.requests <= before, "all but those that were in flight are kept"
    assert {name: each for name, each in found.items() if "2" not in str(each)} == {
        name: each for name, each in expected.items() if "2" not in str(found[name])
    }
    assert [each["metrics"] for each in found["results"]] == [each["metrics"] for each in expected["results"]]


@pytest.mark.slow
def test_a_case_that_ends_in_an_error_keeps_its_answers(folder):
    with serving(MockService(wrong=TEXTS[30].upper()), folder.port) as asked:
        result = folder.runpytest_inprocess(*arguments("plain", 4, "--abalo-model-version", "3"))
    assert result.parseoutcomes()["failed"] == 1
    result.stdout.fnmatch_lines(["*expected one for each*"])
    assert asked.texts[TEXTS[30].upper()] == 1, "a wrong answer is not asked for again"
    found, again = run(folder, "plain", 4, "--abalo-model-version", "3")
    assert again.requests <= 60
    assert found["complete"]
