"""Attachment scores by hand, and by the evaluation script of CoNLL 2018 on treebanks."""

import os
from pathlib import Path
from random import Random

import numpy as np
import pytest

from abalo.core.protocols.task import tasks
from abalo.core.records.example import Example, Variant
from abalo.core.records.outcome import Outcome
from abalo.corpora.conllu import COLUMNS
from abalo.corpora.examples import TEXT, example_of
from abalo.models.parsers.protocol import Parse
from abalo.tasks.parsing.corpus import TreeRules, arcs_of, load
from abalo.tasks.parsing.metrics.arcs import METRICS, arc_counts, content_counts
from perturbations import Edit, apply, parse

GOLD = parse("[Ana =PROPN/2/nsubj] [viu =VERB/0/root] [a =DET/4/det] [casa =NOUN/2/obj] [. =PUNCT/2/punct]")
"""Ana saw the house."""

GROUPS = ["det", "nsubj", "obj", "obl", "punct", "root"]


def example(sentence, rules=TreeRules()):  # noqa: B008 - a frozen tuple
    one = example_of(sentence)
    return Example(one.id, one.fields, one.cluster, source=rules)


def given(heads, relations):
    """A parse with heads as CoNLL-U counts them."""
    return Parse(tuple(head - 1 for head in heads), tuple(relations.split()))


RIGHT = given([2, 0, 4, 2, 2], "nsubj root det obj punct")


def value(name, *outcomes, groups=GROUPS):
    metric = next(each for each in METRICS if each.name == name)
    table = metric.count(outcomes, "", groups)
    table = table.sum(axis=1) if table.shape[1] == len(groups) else table[:, 0]
    return float(metric.value(table.sum(axis=0)))


def clean(prediction, rules=TreeRules()):  # noqa: B008 - a frozen tuple
    return Outcome(example(GOLD, rules), 1, prediction, None, prediction)


def test_heads_relations_and_both_are_counted_apart():
    # Ana: right. viu: right. a: wrong head, right relation. casa: right head, wrong relation. The stop: right.
    outcome = clean(given([2, 0, 2, 2, 2], "nsubj root det obl punct"))
    assert value("uas", outcome) == 4 / 5
    assert value("las", outcome) == 3 / 5
    assert value("label_accuracy", outcome) == 4 / 5


def test_content_words_are_an_f1_of_gold_and_predicted_ones():
    # Gold has three content words, Ana, viu, casa; the model makes "a" one too, and gets two right: 2 · 2 / (3 + 4).
    outcome = clean(given([2, 0, 4, 2, 2], "nsubj root nmod obl punct"))
    assert value("clas", outcome) == pytest.approx(4 / 7)


def test_subtypes_count_where_asked_for():
    prediction = given([2, 0, 4, 2, 2], "nsubj:pass root det obj punct")
    assert value("las", clean(prediction)) == 1
    assert value("las", clean(prediction, TreeRules(subtypes=True))) == 4 / 5


def test_punctuation_counts_unless_it_is_left_out():
    prediction = given([2, 0, 4, 2, 4], "nsubj root det obj punct")
    assert value("las", clean(prediction)) == 4 / 5
    assert value("las", clean(prediction, TreeRules(punctuation=False))) == 1


def test_a_word_without_a_known_head_counts_nowhere():
    made = apply(GOLD, [Edit(3, 4, ())])  # without "casa", nobody knows the head of "a"
    assert arcs_of(made.sentence).heads == (1, -1, None, 1)
    outcome = Outcome(
        example(GOLD),
        1,
        RIGHT,
        Variant(example(made.sentence), {TEXT: made}),
        given([2, 0, 2, 2], "nsubj root x punct"),
    )
    assert value("las_changed", outcome) == 1
    assert arc_counts([outcome], "", GROUPS)[0, GROUPS.index("det")].sum() == 0


def test_a_drop_compares_the_words_in_both_sentences():
    put = Edit(1, 1, ("já",), tags=("ADV",), layers=(("heads", ("1 advmod",)),))
    made = apply(GOLD, [put])
    assert arcs_of(made.sentence).heads == (2, 2, -1, 4, 2, 2)
    # Of the five old words one is wrong now, and the new one is wrong too: it counts in the LAS alone.
    after = given([3, 1, 0, 5, 1, 3], "nsubj advmod root det obj punct")
    outcome = Outcome(example(GOLD), 1, RIGHT, Variant(example(made.sentence), {TEXT: made}), after)
    groups = ["advmod", *GROUPS]
    assert value("las_drop", outcome, groups=groups) == pytest.approx(1 / 5)
    assert value("las_changed", outcome, groups=groups) == pytest.approx(4 / 6)
    assert value("flip_rate", outcome, groups=groups) == pytest.approx(1 / 5)


