"""The task of labelled texts: its cases, and what becomes of labels."""

import pytest

from abalo.config.thresholds import case_of
from abalo.core.documents.found import WrongUnit
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.core.records.example import Variant
from abalo.core.records.gate import Gate
from abalo.core.running.engine import Engine, language_of
from abalo.errors import AbaloError
from abalo.tasks.classification.corpus import load
from abalo.tasks.classification.task import TASK
from perturbations import find, members
from tests.texts import TextWith

OPTIONS = RunOptions()


def session(corpus=None, model=None):
    corpus = corpus or load("bundled:sentiment-pt", limit=80)
    options = RunOptions(model=model)
    return Engine(TASK, corpus, TASK.load(model, options, corpus), Gate(resamples=200), seeds=(1,), options=options)


@pytest.fixture(scope="module")
def usual() -> Engine:
    return session()


def test_perturbations_fit_unless_they_read_labels_of_tokens_or_lose_the_meaning():
    fit = {name for name, member in members().items() if TASK.accepts(member)}
    assert {"accents", "typos", "synonyms", "irrelevant_text", "back_translation", "negation", "antonym"} <= fit
    assert not {"concat_sent", "multi_pos", "prefix_swap", "mlm_suggestion", "swap_named_ent", "char_typo"} & fit


@pytest.mark.parametrize(("name", "holds"), [("typos", True), ("negation", False), ("antonym", False)])
def test_labels_hold_unless_the_meaning_turns(usual, name, holds):
    changed = 0
    for example in usual.examples:
        made = find(name).sample(example.sentence, seed=1)
        if made is not None:
            changed += 1
            assert (TASK.carry(example, {"text": made}).gold == example.gold) is holds
    assert changed


def test_a_drop_says_nothing_of_texts_that_are_turned_around(usual):
    gate = usual.gate
    wrong = case_of(TASK, "negation", {"max_accuracy_drop": 0.1}, gate)
    ((_, _, reason),) = TASK.check([wrong], usual)
    assert reason == TextWith("negation turns", "; use unmoved_rate or wrong_way_rate")
    right = case_of(TASK, "negation", {"max_wrong_way_rate": 0.9}, gate)
    assert list(TASK.check([right], usual)) == []
    run, judged = usual.judge(right)
    assert judged.verdict == "pass"
    assert 0 < judged.bound_view.estimate("wrong_way_rate").value < 1
    assert judged.bound_view.estimate("accuracy_drop").n == 0
    assert all(example["turned"] for example in run.examples)


