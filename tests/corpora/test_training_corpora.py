"""Corpora that settings name beside the one that is judged."""

import pytest

from abalo.corpora.training import load_named
from abalo.errors import AbaloError


def test_a_corpus_of_several_cases_is_read_once_and_again_when_its_file_changes(tmp_path):
    file = tmp_path / "train.conll"
    file.write_text("Ana B-PER\n\n", encoding="utf-8")
    first = load_named(str(file))
    assert load_named(str(file)) is first
    file.write_text("Ana B-PER\n\nRio B-LOC\n\n", encoding="utf-8")
    assert [sentence.tokens for sentence in load_named(str(file)).sentences] == [("Ana",), ("Rio",)]


def test_such_a_corpus_has_settings_of_its_own(tmp_path):
    file = tmp_path / "train.conll"
    file.write_text("Rome B-LOC\n\nAna I-PER\n", encoding="utf-8")
    with pytest.raises(AbaloError, match="1 problem"):
        load_named(str(file))
    assert load_named(f"{file}?lenient").repairs == 1