def test_a_tree_has_one_root_and_no_circle():
    assert RIGHT.is_tree
    assert not given([0, 0], "root root").is_tree
    assert not given([2, 1, 0], "a b root").is_tree


TREEBANKS = ("en_ewt-dev", "pt_gsd-dev", "fr_sequoia-dev", "zh_gsdsimp-dev")
DATA = os.environ.get("ABALO_TEST_DATA")


@pytest.mark.skipif(DATA is None, reason="ABALO_TEST_DATA names no folder with ud/*.conllu")
@pytest.mark.parametrize("subtypes", [False, True], ids=["universal", "subtypes"])
@pytest.mark.parametrize("name", TREEBANKS)
def test_counts_are_those_of_the_evaluation_script(name, subtypes, tmp_path):
    udeval = pytest.importorskip("udtools.udeval")
    path = Path(DATA) / "ud" / f"{name}.conllu"
    corpus = load(f"{path}?subtypes=true" if subtypes else str(path), limit=100)
    predictions = [_slipped(each.sentence, Random(k)) for k, each in enumerate(corpus.examples)]
    outcomes = [Outcome(each, 1, found, None, found) for each, found in zip(corpus.examples, predictions, strict=True)]
    files = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    golds = [Parse(arcs_of(each).heads, arcs_of(each).relations) for each in corpus.sentences]
    for file, trees in zip(files, (golds, predictions), strict=True):
        pairs = zip(corpus.sentences, trees, strict=True)
        file.write_text("".join(_conllu(each, tree) for each, tree in pairs), "utf-8")
    if subtypes:  # the script compares universal parts: give it relations without a sign that it would cut
        for file in files:
            file.write_text(_relabelled(file.read_text("utf-8")), "utf-8")
    scores = udeval.evaluate(*(_loaded(udeval, file) for file in files))
    groups = sorted({corpus.rules.relation(each) for tree in golds for each in tree.relations})
    counts = arc_counts(outcomes, "", groups).sum(axis=(0, 1))
    content = content_counts(outcomes, "", groups).sum(axis=0)[0]
    heads, both, _, words = counts[7:11]
    assert (scores["UAS"].correct, scores["UAS"].gold_total) == (heads, words)
    assert scores["LAS"].correct == both
    if not subtypes:
        clas = scores["CLAS"]
        assert np.allclose([clas.correct, (clas.gold_total + clas.system_total) / 2], content)


def _loaded(udeval, file):
    """The file as the script reads it, without enhanced graphs."""
    kinds = ("gapping", "shared_parents_in_coordination", "shared_dependents_in_coordination", "control")
    kinds = (*kinds, "external_arguments_of_relative_clauses", "case_info", "empty_nodes")
    treebank = {f"no_{kind}": 0 for kind in kinds} | {"multiple_roots_okay": False}
    with file.open(encoding="utf-8") as opened:
        return udeval.load_conllu(opened, str(file), treebank)


def _slipped(sentence, draws):
    """The tree of gold with a tenth of its relations from other words, and the same of its heads, still a tree."""
    arcs = arcs_of(sentence)
    heads, relations = list(arcs.heads), list(arcs.relations)
    root = heads.index(-1)
    for word in range(len(heads)):
        if draws.random() < 0.1 and word != root:
            heads[word] = root
        if draws.random() < 0.1 and word != root:
            relations[word] = draws.choice([each for each in arcs.relations if each != "root"])
    return Parse(tuple(heads), tuple(relations))


def _conllu(sentence, tree):
    rows = zip(sentence.tokens, sentence.tags, tree.heads, tree.relations, strict=True)
    lines = [
        "\t".join(
            (
                dict.fromkeys(COLUMNS, "_")
                | {"ID": str(k), "FORM": form.replace(" ", ""), "UPOS": tag}
                | {"HEAD": str(head + 1), "DEPREL": relation}
            ).values()
        )
        for k, (form, tag, head, relation) in enumerate(rows, start=1)
    ]
    return "\n".join(lines) + "\n\n"


def _relabelled(text):
    rows = [line.split("\t") for line in text.split("\n")]
    return "\n".join("\t".join([*row[:7], row[7].replace(":", "_"), *row[8:]]) if len(row) > 7 else "" for row in rows)


def test_sentences_with_most_wrong_words_are_shown_first():
    slips = ([2, 0, 4, 2, 2], "nsubj root det obl punct"), ([2, 0, 2, 1, 1], "obj root det obl punct")
    shown = tasks()["parsing"].report.mistakes([clean(RIGHT), *(clean(given(*each)) for each in slips)])
    assert [each["broken"] for each in shown] == [4]  # one sentence, of which the worst prediction is shown
    assert shown[0]["tokens"] == list(GOLD.tokens)
