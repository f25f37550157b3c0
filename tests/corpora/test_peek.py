"""What a file is, by its first lines."""

import pytest

from abalo.corpora.peek import labels_texts


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        ("bom filme\tgood\n", True),  # two words are a text
        ("filme\tgood\n", False),  # one word and its tag are columns
        ("bom filme\tgood film\n", False),
        ("bom filme\tgood\tx\n", False),
        ("\n", False),
    ],
)
def test_texts_of_two_words_before_labels_are_texts(tmp_path, line, texts):
    path = tmp_path / "corpus.txt"
    path.write_text(line * 10, encoding="utf-8")
    assert labels_texts(str(path)) is texts


def test_one_text_in_ten_may_be_a_word_and_labels_come_again(tmp_path):
    path = tmp_path / "corpus.txt"
    for words, texts in ((1, True), (2, False)):
        path.write_text("bom filme\tgood\n" * (10 - words) + "filme\tgood\n" * words, encoding="utf-8")
        assert labels_texts(str(path)) is texts
    path.write_text("".join(f"bom filme\tlabel{k}\n" for k in range(10)), encoding="utf-8")
    assert not labels_texts(str(path))
