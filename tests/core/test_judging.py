"""From evidence to a verdict: which bound decides, and what is not judged at all."""

import math
from dataclasses import replace

import numpy as np
import pytest

from abalo.core.records.gate import Gate
from abalo.core.running.judging import Judged, explain_judgement
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import Bound
from tests.scripted import Gazetteer, corpus_of, read_case, session_of
from tests.texts import TextWith

GATE = Gate(resamples=400)
PEOPLE = corpus_of(*(f"[José{i} PESSOA] mora em [Belém LOCAL]" for i in range(60)))
KNOWN = [f"[José{i} PESSOA]" for i in range(60)]


def result(name: str, *bounds: Bound, corpus=PEOPLE, model=None, gate=GATE, m=1, **entry) -> Judged:
    model = model or Gazetteer(*KNOWN, "[Belém LOCAL]", "[Belem LOCAL]")
    return session_of(corpus, model, gate=gate).judge(read_case(name, *bounds, **entry), m)[1]


LOST_PEOPLE = Bound("f1_drop", "max", 0.1, "PESSOA")
KEPT_PLACES = Bound("f1_drop", "max", 0.1, "LOCAL")


def test_each_bound_is_judged_on_its_own_type():
    found = result("accents", Bound("f1_drop", "max", 0.5), LOST_PEOPLE, KEPT_PLACES)
    assert [each.verdict for each in found.judgements] == ["pass", "fail", "pass"]
    assert [each.estimate.value for each in found.judgements] == pytest.approx([1 / 3, 1, 0])


def test_the_worst_bound_makes_the_verdict_and_decides():
    found = result("accents", KEPT_PLACES, LOST_PEOPLE)
    assert found.verdict == "fail"
    assert found.deciding.bound == LOST_PEOPLE
    assert not found.holds
    assert result("accents", KEPT_PLACES).holds


def test_a_failing_case_that_does_not_block_holds():
    found = result("accents", LOST_PEOPLE, blocking=False)
    assert (found.verdict, found.holds) == ("fail", True)


def test_a_case_without_bounds_has_no_verdict_and_says_so():
    found = result("accents")
    assert (found.verdict, found.deciding, found.holds) == (None, None, True)
    assert found.explanation == TextWith("ner/accents: measured; ", "no bound")
    assert found.bound_view.estimate("f1_drop").value == pytest.approx(1 / 3)


WITHOUT_TEN = [f"[José{i} PESSOA]" for i in range(10, 60)]
"""The persons that a model finds whose F1 on them is 100 / 110 = 0.909."""


def floors(*limits: tuple[str, float]) -> Judged:
    bounds = [Bound("f1", "min", limit, label) for label, limit in limits]
    return result(BASELINE, *bounds, model=Gazetteer(*WITHOUT_TEN, "[Belém LOCAL]"))


def test_a_floor_of_a_label_on_the_clean_corpus_fails_or_holds_or_is_silent():
    found = floors(("PESSOA", 0.99), ("LOCAL", 0.9))
    assert [(each.bound.type, each.verdict) for each in found.judgements] == [("PESSOA", "fail"), ("LOCAL", "pass")]
    found = floors(("PESSOA", 0.9), ("LOCAL", 0.9))  # 0.9 lies in the interval
    assert [(each.bound.type, each.verdict) for each in found.judgements] == [("LOCAL", "pass")]
    assert found.verdict == "pass"


def test_a_case_of_silent_floors_is_measured():
    found = floors(("PESSOA", 0.9))
    assert (found.verdict, found.holds) == (None, True)
    assert found.explanation == TextWith("ner/baseline: measured; no bound", "decided")


def test_the_overall_floor_and_a_label_that_cannot_be_judged_are_not_silent():
    found = floors(("PESOA", 0.9), ("LOCAL", 0.0))
    assert [each.verdict for each in found.judgements] == ["inconclusive", "inconclusive"]
    overall = result(BASELINE, Bound("f1", "min", 0.95), model=Gazetteer(*WITHOUT_TEN, "[Belém LOCAL]"))
    assert overall.verdict == "inconclusive"  # F1 is 220 / 230 = 0.957


def test_an_undecided_bound_on_a_label_of_another_case_is_told():
    both = Gazetteer(*WITHOUT_TEN, *(name.replace("é", "e") for name in WITHOUT_TEN))
    found = result("accents", Bound("f1", "min", 0.9, "PESSOA"), model=both)
    assert [each.verdict for each in found.judgements] == ["inconclusive"]


