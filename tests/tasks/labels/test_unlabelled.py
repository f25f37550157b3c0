"""Which values of labels stand for none, what is left out, and what is said of it."""

import json

import pytest

from abalo.errors import AbaloError
from abalo.tasks.classification.corpus import load as load_texts
from abalo.tasks.labels.unlabelled import on_unlabelled
from abalo.tasks.pairs.corpus import load as load_pairs
from tests.texts import TextWith


def read(tmp_path, kind, labels, parameter=""):
    """A table of texts, or of pairs, with a row for each label."""
    path = tmp_path / "corpus.tsv"
    texts = kind == "texts"
    head = "text\tlabel\n" if texts else "premise\thypothesis\tlabel\n"
    rows = [f"row {k}\t{label}\n" if texts else f"row {k}\tline {k}\t{label}\n" for k, label in enumerate(labels)]
    path.write_text(head + "".join(rows), "utf-8")
    return (load_texts if texts else load_pairs)(f"{path}{parameter}")


ABSENT = [
    ("texts", ["0", "1", "2"], "-1"),
    ("texts", ["1", "2", "3", "4", "5"], "-1"),
    ("texts", ["joy", "anger"], "-1"),
    ("texts", ["joy", "anger"], ""),
    ("texts", ["joy", "anger"], "nan"),
    ("texts", ["Joy", "Anger"], "NaN"),
    ("texts", ["joy", "anger"], "null"),
    ("texts", ["joy", "anger"], "None"),
    ("texts", ["0", "1"], "none"),
    ("texts", ["1.0", "0.0"], "nan"),
    ("texts", ["joy", "anger"], "-"),
    ("pairs", ["0", "1"], "-1"),
    ("pairs", ["0", "1", "2"], "-1"),
    ("pairs", ["entailment", "neutral", "contradiction"], "-"),
    ("pairs", ["entailment", "neutral", "contradiction"], "none"),
    ("pairs", ["entailment", "contradiction"], "None"),
    ("pairs", ["entailment", "not_entailment"], "nan"),
]


@pytest.mark.parametrize(("kind", "labels", "value"), ABSENT)
def test_rows_without_a_label_are_left_out_and_counted(tmp_path, kind, labels, value):
    corpus = read(tmp_path, kind, [*labels * 2, value, value, value])
    assert corpus.label_counts == dict.fromkeys(labels, 2)
    assert corpus.unlabelled == {value: 3}
    told = f"{kind} with {value} for a label." if value else f"{kind} without a label."
    assert corpus.notices[-1] == TextWith(f"Read {2 * len(labels)} {kind}; left out 3 ", told)
    assert len(corpus.notices) == 1 + bool(value)


REAL = [
    ("texts", ["-1", "1"]),
    ("texts", ["-2", "-1", "0", "1", "2"]),
    ("texts", ["-", "+"]),
    ("texts", ["nan", "cmn", "yue", "hak"]),
    ("pairs", ["None", "Entailment"]),
    ("pairs", ["none", "paraphrase"]),
    ("pairs", ["-1", "1"]),
]


@pytest.mark.parametrize(("kind", "labels"), REAL)
def test_values_that_are_classes_are_kept(tmp_path, kind, labels):
    corpus = read(tmp_path, kind, labels * 2)
    assert corpus.label_counts == dict.fromkeys(labels, 2)
    assert (corpus.unlabelled, corpus.doubtful, corpus.notices) == ({}, (), ())


@pytest.mark.parametrize(
    ("labels", "doubtful"),
    [(["-1", "0", "1"], "-1"), (["favor", "against", "none"], "none"), (["Anger", "Joy", "None"], "None")],
)
def test_in_doubt_a_label_is_kept_and_the_notice_says_how_to_leave_it_out(tmp_path, labels, doubtful):
    corpus = read(tmp_path, "texts", labels * 2)
    assert corpus.label_counts == dict.fromkeys(labels, 2)
    assert corpus.doubtful == (doubtful,)
    assert f"FILE?unlabelled={doubtful} " in corpus.notices[0]
    told = read(tmp_path, "texts", labels * 2, f"?unlabelled={doubtful}")
    assert (told.unlabelled, told.doubtful) == ({doubtful: 2}, ())
    assert doubtful not in told.label_counts


def test_a_value_can_be_kept_and_others_named(tmp_path):
    labels = ["0", "1", "2", "-1", "?", ""]
    assert read(tmp_path, "texts", labels, "?unlabelled=").unlabelled == {"": 1}
    assert read(tmp_path, "texts", labels, "?label=label&unlabelled=%3F|2").unlabelled == {"": 1, "2": 1, "?": 1}
    assert read(tmp_path, "pairs", labels, "?unlabelled=%3F").unlabelled == {"": 1, "?": 1}


def test_null_in_json_is_no_label(tmp_path):
    path = tmp_path / "a.jsonl"
    rows = [
        {"text": "a", "label": 1},
        {"text": "b", "label": None},
        {"text": "c", "label": -1},
        {"text": "d", "label": 2},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    corpus = load_texts(str(path))
    assert (corpus.label_counts, corpus.unlabelled) == ({"1": 1, "2": 1}, {"": 1, "-1": 1})


def test_a_text_that_can_have_several_labels_may_have_none(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("text\tlabels\na\tjoy|none\nb\t\n", "utf-8")
    corpus = load_texts(str(path))
    assert (corpus.golds, corpus.unlabelled) == ((("joy", "none"), ()), {})


@pytest.mark.parametrize("kind", ["texts", "pairs"])
def test_a_corpus_without_any_label_is_refused(tmp_path, kind):
    with pytest.raises(AbaloError, match=rf"none of 3 {kind} has a label; expected labels, .* choose another split"):
        read(tmp_path, kind, ["-1"] * 3)


def test_nothing_is_advised_where_the_user_has_chosen():
    assert [*on_unlabelled({"-1": 1}, (), "text", chosen=True)] == []
