"""One reader for texts, pairs and aspects: the same mistake gets the same message, whole or part after part."""

import pytest

from abalo.config.tasks import task_called
from abalo.core.protocols.options import RunOptions
from abalo.errors import AbaloError

NOTHING = {"classification": "text\tlabel\n", "pairs": "premise\thypothesis\tlabel\n", "aspects": "[]"}


@pytest.mark.parametrize(
    ("task", "told"),
    [
        ("classification", "no texts; expected at least one with its label; is this the corpus you meant?"),
        ("pairs", "no pairs; expected at least one with its label or score; is this the corpus you meant?"),
        ("aspects", "no aspects; expected at least one with its polarity; is this the corpus you meant?"),
    ],
)
def test_a_file_without_examples_is_refused_alike(tmp_path, task, told):
    path = tmp_path / "corpus.txt"
    path.write_text(NOTHING[task])
    with pytest.raises(AbaloError) as caught:
        task_called(task).read(str(path), RunOptions())
    assert str(caught.value) == f"{path}: {told}"


@pytest.mark.parametrize(
    ("task", "head", "row"), [("classification", "text", "Well."), ("pairs", "premise\thypothesis", "Well.\tYes.")]
)
def test_a_part_without_labels_is_left_out_and_no_mistake(tmp_path, task, head, row):
    path = tmp_path / "corpus.tsv"
    rows = [f"{row}\t{label}" for label in ("a", "b", "a", "-", "-", "-")]
    path.write_text("\n".join([f"{head}\tlabel", *rows]) + "\n")
    source, parts = task_called(task).in_parts(str(path), RunOptions()).cut(2)
    assert [part.examples for part in parts] == [2, 1]
    assert source.labels == ("a", "b")


@pytest.mark.parametrize(
    ("task", "text"),
    [
        ("classification", '{"text": "Well.", "label": {"a": 1}}'),
        ("pairs", '{"premise": "Well.", "hypothesis": "Yes.", "label": {"a": 1}}'),
    ],
)
def test_a_label_that_is_no_label_is_refused_alike(tmp_path, task, text):
    path = tmp_path / "corpus.jsonl"
    path.write_text(text + "\n")
    noun = task_called(task).noun
    with pytest.raises(AbaloError) as caught:
        task_called(task).read(str(path), RunOptions())
    told = "the label is {'a': 1}; expected a name or a whole number; add it, or leave the"
    assert str(caught.value) == f"{path}:1: {told} {noun} out"


def test_the_limit_of_a_data_set_holds_for_aspects_too(tmp_path):
    datasets = pytest.importorskip("datasets")
    rows = [{"sentence": f"Good food {i}.", "polarity": "positive", "from": 5, "to": 9} for i in range(3)]
    datasets.DatasetDict({"test": datasets.Dataset.from_list(rows)}).save_to_disk(str(tmp_path / "set"))
    corpus = task_called("aspects").read(f"hub:{tmp_path / 'set'}:test:2", RunOptions())
    assert len(corpus.sentences) == 2
