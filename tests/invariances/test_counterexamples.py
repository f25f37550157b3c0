"""Counterexamples as records: shown, kept, and tried again on other models."""

import json
from dataclasses import replace

import pytest

from abalo.attacks.regressions import load, replay_record, save
from abalo.core.documents.found import Result
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from abalo.invariances.blocks import findings
from abalo.invariances.counterexamples import record_of
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.predictor import TokenPredictor
from abalo.reporting.drawing.plain import lines
from perturbations import Edit, apply, parse
from tests.reporting.documents import INVARIANCE
from tests.reporting.documents import result as some_result
from tests.scripted import ScriptedModel, outcome
from tests.texts import TextWith

SENTENCE = parse("o [José Sá PESSOA] mora em [Belém LOCAL] .")


def record(predicted: str, *edits: Edit) -> dict:
    """The record of a counterexample, these labels predicted after the edits."""
    broken = outcome(SENTENCE, None, apply(SENTENCE, edits), predicted.split())
    invariant = tuple(tasks()["ner"].targets.of(broken.example, broken.clean, None))
    broken = replace(broken, invariant=invariant)
    return json.loads(json.dumps(record_of("typo_outside", "Nothing changes.", broken, tasks()["ner"])))


def shown(found: dict) -> tuple[str, str, str]:
    """The sentence before and after in plain text, and what was lost."""
    (block,) = findings(
        typed.read(Result, some_result("accents", {}, 0.8, [], invariance=INVARIANCE | {"counterexample": found}))
    )
    (example,) = block.examples
    (_, before), (_, after) = lines(example)
    return before, after, example.caption.text


TYPO = Edit(3, 4, ("moar",))
SHORTER = record("O B-PESSOA O O O B-LOCAL O", TYPO)


def test_the_first_entity_that_is_lost_is_the_target():
    assert SHORTER["target"] == [1, 3, "PESSOA"]
    assert SHORTER["labels"] == {"clean": ["B-PESSOA", "I-PESSOA"], "attacked": ["B-PESSOA", "O"]}
    assert (SHORTER["invariance"], SHORTER["broken"]) == ("Nothing changes.", True)


def test_it_is_shown_as_the_model_reads_it_with_the_edit_marked():
    assert shown(SHORTER) == (
        "o [José Sá PESSOA] «mora» em [Belém LOCAL] .",
        "o [José PESSOA] Sá «moar» em [Belém LOCAL] .",
        TextWith("But José Sá (PESSOA) ", "no longer found", " (labels now B-PESSOA O)."),
    )


def test_what_is_left_out_or_put_in_is_marked_too():
    assert shown(record("O O O O O B-LOCAL", Edit(6, 7, ())))[:2] == (
        "o [José Sá PESSOA] mora em [Belém LOCAL] «.»",
        "o José Sá mora em [Belém LOCAL]",
    )
    name = Edit(1, 3, ("Rui", "Lé"), ("B-PESSOA", "I-PESSOA"))
    assert shown(record("O O O O O B-LOCAL O", name))[1] == "o «Rui Lé» mora em [Belém LOCAL] ."


@pytest.mark.parametrize(
    ("person", "status"),
    [
        ({"José": "B-PESSOA", "Sá": "I-PESSOA"}, "fixed"),
        ({"José": "B-PESSOA"}, "still broken"),
        ({}, "broken differently"),
    ],
)
def test_an_invariance_is_kept_only_where_the_whole_entity_is(person, status, tmp_path):
    def tag(word):
        return {"Belém": "B-LOCAL"}.get(word, "O")

    class Model(ScriptedModel):
        def predict(self, sentences):
            right = {"José": "B-PESSOA", "Sá": "I-PESSOA"}
            return [
                Prediction(
                    tuple((person if "moar" in each.tokens else right).get(word, tag(word)) for word in each.tokens)
                )
                for each in sentences
            ]

    path = tmp_path / "kept.jsonl"
    assert save(path, [SHORTER]) == 1
    (kept,) = load(path)
    assert replay_record(kept, TokenPredictor(Model(tag), ()).answering()).status == status


def test_a_space_too_many_is_shown():
    doubled = Edit(3, 4, ("mora",), spaces=("  ",))
    before, after, _ = shown(record("O O O O O B-LOCAL O", doubled))
    assert before == "o [José Sá PESSOA] «mora» em [Belém LOCAL] ."
    assert after == "o José Sá «mora␣␣» em [Belém LOCAL] ."


def test_marks_are_not_in_the_text():
    quoted = record("O B-PESSOA O O O B-LOCAL O", Edit(3, 4, ("«mora»",)))
    assert shown(quoted)[1] == "o [José PESSOA] Sá «««mora»»» em [Belém LOCAL] ."


def test_an_invariance_is_kept_only_where_every_entity_is(tmp_path):
    class Model(ScriptedModel):
        """Finds the person again, but no place after the typo."""

        def predict(self, sentences):
            known = {"José": "B-PESSOA", "Sá": "I-PESSOA"}
            return [
                Prediction(
                    tuple(
                        "B-LOCAL" if word == "Belém" and "moar" not in each.tokens else known.get(word, "O")
                        for word in each.tokens
                    )
                )
                for each in sentences
            ]

    save(tmp_path / "kept.jsonl", [SHORTER])
    (kept,) = load(tmp_path / "kept.jsonl")
    assert replay_record(kept, TokenPredictor(Model(lambda word: "O"), ()).answering()).status == "broken differently"
