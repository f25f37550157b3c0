"""Metrics of changes aimed at entities: scripted scores over four sentences, every number worked out by hand."""

import math

import numpy as np
import pytest

from abalo.core.records.outcome import Outcome
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.scores import ScoreScale, scale_of
from abalo.tasks.ner.task import TASK
from perturbations import Edit, apply, parse
from tests.scripted import ScriptedModel, all_outside, corpus_of, measured, outcome, read_case, session_of

LABELS = ("O", "B-P", "I-P", "B-L", "I-L")

CORPUS = corpus_of("viu [Ana Sá P] hoje", "em [Natal L] .", "[Rui P] foi", "nada aqui")

# One label and its logit for each word, all other logits being 0; "also" adds a second label of a word.
SCRIPT = {
    "viu Ana Sá hoje": "O9 B-P3 I-P2 O9",
    "em Natal .": "O9 B-L4 O9",
    "Rui foi": "O2 O9",
    "nada aqui": "B-L5 O9",
    # the words beside the targets replaced
    "xxx Ana Sá xxx": "O9 B-P2 O3 O9",
    "xxx Natal xxx": "O9 B-L4 O9",
    "Rui xxx": "B-P3 O9",
    # words inserted beside the targets
    "viu xxx Ana Sá xxx hoje": "O9 O9 B-P2 I-P1 O9 O9",
    "em xxx Natal xxx .": "O9 O9 B-L1 I-L7 O9",
    "xxx Rui xxx foi": "B-P5 O4 O9 O9",
}
ALSO = {("Rui foi", 0, "B-P"): 1.0, ("xxx Ana Sá xxx", 2, "I-P"): -1.0}


class ScriptedScores(ScriptedModel):
    """Scores by the script; the label is the one with the highest."""

    labels = LABELS

    def __init__(self) -> None:
        super().__init__(lambda word: "O")

    def predict(self, sentences):
        self.asked += sentences
        return [self.of(" ".join(sentence.tokens)) for sentence in sentences]

    def of(self, text: str) -> Prediction:
        scores = np.zeros((len(text.split()), len(LABELS)), dtype=np.float32)
        for row, said in zip(scores, SCRIPT[text].split(), strict=True):
            row[LABELS.index(said[:-1])] = int(said[-1])
        for (where, token, label), logit in ALSO.items():
            if where == text:
                scores[token, LABELS.index(label)] = logit
        return Prediction(tuple(LABELS[column] for column in scores.argmax(axis=1)), scores)


def attacked(name: str, source: str = "oracle") -> list[Outcome]:
    """The outcomes where every site is hit, and what is put there is xxx."""
    return drawn(ScriptedScores(), name, rate=1.0, distractors=["xxx"], span_source=source)


def drawn(model: ScriptedModel, name: str, **entry) -> list[Outcome]:
    case = read_case(name, **entry)
    return case.probe.run(case, session_of(CORPUS, model, seeds=(1,))).outcomes


def values(outcomes: list[Outcome], view: str, kind: str | None = None) -> dict[str, float]:
    """Every metric overall, or of one type."""
    found = measured(outcomes, view)
    return {name: found.estimate(name, kind).value for name in TASK.metrics()}


def test_every_metric_of_an_attack_that_keeps_the_length():
    found = values(attacked("context_distractors"), "projected")
    # clean: Ana Sá and Natal right, Rui missed, "nada" invented; attacked: Natal and Rui right, Ana alone, "nada" again
    assert found["precision"] == pytest.approx(2 / 4)
    assert found["recall"] == pytest.approx(2 / 3)
    assert found["f1"] == pytest.approx(4 / 7)
    assert found["f1_drop"] == pytest.approx(4 / 6 - 4 / 7)
    assert found["entity_flip_rate"] == pytest.approx(1 / 3)  # of Ana, Sá, Natal it is Sá; Rui was wrong before
    assert found["span_miss_rate"] == pytest.approx(1 / 3)
    assert found["span_token_error_rate"] == pytest.approx(1 / 3)
    # gold logits: Ana 3 to 2, Sá 2 to -1, Natal 4 to 4, Rui (B-P) 1 to 3
    assert found["conf_drop_gold"] == pytest.approx((1 + 3 + 0 - 2) / 4)
    # those of the clean labels: the same, but Rui was O: 2 to 0
    assert found["conf_drop_pred"] == pytest.approx((1 + 3 + 0 + 2) / 4)


def test_metrics_of_one_type_look_at_its_gold_entities():
    found = values(attacked("context_distractors"), "projected", "P")
    assert found["entity_flip_rate"] == pytest.approx(1 / 2)
    assert found["span_miss_rate"] == pytest.approx(1 / 2)
    assert found["conf_drop_gold"] == pytest.approx((1 + 3 - 2) / 3)


def test_every_metric_of_the_structural_view():
    found = values(attacked("insert"), "structural")
    assert found["precision"] == pytest.approx(1 / 4)  # Ana Sá; not "Natal xxx", "xxx" and "nada"
    assert found["recall"] == pytest.approx(1 / 3)
    assert found["f1"] == pytest.approx(2 / 7)
    assert found["entity_retention_rate"] == pytest.approx(1 / 2)  # of Ana Sá and Natal
    assert found["entity_retention_rate_unshifted"] == 0
    assert found["entity_recovery_rate"] == pytest.approx(1 / 3)
    assert found["entity_recovery_rate_unshifted"] == pytest.approx(1 / 3)  # the "xxx" where Rui was
    # means over spans: (3 + 2) / 2 to (2 + 1) / 2, 4 to 1, 1 to 0
    assert found["conf_drop_gold_structural"] == pytest.approx((1 + 3 + 1) / 3)


