"""Models whose verdict is known beforehand."""

import pytest

from abalo.core.records.gate import Gate
from abalo.core.running.engine import CaseRun
from abalo.core.running.judging import Judged
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import Bound
from abalo.corpora import Corpus
from tests.scripted import Gazetteer, ScriptedModel, all_outside, corpus_of, read_case, session_of

NAMES = ("José", "Íris", "Zélia", "Otávio", "Célia", "Noêmia", "Ângela", "Érico", "Cássio", "Flávia")
PLAIN = ("Jose", "Iris", "Zelia", "Otavio", "Celia", "Noemia", "Angela", "Erico", "Cassio", "Flavia")
COURT = corpus_of(
    *(
        f"o [TRIBUNAL DE JUSTIÇA ORGANIZACAO] ouviu [{name} Sá PESSOA] em [Belém LOCAL] às {hour} horas"
        for hour, name in enumerate(NAMES * 6)
    )
)
KNOWN = (
    *(f"[{name} Sá PESSOA]" for name in NAMES),
    *(f"[{name} Sa PESSOA]" for name in PLAIN),
    *(
        "[TRIBUNAL DE JUSTIÇA ORGANIZACAO]",
        "[TRIBUNAL DE JUSTICA ORGANIZACAO]",
        "[CORTE DE JUSTIÇA ORGANIZACAO]",
        "[Belém LOCAL]",
        "[Belem LOCAL]",
    ),
)


def result(
    name: str, *bounds: Bound, model: ScriptedModel, corpus: Corpus = COURT, **entry: object
) -> tuple[CaseRun, Judged]:
    session = session_of(corpus, model, gate=Gate(resamples=200))
    return session.judge(read_case(name, *bounds, **entry), 2)


@pytest.mark.parametrize(
    ("name", "params"), [("accents", {}), ("word_insertion", {"rate": 0.5}), ("synonyms", {"lexicon": "legal_pt"})]
)
def test_a_model_that_reads_each_word_by_itself_has_a_drop_of_exactly_zero(name, params):
    run, found = result(name, Bound("f1_drop", "max", 0.06), model=Gazetteer(*KNOWN), **params)
    drop = found.bound_view.estimate("f1_drop")
    assert (drop.value, drop.events) == (0, 0)
    assert -0.06 < drop.low < 0 < drop.high < 0.06  # in another sixty, one might differ
    assert run.evidence.changed.any()
    assert found.bound_view.estimate("f1").value == 1
    assert found.verdict == "pass"


def test_a_model_that_finds_nothing_has_nothing_to_lose_and_fails_the_baseline():
    _, noise = result("character_noise", Bound("f1_drop", "max", 0.0), model=all_outside())
    _, baseline = result(BASELINE, Bound("f1", "min", 0.5), model=all_outside())
    assert noise.bound_view.estimate("f1_drop").value == 0
    assert (baseline.bound_view.estimate("f1").value, baseline.verdict, baseline.holds) == (0, "fail", False)


def test_words_that_shift_everything_cost_such_a_model_nothing_except_in_the_padded_view():
    corpus = corpus_of(*(f"aqui mora [Ana{i} PESSOA]" for i in range(60)))
    spelt = ScriptedModel(lambda word: "B-PESSOA" if word[0].isupper() else "O")
    _, found = result("word_insertion", model=spelt, corpus=corpus, rate=1.0)
    drops = {view: each.estimate("f1_drop").value for view, each in found.measurements.items()}
    assert drops == {"projected": 0, "structural": 0, "padded": 1}
