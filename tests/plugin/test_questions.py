"""Questions as a task of the gate: which models pass, what is loaded for it, and what is refused."""

import json

import pytest

from tests.reports import timeless

MODELS = """
RIGHT = {right!r}


def knowing():
    return lambda question, options: options.index(RIGHT[question.strip("?. ").rpartition("number ")[2]])


def first():
    return lambda question, options: 0


def silent():
    return lambda question, options: None
"""

THRESHOLDS = """
[gate]
resamples = 200

[[choice.baseline]]
min_accuracy = 0.1

[[choice.paraphrase_consistency]]
max_fragility_score = 0.1

[[choice.perturbation_stability]]
k = 5
max_fragility_score = { overall = 0.3, "pert:punct" = 0.1 }
"""

OPTIONS = ("a stone", "a tree", "a bird", "a river")


@pytest.fixture
def ask(project):
    """Runs the tests about questions on sixty of them; no model that tags is there."""
    records = [
        {"id": f"q{k}", "question": f"Which of the following is number {k}?", "options": OPTIONS, "target": k % 4}
        for k in range(60)
    ]
    project.write("questions.jsonl", "".join(json.dumps(record) + "\n" for record in records))
    project.write("answers.py", MODELS.format(right={str(k): OPTIONS[k % 4] for k in range(60)}))
    project.write("thresholds.toml", THRESHOLDS)

    def run(*arguments, model="answers:knowing"):
        common = ("--pyargs", "tests_behavioral.choice", "--abalo-corpus", "questions.jsonl")
        return project.pytester.runpytest_inprocess(
            "-p",
            "no:cacheprovider",
            *common,
            "--abalo-model",
            model,
            *arguments,
        )

    return run


def test_a_model_that_knows_passes_and_no_tagger_is_loaded(ask, project):
    result = ask()
    result.assert_outcomes(passed=3)
    assert result.ret == 0
    assert project.document()["verdict"] == "pass"
    assert project.document()["model"]["name"] == "answers:knowing"
    assert (project.path / "reports" / "robustness.md").read_text("utf-8").startswith("# ✓ PASS")


def test_a_model_that_takes_the_first_fails_where_options_move(ask, project):
    result = ask(model="answers:first")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["fragility 0.500 *, allowed ≤ 0.300*"])
    (found,) = (each for each in project.document()["results"] if each["verdict"] == "fail")
    assert found["id"] == "choice/perturbation_stability[k-5]"
    assert "--abalo-model answers:first" in found["command"]


def test_a_model_that_never_answers_fails_and_passes_nothing_by_it(ask, project):
    assert ask(model="answers:silent").ret == pytest.ExitCode.TESTS_FAILED
    verdicts = {result["id"]: result["verdict"] for result in project.document()["results"]}
    assert verdicts == {
        "choice/baseline": "fail",
        "choice/paraphrase_consistency": "inconclusive",
        "choice/perturbation_stability[k-5]": "inconclusive",
    }


@pytest.mark.slow
def test_workers_find_what_one_process_finds(ask, project):
    ask("-p", "xdist", "-n", "0", model="answers:first")
    alone = project.document()
    ask("-p", "xdist", "-n", "1", model="answers:first")
    together = project.document()
    for document in (alone, together):
        for result in document["results"]:
            result.update(command=None)
    assert timeless(together) == timeless(alone)


@pytest.mark.slow
def test_tags_and_questions_stand_in_one_report(project, ask):
    project.write("thresholds.toml", THRESHOLDS + "\n[[ner.baseline]]\nmin_f1 = 0.5\n")
    project.pytester.runpytest_inprocess(
        "-p", "no:cacheprovider", "--pyargs", "tests_behavioral", "-k", "baseline", "--abalo-limit", "60"
    )
    document = project.document()
    assert {result["id"] for result in document["results"]} == {"choice/baseline", "ner/baseline"}
    assert document["model"]["name"] == "the bundled model"
    assert document["tasks"]["choice"]["model"]["name"] == "abalo/overlap"
    assert document["gate"]["bounds"] == 5  # all of the file, whatever was selected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--abalo-corpus", "nowhere.jsonl"), "*nowhere.jsonl*"),
        (("--abalo-model", "nobody"), "*expected abalo/overlap, module:factory*"),
        (("--abalo-model-args", "temperature"), "*no name=value*"),
    ],
)
def test_what_cannot_be_used_ends_the_run_with_a_message(ask, project, arguments, message):
    result = ask(*arguments)
    assert result.ret in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.USAGE_ERROR)
    (result.stderr if result.ret == pytest.ExitCode.USAGE_ERROR else result.stdout).fnmatch_lines([message])
    if result.ret == pytest.ExitCode.TESTS_FAILED:
        assert not project.document()["complete"]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("[[choice.paraphrases]]", "no such test"),
        ("[[choice.paraphrase_consistency]]\nk = 99", "k is 99; expected a number from 1 to"),
        ("[[choice.paraphrase_consistency]]\nview = 'projected'", "paraphrase_consistency draws nothing; leave it out"),
        ("[[choice.paraphrase_consistency]]\nmax_f1_drop = 0.1", "no such parameter or bound"),
        ("[[choice.baseline]]\nmax_fragility_score = 0.1", "no meaning where nothing is changed"),
        ("[[choice.baseline]]\nmin_accuracy = 1.5", "expected a number from 0 to 1"),
        ("[[choice.baseline]]\nmin_accuracy = {'pert:punct' = 0.5}", "is not put here; there are orig"),
        (
            "[[choice.perturbation_stability]]\nmax_fragility_score = {'pert:pnct' = 0.5}",
            "is not put here; there are pert:punct, pert:space, pert:preamble; did you mean 'pert:punct'?",
        ),
        ("[[choice.paraphrase_consistency]]\nmax_fragility_score = {orig = 0.5}", "there are para1, para2"),
        ("[[choice.baseline]]\nmax_missing_rate = {orig = 0.5}", "missing_rate has no value per variant"),
        ("[[ner.baseline]]\nmin_accuracy = 0.5", "no such parameter or bound"),
    ],
)
def test_a_slip_in_the_thresholds_is_told_with_its_place(ask, project, entry, message):
    project.write("thresholds.toml", entry)
    result = ask()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert message in result.stderr.str()
