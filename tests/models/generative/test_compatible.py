"""Models behind any server of chat completions: what is sent, what is read, and every way that a server can fail."""

import json
import re
import threading
import warnings
from types import SimpleNamespace

import pytest

from abalo.config.thresholds import load
from abalo.core.protocols.options import Calling, RunOptions
from abalo.core.records.rates import MinuteRate
from abalo.errors import AbaloError
from abalo.models.generative import compatible
from abalo.models.generative.completions import LARGEST
from abalo.models.services import retrying
from abalo.tasks.classification.task import TASK
from tests.models.generative.mock_server import Mock, message, serving
from tests.rows import every

CORPUS = SimpleNamespace(label_counts={"negative": 1, "positive": 1}, several=False, inputs=("judged text",))
FRESH = Calling(no_cache=True)
SECRET = "sk-proj-abcdefghijklmnop1234"
OTHER_SECRET = "correct horse battery"
WORD = "correct"
REPLIES = {"good": "Positive.", "bad": "negative"}


def label(prompt, enforced=False):
    """The label of the text in a prompt, as JSON if the server enforces it."""
    said = next((reply for word, reply in REPLIES.items() if word in prompt.rpartition("Text: ")[2]), "dunno")
    return json.dumps({"label": said.strip(".").lower()}) if enforced else said


