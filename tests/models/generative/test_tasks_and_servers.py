"""Every task that takes a prompt, from a prompt file to a verdict, by every kind of server of chat completions."""

from functools import cache
from warnings import catch_warnings

import pytest

from abalo import Session
from abalo.core.protocols.options import Calling, RunOptions
from abalo.core.protocols.task import tasks
from abalo.errors import AbaloError
from tests.conformance.subjects import corpus, corpus_named
from tests.models.generative.mock_server import Mock, message, serving

SCORES = {
    **dict.fromkeys(("pos", "classification", "pairs", "aspects", "relations", "choice"), "accuracy"),
    **dict.fromkeys(("ner", "reading"), "f1"),
    "translation": "chrf",
}
WITH_SCORES = {"classification", "pairs", "aspects", "relations"}
FEW = 2
FRESH = Calling(no_cache=True)


@cache
def shots(name):
    """The examples of a task's corpus with their gold answers, as far as the tests go."""
    with serving(Mock()) as mock:
        model = tasks()[name].load(mock.spec(), RunOptions(calling=FRESH), corpus(name))
    return model.asker.prompt.prompting.shots(corpus_named(tasks()[name]))


def known_replies(model, found):
    """The right reply to the prompt of each example."""
    asker = model.asker
    return {asker.prompt.conversation(each.given)[-1][1]: asker.form.said(each.given, each.gold) for each in found}


def in_tokens(text):
    """The reply in pieces of three characters, each sure but for a tenth."""
    return [(piece, {piece: 0.9, "?!": 0.1}) for piece in (text[k : k + 3] for k in range(0, len(text), 3))]


JSON, THINKS, FIELD = ("response_format",), "content", "reasoning_content"

SERVERS = (
    ((), False, "", 1),
    ((), True, THINKS, 3),
    ((), True, FIELD, 1),
    ((), False, FIELD, 3),
    (JSON, True, "", 3),
    (JSON, False, THINKS, 1),
    (JSON, True, FIELD, 1),
    (JSON, True, THINKS, 1),
)
"""What servers lack, whether they tell alternatives, where they think, and how many choices they give."""


def prompt_file(folder, name, lines):
    path = folder / f"{name}.toml"
    path.write_text(f'system = "Answer."\n{lines}\n', "utf-8")
    return path


@pytest.mark.parametrize("name", SCORES)
def test_each_kind_of_server_gives_the_same_answers(tmp_path, name):
    path = prompt_file(tmp_path, name, 'reply = "json"')
    some = shots(name)[:FEW]
    inputs = [each.given for each in some]
    with serving(Mock()) as mock, catch_warnings(record=True) as told:
        for mock.lacks, logprobs, mock.reasoning, mock.choices in SERVERS:
            model = tasks()[name].load(mock.spec(path), RunOptions(calling=FRESH), corpus(name))
            replies = known_replies(model, some)
            mock.says = lambda prompt, _, right=replies: right[prompt]
            mock.shares = in_tokens if logprobs else None
            mock.asked.clear()
            found = model.predict(inputs)
            form, gold = model.asker.form, [*replies.values()]
            assert all(each.answered for each in found)
            assert [each.value for each in model.asker.answers(inputs)] == [*map(form.read, gold, inputs)]
            assert len(mock.asked) == len(replies) + bool(mock.lacks and form.schema)
            assert {"logprobs" in each for each in mock.asked} == {name in WITH_SCORES}
            scored = logprobs and name in WITH_SCORES
            assert {getattr(each, "probabilities", None) is not None for each in found} == {scored}
    assert len(told) == 4 * (form.schema is not None)


@pytest.mark.parametrize("name", sorted({*tasks()} - {*SCORES}))
@pytest.mark.parametrize("spec", ["openai:m?base_url=http://127.0.0.1:9/v1", "inspect:hf/m"])
def test_other_tasks_say_that_they_take_no_prompt(name, spec):
    with pytest.raises(AbaloError, match="this task is not asked by a prompt"):
        tasks()[name].load(spec, RunOptions(), corpus(name))


QUICK = {"classification", "reading"}


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in SCORES])
def test_from_a_prompt_file_to_a_verdict(tmp_path, name):
    path = prompt_file(tmp_path, name, "retries = 0")
    bound = {f"min_{SCORES[name]}": 0.2}

    def judged(mock):
        spec, options = mock.spec(path), {"limit": 6, "no_cache": True, "model_args": "temperature=0"}
        session = Session(name, spec, corpus_named(tasks()[name]), **options)
        found = known_replies(session.model, shots(name))
        mock.says = lambda prompt, _: found[prompt]
        return session.judge("baseline", **bound)

    def score(result):
        return result.metrics[SCORES[name]].value

    with serving(Mock()) as mock:
        right = judged(mock)
        assert right.verdict in ("pass", "inconclusive")  # a few examples fail a bound, and never pass it
        assert score(right) == pytest.approx(1)
        mock.raw = [message("I cannot help with that, sorry: ###")]
        wrong = judged(mock)
        assert wrong.verdict in ("fail", "inconclusive")
        assert score(wrong) < 0.4
        mock.raw = [(400, {}, b"{}")]
        with pytest.raises(AbaloError, match=r"model openai:m:1b: .*status 400"):
            judged(mock)


def by_words(prompt, _enforced=False):
    """Negative if the text has a word such as "não", else positive."""
    words = prompt.rpartition("Text: ")[2].casefold().split()
    return "negative" if {"não", "nem", "ruim", "péssimo"} & {*words} else "positive"


@pytest.mark.slow
def test_labels_with_scores_are_judged_and_attacked_by_them(tmp_path):
    path = prompt_file(tmp_path, "classification", "retries = 0")
    other = {"positive": "negative", "negative": "positive"}

    def judged(mock, case, **values):
        spec, options = mock.spec(path), {"limit": 60, "no_cache": True, "model_args": "temperature=0"}
        return Session("classification", spec, corpus_named(tasks()["classification"]), **options).judge(case, **values)

    few = {"sample": 3, "budget": 30, "least_similarity": 0.1}
    with serving(Mock(by_words)) as mock:
        without, attack_without = judged(mock, "accents", max_accuracy_drop=0.3), judged(mock, "word_attack", **few)
        mock.shares = lambda text: [(text, {text: 0.8, other[text]: 0.2})]
        found, attack = judged(mock, "accents", max_accuracy_drop=0.3), judged(mock, "word_attack", **few)
    assert (without.verdict, found.verdict) == ("pass", "pass")
    drops = [each.metrics["prob_drop_gold"] for each in (without, attack_without, found, attack)]
    assert [each.n for each in drops] == [0, 0, 60, 3]
    assert attack.metrics["calibration_error"].n == 3
