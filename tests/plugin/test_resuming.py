"""A run that was stopped goes on with the cases that are left, and reports what a run in one go reports."""

import pytest

from tests.reports import timeless

STOPPING = '''
import os
import signal
from pathlib import Path

from models import gazetteer


def stopping():
    """Counts the sentences that it is asked about, and is stopped as a file says: after how many, and by what."""
    answered = gazetteer()

    def answer(batch):
        with open("asked.txt", "a") as file:
            file.writelines("one\\n" for _ in batch)
        stop, asked = Path("stop.txt"), Path("asked.txt").read_text().count("one")
        if stop.exists():
            after, by = stop.read_text().split()
            if asked > int(after):
                if by == "kill":
                    os.kill(os.getpid(), signal.SIGKILL)
                raise KeyboardInterrupt
        return answered(batch)

    return answer
'''

CASES = """
[gate]
language = "pt"
resamples = 200
seeds = [3]

[[ner.baseline]]
min_f1 = 0.5

[[ner.accents]]
max_f1_drop = 0.5

[[ner.letter_case]]

[[ner.doubled_space]]
draws = 20

[[ner.entity_attack]]
least_similarity = 0.0
"""


@pytest.fixture
def stopped(project):
    project.write("stops.py", STOPPING)
    project.write("thresholds.toml", CASES)
    return project


def asked(project) -> int:
    path = project.path / "asked.txt"
    number = path.read_text("utf-8").count("one")
    path.unlink()
    return number


def kept(project) -> list[str]:
    """The cases in the store, and "" for the clean corpus."""
    return sorted(
        path.name.split("-")[1].partition(".")[0] for path in (project.path / "reports" / "finished").glob("*.case")
    )


def numbers(project) -> dict:
    document = timeless(project.document())
    document["options"] = None
    for task in document["tasks"].values():
        del task["inputs"]
    return document


def stop(project, by: str) -> int:
    """Runs until three sentences before the end; gives how many sentences a whole run asks about."""
    project.run(model="stops:stopping")
    whole = asked(project)
    project.write("stop.txt", f"{whole - 3} {by}")
    own = {"interrupted": True} if by == "interrupt" else {"subprocess": True}
    result = project.run(model="stops:stopping", **own)
    assert result.ret == (2 if by == "interrupt" else -9)
    if by == "interrupt":
        result.stdout.fnmatch_lines(["to go on: the same command with --abalo-resume; * finished"])
    (project.path / "stop.txt").unlink()
    asked(project)
    assert kept(project)[0] == ""
    assert 3 <= len(kept(project)) <= 5
    return whole


@pytest.mark.slow
@pytest.mark.parametrize("by", ["interrupt", "kill"])
def test_a_run_that_is_stopped_goes_on_and_gives_the_numbers_of_a_whole_run(stopped, by):
    stopped.run(model="stops:stopping")
    expected = numbers(stopped)
    assert kept(stopped) == [], "nothing is left of a run that ended"
    asked(stopped)
    whole = stop(stopped, by)
    done = len(kept(stopped)) - 1
    workers = ("-n", "1") if by == "kill" else ()
    again = stopped.run("--abalo-resume", *workers, model="stops:stopping")
    if not workers:
        again.stdout.fnmatch_lines([f"abalo: ner: {done} of 5 cases finished *"])
        assert asked(stopped) < whole
    assert numbers(stopped) == expected
    assert kept(stopped) == []


@pytest.mark.slow
def test_a_run_of_other_cases_text_or_options_does_not_go_on(stopped):
    stop(stopped, "interrupt")
    before = {*kept(stopped)}
    corpus = stopped.path / "corpus.conll"
    text = corpus.read_text("utf-8")
    for cases, sentences, more in (
        (CASES.replace("0.5", "0.4"), text, ()),
        (CASES, text.replace("Belém", "Natal"), ()),
        (CASES, text, ("--abalo-limit", "60")),
    ):
        stopped.write("thresholds.toml", cases)
        stopped.write("corpus.conll", sentences)
        result = stopped.run("--abalo-resume", *more, model="stops:stopping")
        assert result.ret == pytest.ExitCode.TESTS_FAILED
        result.stdout.fnmatch_lines(["*finished*: *of another run*without --abalo-resume*"])
        assert result.parseoutcomes()["failed"] == 1, "told once, before the first case"
        result.stdout.no_fnmatch_line("*cases finished by*")
        assert before <= {*kept(stopped)}
    stopped.write("stop.txt", "0 interrupt")
    stopped.run("--abalo-limit", "60", model="stops:stopping", interrupted=True)
    assert kept(stopped) == [], (
        "a run that begins anew leaves no case of another that its own --abalo-resume would find"
    )
    (stopped.path / "stop.txt").unlink()
    others = ("-k", "not entity_attack")  # whose log of the earlier run stays until this one ends, and is refused
    assert stopped.run("--abalo-limit", "60", "--abalo-resume", *others, model="stops:stopping").ret == 0
    assert kept(stopped) == []


@pytest.mark.slow
def test_a_damaged_case_is_told_and_goes_where_no_text_may_be_kept(stopped):
    stop(stopped, "interrupt")
    path = next((stopped.path / "reports" / "finished").glob("ner-accents-*.case"))
    whole = path.read_bytes()
    other_facts = whole.replace(b'"facts": {', b'"facts": {"more": 1, ', 1)
    other_counts = whole.replace(b"index.npy", b"indey.npy")
    assert whole not in (other_facts, other_counts)
    for damaged in (b"[]", other_facts, other_counts, whole[:-20]):
        path.write_bytes(damaged)
        result = stopped.run("--abalo-resume", model="stops:stopping")
        assert result.ret == pytest.ExitCode.TESTS_FAILED
        result.stdout.fnmatch_lines([f"*{path.name}: not a finished *"])

    stopped.write("stop.txt", "0 interrupt")
    stopped.run("--abalo-no-text", model="stops:stopping", interrupted=True)
    assert kept(stopped) == [], "a run without text keeps none, and removes those of others"


def test_a_planned_run_does_not_go_on(stopped):
    result = stopped.run("--abalo-resume", "--abalo-budget", "100f")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--abalo-resume*--abalo-budget*drop one*"])


@pytest.mark.parametrize("budget", [(), ("--abalo-budget", "2000f")])
def test_a_run_that_cannot_go_on_does_not_say_how(project, budget):
    result = project.run("-x", *budget, model="models:blind_to_accents")
    assert {case["verdict"] for case in project.document()["results"] if case["id"] == "ner/accents"} >= {"fail"}
    assert project.document()["missing"] == ["ner/baseline", "ner/word_insertion[rate-0.1]"]
    assert ("--abalo-resume" in result.stdout.str()) is not bool(budget)
