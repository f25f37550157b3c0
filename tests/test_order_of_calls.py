"""What a session says depends on the arguments of a call, never on the calls before it."""

import json

import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

import abalo
from abalo.cli import main
from abalo.core.records.json_records import as_json
from abalo.errors import AbaloError

CASES = """
[gate]
seeds = [1, 2]

[[ner.baseline]]
min_f1 = 0.2

[[ner.accents]]
max_f1_drop = 0.5

[[ner.character_noise]]
rate = 0.2

[[ner.letter_case]]
deep = true
max_f1_drop = 0.5
"""
MODEL = """
def make():
    return lambda batch: [
        ["B-PER" if word[:1] == "J" else "B-LOC" if word.startswith("V") else "O" for word in words] for words in batch
    ]
"""
TIMES = ("date", "seconds", "calls")
"""What may differ: clocks."""

SENTENCES = "".join(f"José{k} B-PER\nsaiu O\nde O\nVitória{k % 7} B-LOC\n{k} O\n\n" for k in range(80))
"""Eighty people leave seven towns."""


def timeless(value):
    """The value without clocks."""
    if isinstance(value, dict):
        return {name: timeless(each) for name, each in value.items() if not name.endswith(TIMES)}
    return [timeless(each) for each in value] if isinstance(value, list | tuple) else value


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("order")
    folder.joinpath("corpus.conll").write_text(SENTENCES, "utf-8")
    folder.joinpath("by_letter.py").write_text(MODEL, "utf-8")
    folder.joinpath("thresholds.toml").write_text(CASES, "utf-8")
    return folder


def session_of(folder, **options):
    return abalo.Session(
        "ner",
        f"{folder}/by_letter.py:make",
        folder / "corpus.conll",
        folder / "thresholds.toml",
        language="pt",
        **options,
    )


def told(call):
    """What a call says, times aside; the message of an error."""
    try:
        found = call()
    except AbaloError as error:
        return str(error)
    said = as_json(found.document if isinstance(found, abalo.Report) else list(found.results))
    return json.loads(json.dumps(timeless(said)))


CALLS = {
    "accents": lambda session: session.judge("accents", max_f1_drop=0.5),
    "noise": lambda session: session.judge("character_noise", rate=0.2),
    "unknown": lambda session: session.judge("acents"),
    "clean score": lambda session: session.judge("baseline", min_f1=0.2),
    "run": lambda session: session.run(),
    "deep run": lambda session: session.run(deep=True),
    "facts, then a deep run": lambda session: (session.prepared.facts, session.run(deep=True))[1],
}


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"budget": "300f"}], ids=["whole", "budget"])
def test_calls_in_any_order_say_the_same(files, options):
    alone = {name: told(lambda: call(session_of(files, **options))) for name, call in CALLS.items()}  # noqa: B023

    class Orders(RuleBasedStateMachine):
        @initialize()
        def begin(self):
            self.session = session_of(files, **options)

        def say(self, name):
            assert told(lambda: CALLS[name](self.session)) == alone[name]

    for number, each in enumerate(CALLS):
        setattr(Orders, f"call_{number}", rule()(lambda self, each=each: self.say(each)))
    Orders.TestCase.settings = settings(max_examples=4, stateful_step_count=5, deadline=None)
    Orders.TestCase("runTest").runTest()


def test_a_budget_of_a_run_leaves_a_case_as_it_is(files):
    session = session_of(files, budget="300f")
    before = session.judge("accents").results[0].distinct
    design = as_json(session.run().document)["tasks"]["ner"]["design"]
    assert (before, design["sentences"], design["of"]) == (80, 64, 80)
    assert session.judge("accents").results[0].distinct == 80


def test_a_report_of_a_deep_run_is_whole_though_facts_were_read_before(files, tmp_path):
    session = session_of(files)
    assert session.prepared.facts["options"]["deep"] is False
    report = session.run(deep=True)
    report.write(tmp_path)
    assert as_json(report.document)["options"]["deep"] is True
    assert main(["verdict", str(tmp_path), "--recount"]) == 0
