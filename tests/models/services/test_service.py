"""Calls to Python code: several in flight, in order, limited, kept, and stopped by Ctrl-C."""

import asyncio
import os
import signal
import sys
import threading
import time
import types
from collections import Counter
from functools import partial

import pytest

from abalo.core.protocols.options import Calling, RunOptions
from abalo.core.protocols.predictor import calls_of
from abalo.core.records.rates import MinuteRate, Price
from abalo.errors import AbaloError
from abalo.models.classifiers.black_box import load as load_classifier
from abalo.models.coreference.loading import load_code as load_resolver
from abalo.models.generative.models import share_calls
from abalo.models.labelling.labels import CLASSES
from abalo.models.options import ModelOptions
from abalo.models.parsers.loading import load_code as load_parser
from abalo.models.questions.black_box import load as load_reader
from abalo.models.segmenters.word_lists import load as load_segmenter
from abalo.models.services import retrying
from abalo.models.services.service import _portal, portal, used
from abalo.models.tokens.black_box import load as load_tagger
from abalo.models.translators.black_box import load as load_translator
from abalo.questions.question import Choice
from abalo.tasks.choice.models.black_box import load as load_choice
from abalo.tasks.classification import TASK as CLASSIFICATION
from abalo.tasks.pairs.models.graded import GRADED
from perturbations import parse
from tests.rows import every
from tests.tasks.choice.prompts import unchanged
from tests.tasks.labels.scripted import texts_of

TEXTS = [f"text {k} {'x' * (k % 3)}".strip() for k in range(40)]


class Seen:
    """What a model was asked: calls so far, in flight now, and most at once."""

    def __init__(self):
        self.calls, self.now, self.most, self.texts = 0, 0, 0, Counter()
        self.lock = threading.Lock()

    def begin(self, texts):
        with self.lock:
            self.calls += 1
            self.now += 1
            self.most = max(self.most, self.now)
            self.texts.update(texts)
            return self.calls

    def end(self):
        with self.lock:
            self.now -= 1


@pytest.fixture
def install(monkeypatch, tmp_path):
    """Makes an object the result of the factory ``mine:make``, in a project that no other test reads or changes."""
    monkeypatch.chdir(tmp_path)

    def installed(made):
        module = types.ModuleType("mine")
        module.make = lambda: made
        monkeypatch.setitem(sys.modules, "mine", module)

    return installed


@pytest.fixture
def model(install, tmp_path, monkeypatch):
    """A translator that shouts; ``does(number, texts)`` gives the seconds of a call, or raises."""
    monkeypatch.setattr(retrying, "FIRST_WAIT", 0.001)

    def made(does=lambda number, texts: 0.0, *, is_async=False, version=None, says=str.upper, options=None, **said):
        seen = Seen()

        async def asynchronous(texts):
            number = seen.begin(texts)
            try:
                await asyncio.sleep(does(number, texts))
                return [*map(says, texts)]
            finally:
                seen.end()

        def plain(texts):
            number = seen.begin(texts)
            try:
                time.sleep(does(number, texts))
                return [*map(says, texts)]
            finally:
                seen.end()

        function = asynchronous if is_async else plain
        function.__name__ = "shout"
        vars(function).update({"batch": 1, **said})
        install(function)
        usual = {"calling": Calling(replies=tmp_path / "replies"), "model_version": version}
        return load_translator("mine:make", ModelOptions(**{**usual, **(options or {})})), seen

    return made


def said(model, texts=TEXTS):
    return [each.text for each in model.predict(texts)]


def test_a_process_has_one_event_loop_whichever_threads_ask_first():
    _portal.cache_clear()
    together, found = threading.Barrier(8), []

    def ask():
        together.wait()
        found.append(portal())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len({*map(id, found)}) == 1


def test_a_factory_is_not_asynchronous_itself(monkeypatch, tmp_path):
    async def make():
        return str.upper

    module = types.ModuleType("mine")
    module.make = make
    monkeypatch.setitem(sys.modules, "mine", module)
    with pytest.raises(AbaloError, match="its factory is an async def"):
        load_translator("mine:make", ModelOptions())


# In flight ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("concurrency", [1, 4, 16])
def test_answers_have_the_order_of_the_inputs_whatever_comes_first(model, is_async, concurrency):
    def does(number, texts):  # the later ones of the first are the first to answer
        return 0.3 - 0.01 * number if 1 < number <= concurrency else 0.004 * (len(texts[0]) % 3)

    made, seen = model(does, is_async=is_async, concurrency=concurrency)
    done = []
    made.on_progress = lambda ready, of: done.append((ready, of))
    assert said(made) == [text.upper() for text in TEXTS]
    assert (seen.calls, seen.most) == (40, concurrency)
    assert done == [(k + 1, 40) for k in range(40)]


