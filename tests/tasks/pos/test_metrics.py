"""Accuracy over tokens, worked out by hand."""

import math

import pytest

from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Metric
from abalo.corpora.examples import example_of, variant_of
from abalo.models.labelling.prediction import Prediction
from abalo.tasks.pos.metrics.tokens import METRICS, token_counts
from abalo.tasks.pos.task import TASK
from perturbations import Edit, Sentence, apply, find
from perturbations.families.word.word_lists import shipped_list

VIEWS = ("projected", "structural", "padded")


def tagged(text: str) -> Sentence:
    """A sentence written as ``o/DET canto/NOUN``; a word without a slash has no tag."""
    pairs = [word.partition("/") for word in text.split()]
    return Sentence(tuple(word for word, _, _ in pairs), tuple(tag for _, _, tag in pairs), policy="each")


def outcome(gold: str, clean: str, *edits: Edit, predicted: str | None = None) -> Outcome:
    example = example_of(tagged(gold))
    before = Prediction(tuple(clean.split()))
    if not edits:
        return Outcome(example, 1, before, None, before)
    variant = variant_of(example, apply(example.sentence, edits))
    assert predicted is not None
    return Outcome(example, 1, before, variant, Prediction(tuple(predicted.split())))


def value(name: str, *outcomes: Outcome, view: str = "projected", tag: str | None = None) -> float:
    metric: Metric = {each.name: each for each in METRICS}[name]
    tags = TASK.groups(outcomes)
    table = metric.count(outcomes, view, tags)
    sums = table.sum(axis=(0, 1)) if tag is None else table.sum(axis=0)[tags.index(tag)]
    return float(metric.value(sums))


SWAPPED = outcome(
    "o/DET canto/NOUN soa/VERB bem/ADV", "DET NOUN VERB ADJ", Edit(1, 2, ("voo",)), predicted="DET VERB VERB ADV"
)


def test_accuracy_is_over_words_and_a_drop_is_clean_minus_changed():
    assert value("accuracy", SWAPPED) == 3 / 4
    assert value("accuracy_drop", SWAPPED) == 0  # one word lost, another won
    assert value("accuracy", SWAPPED, tag="NOUN") == 0
    assert value("accuracy_drop", SWAPPED, tag="NOUN") == 1
    assert value("accuracy_drop", SWAPPED, tag="ADV") == -1


def test_a_flip_is_a_word_that_was_right_and_is_wrong():
    assert value("flip_rate", SWAPPED) == pytest.approx(1 / 3)
    assert value("flip_rate", SWAPPED, tag="NOUN") == 1
    assert math.isnan(value("flip_rate", SWAPPED, tag="ADV"))  # it was not right


def test_an_inserted_word_is_not_counted_whatever_is_said_of_it():
    inserted = outcome("o/DET canto/NOUN", "DET NOUN", Edit(1, 1, ("então",)), predicted="DET X NOUN")
    for view in ("projected", "structural"):
        assert value("accuracy", inserted, view=view) == 1
        assert token_counts([inserted], view, TASK.groups([inserted]))[..., 3].sum() == 2
    assert value("accuracy", inserted, view="padded") == 1 / 2  # NOUN is looked for where X stands


def test_a_word_that_is_gone_is_not_counted():
    gone = outcome("o/DET canto/NOUN soa/VERB", "DET NOUN VERB", Edit(1, 2, ()), predicted="DET NOUN")
    assert value("accuracy", gone) == 1 / 2
    assert value("accuracy", gone, view="structural") == 1 / 2
    assert value("accuracy", gone, view="padded") == pytest.approx(2 / 3)  # DET and NOUN, by position


def test_words_without_a_gold_tag_are_not_counted():
    partly = outcome("o/DET canto soa/VERB", "DET X VERB")
    assert value("accuracy", partly) == 1
    assert TASK.groups([partly]) == ["DET", "VERB"]
    assert TASK.held([partly], ["DET", "VERB"]).tolist() == [[1, 1]]


def test_the_three_views_agree_where_no_word_moves():
    assert TASK.views_agree(SWAPPED)
    assert len({value("accuracy", SWAPPED, view=view) for view in VIEWS}) == 1


# Words in the place of others ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "params", "before", "after"),
    [
        ("antonym", {}, "provas/NOUN válidas/ADJ", "provas/NOUN inválidas/"),
        ("tense", {"language": "en"}, "he/PRP received/VBD it/PRP", "he/PRP receives/ it/PRP"),
        ("negation", {"language": "en"}, "they/PRP do/VBP not/RB walk/VB", "they/PRP walk/"),
        ("synonyms", {"lexicon": shipped_list("legal_pt")}, "o/DET tribunal/NOUN", "a/ corte/"),
        ("accents", {}, "é/AUX órgão/NOUN", "e/AUX orgao/NOUN"),
        ("multi_pos", {"rate": 1.0}, "o/DET processo/NOUN acabou/VERB", None),
    ],
)
def test_a_replaced_word_has_no_label_and_another_spelling_keeps_it(name, params, before, after):
    member = find(name).configured(**{"rate": 1.0, **params})
    sentence = tagged(before)
    made = member.sample(sentence, seed=1)
    if after is None:
        assert made.sentence.tags == sentence.tags
        return
    words = made.sentence
    assert " ".join(map("/".join, zip(words.tokens, words.tags, strict=True))) == after
    options = [edit for site in member.sites(sentence) for edit in site]
    assert apply(sentence, options[:1]).sentence.tags in (words.tags, sentence.tags[:1] + words.tags[1:])


@pytest.mark.parametrize("view", VIEWS)
def test_a_word_without_a_sure_label_counts_neither_before_nor_after(view):
    renewing = Edit(1, 2, ("unanimous",), tags=("",))
    # Clean: two of three right, "divided" among the wrong ones. After: of the two others one is right.
    one = outcome("a/DET divided/VERB court/NOUN", "DET ADJ NOUN", renewing, predicted="DET ADJ VERB")
    assert value("accuracy", one, view=view) == 0.5
    assert value("accuracy_drop", one, view=view) == 1 - 0.5
    assert value("flip_rate", one, view=view) == 0.5
    assert TASK.report.errors_added(one, view) == 1


def test_a_sentence_whose_labelled_words_are_all_right_is_no_record():
    right = outcome(
        "a/DET divided/VERB court/NOUN",
        "DET VERB NOUN",
        Edit(1, 2, ("unanimous",), tags=("",)),
        predicted="DET ADJ NOUN",
    )
    assert list(TASK.report.records([right])) == []
