import pytest

from abalo.corpora import load as load_corpus
from abalo.models.tokens.loading import load
from tests.published import published


@pytest.mark.slow
@pytest.mark.parametrize(("file", "wordless"), [("wnut17/dev.conll", 4), ("lener-br/dev.conll", 0)])
def test_every_token_of_a_published_corpus_gets_one_row(checkpoint, file, wordless):
    # W-NUT has four tokens that are U+FE0F alone, which this tokenizer drops with the accents.
    sentences = load_corpus(str(published(file)), limit=1000).sentences
    predictions = load(str(checkpoint), device="cpu").predict(sentences)
    assert [len(p.tags) for p in predictions] == [len(p.scores) for p in predictions] == list(map(len, sentences))
    assert sum(p.wordless for p in predictions) == wordless
    assert any(p.inputs > 1 for p in predictions)
