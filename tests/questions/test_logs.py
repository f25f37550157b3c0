"""Logs as they may lie in a folder: other files, failed evaluations, samples that say too little."""

import builtins
import json
import sys
from copy import deepcopy

import pytest

from abalo.errors import AbaloError
from abalo.questions.logs import collect
from abalo.tasks.choice import load_all_results
from tests.tasks.choice.scripted import FORMATTED, ORIGINAL, REORDERED, Question, always_a, run, samples
from tests.texts import TextWith

QUESTIONS = (Question("q1", "Which is a metal?", ("iron", "oxygen"), 0), Question("q2", "Which?", ("a", "b", "c"), 2))
SAMPLES = ("q1|orig", "q1|pert:order_rev", "q1|pert:punct")
VARIANTS = (ORIGINAL, FORMATTED[0], REORDERED[1])


@pytest.fixture(scope="module")
def one_log(tmp_path_factory):
    """The JSON of a log of six samples, made once."""
    pytest.importorskip("inspect_ai")
    folder = tmp_path_factory.mktemp("once")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
            patch.setenv(name, str(folder / "home"))
        patch.chdir(folder)
        run(folder / "logs", always_a, samples(QUESTIONS, VARIANTS))
    (path,) = (folder / "logs").glob("*.json")
    return json.loads(path.read_bytes())


@pytest.fixture
def logs(inspecting, one_log):
    """Writes logs, each as another one changes it."""
    inspecting.mkdir()

    class Folder:
        path = inspecting

        def add(self, change=lambda log: None, name="log.json"):
            log = deepcopy(one_log)
            change(log)
            path = inspecting / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(log), encoding="utf-8")

        def refusal(self, **options):
            with pytest.raises(AbaloError) as caught:
                collect(inspecting, **options)
            return str(caught.value).replace(f"{inspecting}", "logs")

    return Folder()


def on_sample(change, number=0):
    def changed(log):
        (sample,) = (sample for sample in log["samples"] if sample["id"] == SAMPLES[number])
        change(sample)

    return changed


def of_model(name):
    return lambda log: log["eval"].update(model=name)


def test_a_log_gives_one_answer_per_sample_the_originals_first(logs):
    logs.add()
    found = collect(logs.path)
    assert [(row.id, row.variant) for row in found.answers] == [
        (question, variant) for question in ("q1", "q2") for variant in ("orig", "pert:order_rev", "pert:punct")
    ]
    assert (found.logs, found.left_out) == ((logs.path / "log.json",), ())


def test_files_that_are_no_logs_are_told_and_left_out(logs):
    logs.add()
    (logs.path / "notes.txt").write_text("hello")
    (logs.path / "eval-set.json").write_text('{"eval_set_id": 1}')
    (logs.path / "list.json").write_text("[1]")
    found = collect(logs.path)
    assert len(found.answers) == 6
    assert [line.replace(str(logs.path), "logs") for line in found.left_out] == [
        TextWith("logs/eval-set.json: "),
        TextWith("logs/list.json: "),
        TextWith("logs/notes.txt: "),
    ]


def test_logs_of_other_tasks_are_told_and_left_out(logs):
    def without_variants(log):
        for sample in log["samples"]:
            sample["metadata"] = {"source": "exam"}

    logs.add()
    logs.add(without_variants, "other.json")
    found = collect(logs.path)
    assert len(found.answers) == 6
    assert [line.partition(": ")[2] for line in found.left_out] == [TextWith("no sample", "another task")]


def test_logs_of_subfolders_are_read(logs):
    logs.add(name="monday/log.json")
    assert len(load_all_results(str(logs.path))) == 6


@pytest.mark.parametrize("status", ["error", "cancelled", "started"])
def test_an_evaluation_that_did_not_end_well_is_refused_unless_it_may_be_left_out(logs, status):
    def failed(log):
        log["status"] = status
        log["error"] = {"message": "no iron left", "traceback": "", "traceback_ansi": ""}
        log["samples"] = log.pop("samples")  # what stands behind them is no part of the header

    logs.add()
    logs.add(failed, "failed.json")
    message = logs.refusal()
    assert message == (
        f"logs/failed.json: the evaluation ended with status '{status}': no iron left; run it again and remove this "
        "log, or leave such out with --leave-out-failed"
    )
    found = collect(logs.path, leave_out_failed=True)
    assert len(found.answers) == 6
    # What failed may quote a question, so the summary does not say it.
    assert found.left_out == (f"{logs.path}/failed.json: the evaluation ended with status '{status}'",)


