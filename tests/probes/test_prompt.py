"""The prompt as a field that changes, on services that mind it and that do not."""

import re

import pytest

from abalo.api import Session
from abalo.errors import AbaloError
from abalo.probes.prompt import PromptFields
from tests.conftest import problems

SERVICE = """
import json

class Service:
    def __init__(self, minds, draws):
        self.minds, self.draws, self.asked = minds, draws, 0

    def replies(self, prompts):
        return [self.answer(prompt[-1]["content"]) for prompt in prompts]

    def answer(self, said):
        head, _, text = said.lower().rpartition("text:")
        good, number = "good" in text, next((int(word) for word in text.split() if word.isdigit()), 1)
        self.asked += 1
        if self.minds and number % 5 == 0 and "negative, positive" not in head:
            good = False
        if self.draws and self.asked % 12 == 0:
            good = not good
        return "positive" if good else "negative"

def minds():
    return Service(True, False)

def calm():
    return Service(False, False)

def drawing():
    return Service(False, True)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    rows = [f"{('bad', 'good')[k // 5 % 2]} {k}\t{('negative', 'positive')[k // 5 % 2]}" for k in range(120)]
    tmp_path.joinpath("dev.tsv").write_text("text\tlabel\n" + "\n".join(rows) + "\n", "utf-8")
    tmp_path.joinpath("service.py").write_text(SERVICE, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def judged(model, **entry):
    session = Session("classification", f"service.py:{model}", "dev.tsv", language="en")
    return session.judge("prompt", **entry)


def test_a_model_that_minds_the_order_of_labels_is_told_so(folder):
    found = judged("minds", draws=1)
    prompts = PromptFields.of(found.results[0]).prompts
    assert prompts.sensitive
    assert (prompts.best, prompts.worst) == ("as it is", "label_order: reversed")
    assert prompts.scores["label_order: reversed"] == pytest.approx(0.9)  # 12 of 120 texts are good and asked otherwise
    assert prompts.loss.value == pytest.approx(0.1)
    assert prompts.loss.low > 0
    assert prompts.beyond.low > 0
    assert prompts.changing == pytest.approx(0.1)
    assert prompts.examples[0].answers["negative"] >= 1


@pytest.mark.slow
@pytest.mark.parametrize("model", ["calm", "drawing"])
def test_a_model_that_does_not_mind_is_not(folder, model):
    found = judged(model)
    prompts = PromptFields.of(found.results[0]).prompts
    assert prompts.sensitive is False
    assert prompts.loss.low == 0
    if model == "calm":
        assert (prompts.sd, prompts.changing, prompts.beyond.high) == (0, 0, 0)


def test_its_calls_are_planned_one_by_one(folder):
    text = '[gate]\nlanguage = "en"\n[[classification.prompt]]\nways = ["label_order", "letter_case"]\n'
    folder.joinpath("t.toml").write_text(text, "utf-8")
    session = Session("classification", "service.py:calm", "dev.tsv", thresholds="t.toml", no_cache=True)
    calls = session.prepared.estimate_calls(session.cases())
    assert (calls.clean, [*calls.cases.values()]) == (120, [3 * 120])
    report = session.run()
    assert session.model.calls.made == calls.calls == 480
    report.write(folder / "reports")
    page = folder.joinpath("reports", "robustness.md").read_text("utf-8")
    assert re.search(r"480 calls, 0 kept replies", page)


def test_searches_stop_at_the_limit_and_a_run_that_needs_more_is_refused(folder):
    text = '[gate]\nlanguage = "en"\n[[classification.deepwordbug]]\nsample = 30\nmax_success_rate = 0.5\n'
    folder.joinpath("t.toml").write_text(text, "utf-8")
    session = Session(
        "classification", "service.py:calm", "dev.tsv", thresholds="t.toml", no_cache=True, max_calls=150, seeds=[1]
    )
    (result,) = session.run().results
    assert session.model.calls.made == session.model.calls.estimated == 150
    assert result.verdict == "inconclusive"
    assert result.results[0].reason.startswith("out of calls: ")
    few = Session("classification", "service.py:calm", "dev.tsv", thresholds="t.toml", no_cache=True, max_calls=100)
    with pytest.raises(AbaloError, match="the run needs 120 calls, and --abalo-max-calls allows 100; no call was made"):
        few.run()
    assert few.model.calls.made == 0


def test_the_thresholds_file_can_keep_texts_on_the_machine(folder):
    pytest.importorskip("inspect_ai", reason="the extra mcq is not installed: pip install 'abalo[mcq]'")
    folder.joinpath("t.toml").write_text("[run]\nlocal_only = true\n[[classification.typos]]\n", "utf-8")
    session = Session("classification", "inspect:openai/gpt-5", "dev.tsv", thresholds="t.toml")
    with pytest.raises(AbaloError, match="refused by --abalo-local-only"):
        _ = session.model


def test_a_model_without_a_prompt_is_refused(folder):
    session = Session("classification", corpus="dev.tsv", language="en")
    with pytest.raises(AbaloError, match=r"\[\[classification.prompt\]\]: model .* is not asked by a prompt"):
        session.judge("prompt")


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ('ways = ["label_odrer"]', "ways has 'label_odrer'; expected some of label_order"),
        ("ways = 3", "ways"),
        ("draws = 0", "draws is 0; expected a number from 1 to 100"),
        ("seeds = [1]", "the text of an example stays as it is"),
    ],
)
def test_entries_that_do_not_fit_are_told(write, entry, problem):
    (line,) = problems(write(f"[[ner.prompt]]\n{entry}\n"))
    assert problem in line