@every(
    ("said", "args", "is_async", "most", "calls"),
    [
        ({}, {}, False, 1, 40),
        ({}, {}, True, 16, 40),
        ({"concurrency": 3}, {}, False, 3, 40),
        ({"concurrency": 3}, {"concurrency": 2}, True, 2, 40),
        ({"concurrency": 8, "batch": 10}, {}, False, 4, 4),
        ({"batch": 10}, {"batch": 5}, True, 8, 8),
    ],
)
def test_the_model_or_the_command_says_how_many(model, said, args, is_async, most, calls):
    made, seen = model(lambda *_: 0.05, is_async=is_async, options={"model_args": args}, **said)
    made.predict(TEXTS)
    assert (seen.most, seen.calls) == (most, calls)


@every(
    ("said", "args", "told"),
    [
        ({"concurrency": 0}, {}, "concurrency is 0; expected a whole number from 1"),
        ({"batch": "many"}, {}, "its batch is 'many'"),
        ({"concurrency": True}, {}, "its concurrency is True"),
        ({}, {"retries": -1}, "its retries is -1; expected a whole number from 0"),
        ({}, {"concurency": 2}, "concurency: no argument of a model in Python; did you mean 'concurrency'"),
    ],
)
def test_other_numbers_and_names_are_refused(model, said, args, told):
    with pytest.raises(AbaloError, match=told):
        model(options={"model_args": args}, **said)


PAIRS = [(f"a {k}", f"a {k} b") for k in range(20)]
SENTENCES = [parse(f"Ana saw Rui {k}") for k in range(20)]
QUESTIONS = [unchanged(Choice(f"q{k}", f"{k}?", ("yes", "no"), 0)) for k in range(20)]

