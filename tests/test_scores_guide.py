"""docs/how-to/scores.md: its three stories, with files as agents, judges and retrieval write them."""

import csv
import json
import random
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from abalo.cli import main
from abalo.config.thresholds import load
from tests.recorded import pytester, records

__all__ = ["pytester", "records"]

PAGE = Path(__file__).parent.parent.joinpath("docs", "how-to", "scores.md").read_text("utf-8")


def story(title: str) -> str:
    """A section of the page."""
    (found,) = re.findall(rf"^## {title}$(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    return found


def commands(text: str) -> list[list[str]]:
    """The commands of a section, as words."""
    found = re.findall(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [shlex.split(line)[1:] for language, own in found for line in own.splitlines() if not language]


def block(text: str, language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return found


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_table(path: Path, rows: list[dict]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, [*rows[0]])
        table.writeheader()
        table.writerows(rows)


def attempts(rate: float, like: dict, seed: int) -> list[dict]:
    draw = random.Random(seed)
    parts = ("billing", "search")
    return [
        like | {"id": f"task-{k}", "run": r, "score": draw.random() < rate, "slice": parts[k % 2]}
        for k in range(120)
        for r in range(1, 4)
    ]


def test_the_first_command_fails_for_worse_scores(here, capsys):
    for name, wrong in (("old", 10), ("new", 60)):
        rows = [{"id": k, "score": int(k >= wrong)} for k in range(400)]
        (here / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (command,) = commands(PAGE.split("## ")[0])
    assert main(command) == 1
    assert re.match(r"FAIL: score lost 0\.\d+ \[0\.\d+, 0\.\d+\], allowed 0\.010", capsys.readouterr().out)
    assert {"gate.md", "gate.json", "junit.xml", "report.metrics.json"} <= {
        path.name for path in here.joinpath("reports/gate").iterdir()
    }


@pytest.mark.parametrize(("rate", "code"), [(0.95, 0), (0.5, 1)])
def test_an_agent_is_judged_by_its_attempts(here, rate, code, capsys):
    text = story("An agent that passes or fails")
    like = json.loads(block(text, "json"))
    for name, own in (("old", 0.94), ("new", rate)):
        rows = attempts(own, like, seed=len(name))
        (here / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (command,) = commands(text)
    assert main(command) == code
    said = capsys.readouterr().out
    assert "Newly wrong" not in said
    assert "between runs" in said


def judged_answers(mean: float, crashed: int, seed: int) -> list[dict]:
    draw = random.Random(seed)
    return [
        {
            "question": f"Who wrote it, {k}?",
            "answer": "Nobody",
            "faithfulness": "" if k < crashed else round(min(1, max(0, draw.gauss(mean, 0.1))), 3),
            "relevancy": round(min(1, max(0, draw.gauss(0.85, 0.05))), 3),
        }
        for k in range(150)
    ]


@pytest.mark.parametrize(("mean", "crashed", "code"), [(0.86, 0, 0), (0.7, 0, 1), (0.86, 40, 1)])
def test_answers_with_passages_are_judged_by_column(here, mean, crashed, code, capsys):
    write_table(here / "old.csv", judged_answers(0.85, 0, 1))
    write_table(here / "new.csv", judged_answers(mean, crashed, 1))
    (command,) = commands(story("Answers with retrieved passages"))
    assert main(command) == code
    assert f"{crashed} examples without a new score" in capsys.readouterr().out or not crashed


def queries(quality: float, seconds: float, seed: int) -> list[dict]:
    draw = random.Random(seed)
    return [
        {"id": f"q{k}", "metric": metric, "score": score, "cluster": f"topic {k // 2}"}
        for k in range(160)
        for metric, score in (
            ("ndcg", min(1.0, draw.betavariate(8, 2) * quality)),
            ("seconds", draw.expovariate(1 / seconds)),
        )
    ]


@pytest.mark.parametrize(("quality", "seconds", "code"), [(1.0, 0.05, 0), (0.8, 0.05, 1), (1.0, 2.0, 1)])
def test_retrieval_is_judged_query_by_query(here, quality, seconds, code, capsys):
    text = story("Retrieval, query by query")
    (here / "thresholds.toml").write_text(block(text, "toml"), encoding="utf-8")
    write_table(here / "old.csv", queries(1.0, 0.05, 1))
    write_table(here / "new.csv", queries(quality, seconds, 1))
    accept, gate, history = commands(text)
    assert main(accept) == 0
    assert main(gate) == code
    assert main(["accept", "new.csv", "--as", "references/second"]) == 0
    assert main(history) == 0
    capsys.readouterr()
    assert {*load(here / "thresholds.toml").scores} == {*tomllib.loads(block(text, "toml"))["scores"]}


def test_the_fixture_is_used_as_the_page_says(pytester, monkeypatch, capsys):
    pytester.makepyfile(
        block(story("Inside a test"), "python").replace('{"q1": 1.0, "q2": 0.5}', "{f'q{k}': k % 2 for k in range(80)}")
    )
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(skipped=1)
    monkeypatch.chdir(pytester.path)
    assert main(["accept", "reports/scores/answers", "--as", "references/answers"]) == 0
    capsys.readouterr()
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=1)
