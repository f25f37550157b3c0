"""Invariances to tasks that label texts: what they are about, what breaks them, what is kept; worked out by hand."""

import json
from collections.abc import Callable

import numpy as np
import pytest

from abalo.attacks.record import AttackRecord
from abalo.attacks.regressions import load, name_of, replay_record, save
from abalo.core.documents.found import Result
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from abalo.core.records.example import Example
from abalo.core.records.json_records import read
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.invariance import broken_targets, invariance_counts, violations_per_thousand
from abalo.invariances import Trial, invariances
from abalo.invariances.blocks import findings
from abalo.invariances.counterexamples import record_of
from abalo.invariances.trial import confidence, drop
from abalo.models.labelling.classified import Classified
from abalo.reporting.drawing.plain import lines
from abalo.tasks.aspects.sentences import Aspect, tag_sentence
from tests.reporting.documents import INVARIANCE
from tests.reporting.documents import result as some_result
from tests.tasks.labels.scripted import Script, aspects_of, pairs_of, texts_of
from tests.texts import TextWith
from tests_behavioral.hunting import Effort, hunt

NAMES = ("bad", "good")


def sure_of(text: str, good: float) -> Classified:
    found = np.array([1 - good, good], dtype=np.float32)
    return Classified((NAMES[int(good > 0.5)],), found, names=NAMES)


def likes(text: str) -> Classified:
    """Calls a text good that says so: 0.9 where it is exclaimed, 0.7 else; bad, with 0.8, where it does not."""
    if "good" not in text.split():
        return sure_of(text, 0.2)
    return sure_of(text, 0.9 if "!" in text else 0.7)


def trial(
    task: str, corpus, says: Callable[..., Classified], name: str = "one_typo", field: str = "", **params
) -> Trial:
    invariance = invariances()[name]
    known = tasks()[task]
    return Trial(
        invariance, invariance.configured(**params), known, corpus, known.predictor(Script(says), corpus), field
    )


def edited(found: Trial, example: Example) -> set[str]:
    """The words that some site of the example would edit."""
    target = next(iter(found.outcomes([(example, found.sites(example)[0]()[0])]))).invariant[0]
    return {target.sentence.tokens[edit.start] for site in found.sites(example) for edit in site()}


TEXTS = texts_of(("good film!", "good"), ("a good film", "good"), ("a film", "good"), ("so bad!", "good"))


def test_it_is_about_texts_that_are_labelled_right_and_surely():
    found = trial("classification", TEXTS, likes)
    assert [each.sentence.text for each in found.examples] == ["good film!"], (
        "0.9 against 0.1; the others 0.7, or wrong"
    )
    anything = trial("classification", TEXTS, likes, margin=0.3)
    assert [each.sentence.text for each in anything.examples] == ["good film!", "a good film"], "the shortest first"


def test_a_margin_is_between_the_likeliest_wrong_label_and_the_least_likely_right_one():
    (example,) = texts_of(("x", "good"), several=False).examples
    found = Classified(("good",), np.array([0.1, 0.6, 0.3], dtype=np.float32), names=("bad", "good", "mixed"))
    (target,) = tasks()["classification"].targets.of(example, found, None)
    assert target.margin(None) == pytest.approx(0.6 - 0.3)
    assert target.confidence(found, None, None) == pytest.approx(0.6)
    assert target.holds(found)
    assert not target.holds(Classified(("mixed",)))
    (silent,) = tasks()["classification"].targets.of(example, Classified(("good",)), None)
    assert (silent.margin(None), silent.confidence(Classified(("good",)), None, None)) == (None, None)


def test_an_edit_breaks_it_that_makes_the_label_wrong():
    found = trial("classification", TEXTS, likes)
    (example,) = found.examples
    assert edited(found, example) == {"good", "film"}, "a mark is no word"
    drawn = found.drawn(1)
    assert len(drawn) == 1000
    broken = [outcome for outcome in drawn if broken_targets(outcome)]
    assert {outcome.invariant[0].example for outcome in broken} == {example}
    assert all("good" not in outcome.perturbed.sentence.tokens for outcome in broken)
    assert all("good" in outcome.perturbed.sentence.tokens for outcome in drawn if not broken_targets(outcome))
    assert confidence(broken[0], broken[0].invariant[0]) == pytest.approx((0.9, 0.2))
    assert drop(broken[0]) == pytest.approx(0.7)
    (sums,) = invariance_counts(drawn, "", ["bad", "good"])[:, :1].sum(axis=0)
    assert float(violations_per_thousand(sums)) == len(broken)
    assert 400 < len(broken) < 600, "one of two words is the one that counts"


