"""Corpora that settings name beside the one that is judged."""

from abalo.corpora.training import load_named


def test_a_corpus_of_several_cases_is_read_once_and_again_when_its_file_changes(tmp_path):
    file = tmp_path / "train.conll"
    file.write_text("Ana B-PER\n\n", encoding="utf-8")
    first = load_named(str(file))
    assert load_named(str(file)) is first
    file.write_text("Ana B-PER\n\nRio B-LOC\n\n", encoding="utf-8")
    assert [sentence.tokens for sentence in load_named(str(file)).sentences] == [("Ana",), ("Rio",)]
