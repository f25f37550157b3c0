"""Bundled fixtures: their makers are run by ``make generated``, and what they made can be judged on."""

from pathlib import Path

import pytest

from abalo.corpora import load
from abalo.corpora.conllu import read
from abalo.models.tokens.linear import LinearTagger

FIXTURES = Path(__file__).parent.parent / "fixtures"
TYPES = ("JURISPRUDENCIA", "LEGISLACAO", "LOCAL", "ORGANIZACAO", "PESSOA", "TEMPO")


def test_make_generated_checks_what_each_script_makes():
    makefile = FIXTURES.parent.joinpath("Makefile").read_text("utf-8")
    body = makefile.partition("\ngenerated:")[2].partition("\n\n")[0]
    checked = {line.strip() for line in body.splitlines()}
    texts = {each.name: each.read_text("utf-8") for each in FIXTURES.glob("*.py")}
    scripts = [name for name, text in texts.items() if "write_or_check(" in text or '"--check"' in text]
    assert len(scripts) == 12
    assert {f"python fixtures/{name} --check" for name in scripts} | {"python -m docs.made --check"} <= checked


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


TAGGED = read(FIXTURES / "corpora" / "pos-pt" / "eval.conllu")


def test_the_corpus_of_parts_of_speech_is_large_and_varied_enough_to_judge_on():
    assert len({sentence.tokens for sentence in TAGGED}) == len(TAGGED) >= 250
    assert len({tag for sentence in TAGGED for tag in sentence.tags}) >= 14


@pytest.mark.parametrize(
    ("word", "tags"),
    [
        ("a", {"ADP", "DET", "PRON"}),
        ("canto", {"NOUN", "VERB"}),
        ("como", {"ADP", "SCONJ", "VERB"}),
        ("nada", {"PRON", "VERB"}),
        ("para", {"ADP", "VERB"}),
        ("que", {"PRON", "SCONJ"}),
        ("são", {"ADJ", "AUX"}),
    ],
)
def test_words_of_several_parts_of_speech_are_there_as_each(word, tags):
    pairs = (pair for each in TAGGED for pair in zip(each.tokens, each.tags, strict=True))
    assert {tag for token, tag in pairs if token.lower() == word and tag != "PROPN"} == tags


def test_contractions_are_written_as_one_and_read_as_two():
    lines = FIXTURES.joinpath("corpora/pos-pt/eval.conllu").read_text("utf-8").splitlines()
    text = next(line for line in lines if line.startswith("# text = O público vaiou"))
    assert " no teatro público de " in text
    assert all("no" not in sentence.tokens and "do" not in sentence.tokens for sentence in TAGGED)


def test_the_tagger_that_ships_is_as_good_as_its_card_says():
    tagger = LinearTagger.load(FIXTURES / "pos-pt" / "weights.npz")
    predicted = tagger.tags([sentence.tokens for sentence in TAGGED])
    gold = [tag for sentence in TAGGED for tag in sentence.tags]
    right = sum(a == b for a, b in zip(gold, (tag for tags in predicted for tag in tags), strict=True))
    card = FIXTURES.joinpath("pos-pt", "README.md").read_text("utf-8")
    assert f"| our `corpora/pos-pt/eval.conllu` | {len(gold):,} | {right / len(gold):.4f} |" in card


def test_what_is_made_of_the_treebank_says_under_which_licence():
    folder = FIXTURES / "pos-pt"
    assert folder.joinpath("LICENSE").read_text("utf-8").startswith("Attribution-ShareAlike 4.0 International\n")
    assert "UD Portuguese-GSD" in folder.joinpath("NOTICE").read_text("utf-8")
    project = FIXTURES.parent.joinpath("pyproject.toml").read_text("utf-8")
    assert 'license = "Apache-2.0 AND CC-BY-SA-4.0 AND Unicode-3.0"' in project
    assert all(f'"fixtures/pos-pt/{name}"' in project for name in ("LICENSE", "NOTICE"))


def test_what_is_made_of_the_chinese_treebank_says_under_which_licence():
    folder = FIXTURES / "segmentation"
    assert folder.joinpath("LICENSE").read_text("utf-8").startswith("Attribution-ShareAlike 4.0 International\n")
    assert "UD Chinese-GSDSimp" in folder.joinpath("NOTICE").read_text("utf-8")
    project = FIXTURES.parent.joinpath("pyproject.toml").read_text("utf-8")
    assert all(f'"fixtures/segmentation/{name}"' in project for name in ("LICENSE", "NOTICE"))
