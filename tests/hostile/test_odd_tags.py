"""Columns of entities with tags of no scheme among them: told as such, never judged as parts of speech."""

from pathlib import Path

import pytest

from abalo.config.options import make_options
from abalo.config.tasks import tasks_asked_for
from abalo.core.protocols.task import tasks
from abalo.errors import AbaloError

ROWS = [("Ana", "B-PER"), ("Sá", "I-PER"), ("saiu", "O")]


def columns(rows) -> str:
    return "".join(f"{one} {other}\n" for one, other in rows)


ODD = {
    "a small o": ("o", "'saiu' has the tag 'o'; expected O, or one of B-, I- and a type (BIO)"),
    "an underscore": ("_", "'saiu' has the tag '_'; expected O, or one of B-, I- and a type (BIO)"),
    "a zero": ("0", "'saiu' has the tag '0'; expected O"),
    "a bare type": ("PER", "'saiu' has the tag 'PER'; expected O"),
}


def read(spec: str, task: str = "ner"):
    """The corpus as the only task reads it that a run with it is about."""
    options = make_options(thresholds=Path("thresholds.toml"), corpus=spec)
    assert tasks_asked_for(options, (), Path()) == (tasks()[task],)
    return tasks()[task].read(spec, options)


@pytest.mark.parametrize(("outside", "said"), ODD.values(), ids=ODD)
def test_a_file_with_tags_of_entities_is_about_entities_whatever_else_is_in_it(written, outside, said):
    spec = written(columns((word, outside if tag == "O" else tag) for word, tag in ROWS))
    with pytest.raises(AbaloError) as caught:
        read(spec)
    assert f"{spec}:3: {said}" in str(caught.value)


def test_tags_in_the_first_column_are_told_once(written):
    spec = written(columns((tag, word) for word, tag in ROWS))
    with pytest.raises(AbaloError) as caught:
        read(spec)
    assert str(caught.value) == (
        f"{spec}: the tags are in the first column; expected the token first and its tag last; change their order, "
        "or name the columns: FILE?tokens=2&tags=1"
    )


def test_words_that_look_like_tags_are_words(written):
    spec = written(columns([("B-52", "PROPN"), ("O", "PRON"), ("flew", "VERB")]))
    assert len(read(spec, "pos").sentences) == 1
    assert read(written(columns([("B-52", "O"), ("I-95", "B-LOC")]))).entity_counts == {"LOC": 1}


def test_a_run_of_such_a_file_says_so(project):
    corpus = project.path / "corpus.conll"
    corpus.write_text(corpus.read_text().replace(" O\n", " o\n"))
    result = project.pytester.runpytest("--pyargs", "tests_behavioral", "--abalo-corpus", "corpus.conll")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "has the tag 'o'; expected O, or one of B-, I- and a type (BIO)" in result.stdout.str()
