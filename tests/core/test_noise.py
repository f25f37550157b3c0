"""A model that draws its answers flips without any change; a bound on flips fails only above that."""

import random

import pytest

from abalo.core.judging import Judged, judged
from abalo.core.noise import beyond_noise, noise
from abalo.core.options import RunOptions
from abalo.core.statistics import Estimate
from abalo.core.task import tasks
from abalo.core.verdicts import Bound, Judgement
from abalo.models.classifiers.protocol import Classified
from abalo.reporting.document import results_of
from tests.scripted import Gazetteer, corpus_of, read_case, session_of
from tests.tasks.labels.scripted import Script, texts_of

TEXTS = texts_of(*((f"Text {n} said so", "good" if n % 2 else "bad") for n in range(400)))
ALLOWED = RunOptions(allow_random=True)


class Drawing(Script):
    """Labels texts right, but for a share of answers that it draws wrong; in capitals ``lost`` of them more."""

    def __init__(self, share: float, lost: float = 0.0) -> None:
        self.rows, drawn = 0, random.Random(1)

        def says(text):
            self.rows += 1
            shown, number, *_ = text.split()
            wrong = drawn.random() < (share + lost if shown.isupper() else share)
            return Classified(("good" if (int(number) % 2 == 1) is not wrong else "bad",))

        super().__init__(says)


def upper_case(model, *bounds, options=ALLOWED) -> tuple[Judged, dict]:
    case = read_case("letter_case", *bounds, task="classification", case="upper")
    session = session_of(TEXTS, model, task="classification", options=options)
    run = session.run(case)
    found = judged(case, session.task, run.evidence, session.gate, 1)
    (result,) = results_of(found, session.task, session.gate, run.facts, [])
    return found, result


def test_a_model_that_draws_8_percent_does_not_fail_a_case_that_cannot_touch_it():
    found, result = upper_case(Drawing(0.08), Bound("flip_rate", "max", 0.02))
    (judgement,) = found.judgements
    assert judgement.estimate.low > 0.02  # without its noise it fails
    assert (judgement.verdict, judgement.uncorrected) == ("inconclusive", "inconclusive")
    told = result["noise"]
    assert told["metric"] == "flip_rate"
    assert told["low"] < 0.08 < told["high"]
    for end in ("value", "low", "high"):
        assert f"{told[end]:.3f}" in judgement.reason
    assert f"{judgement.estimate.value:.3f}" in judgement.reason


def test_a_model_that_flips_40_percent_more_fails_still():
    found, result = upper_case(Drawing(0.08, lost=0.4), Bound("flip_rate", "max", 0.02))
    assert found.verdict == "fail"
    assert result["noise"]["high"] < found.judgements[0].estimate.low


def test_without_the_option_nothing_is_asked_twice():
    model = Drawing(0.08)
    found, result = upper_case(model, Bound("flip_rate", "max", 0.02), options=RunOptions())
    assert model.rows == 800
    assert found.verdict == "fail"
    assert "noise" not in result


def loses_a_fifth(text: str) -> Classified:
    """Right, but for one text in five in capitals."""
    shown, number, *_ = text.split()
    lost = shown.isupper() and int(number) % 5 == 0
    return Classified(("good" if (int(number) % 2 == 1) is not lost else "bad",))


def test_a_model_that_gives_the_same_twice_is_judged_as_ever():
    bound = Bound("flip_rate", "max", 0.02)
    first, second = (upper_case(Script(loses_a_fifth), bound, options=each) for each in (ALLOWED, RunOptions()))
    assert first[0].verdict == "fail"
    assert first[0].explanation == second[0].explanation
    assert "noise" not in first[1]


def test_noise_is_counted_in_the_flips_of_the_task():
    # Of the 4 words of entities that were right, José is not found again: 1 of 4 words, in one of 3 sentences.
    corpus = corpus_of("[José PESSOA] saiu", "[Ana PESSOA] e [Rui PESSOA]", "nada em [Lisboa LOCAL]")

    class Fickle(Gazetteer):
        times = 0

        def predict(self, sentences):
            self.times += 1
            known = self.tag
            self.tag = lambda word: "O" if word == "José" and self.times > 1 else known(word)
            return super().predict(sentences)

    session = session_of(corpus, Fickle("[José PESSOA] [Ana PESSOA] [Rui PESSOA] [Lisboa LOCAL]"), options=ALLOWED)
    shown = {name.removeprefix("noise: "): count for name, count in session.noise.items()}
    assert {name: shown[name] for name in shown if not name.startswith("size")} == {
        "flips:": 1,
        "trials:": 4,
        "flips:LOCAL": 0,
        "trials:LOCAL": 1,
        "flips:PESSOA": 1,
        "trials:PESSOA": 3,
    }


def test_the_noise_of_a_group_is_its_own_and_else_that_of_all():
    notes = {"noise: flips:": 10, "noise: trials:": 100, "noise: size:": 100}
    notes |= {"noise: flips:LOC": 4, "noise: trials:LOC": 8, "noise: size:LOC": 8}
    assert noise(notes, "LOC", 0.95).value == 0.5
    assert noise(notes, "PER", 0.95).value == 0.1
    # Clopper and Pearson: 10 of 100 at 95 %.
    assert [round(end, 4) for end in (noise(notes, None, 0.95).low, noise(notes, None, 0.95).high)] == [0.0490, 0.1762]
    assert noise({**notes, "noise: flips:": 0}, None, 0.95) is None


@pytest.mark.parametrize(
    ("task", "metric", "low", "high", "verdict"),
    [
        ("classification", "flip_rate", 0.1762, 0.3, "inconclusive"),
        ("classification", "flip_rate", 0.1763, 0.3, "fail"),
        ("classification", "accuracy_drop", 0.1, 0.3, "fail"),  # no flips: a drop has no noise of its own
        ("ner", "success_rate", 0.17, 0.3, "inconclusive"),
        ("ner", "violations_per_thousand", 170, 300, "inconclusive"),
        ("ner", "violations_per_thousand", 177, 300, "fail"),
        ("choice", "consistency_at_k", 0.5, 0.83, "inconclusive"),
        ("choice", "consistency_at_k", 0.5, 0.82, "fail"),
    ],
)
def test_only_flips_that_lie_above_the_noise_fail(task, metric, low, high, verdict):
    known = tasks()[task].metrics()[metric]
    notes = {"noise: flips:": 10, "noise: trials:": 100, "noise: size:": 100}
    estimate = Estimate((low + high) / 2, low, high, 0.01, 60)
    failed = Judgement(Bound(metric, "max", 0.0), estimate, "fail", "fail", 0.001)
    assert beyond_noise(failed, known, notes, 0.95).verdict == verdict
    assert beyond_noise(failed, known, {}, 0.95) is failed
