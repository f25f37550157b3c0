"""The fixture ``abalo_scores``: a regression of a team's own scores is a failed test."""

import json

import pytest

TEST = """
import json
from pathlib import Path
import pytest

@pytest.mark.parametrize("name", ["answers", "tools"])
def test_scores(abalo_scores, name):
    wrong = json.loads(Path("wrong.json").read_text())[name]
    document = abalo_scores(name, {{f"q{{k}}": k >= wrong for k in range(200)}}{limits})
    assert document.exit_code == 0

def test_other():
    pass
"""


@pytest.fixture
def evaluation(pytester):
    """Runs a test that hands over scores of two evaluations, of which so many are wrong."""

    def run(answers, tools, *options, limits=""):
        pytester.makepyfile(TEST.format(limits=limits))
        pytester.path.joinpath("wrong.json").write_text(json.dumps({"answers": answers, "tools": tools}))
        found = pytester.runpytest("-rs", "-p", "no:cacheprovider", *options)
        return found.parseoutcomes(), found.stdout.str()

    return run


def accept(*names):
    from abalo.cli import main

    for name in names:
        assert main(["accept", f"reports/scores/{name}", "--as", f"references/{name}"]) == 0


def test_without_a_reference_the_test_is_skipped_and_names_the_next_command(evaluation):
    outcomes, said = evaluation(20, 20)
    assert outcomes == {"passed": 1, "skipped": 2}
    assert "abalo accept reports/scores/answers --as references/answers" in said


def test_a_regression_is_a_failed_test(evaluation, pytester):
    evaluation(20, 20)
    accept("answers", "tools")
    outcomes, said = evaluation(20, 80)
    assert outcomes == {"passed": 2, "failed": 1}
    assert "tools lost 0.300" in said
    found = json.loads(pytester.path.joinpath("reports/scores/tools/gate.json").read_text("utf-8"))
    assert found["metrics"]["tools"]["loss"]["state"] == "regressed"


def test_an_undecided_comparison_is_a_skipped_test(evaluation):
    evaluation(20, 20)
    accept("answers", "tools")
    assert evaluation(20, 40, limits=", max_loss=0.1")[0] == {"passed": 2, "skipped": 1}


def test_limits_are_those_of_the_call(evaluation):
    outcomes, said = evaluation(10, 60, limits=", minimum=0.85")
    assert outcomes == {"passed": 2, "failed": 1}
    assert "minimum 0.850" in said


def test_limits_are_those_of_the_thresholds_file(evaluation, pytester):
    pytester.path.joinpath("thresholds.toml").write_text("[[scores.tools]]\nminimum = 0.85\n")
    assert evaluation(10, 60)[0] == {"passed": 1, "failed": 1, "skipped": 1}


def test_what_cannot_be_judged_is_a_failed_test(evaluation):
    outcomes, said = evaluation(10, 10, limits=", minimum=2")
    assert outcomes == {"passed": 1, "failed": 2}
    assert "minimum" in said
    assert "Traceback" not in said
    assert "above exception" not in said


def test_newly_wrong_is_judged_once_there_is_a_reference(evaluation):
    limits = ", max_newly_wrong=0.05"
    assert evaluation(20, 20, limits=limits)[0] == {"passed": 1, "skipped": 2}
    accept("answers", "tools")
    assert evaluation(20, 80, limits=limits)[0] == {"passed": 2, "failed": 1}


def test_a_regression_that_does_not_block_is_a_warning(evaluation, pytester):
    evaluation(20, 20)
    accept("answers", "tools")
    pytester.path.joinpath("thresholds.toml").write_text("[[scores.tools]]\nblocking = false\n")
    outcomes, said = evaluation(20, 80)
    assert outcomes == {"passed": 3, "warnings": 1}
    assert "not blocking: tools lost 0.300" in said


@pytest.mark.slow
def test_workers_judge_as_one_process_does(evaluation, pytester):
    evaluation(20, 20)
    accept("answers", "tools")
    files = [pytester.path / "reports/scores" / name / "gate.json" for name in ("answers", "tools")]
    alone, _ = evaluation(20, 80)
    before = [path.read_bytes() for path in files]
    together, _ = evaluation(20, 80, "-n", "2")
    assert alone == together == {"passed": 2, "failed": 1}
    assert [path.read_bytes() for path in files] == before


ROWS = """
def test_rows(abalo_scores):
    rows = [{"id": k, "score": k % 5, "run": r, "slice": "ab"[k % 2]} for k in range(100) for r in range(2)]
    found = abalo_scores("stars", rows, range=[0, 4], minimum=1)
    assert found.metrics["stars"].new.value == 2.0

def test_metrics(abalo_scores):
    import numpy as np
    found = abalo_scores("both", {k: {"f1": np.float32(0.5), "em": np.bool_(k % 2)} for k in range(100)}, minimum=0.2)
    assert {name: own.new.value for name, own in found.metrics.items()} == {"em": 0.5, "f1": 0.5}
"""


def test_rows_and_several_metrics_are_judged(pytester):
    pytester.makepyfile(ROWS)
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=2)
