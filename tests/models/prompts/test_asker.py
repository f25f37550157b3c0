"""Calls, replies that are kept, and replies that cannot be read."""

import json

import pytest

from abalo.errors import AbaloError
from abalo.models.prompts.cache import Kept, ReplyCache
from abalo.models.prompts.calls import CallLimit
from abalo.models.prompts.labels import LabelForm
from abalo.models.prompts.protocol import Call
from tests.models.prompts.scripted import Scripted, asker_of

FORM = LabelForm(("bad", "good"), several=False)


def says(prompt):
    return "good" if "fine" in prompt else "bad" if "awful" in prompt else "hm"


def values(found):
    return [each.value for each in found]


def test_equal_inputs_are_one_call_and_the_same_again_is_none():
    source = Scripted(says)
    asker = asker_of(source, FORM)
    assert values(asker.answers(["fine", "awful", "fine"])) == [("good",), ("bad",), ("good",)]
    assert len(source.asked) == 2
    asker.answers(["fine"])
    assert len(source.asked) == 2
    assert (asker.calls.made, asker.calls.kept) == (2, 1)


def test_a_repeat_is_another_call():
    source = Scripted(says)
    asker = asker_of(source, FORM)
    for index in (0, 1, 1):
        asker.answers(["fine"], index)
    assert [call.repeat for call in source.asked] == [0, 1]


@pytest.mark.parametrize(("draws", "retries", "calls"), [(True, 2, 3), (None, 1, 2), (False, 2, 1), (True, 0, 1)])
def test_what_cannot_be_read_is_asked_again_if_the_reply_may_differ(draws, retries, calls):
    source = Scripted(says, draws)
    (found,) = asker_of(source, FORM, retries=retries).answers(["so-so"])
    assert (found.value, found.valid, found.reply) == ((), False, "hm")
    assert [call.attempt for call in source.asked] == list(range(calls))


def test_a_reply_that_can_be_read_in_the_end_counts():
    replies = iter(["hm", "good"])
    (found,) = asker_of(Scripted(lambda _: next(replies), draws=True), FORM).answers(["so-so"])
    assert (found.value, found.valid) == (("good",), True)


def test_calls_stop_at_the_limit_and_those_left_out_are_counted():
    source = Scripted(says)
    asker = asker_of(source, FORM, most=2)
    found = asker.answers(["fine 1", "fine 2", "fine 3"])
    assert [each.valid for each in found] == [True, True, False]
    assert (len(source.asked), asker.calls.left_out) == (2, 1)


def test_planning_makes_no_call_and_counts_those_that_are_not_kept():
    source = Scripted(says)
    asker = asker_of(source, FORM)
    asker.answers(["fine"])
    plan = asker.estimating()
    plan.answers(["fine", "awful", "awful", "so-so"])
    plan.answers(["fine"], 1)
    assert plan.estimated == 3
    assert len(source.asked) == asker.calls.made == 1


def test_the_fingerprint_knows_model_and_prompt():
    usual = asker_of(Scripted(says), FORM).fingerprint
    assert usual == asker_of(Scripted(says), FORM).fingerprint
    others = [
        asker_of(Scripted(says, fingerprint="2"), FORM),
        asker_of(Scripted(says), FORM, system="Think."),
        asker_of(Scripted(says), FORM, labels={"bad": "not good"}),
        asker_of(Scripted(says), LabelForm(("bad", "fine"), several=False)),
    ]
    assert len({usual, *(each.fingerprint for each in others)}) == 5


def test_replies_are_kept_on_disk_and_a_line_cut_short_is_asked_again(tmp_path):
    folder = tmp_path / "replies"

    def asked():
        source = Scripted(says)
        asker = asker_of(source, FORM)
        asker.cache = ReplyCache(asker.fingerprint, folder)
        return len(source.asked) or (values(asker.answers(["fine", "awful"])), len(source.asked))

    assert asked() == ([("good",), ("bad",)], 2)
    assert asked() == ([("good",), ("bad",)], 0)
    (path,) = folder.glob("*.jsonl")
    path.write_bytes(path.read_bytes()[:-10])
    assert asked() == ([("good",), ("bad",)], 1)
    assert folder.joinpath(".gitignore").read_text("utf-8") == "*\n"


def test_without_text_only_what_was_read_is_kept(tmp_path):
    source = Scripted(lambda prompt: f"{says(prompt)}\n{prompt}")
    for _ in range(2):
        asker = asker_of(source, FORM, keeps_text=False)
        asker.cache = ReplyCache(asker.fingerprint, tmp_path)
        found = asker.answers(["fine secret", "secret"])
        assert (found[0].value, found[0].reply, found[0].valid) == (("good",), "", True)
    assert len(source.asked) == 2
    (path,) = tmp_path.glob("*.jsonl")
    assert "secret" not in path.read_text("utf-8")
    assert [json.loads(line)["parsed"] for line in path.read_text("utf-8").splitlines() if line] == [["good"], None]


def test_a_reply_that_another_process_has_kept_needs_no_call(tmp_path):
    def opened(source):
        asker = asker_of(source, FORM)
        asker.cache = ReplyCache(asker.fingerprint, tmp_path)
        return asker

    first, second = Scripted(says), Scripted(says)
    one, other = opened(first), opened(second)
    one.answers(["fine"])
    other.answers(["awful"])
    assert values(one.answers(["fine", "awful"])) == values(other.answers(["fine", "awful"])) == [("good",), ("bad",)]
    assert (len(first.asked), len(second.asked)) == (1, 1)


@pytest.mark.parametrize("shared", [False, True])
def test_the_limit_holds_for_all_models_and_processes_of_a_run(tmp_path, shared):
    path = tmp_path / "calls" if shared else None
    limit = CallLimit(5, path)
    askers = [asker_of(Scripted(says), FORM) for _ in range(3)]
    for asker in askers:
        asker.calls.limit = CallLimit(5, path) if shared else limit
    for number, asker in enumerate(askers):
        asker.answers([f"fine {number}", f"awful {number}"])
    assert [asker.calls.made for asker in askers] == [2, 2, 1]
    assert [asker.calls.left_out for asker in askers] == [0, 0, 1]


def test_a_folder_that_is_none_is_told(tmp_path):
    tmp_path.joinpath("file").write_text("", "utf-8")
    with pytest.raises(AbaloError, match=r"m.jsonl: replies cannot be kept: File exists"):
        ReplyCache("m", tmp_path / "file").put("k", Kept("x"))


def test_the_key_of_a_call_depends_on_every_part():
    calls = [
        Call((("user", "a"),)),
        Call((("system", "a"),)),
        Call((("user", "a"),), 1),
        Call((("user", "a"),), 0, 1),
        Call((("user", "a"), ("user", "a"))),
    ]
    assert len({call.key("m") for call in calls} | {calls[0].key("n")}) == 6
