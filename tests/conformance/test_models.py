"""Every task with every kind of model that it takes, on two examples each: it runs, or says why it does not."""

import json
from contextlib import suppress

import pytest

from abalo import Session
from abalo.bundled import CASES, bundled_path
from abalo.core.protocols.task import tasks
from abalo.errors import AbaloError
from abalo.run.execution import Execution
from tests.ci.runner import served
from tests.conformance.subjects import NAMES, cases, corpus, corpus_named

pytestmark = pytest.mark.slow

PROMPTED = {"ner", "pos", "classification", "pairs", "aspects", "relations", "reading", "translation", "choice"}
LABELLED = {"classification", "pairs", "aspects", "relations"}
SHIPPED = {*NAMES} - {"reading", "translation"}

NEEDING_MORE = {"attack", "slice", "capability", "invariance"}
"""Probes that two examples, or a model without scores, can be too little for, which they say."""

MODELS = '''
import json
import os
from urllib.request import Request, urlopen

TASK, LABEL = json.loads(os.environ["OF_TASK"])

ONE = {
    "ner": lambda tokens: ["O"] * len(tokens),
    "pos": lambda tokens: ["NOUN"] * len(tokens),
    "parsing": lambda tokens: (list(range(len(tokens))), ["root"] + ["dep"] * (len(tokens) - 1)),
    "segmentation": lambda text: [*text],
    "reading": lambda pair: pair[0].split()[0],
    "translation": lambda text: text,
    "coreference": lambda document: [],
}


def one(given):
    return ONE.get(TASK, lambda _: LABEL)(given)


def function():
    if TASK == "choice":
        return lambda question, options: 0
    return lambda batch: [one(given) for given in batch]


class Model:
    """An object that is called, made by its own class."""

    name, version = "mine", "1"

    def __init__(self):
        self.function = function()

    def __call__(self, *given):
        return self.function(*given)


def service():
    def ask(*given):
        request = Request(os.environ["ADDRESS"], json.dumps(given).encode(), {"Content-Type": "application/json"})
        with urlopen(request, timeout=60) as answer:
            return json.load(answer)

    return (lambda question, options: ask(question, list(options))) if TASK == "choice" else lambda batch: ask(batch)


REPLIES = {"ner": '{"entities": []}', "pos": '{"words": []}', "choice": "A", "reading": "none", "translation": "x"}


class Prompted:
    def __init__(self, draws):
        self.draws = draws

    def replies(self, prompts):
        return [REPLIES.get(TASK, LABEL)] * len(prompts)


def prompt():
    return Prompted(False)


def drawing():
    return Prompted(True)
'''

KINDS = {
    "function": ("mine.py:function", {}),
    "class": ("mine.py:Model", {}),
    "service": ("mine.py:service", {"model_version": "1"}),
    "prompt": ("mine.py:prompt", {}),
    "prompt 3 times": ("mine.py:drawing", {"repeats": 3}),
    "spec": ("inspect:mockllm/model", {"repeats": 1}),
    "spec with settings": ("inspect:mockllm/model", {"repeats": 2, "model_args": "max_tokens=8"}),
    "what ships": (None, {}),
}
ASKED = {"prompt", "prompt 3 times", "spec", "spec with settings"}


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Opens a session of a task about a kind of model."""
    tmp_path.joinpath("mine.py").write_text(MODELS, "utf-8")
    monkeypatch.chdir(tmp_path)

    def opening(name, kind):
        spec, given = KINDS[kind]
        label = corpus(name).examples[0].gold[0] if name in LABELLED else ""
        monkeypatch.setenv("OF_TASK", json.dumps([name, label]))
        more = {"limit": 2, "no_cache": True, **given}
        return Session(name, model=spec, corpus=corpus_named(tasks()[name]), thresholds=bundled_path(CASES), **more)

    return opening


def answering(monkeypatch, name):
    """A service that answers as the function does."""
    found = {}

    def answer(_method, _path, body):
        function = found.setdefault("function", _function(name))
        return 200, json.dumps(function(*json.loads(body)))

    return answer


def _function(name):
    space: dict = {}
    exec(MODELS, space)
    assert space["TASK"] == name
    return space["function"]()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_a_task_runs_each_of_its_cases_on_each_kind_of_model(opened, monkeypatch, name, kind):
    if kind == "what ships" and name not in SHIPPED:
        pytest.skip("no model ships with it")
    if KINDS[kind][0] and "inspect" in KINDS[kind][0]:
        pytest.importorskip("inspect_ai", reason="the extra mcq is not installed: pip install 'abalo[mcq]'")
    session = opened(name, kind)
    with served(answering(monkeypatch, name)) as address:
        monkeypatch.setenv("ADDRESS", address)
        if kind in ASKED and name not in PROMPTED:
            with pytest.raises(AbaloError):
                _ = session.baseline
            return
        assert len(session.corpus.examples) <= 2
        assert session.baseline.evidence is not None
        for probe, case in cases(name).items():
            may_refuse = (AbaloError,) if probe in NEEDING_MORE else ()
            with suppress(*may_refuse):
                assert Execution(session.prepared).judged(case).judged.case.id == case.id
        if kind in ASKED:
            assert session.judge("prompt", ways=["letter_case"]).case.id == f"{name}/prompt[ways-letter_case]"