def test_an_insertion_inside_a_span_is_part_of_it():
    gold = parse("viu [Ana Sá P]")
    before = np.array([[9, 0, 0], [0, 4, 0], [0, 0, 2]], dtype=np.float32)
    after = np.array([[9, 0, 0], [0, 3, 0], [0, 0, -4], [0, 0, 1]], dtype=np.float32)
    inserted = outcome(
        gold,
        Prediction(("O", "B-P", "I-P"), before),
        apply(gold, [Edit(2, 2, ("xxx",))]),
        Prediction(("O", "B-P", "I-P", "I-P"), after),
        scale=ScoreScale(("O", "B-P", "I-P"), 1.0),
    )
    found = values([inserted], "structural")
    assert found["conf_drop_gold_structural"] == pytest.approx(3 - 0)  # (4 + 2) / 2, and (3 - 4 + 1) / 3
    assert (found["entity_retention_rate"], found["entity_retention_rate_unshifted"]) == (1, 0)


def test_targets_are_gold_spans_or_those_the_model_found():
    oracle, predicted = attacked("context_distractors"), attacked("context_distractors", "predicted")
    assert [[(span.start, span.stop) for span in outcome.targets] for outcome in oracle] == [
        [(1, 3)],
        [(1, 2)],
        [(0, 1)],
        [],
    ]
    assert [[(span.start, span.stop) for span in outcome.targets] for outcome in predicted] == [
        [(1, 3)],
        [(1, 2)],
        [],
        [(0, 1)],
    ]


SCRIPT["nada xxx"] = "O9 O9"


def test_what_has_no_meaning_in_a_view_is_nan():
    outcomes = attacked("insert")
    fitting = {name for name, metric in TASK.metrics().items() if metric.fits("perturbation")}
    structural = {name for name in fitting if math.isnan(values(outcomes, "structural")[name])}
    projected = {name for name in fitting if math.isnan(values(outcomes, "projected")[name])}
    aligned = {"entity_flip_rate", "span_miss_rate", "span_token_error_rate"}
    confidence = {"conf_drop_gold", "conf_drop_pred", "prob_drop_gold", "prob_drop_pred"}
    assert structural == aligned | confidence
    assert projected == {
        "entity_retention_rate",
        "entity_retention_rate_unshifted",
        "entity_recovery_rate",
        "entity_recovery_rate_unshifted",
        "conf_drop_gold_structural",
    }


def test_a_model_without_scores_has_no_confidence_to_lose():
    found = values(drawn(all_outside(), "boundary"), "projected")
    assert math.isnan(found["conf_drop_gold"])
    assert math.isnan(found["prob_drop_pred"])
    assert math.isnan(found["entity_flip_rate"])  # nothing was right
    assert found["span_miss_rate"] == 1


def one_token(before: list[float], after: list[float], labels=("O", "B-P"), temperature: float = 1.0) -> Outcome:
    gold = parse("[Ana P]")
    clean, prediction = (Prediction(("B-P",), np.array([row], dtype=np.float32)) for row in (before, after))
    changed = apply(gold, [Edit(0, 1, ("Ane",))])
    return outcome(gold, clean, changed, prediction, scale=ScoreScale(labels, temperature))


def test_probabilities_are_the_softmax_of_logits_over_the_temperature():
    lost = one_token([0.0, 2 * math.log(3)], [0.0, 0.0], temperature=2.0)  # 3 to 1, then even
    found = values([lost], "projected")
    assert found["prob_drop_gold"] == pytest.approx(3 / 4 - 1 / 2, abs=1e-6)
    assert found["conf_drop_gold"] == pytest.approx(2 * math.log(3), abs=1e-6)


def test_a_token_whose_label_the_model_lacks_is_left_out():
    found = values([one_token([0.0, 1.0], [0.0, 0.0], labels=("O", "B-X"))], "projected")
    assert math.isnan(found["conf_drop_gold"])


def test_the_temperature_makes_confidence_meet_accuracy():
    # Right in three of four tokens, each time with logits 2 ln 3 apart: at temperature 2 the odds are 3 to 1.
    gold = parse("[Ana P] [Rui P] [Eva P] caiu")
    scores = np.array([[0, 2 * math.log(3)]] * 4, dtype=np.float32)
    scale = scale_of(("O", "B-P"), [gold], [Prediction(("B-P",) * 4, scores)])
    assert scale.temperature == pytest.approx(2, rel=1e-3)
    assert not scale.at_limit


def test_a_model_that_is_always_right_has_a_temperature_at_the_limit():
    gold = parse("[Ana P] caiu")
    scale = scale_of(("O", "B-P"), [gold], [Prediction(("B-P", "O"), np.array([[0, 1], [1, 0]], dtype=np.float32))])
    assert scale.at_limit


def test_there_is_no_scale_without_scores():
    assert scale_of((), [parse("[Ana P]")], [Prediction(("B-P",))]) is None
