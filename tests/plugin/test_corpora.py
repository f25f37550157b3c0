"""Corpora of other kinds in a whole run: what is told of them, and what is refused."""

import gzip

import pytest


def without_beginnings(project) -> None:
    """Every entity of the corpus begins with I-."""
    project.write("corpus.conll", (project.path / "corpus.conll").read_text("utf-8").replace(" B-", " I-"))


def test_a_corpus_without_beginnings_is_judged_and_a_notice_says_how_it_was_read(project):
    without_beginnings(project)
    result = project.run("-k", "baseline")
    said = "corpus.conll has no B- label, "
    result.stdout.fnmatch_lines([f"*{said}*"])
    corpus = project.document()["corpus"]
    assert corpus["scheme"] == "IOB1"
    (notice,) = corpus["notices"]
    assert notice.startswith(said)
    assert said in (project.path / "reports" / "robustness.md").read_text("utf-8")


def test_a_corpus_that_says_how_it_is_tagged_needs_no_notice(project):
    assert "IOB1" not in project.run("-k", "baseline").stdout.str()
    assert project.document()["corpus"]["notices"] == []


def test_a_packed_corpus_gives_the_same_run(project):
    project.run("-k", "baseline")
    plain = project.document()
    (project.path / "corpus.conll.gz").write_bytes(gzip.compress((project.path / "corpus.conll").read_bytes()))
    project.run("-k", "baseline", "--abalo-corpus", "corpus.conll.gz")
    packed = project.document()
    assert packed["corpus"]["sha256"] == plain["corpus"]["sha256"]
    assert packed["baseline"] == plain["baseline"]


def test_a_treebank_has_no_entities(project):
    words = ["1\tAna\tAna\tPROPN\t_\t_\t2\tnsubj\t_\t_", "2\tsaiu\tsair\tVERB\t_\t_\t0\troot\t_\t_"]
    project.write("trees.conllu", "\n".join(words) + "\n")
    result = project.run("-k", "baseline", "--abalo-task", "ner", "--abalo-corpus", "trees.conllu")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["trees.conllu: CoNLL-U, *parts of speech * --abalo-task pos*"])
