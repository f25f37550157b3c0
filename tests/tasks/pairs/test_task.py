"""The task of pairs: its cases, the fields that change, and what becomes of labels."""

import pytest

from abalo.config.thresholds import case_of, load
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.options import RunOptions
from abalo.core.records import json_records as typed
from abalo.core.records.example import join_edits
from abalo.core.records.filling import Filled
from abalo.core.records.gate import Gate
from abalo.core.running.engine import Engine
from abalo.errors import AbaloError
from abalo.tasks.pairs.corpus import load as load_corpus
from abalo.tasks.pairs.pair import HYPOTHESIS, PREMISE
from abalo.tasks.pairs.task import TASK
from perturbations import find, members


def session(corpus=None, model=None):
    corpus = corpus or load_corpus("bundled:entailment-pt", limit=120)
    options = RunOptions(model=model)
    return Engine(TASK, corpus, TASK.load(model, options, corpus), Gate(resamples=200), seeds=(1,), options=options)


@pytest.fixture(scope="module")
def usual() -> Engine:
    return session()


def ran(usual, name, **params):
    return case_of(TASK, name, params, usual.gate), *usual.judge(case_of(TASK, name, params, usual.gate))


def test_perturbations_fit_of_which_it_is_known_what_they_do_to_the_relation():
    fit = {name for name, member in members().items() if TASK.accepts(member)}
    assert {"accents", "typos", "irrelevant_text", "back_translation", "swap_antonym", "swap_number"} <= fit
    assert not {"number", "negation", "antonym", "tense", "multi_pos", "swap_special_ent", "concat_sent"} & fit


@pytest.mark.parametrize(
    ("name", "params", "fields"),
    [
        ("typos", {}, {PREMISE, HYPOTHESIS}),
        ("typos", {"field": "premise"}, {PREMISE}),
        ("typos", {"field": "sentence2"}, {HYPOTHESIS}),
        ("irrelevant_text", {}, {PREMISE}),
        ("swap_antonym", {"one_event": True}, {HYPOTHESIS}),
        ("swap_antonym", {"one_event": True, "field": "premise"}, {PREMISE}),
    ],
)
def test_a_case_says_which_sentence_changes_else_the_one_whose_label_is_known(usual, name, params, fields):
    case = case_of(TASK, name, params, usual.gate)
    outcomes = case.probe.run(case, usual).outcomes
    changed = [outcome for outcome in outcomes if outcome.changed]
    assert changed
    assert {field for outcome in changed for field in outcome.variant.edits} == fields
    for outcome in changed:
        for field in {PREMISE, HYPOTHESIS} - fields:
            assert outcome.variant.example.fields[field].text == outcome.example.fields[field].text
    assert case.slug == "-".join(f"{key}-{value}" for key, value in params.items())


def test_a_field_that_is_none_is_refused(tmp_path):
    path = tmp_path / "thresholds.toml"
    path.write_text('[[pairs.typos]]\nfield = "middle"\nmax_accuracy_drop = 0.1\n', "utf-8")
    with pytest.raises(AbaloError, match="field: 'middle'; expected one of"):
        load(path)
    path.write_text('[[ner.typos]]\nfield = "premise"\nmax_f1_drop = 0.1\n', "utf-8")
    with pytest.raises(AbaloError, match="field"):
        load(path)


def test_only_what_followed_gets_another_label(usual):
    case = case_of(TASK, "swap_antonym", {"one_event": True}, usual.gate)
    changed = [outcome for outcome in case.probe.run(case, usual).outcomes if outcome.changed]
    assert {(outcome.example.gold, outcome.variant.example.gold) for outcome in changed} == {
        (("entailment",), ("contradiction",))
    }


@pytest.mark.parametrize("name", ["swap_antonym", "swap_number"])
def test_where_neutral_and_contradicting_pairs_are_told_apart_the_convention_is_asked_for(usual, name):
    case = case_of(TASK, name, {}, usual.gate)
    assert not [outcome for outcome in case.probe.run(case, usual).outcomes if outcome.changed]


def test_text_added_to_a_hypothesis_leaves_out_what_followed(usual):
    case = case_of(TASK, "irrelevant_text", {"field": "hypothesis"}, usual.gate)
    outcomes = case.probe.run(case, usual).outcomes
    assert {outcome.example.gold for outcome in outcomes if outcome.changed} == {("contradiction",), ("neutral",)}


def test_a_change_of_labels_is_judged_by_the_new_ones(usual):
    _, run, judged = ran(usual, "swap_antonym", one_event=True, max_accuracy_drop=1.0)
    now = judged.bound_view.estimate("accuracy_changed").value
    case = case_of(TASK, "swap_antonym", {"one_event": True}, usual.gate)
    changed = [outcome for outcome in case.probe.run(case, usual).outcomes if outcome.changed]
    right = sum(outcome.prediction.labels == ("contradiction",) for outcome in changed)
    assert now == pytest.approx(right / len(changed))
    assert all(example["new_gold"] == ["contradiction"] for example in run.examples)
    assert all("⇒" in example["tokens"] for example in run.examples)


