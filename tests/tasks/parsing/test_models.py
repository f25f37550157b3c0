"""Parsers: the one that ships, functions, spaCy, and Stanza by a stub of its interface."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from abalo.core.protocols.options import RunOptions
from abalo.errors import AbaloError
from abalo.models.parsers.loading import load
from abalo.models.parsers.protocol import Parse
from abalo.models.parsers.transitions import Configurations, TransitionParser
from abalo.tasks.parsing.corpus import load as load_corpus
from perturbations import Sentence

SENTENCE = Sentence(("Ana", "viu", "a", "casa", "."))


def test_actions_make_the_arcs_that_they_say():
    # Ana saiu: shift, under the next word, shift, under the root.
    state = Configurations([2])
    one, none = np.array([1]), np.array([0])
    state.act(none, none)
    assert state.allowed().tolist() == [[True, True, False]]
    state.act(one, one)
    state.act(none, none)
    assert state.allowed().tolist() == [[False, True, False]]
    state.act(one, np.array([2]))
    assert state.heads[0, :2].tolist() == [1, 2]
    assert state.relations[0, :2].tolist() == [1, 2]


@pytest.fixture(scope="module")
def shipped():
    return load(None, RunOptions())


def test_the_parser_that_ships_gives_every_sentence_a_tree(shipped):
    sentences = load_corpus("bundled:parsing-pt").sentences[:60]
    found = shipped.predict([*sentences, Sentence(())])
    assert all(each.is_tree for each in found)
    assert [len(each.heads) for each in found[:-1]] == [len(each) for each in sentences]
    assert found[-1] == Parse((), (), inputs=0)


def test_trees_do_not_depend_on_what_is_parsed_beside(shipped):
    sentences = load_corpus("bundled:parsing-pt").sentences[:40]
    assert shipped.predict(sentences) == [shipped.predict([each])[0] for each in sentences]


def test_weights_survive_a_file(shipped, tmp_path):
    path = tmp_path / "weights.npz"
    parser = TransitionParser.load(_weights())
    parser.save(path)
    assert path.read_bytes() == _weights().read_bytes() or TransitionParser.load(path).words == parser.words
    words, tags = [SENTENCE.tokens], [("PROPN", "VERB", "DET", "NOUN", "PUNCT")]
    assert TransitionParser.load(path).parse(words, tags) == parser.parse(words, tags)
    with pytest.raises(AbaloError, match="cannot be read as a parser"):
        broken = tmp_path / "broken.npz"
        broken.write_bytes(b"none")
        TransitionParser.load(broken)


def _weights():
    from abalo.bundled import bundled_path

    return bundled_path("fixtures/parsing-pt/weights.npz")


@pytest.fixture
def module(tmp_path, monkeypatch):
    def write(body):
        (tmp_path / "mine.py").write_text(f"def make():\n    def parse(batch):\n        {body}\n    return parse\n")
        monkeypatch.chdir(tmp_path)
        return load(f"{tmp_path / 'mine.py'}:make", RunOptions())

    return write


def test_a_function_counts_heads_from_1(module):
    model = module("return [([2, 0, 4, 2, 2], ['nsubj', 'root', 'det', 'obj', 'punct']) for words in batch]")
    assert model.predict([SENTENCE]) == [Parse((1, -1, 3, 1, 1), ("nsubj", "root", "det", "obj", "punct"))]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return []", "gave 0 trees for 1 sentences"),
        ("return [None]", r"gave None; expected a pair \(heads, relations\)"),
        ("return [([0], ['root'])]", "gave 1 heads and 1 relations for 5 words"),
        ("return [([9] * 5, ['x'] * 5)]", "gave word 1 of 5 the head 9"),
        ("return [([1] * 5, ['x'] * 5)]", "gave word 1 of 5 the head 1"),
        ("return [([0.0] * 5, ['x'] * 5)]", "the head 0.0"),
        ("return [([0] * 5, [1] * 5)]", "expected a relation for each word"),
        ("raise ValueError('no')", "parsing raised ValueError: no"),
    ],
)
def test_what_is_no_tree_is_refused(module, body, message):
    with pytest.raises(AbaloError, match=message):
        module(body).predict([SENTENCE])


def test_several_roots_are_taken_as_they_are(module):
    (found,) = module("return [([0] * 5, ['root'] * 5)]").predict([SENTENCE])
    assert not found.is_tree


def test_spacy_gives_the_heads_of_its_parser(tmp_path):
    spacy = pytest.importorskip("spacy")
    pipeline = spacy.blank("pt")
    pipeline.add_pipe("parser").add_label("nsubj")
    pipeline.initialize()
    pipeline.to_disk(tmp_path / "blank")
    model = load(f"spacy:{tmp_path / 'blank'}", RunOptions())
    (found,) = model.predict([SENTENCE])
    assert len(found.heads) == len(SENTENCE)
    spacy.blank("pt").to_disk(tmp_path / "none")
    with pytest.raises(AbaloError, match="has no component parser; its components are none"):
        load(f"spacy:{tmp_path / 'none'}", RunOptions())


def test_stanza_is_given_words_and_gives_heads(monkeypatch):
    asked = {}

    class Pipeline:
        def __init__(self, language, **settings):
            asked.update(settings, language=language)

        def __call__(self, batch):
            trees = [
                SimpleNamespace(
                    words=[SimpleNamespace(head=k, deprel="root" if k == 0 else "dep") for k in range(len(words))]
                )
                for words in batch
            ]
            return SimpleNamespace(sentences=trees)

    stub = ModuleType("stanza")
    stub.Pipeline, stub.__version__ = Pipeline, "1.0"
    monkeypatch.setitem(sys.modules, "stanza", stub)
    model = load("stanza:pt", RunOptions())
    assert model.predict([SENTENCE]) == [Parse((-1, 0, 1, 2, 3), ("root", *("dep",) * 4))]
    assert (asked["language"], asked["tokenize_pretokenized"], asked["download_method"]) == ("pt", True, None)


def test_without_stanza_the_line_that_installs_it_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "stanza", None)
    with pytest.raises(AbaloError, match=r"pip install 'abalo\[stanza\]'"):
        load("stanza:pt", RunOptions())


def test_a_name_that_is_no_parser_is_refused():
    with pytest.raises(AbaloError, match="is no parser; expected"):
        load("some-org/some-parser", RunOptions())


def test_a_label_map_renames_relations(tmp_path):
    (tmp_path / "own.py").write_text("def make():\n    return lambda rows: [([0], ['ROOT']) for row in rows]\n")
    spec = f"{tmp_path / 'own.py'}:make"
    model = load(spec, RunOptions(label_map="ROOT=root"))
    assert model.predict([Sentence(("Sim",))])[0].relations == ("root",)
    assert model.fingerprint != load(spec, RunOptions()).fingerprint
    with pytest.raises(AbaloError, match="renames 'ROOT', no relation of the model"):
        load(None, RunOptions(label_map="ROOT=root"))
