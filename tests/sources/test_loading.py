"""Names of sources."""

import pytest

from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.sources.loading import load_parts_of_speech, load_similarity, load_synonyms

NONE = Corpus("none", ())


@pytest.mark.parametrize(
    ("load", "message"),
    [
        (lambda: load_synonyms("vektors:v.txt"), "synonyms 'vektors:v.txt': no such source; did you mean 'vectors'?;"),
        (lambda: load_synonyms("lexicon"), "synonyms 'lexicon': no such source; there are: lexicon:NAME, "),
        (lambda: load_synonyms("wordnet:"), "synonyms 'wordnet:': no such source; there are: lexicon:NAME, "),
        (lambda: load_synonyms(""), "synonyms '': no such source; there are: "),
        (
            lambda: load_similarity("ngram", []),
            "similarity 'ngram': no such source; did you mean 'ngrams'?; there are:",
        ),
        (lambda: load_similarity("ngrams:3", []), "similarity 'ngrams:3': no such source; there are: ngrams, encoder:"),
        (
            lambda: load_parts_of_speech("of", NONE),
            "parts of speech 'of': no such source; did you mean 'off'?; there are:",
        ),
        (
            lambda: load_parts_of_speech("spacy", NONE),
            "parts of speech 'spacy': no such source; there are: auto",
        ),
    ],
)
def test_an_unknown_source_is_an_error_that_lists_the_known_ones(load, message):
    with pytest.raises(AbaloError) as caught:
        load()
    assert str(caught.value).startswith(message)


def test_no_synonyms_at_all_cannot_be_asked_for():
    with pytest.raises(AbaloError, match="most is 0; expected a number of words from 1"):
        load_synonyms("lexicon:legal_pt", most=0)
