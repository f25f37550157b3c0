"""The linear tagger: scores are sums of weights; what is saved is loaded again; training repeats itself."""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from abalo.errors import AbaloError
from abalo.models.tokens.linear import LinearTagger, features, near_features, own_features, pair_features, shape

ROOT = Path(__file__).parents[3]
WEIGHTS = ROOT / "fixtures" / "pos-pt" / "weights.npz"

KNOWN = {"l=o": 0, "l=canto": 1, "-1l=o": 2, "1l=alto": 3, "-1,0=eu canto": 4}
TAGGER = LinearTagger(
    labels=("DET", "NOUN", "VERB"),
    features=KNOWN,
    weights=np.array([[8, 0, 0], [0, 2, 3], [0, 4, 0], [0, 0, 1], [0, 0, 9]], dtype=np.int8),
    step=0.5,
)


@pytest.mark.parametrize(
    ("word", "written"),
    [
        ("lei", "a"),
        ("Lei", "Aa"),
        ("STF", "A"),
        ("11.101", "9.9"),
        ("2ª", "9a"),
        ("nº", "a"),
        ("R$", "A$"),
        ("guarda-chuva", "a-a"),
        ("", ""),
    ],
)
def test_a_shape_shows_runs_of_letters_and_digits(word, written):
    assert shape(word) == written


def test_a_shape_is_cut_after_six():
    assert shape("a1b2c3d4") == "a9a9a9"


def test_own_features_are_forms_shape_ends_and_beginnings_shorter_than_the_word():
    assert own_features("Sé") == ["w=Sé", "l=sé", "h=Aa", "s1=é", "p1=s"]
    assert own_features("canto") == (
        ["w=canto", "l=canto", "h=a", "s1=o", "s2=to", "s3=nto", "s4=anto", "p1=c", "p2=ca", "p3=can"]
    )


def test_a_neighbour_gives_less_the_farther_away_it_is():
    assert near_features("Sol", -1) == ["-1l=sol", "-1s2=ol", "-1s3=sol", "-1h=Aa"]
    assert near_features("Sol", 2) == ["2l=sol", "2s2=ol"]


def test_outside_the_sentence_stands_nothing():
    (found,) = features(["Não"])
    assert {"-1l=", "1l=", "-2l=", "2l=", "-1h=", "-1,0= não", "0,1=não ", "-1,1= "} <= set(found)


def test_features_of_a_token_are_those_of_its_words_and_pairs_and_none_is_twice():
    first, second, third = features(["O", "canto", "acabou"])
    assert set(pair_features("o", "canto", "acabou")) | {"-1l=o", "1l=acabou", "w=canto"} <= set(second)
    for found in (first, second, third):
        assert len(found) == len(set(found))


def test_scores_are_sums_of_weights_times_the_step():
    (scores,) = TAGGER.scores([("O", "canto", "alto")])
    # O: l=o gives DET 8. canto: itself 2 and 3, after o NOUN 4, before alto VERB 1. Of alto nothing is known.
    assert scores.dtype == np.float32
    assert scores.tolist() == [[4, 0, 0], [0, 3, 2], [0, 0, 0]]


def test_the_highest_score_gives_the_tag_and_the_first_of_equal_ones():
    assert TAGGER.tags([("O", "canto", "alto"), ("Eu", "canto")]) == [("DET", "NOUN", "DET"), ("DET", "VERB")]


def test_without_sentences_and_without_tokens_nothing_is_scored():
    assert TAGGER.scores([]) == []
    assert TAGGER.scores([()])[0].shape == (0, 3)
    assert TAGGER.tags([(), ("o",)]) == [(), ("DET",)]


def test_scores_of_a_sentence_are_the_same_whatever_is_scored_with_it():
    tagger = LinearTagger.load(WEIGHTS)
    sentences = [
        tuple(text.split()) for text in ("O juiz negou o pedido .", "Não há provas", "", "xyz 12 \u00b4 \ue000")
    ]
    together = tagger.scores(sentences)
    for sentence, scores in zip(sentences, together, strict=True):
        assert np.array_equal(tagger.scores([sentence])[0], scores)