@pytest.mark.slow
def test_the_search_shrinks_to_one_letter_of_the_shortest_text():
    corpus = texts_of(("it is a good old film!", "good"), ("the film is good!", "good"), ("good one!", "good"))

    def fussy(text: str) -> Classified:
        return sure_of(text, 0.2 if "z" in text else 0.9)

    hunted = hunt(trial("classification", corpus, fussy), (), Effort(40, 5_000, 60))
    (edit,) = hunted.smallest.perturbed.edits
    assert hunted.smallest.edited.text == "good one!"
    (old,), (new,) = hunted.smallest.edited.tokens[edit.start : edit.stop], edit.tokens
    assert [letter for letter, before in zip(new, old, strict=True) if letter != before] == ["z"]


SOUP = "The soup was good and the wine sour"


def says_of_soup(given: tuple[str, str]) -> Classified:
    text, aspect = given
    return Classified(("positive" if aspect == "soup" and "good" in text.split() else "negative",))


def test_of_aspects_only_words_outside_are_edited():
    corpus = aspects_of(SOUP, ("soup", "positive"), ("wine", "negative"))
    found = trial("aspects", corpus, says_of_soup)
    assert len(found.examples) == 2, "each aspect is an example of its own"
    assert all(edited(found, example) == {"The", "was", "good", "and", "the", "sour"} for example in found.examples)
    assert found.invariance.said(tasks()["aspects"]) == TextWith("One typo outside", "any polarity.")
    broken = [outcome for outcome in found.drawn(1) if broken_targets(outcome)]
    assert {outcome.example.gold for outcome in broken} == {("positive",)}, "wine stays negative whatever is edited"


def overlaps(given: tuple[str, str]) -> Classified:
    """Entailment where all words of the second are in the first."""
    first, second = (set(text.lower().rstrip(".").split()) for text in given)
    return Classified(("entailment" if second <= first else "neutral",))


PAIRS = pairs_of(("A tall man sleeps.", "A man sleeps.", "entailment"), ("A man eats.", "A dog barks.", "neutral"))


def test_of_pairs_the_second_sentence_is_edited_or_the_one_that_is_named():
    found = trial("pairs", PAIRS, overlaps)
    for example, words in zip(found.examples, ({"dog", "barks"}, {"man", "sleeps"}), strict=True):
        assert edited(found, example) == words, "a word of one letter has no typo"
    broken = [outcome for outcome in found.drawn(1) if broken_targets(outcome)]
    assert {outcome.example.gold for outcome in broken} == {("entailment",)}
    premise = trial("pairs", PAIRS, overlaps, field="premise")
    assert {word for example in premise.examples for word in edited(premise, example)} == {
        "tall",
        "man",
        "sleeps",
        "eats",
    }
    (kept,) = [example for example in premise.examples if example.gold == ("entailment",)]
    harmless = [o for o in premise.drawn(1) if o.example is kept and not broken_targets(o)]
    edits = [edit for o in harmless for edit in o.perturbed.edits]
    words = kept.fields["premise"].tokens
    assert all(words[e.start] == "tall" or e.tokens[0].lower() == words[e.start] for e in edits), "only tall may change"
    assert {words[e.start] for e in edits} >= {"tall"}


# Kept and tried again -------------------------------------------------------------------------------------------------


def record(task: str, outcome: Outcome) -> dict:
    return json.loads(json.dumps(record_of("one_typo", "Nothing changes.", outcome, tasks()[task])))


def first_broken(found: Trial) -> Outcome:
    return next(outcome for outcome in found.drawn(1) if broken_targets(outcome))