def test_a_model_without_probabilities_cannot_move_the_wrong_way(usual, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("mine.py").write_text("def make():\n    return lambda texts: ['positive' for _ in texts]\n")
    own = session(model="mine.py:make")
    _, judged = own.judge(case_of(TASK, "negation", {"max_wrong_way_rate": 0.5}, own.gate))
    assert judged.verdict == "inconclusive"
    assert "gives no probabilities" in judged.explanation
    _, judged = own.judge(case_of(TASK, "negation", {"max_unmoved_rate": 0.5}, own.gate))
    assert judged.bound_view.estimate("unmoved_rate").value == 1.0


def test_accuracy_is_that_of_the_labels(usual):
    _, judged = usual.judge(case_of(TASK, "baseline", {"min_accuracy": 0.3}, usual.gate))
    pairs = zip(usual.examples, usual.predictor.clean(), strict=True)
    assert judged.bound_view.estimate("accuracy").value == sum(a.gold == b.labels for a, b in pairs) / 80


def test_bounds_on_labels_that_nobody_knows_are_told(usual):
    case = case_of(TASK, "typos", {"max_accuracy_drop": {"positve": 0.1}}, usual.gate)
    ((_, _, reason),) = TASK.check([case], usual)
    assert reason.startswith("no label 'positve' in corpus or model; did you mean 'positive'?")


def test_both_corpora_that_ship_are_large_balanced_and_in_their_language():
    for language in ("pt", "en"):
        corpus = load(f"bundled:sentiment-{language}")
        assert len({sentence.text for sentence in corpus.sentences}) == len(corpus.sentences) >= 400
        assert set(corpus.label_counts.values()) == {len(corpus.sentences) // 2}
        assert language_of(corpus, Gate()) == language


def test_the_model_that_ships_is_neither_perfect_nor_useless():
    for language in ("pt", "en"):
        own = session(load(f"bundled:sentiment-{language}"))
        clean = own.predictor.clean()
        right = sum(example.gold == found.labels for example, found in zip(own.examples, clean, strict=True))
        assert 0.7 < right / len(own.examples) < 0.9


def test_a_corpus_with_a_label_that_the_model_lacks_is_refused(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("text\tlabel\nBom\tneutral\n", "utf-8")
    with pytest.raises(AbaloError, match="it has no label for neutral"):
        session(load(str(path)))


def test_a_record_is_shown_with_what_was_changed(usual):
    example = next(each for each in usual.examples if find("accents").sample(each.sentence, seed=1))
    made = find("accents").sample(example.sentence, seed=1)
    variant = Variant(TASK.carry(example, {"text": made}), {"text": made})
    assert variant.example.sentence.text in TASK.report.line(
        WrongUnit(
            sentence_id=example.id,
            seed=1,
            tokens=example.sentence.tokens,
            spaces=example.sentence.spaces,
            gold=example.gold,
            edits=[edit.to_json() for edit in made.edits],
            predicted=["negative"],
        )
    )
    assert tasks()["classification"] is TASK


def test_probabilities_by_name_say_in_which_direction_a_model_moves(usual, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("sure.py").write_text(
        "def likely(text):\n"
        "    yes = 0.9 if 'não' in text.lower() else 0.6\n"
        "    return {'positive': yes, 'negative': 1 - yes}\n"
        "def make():\n    return lambda texts: [likely(text) for text in texts]\n"
    )
    own = session(load("bundled:sentiment-pt"), model="sure.py:make")
    added = case_of(TASK, "negation", {"which": "add", "max_wrong_way_rate": 0.5}, own.gate)
    _, judged = own.judge(added)
    assert judged.verdict == "fail"
    assert judged.bound_view.estimate("wrong_way_rate").value > 0.9


def test_a_model_with_one_label_for_all_passes_nothing_and_still_fails_what_it_fails(tmp_path, monkeypatch):
    module = "def always():\n    return lambda texts: [{'negative': 0.9, 'positive': 0.1} for _ in texts]\n"
    (tmp_path / "one_label.py").write_text(module, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    usual = session(model="one_label:always", corpus=load("bundled:sentiment-pt"))
    for name, bounds, verdict in (
        ("baseline", {"min_accuracy": 0.3}, "inconclusive"),
        ("baseline", {"min_accuracy": 0.9}, "fail"),
        ("typos", {"max_accuracy_drop": 0.1}, "inconclusive"),
        ("one_typo", {"draws": 60, "max_violations_per_thousand": 900}, None),
    ):
        _, judged = usual.judge(case_of(TASK, name, bounds, usual.gate))
        assert judged.verdict == verdict
        if verdict == "inconclusive":
            assert "labels every text 'negative'" in judged.judgements[0].reason
        assert judged.impossible == (None if verdict else TextWith("the same label"))


ENDS = (("a", "bad"), ("a", "bad"), ("a", "good"), ("b", "good"))
"""The last letter of a text, and its label."""


def test_a_model_that_knows_one_label_and_half_of_the_other_is_judged(tmp_path, monkeypatch):
    module = "def half():\n    return lambda texts: ['good' if each[-1] == 'b' else 'bad' for each in texts]\n"
    (tmp_path / "half_models.py").write_text(module, "utf-8")
    rows = "".join(f"a film of number {k} {end}\t{label}\n" for k in range(30) for end, label in ENDS)
    (tmp_path / "films.tsv").write_text(f"text\tlabel\n{rows}", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    own = session(model="half_models:half", corpus=load(str(tmp_path / "films.tsv")))
    _, judged = own.judge(case_of(TASK, "baseline", {"min_accuracy": 0.3}, own.gate))
    assert judged.verdict == "pass"