def test_an_evaluation_that_failed_in_the_model_is_refused_by_name(inspecting):
    def broken(_prompt):
        raise RuntimeError("out of order")

    log = run(inspecting, broken, samples(QUESTIONS, VARIANTS))
    assert log.status == "error"
    with pytest.raises(AbaloError, match=r"\.json: the evaluation ended with status 'error': .*out of order"):
        load_all_results(inspecting)
    with pytest.raises(AbaloError, match=r"logs: no answers to aggregate.*\n.*ended with status 'error'"):
        load_all_results(inspecting, leave_out_failed=True)


def test_samples_that_failed_alone_are_refused_or_left_out_alone(inspecting):
    def broken(prompt):
        if "Which?" in prompt:
            raise RuntimeError("out of order")
        return "ANSWER: A"

    assert run(inspecting, broken, samples(QUESTIONS, VARIANTS), fail_on_error=False).status == "success"
    with pytest.raises(AbaloError, match=r"json: 2 of 6 samples ended with an error; run it again"):
        collect(inspecting)
    found = collect(inspecting, leave_out_failed=True)
    assert {(row.id, row.variant) for row in found.answers} == {
        ("q1", "orig"),
        ("q1", "pert:punct"),
        ("q1", "pert:order_rev"),
        ("q2", "pert:punct"),  # asked with a full stop
    }
    assert [line.partition(".json: ")[2] for line in found.left_out] == ["2 of 6 samples ended with an error"]


def test_an_evaluation_declared_invalid_is_refused(logs):
    logs.add(lambda log: log.update(invalidated=True))
    assert "logs/log.json: the evaluation was declared invalid; run it again" in logs.refusal()


@pytest.mark.parametrize("name", ["cut.json", "cut.eval"])
def test_a_log_that_cannot_be_read_is_refused_by_name(logs, name):
    logs.add()
    (logs.path / name).write_text('{"version": 2, "status": "success", "eval": {')
    assert logs.refusal().startswith(f"logs/{name}: cannot be read as an Inspect log: ")
    found = collect(logs.path, leave_out_failed=True)
    assert len(found.answers) == 6
    assert f"{name}: cannot be read" in found.left_out[0]


def test_all_problems_are_told_at_once(logs):
    for number in range(12):
        logs.add(lambda log: log.update(status="error"), f"{number:02}.json")
    lines = logs.refusal().splitlines()
    assert len(lines) == 11
    assert lines[-1].strip() == "and 2 more"


def test_a_folder_without_logs_is_told(logs):
    assert logs.refusal() == ("logs: no answers to aggregate; run the tasks with: inspect eval TASK --log-dir logs")


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(AbaloError, match="gone: no such folder"):
        collect(tmp_path / "gone")


def test_without_inspect_the_line_to_install_it_is_given(tmp_path, monkeypatch):
    real = builtins.__import__

    def missing(name, *more):
        if name.partition(".")[0] == "inspect_ai":
            raise ImportError(name)
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", missing)
    for name in [name for name in sys.modules if name.partition(".")[0] == "inspect_ai"]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(AbaloError) as caught:
        collect(tmp_path)
    assert str(caught.value) == "reading Inspect logs needs inspect-ai: pip install 'abalo[mcq]'"


def test_fields_are_taken_from_the_top_level_before_the_metadata(logs):
    def told_twice(sample):
        sample.update(confidence=0.75, perturbation_kind="top")
        sample["metadata"].update(confidence=0.25, perturbation_kind="below", seed=7)

    logs.add(on_sample(told_twice))
    rows = {(row.id, row.variant): row for row in load_all_results(logs.path)}
    row, other = rows["q1", "orig"], rows["q1", "pert:order_rev"]
    assert (row.confidence, row.perturbation_kind, row.seed) == (0.75, "top", 7)
    assert (other.confidence, other.perturbation_kind, other.seed) == (None, "order:reverse", None)


def test_a_log_with_all_fields_on_the_top_level_is_read(logs):
    def lifted(log):
        for sample in log["samples"]:
            sample.update(sample.pop("metadata"))

    logs.add()
    expected = load_all_results(logs.path)
    logs.add(lifted)
    assert load_all_results(logs.path) == expected


def test_the_seed_is_that_of_the_task_where_samples_have_none(logs):
    logs.add(lambda log: log["eval"].update(task_args={"seed": 123}))
    assert {row.seed for row in load_all_results(logs.path)} == {123}


def test_a_confidence_that_is_no_number_is_missing(logs):
    logs.add(on_sample(lambda sample: sample["scores"]["choice"].update(metadata={"confidence": float("nan")})))
    assert load_all_results(logs.path)[0].confidence is None


def test_predictions_may_stand_in_the_metadata_where_nothing_was_scored(logs):
    def unscored(log):
        for sample in log["samples"]:
            del sample["scores"]
            sample["metadata"].update(pred_index=None, correct=False)
            if sample["id"] == SAMPLES[1]:
                sample["metadata"].update(pred_index=1, correct=True)

    logs.add(unscored)
    rows = load_all_results(logs.path)
    assert [(row.pred_index, row.pred_option, row.correct) for row in rows[:2]] == [(None, None, False), (1, 0, True)]