@pytest.mark.parametrize(
    ("task", "corpus", "says", "better"),
    [
        ("classification", TEXTS, likes, lambda text: sure_of(text, 0.9)),
        ("pairs", PAIRS, overlaps, lambda given: Classified(("entailment",))),
        (
            "aspects",
            aspects_of(SOUP, ("soup", "positive"), ("wine", "negative")),
            says_of_soup,
            lambda given: Classified(("positive" if given[1] == "soup" else "negative",)),
        ),
    ],
)
def test_a_counterexample_is_tried_again_on_another_model(task, corpus, says, better, tmp_path):
    path = tmp_path / "kept.jsonl"
    outcome = first_broken(trial(task, corpus, says))
    assert save(path, [record(task, outcome), record(task, outcome)]) == 1, "the same one is kept once"
    (kept,) = load(path)
    assert replay_record(kept, Script(says).predict).status == "still broken"
    assert replay_record(kept, Script(better).predict).status == "fixed"
    assert replay_record(kept, Script(lambda _: Classified(("other",))).predict).status == "broken differently"
    again = replay_record(kept, Script(says).predict)
    said = again.regression
    assert said.before == tasks()[task].templates.said(outcome.example)
    assert said.after == tasks()[task].templates.said(outcome.variant.example)
    assert again.explanation.splitlines()[-1] == (
        f"  the {tasks()[task].targets.nouns()[0]} is labelled {said.labels[0]}; then {said.recorded[0]}"
    )


def test_records_of_the_same_words_with_another_premise_or_aspect_have_other_names():
    soup, wine = (
        record("aspects", first_broken(trial("aspects", aspects_of("Good soup and wine", (word, "positive")), never)))
        for word in ("soup", "wine")
    )
    assert soup["tokens"] == wine["tokens"]
    other = {**wine, "edits": soup["edits"]}
    assert name_of(read(AttackRecord, soup)) != name_of(read(AttackRecord, other))


def never(given: tuple[str, str]) -> Classified:
    """Right as it stands alone."""
    return Classified(("positive" if given[0] == "Good soup and wine" else "negative",))


@pytest.mark.parametrize(
    "change",
    [{"task": "nothing"}, {"example": None}, {"target": [0, 1, "x"]}, {"labels": {"attacked": [1]}}],
    ids=["unknown task", "no example", "a span", "labels numbers"],
)
def test_a_record_of_a_text_that_cannot_be_tried_again_is_told(change, tmp_path):
    from abalo.errors import AbaloError

    kept = record("classification", first_broken(trial("classification", TEXTS, likes)))
    path = tmp_path / "kept.jsonl"
    path.write_text(json.dumps({"format": "abalo attack log 2"}) + "\n" + json.dumps(kept | change) + "\n", "utf-8")
    with pytest.raises(AbaloError, match="record 1 cannot be made again"):
        load(path)


def shown(found: dict) -> list[str]:
    (block,) = findings(
        typed.read(Result, some_result("accents", {}, 0.8, [], invariance=INVARIANCE | {"counterexample": found}))
    )
    (example,) = block.examples
    return [example.caption.text, *(f"{which}: {text}" for which, text in lines(example))]


def test_it_is_shown_with_the_labels_behind_and_the_field_that_stays():
    caption, before, after = shown(record("classification", first_broken(trial("classification", TEXTS, likes))))
    assert caption == TextWith("text bad instead of good (probability of good: 0.90 → 0.20).")
    assert before == "original: «good» film ! [good ✓]"
    assert after.endswith("» film ! [bad ✗ good → bad]")
    caption, premise, before, _ = shown(record("pairs", first_broken(trial("pairs", PAIRS, overlaps))))
    assert caption == TextWith("pair neutral instead of entailment.")
    assert premise == "premise: A tall man sleeps."
    assert before.endswith("[entailment ✓]")
    corpus = aspects_of(SOUP, ("soup", "positive"), ("wine", "negative"))
    caption, *_ = shown(record("aspects", first_broken(trial("aspects", corpus, says_of_soup))))
    assert caption == TextWith("aspect soup negative instead of positive.")


def test_the_sentence_of_an_aspect_is_made_again_with_its_target():
    text = "Good soup and wine"
    target = Aspect(5, 9, "positive")
    assert tag_sentence(text, [target], target).anchors
    kept = record("aspects", first_broken(trial("aspects", aspects_of(text, ("soup", "positive")), never)))
    assert kept["example"]["anchors"] == [[1, 2, "target"]]