@pytest.mark.parametrize("bound", [Bound("entity_flip_rate", "max", 1.0), Bound("f1_changed", "min", 0.0)])
def test_a_limit_that_every_value_keeps_decides_nothing(bound):
    (found,) = result("accents", bound).judgements
    assert (found.verdict, found.detectable_loss, found.needed) == ("inconclusive", None, None)
    assert explain_judgement(found) == TextWith("not judged", f"{bound.name} {bound.limit:g}: nothing can break")


@pytest.mark.parametrize(("view", "verdict"), [("projected", "pass"), ("structural", "pass"), ("padded", "fail")])
def test_bounds_are_about_the_view_that_the_case_names(view, verdict):
    found = result("word_insertion", Bound("f1_drop", "max", 0.1), rate=1.0, view=view)
    assert (found.bound_view.view, found.verdict) == (view, verdict)


def test_a_case_that_changed_no_sentence_is_not_judged():
    plain = corpus_of(*(f"[Ana{i} PESSOA] saiu" for i in range(60)))
    found = result("accents", Bound("f1_drop", "max", 0.1), corpus=plain)
    (judgement,) = found.judgements
    assert found.bound_view.estimate("f1_drop").value == 0
    assert (judgement.verdict, judgement.uncorrected, judgement.p) == ("inconclusive", "inconclusive", None)
    assert (judgement.reason, judgement.needed) == (TextWith("no sentence", "place"), None)
    assert found.holds


def test_the_baseline_changes_nothing_and_is_judged():
    assert result(BASELINE, Bound("f1", "min", 0.9)).verdict == "pass"


def test_a_corpus_without_entities_shows_nothing():
    found = result("accents", Bound("f1_drop", "max", 0.1), corpus=corpus_of(*(f"não {i}" for i in range(60))))
    assert (found.verdict, found.deciding.reason) == ("inconclusive", "the corpus holds no entities")


def test_a_type_that_the_corpus_lacks_is_not_judged_and_no_pass():
    found = result("accents", Bound("f1_drop", "max", 0.1, "TEMPO"))
    assert (found.verdict, found.deciding.reason) == ("inconclusive", TextWith("no TEMPO"))
    assert math.isnan(found.deciding.estimate.value)


def test_a_type_in_few_sentences_is_not_judged_however_many_there_are():
    corpus = corpus_of(*(f"[José{i} PESSOA] saiu" for i in range(60)), "em [Belém LOCAL]")
    found = result("accents", KEPT_PLACES, corpus=corpus)
    assert found.deciding.reason == "fewer than 50 distinct sentences with LOCAL (1)"


def test_copies_are_no_more_sentences():
    found = result("accents", Bound("f1_drop", "max", 0.1), corpus=corpus_of(*["[José1 PESSOA] saiu"] * 60))
    assert found.deciding.reason == "fewer than 50 distinct sentences (1)"


def test_of_a_number_about_changed_sentences_these_are_counted():
    few = corpus_of(*[f"[José{k} PESSOA] saiu" for k in range(24)], *[f"[Ana{k} PESSOA] saiu" for k in range(176)])
    found = result("accents", Bound("f1_changed", "min", 0.1), corpus=few)
    assert found.deciding.reason == "too few changed (24)"


def test_the_correction_is_for_the_bounds_of_the_run_and_can_be_switched_off():
    forgetful = Gazetteer(*KNOWN[:51], "[Belém LOCAL]")
    bound = Bound("f1", "min", 0.99)  # nine of 120 entities missed
    assert result(BASELINE, bound, model=forgetful).verdict == "fail"
    held_back = result(BASELINE, bound, model=forgetful, m=10**6)
    assert (held_back.verdict, held_back.deciding.uncorrected) == ("inconclusive", "fail")
    assert (
        result(BASELINE, bound, model=forgetful, m=10**6, gate=Gate(resamples=400, correction="none")).verdict == "fail"
    )


def test_the_explanation_has_a_line_per_bound_failed_ones_first_then_undecided_ones():
    found = result("accents", KEPT_PLACES, Bound("f1_drop", "max", 0.1, "TEMPO"), LOST_PEOPLE)
    assert found.explanation.splitlines() == [
        TextWith("f1_drop of PESSOA 1.000 [0.942, 1.000] ", "above max_f1_drop 0.1"),
        TextWith("f1_drop of TEMPO nan [nan, nan] ", "not judged", " max_f1_drop 0.1: no TEMPO"),
        TextWith("f1_drop of LOCAL 0.000 [-0.060, 0.060] ", "within max_f1_drop 0.1"),
    ]