def drop(*names):
    return lambda sample: [sample["metadata"].pop(name) for name in names]


@pytest.mark.parametrize(
    ("change", "number", "message"),
    [
        (lambda sample: sample.pop("scores"), 0, "was not scored; score its log with: inspect score"),
        (
            lambda sample: sample.update(choices=None),
            0,
            "its answer is option 0, counted from 0; expected one of its 0",
        ),
        (lambda sample: sample.update(target=""), 0, "has no target; expected the letter of the right option"),
        (lambda sample: sample.update(target="E"), 0, "its target is option 4, counted from 0; expected one of its 2"),
        (lambda sample: sample.update(target=["A", "B"]), 0, "target 'A, B': expected the letter of one option"),
        (lambda sample: sample["scores"]["choice"].update(answer="1"), 0, "its answer is option 26"),
        (lambda sample: sample["scores"]["choice"].update(answer="iron"), 0, "answer 'iron': expected the letter"),
        (drop("variant"), 0, "has no variant, unlike others of its log"),
        (lambda sample: sample["metadata"].update(variant="Which is a metal?"), 0, "variant 'Which is a metal?': exp"),
        (lambda sample: sample["metadata"].update(paraphrase_id=["x"]), 0, "paraphrase_id ['x']: expected at most 64"),
        (lambda sample: sample["metadata"].update(order=[0, 0]), 0, "order [0, 0]: expected the places 0 to 1"),
        (lambda sample: sample["metadata"].update(order=[True, False]), 0, "order [True, False]: expected the places"),
        (lambda sample: sample["metadata"].update(order="ab"), 0, "order 'ab': expected the places 0 to 1"),
        (drop("order"), 1, "has no order, so what pert:order_rev answered cannot be told"),
        (lambda sample: sample["metadata"].update(order=[0, 1]), 1, "its target is option 1 of the original, counted"),
        (lambda sample: sample["metadata"].update(confidence="high"), 0, "confidence 'high': expected a number"),
        (lambda sample: sample["metadata"].update(seed=1.5), 0, "seed 1.5: expected a whole number, or nothing"),
    ],
)
def test_a_sample_that_says_too_little_is_refused_by_name(logs, change, number, message):
    logs.add(on_sample(change, number))
    assert f"logs/log.json: sample '{SAMPLES[number]}': {message}" in logs.refusal()
    assert message in logs.refusal(leave_out_failed=True)


def test_samples_without_an_order_stand_as_in_the_original(logs):
    logs.add(on_sample(drop("order"), 2))
    assert load_all_results(logs.path)[2].pred_option == 0


def test_the_same_answer_of_two_logs_is_refused(logs):
    logs.add()
    logs.add(name="again.json")
    assert "log.json: sample 'q1|orig': answered by the same task, model and seed in logs/again.json" in logs.refusal()
    logs.add(of_model("mockllm/other"), "again.json")
    assert len(load_all_results(logs.path)) == 12


def test_epochs_are_repeats(logs):
    logs.add(lambda log: log["samples"].append({**log["samples"][0], "epoch": 2}))
    rows = load_all_results(logs.path)
    assert [(row.id, row.variant, row.epoch) for row in rows[:3]] == [
        ("q1", "orig", 1),
        ("q1", "orig", 2),
        ("q1", "pert:order_rev", 1),
    ]


def test_an_evaluation_of_several_epochs_is_read_whole(inspecting):
    log = run(inspecting, always_a, samples(QUESTIONS[:1], VARIANTS), epochs=3)
    assert log.status == "success"
    rows = load_all_results(inspecting)
    assert {(row.variant, row.epoch) for row in rows} == {(v.name, epoch) for v in VARIANTS for epoch in (1, 2, 3)}
    assert len(rows) == 9


def test_a_sample_that_is_there_twice_in_an_epoch_is_refused(logs):
    logs.add(lambda log: log["samples"].append(log["samples"][0]))
    assert "sample 'q1|orig': answered twice in one epoch; give each sample an id of its own" in logs.refusal()


@pytest.mark.parametrize(("letter", "place"), [("A", 0), ("Z", 25), ("1", 26), ("4", 29)])
def test_options_after_z_have_numbers(logs, letter, place):
    def of_many_options(sample):
        sample["metadata"]["order"] = None
        sample.update(choices=[f"option {number}" for number in range(30)], target=letter)
        sample["scores"]["choice"]["answer"] = letter

    logs.add(lambda log: (log["samples"].__delitem__(slice(1, None)), of_many_options(log["samples"][0])))
    (row,) = load_all_results(logs.path)
    assert (row.pred_index, row.target_index) == (place, place)
