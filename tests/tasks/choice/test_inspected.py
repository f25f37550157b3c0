"""Models that Inspect runs, asked by the gate, offline."""

import pytest

pytest.importorskip("inspect_ai", reason="the extra mcq is not installed: pip install 'abalo[mcq]'")

from huggingface_hub import constants

from abalo.core.protocols.options import RunOptions
from abalo.errors import AbaloError
from abalo.models.networks import inspection
from abalo.tasks.choice import load_all_results
from abalo.tasks.choice.files import load_choices
from abalo.tasks.choice.models.black_box import BlackBox
from abalo.tasks.choice.models.loading import load
from tests.tasks.choice.prompts import paraphrased, reformatted, unchanged

PROMPTS = [prompt for choice in load_choices("bundled:questions", limit=4) for prompt in reformatted(choice, 5)]


def always_b(*_):
    from inspect_ai.model import ModelOutput, ModelUsage

    made = ModelOutput.from_content("mockllm/model", "ANSWER: B")
    made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return made


def test_a_model_of_inspect_answers_as_the_same_function_does_and_its_log_is_kept(tmp_path):
    found = load("mockllm/model", RunOptions(model_args={"custom_outputs": always_b}), tmp_path).predict(PROMPTS)
    assert found == BlackBox("by hand", "1", lambda _question, _options: "B").predict(PROMPTS)
    assert {picked.reply for picked in found} == {"ANSWER: B"}
    logged = load_all_results(tmp_path)
    assert {(row.id, row.variant, row.pred_option) for row in logged} == {
        (prompt.item, prompt.variant, picked.option) for prompt, picked in zip(PROMPTS, found, strict=True)
    }


def test_settings_of_generation_are_no_arguments_of_the_model(tmp_path):
    from inspect_ai.log import read_eval_log

    generation = {"max_tokens": 8, "temperature": 0.5}
    model = load(
        "mockllm/model", RunOptions(model_args={"custom_outputs": always_b, "size": 3, **generation}), tmp_path
    )
    model.predict(PROMPTS)
    (log,) = (read_eval_log(str(path)) for path in tmp_path.iterdir())
    assert {name: getattr(log.eval.model_generate_config, name) for name in generation} == generation
    assert log.eval.model_args.keys() == {"custom_outputs", "size"}


def test_a_model_that_inspect_does_not_know_is_told_in_its_words():
    with pytest.raises(AbaloError, match=r"model nobody/nothing: Inspect cannot use it: ValueError: .*nobody"):
        load("nobody/nothing", RunOptions()).predict(PROMPTS)


def test_the_words_of_inspect_are_told_without_their_colours(monkeypatch):
    def evaluate(*_, **__):
        raise ValueError("[bold]ERROR[/bold]: [dim red]openai[/dim red] of [x].\n\n[bold]pip install it[/bold]")

    monkeypatch.setattr(inspection, "evaluate", evaluate)
    with pytest.raises(AbaloError) as refused:
        load("mockllm/model", RunOptions()).predict(PROMPTS)
    assert str(refused.value).endswith("ValueError: ERROR: openai of [x]. pip install it")


def test_an_evaluation_that_fails_is_no_answer(tmp_path):
    def broken(*_):
        raise RuntimeError("out of order")

    with pytest.raises(AbaloError, match=r"model mockllm/model: .*ended with status 'error'.*out of order") as refused:
        load("mockllm/model", RunOptions(model_args={"custom_outputs": broken}), tmp_path).predict(PROMPTS)
    assert "abalo-inspect-" not in str(refused.value)
    assert [path.suffix for path in tmp_path.iterdir()] == [".eval"]


def test_models_of_hugging_face_do_not_sample_unless_asked_to(monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert load("hf/some/model", RunOptions()).settings == {"do_sample": False}
    assert load("hf/some/model", RunOptions(model_args={"do_sample": True})).settings == {"do_sample": True}


def test_the_mock_runs_without_a_network_and_names_no_option():
    assert {picked.place for picked in load("mockllm/model", RunOptions()).predict(PROMPTS)} == {None}


def test_prompts_of_one_task_and_seed_are_one_evaluation(tmp_path):
    choices = load_choices("bundled:questions", limit=2)
    prompts = [prompt for each in choices for prompt in (*paraphrased(each), *reformatted(each, 5), unchanged(each, 7))]
    prompts += prompts[:3]  # copies are no samples of their own
    found = load("mockllm/model", RunOptions(model_args={"custom_outputs": always_b}), tmp_path).predict(prompts)
    assert [picked.place for picked in found] == [1] * len(prompts)
    assert [picked.option for picked in found] == [prompt.order[1] for prompt in prompts]
    logged = {(row.task, row.seed, row.id, row.variant) for row in load_all_results(tmp_path)}
    assert logged == {(prompt.task, prompt.seed, prompt.item, prompt.variant) for prompt in prompts}
    assert len(list(tmp_path.iterdir())) == 3


def test_calls_are_known_before_the_first_and_counted(tmp_path, monkeypatch):
    from abalo import Session
    from abalo.tasks.choice.models.inspected import InspectModel

    monkeypatch.chdir(tmp_path)
    text = '[gate]\nlanguage = "en"\nrepeats = 3\n[[choice.baseline]]\n[[choice.perturbation_stability]]\nk = 3\n'
    tmp_path.joinpath("t.toml").write_text(text, "utf-8")
    made = []
    answered = InspectModel._picked

    def counted(model, *given):
        made.append(len(given[1]))
        return answered(model, *given)

    monkeypatch.setattr(InspectModel, "_picked", counted)
    session = Session("choice", "mockllm/model", "bundled:questions", thresholds="t.toml", limit=5)
    planned = session.prepared.estimate_calls(session.cases())
    assert (made, session.model.calls.made) == ([], 0)
    session.run()
    assert sum(made) == session.model.calls.made == planned.fewest
    assert planned.clean == 3 * 5, "three times each if its answers differ"
    assert planned.calls > planned.fewest > 2 * 5
    assert not planned.bounded