KINDS = {
    "tags": (load_tagger, None, lambda batch: [["O" if len(word) > 1 else "B-PER" for word in each] for each in batch]),
    "entities": (load_tagger, "entities", lambda batch: [[(0, 3, "PER")] for _ in batch]),
    "scores": (load_tagger, "scores", lambda batch: [[[0.1, float(len(word))] for word in each] for each in batch]),
    "labels": (load_classifier, None, lambda batch: [("long", "short")[len(each) < 7] for each in batch]),
    "probabilities": (load_classifier, "predict_proba", lambda batch: [[0.25, 0.75] for _ in batch]),
    "logits": (load_classifier, "scores", lambda batch: [[float(len(each)), 3.0] for each in batch]),
    "similarity": (GRADED.load, None, lambda batch: [float(len(one + other)) for one, other in batch]),
    "translation": (load_translator, None, lambda batch: [each.upper() for each in batch]),
    "reading": (load_reader, None, lambda batch: [(0, len(question) // 2) for _, question in batch]),
    "choice": (load_choice, None, lambda question, options: int(question[0]) % 2),
    "parsing": (load_parser, None, lambda batch: [([0, *[1] * (len(each) - 1)], ["x"] * len(each)) for each in batch]),
    "segmentation": (load_segmenter, None, lambda batch: [each.split() for each in batch]),
    "coreference": (load_resolver, None, lambda batch: [[[(0, 1), (1, 2)]] for _ in batch]),
}
INPUTS = {
    **dict.fromkeys(("tags", "entities", "scores", "parsing", "segmentation", "coreference"), SENTENCES),
    **dict.fromkeys(("similarity", "reading"), PAIRS),
    "choice": QUESTIONS,
}


@every("kind", KINDS)
def test_every_kind_of_model_may_be_asynchronous(install, tmp_path, kind):
    load, method, function = KINDS[kind]
    seen = Seen()

    async def asynchronous(*given):
        seen.begin([])
        await asyncio.sleep(0.01)
        seen.end()
        return function(*given)

    labels = ["O", "B-PER"] if load is load_tagger else ["long", "short"]
    inputs, labelling = INPUTS.get(kind, TEXTS), {} if load is load_tagger else {"labelling": CLASSES}

    def predicted(made, version):
        owner = partial(made)
        if method is not None:
            owner = types.SimpleNamespace(**{method: made})
            setattr(owner, "classes_" if method == "predict_proba" else "labels", labels)
        if version is not None and load is not load_choice:
            owner.batch = 1
        install(owner)
        model = load("mine:make", ModelOptions(calling=Calling(replies=tmp_path), model_version=version, **labelling))
        return repr(model.predict(inputs)), calls_of(model)

    plain, calls = predicted(function, None)
    assert calls == {}
    fresh, calls = predicted(asynchronous, kind)
    assert (fresh, calls["made"], seen.calls) == (plain, len(inputs), len(inputs))
    assert seen.most > 4
    kept, calls = predicted(asynchronous, kind)
    assert (kept, calls["made"], calls["kept"]) == (plain, 0, len(inputs))


def test_a_prompted_model_may_be_asynchronous(install, tmp_path):
    seen = Seen()

    class Service:
        draws, concurrency, batch = False, 4, 2

        async def replies(self, prompts):
            seen.begin(prompt[-1]["content"] for prompt in prompts)
            await asyncio.sleep(0.01)
            seen.end()
            return ["good" if "fine" in prompt[-1]["content"] else "bad" for prompt in prompts]

    install(Service())
    corpus = texts_of(*((f"{('fine', 'awful')[k % 2]} {k}", ("good", "bad")[k % 2]) for k in range(20)))
    model = CLASSIFICATION.load("mine:make", RunOptions(calling=Calling(replies=tmp_path)), corpus)
    assert [each.labels for each in model.predict(corpus.inputs)] == [("good",), ("bad",)] * 10
    assert (seen.calls, seen.most, model.calls.made) == (10, 4, 20)


def test_one_question_is_a_call(install):
    install(KINDS["choice"][2])
    with pytest.raises(AbaloError, match=r"its batch is 2; expected none: it gets one question"):
        load_choice("mine:make", ModelOptions(model_args={"batch": 2}))


def test_plain_code_has_no_calls_to_tell(model):
    made, _ = model(batch=None)
    made.predict(TEXTS)
    assert not hasattr(made, "calls")
    assert calls_of(made) == {}


# Failures -------------------------------------------------------------------------------------------------------------


def failing(*numbers, error=ConnectionResetError):
    def does(number, _texts):
        if number in numbers:
            raise error("lost")
        return 0.002

    return does


@pytest.mark.parametrize("is_async", [False, True])
def test_calls_that_fail_in_passing_are_made_again_and_counted(model, is_async):
    made, seen = model(failing(1, 5, 6, 20), is_async=is_async, concurrency=4)
    assert said(made) == [text.upper() for text in TEXTS]
    assert (seen.calls, made.calls.made, made.calls.retried) == (44, 40, 4)
    assert "4 tried again" in str(made.calls)


def test_an_answer_that_is_wrong_is_never_asked_for_again(model):
    made, seen = model(says=len, concurrency=4)
    with pytest.raises(AbaloError, match="expected its translation as a string"):
        made.predict(TEXTS)
    assert seen.texts.most_common(1)[0][1] == 1
    made, seen = model(failing(3, error=ValueError))
    with pytest.raises(AbaloError, match=r"translating raised ValueError: lost"):
        made.predict(TEXTS)
    assert (seen.calls, made.calls.retried, made.calls.failed) == (3, 0, 1)


def test_the_retries_of_a_run_have_a_limit_for_all_its_models(model, tmp_path):
    made, seen = model(failing(*range(1, 100)), retries=3)
    with pytest.raises(AbaloError, match="ConnectionResetError: lost"):
        made.predict(TEXTS)
    assert (seen.calls, made.calls.retried) == (4, 3)
    both = [model(failing(*range(1, 100)), retries=3) for _ in range(2)]
    share_calls([each for each, _ in both], None, tmp_path)
    for each, _ in both:
        with pytest.raises(AbaloError):
            each.predict(TEXTS[:1])
    assert [seen.calls for _, seen in both] == [4, 1]


def test_of_several_failures_the_first_input_is_told(model):
    def does(_number, texts):
        if texts[0] in (TEXTS[1], TEXTS[3]):
            time.sleep(0.02 if texts[0] == TEXTS[1] else 0)
            raise ValueError(texts[0])
        return 0.01

    made, _ = model(does, concurrency=4)
    with pytest.raises(AbaloError, match=TEXTS[1].strip()):
        made.predict(TEXTS)


# Kept answers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("concurrency", [1, 4])
def test_the_next_run_makes_only_the_missing_calls(model, concurrency):
    made, seen = model(failing(11, error=ValueError), version="1", concurrency=concurrency)
    with pytest.raises(AbaloError, match="ValueError"):
        made.predict(TEXTS)
    answered = seen.calls - 1
    assert answered >= 10
    made, seen = model(version="1", concurrency=16)
    assert said(made) == [text.upper() for text in TEXTS]
    assert (seen.calls, made.calls.made, made.calls.kept) == (40 - answered, 40 - answered, answered)
    made, seen = model(version="1")
    assert said(made) == [text.upper() for text in TEXTS]
    assert (seen.calls, made.calls.kept) == (0, 40)


@every(
    ("first", "then", "asked"),
    [
        ({"version": "1"}, {"version": "1"}, False),
        ({"version": "1"}, {"version": "2"}, True),
        ({}, {}, True),
        ({"version": "3"}, {"version": "3", "options": {"calling": Calling(no_cache=True)}}, True),
        ({"version": "4"}, {"version": "4", "batch": 2}, True),
        ({"version": "5", "options": {"with_text": False}}, {"version": "5"}, True),
    ],
)
def test_answers_are_kept_for_one_version_of_a_model(model, first, then, asked):
    model(**first)[0].predict(TEXTS[:4])
    made, seen = model(**then)
    assert said(made, TEXTS[:4]) == [text.upper() for text in TEXTS[:4]]
    assert (seen.calls > 0) is asked


def test_methods_of_one_model_have_answers_of_their_own(install, tmp_path):
    class Estimator:
        classes_ = ("low", "high")
        version = "1"

        def predict(self, pairs):
            return [float(len(first)) for first, _ in pairs]

        def predict_proba(self, pairs):
            return [[0.25, 0.75] for _ in pairs]

    install(Estimator())
    options = ModelOptions(calling=Calling(replies=tmp_path), labelling=CLASSES)
    (degree,) = GRADED.load("mine:make", options).predict(PAIRS[:1])
    (labelled,) = load_classifier("mine:make", options).predict(PAIRS[:1])
    assert degree.probabilities.tolist() == [3.0]
    assert labelled.labels == ("high",)


def test_a_wrong_answer_is_not_kept(model):
    made, _ = model(version="1", says=len)
    with pytest.raises(AbaloError):
        made.predict(TEXTS[:1])
    made, seen = model(version="1")
    assert said(made, TEXTS[:1]) == [TEXTS[0].upper()]
    assert seen.calls == 1


def test_repeats_are_calls_of_their_own(model):
    made, seen = model(version="1")
    made.predict(TEXTS[:3])
    made.repeat(TEXTS[:3], 1)
    assert seen.calls == 6
    made, seen = model(version="1")
    made.repeat(TEXTS[:3], 1)
    made.repeat(TEXTS[:3], 0)
    assert seen.calls == 0


# Limits ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_async", [False, True])
def test_a_call_limit_holds_with_many_in_flight(model, tmp_path, is_async):
    calling = Calling(max_calls=10, replies=tmp_path / "replies")
    made, seen = model(lambda *_: 0.01, is_async=is_async, concurrency=8, version="1", options={"calling": calling})
    with pytest.raises(AbaloError, match="one call more than --abalo-max-calls 10 allows"):
        made.predict(TEXTS)
    assert seen.calls == 10
    made, seen = model(version="1")
    made.predict(TEXTS)
    assert seen.calls == 30, "the 10 answers are kept"


def test_all_processes_of_a_run_share_what_is_in_flight(model, tmp_path):
    seen = Seen()

    def does(_number, texts):
        seen.begin(texts)
        time.sleep(0.01)
        seen.end()
        return 0.0

    models = [model(does, concurrency=3)[0] for _ in range(2)]  # each opens the files by itself, as processes do
    share_calls(models, None, tmp_path)
    threads = [threading.Thread(target=each.predict, args=(TEXTS,)) for each in models]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (seen.calls, seen.most) == (80, 3)


# Ctrl-C ---------------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def interrupts():
    """Lets SIGINT interrupt, which a process that was started in the background ignores."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted_after(seconds, *further):
    def press():
        for wait in (seconds, *further):
            time.sleep(wait)
            os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("concurrency", [1, 4])
def test_ctrl_c_ends_what_is_asynchronous_at_once_and_loses_no_answer(model, concurrency):
    made, seen = model(
        lambda number, _: 0.001 if number <= 8 else 60, is_async=True, version="1", concurrency=concurrency
    )
    started = time.monotonic()
    interrupted_after(0.3)
    with pytest.raises(KeyboardInterrupt):
        made.predict(TEXTS)
    assert time.monotonic() - started < 2
    assert 8 < seen.calls <= 8 + concurrency
    made, seen = model(version="1")
    made.predict(TEXTS)
    assert seen.calls == 32


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_waits_for_plain_calls_in_flight_and_keeps_their_answers(model):
    made, seen = model(lambda *_: 0.6, version="1", concurrency=4)
    interrupted_after(0.2)
    with pytest.raises(KeyboardInterrupt):
        made.predict(TEXTS)
    assert (seen.calls, seen.now) == (4, 0)
    made, seen = model(version="1")
    made.predict(TEXTS)
    assert seen.calls == 36


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_second_ctrl_c_waits_no_longer(model):
    ended = threading.Event()

    def does(number, _texts):
        if number > 2:
            ended.wait(30)
        return 0.0

    made, seen = model(does, version="1", concurrency=4)
    started = time.monotonic()
    interrupted_after(0.2, 0.2)
    with pytest.raises(KeyboardInterrupt):
        made.predict(TEXTS)
    assert time.monotonic() - started < 2
    ended.set()
    made, seen = model(version="1")
    made.predict(TEXTS)
    assert seen.calls <= 38


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_loses_no_reply_of_a_prompted_model(install, tmp_path):
    seen = Seen()

    class Service:
        draws, concurrency, batch, version = False, 4, 1, "1"

        async def replies(self, prompts):
            number = seen.begin(prompts[0][-1]["content"] for _ in prompts)
            await asyncio.sleep(0 if number <= 6 else 60)
            return ["good" for _ in prompts]

    install(Service())
    corpus = texts_of(*((f"text {k}", ("good", "bad")[k % 2]) for k in range(20)))
    options = RunOptions(calling=Calling(replies=tmp_path))
    model = CLASSIFICATION.load("mine:make", options, corpus)
    interrupted_after(0.3)
    with pytest.raises(KeyboardInterrupt):
        model.predict(corpus.inputs)
    assert "stopping after those in flight" in str(model.calls)
    again = CLASSIFICATION.load("mine:make", options, corpus)
    again.predict(corpus.inputs[:6])
    assert (again.calls.made, again.calls.kept) == (0, 6)


# Rate and cost --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_async", [False, True])
def test_tokens_are_those_that_each_call_tells_and_have_a_price(model, is_async):
    def does(number, texts):
        used(100, 20)
        if number == 1:
            raise TimeoutError
        used(output_tokens=5)
        return 0.002

    calling = Calling(price=Price(2.0, 10.0))
    made, _ = model(does, is_async=is_async, concurrency=4, options={"calling": calling})
    made.predict(TEXTS[:10])
    calls = made.calls.facts
    assert (calls["input_tokens"], calls["output_tokens"]) == (1_100, 270), "those of the failed call too"
    assert calls["cost"] == 2 * 1_100 + 10 * 270
    assert made.foresee(90) == "at most 90 calls to mine:make, 4 in flight"
    assert made.calls.foreseen == "about 14,000 tokens, cost 0.05, by the first 10 calls"
    assert "90 left" in str(made.calls)


def test_calls_that_tell_no_tokens_have_no_known_cost(model):
    made, _ = model(options={"calling": Calling(price=Price(2.0, 10.0))}, concurrency=2)
    assert made.calls.facts["cost"] == 0
    made.predict(TEXTS[:4])
    assert "cost" not in made.calls.facts
    assert made.calls.foreseen == ""


def test_tokens_told_outside_of_a_call_have_no_effect_and_negative_ones_are_refused():
    used(10, 10)
    with pytest.raises(ValueError, match="expected numbers of tokens from 0"):
        used(-1)


@pytest.mark.parametrize("rate", [MinuteRate(calls=1_200), MinuteRate(tokens=12_000)])
def test_a_rate_holds_with_many_in_flight(model, rate):
    def does(_number, _texts):
        used(5, 5)
        return 0.0

    made, _ = model(does, concurrency=8, options={"calling": Calling(rate=rate)})
    started = time.monotonic()
    made.predict(TEXTS[:16])
    least = 15 / 20 if rate.calls else (16 - 8) / 20  # the tokens of the first 8 are not known before
    assert least <= time.monotonic() - started < least + 2


def test_the_tokens_of_a_prompted_model_in_python_are_told(install, tmp_path):
    class Service:
        draws, batch = False, 2

        def replies(self, prompts):
            used(30 * len(prompts), len(prompts))
            return ["good" for _ in prompts]

    install(Service())
    corpus = texts_of(*((f"text {k}", ("good", "bad")[k % 2]) for k in range(10)))
    calling = Calling(replies=tmp_path, price=Price(1, 1))
    model = CLASSIFICATION.load("mine:make", RunOptions(calling=calling), corpus)
    model.predict(corpus.inputs)
    assert {"made": 10, "input_tokens": 300, "output_tokens": 10, "cost": 310}.items() <= model.calls.facts.items()
