"""Language models asked for labels, offline."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from abalo.core.protocols.options import Calling, RunOptions
from abalo.errors import AbaloError
from abalo.models.classifiers.predictor import ClassPredictor
from abalo.models.labelling.classified import Classified
from abalo.models.prompts.labels import LabelForm
from abalo.tasks.classification.task import TASK
from abalo.tasks.pairs.task import TASK as PAIRS
from tests.models.prompts.scripted import prompt_of
from tests.rows import every

LABELS = ("negative", "positive", "very positive")


def form(several=False):
    return LabelForm(LABELS, several)


@every(
    ("reply", "labels"),
    [
        ("positive", ("positive",)),
        (" **Positive**. ", ("positive",)),
        ("The label is: negative.", ("negative",)),
        ("Let me think.\nIt is very positive!", ("very positive",)),
        ('```json\n{"label": "POSITIVE"}\n```', ("positive",)),
        ('{"labels": ["positive"]}', ("positive",)),
        ("positive or negative", None),
        ('{"labels": ["positive", "negative"]}', None),
        ("nonpositive", None),
        ("I cannot say", None),
        ("", None),
        ("positive" * 100_000, None),
    ],
)
def test_a_reply_names_one_label_or_none(reply, labels):
    assert form().read(reply, "a text") == labels


@pytest.mark.parametrize(
    ("reply", "labels"),
    [
        ("negative, Positive", ("negative", "positive")),
        (" None.", ()),
        ('{"labels": []}', ()),
        ("positive", ("positive",)),
        ("no idea", None),
    ],
)
def test_a_reply_can_name_several(reply, labels):
    assert form(several=True).read(reply, "a text") == labels


def asked(given, form_=None, **values):
    return prompt_of(form_ or form(), **values).conversation(given)[-1][1]


def test_labels_and_text_stand_in_the_prompt_and_braces_of_the_text_stay():
    assert asked("a {labels} b", prompt="Of {labels}: {text}") == "Of negative, positive, very positive: a {labels} b"


def test_two_texts_stand_in_their_places_whatever_they_say():
    usual = replace(PAIRS.models.form, labels=LABELS)
    said = asked(("He {hypothesis} left", "He {premise} stayed"), usual)
    assert "Premise: He {hypothesis} left\nHypothesis: He {premise} stayed\n" in said
    with pytest.raises(AbaloError, match=r"its template lacks \{hypothesis\}"):
        prompt_of(usual, prompt="{premise}? {labels}")


def loaded(reply, spec="inspect:mockllm/model", **given):
    pytest.importorskip("inspect_ai", reason="the extra mcq is not installed: pip install 'abalo[mcq]'")
    from inspect_ai.model import ModelOutput, ModelUsage

    def answered(messages, *_):
        made = ModelOutput.from_content("mockllm/model", reply(messages[-1].text))
        made.usage = ModelUsage(input_tokens=3, output_tokens=1, total_tokens=4)
        return made

    options = RunOptions(model_args={"custom_outputs": answered}, calling=Calling(no_cache=True), **given)
    corpus = SimpleNamespace(label_counts={"negative": 1, "positive": 1}, several=False, inputs=("judged text",))
    return TASK.load(spec, options, corpus)


def test_a_model_of_inspect_labels_texts_in_order():
    model = loaded(lambda prompt: "Positive." if "good" in prompt.rpartition("Text: ")[2] else "dunno")
    found = model.predict(["good film", "bad film", "a good one"])
    assert [each.labels for each in found] == [("positive",), (), ("positive",)]
    assert found[0].probabilities is None
    assert model.labels == ("negative", "positive")
    assert model.black_box
    assert [each.reply for each in found] == ["Positive.", "dunno", "Positive."]
    assert [each.answered for each in found] == [True, False, True]
    # The second is asked once more, and cannot be read again.
    assert (model.calls.made, model.calls.again, model.calls.input_tokens) == (4, 1, 12)


def test_a_prompt_file_has_a_system_prompt_descriptions_and_examples(tmp_path):
    tmp_path.joinpath("shots.tsv").write_text("text\tlabel\nShot one\tpositive\nShot two\tnegative\n", "utf-8")
    path = tmp_path / "ask.toml"
    path.write_text(
        'system = "You label films: {labels}."\nprompt = "{text} = "\nexamples = "shots.tsv"\nshown = 1\n'
        '[labels]\npositive = "praise"\n',
        "utf-8",
    )
    model = loaded(str, f"inspect:mockllm/model?{path}")
    said = model.asker.prompt.conversation("Now this")
    assert said == (
        ("system", "You label films: negative, positive (praise)."),
        ("user", "Shot two = "),
        ("assistant", "negative"),
        ("user", "Now this = "),
    )
    assert model.settings["examples"] == f"2 of {tmp_path / 'shots.tsv'}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("promt = 'x'", r"promt: no such key; did you mean 'prompt'\?"),
        ("retries = 99", "retries: 99; expected a whole number from 0 to 10"),
        ("[labels]\nposi = 'x'", "describes 'posi', which is no label of the corpus"),
        ("reply = 'marked'", 'reply = "marked" is for entities'),
        ("examples = 'gone.tsv'", "the examples of its prompt: .*gone.tsv: no such file"),
        ("examples = ' '", "examples: ' '; expected the name of a corpus"),
        ("shown = 2", "shown = 2, but no examples"),
        ("examples = 'shots.tsv'", "shots.tsv holds only examples of the judged corpus"),
        ("prompt = 'x'", r"its template lacks \{text\} and \{labels\}"),
        ("= 1", "is no TOML"),
    ],
)
def test_a_prompt_file_that_does_not_fit_is_refused(tmp_path, text, message):
    tmp_path.joinpath("shots.tsv").write_text("text\tlabel\nJudged  TEXT\tpositive\n", "utf-8")
    path = tmp_path / "ask.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(AbaloError, match=message):
        loaded(str, f"inspect:mockllm/model?{path}")


def test_a_template_is_a_file_with_both(tmp_path):
    path = tmp_path / "ask.txt"
    path.write_text("Is {text} good?", "utf-8")
    with pytest.raises(AbaloError, match=r"its template lacks \{labels\}"):
        loaded(str, f"inspect:mockllm/model?{path}")
    with pytest.raises(AbaloError, match="its prompt file cannot be read"):
        loaded(str, f"inspect:mockllm/model?{tmp_path}/none.txt")
    with pytest.raises(AbaloError, match="expected inspect:PROVIDER/MODEL"):
        loaded(str, "inspect:gpt")


def test_replies_survive_sharing_between_processes_and_unanswered_ones_are_counted():
    model = SimpleNamespace(name="m", fingerprint="1", labels=("a", "b"))
    predictor = ClassPredictor(model, ["x", "y", "z"], [("a",)] * 3)
    given = [Classified(("a",), reply="a!"), Classified((), reply="hm", answered=False), Classified(("b",))]
    model.predict = lambda texts: [given["xyz".index(text)] for text in texts]
    back = predictor.unpack(predictor.pack(given))
    assert [(each.reply, each.answered) for each in back] == [("a!", True), ("hm", False), (None, True)]
    assert predictor.unanswered_of() == (1, 3)


def test_a_model_that_fails_is_told():
    def broken(_prompt):
        raise RuntimeError("out of order")

    with pytest.raises(AbaloError, match=r"model inspect:mockllm/model: Inspect cannot use it.*out of order"):
        loaded(broken).predict(["x"])
    with pytest.raises(AbaloError, match="is asked for the labels of the corpus; leave out --abalo-label-map"):
        loaded(str, label_map="a=b")


def test_the_mock_of_inspect_answers_without_a_network():
    pytest.importorskip("inspect_ai", reason="the extra mcq is not installed: pip install 'abalo[mcq]'")
    corpus = SimpleNamespace(label_counts={"negative": 1, "positive": 1}, several=False, inputs=())
    (found,) = TASK.load("inspect:mockllm/model", RunOptions(calling=Calling(no_cache=True)), corpus).predict(["x"])
    assert (found.labels, found.answered) == ((), False)
