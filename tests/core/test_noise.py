"""A model that draws its answers flips without any change; a bound on flips fails only above that."""

import random

import pytest

from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from abalo.core.records.outcome import Outcome
from abalo.core.running.judging import Judged, judge_case
from abalo.core.running.noise import BEYOND, beyond_noise, compare_repeats, noise
from abalo.core.statistics.estimates import Estimate
from abalo.core.statistics.pairing import NotComparable, pair_runs
from abalo.core.statistics.verdicts import Bound, Judgement
from abalo.corpora.examples import variant_of
from abalo.models.labelling.classified import Classified
from abalo.reporting.documents.document import results_of
from abalo.tasks.labels.metrics.labels import whole_labels
from perturbations import unchanged
from tests.scripted import Gazetteer, corpus_of, read_case, session_of
from tests.tasks.labels.scripted import Script, texts_of

TEXTS = texts_of(*((f"Text {n} said so", "good" if n % 2 else "bad") for n in range(400)))


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


def upper_case(model, *bounds, options=None) -> tuple[Judged, dict]:
    case = read_case("letter_case", *bounds, task="classification", case="upper")
    session = session_of(TEXTS, model, task="classification", options=options or RunOptions())
    run = session.run(case)
    found = judge_case(case, session.task, run.evidence, session.gate, 1)
    (result,) = typed.as_json(results_of(found, session.task, session.gate, run.facts, []))
    return found, result


def test_a_model_that_draws_8_percent_does_not_fail_a_case_that_cannot_touch_it():
    found, result = upper_case(Drawing(0.08), Bound("flip_rate", "max", 0.02))
    (judgement,) = found.judgements
    assert judgement.verdict != "fail"
    assert judgement.estimate.low < 0 < judgement.estimate.high
    # Two answers differ if just one of both is drawn wrong: 2 · 0.08 · 0.92.
    told = result["noise"]
    assert told["repeats"] == 3
    for side in ("flips", "clean", "changed"):
        assert told[side] == pytest.approx(0.147, abs=0.03)
    assert told["majority"] < 0.06


def test_a_model_that_flips_40_percent_more_fails_still():
    found, result = upper_case(Drawing(0.08, lost=0.4), Bound("flip_rate", "max", 0.02))
    assert found.verdict == "fail"
    # A change that makes a model noisier is shown apart: 2 · 0.48 · 0.52 against 2 · 0.08 · 0.92.
    assert result["noise"]["changed"] > result["noise"]["clean"] + 0.2


def test_scores_are_means_over_repeats():
    found, _ = upper_case(Drawing(0.08), options=RunOptions(repeats=5))
    assert found.evidence.notes["repeats"] == 5
    assert {*found.evidence.tables[""]["label_counts"][:, 0, 0].tolist()} == {5.0}
    assert found.bound_view.overall["accuracy"].value == pytest.approx(0.92, abs=0.02)


def test_of_a_model_that_draws_and_is_asked_once_nothing_is_decided():
    found, _ = upper_case(Drawing(0.08, lost=0.4), Bound("flip_rate", "max", 0.02), options=RunOptions(repeats=1))
    (judgement,) = found.judgements
    assert judgement.verdict == "inconclusive"
    assert "--abalo-repeats" in judgement.reason


@pytest.mark.slow
def test_losses_need_repeats_and_do_not_depend_on_their_number():
    def evidence(repeats, lost=0.0):
        return upper_case(Drawing(0.08, lost), options=RunOptions(repeats=repeats))[0].evidence

    metric = tasks()["classification"].metrics()["accuracy"]
    both = pair_runs(evidence(2), evidence(5), metric, "", from_model=False)
    assert (both.new[:, 0, 0, 0] == both.reference[:, 0, 0, 0]).all()
    new, old = (metric.value(each.sum(axis=(0, 1)))[0] for each in (both.new, both.reference))
    assert new == pytest.approx(old, abs=0.03)
    with pytest.raises(NotComparable, match="was asked once"):
        pair_runs(evidence(1), evidence(2), metric, "", from_model=False)


@pytest.mark.parametrize(
    ("clean", "changed", "counts", "beyond"),
    [
        # Over the 6 ordered pairs of different repeats.
        ("aab", "abb", [4, 4, 4, 6, 1, 1], 0),
        ("aaa", "bba", [4, 0, 4, 6, 1, 1], 4 / 6 - 2 / 6),
        ("aaa", "bbb", [6, 0, 0, 6, 1, 1], 1),
        ("aba", "aba", [4, 4, 4, 6, 0, 1], 0),
    ],
)
def test_flips_beyond_noise_by_hand(clean, changed, counts, beyond):
    def outcome(before, after):
        example = TEXTS.examples[0]
        made = variant_of(example, unchanged(example.sentence))
        return Outcome(example, 0, Classified((before,)), made, Classified((after,)))

    table = compare_repeats(whole_labels, [[outcome(*pair)] for pair in zip(clean, changed, strict=True)], 2)
    assert table[0, 0].tolist() == counts
    assert not table[0, 1:].any()
    assert BEYOND.value(table[:, 0].sum(axis=0)) == pytest.approx(beyond)


def test_outputs_that_differ_a_little_count_as_their_distance():
    def outcome(before, after):
        example = TEXTS.examples[0]
        made = variant_of(example, unchanged(example.sentence))
        return Outcome(example, 0, before, made, after)

    repeats = [[outcome(0.0, 0.5)], [outcome(0.2, 0.5)]]
    outputs, distance = (lambda each: ((each.clean,), (each.prediction,))), (lambda one, other: abs(one - other))
    table = compare_repeats(outputs, repeats, 0, distance)
    assert table[0, 0] == pytest.approx([0.5 + 0.3, 2 * 0.2, 0, 2, 0.5, 1])
    assert BEYOND.value(table[:, 0].sum(axis=0)) == pytest.approx(0.4 - 0.1)


def loses_a_fifth(text: str) -> Classified:
    """Right, but for one text in five in capitals."""
    shown, number, *_ = text.split()
    lost = shown.isupper() and int(number) % 5 == 0
    return Classified(("good" if (int(number) % 2 == 1) is not lost else "bad",))


def test_a_model_that_gives_the_same_twice_is_asked_once():
    bound = Bound("flip_rate", "max", 0.02)
    first, second = (
        upper_case(Script(loses_a_fifth), bound, options=each) for each in (RunOptions(), RunOptions(repeats=9))
    )
    assert first[0].verdict == "fail"
    assert first[0].explanation == second[0].explanation
    assert "noise" not in first[1]
    assert "repeats" not in first[0].evidence.notes


def test_a_model_that_says_that_it_does_not_draw_pays_nothing():
    asked = []
    model = Script(lambda text: (asked.append(text), loses_a_fifth(text))[1])
    model.draws = False
    upper_case(model, Bound("flip_rate", "max", 0.02))
    assert len(asked) == 800


def test_noise_is_counted_in_the_flips_of_the_task():
    # Of the 4 words of entities that were right, José is not found again: 1 of 4 words, in one of 3 sentences.
    corpus = corpus_of("[José PESSOA] saiu", "[Ana PESSOA] e [Rui PESSOA]", "nada em [Lisboa LOCAL]")

    class Fickle(Gazetteer):
        draws = True

        def repeat(self, sentences, index):
            known = self.tag
            self.tag = lambda word: "O" if word == "José" else known(word)
            found = self.predict(sentences)
            self.tag = known
            return found

    session = session_of(corpus, Fickle("[José PESSOA] [Ana PESSOA] [Rui PESSOA] [Lisboa LOCAL]"))
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
