"""Models that cut text: functions, jieba, the perceptron, checkpoints; scores counted a second time."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from abalo.bundled import bundled_path
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.corpora.word_labels import LABELS, sentence_of, words_in
from abalo.errors import AbaloError
from abalo.models.segmenters.perceptron import best_labels, load_weights, word_digest
from abalo.models.segmenters.word_lists import labels_of_words
from abalo.tasks.segmentation.corpus import WEIGHTS, load
from tests.published import published

TASK = tasks()["segmentation"]
SENTENCE = sentence_of(["我们", "看", "AK", "书"])


def model(tmp_path, code, spec="own.py:make"):
    (tmp_path / "own.py").write_text(code, "utf-8")
    (tmp_path / "dev.txt").write_text("我们 看 书 。\n", "utf-8")
    corpus = load(str(tmp_path / "dev.txt"))
    return TASK.load(f"{tmp_path}/{spec}", RunOptions(), corpus), corpus


def test_words_become_labels():
    assert labels_of_words(SENTENCE, ["我", "们看", "AK书"], "m") == ("S", "B", "E", "B", "E")
    assert labels_of_words(SENTENCE, ["我们", " ", "看A", "K", "书"], "m") == ("B", "E", "B", "E|S", "S")


def test_white_space_of_the_text_ends_a_word():
    sentence = sentence_of(["看", "A", "B"])
    assert sentence.text == "看A B"
    assert labels_of_words(sentence, ["看A", "B"], "m") == labels_of_words(sentence, ["看A B"], "m") == ("B", "E", "S")


def test_words_that_do_not_make_up_the_text_are_refused():
    with pytest.raises(AbaloError, match="model m: its words do not make up the text: 'ak书' where the text has 'AK"):
        labels_of_words(SENTENCE, ["我们", "看", "ak", "书"], "m")
    with pytest.raises(AbaloError, match="'' where the text has '书'"):
        labels_of_words(SENTENCE, ["我们", "看", "AK"], "m")


def test_a_function_gets_texts_and_gives_words(tmp_path):
    made, corpus = model(tmp_path, "def make():\n    return lambda texts: [list(text) for text in texts]\n")
    (prediction,) = made.predict(corpus.sentences)
    assert prediction.tags == ("S",) * 5


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("def make():\n    return lambda texts: texts[0]\n", "gave str for 1 texts; expected a list of words"),
        ("def make():\n    return lambda texts: []\n", "gave 0 lists for 1 texts"),
        ("def make():\n    return lambda texts: ['我们']\n", "gave '我们' for a text; expected a list of its words"),
        ("def make():\n    return 3\n", "the factory returned int; expected a function from a list of texts"),
    ],
)
def test_what_a_function_gives_is_checked(tmp_path, code, problem):
    with pytest.raises(AbaloError, match=problem):
        made, corpus = model(tmp_path, code)
        made.predict(corpus.sentences)


def test_the_best_labels_are_those_of_a_search_through_all():
    draws = np.random.Generator(np.random.PCG64(3))
    for number in range(60):
        scores = draws.integers(-9, 10, (5, 4)).tolist()
        ends = [number % 3 == 0 and place == 2 for place in range(5)]
        best, chosen = -math.inf, None
        for labels in itertools.product(LABELS, repeat=5):
            text = "".join(labels)
            spans = words_in(labels)
            makes = all(text[s.start : s.stop] in ("S", "B" + "M" * (len(s) - 2) + "E") for s in spans)
            if makes and (not ends[2] or text[2] in "ES"):
                total = sum(row[LABELS.index(label)] for row, label in zip(scores, labels, strict=True))
                best, chosen = max((best, chosen), (total, labels), key=lambda pair: pair[0])
        found = best_labels(scores, ends)
        assert sum(row[LABELS.index(label)] for row, label in zip(scores, found, strict=True)) == best, (chosen, found)
    assert best_labels([], []) == ()


def test_weights_that_are_none_are_refused(tmp_path):
    np.savez(tmp_path / "odd.npz", features=np.zeros(3, np.uint8))
    with pytest.raises(AbaloError, match=r"odd\.npz: holds features; expected features, seen, step, weights"):
        load_weights(tmp_path / "odd.npz")


def test_seen_words_are_known_by_their_digests():
    seen = load_weights(bundled_path(WEIGHTS)).seen
    assert "中国" in seen
    assert "央视网球" not in seen
    assert word_digest("中国") in seen.digests


def spans_of(words):
    """Places of words in a text without white space."""
    ends = [0, *itertools.accumulate(len("".join(word.split())) for word in words)]
    return {pair for pair in itertools.pairwise(ends) if pair[0] < pair[1]}


def counted(path: Path, cut) -> float:
    """F1 of a function from text to words on a CoNLL-U file: twenty lines that share nothing with Abalo."""
    found = given = gold = 0
    for block in path.read_text("utf-8").strip().split("\n\n"):
        lines = block.split("\n")
        text = next(line.removeprefix("# text = ") for line in lines if line.startswith("# text = "))
        right = spans_of([line.split("\t")[1] for line in lines if not line.startswith("#")])
        predicted = spans_of(cut(text))
        found, given, gold = found + len(right & predicted), given + len(predicted), gold + len(right)
    return 2 * found / (given + gold)


@pytest.mark.slow
def test_jieba_is_counted_as_an_independent_script_counts_it():
    jieba = pytest.importorskip("jieba")
    path = published("ud/zh_gsdsimp-dev.conllu")
    corpus = load(str(path))
    predictions = TASK.load("jieba", RunOptions(), corpus).predict(corpus.sentences)
    found = given = gold = 0
    for sentence, prediction in zip(corpus.sentences, predictions, strict=True):
        right, predicted = words_in(sentence.tags), words_in(prediction.tags)
        found += len({*right} & {*predicted})
        given, gold = given + len(predicted), gold + len(right)
    ours = 2 * found / (given + gold)
    assert ours == counted(path, jieba.lcut)
    assert round(ours, 3) == 0.815
    assert round(counted(path, lambda text: jieba.lcut("".join(text.split()))), 3) == 0.813


def test_the_perceptron_has_the_f1_that_its_card_names():
    path = published("ud/zh_gsdsimp-dev.conllu")
    corpus = load(str(path))
    own = TASK.load(None, RunOptions(), corpus)
    words = iter(own.predict(corpus.sentences))

    def cut(_text):
        sentence = next(sentences)
        return ["".join(sentence.tokens[span.start : span.stop]) for span in words_in(next(words).tags)]

    sentences = iter(corpus.sentences)
    assert round(counted(path, cut), 3) == 0.856
    assert "**0.856**" in bundled_path("fixtures/segmentation/README.md").read_text("utf-8")