@pytest.fixture(autouse=True)
def _own(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(retrying, "FIRST_WAIT", 0.001)
    monkeypatch.setattr(retrying, "LONGEST_WAIT", 0.002)


def loaded(mock, file="", calling=FRESH, **given):
    return TASK.load(mock.spec(file), RunOptions(calling=calling, **given), CORPUS)


def asked(mock, texts=("a good film",), **given):
    """The predictions of a model there, and the model."""
    model = loaded(mock, **given)
    return model.predict([*texts]), model


def test_texts_are_labelled_in_order_and_tokens_counted():
    with serving(Mock(label)) as mock:
        found, model = asked(mock, ["a good film", "a bad film", "a film"])
    assert [each.labels for each in found] == [("positive",), ("negative",), ()]
    assert [each.reply for each in found] == ["Positive.", "negative", "dunno"]
    assert [each.answered for each in found] == [True, True, False]
    # The third is asked once more.
    assert (model.calls.made, model.calls.again) == (4, 1)
    assert (model.calls.input_tokens, model.calls.output_tokens) == (28, 8)
    assert {each["model"] for each in mock.asked} == {"m:1b"}
    assert not any(each["stream"] or "n" in each for each in mock.asked)
    assert (model.name, model.sends_to, model.draws) == ("openai:m:1b", "", True)
    assert model.settings["base_url"] == mock.base_url


def test_repeats_and_attempts_have_seeds_of_their_own_that_never_change():
    with serving(Mock(label)) as mock:
        model = loaded(mock)
        for index in (0, 1, 1):
            model.repeat(["a film"], index)
        seeds = [each["seed"] for each in mock.asked]
    assert len(mock.asked) == 4  # two attempts at each repeat; the second of the same repeat is kept
    assert len({*seeds}) == 4
    with serving(Mock(label)) as mock:
        loaded(mock).predict(["a film"])
        assert [each["seed"] for each in mock.asked] == seeds[:2]


def test_settings_go_into_the_request_and_decide_whether_it_draws():
    args = {"temperature": 0, "max_tokens": 8, "concurrency": 2, "timeout": 9}
    with serving(Mock(label)) as mock:
        _, model = asked(mock, model_args=args)
    assert mock.asked[0].items() >= {"temperature": 0, "max_tokens": 8}.items()
    assert not {"concurrency", "timeout"} & mock.asked[0].keys()
    assert model.draws is False
    assert model.settings.items() >= {"temperature": 0, "max_tokens": 8}.items()


@every(
    ("args", "message"),
    [
        ({"temprature": 0}, r"no setting of a chat completion; did you mean 'temperature'\?"),
        ({"temperature": "hot"}, "temperature='hot': expected a number"),
        ({"max_tokens": 0.5}, "expected a whole number"),
        ({"timeout": 0}, "timeout=0: expected a number"),
        ({"n": 3}, "n: no setting of a chat completion"),
        ({"batch": 3}, "batch: no setting of a chat completion"),
        ({"concurrency": 0}, "its concurrency is 0"),
    ],
)
def test_other_settings_are_refused(args, message):
    with serving(Mock()) as mock, pytest.raises(AbaloError, match=message):
        loaded(mock, model_args=args)
    assert mock.asked == []


# Addresses and keys


@every(
    ("spec", "message"),
    [
        ("openai:m", "no address of a server; add .base_url="),
        ("openai:?base_url=http://h/v1", "expected openai:MODEL"),
        ("openai:http://h/v1", "expected openai:MODEL"),
        ("openai:m?base_url=localhost:8000/v1", "its base_url is no address"),
        ("openai:m?base_url=file:///etc", "its base_url is no address"),
        ("openai:m?base_url=http://h:x/v1", "its base_url is no address"),
        (f"openai:m?base_url=http://user:{SECRET}@h/v1", "which may be a key .*as OPENAI_API_KEY"),
        (f"openai:m?base_url=http://{WORD}@h/v1", "which may be a key"),
        (f"openai:m?base_url=http://h/v1?code={WORD}", "which may be a key"),
        (f"openai:m?base_url=http://h/v1&api_key={OTHER_SECRET}", "api_key=… would be in reports"),
        (f"openai:m?api_key={SECRET}&base_url=http://h/v1", "api_key=… would be in reports"),
        ("openai:m?base_url=http://h/v1&n=2", "n=… is expected once at most"),
        ("openai:m?base_url=http://h/v1&a.toml&b.toml", "names 2 prompt files"),
        ("openai:m?base_url=http://h/v1&none.toml", "its prompt file cannot be read"),
    ],
)
def test_a_spec_that_is_no_address_or_has_a_key_is_refused_without_telling_it(spec, message):
    with pytest.raises(AbaloError, match=message) as caught:
        TASK.load(spec, RunOptions(calling=FRESH), CORPUS)
    assert SECRET not in str(caught.value)
    assert WORD not in str(caught.value)
    assert "Traceback" not in str(caught.value)


@pytest.mark.parametrize("key", [SECRET, OTHER_SECRET])
def test_a_key_of_the_environment_is_sent_and_told_nowhere(monkeypatch, key):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with serving(Mock(lambda *_: f"Positive. {key}")) as mock:
        found, model = asked(mock)
        assert mock.headers[0]["Authorization"] == f"Bearer {key}"
        assert key not in repr([found, model.settings, model.fingerprint, model.name])
        assert key not in repr(vars(model.asker.source))
        refusal = 401, {}, json.dumps({"error": {"message": f"Incorrect key: {key}"}}).encode()
        mock.raw = [refusal]
        with pytest.raises(
            AbaloError, match="status 401: Incorrect key: …; the key is the value of OPENAI_API_KEY"
        ) as e:
            model.predict(["another"])
        assert key not in str(e.value)


def test_without_a_key_none_is_sent():
    with serving(Mock(label)) as mock:
        asked(mock)
        assert "Authorization" not in mock.headers[0]
        mock.raw = [(401, {}, b"")]
        with pytest.raises(AbaloError, match="OPENAI_API_KEY, which is not set"):
            asked(mock, ["another"])


def test_a_key_that_no_header_can_hold_is_refused(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "ключ")
    with serving(Mock()) as mock, pytest.raises(AbaloError, match="OPENAI_API_KEY holds characters") as caught:
        loaded(mock)
    assert "ключ" not in str(caught.value)


def test_the_host_that_receives_texts_is_told_and_can_be_refused(monkeypatch):
    spec = "openai:m?base_url=http://texts.invalid:8000/v1"
    assert TASK.load(spec, RunOptions(calling=FRESH), CORPUS).sends_to == "texts.invalid:8000"
    alone = RunOptions(calling=Calling(no_cache=True, local_only=True))
    monkeypatch.setattr(compatible, "served", lambda *_: pytest.fail("asked before it was refused"))
    with pytest.raises(
        AbaloError, match=r"sends the texts of the corpus to texts\.invalid:8000; refused by --abalo-local"
    ):
        TASK.load(spec, alone, CORPUS)
    monkeypatch.setattr(compatible, "served", lambda *_: ("", ""))
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1/")
    assert TASK.load("openai:m", alone, CORPUS).settings["base_url"] == "http://localhost:1/v1"


@pytest.mark.parametrize("root", ["weights/1", "weights/2"])
def test_other_weights_behind_the_same_name_are_another_model(monkeypatch, root):
    with serving(Mock()) as mock:
        usual = loaded(mock).fingerprint
        assert loaded(mock).fingerprint == usual
        assert loaded(mock, model_args={"temperature": 0}).fingerprint != usual
        assert loaded(mock, model_args={"concurrency": 3}).fingerprint == usual
        monkeypatch.setattr(compatible, "served", lambda *_: ("m:1b", root))
        assert loaded(mock).fingerprint != usual


def test_only_the_command_line_names_a_server(tmp_path):
    file = tmp_path / "thresholds.toml"
    file.write_text('[run]\nmodel = "openai:m?base_url=http://texts.invalid/v1"\n', "utf-8")
    with pytest.raises(AbaloError, match="only the command line can name something on a network"):
        load(file)


# Features that servers have or lack


@every(
    ("lacks", "refuses", "sent", "told"),
    [
        ((), 400, 1, []),
        (("response_format",), 400, 2, ["refuses response_format, so replies are read without structured outputs"]),
        (("response_format",), 422, 2, ["refuses response_format"]),
        (("seed",), 400, 2, ["refuses seed, so repeats have no seed"]),
        (("response_format", "seed"), 400, 3, ["refuses response_format", "refuses seed"]),
    ],
)
def test_a_field_that_a_server_lacks_is_left_out_once_and_told(tmp_path, lacks, refuses, sent, told):
    path = tmp_path / "ask.toml"
    path.write_text('reply = "json"', "utf-8")
    says = lambda prompt, _: label(prompt, True)  # noqa: E731
    with serving(Mock(says, lacks=lacks, refuses=refuses)) as mock, warnings.catch_warnings(record=True) as caught:
        found, model = asked(mock, [f"a good film, {k}" for k in range(20)], file=path)
    assert {each.labels for each in found} == {("positive",)}
    assert len(mock.asked) == sent + 19
    assert (model.calls.made, model.calls.failed) == (20, sent - 1)
    said = [str(each.message) for each in caught]
    assert len(said) == len(told)
    assert all(part in each for part, each in zip(told, said, strict=True))
    schema = mock.asked[0]["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["label"]["enum"] == ["negative", "positive"]
    assert all(not {*lacks} & each.keys() for each in mock.asked[sent:])


@every("lacks", [("response_format",), ("seed",), ("seed", "response_format")])
def test_a_refusal_that_names_nothing_costs_what_the_server_lacks_alone(tmp_path, lacks):
    path = tmp_path / "ask.toml"
    path.write_text('reply = "json"', "utf-8")
    says = lambda prompt, _: label(prompt, True)  # noqa: E731
    lacking = Mock(says, lacks=lacks, refuses=422, names=False)
    with serving(lacking) as mock, warnings.catch_warnings(record=True) as caught:
        asked(mock, [f"a good film, {k}" for k in range(20)], file=path)
    assert sorted(re.findall(r"refuses (\w+),", " ".join(str(each.message) for each in caught))) == sorted(lacks)
    kept = {"seed", "response_format"} - {*lacks}
    assert all({"seed", "response_format"} & each.keys() == kept for each in mock.asked[-19:])


def test_a_field_that_was_accepted_is_never_left_out_for_an_error_that_does_not_name_it(tmp_path):
    path = tmp_path / "ask.toml"
    path.write_text('reply = "json"', "utf-8")
    says = lambda prompt, _: label(prompt, True)  # noqa: E731
    with (
        serving(Mock(says, stray=10)) as mock,
        warnings.catch_warnings(record=True) as caught,
        pytest.raises(AbaloError, match="status 400: upstream error"),
    ):
        asked(mock, [f"a good film, {k}" for k in range(20)], file=path)
    assert all({"seed", "response_format"} <= each.keys() for each in mock.asked)
    assert caught == []


def test_a_key_is_never_cut_in_two(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-the-house")
    answer = 200, {}, b"x" * 290 + b" sk-secret-of-the-house"
    with serving(Mock(raw=[answer])) as mock, pytest.raises(AbaloError, match="expected JSON") as raised:
        loaded(mock).predict(["a film"])
    assert "sk-" not in str(raised.value)


def test_a_refusal_of_the_request_itself_is_no_refusal_of_a_field(tmp_path):
    path = tmp_path / "ask.toml"
    path.write_text('reply = "json"', "utf-8")
    said = b'{"error": {"message": "maximum context length is 8"}}'
    with serving(Mock(raw=[(400, {}, said)])) as mock:
        model = loaded(mock, file=path)
        with pytest.raises(AbaloError, match="status 400: maximum context length is 8"):
            model.predict(["a film"])
        assert len(mock.asked) == 2
        mock.raw, mock.says = [], label
        assert model.predict(["a good film"])[0].labels == ("positive",)
        assert {"response_format", "seed"} < mock.asked[-1].keys()


@pytest.mark.parametrize("reasoning", ["content", "reasoning_content", "reasoning"])
def test_thoughts_are_no_answer(reasoning):
    with serving(Mock(label, reasoning=reasoning, choices=3, usage=False)) as mock:
        found, model = asked(mock)
    assert found[0].labels == ("positive",)
    assert (model.calls.input_tokens, model.calls.output_tokens) == (0, 0)


@every(
    ("answer", "labels", "reply"),
    [
        (message([{"type": "text", "text": "posi"}, {"type": "text", "text": "tive"}]), ("positive",), "positive"),
        (message(None, refusal="I cannot."), (), ""),
        (message("positive", refusal="I cannot."), (), ""),
        (message(None, reasoning_content="positive"), (), ""),
        (message(""), (), ""),
        (message(None, "content_filter"), (), ""),
        (message("<think>positive", "length"), (), "<think>positive"),
        (message("positive\ud800"), (), "positive\ud800"),
    ],
)
def test_a_reply_without_an_answer_is_unreadable(answer, labels, reply):
    with serving(Mock(raw=[answer])) as mock, warnings.catch_warnings(record=True):
        (found,), model = asked(mock)
    assert (found.labels, found.reply, found.answered) == (labels, reply, bool(labels))
    assert model.calls.made == (1 if labels else 2)


def test_a_reply_that_was_cut_off_is_told_once():
    with serving(Mock(raw=[message("The text is", "length")])) as mock, warnings.catch_warnings(record=True) as caught:
        found, _ = asked(mock, ["a", "b", "c"])
    assert not any(each.answered for each in found)
    (said,) = [str(each.message) for each in caught]
    assert "a reply was cut off at its greatest length; raise max_tokens" in said


# Scores of labels


def sure(text):
    """A reply of one token, with the other label behind it."""
    other = {"positive": "negative", "negative": "positive"}[text]
    return [(text, {text: 0.75, other: 0.25})]


def test_labels_have_the_scores_of_their_tokens_also_when_kept(tmp_path):
    says = lambda prompt, _: label(prompt).strip(".").lower()  # noqa: E731
    with serving(Mock(says, shares=sure)) as mock:
        for with_text in (True, False):
            for _ in range(2):
                calling = Calling(replies=tmp_path / str(with_text))
                model = loaded(mock, calling=calling, with_text=with_text)
                good, bad = model.predict(["a good film", "a bad film"])
                assert [good.probability(each) for each in model.labels] == pytest.approx([0.25, 0.75])
                assert bad.probability("negative") == pytest.approx(0.75)
            assert model.calls.made == 0
        assert len(mock.asked) == 4
        assert mock.asked[0].items() >= {"logprobs": True, "top_logprobs": 20}.items()


def test_scores_follow_renamed_labels(tmp_path):
    path = tmp_path / "ask.toml"
    path.write_text('[names]\npositive = "zeal"\nnegative = "scorn"', "utf-8")
    shares = lambda text: [(text, {"zeal": 0.6, "scorn": 0.4})]  # noqa: E731
    with serving(Mock(lambda *_: "zeal", shares=shares)) as mock:
        (found,), _ = asked(mock, file=path)
    assert (found.labels, found.probability("positive")) == (("positive",), pytest.approx(0.6))


def test_a_server_without_logprobs_is_asked_without_them():
    refuses = (422, {}, b'{"error": "logprobs are not supported", "error_type": "validation"}')
    with serving(Mock(raw=[refuses, WORKS])) as mock, warnings.catch_warnings(record=True) as caught:
        (found,), _ = asked(mock)
    assert (found.labels, found.probabilities) == (("positive",), None)
    assert "logprobs" not in mock.asked[1]
    assert "refuses logprobs, so labels have no scores" in str(caught[0].message)


@every(
    "told",
    [
        3,
        {"content": 3},
        {"content": [3]},
        {"content": [{"token": 3, "logprob": 0.0}]},
        {"content": [{"token": "positive"}]},
        {"content": [{"token": "positive", "logprob": "0"}]},
        {"content": [{"token": "positive", "logprob": 5}]},
        {"content": [{"token": "positive", "logprob": float("nan")}]},
        {"content": [{"token": "positive", "logprob": 0, "top_logprobs": [None]}]},
        {"tokens": ["positive"], "token_logprobs": [0]},
    ],
)
def test_other_logprobs_than_documented_are_no_scores(told):
    answer = json.loads(WORKS[2])
    answer["choices"][0]["logprobs"] = told
    with serving(Mock(raw=[(200, {}, json.dumps(answer).encode())])) as mock:
        (found,), _ = asked(mock)
    assert (found.labels, found.probabilities) == (("positive",), None)


def test_kept_scores_of_another_form_are_none(tmp_path):
    says = lambda prompt, _: label(prompt).strip(".").lower()  # noqa: E731
    with serving(Mock(says, shares=sure)) as mock:
        loaded(mock, calling=Calling(replies=tmp_path)).predict(["a good film"])
        (file,) = tmp_path.glob("*.jsonl")
        (line,) = [json.loads(each) for each in file.read_text("utf-8").splitlines() if each]
        for scores in ([0.5], [2.0, 0.0], ["a", "b"], 3, {}, [0.1, 0.2, 0.7]):
            file.write_text(json.dumps({**line, "scores": scores}) + "\n", "utf-8")
            (found,) = loaded(mock, calling=Calling(replies=tmp_path)).predict(["a good film"])
            assert (found.labels, found.probabilities) == (("positive",), None)


# Failures


BUSY, BROKEN = (429, {"Retry-After": "0"}, b""), (503, {}, b"<html>upstream</html>")
WORKS = message("positive")


@every(
    ("raw", "retried"),
    [
        ([BUSY, WORKS], 1),
        ([BROKEN, BUSY, (500, {}, b""), WORKS], 3),
        ([None, WORKS], 1),
        ([(200, {"Content-Length": "999"}, b'{"choi'), WORKS], 1),
        ([(200, {}, b'{"error": {"message": "overloaded", "code": 529}}'), WORKS], 1),
    ],
)
def test_what_passes_is_tried_again_and_counted(raw, retried):
    with serving(Mock(raw=raw)) as mock:
        (found,), model = asked(mock)
    assert found.labels == ("positive",)
    assert (model.calls.made, model.calls.retried, model.calls.failed) == (1, retried, 0)


HUGE = b"[" * 100_000


@every(
    ("answer", "tries", "message"),
    [
        (BUSY, 6, "status 429"),
        (BROKEN, 6, "status 503: <html>upstream</html>"),
        (None, 6, "RemoteProtocolError"),
        (
            (404, {}, b'{"error": {"message": "model \'m\' not found"}}'),
            1,
            "status 404: model 'm' not found; expected base",
        ),
        ((403, {}, b"no"), 1, "status 403: no; the key is"),
        ((413, {}, b"\x1b[2J"), 1, r"status 413: \\u001b\[2J"),
        (
            (302, {"Location": "http://elsewhere.invalid/v1"}, b""),
            1,
            "redirects to http://elsewhere.invalid/v1, which is",
        ),
        ((307, {"Location": "http://127.0.0.1:9/v1"}, b""), 1, "redirects to"),
        ((204, {}, b""), 1, "expected JSON"),
        ((200, {}, b""), 1, "expected JSON"),
        ((200, {"Content-Type": "text/event-stream"}, b'data: {"choices": []}\n\ndata: [DONE]\n'), 1, "expected JSON"),
        ((200, {}, HUGE), 1, "expected JSON"),
        ((200, {}, b"1" * 9_999), 1, "expected JSON"),
        ((200, {}, b" " * (LARGEST + 1)), 1, "an answer of more than 16,777,216 bytes"),
        ((200, {"Content-Encoding": "gzip"}, b"not gzip"), 1, "DecodingError"),
        *(((200, {}, each), 1, "expected choices") for each in (b"null", b"[]", b"3", b'{"choices": []}', b'{"a": 1}')),
        ((200, {}, b'{"error": {"message": "quota", "code": 402}}'), 1, "answered 'quota'; expected choices"),
        *(
            ((200, {}, b'{"choices": [%s]}' % each), 1, "a choice without a message of text")
            for each in (
                b"null",
                b"{}",
                b'{"message": null}',
                b'{"message": {"content": 3}}',
                b'{"message": "positive"}',
            )
        ),
    ],
)
def test_a_failure_is_one_error_that_names_model_and_host(answer, tries, message):
    with serving(Mock(raw=[answer])) as mock:
        model = loaded(mock)
        with pytest.raises(AbaloError, match=message) as caught:
            model.predict(["a film"])
        assert str(caught.value).startswith("model openai:m:1b: 127.0.0.1:")
        assert len(mock.asked) == tries
        assert (model.calls.made, model.calls.failed) == (0, 1)
        mock.raw, mock.says = [], label
        assert model.predict(["a good film"])[0].labels == ("positive",)


def test_a_server_that_is_not_there_is_told():
    with pytest.raises(AbaloError, match=r"model openai:m: 127.0.0.1:9: ConnectError"):
        TASK.load("openai:m?base_url=http://127.0.0.1:9/v1", RunOptions(calling=FRESH), CORPUS).predict(["x"])


def test_an_address_without_v1_is_told():
    with serving(Mock(label)) as mock:
        mock.base_url = mock.base_url.removesuffix("/v1")
        with pytest.raises(AbaloError, match="expected base_url up to /v1"):
            asked(mock)


def test_an_answer_that_never_ends_is_given_up():
    over = threading.Event()
    with serving(Mock(lambda *_: "positive" if over.wait(5) else "")) as mock:
        model = loaded(mock, model_args={"timeout": 0.02, "retries": 1})
        with pytest.raises(AbaloError, match=r"no answer within 0\.02 s"):
            model.predict(["a film"])
        over.set()
    assert len(mock.asked) == 2


def test_strange_usage_counts_nothing():
    for usage in (None, [], 3, {"prompt_tokens": -1}, {"prompt_tokens": "7"}, {"prompt_tokens": True, "x": 10**400}):
        answer = {**json.loads(WORKS[2]), "usage": usage}
        with serving(Mock(raw=[(200, {}, json.dumps(answer).encode())])) as mock:
            _, model = asked(mock)
        assert (model.calls.made, model.calls.input_tokens) == (1, 0)


# Limits and kept replies


def test_calls_are_limited_kept_and_in_flight_together(tmp_path):
    calling = Calling(replies=tmp_path, rate=MinuteRate(60_000, 1e9), max_calls=5)
    together = threading.Barrier(4, timeout=5)

    def says(prompt, _):
        if len(mock.asked) > 1:  # the first call is alone
            together.wait()
        return label(prompt)

    texts = [f"a good film, {k}" for k in range(5)]
    with serving(Mock(says)) as mock:
        model = loaded(mock, calling=calling, model_args={"concurrency": 4})
        model.predict(texts)
        again = loaded(mock, calling=calling)
        assert [each.labels for each in again.predict(texts)] == [("positive",)] * 5
        assert (model.calls.made, again.calls.made, again.calls.kept) == (5, 0, 5)
        short = loaded(mock, calling=Calling(no_cache=True, max_calls=0))
        assert not short.predict(["another"])[0].answered
        assert short.calls.left_out == 2  # with its second try, as an unreadable reply has
        assert len(mock.asked) == 5
