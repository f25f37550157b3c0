"""Models of coreference: the rules that ship, functions, and spaCy pipelines by a stub of their documents."""

from types import SimpleNamespace

import pytest

from abalo.core.protocols.options import RunOptions
from abalo.errors import AbaloError
from abalo.models.coreference import loading
from abalo.models.coreference.loading import load
from abalo.models.coreference.protocol import Resolved
from abalo.models.coreference.rules import resolve
from perturbations.documents import document_of


def document(*sentences):
    return document_of([(each.split(), [" "] * len(each.split())) for each in sentences], [], "d")


def said(text):
    """The clusters of more than one mention, as words."""
    found = [[" ".join(text.tokens[slice(*each)]) for each in cluster] for cluster in resolve(text)]
    return [each for each in found if len(each) > 1]


ANNA = ["Anna Pelham", "She", "Anna"]


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (
            ["Anna Pelham left .", "She took the old bicycle .", "Anna sold it ."],
            [ANNA, ["the old bicycle", "it"]],
        ),
        (["Peter met Helen .", "He thanked her ."], [["Peter", "He"], ["Helen", "her"]]),
        (["A dog left .", "The dog came ."], [["A dog", "The dog"]]),
        (["A man left .", "A man came ."], []),  # what is told for the first time is another one
        (["I saw my dog ."], [["I", "my"]]),
        (["Helena comprou uma casa na praia .", "Ela vendeu a casa ."], [["Helena", "Ela"], ["uma casa", "a casa"]]),
        (["Rain fell on the roofs ."], []),
    ],
)
def test_rules_find_equal_names_equal_heads_and_pronouns_that_agree(sentences, expected):
    assert said(document(*sentences)) == expected


def test_no_mention_is_in_two_clusters_and_nothing_is_found_in_nothing():
    model = load(None, RunOptions())
    text = document("Her mother said that Anna 's mother saw her .", "I , me and you saw them .")
    found, none = model.predict([text, document_of([], [], "e")])
    mentions = [mention for cluster in found.clusters for mention in cluster]
    assert len({*mentions}) == len(mentions)
    assert none == Resolved((), inputs=0)
    assert model.predict([text]) == model.predict([text])


TEXT = document("Tom left .", "He ran .")


@pytest.fixture
def function(tmp_path, monkeypatch):
    """Loads a model whose function returns what an expression of its documents says."""

    def loaded(returns):
        (tmp_path / "own.py").write_text(f"def model():\n    return lambda documents: {returns}\n", encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        return load(f"{tmp_path}/own.py:model", RunOptions())

    return loaded


def test_a_function_is_given_sentences_of_tokens_and_gives_clusters(function):
    model = function(
        "[[[(3, 4), (0, 1)], []] for each in documents if each == [['Tom', 'left', '.'], ['He', 'ran', '.']]]"
    )
    assert model.predict([TEXT]) == [Resolved((((0, 1), (3, 4)),))]
    assert model.black_box


@pytest.mark.parametrize(
    ("returns", "expected"),
    [
        ("[]", "returned 0 lists for 1 document; expected a list with the clusters of each document"),
        ("None", "returned None for 1 document; expected a list"),
        ("{}", "returned {} for 1 document"),
        ("[3]", "for document 'd' gave 3; expected a list of clusters"),
        ("[[(0, 1)]]", r"gave the mention 0 in|gave the mention 0 of 6 tokens"),
        ("[[[(0, 7)]]]", r"the mention \(0, 7\) of 6 tokens; expected a pair \(start, stop\) .* stop exclusive"),
        ("[[[(1, 1)]]]", r"the mention \(1, 1\) of 6 tokens"),
        ("[[[(0, 1)], [(0, 1)]]]", r"for document 'd' put the mention \(0, 1\) into two clusters; expected it in one"),
        ("[[[('a', 'b')]]]", r"the mention \('a', 'b'\) of 6 tokens"),
    ],
)
def test_replies_that_are_no_clusters_are_refused(function, returns, expected):
    with pytest.raises(AbaloError, match=expected):
        function(returns).predict([TEXT])


def test_an_error_of_a_function_says_for_which_documents(function):
    with pytest.raises(AbaloError, match=r"resolving 2 documents, 'd' to 'e', raised KeyError: 5 \("):
        function("{}[5]").predict([TEXT, document_of([], [], "e")])


@pytest.mark.parametrize("spec", ["nowhere/model.npz", "owner/name"])
def test_other_models_are_refused_with_what_is_expected(spec):
    with pytest.raises(AbaloError, match=r"no such|is no model of coreference; expected module:factory"):
        load(spec, RunOptions())


def test_a_pipeline_without_clusters_is_refused(tmp_path):
    pytest.importorskip("spacy").blank("en").to_disk(tmp_path)
    with pytest.raises(AbaloError, match="no component of the pipeline finds clusters"):
        load(f"spacy:{tmp_path}", RunOptions())


class Doc:
    """A document as a pipeline leaves it: span groups, or an extension."""

    def __init__(self, spans=None, **extensions):
        self.spans = spans or {}
        self._ = SimpleNamespace(**extensions)

    def has_extension(self, name):
        return hasattr(self._, name)

    def char_span(self, start, stop, alignment_mode):
        return SimpleNamespace(start=start // 4, end=stop // 4) if stop > start else None


@pytest.mark.parametrize(
    "doc",
    [
        Doc({"coref_clusters_1": [SimpleNamespace(start=0, end=1), SimpleNamespace(start=3, end=4)], "other": []}),
        Doc(coref_clusters=[[(0, 4), (12, 16), (3, 3)]]),
        Doc(coref_chains=[[SimpleNamespace(token_indexes=[0]), SimpleNamespace(token_indexes=[3])]]),
    ],
)
def test_clusters_are_read_from_where_components_leave_them(doc):
    assert list(loading._of_doc(doc)) == [[(0, 1), (3, 4)]]


def test_a_document_without_any_has_none():
    assert list(loading._of_doc(Doc())) == []
