"""Pairs in the files that people have, and what is wrong in them."""

import re

import pytest

from abalo.config.tasks import task_of_corpus
from abalo.errors import AbaloError
from abalo.tasks.pairs.corpus import load, recognises

SICK = """pair_ID	sentence_A	sentence_B	relatedness_score	entailment_judgment
1	A dog runs	An animal runs	4.5	ENTAILMENT
"""
ASSIN = """<?xml version='1.0' encoding='utf-8'?>
<entailment-corpus><pair entailment="None" id="0" similarity="3.8">
    <t>O cachorro nada</t>
    <h>O gato nada &amp; dorme</h>
  </pair></entailment-corpus>
"""
MSRP = '\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\n1\t7\t8\tHe said "no".\tHe denied it.\n'


@pytest.mark.parametrize(
    ("name", "content", "premise", "hypothesis", "gold", "score"),
    [
        ("a.tsv", SICK, "A dog runs", "An animal runs", ("ENTAILMENT",), 4.5),
        ("a.xml", ASSIN, "O cachorro nada", "O gato nada & dorme", ("None",), 3.8),
        ("a.tsv", MSRP, 'He said "no".', "He denied it.", ("1",), None),
        ("a.csv", "premise,hypothesis,label\na b,c,neutral\n", "a b", "c", ("neutral",), None),
        ("a.jsonl", '{"sentence1": "a", "sentence2": "b", "gold_label": "x"}\n', "a", "b", ("x",), None),
        ("a.tsv", "sentence1\tsentence2\tscore\na\tb\t0.25\n", "a", "b", None, 0.25),
    ],
)
def test_files_are_read_as_they_are(tmp_path, name, content, premise, hypothesis, gold, score):
    path = tmp_path / name
    path.write_text(content, "utf-8")
    assert recognises(str(path))
    (example,) = load(str(path)).examples
    assert [sentence.text for sentence in example.fields.values()] == [premise, hypothesis]
    assert (example.gold, example.source.score) == (gold, score)


def test_columns_can_be_named(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("x\ty\tz\na\tb\tyes\n", "utf-8")
    (example,) = load(f"{path}?premise=x&hypothesis=y&label=z").examples
    assert example.gold == ("yes",)


def test_pairs_without_agreement_are_left_out(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("sentence1\tsentence2\tgold_label\na\tb\t-\nc\td\tneutral\n", "utf-8")
    assert [example.gold for example in load(str(path)).examples] == [("neutral",)]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.tsv", "sentence1\tsentence2\na\tb\n", "no label and no score"),
        ("a.tsv", "text\tlabel\na\tx\n", "a.tsv:1: two columns, 'text | label'; expected two sentences and a label"),
        ("a.tsv", "A dog runs\tneutral\n", "a.tsv:1: two columns, 'A dog runs | neutral'; expected two sentences and"),
        ("a.tsv", "sentence1\tsentence2\tlabel\na\t\tx\n", "a.tsv:2: the text is ''"),
        ("a.tsv", "sentence1\tsentence2\tscore\na\tb\tmuch\n", "the score is 'much'; expected a number"),
        ("a.tsv", "sentence1\tsentence2\tscore\na\tb\tnan\n", "the score is 'nan'; expected a number"),
        ("a.tsv", "sentence1\tsentence2\tlabel\na\tb\t-1\nc\td\t-1\n", "none of 2 pairs has a label"),
        ("a.xml", "<entailment-corpus><pair>", "not XML"),
        ("a.xml", "<!DOCTYPE x [<!ENTITY a 'b'>]><entailment-corpus/>", "declares a document type"),
        ("a.xml", "<entailment-corpus/>", "no pairs"),
        (
            "a.xml",
            '<entailment-corpus><pair entailment="x"><t>a</t></pair></entailment-corpus>',
            "pair 1: the text is None",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path, name, content, said):
    path = tmp_path / name
    path.write_text(content, "utf-8")
    with pytest.raises(AbaloError, match=re.escape(said)):
        load(str(path))


def test_copies_are_one_piece_of_evidence_and_order_matters(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("premise\thypothesis\tlabel\na\tb\tx\na\tb\tx\nb\ta\tx\n", "utf-8")
    one, two, other = load(str(path)).examples
    assert one.cluster == two.cluster != other.cluster


def test_the_labels_of_a_corpus_cut_short_are_those_of_the_whole(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("premise\thypothesis\tlabel\na\tb\tentailment\nc\td\tcontradiction\n", "utf-8")
    (example,) = load(str(path), limit=1).examples
    assert example.source.labels == ("contradiction", "entailment")


def test_the_corpus_that_ships_is_balanced_and_distinct():
    corpus = load("bundled:entailment-pt")
    assert set(corpus.label_counts.values()) == {len(corpus.pairs) // 3}
    assert len({example.cluster for example in corpus.examples}) == len(corpus.pairs) >= 600


@pytest.mark.parametrize("columns", ["question\tsentence", "context\thypothesis"], ids=["QNLI", "ANLI"])
def test_pairs_of_a_question_or_a_context_are_pairs(tmp_path, columns):
    path = tmp_path / "dev.tsv"
    path.write_text(f"{columns}\tlabel\nWho left?\tAnn left.\tyes\nWho?\tBob ran.\tno\n", "utf-8")
    assert task_of_corpus(str(path)).name == "pairs"
    assert [each.text for each in load(str(path)).pairs[0]] == ["Who left?", "Ann left."]


@pytest.mark.parametrize("asked", ["", "?score=label"])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("dev.csv", "sentence1,sentence2,label\na b,c d,3.8\na b,c e,5.0\n"),
        (
            "dev.jsonl",
            '{"sentence1": "a", "sentence2": "b", "label": 3.8}\n{"sentence1": "a", "sentence2": "c", "label": 5}\n',
        ),
    ],
)
def test_labels_that_are_numbers_with_decimals_are_degrees_of_similarity(tmp_path, name, content, asked):
    (tmp_path / name).write_text(content, "utf-8")
    corpus = load(f"{tmp_path / name}{asked}")
    assert (corpus.scores, corpus.known_types) == ((3.8, 5.0), ())
    assert len(corpus.notices) == (not asked)
