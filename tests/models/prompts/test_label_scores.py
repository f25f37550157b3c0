"""Scores of labels by the alternatives of tokens, worked by hand."""

import pytest

from abalo.models.prompts.label_scores import label_scores
from abalo.models.prompts.protocol import Token
from tests.rows import every


def tokens(*listed):
    """Tokens, each with its alternatives; the first of them is the token."""
    return [Token(next(iter(shares)), tuple(shares.items())) for shares in listed]


PLAIN = ("negative", "positive")
NESTED = ("very negative", "very positive", "neutral")
PREFIX = ("10", "1")


@every(
    ("listed", "names", "said", "expected"),
    [
        # One token decides; another spelling counts, and words that are no label do not.
        ([{"positive": 0.6, "negative": 0.2, "Positive": 0.1, "I": 0.1}], PLAIN, "positive", (0.2 / 0.9, 0.7 / 0.9)),
        ([{" Pos": 0.8, " neg": 0.2}, {"itive": 1.0}], PLAIN, "positive", (0.2, 0.8)),
        ([{"\n": 0.9, "neg": 0.1}, {"neg": 0.75, "pos": 0.25}, {"ative": 1.0}], PLAIN, "negative", (0.75, 0.25)),
        # A label beyond the alternatives has 0.
        ([{"positive": 0.9}], PLAIN, "positive", (0, 1)),
        # The shared first word passes its share on to the next token.
        (
            [{"very": 0.8, "neutral": 0.2}, {" negative": 0.75, " positive": 0.25}],
            NESTED,
            "very negative",
            (0.6, 0.2, 0.2),
        ),
        # What was not taken is shared alike.
        ([{"neutral": 0.6, "very": 0.4}], NESTED, "neutral", (0.2, 0.2, 0.6)),
        # JSON, with a token that begins before the label.
        (
            [{'{"': 1.0}, {"label": 1.0}, {'": "neg': 0.9, '": "pos': 0.1}, {'ative"}': 1.0}],
            PLAIN,
            "negative",
            (0.9, 0.1),
        ),
        # A label that begins another ends with the reply.
        ([{"1": 1.0}, {"<end>": 0.7, "0": 0.3}], PREFIX, "1", (0.3, 0.7)),
        # Behind thoughts that name both.
        (
            [{"<think>positive? negative.</think>": 1.0}, {"positive": 0.9, "negative": 0.1}],
            PLAIN,
            "positive",
            (0.1, 0.9),
        ),
    ],
)
def test_the_tokens_share_the_labels(listed, names, said, expected):
    found = tokens(*listed)
    assert label_scores("".join(each.text for each in found), found, names, said) == pytest.approx(expected)


@every(
    ("reply", "listed", "names", "said"),
    [
        ("positive", [], PLAIN, "positive"),
        ("positive", [{"another": 1.0}], PLAIN, "positive"),
        ("", [{"positive": 1.0}], PLAIN, "positive"),
        ("positive, positive", [{"positive": 1.0}, {", ": 1.0}, {"positive": 1.0}], PLAIN, "positive"),
        ("very_positive", [{"very_positive": 1.0}], NESTED, "very positive"),
        ("1", [{"1": 1.0}], PREFIX, "1"),  # where it could go on, and nothing says how likely
        ("positive", [{"positive": 0.0}], PLAIN, "positive"),
        ("<think>positive", [{"<think>positive": 1.0}], PLAIN, "positive"),
    ],
)
def test_scores_are_unknown_unless_the_label_stands_in_one_place(reply, listed, names, said):
    assert label_scores(reply, tokens(*listed), names, said) == ()
