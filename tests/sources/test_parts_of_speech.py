"""Parts of speech from corpora and by spaCy pipelines."""

import re
import sys

import pytest

from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.sources.loading import load_parts_of_speech
from perturbations import Sentence

RULES = {"cat": "NOUN", "cat-like": "ADJ", "sat": "VERB"}


@pytest.fixture
def pipeline(tmp_path):
    """The folder of a pipeline that knows three words, and finds entities, which nobody needs here."""
    spacy = pytest.importorskip("spacy", reason="spaCy is an extra")
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("attribute_ruler")
    for word, tag in RULES.items():
        ruler.add(patterns=[[{"ORTH": word}]], attrs={"POS": tag})
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "ANIMAL", "pattern": "the cat"}])
    nlp.to_disk(tmp_path / "pipeline")
    return tmp_path / "pipeline"


@pytest.fixture
def known():
    """A corpus that tells the parts of speech of two sentences."""
    sentences = (Sentence(("saw", "the", "saw"), ("O",) * 3), Sentence(("walking", "talking", "sawed"), ("O",) * 3))
    return Corpus("known", sentences, parts_of_speech=(("VERB", "DET", "NOUN"), ("VERB", "VERB", "VERB")))


UNKNOWN = Corpus("unknown", ())


def test_off_means_none(known):
    assert load_parts_of_speech("off", known) is None


def test_auto_asks_the_corpus_if_it_has_any(known):
    assert load_parts_of_speech("auto", UNKNOWN) is None
    assert load_parts_of_speech("auto", known).of([known.sentences[0]]) == [("VERB", "DET", "NOUN")]


def test_a_corpus_without_parts_of_speech_cannot_be_asked():
    with pytest.raises(AbaloError, match=r"parts of speech 'corpus': unknown has none; .* give 'spacy:NAME' or 'off'"):
        load_parts_of_speech("corpus", UNKNOWN)


def test_words_of_other_sentences_have_their_most_frequent_tag_or_that_of_their_ending(known):
    source = load_parts_of_speech("corpus", known)
    # saw: once each, the first in the alphabet; jumping ends like walking, he like the, zzz like no word
    assert source.of([Sentence(("saw", "jumping", "he", "zzz"))]) == [("NOUN", "VERB", "DET", "VERB")]


def test_the_name_tells_which_corpus_it_was(known):
    other = Corpus("known", known.sentences, parts_of_speech=(("VERB", "DET", "VERB"), ("VERB", "VERB", "VERB")))
    name = load_parts_of_speech("corpus", known).name
    assert re.fullmatch(r"the corpus, .*endings \(sha256 [0-9a-f]{8}\)", name)
    assert load_parts_of_speech("corpus", other).name != name


def test_every_token_of_the_corpus_has_a_universal_tag_as_it_is_tokenised_there(pipeline):
    source = load_parts_of_speech(f"spacy:{pipeline}", UNKNOWN)
    sentences = [Sentence(("the", "cat-like", "cat", "sat")), Sentence(()), Sentence(("sat",))]
    assert source.of(sentences) == [("X", "ADJ", "NOUN", "VERB"), (), ("VERB",)]
    assert source.of([]) == []


def test_the_name_tells_the_pipeline_and_its_content(pipeline):
    name = load_parts_of_speech(f"spacy:{pipeline}", UNKNOWN).name
    assert re.fullmatch(r"spaCy en_pipeline 0\.0\.0 \([0-9a-f]{8}\)", name)
    meta = pipeline / "meta.json"
    meta.write_text(meta.read_text() + "\n")
    assert load_parts_of_speech(f"spacy:{pipeline}", UNKNOWN).name != name


def test_a_pipeline_that_tells_no_parts_of_speech_is_an_error(tmp_path):
    spacy = pytest.importorskip("spacy", reason="spaCy is an extra")
    spacy.blank("en").to_disk(tmp_path / "blank")
    source = load_parts_of_speech(f"spacy:{tmp_path / 'blank'}", UNKNOWN)
    with pytest.raises(AbaloError, match="gives no parts of speech; its components are none: expected a tagger"):
        source.of([Sentence(("cat",))])


def test_a_pipeline_that_changes_the_tokens_is_an_error(tmp_path):
    spacy = pytest.importorskip("spacy", reason="spaCy is an extra")
    from spacy.language import Language

    if not Language.has_factory("first_two_as_one"):

        @Language.component("first_two_as_one")
        def first_two_as_one(doc):
            with doc.retokenize() as retokenizer:
                retokenizer.merge(doc[:2])
            return doc

    nlp = spacy.blank("en")
    nlp.add_pipe("first_two_as_one")
    nlp.to_disk(tmp_path / "merging")
    with pytest.raises(AbaloError, match="made 1 tokens of 2; leave out the component that merges or splits"):
        load_parts_of_speech(f"spacy:{tmp_path / 'merging'}", UNKNOWN).of([Sentence(("cat", "sat"))])


def test_an_unknown_pipeline_is_an_error():
    pytest.importorskip("spacy", reason="spaCy is an extra")
    with pytest.raises(AbaloError, match=r"spacy:xx_none: spaCy cannot load 'xx_none' .*python -m spacy download NAME"):
        load_parts_of_speech("spacy:xx_none", UNKNOWN)


def test_without_spacy_the_error_is_the_line_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(AbaloError) as caught:
        load_parts_of_speech("spacy:xx_none", UNKNOWN)
    assert str(caught.value) == "the spaCy adapter needs spaCy: pip install 'abalo[spacy]'"
