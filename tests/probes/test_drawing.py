"""Running a case: examples, perturbed under every seed, predicted, and paired with the clean predictions."""

from dataclasses import replace

import pytest

from abalo.core.documents.found import Result
from abalo.core.protocols.probe import Ran, probes
from abalo.core.records import json_records as typed
from abalo.core.records.gate import Gate
from abalo.core.running.judging import judge_case
from abalo.core.statistics.plan import BASELINE
from abalo.corpora import Corpus
from perturbations import Sentence, render, sentence_id
from perturbations.languages import language_named
from tests.reporting.documents import result as some_result
from tests.scripted import Gazetteer, corpus_of, read_case, session_of
from tests.texts import TextWith

THREE = corpus_of("[José PESSOA] saiu", "nada aqui", "[José PESSOA] saiu")


def ran(case, corpus=THREE, model=None, seeds=(1, 2)) -> Ran:
    return case.probe.run(case, session_of(corpus, model or Gazetteer("[José PESSOA]"), seeds=seeds))


def test_outcomes_come_seed_by_seed_in_the_order_of_the_corpus():
    found = ran(read_case("character_noise", rate=0.9))
    assert [(o.seed, o.example.id) for o in found.outcomes] == [
        (seed, sentence_id(sentence)) for seed in (1, 2) for sentence in THREE.sentences
    ]


def test_copies_of_a_sentence_share_their_cluster_and_their_draws():
    first, other, copy = ran(read_case("character_noise", rate=0.5), seeds=(1,)).outcomes
    assert first.example.id == copy.example.id != other.example.id
    assert first.example.cluster == copy.example.cluster != other.example.cluster
    assert first.perturbed == copy.perturbed
    assert first.perturbed.sentence != first.sentence


def test_where_nothing_fits_the_clean_prediction_stands():
    changed, same, _ = ran(read_case("accents"), seeds=(1,)).outcomes
    assert (changed.changed, same.changed) == (True, False)
    assert same.perturbed is None
    assert same.prediction is same.clean
    assert render(changed.perturbed.sentence) == "[Jose PESSOA] saiu"
    assert (changed.clean.tags, changed.prediction.tags) == (("B-PESSOA", "O"), ("O", "O"))


def test_what_chance_leaves_alone_is_counted_apart_from_where_nothing_fits():
    always, never = (ran(read_case("accents", rate=rate)) for rate in (1.0, 0.0))
    assert (always.facts["not_hit"], always.facts["nothing_fits"]) == (0, 1)
    assert (never.facts["not_hit"], never.facts["nothing_fits"]) == (2, 1)
    assert never.notes == {"filtered": 0, "not_hit": 2, "nothing_fits": 1}
    ensured = ran(read_case("accents", rate=0.0, at_least=1))
    assert (ensured.facts["not_hit"], ensured.facts["nothing_fits"], ensured.sizes["changed"]) == (0, 1, 2)


def test_a_case_that_chance_has_left_alone_says_so():
    case = read_case("accents", rate=0.0, max_f1_drop=0.1)
    _, found = session_of(THREE, Gazetteer("[José PESSOA]")).judge(case)
    assert found.judgements[0].reason == TextWith("no sentence", "drawn")


def test_a_case_says_which_of_its_perturbations_readers_doubt_in_this_language(monkeypatch):
    facts = {
        code: replace(language_named(code), read=frozenset(names))
        for code, names in (("pt", set()), ("en", {"negation"}))
    }
    monkeypatch.setattr("perturbations.perturbation.language_named", facts.__getitem__)
    monkeypatch.setattr("perturbations.perturbation.pairs", lambda _: {"accents": "CJK|LATIN"})
    said = TextWith("negation is experimental in pt: ")
    doubted, english = read_case("negation"), read_case("negation", language="en")
    steps = read_case("pipeline", steps=["accents", "negation"])
    assert [ran(case).facts["experimental"] for case in (doubted, english, steps)] == [[said], [], [said]]


