"""Text as people write it becomes words and marks, and is the same text again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.corpora.running_text import replaced, running_text


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("I don't like it... 3.5 stars!", "I|don't|like|it|...|3.5|stars|!"),
        ("Não gostei (nada) do guarda-chuva.", "Não|gostei|(|nada|)|do|guarda-chuva|."),
        ("it 's `` fine '' -- :)", "it|'s|``|fine|''|--|:)"),
        ("Ask @ana at https://a.example/b?c=1 #now", "Ask|@ana|at|https://a.example/b?c=1|#now"),
        ("这部电影很好。", "这|部|电|影|很|好|。"),
        ("cafe\u0301 👩🏽‍💻 ok", "cafe\u0301|👩🏽‍💻|ok"),
    ],
)
def test_words_and_marks_are_tokens(text, tokens):
    assert "|".join(running_text(text).tokens) == tokens


@given(st.text(max_size=60).filter(str.strip))
def test_the_text_is_the_same_again(text):
    sentence = running_text(text)
    assert sentence.text == text.strip()
    assert all(sentence.tokens)


def test_a_text_without_anything_to_see_is_none():
    with pytest.raises(ValueError, match="nothing that can be seen"):
        running_text(" \n")


@pytest.mark.parametrize(
    ("text", "old", "new", "made"),
    [
        ("The art of a party.", "art", "way", "The way of a party."),
        ("Oslo, not Oslo!", "Oslo", "New York", "New York, not New York!"),
        ("It is so good.", "so", "", "It is good."),
        ("so", "so", "", None),
        ("party", "art", "way", None),
        ("我住在北京。", "北京", "上海", "我住在上海。"),
        ("  a  b ", "a", "c", "c  b"),
    ],
)
def test_what_stands_between_borders_of_tokens_is_replaced(text, old, new, made):
    assert replaced(text, old, new) == made
