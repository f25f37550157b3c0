"""What a failed test shows: numbers, two examples, and the command that shows more."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from abalo.comparison.blocks.newly_broken import with_records
from abalo.comparison.document.loss_tests import failed_tests
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.records import json_records as typed
from abalo.reporting.formats.failure import failed_case, failed_loss
from abalo.reporting.formats.junit import junit
from tests.comparison.test_loss_tests import made, row
from tests.reporting.documents import result_of, sample
from tests.texts import TextWith


def failed(**changes):
    """The failed case of the sample with these changes, and the lines of its message."""
    own = result_of(sample(), "character_noise") | changes
    return own, failed_case(typed.read(Result, own), Path("out")).split("\n")


def test_the_bound_comes_first_then_two_examples_and_the_command():
    own, (bound, *shown, command) = failed()
    drop = own["metrics"]["f1_drop_changed"]
    assert bound == TextWith(f"{drop['value']:.3f} [{drop['low']:.3f}, {drop['high']:.3f}], allowed ≤ ")
    assert [line.split()[0] for line in shown] == ["1.", "original", "perturbed", "2.", "original", "perturbed"]
    assert command.endswith("abalo show out 'ner/character_noise[rate-0.1]'")


def test_without_examples_there_is_the_bound_alone():
    _, lines = failed(examples=[])
    assert len(lines) == 1


def test_junit_holds_the_same_text():
    document = typed.read(Document, sample())
    (suite,) = ET.fromstring(junit(document, Path("out")))
    (failure,) = suite.iter("failure")
    assert failure.text.split() == "\n".join(failed()[1]).split()


@pytest.mark.parametrize("folder", ["reports", "deep/er"])
def test_folders_below_this_one_are_named_from_here(folder):
    own = typed.read(Result, result_of(sample(), "character_noise"))
    assert f"abalo show {folder} " in failed_case(own, Path.cwd() / folder)
    assert f"abalo show /elsewhere/{folder} " in failed_case(own, Path("/elsewhere") / folder)


def test_a_loss_without_records_tells_the_text_of_a_sentence():
    worse = [{"case": "a", "text": "of a", "sentence_id": "s", "seed": 1, "place": "", "worse": 1.0}]
    found = typed.read(Document, made(row("a", "regressed"), newly_worse=worse))
    (test,) = failed_tests(found.comparison)
    assert failed_loss(test, found, Path("out")) == test.message
    assert test.message.endswith("of a")


def record(case: str, number: int, predicted: str) -> dict[str, object]:
    """A sentence of two words in examples.jsonl; its gold is a person."""
    return {
        "case": case,
        "sentence_id": f"{number:016x}",
        "seed": 1,
        "tokens": ["Ana", f"saiu{number}"],
        "gold": ["B-PESSOA", "O"],
        "clean": ["B-PESSOA", "O"],
        "edits": [{"start": 1, "stop": 2, "tokens": ["sai"]}],
        "predicted": [predicted, "O"],
    }


NOISE, ACCENTS = "ner/character_noise[rate-0.1]", "ner/accents"


def lost(*rows, **more):
    """The failed losses, and the document with a sentence each of noise and accents."""
    records = [record(NOISE, 1, "O"), record(NOISE, 2, "B-LOCAL"), record(ACCENTS, 3, "O"), record(ACCENTS, 4, "O")]
    worse = [
        {name: each[name] for name in ("case", "sentence_id", "seed")} | {"place": "", "worse": 1.0, "text": "t"}
        for each in records
    ]
    found = typed.read(Document, made(*rows, newly_worse=worse, **more) | {"results": sample()["results"]})
    return failed_tests(found.comparison), with_records(found, map(json.dumps, records))


def test_a_mean_shows_an_example_of_each_case_that_lost_most():
    rows = row(NOISE, "can't tell", value=0.1), row(ACCENTS, "can't tell", value=0.3)
    (test,), document = lost(*rows, mean=row(None, "regressed", value=0.2))
    lines = failed_loss(test, document, Path("out")).split("\n")
    shown = [line for line in lines if "Newly broken" in line]
    assert [(line.split()[0], line.partition("id ")[2][:16].lstrip("0")) for line in shown] == [
        ("1.", "3"),
        ("2.", "1"),
    ]
    assert lines[-1] == "see more: abalo show out --newly-broken"


def test_a_label_shows_examples_that_are_wrong_in_it():
    whole = row("ner/types", "regressed", value=0.2, group="LOCAL")
    (test,), document = lost(row(NOISE, "can't tell"), whole)
    lines = failed_loss(test, document, Path("out")).split("\n")
    assert sum("Newly broken" in line for line in lines) == 1
    assert any("{Ana" in line and "LOCAL" in line for line in lines)
    assert lines[-1] == "see more: abalo show out --type LOCAL --newly-broken"