def test_a_case_that_nobody_has_read_in_the_script_of_the_corpus_says_so(monkeypatch):
    monkeypatch.setattr("perturbations.perturbation.pairs", lambda _: {"accents": "LATIN"})
    greek = Corpus("greek", (Sentence(("Η", "Άννα", "ήρθε"), ("O", "O", "O")),))
    said = TextWith("accents in Greek script: ")
    assert ran(read_case("accents")).facts["experimental"] == []
    assert ran(read_case("accents"), greek).facts["experimental"] == [said]


@pytest.mark.parametrize("probe", ["perturbation", "pipeline"])
def test_reports_call_a_doubted_case_experimental_and_say_why_once(probe):
    params = {"steps": ["accents", "negation"]} if probe == "pipeline" else {}
    facts = some_result("negation", params, 0.8, [], experimental=["negation is experimental in pt"])
    doubted = typed.read(Result, facts)
    assert "experimental" in probes()[probe].report.settings(doubted)
    assert probes()[probe].report.remarks([doubted, doubted], {}) == ["negation is experimental in pt."]
    unread = replace(doubted, more={**doubted.more, "experimental": ["accents in Greek script: unread"]})
    assert "experimental" not in probes()[probe].report.settings(unread)
    assert probes()[probe].report.remarks([unread], {}) == ["accents in Greek script: unread."]
    before = replace(doubted, more={})
    assert "experimental" not in probes()[probe].report.settings(before)
    assert probes()[probe].report.remarks([before], {}) == []


def test_targets_that_are_not_there_fit_nothing():
    found = ran(read_case("context_distractors", span_source="predicted", rate=0.0), model=Gazetteer("[nada X]"))
    assert (found.facts["not_hit"], found.facts["nothing_fits"]) == (1, 2)


def test_the_baseline_has_one_seed_and_needs_nothing_beyond_the_clean_corpus():
    found = ran(read_case(BASELINE))
    assert (found.seeds, found.inputs, len(found.outcomes)) == ((0,), 0, 3)
    assert not any(outcome.changed for outcome in found.outcomes)


def test_inputs_are_the_distinct_windows_beyond_the_clean_corpus():
    model, accents = Gazetteer("[José PESSOA]"), read_case("accents")
    session = session_of(THREE, model)
    assert session.run(accents).facts["inputs"] == 1  # "Jose saiu", for both copies and both seeds
    assert len(model.asked) == 3  # and two distinct clean sentences
    assert session.run(accents).facts["inputs"] == 1  # whatever was known by then
    assert len(model.asked) == 3


def test_seeds_and_limit_of_a_case_come_before_those_of_the_run():
    found = ran(read_case("character_noise", seeds=[7], limit=2))
    assert (found.seeds, found.sizes["sentences"], len(found.outcomes)) == ((7,), 2, 2)
    assert [outcome.sentence for outcome in found.outcomes] == [*THREE.sentences[:2]]


def test_a_limit_changes_no_draw():
    whole, limited = ran(read_case("character_noise")), ran(read_case("character_noise", limit=1))
    assert [o.perturbed for o in limited.outcomes] == [o.perturbed for o in whole.outcomes[::3]]


@pytest.mark.parametrize(
    ("params", "own", "used"),
    [
        ({"mask_token": "auto"}, "<mask>", "<mask>"),
        ({"mask_token": "auto"}, None, "[MASK]"),
        ({}, "<mask>", "<mask>"),
        ({}, None, "[MASK]"),
        ({"mask_token": "***"}, "<mask>", "***"),
    ],
)
def test_the_mask_token_is_the_models_own_unless_the_case_names_one(params, own, used):
    found = ran(read_case("token_masking", rate=1.0, **params), model=Gazetteer(mask_token=own), seeds=(1,))
    assert found.params["mask_token"] == used
    assert found.outcomes[0].perturbed.sentence.tokens == (used, used)


def test_a_perturbation_without_a_mask_token_is_given_none():
    assert "mask_token" not in ran(read_case("accents"), model=Gazetteer(mask_token="<mask>")).params
    assert "mask_token" not in ran(read_case(BASELINE), model=Gazetteer(mask_token="<mask>")).params


