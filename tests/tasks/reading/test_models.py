"""Checkpoints, graphs and functions that answer questions; windows are compared with a search of every stretch."""

import json
import shutil
import warnings

import numpy as np
import pytest

from abalo.core.protocols.options import RunOptions
from abalo.errors import AbaloError
from abalo.models.questions.hugging_face import LONGEST, best_answer
from abalo.models.questions.protocol import PassagePlace
from abalo.models.questions.scoring import Rules
from abalo.models.questions.shared_words import SharedWords
from abalo.tasks.reading.loading import load
from tests.models.tiny_checkpoint import save_checkpoint

PASSAGE = "Ana Souza left Sao Paulo today. Bob and Eva came back to Rio in June, but Ana stayed there until May."
QUESTIONS = ["Who left?", "Where to?", "When?"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A random `AutoModelForQuestionAnswering` whose pieces are letters, which reads two texts."""
    from tokenizers import processors
    from transformers import AutoTokenizer

    path = save_checkpoint(tmp_path_factory.mktemp("qa"), ("start", "end"), network="BertForQuestionAnswering", seed=3)
    tokenizer = AutoTokenizer.from_pretrained(path)
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save_pretrained(path)
    settings = path / "tokenizer_config.json"
    names = {"model_input_names": ["input_ids", "token_type_ids", "attention_mask"]}
    settings.write_text(json.dumps(json.loads(settings.read_text("utf-8")) | names), "utf-8")
    return path


def model(path, **options):
    return load(str(path), RunOptions(device="cpu", max_length=40, stride=8, **options), Rules())


def by_brute_force(path, passage, question, null, length=40, stride=8):
    """The answer by scoring every stretch of every window one by one."""
    import torch
    from transformers import AutoModelForQuestionAnswering, AutoTokenizer

    tokenizer, network = AutoTokenizer.from_pretrained(path), AutoModelForQuestionAnswering.from_pretrained(path)
    asked = tokenizer(question, add_special_tokens=False)["input_ids"]
    told = tokenizer(passage, add_special_tokens=False, return_offsets_mapping=True)
    room = length - len(asked) - 3
    best, none, start, windows = (-np.inf, 0, 0), np.inf, 0, 0
    while True:
        part = told["input_ids"][start : start + room]
        ids = [2, *asked, 3, *part, 3]
        kinds = [0] * (len(asked) + 2) + [1] * (len(part) + 1)
        with torch.inference_mode():
            found = network(torch.tensor([ids]), token_type_ids=torch.tensor([kinds]))
        begins, ends = found.start_logits[0].numpy(), found.end_logits[0].numpy()
        none, windows = min(none, float(begins[0] + ends[0])), windows + 1
        first = len(asked) + 2
        for i in range(len(part)):
            for j in range(i, min(len(part), i + LONGEST)):
                score = float(begins[first + i] + ends[first + j])
                if score > best[0]:
                    best = score, start + i, start + j
        if start + room >= len(told["input_ids"]):
            break
        start += room - stride
    if none - best[0] >= null:
        return "", windows
    offsets = told["offset_mapping"]
    return passage[offsets[best[1]][0] : offsets[best[2]][1]].strip(), windows


@pytest.mark.parametrize("null", [0.0, 50.0, -50.0])
def test_answers_of_windows_are_those_of_a_search_of_every_answer(folder, null):
    given = [(text, question) for text in (PASSAGE, PASSAGE * 2, "Rio.") for question in QUESTIONS]
    found = model(f"{folder}?null={null}").predict(given)
    for answer, each in zip(found, given, strict=True):
        assert (answer.text, answer.inputs) == by_brute_force(folder, *each, null)
        if answer.text:
            assert each[0][slice(*answer.place)] == answer.text
            assert 0 <= answer.score <= 1
    if null:
        assert {bool(answer.text) for answer in found} == {null > 0}
    assert max(answer.inputs for answer in found) > 3


def test_answers_do_not_depend_on_their_company(folder):
    given = [(PASSAGE, question) for question in QUESTIONS]
    reader = model(folder)
    assert [reader.predict([each])[0].text for each in given] == [each.text for each in reader.predict(given)]


def test_the_usual_windows_are_those_of_bert(folder):
    reader = load(str(folder), RunOptions(device="cpu"), Rules())
    assert (reader.settings["max_length"], reader.settings["stride"]) == (64, 21)  # the network has room for 64


def test_the_best_answer_is_inside_the_passage_and_not_too_long():
    logits = np.zeros((60, 2), dtype=np.float32)
    logits[0] = 9  # no piece of the passage
    logits[5, 0], logits[58, 1], logits[20, 1] = 5, 9, 3
    inside = np.arange(60) >= 3
    best = best_answer(logits, inside)
    assert (best.first, best.last, best.score) == (29, 58, 9.0)
    logits[58, 1] = 1
    best = best_answer(logits, inside)
    assert (best.first, best.last, best.score) == (5, 20, 8.0)
    assert best_answer(logits, np.zeros(60, dtype=bool)) is None


def test_a_question_that_fills_the_window_is_refused(folder):
    with pytest.raises(AbaloError, match="leaves no way forward"):
        model(folder).predict([(PASSAGE, "x" * 40)])


def test_a_checkpoint_for_something_else_is_refused(tmp_path):
    path = save_checkpoint(tmp_path, ("a", "b"), network="BertForSequenceClassification")
    with pytest.raises(AbaloError, match="not a question-answering checkpoint"):
        model(path)


def test_a_graph_answers_as_the_checkpoint_does(folder, tmp_path):
    pytest.importorskip("onnxruntime")
    import torch
    from transformers import AutoModelForQuestionAnswering

    class Both(torch.nn.Module):
        def __init__(self, network):
            super().__init__()
            self.network = network

        def forward(self, input_ids, attention_mask, token_type_ids):
            made = self.network(input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
            return made.start_logits, made.end_logits

    for file in folder.iterdir():
        if file.suffix != ".safetensors":
            shutil.copy(file, tmp_path)
    names = ("input_ids", "attention_mask", "token_type_ids")
    network = AutoModelForQuestionAnswering.from_pretrained(folder, attn_implementation="eager").eval()
    sizes = {0: "windows", 1: "pieces"}
    warnings.simplefilter("ignore")  # about the exporter, not about the graph
    torch.onnx.export(
        Both(network),
        tuple(torch.ones((2, 6), dtype=torch.int64) for _ in names),
        str(tmp_path / "model.onnx"),
        input_names=list(names),
        output_names=["start_logits", "end_logits"],
        dynamic_axes=dict.fromkeys((*names, "start_logits", "end_logits"), sizes),
        dynamo=False,
    )
    given = [(PASSAGE, question) for question in QUESTIONS]
    plain, graph = model(f"{folder}?null=99"), model(tmp_path)
    assert graph.settings["runtime"] == "ONNX Runtime"
    graph._null = 99
    assert [each.text for each in graph.predict(given)] == [each.text for each in plain.predict(given)]


# Functions ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def function(tmp_path):
    def made(body):
        path = tmp_path / "mine.py"
        path.write_text(f"def make():\n    return lambda pairs: {body}\n", "utf-8")
        return load(f"{path}:make", RunOptions(), Rules())

    return made


@pytest.mark.parametrize(
    ("body", "text", "place"),
    [
        ("['Lima' for _ in pairs]", "Lima", None),
        ("[None for _ in pairs]", "", None),
        ("[(0, 3) for _ in pairs]", "Ana", PassagePlace(0, 3)),
        ("[{'start': 4, 'stop': 9, 'score': 0.5} for _ in pairs]", "Souza", PassagePlace(4, 9)),
        ("[{'text': 'Rio', 'null': 0.25} for _ in pairs]", "Rio", None),
        ("[{'text': None} for _ in pairs]", "", None),
        ("[{'score': 0.9, 'start': 4, 'end': 9, 'answer': 'Souza'} for _ in pairs]", "Souza", PassagePlace(4, 9)),
        ("[[{'score': 0.9, 'start': 0, 'end': 3, 'answer': 'Ana'}, {'answer': 'Rio'}] for _ in pairs]", "Ana", (0, 3)),
        ("[{'score': 0.9, 'start': 0, 'end': 0, 'answer': ''} for _ in pairs]", "", None),
        ("[{'id': '1', 'prediction_text': 'Rio'} for _ in pairs]", "Rio", None),
        ("[{'text': 'Ms. Souza', 'start': 4, 'stop': 9} for _ in pairs]", "Ms. Souza", PassagePlace(4, 9)),
    ],
)
def test_a_function_answers_in_any_of_these_ways(function, body, text, place):
    (found,) = function(body).predict([(PASSAGE, "Who?")])
    assert (found.text, found.place) == (text, place)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("[]", "gave 0 answers to 1 questions; expected a list with one each"),
        ("'Lima'", "gave 4 answers to 1 questions"),
        ("[3]", "gave 3 to a question; expected text, None, (start, stop)"),
        ("[(5, 5)]", "expected places in a passage of 101 characters, the first before the last"),
        ("[(0, 500)]", "expected places in a passage of 101 characters"),
        ("[{'text': 'a', 'score': 'high'}]", "expected probabilities from 0 to 1 as score and null"),
        ("[{'text': 'a', 'score': 7.5}]", "expected probabilities from 0 to 1 as score and null"),
        ("[{'txt': 'a'}]", "gave {'txt': 'a'} to a question; expected text, None, (start, stop)"),
        ("1 / 0", "answering raised ZeroDivisionError"),
    ],
)
def test_what_is_no_answer_is_told(function, body, told):
    with pytest.raises(AbaloError) as caught:
        function(body).predict([(PASSAGE, "Who?")])
    assert told in str(caught.value)


# The reader that ships ------------------------------------------------------------------------------------------------


def test_the_reader_that_ships_finds_the_sentence_and_a_stretch_of_it():
    passage = "Rio is large. Bob was born in Lima in 1990. He paints."
    sentence, short = (SharedWords(short=each).predict([(passage, "When was Bob born?")])[0] for each in (False, True))
    assert sentence.text == "Bob was born in Lima in 1990"
    assert short.text == "Lima in 1990"
    assert passage[slice(*short.place)] == "Lima in 1990"


def test_a_spec_that_is_no_model_is_refused():
    with pytest.raises(AbaloError, match="no such file or folder"):
        load("./nothing", RunOptions(), Rules())
    with pytest.raises(AbaloError, match="null is 'much'; expected a number"):
        load("x?null=much", RunOptions(), Rules())


def test_fingerprints_tell_settings_apart(folder):
    assert model(folder).fingerprint != model(f"{folder}?null=1").fingerprint
    assert json.dumps(model(folder).settings)
