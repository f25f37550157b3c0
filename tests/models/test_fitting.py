"""The facts and notices about labels that a model and a corpus do not share, the same for every task."""

from abalo.core.records.json_records import as_json
from abalo.models.labelling.fitting import LISTED, Terms, doubt, fit_of, misfit, of_corpus, single, whole_fit
from abalo.models.labelling.labels import CLASSES, PLAIN
from tests.texts import TextWith

TERMS = Terms(CLASSES, "never predicts", "that the corpus does not have", "label", "labels", "label")


def fit(gold, predicted, of_model=()):
    return fit_of(gold, gold, predicted, of_model)


def test_labels_that_are_never_predicted_are_named_with_gold_counts_in_their_order():
    found = fit({"a": 5, "b": 2, "c": 9}, {"a": 16})
    assert found.never_predicted == {"b": 2, "c": 9}
    assert "never predicts: c 9, b 2." in misfit(found, TERMS)
    assert "--abalo-label-map" not in misfit(found, TERMS)


def test_another_name_for_a_label_is_proposed_as_a_label_map():
    found = fit({"contradictory": 30, "neutral": 30}, {"contradiction": 28, "neutral": 32})
    assert found.outside == {"contradiction": 28}
    assert "--abalo-label-map contradiction=contradictory." in misfit(found, TERMS)
    alone = fit({"yes": 3, "maybe": 3}, {"yes": 3, "x1": 3})
    assert "--abalo-label-map x1=maybe." in misfit(alone, TERMS)  # one of each is left
    several = fit({"a": 1, "b": 1, "c": 1}, {"a": 1, "x": 1, "y": 1})
    assert "--abalo-label-map MODEL_LABEL=CORPUS_LABEL." in misfit(several, TERMS)


def test_a_name_with_a_space_is_quoted_for_the_shell():
    found = fit({"sports": 3, "a": 3}, {"sports news": 3, "a": 3})
    assert "--abalo-label-map 'sports news=sports'." in misfit(found, TERMS)


def test_a_list_of_labels_silences_the_doubt_and_not_the_notice():
    found = fit({"a": 5, "b": 5}, {"a": 10}, ["a", "b", "c"])
    assert found.outside == {"c": 0}
    assert "never predicts: b 5." in misfit(found, TERMS)
    assert "does not list" not in misfit(found, TERMS)
    assert doubt(found, TERMS) == ""
    assert "not list its" in doubt(fit({"a": 5, "b": 5}, {"a": 10}), TERMS)


def test_labels_that_the_corpus_lacks_count_as_wrong():
    found = fit({"a": 5}, {"a": 3, "c": 2}, ["a", "c", "d"])
    assert misfit(found, TERMS) == TextWith("predicts 2 labels (c 2) ", "not have")
    assert misfit(fit({"a": 5}, {"a": 5}, ["a", "d"]), TERMS) == ""  # d is never predicted here


def test_at_most_ten_labels_are_named():
    gold = {f"l{number:02}": 1 for number in range(LISTED + 3)}
    said = misfit(fit({**gold, "x": 2}, {"x": 15}), TERMS)
    assert "l09 1, 3 more labels." in said
    assert "l10" not in said


def test_tags_are_matched_by_their_meaning():
    tags = Terms(PLAIN, "never predicts", "more", "tag", "tags", "tag")
    found = fit_of({"NOUN": 4, "VERB": 2}, ["NOUN", "VERB"], {"NN": 4, "VERB": 2}, ())
    assert "--abalo-label-map NN=NOUN." in misfit(found, tags)


def test_a_corpus_of_parts_is_counted_over_all_of_them():
    first = fit({"a": 2}, {"a": 1, "b": 1}, ["a", "b", "c"])
    assert first.outside == {"b": 1, "c": 0}
    whole = whole_fit(first, {"a": 2, "b": 3}, {"a": 4, "b": 0, "d": 1})
    assert as_json(whole) == {
        "corpus": ["a", "b"],
        "told_by_model": True,
        "never_predicted": {},
        "outside": {"c": 0, "d": 1},
    }


def test_one_label_and_labels_with_one_example_are_named():
    (said,) = of_corpus({"1": 80}, "text", whole=True)
    assert said == TextWith("one label, 1:")
    (said,) = of_corpus({"a": 4, "b": 1, "c": 1}, "text", whole=True)
    assert "a single text: b, c." in said
    assert not [*of_corpus({"a": 4, "b": 1}, "text", whole=False)]  # the rest of the corpus may have more
    assert not [*single({"a": 2}, "word")]
