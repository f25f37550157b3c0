"""Some entity types of a corpus."""

import pytest

from abalo.corpora import Corpus, load
from abalo.corpora.types import parse_types
from abalo.errors import AbaloError
from perturbations import parse, render

FILE = """\
Ana B-person
Sá I-person
da O
Acme B-corporation

em O
Faro B-location
a O
Acme B-corporation
Ltda I-corporation
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "dev.conll"
    file.write_text(FILE, encoding="utf-8")
    return str(file)


def test_tokens_of_other_types_are_o_and_their_entities_counted(path):
    corpus = load(path, types=("person", "location"))
    assert [render(each) for each in corpus.sentences] == ["[Ana Sá person] da Acme", "em [Faro location] a Acme Ltda"]
    assert (corpus.judged, corpus.left_out) == (("person", "location"), {"corporation": 2})
    assert corpus.sha256 != load(path).sha256


def test_all_types_are_judged_unless_some_are_named(path):
    corpus = load(path)
    assert (corpus.judged, corpus.left_out, corpus.types) == (None, {}, ("corporation", "location", "person"))


def test_a_type_may_be_missing_from_the_first_sentences_but_not_from_the_file(path):
    corpus = load(path, limit=1, types=("location",))
    assert [render(each) for each in corpus.sentences] == ["Ana Sá da Acme"]
    assert (corpus.left_out, corpus.types) == ({"corporation": 1, "person": 1}, ("location",))
    assert load(path, limit=1).types == ("corporation", "location", "person")


def test_a_type_that_the_corpus_has_not_is_an_error_with_the_nearest(path):
    with pytest.raises(AbaloError) as caught:
        load(path, types=("person", "locaton"))
    assert str(caught.value) == (
        f"--abalo-types locaton: {path} has no entity type 'locaton'; did you mean 'location'?; there are corporation, "
        "location, person"
    )


def test_another_corpus_is_made_alike():
    other = Corpus("other", (parse("[Acme corporation] e [Rui person]"),))
    judged = Corpus("dev", (parse("[Ana person]"),)).only(["person"])
    assert render(judged.alike(other).sentences[0]) == "Acme e [Rui person]"
    assert Corpus("dev", ()).alike(other) is other


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "expected names"), ("PER,,LOC", "expected names"), (" , ", "expected names"), ("PER,LOC, PER", "'PER' is")],
)
def test_names_that_cannot_be_read_are_an_error(text, message):
    with pytest.raises(AbaloError, match=f"--abalo-types '{text}': {message}"):
        parse_types(text)


def test_names_may_have_spaces_around_them():
    assert parse_types(" person , creative-work ") == ("person", "creative-work")