def test_the_mask_token_that_was_used_is_in_the_parameters_and_in_the_text():
    masking = read_case("token_masking", rate=1.0, mask_token="auto")
    found = ran(masking, model=Gazetteer("[José PESSOA]", mask_token="<mask>"))
    assert found.params == {"rate": 1.0, "mask_token": "<mask>"}
    assert found.outcomes[0].perturbed.sentence.tokens == ("<mask>", "<mask>")
    assert masking.params["mask_token"] == "auto"


AIMED = corpus_of("[Ana PESSOA] viu [Rui PESSOA] .", "nada aqui")


def test_an_attack_is_aimed_at_gold_spans_or_at_what_the_model_found():
    knows_ana = Gazetteer("[Ana PESSOA]")
    targets = {
        source: [
            [span.start for span in o.targets]
            for o in ran(read_case("context_distractors", span_source=source), AIMED, knows_ana).outcomes
        ]
        for source in ("oracle", "predicted")
    }
    assert targets == {"oracle": [[0, 2], []] * 2, "predicted": [[0], []] * 2}


def test_a_sentence_in_which_the_model_found_nothing_is_not_attacked():
    found = ran(read_case("context_distractors", span_source="predicted"), AIMED, Gazetteer("nada"), seeds=(1,))
    assert [outcome.perturbed for outcome in found.outcomes] == [None, None]
    aimed_at_gold = ran(read_case("context_distractors", span_source="oracle"), AIMED).outcomes
    assert [outcome.changed for outcome in aimed_at_gold[:2]] == [True, False]


def test_the_span_source_is_part_of_the_id():
    assert read_case("insert", span_source="oracle", rate=1).id == "ner/insert[oracle-rate-1]"


def test_what_both_span_sources_lead_to_is_predicted_once():
    model = Gazetteer("[Ana PESSOA] [Rui PESSOA]")
    session = session_of(AIMED, model, seeds=(1, 2, 4))
    oracle, predicted = (
        session.run(read_case("context_distractors", span_source=source)).facts for source in ("oracle", "predicted")
    )
    assert oracle["inputs"] == predicted["inputs"] == predicted["shared_inputs"] > 0
    assert oracle["shared_inputs"] == 0
    assert len(model.asked) == 2 + oracle["inputs"]


def test_batches_of_an_attack_do_not_depend_on_what_ran_before():
    def batches(*sources):
        model = Gazetteer("[Ana PESSOA]")
        shown = []
        predict = model.predict
        model.predict = lambda sentences: shown.append([s.tokens for s in sentences]) or predict(sentences)
        session = session_of(AIMED, model)
        for source in sources:
            session.run(read_case("context_distractors", span_source=source))
        return shown

    assert batches("predicted") == batches("oracle", "predicted")


def test_sentences_joined_to_one_are_read_by_the_model_but_not_compared():
    corpus = corpus_of("[Ana PESSOA] saiu", "[Rui PESSOA] ficou", "fim")
    model = Gazetteer("[Ana PESSOA]")
    joining = read_case("concat_sent")
    session = session_of(corpus, model, seeds=(1,), gate=Gate(resamples=100))
    first, second, last = joining.probe.run(joining, session).outcomes
    assert first.perturbed.sentence.tokens == ("Ana", "saiu", "Rui", "ficou", "fim")
    assert (first.perturbed.joined, second.perturbed.joined) == (3, 1)
    assert last.perturbed is None
    assert ("Ana", "saiu", "Rui", "ficou", "fim") in [sentence.tokens for sentence in model.asked]
    measured = judge_case(joining, session.task, session.run(joining).evidence, session.gate, 1)
    for view in ("projected", "structural", "padded"):
        assert measured.measurements[view].overall["recall"].value == 0.5  # Ana, not Rui, each once


def test_of_a_pipeline_what_it_joined_is_what_stands_for_no_token_at_the_end():
    corpus = corpus_of("[Ana PESSOA] saiu", "[Rui PESSOA] ficou")
    steps = ["concat_sent", {"name": "word_insertion", "rate": 1.0, "fillers": ["x"]}]
    found = ran(read_case("pipeline", steps=steps), corpus, Gazetteer(), seeds=(1,))
    assert found.outcomes[0].perturbed.sentence.text == "Ana x saiu x Rui x ficou x"
    assert found.outcomes[0].perturbed.joined == 5