def test_scores_are_those_of_the_features_one_by_one():
    tagger = LinearTagger.load(WEIGHTS)
    sentence = ["A", "perita", "Ana", "não", "viu", "os", "R$", "12,50", "de", "o", "réu", "."]
    summed = [
        sum((tagger.weights[tagger.features[name]].astype(int) for name in row if name in tagger.features), start=0)
        for row in features(sentence)
    ]
    assert np.array_equal(tagger.scores([sentence])[0], (np.array(summed) * tagger.step).astype(np.float32))


def test_what_is_saved_is_loaded_again_and_has_the_same_bytes(tmp_path):
    TAGGER.save(tmp_path / "a.npz")
    again = LinearTagger.load(tmp_path / "a.npz")
    assert (again.labels, again.features, again.step) == (TAGGER.labels, KNOWN, 0.5)
    assert np.array_equal(again.weights, TAGGER.weights)
    again.save(tmp_path / "b.npz")
    assert tmp_path.joinpath("a.npz").read_bytes() == tmp_path.joinpath("b.npz").read_bytes()


def refused(path: Path) -> str:
    with pytest.raises(AbaloError) as caught:
        LinearTagger.load(path)
    return str(caught.value)


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    assert refused(tmp_path / "none.npz").endswith(
        "none.npz: no such file; expected a tagger; train one with fixtures/train_pos.py"
    )


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no weights here", b"\x93NUMPY"])
def test_a_file_that_is_something_else_is_an_error(tmp_path, content):
    tmp_path.joinpath("a.npz").write_bytes(content)
    assert "a.npz: cannot be read as a tagger" in refused(tmp_path / "a.npz")


def test_arrays_that_are_something_else_are_an_error(tmp_path):
    np.savez(tmp_path / "a.npz", weights=np.zeros(3))
    assert "a.npz: holds weights; expected features, labels, step, weights; train one" in refused(tmp_path / "a.npz")


def test_weights_of_another_shape_are_an_error(tmp_path):
    names = np.frombuffer(b"l=a\nl=b", dtype=np.uint8)
    arrays = {"features": names, "labels": np.array(["X"]), "step": np.float64(1)}
    np.savez(tmp_path / "a.npz", weights=np.zeros((2, 2), np.int8), **arrays)
    assert "weights are int8 of shape (2, 2); expected int8 of shape (1, 2), labels by features" in (
        refused(tmp_path / "a.npz")
    )


def test_pickles_are_not_opened(tmp_path):
    np.savez(tmp_path / "a.npz", weights=np.array([{}], dtype=object), features=[1], labels=["X"], step=1)
    assert "cannot be read as a tagger" in refused(tmp_path / "a.npz")


def test_the_weights_that_ship_are_small():
    assert WEIGHTS.stat().st_size <= 300_000


def test_they_tag_in_a_moment():
    tagger = LinearTagger.load(WEIGHTS)
    sentences = [("O", "juiz", "negou", "o", "pedido", "de", "os", "autores", ",", "que", "recorreram")] * 1_000
    began = time.process_time()
    tagger.tags(sentences)
    assert time.process_time() - began < 2.0, "11,000 tokens"


def test_training_twice_gives_the_same_bytes(tmp_path):
    treebank = tmp_path / "train.tsv"
    treebank.write_text(
        "O\tDET\ncanto\tNOUN\nacabou\tVERB\n\nEu\tPRON\ncanto\tVERB\no\tDET\nhino\tNOUN\n\n" * 3, "utf-8"
    )
    for name in ("a.npz", "b.npz"):
        command = [sys.executable, ROOT / "fixtures" / "train_pos.py", treebank, "--weights", tmp_path / name]
        subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    assert tmp_path.joinpath("a.npz").read_bytes() == tmp_path.joinpath("b.npz").read_bytes()
    tagger = LinearTagger.load(tmp_path / "a.npz")
    assert tagger.tags([("O", "canto", "acabou"), ("Eu", "canto")]) == [("DET", "NOUN", "VERB"), ("PRON", "VERB")]
