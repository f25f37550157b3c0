"""Logs as harnesses publish them, judged as a user judges them. ``logs/README.md`` names their sources."""

import json
from pathlib import Path

import pytest

from abalo.cli import main
from abalo.errors import AbaloError
from tests.scores.conftest import read

LOGS = Path(__file__).parent / "logs"


def judged(capsys, *arguments):
    code = main(["gate", *map(str, arguments), "--format", "json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_log_of_inspect_has_its_ten_answers():
    own = read(LOGS / "scored.eval").metrics["match"]
    wrong = [example for example, score in zip(own.ids, own.scores.tolist(), strict=True) if not score]
    assert (len(own.ids), wrong) == (10, ["3", "7"])


def test_epochs_of_inspect_are_runs():
    own = read(LOGS / "epochs.eval").metrics["match"]
    assert (own.ids, own.scores.tolist(), own.runs.tolist()) == (("1", "2"), [0.5, 1.0], [2, 2])


def test_a_log_of_inspect_that_was_not_scored_is_refused():
    with pytest.raises(AbaloError, match=r"unscored\.eval.*inspect score"):
        read(LOGS / "unscored.eval")


@pytest.mark.parametrize(("minimum", "code"), [(0.3, 0), (0.85, 10), (0.99, 1)])
def test_a_log_of_inspect_is_judged(capsys, minimum, code):
    # The 95 % interval of 8 in 10 by Clopper and Pearson is 0.444 to 0.975; the corrected one is wider.
    found, document = judged(capsys, LOGS / "scored.eval", "--minimum", minimum)
    assert found == code
    assert document["metrics"]["match"]["new"]["value"] == pytest.approx(0.8)


def test_a_log_of_inspect_against_itself_has_the_same_results(capsys):
    code, document = judged(capsys, LOGS / "scored.eval", LOGS / "scored.eval")
    assert (code, document["metrics"]["match"]["loss"]["state"]) == (0, "same results")


def test_providers_of_promptfoo_are_metrics():
    found = read(LOGS / "promptfoo.json", id="riddle").metrics
    assert {name: own.scores.tolist() for name, own in found.items()} == {
        "score (openai:gpt-5)": [0.5, pytest.approx(2 / 3)],
        "score (openai:gpt-5-mini)": [0.75, pytest.approx(2 / 3)],
        "success (openai:gpt-5)": [0.0, 0.0],
        "success (openai:gpt-5-mini)": [0.0, 0.0],
    }
