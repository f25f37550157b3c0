"""Attacks on pairs: one sentence changes, the other stays."""

import pytest

from abalo.config.thresholds import load
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.statistics.verdicts import Bound
from abalo.errors import AbaloError
from abalo.models.labelling.classified import Classified
from tests.scripted import read_case, session_of
from tests.tasks.labels.scripted import Script, pairs_of

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ROWS = [
    (f"Here {n} tall {who} sleep.", f"Here {n} {who} sleep.", "entailment") for n in NUMBERS for who in ("men", "boys")
]
SYNONYMS = "tall\tADJ\thigh\nsleep\tVERB\trest\n"


def covers(given: tuple[str, str]) -> Classified:
    """Entailment where all words of the second sentence are in the first."""
    first, second = (set(text.rstrip(".").split()) for text in given)
    return Classified(("entailment" if second <= first else "neutral",))


def attacked(tmp_path, **params):
    path = tmp_path / "mine.tsv"
    path.write_text("# Source: by hand. Licence: Apache-2.0.\n" + SYNONYMS, "utf-8")
    bound = Bound("success_rate", "max", 0.1)
    settings = {"synonyms": f"lexicon:{path}", "stop_words": "stop_words_en", "least_similarity": 0.0, **params}
    case = read_case("word_attack", bound, task="pairs", **settings)
    session = session_of(pairs_of(*ROWS), Script(covers), task="pairs", gate=Gate(language="en", resamples=300))
    return case.probe.run(case, session)


@pytest.mark.parametrize(("field", "changed"), [("", "hypothesis"), ("premise", "premise"), ("sentence1", "premise")])
def test_one_sentence_changes(tmp_path, field, changed):
    run = attacked(tmp_path, **({"field": field} if field else {}))
    assert run.params.get("field", "hypothesis") == changed
    broken = [outcome for outcome in run.outcomes if tasks()["pairs"].targets.seen(outcome).broken]
    assert len(broken) == len(ROWS), "rest is in neither sentence, so sleep is what breaks every pair"
    for outcome in broken:
        assert set(outcome.variant.edits) == {changed}
        other = "premise" if changed == "hypothesis" else "hypothesis"
        assert outcome.variant.example.fields[other] is outcome.example.fields[other]
        assert "rest" in outcome.variant.example.fields[changed].tokens


def test_a_field_that_is_no_single_one_is_refused_and_other_tasks_have_none(write):
    with pytest.raises(AbaloError, match="'both'; expected one of premise, hypothesis, sentence1, sentence2"):
        load(write('[[pairs.word_attack]]\nfield = "both"\n'))
    with pytest.raises(AbaloError, match="field: no such parameter or bound"):
        load(write('[[classification.word_attack]]\nfield = "premise"\n'))
    (case,) = load(write('[[pairs.one_typo]]\nfield = "premise"\n')).cases
    assert case.slug == "field-premise"