def test_an_undecided_bound_is_explained_with_what_would_decide_it():
    forgetful = Gazetteer(*KNOWN[:54], "[Belém LOCAL]")
    (judgement,) = result(BASELINE, Bound("f1", "min", 0.97), model=forgetful).judgements
    line = explain_judgement(judgement)
    assert line == TextWith(" min_f1 0.97: ", "contains the bound")
    assert line.endswith(f"about {judgement.needed} distinct sentences would settle it")


def test_a_value_below_a_minimum_is_explained_as_below():
    assert "is below min_f1 0.9" in result(BASELINE, Bound("f1", "min", 0.9), model=Gazetteer()).explanation


class Constant(Gazetteer):
    """Tags by heart, and gives every label the same score whatever it is shown."""

    def predict(self, sentences):
        flat = np.zeros((1, len(self.labels)), dtype=np.float32)
        return [
            replace(found, scores=np.repeat(flat, len(sentence), axis=0))
            for found, sentence in zip(super().predict(sentences), sentences, strict=True)
        ]


@pytest.mark.parametrize("metric", ["conf_drop_gold", "conf_drop_pred", "prob_drop_gold", "prob_drop_pred", "f1_drop"])
def test_a_model_that_finds_nothing_has_nothing_to_lose(metric):
    (judgement,) = result("accents", Bound(metric, "max", 0.1), model=Constant()).judgements
    assert (judgement.verdict, judgement.reason) == ("inconclusive", TextWith("clean F1 is 0"))
    (judgement,) = result("accents", Bound(metric, "max", 1.0), model=Constant(*KNOWN)).judgements
    assert judgement.reason != TextWith("clean F1 is 0")


def test_of_scores_that_never_move_no_interval_is_known():
    """No resample has a score that moved, and no sentence says how far one would."""
    (judgement,) = result("accents", Bound("conf_drop_gold", "max", 0.5), model=Constant(*KNOWN)).judgements
    assert (judgement.verdict, judgement.reason) == (
        "inconclusive",
        f"the number rests on none of {len(KNOWN)} sentences",
    )


@pytest.mark.parametrize(
    ("held", "model"), [(1, Gazetteer()), (5, Gazetteer()), (19, Gazetteer(*KNOWN, "[Belém LOCAL]"))]
)
def test_many_sentences_of_which_few_hold_an_entity_pass_nothing(held, model):
    """Nor do they fail where half of them could be found for all that 1 and 5 tell: 0.5 ** 5 is above 0.025."""
    plain = (f"hoje chove {i}" for i in range(60 - held))
    corpus = corpus_of(*(f"[José{i} PESSOA] saiu" for i in range(held)), *plain)
    found = result(BASELINE, Bound("f1", "min", 0.5), corpus=corpus, model=model)
    assert (found.verdict, found.deciding.estimate.n) == ("inconclusive", held)
    assert found.deciding.reason == f"fewer than 20 of 60 distinct sentences contain anything that f1 counts ({held})"


def test_few_that_are_all_lost_fail():
    plain = (f"hoje chove {i}" for i in range(41))
    corpus = corpus_of(*(f"[José{i} PESSOA] saiu" for i in range(19)), *plain)
    found = result(BASELINE, Bound("f1", "min", 0.5), corpus=corpus, model=Gazetteer())
    assert (found.verdict, found.deciding.estimate.n) == ("fail", 19)
    assert found.deciding.p == pytest.approx(0.5**19)


@pytest.mark.parametrize(("model", "verdict"), [(Gazetteer(), "fail"), (Gazetteer(*KNOWN, "[Belém LOCAL]"), "pass")])
def test_twenty_that_hold_one_decide(model, verdict):
    plain = (f"hoje chove {i}" for i in range(40))
    corpus = corpus_of(*(f"[José{i} PESSOA] saiu" for i in range(20)), *plain)
    assert result(BASELINE, Bound("f1", "min", 0.5), corpus=corpus, model=model).verdict == verdict


def test_a_rate_over_few_sentences_is_not_judged_on_the_many_that_have_nothing_to_count():
    finds_one = Gazetteer("[José7 PESSOA]", "[Jose7 PESSOA]")
    bound = Bound("entity_flip_rate", "max", 0.1)
    (judgement,) = result("accents", bound, model=finds_one).judgements
    assert judgement.estimate.n == 1
    assert judgement.reason == (
        "fewer than 20 of 60 distinct sentences contain anything that entity_flip_rate counts (1)"
    )
