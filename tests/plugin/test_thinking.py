"""A model that thinks aloud is judged like the same model that does not."""

import json
from pathlib import Path

import pytest

from abalo import Session
from abalo.cli import main
from abalo.run.execution import Execution

REFUSAL = "I cannot say whether it is positive or negative."

SERVICE = '''
class Service:
    draws = False

    def __init__(self, wrap):
        self.wrap = wrap

    def replies(self, prompts):
        return [self.wrap(mood(prompt[-1]["content"].rpartition("Text: ")[2])) for prompt in prompts]


def mood(text):
    return "positive" if "good" in text else "negative"


def plain():
    return Service(lambda said: said)


def thinking():
    thought = "<think>\\nLabel: negative? Or positive?\\n</think>\\n\\n"
    return Service(lambda said: f"{thought}**Label:** {said}\\n\\nAs the text says.")


class Choosing(Service):
    """Answers questions that end in a question mark, and refuses others."""

    draws = True

    def __init__(self):
        pass

    def replies(self, prompts):
        said = [prompt[-1]["content"].split("\\n")[0] for prompt in prompts]
        return ["**Answer:** A" if each.endswith("?") else "No answer. A question ends otherwise." for each in said]


def refusing():
    return Service(lambda said: "I cannot say whether it is positive or negative.")
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("service.py").write_text(SERVICE, "utf-8")
    lines = [f"This is a {kind} film about the {n}th day.\t{label}\n" for n in range(30) for kind, label in KINDS]
    tmp_path.joinpath("dev.tsv").write_text("text\tlabel\n" + "".join(lines), "utf-8")
    return tmp_path


KINDS = (("good", "positive"), ("bad", "negative"))


def run(model, cases):
    Path("few.toml").write_text('extends = "default"\n\n[gate]\nresamples = 200\nseeds = [1]\n', "utf-8")
    session = Session("classification", f"service.py:{model}", "dev.tsv", thresholds="few.toml", no_cache=True)
    judged = map(Execution(session.prepared).judged, session.cases(deep=True)[:cases])
    return [(each.case.id, each.evidence.tables, each.results) for each in judged]


@pytest.mark.slow
def test_twenty_cases_of_a_thinking_model_equal_those_of_the_plain_one(folder):
    plain, thinking = run("plain", 20), run("thinking", 20)
    assert len(plain) == 20
    for (case, tables, results), (other, others, same) in zip(plain, thinking, strict=True):
        assert case == other
        for view, counted in tables.items():
            assert {name: each.tolist() for name, each in counted.items()} == {
                name: each.tolist() for name, each in others[view].items()
            }
        assert [each.verdict for each in results] == [each.verdict for each in same]


def test_unreadable_replies_are_told_on_top_and_shown(folder, capsys):
    folder.joinpath("t.toml").write_text('[gate]\nlanguage = "en"\n[[classification.baseline]]\n', "utf-8")
    session = Session("classification", "service.py:refusing", "dev.tsv", thresholds="t.toml", no_cache=True)
    report = session.run()
    assert session.prepared.facts["tasks"]["classification"]["model"]["unanswered"] == 1
    report.write(folder / "reports")
    page = folder.joinpath("reports", "robustness.md").read_text("utf-8")
    (told,) = [line for line in page.splitlines() if line.startswith("> ") and "60 of 60 texts" in line]
    assert "unreadable" in told
    assert REFUSAL in folder.joinpath("reports", "report.html").read_text("utf-8")
    assert main(["show", "reports", "baseline"]) == 0
    shown = capsys.readouterr().out
    assert "unreadable" in shown
    assert REFUSAL in shown


def test_questions_asked_three_times_and_refused_in_part_are_written_and_shown(folder, capsys):
    lines = [{"question": f"Is {n} odd?", "options": ["yes", "no"], "target": 1 - n % 2} for n in range(12)]
    folder.joinpath("q.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    cases = "[[choice.baseline]]\n[[choice.perturbation_stability]]\nk = 3\n"
    folder.joinpath("t.toml").write_text(f'[gate]\nlanguage = "en"\n{cases}', "utf-8")
    session = Session("choice", "service.py:Choosing", "q.jsonl", thresholds="t.toml", no_cache=True)
    planned = session.prepared.estimate_calls(session.cases())
    report = session.run()
    calls = session.model.calls
    assert planned.clean == 12 * 3
    assert calls.made - calls.again == planned.calls
    assert calls.again > 0, "what cannot be read is asked again"
    report.write(folder / "reports")
    assert main(["show", "reports", "perturbation_stability"]) == 0
    assert "unreadable reply: No answer. A question" in capsys.readouterr().out
