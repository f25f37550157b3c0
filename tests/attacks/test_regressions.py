"""Edits that once broke a model, tried again on others."""

import json
import math

import pytest

from abalo.attacks.log import FORMAT, record_of
from abalo.attacks.record import AttackRecord
from abalo.attacks.regressions import load, name_of, replay_record, save
from abalo.core.protocols.task import tasks
from abalo.core.records.json_records import read
from abalo.core.records.outcome import Searched, Tried
from abalo.errors import AbaloError
from abalo.models.labelling.prediction import Prediction
from perturbations import Edit, Span, apply, parse
from tests.scripted import outcome

SENTENCE = parse("viu [Ana Sá P] hoje")


def record(labels: str = "O O", *, word: str = "ouviu") -> dict:
    """The first word replaced, after which the entity's words had these labels."""
    made = apply(SENTENCE, [Edit(0, 1, (word,))])
    after = Prediction(("O", *labels.split(), "O"))
    target, searched = Span(1, 3, "P"), Searched(1, 2, False, 0.9, Tried(1, 0, 0, 1))
    broken = outcome(SENTENCE, None, made, after, targets=(target,), searched=searched)
    return json.loads(json.dumps(record_of("context_attack", broken, tasks()["ner"])))


def model(attacked: str, clean: str = "B-P I-P"):
    """Says ``clean`` of the entity in the original sentence and ``attacked`` in any other."""

    def predict(sentences):
        return [
            Prediction(("O", *(clean if sentence.tokens == SENTENCE.tokens else attacked).split(), "O"))
            for sentence in sentences
        ]

    return predict


@pytest.mark.parametrize(
    ("now", "status"),
    [
        ("B-P I-P", "fixed"),
        ("O B-P", "fixed"),  # in part
        ("O O", "still broken"),
        ("B-L I-L", "broken differently"),
    ],
)
def test_what_a_model_makes_of_it_now(now, status):
    assert replay_record(read(AttackRecord, record()), model(now)).status == status


def test_an_entity_that_is_not_found_even_clean_is_broken_differently():
    assert replay_record(read(AttackRecord, record()), model("B-P I-P", clean="O O")).status == "broken differently"


def test_an_entity_that_is_found_under_another_label_is_fixed():
    assert replay_record(read(AttackRecord, record()), model("I-P I-P")).status == "fixed"


def test_failures_that_an_older_version_kept_are_still_tried_again(tmp_path):
    path = tmp_path / "failures.jsonl"
    older = {key: value for key, value in record().items() if key not in {"kind", "obstacle", "tried", "best"}}
    path.write_text(f'{{"format": "abalo attack log 1"}}\n{json.dumps(older)}\n', "utf-8")
    (kept,) = load(path)
    assert replay_record(kept, model("O O")).status == "still broken"
    assert save(path, [record(word="olhou")]) == 1
    assert path.read_text("utf-8").startswith(f'{{"format": "{FORMAT}"}}')


def test_a_replay_shows_both_sentences_and_both_labels():
    shown = replay_record(read(AttackRecord, record()), model("O O")).explanation
    assert "original:  viu [Ana Sá P] hoje" in shown
    assert "perturbed: ouviu [Ana Sá P] hoje" in shown
    assert "labelled O O; then O O" in shown


def test_a_corpus_keeps_each_failure_once_and_only_failures(tmp_path):
    path = tmp_path / "failures.jsonl"
    assert save(path, [record(), record("B-P O"), record(word="notou")]) == 2
    assert save(path, [record(), record(word="olhou")]) == 1
    assert len(load(path)) == 3
    assert len({name_of(each) for each in load(path)}) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "its first line does not say"),
        ("[]\n", "its first line does not say"),
        ("not json\n", "not the log of an attack"),
        (f'{{"format": "{FORMAT}"}}\n{{"broken": true}}\n', "record 1 cannot be made again"),
        (f'{{"format": "{FORMAT}"}}\n7\n', "record 1 cannot be made again"),
    ],
)
def test_a_file_that_is_no_corpus_is_refused(tmp_path, text, message):
    path = tmp_path / "failures.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(AbaloError, match=message):
        load(path)


def test_saving_over_another_file_loses_nothing(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("mine\n", encoding="utf-8")
    with pytest.raises(AbaloError):
        save(path, [record()])
    assert path.read_text(encoding="utf-8") == "mine\n"


def test_lone_surrogates_survive_the_way_to_a_file_and_back(tmp_path):
    path = tmp_path / "failures.jsonl"
    save(path, [record(word="ouv\ud800iu")])
    (kept,) = load(path)
    assert kept.edits[0]["tokens"] == ["ouv\ud800iu"]


def test_a_corpus_without_a_last_line_end_loses_nothing(tmp_path):
    path = tmp_path / "failures.jsonl"
    save(path, [record(), record(word="notou")])
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert len(load(path)) == 2
    save(path, [])
    assert len(load(path)) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"labels": {"clean": ["B-P"]}},
        {"labels": {"attacked": None}},
        {"tags": [1, 2, 3, 4]},
        {"target": [1, 99, "P"]},
        {"target": [-3, -2, "P"]},
        {"target": [1, 3, "Q"]},
        {"edits": [5]},
        {"labels": {"clean": 5, "attacked": ["O", "O"]}},
        {"broken": "yes"},
    ],
    ids=[
        *("no labels", "labels none", "tags numbers", "target beyond", "target before", "target another"),
        *("edits numbers", "clean labels a number", "broken a word"),
    ],
)
def test_a_record_that_cannot_be_tried_again_is_told(change, tmp_path):
    path = tmp_path / "failures.jsonl"
    path.write_text(json.dumps({"format": FORMAT}) + "\n" + json.dumps(record() | change) + "\n", "utf-8")
    with pytest.raises(AbaloError, match=r"failures\.jsonl: record 1 cannot be made again"):
        load(path)


def test_a_log_with_nan_is_none(tmp_path):
    path = tmp_path / "failures.jsonl"
    path.write_text(json.dumps({"format": FORMAT}) + "\n" + json.dumps(record() | {"seed": math.nan}) + "\n", "utf-8")
    with pytest.raises(AbaloError, match=r"failures\.jsonl: not the log of an attack: NaN is no number"):
        load(path)


def test_a_corpus_that_was_cut_is_refused(tmp_path):
    path = tmp_path / "failures.jsonl"
    save(path, [record(), record(word="notou")])
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(AbaloError, match=r"failures\.jsonl: not the log of an attack"):
        load(path)
