import pytest

from abalo.corpora import load
from tests.published import published

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("file", "sentences", "tokens"),
    [
        ("lener-br/train.conll", 7_827, 229_277),
        ("lener-br/dev.conll", 1_176, 41_166),
        ("wnut17/train.conll", 3_394, 62_730),
        ("wnut17/dev.conll", 1_009, 15_733),
        ("wnut17/test.conll", 1_287, 23_394),
    ],
)
def test_a_published_corpus_loads_whole_and_unrepaired(file, sentences, tokens):
    corpus = load(f"{published(file)}?lenient")
    assert (len(corpus.sentences), sum(map(len, corpus.sentences))) == (sentences, tokens)
    assert (corpus.scheme, corpus.repairs, len(corpus.entity_counts)) == ("BIO", 0, 6)
