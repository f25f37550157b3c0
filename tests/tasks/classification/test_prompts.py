"""Language models asked for labels, offline."""

from types import SimpleNamespace

import pytest

from abalo.core.options import RunOptions
from abalo.errors import AbaloError
from abalo.models.classifiers.predictor import ClassPredictor
from abalo.models.classifiers.protocol import Classified
from abalo.tasks.classification.task import TASK
from abalo.tasks.labels.models.prompts import Asked, asked
from abalo.tasks.pairs.task import TASK as PAIRS

LABELS = ("negative", "positive", "very positive")


def reading(several=False):
    return Asked("Of {labels}: {text}", LABELS, several)


@pytest.mark.parametrize(
    ("reply", "labels"),
    [
        ("positive", ("positive",)),
        (" **Positive**. ", ("positive",)),
        ("The label is: negative.", ("negative",)),
        ("Let me think.\nIt is very positive!", ("very positive",)),
        ("positive or negative", ()),
        ("nonpositive", ()),
        ("I cannot say", ()),
        ("", ()),
    ],
)
def test_a_reply_names_one_label_or_none(reply, labels):
    assert reading().read(reply) == labels


@pytest.mark.parametrize(
    ("reply", "labels"),
    [("negative, Positive", ("negative", "positive")), ("none", ()), ("positive", ("positive",))],
)
def test_a_reply_can_name_several(reply, labels):
    assert reading(several=True).read(reply) == labels


def test_labels_and_text_stand_in_the_prompt_and_braces_of_the_text_stay():
    assert reading().prompt("a {labels} b") == "Of negative, positive, very positive: a {labels} b"


def test_two_texts_stand_in_their_places_whatever_they_say(tmp_path):
    asking = PAIRS.models.asking
    usual = Asked(asking.usual(several=False), LABELS, False, asking.places)
    said = usual.prompt(("He {hypothesis} left", "He {premise} stayed"))
    assert "Premise: He {hypothesis} left\nHypothesis: He {premise} stayed\n" in said
    path = tmp_path / "ask.txt"
    path.write_text("{premise}? {labels}", "utf-8")
    with pytest.raises(AbaloError, match=r"its template lacks \{hypothesis\}"):
        asked(f"inspect:a/b?{path}", LABELS, asking, several=False)


def test_a_template_is_a_file_with_both(tmp_path):
    path = tmp_path / "ask.txt"
    path.write_text("Is {text} good?", "utf-8")
    with pytest.raises(AbaloError, match=r"its template lacks \{labels\}"):
        asked(f"inspect:a/b?{path}", LABELS, several=False)
    path.write_text("{text}: {labels}?", "utf-8")
    name, question = asked(f"inspect:a/b?{path}", LABELS, several=False)
    assert (name, question.prompt("x")) == ("a/b", "x: negative, positive, very positive?")
    with pytest.raises(AbaloError, match="its template cannot be read"):
        asked(f"inspect:a/b?{tmp_path}/none.txt", LABELS, several=False)
    with pytest.raises(AbaloError, match="expected inspect:PROVIDER/MODEL"):
        asked("inspect:gpt", LABELS, several=False)


def loaded(reply, **given):
    pytest.importorskip("inspect_ai", reason="the extra mcq is not installed: pip install 'abalo[mcq]'")
    from inspect_ai.model import ModelOutput, ModelUsage

    def answered(messages, *_):
        made = ModelOutput.from_content("mockllm/model", reply(messages[-1].text))
        made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return made

    options = RunOptions(model_args={"custom_outputs": answered}, **given)
    corpus = SimpleNamespace(label_counts={"negative": 1, "positive": 1}, several=False)
    return TASK.load("inspect:mockllm/model", options, corpus)


def test_a_model_of_inspect_labels_texts_in_order():
    model = loaded(lambda prompt: "Positive." if "good" in prompt.rpartition("Text: ")[2] else "dunno")
    found = model.predict(["good film", "bad film", "a good one"])
    assert [each.labels for each in found] == [("positive",), (), ("positive",)]
    assert found[0].probabilities is None
    assert model.labels == ("negative", "positive")
    assert model.black_box
    assert [each.reply for each in found] == ["Positive.", "dunno", "Positive."]
    assert [each.answered for each in found] == [True, False, True]


def test_that_no_label_fits_is_a_valid_answer_only_where_a_text_can_have_several():
    assert reading(several=True).is_none(" None.")
    assert not reading(several=True).is_none("no idea")
    assert not reading(several=False).is_none("none")


def test_replies_survive_being_shared_between_processes_and_those_without_an_answer_are_counted():
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

    with pytest.raises(AbaloError, match=r"model inspect:mockllm/model: .*ended with status 'error'.*out of order"):
        loaded(broken).predict(["x"])
    with pytest.raises(AbaloError, match="is asked for the labels of the corpus; leave out --abalo-label-map"):
        loaded(str, label_map="a=b")