def test_both_sentences_and_their_changes_are_shown_as_one(usual):
    example = usual.examples[0]
    edits = {name: find("typos").sample(example.fields[name], seed=1) for name in (PREMISE, HYPOTHESIS)}
    made = join_edits(example.fields, edits).sentence
    first, second = (made.tokens[span.start : span.stop] for span in made.anchors)
    assert (first, second) == (edits[PREMISE].sentence.tokens, edits[HYPOTHESIS].sentence.tokens)


def test_slices_look_at_both_sentences(usual):
    _, run, judged = ran(usual, "slice", of="overlap", share=0.2, max_accuracy_gap=1.0)
    assert 0 < run.facts["sentences"] < len(usual.examples)
    assert judged.bound_view.estimate("accuracy").n
    refused = case_of(TASK, "slice", {"of": "length"}, usual.gate)
    assert refused.plan.params["of"] == "length"


def test_a_function_of_pairs_is_a_model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("mine.py").write_text(
        "def make():\n    return lambda pairs: ['entailment' if set(b.split()) <= set(a.split()) else 'neutral'"
        " for a, b in pairs]\n"
    )
    own = session(model="mine.py:make")
    first = own.examples[0]
    words = [set(text.split()) for text in TASK.input(first)]
    assert own.predictor.clean()[0].labels == (("entailment",) if words[1] <= words[0] else ("neutral",))


def test_degrees_of_similarity_are_judged_by_the_order_of_numbers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"a b c d\t{' '.join('abcdxyzw'[4 - k : 8 - k])}\t{k}" for k in range(5)]
    rows += [f"w{i} b c\tw{i} b {'c' if i % 2 else 'q'}\t{3 + i % 2}" for i in range(60)]
    tmp_path.joinpath("a.tsv").write_text("sentence1\tsentence2\tscore\n" + "\n".join(rows) + "\n", "utf-8")
    tmp_path.joinpath("mine.py").write_text(
        "def make():\n    return lambda pairs: [len(set(a.split()) & set(b.split())) / 4 for a, b in pairs]\n"
        "def bad():\n    return lambda pairs: ['x' for _ in pairs]\n"
    )
    corpus = load_corpus("a.tsv")
    own = session(corpus, "mine.py:make")
    _, _, judged = ran(own, "baseline", min_spearman=0.5)
    assert judged.verdict == "pass"
    assert judged.bound_view.estimate("accuracy").n == 0
    _, run, _ = ran(own, "typos", max_spearman_drop=2.0)
    assert run.facts["headline"] == "spearman_drop"
    _, _, lost = ran(own, "typos", max_spearman_drop=2.0)
    assert lost.bound_view.estimate("spearman_drop").value > 0
    with pytest.raises(AbaloError, match="expected a finite number for each"):
        session(corpus, "mine.py:bad").predictor.clean()
    with pytest.raises(AbaloError, match="the corpus has no labels"):
        session(corpus, "org/model")


def test_numbers_that_single_precision_cannot_tell_apart_have_their_own_ranks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"a b{k}\tc\t{k}" for k in range(60)]
    tmp_path.joinpath("a.tsv").write_text("sentence1\tsentence2\tscore\n" + "\n".join(rows) + "\n", "utf-8")
    tmp_path.joinpath("mine.py").write_text(
        "def make():\n    return lambda pairs: [0.9 + int(a.split('b')[1]) * 1e-12 for a, _ in pairs]\n"
    )
    own = session(load_corpus("a.tsv"), "mine.py:make")
    _, _, judged = ran(own, "baseline", min_spearman=0.5)
    assert judged.bound_view.estimate("spearman").value == pytest.approx(1.0)


def test_templates_are_pairs_and_relations_fit_the_labels_of_a_corpus(usual):
    filled = {
        name: Filled(text)
        for name, text in (("premise", "O A viu o B."), ("hypothesis", "O B viu o A."), ("label", "non-entailment"))
    }
    filling = TASK.templates.written(filled, usual.corpus)
    assert filling.example.gold == ("contradiction", "neutral")
    predicted = usual.predictor.predict([TASK.input(filling.example)]).predictions[0]
    assert (TASK.templates.fault(filling, predicted) == "") is (predicted.labels != ("entailment",))
    assert "⇒" in TASK.templates.said(filling.example)
    with pytest.raises(ValueError, match="expected hypothesis"):
        TASK.templates.written({"premise": Filled("a")}, usual.corpus)


def test_the_report_says_how_far_one_gets_without_comparing(usual):
    _, judged = usual.judge(usual.baseline())
    facts = TASK.report.facts(usual, judged.bound_view)
    told = facts["corpus"]["artefacts"]
    assert told["pairs"] == 120
    document = {"tasks": {"pairs": facts}}
    (block,) = TASK.report.blocks([typed.read(Result, each) for each in []], typed.read(Document, document))
    assert len(block.rows) == 4
    assert isinstance(
        TASK.report.remarks([typed.read(Result, each) for each in []], typed.read(Document, document)), list
    )


def test_the_model_that_ships_is_neither_perfect_nor_useless():
    own = session(load_corpus("bundled:entailment-pt"))
    right = sum(a.gold == b.labels for a, b in zip(own.examples, own.predictor.clean(), strict=True))
    assert 0.6 < right / len(own.examples) < 0.85
