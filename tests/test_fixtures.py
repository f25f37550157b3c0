"""What ships to test with is what its makers made."""

import subprocess
import sys
from pathlib import Path

import pytest

from abalo.corpora import load

FIXTURES = Path(__file__).parent.parent / "fixtures"
TYPES = ("JURISPRUDENCIA", "LEGISLACAO", "LOCAL", "ORGANIZACAO", "PESSOA", "TEMPO")


@pytest.mark.parametrize("script", ["make_corpora.py", "hashes.py"])
def test_files_are_as_their_script_leaves_them(script):
    result = subprocess.run(
        [sys.executable, str(FIXTURES / script), "--check"], check=False, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_legal_corpus_is_large_and_varied_enough_to_judge_on():
    corpus = load("bundled:legal-pt")
    assert len({sentence.tokens for sentence in corpus.sentences}) == len(corpus.sentences) >= 400
    assert all(corpus.entity_counts[kind] >= 120 for kind in TYPES)
    assert 20 <= sum(map(len, corpus.sentences)) / len(corpus.sentences) <= 40


def test_training_and_evaluation_sentences_differ():
    corpora = FIXTURES / "corpora" / "legal-pt"
    train = {sentence.tokens for sentence in load(str(corpora / "train.conll")).sentences}
    assert not train & {sentence.tokens for sentence in load(str(corpora / "eval.conll")).sentences}


def test_the_english_corpus_is_large_enough_to_judge_on():
    corpus = load("bundled:news-en")
    assert len({sentence.tokens for sentence in corpus.sentences}) >= 150
    assert set(corpus.entity_counts) == {"LOC", "ORG", "PER"}
