"""Models whose verdict is known beforehand."""

from typing import Any

import pytest

from abalo.corpora import Corpus
from abalo.core.judging import Judged, judged
from abalo.core.predictor import Predictor
from abalo.sources.resources import Resources
from abalo.core.case import BASELINE, Case, run
from abalo.config.thresholds import Gate
from abalo.core.verdicts import Bound
from perturbations import find
from tests.scripted import Gazetteer, ScriptedModel, all_outside, corpus_of

NAMES = ("José", "Íris", "Zélia", "Otávio", "Célia", "Noêmia", "Ângela", "Érico", "Cássio", "Flávia")
PLAIN = ("Jose", "Iris", "Zelia", "Otavio", "Celia", "Noemia", "Angela", "Erico", "Cassio", "Flavia")
COURT = corpus_of(
    *(
        f"o [TRIBUNAL SUPERIOR ORGANIZACAO] ouviu [{name} Sá PESSOA] em [Belém LOCAL] às {hour} horas"
        for hour, name in enumerate(NAMES * 6)
    )
)
KNOWN = (
    *(f"[{name} Sá PESSOA]" for name in NAMES),
    *(f"[{name} Sa PESSOA]" for name in PLAIN),
    *("[TRIBUNAL SUPERIOR ORGANIZACAO]", "[CORTE SUPERIOR ORGANIZACAO]", "[Belém LOCAL]", "[Belem LOCAL]"),
)


def result(name: str, *bounds: Bound, model: ScriptedModel, corpus: Corpus = COURT, **settings: Any) -> Judged:
    case = Case("ner", name, None if name == BASELINE else find(name), bounds=bounds, **settings)
    return judged(
        run(case, corpus, Predictor(model, corpus.sentences), (1, 2), Resources(corpus)), Gate(resamples=200), 2
    )


@pytest.mark.parametrize(("name", "params"), [("accents", {}), ("word_insertion", {"rate": 0.5}), ("synonyms", {})])
def test_a_model_that_reads_each_word_by_itself_has_a_drop_of_exactly_zero(name, params):
    found = result(name, Bound("f1_drop", "max", 0.0), model=Gazetteer(*KNOWN), params=params)
    drop = found.bound_view.estimate("f1_drop")
    assert (drop.value, drop.low, drop.high) == (0, 0, 0)
    assert any(outcome.changed for outcome in found.run.outcomes)
    assert found.bound_view.estimate("f1").value == 1
    assert found.verdict == "pass"


def test_a_model_that_finds_nothing_has_nothing_to_lose_and_fails_the_baseline():
    noise = result("character_noise", Bound("f1_drop", "max", 0.0), model=all_outside())
    baseline = result(BASELINE, Bound("f1", "min", 0.5), model=all_outside())
    assert noise.bound_view.estimate("f1_drop").value == 0
    assert (baseline.bound_view.estimate("f1").value, baseline.verdict, baseline.holds) == (0, "fail", False)


def test_words_that_shift_everything_cost_such_a_model_nothing_except_in_the_padded_view():
    corpus = corpus_of(*(f"aqui mora [Ana{i} PESSOA]" for i in range(60)))
    spelt = ScriptedModel(lambda word: "B-PESSOA" if word[0].isupper() else "O")
    found = result("word_insertion", model=spelt, corpus=corpus, params={"rate": 1.0})
    drops = {view: each.estimate("f1_drop").value for view, each in found.measurements.items()}
    assert drops == {"projected": 0, "structural": 0, "padded": 1}
