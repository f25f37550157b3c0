"""The tasks as Inspect runs them, offline, on the questions that ship, and what comes of their logs."""

import subprocess
import sys
import warnings
from importlib.metadata import entry_points

import pytest

inspect_ai = pytest.importorskip("inspect_ai", reason="the extra mcq is not installed: pip install 'abalo[mcq]'")

from abalo.errors import AbaloError  # noqa: E402
from abalo.questions.question import Choice  # noqa: E402
from abalo.tasks.choice import consistency_at_k, fragility_score, load_all_results, noise  # noqa: E402
from abalo.tasks.choice.files import load_choices, write_choices  # noqa: E402
from abalo.tasks.choice.inspect_tasks import overlapping, paraphrase_consistency, perturbation_stability  # noqa: E402
from tests.tasks.choice.prompts import paraphrased, reformatted  # noqa: E402
from tests.tasks.choice.scripted import always_a  # noqa: E402


def answered(folder, task, script, **more):
    """The answers of a scripted model to a task, scripted by prompt, or by prompt and seed."""
    from inspect_ai.model import ModelOutput, ModelUsage

    def output(messages, _tools, _choice, config):
        said = script(messages[-1].text) if more.get("epochs") is None else script(messages[-1].text, config.seed)
        made = ModelOutput.from_content("mockllm/model", said)
        made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return made

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (log,) = inspect_ai.eval(
            task,
            model="mockllm/model",
            model_args={"custom_outputs": output},
            display="none",
            log_dir=str(folder),
            **more,
        )
    assert log.status == "success"
    return load_all_results(folder)


@pytest.mark.slow
def test_every_variant_of_every_question_is_asked_under_its_id(tmp_path):
    rows = answered(tmp_path, paraphrase_consistency(max_items=6), always_a)
    asked = [(c.id, prompt.variant) for c in load_choices("bundled:questions", limit=6) for prompt in paraphrased(c, 2)]
    assert sorted((row.id, row.variant) for row in rows) == sorted(asked)
    assert {row.paraphrase_id for row in rows} == {row.variant for row in rows}
    assert {row.seed for row in rows} == {123}


def test_flagged_questions_are_left_out_on_demand(tmp_path):
    path = tmp_path / "mine.jsonl"
    write_choices([Choice("same", "Which?", ("a", "a", "b"), 0), Choice("other", "Which?", ("a", "b", "c"), 0)], path)
    asked = [perturbation_stability(str(path), exclude_flagged=flag).dataset for flag in (False, True)]
    assert [{sample.id.partition("|")[0] for sample in each} for each in asked] == [{"same", "other"}, {"other"}]
    write_choices([Choice("same", "Which?", ("a", "a", "b"), 0)], path)
    with pytest.raises(AbaloError, match="the audit flags every question; leave exclude_flagged out"):
        paraphrase_consistency(str(path), exclude_flagged=True)


@pytest.mark.slow
def test_a_model_that_always_says_a_is_fragile_where_options_move_and_nowhere_else(tmp_path):
    questions = load_choices("bundled:questions", limit=12)
    rows = answered(tmp_path, perturbation_stability(k=5, max_items=12), always_a)
    rates = []
    for question in questions:
        kinds = [prompt.kind for prompt in reformatted(question, 5) if prompt.variant != "orig"]
        rates.append(sum(kind.startswith("order") for kind in kinds) / len(kinds))
    assert fragility_score(rows, "perturbation_stability").value == pytest.approx(sum(rates) / len(rates))
    assert consistency_at_k(rows, "perturbation_stability").value == 0


@pytest.mark.parametrize("task", [paraphrase_consistency, perturbation_stability])
def test_a_perfect_model_is_never_fragile(tmp_path, task):
    questions = load_choices("bundled:questions", limit=8)
    right = {frozenset(choice.options): choice.options[choice.target] for choice in questions}

    def knowing(prompt):
        options = {line[3:]: line[0] for line in prompt.splitlines() if line[1:3] == ") "}
        return f"ANSWER: {options[right[frozenset(options)]]}"

    rows = answered(tmp_path, task(k=5, max_items=8), knowing)
    assert all(row.correct for row in rows)
    assert fragility_score(rows).value == 0
    assert consistency_at_k(rows).value == 1


def test_epochs_are_repeats_each_under_a_seed_of_its_own(tmp_path):
    asked = set()

    def drawing(_prompt, seed):
        asked.add(seed)
        return f"ANSWER: {'ABB'[seed - 123]}"

    rows = answered(tmp_path, paraphrase_consistency(max_items=6), drawing, epochs=3)
    assert asked == {123, 124, 125}
    assert {row.epoch: row.pred_index for row in rows} == {1: 0, 2: 1, 3: 1}
    assert fragility_score(rows).value == 0
    assert noise(rows).value == pytest.approx(2 / 3)  # of three pairs of repeats, two


PROMPT = "Answer.\n\nWhich animal lives in water?\n\nA) A bird\nB) A water bird\nC) A water animal\n"


def test_the_baseline_picks_the_option_with_most_words_of_the_question():
    assert overlapping(PROMPT) == "C"
    assert overlapping(PROMPT.replace("water animal", "stone").replace("water bird", "tree")) == "A"
    assert overlapping("no options") == ""


NAMED = {entry.name for entry in entry_points(group="inspect_ai")}


@pytest.mark.slow
@pytest.mark.skipif("abalo" not in NAMED, reason="installed before Inspect could find it: pip install -e .")
def test_inspect_finds_tasks_and_model_by_name(tmp_path):
    program = "import sys; from inspect_ai._cli.main import main; sys.argv[0] = 'inspect'; main()"
    asked = ["eval", "abalo/paraphrase_consistency", "-T", "max_items=3", "--model", "abalo/overlap"]
    done = subprocess.run(
        [sys.executable, "-c", program, *asked, "--display", "none", "--log-dir", "logs"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert {row.model for row in load_all_results(tmp_path / "logs")} == {"abalo/overlap"}
