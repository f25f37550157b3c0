import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.models.tokens.spans import tags_from_spans
from perturbations import Sentence, entity_spans, parse
from tests.rows import every


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([(0, 9, "PER"), (15, 20, "LOC")], "[Ann Smith PER] left [Paris LOC]"),
        ([(15, 20, "LOC"), (0, 9, "PER")], "[Ann Smith PER] left [Paris LOC]"),
        ([(2, 5, "PER")], "[Ann Smith PER] left Paris"),
        ([(0, 3, "PER"), (4, 9, "PER")], "[Ann PER] [Smith PER] left Paris"),
        ([(3, 15, "PER")], "Ann [Smith left PER] Paris"),
        ([], "Ann Smith left Paris"),
    ],
)
def test_a_token_belongs_to_the_span_that_it_overlaps(spans, expected):
    assert tags_from_spans(Sentence(("Ann", "Smith", "left", "Paris")), spans) == parse(expected).tags


def test_white_space_is_that_of_the_sentence():
    glued = Sentence(("Ann", "Smith", "left"), spaces=("", "  ", ""))  # "AnnSmith  left"
    assert glued.text == "AnnSmith  left"
    assert tags_from_spans(glued, [(0, 8, "PER")]) == ("B-PER", "I-PER", "O")
    assert tags_from_spans(glued, [(10, 14, "PER")]) == ("O", "O", "B-PER")


def test_a_token_that_two_spans_share_goes_to_the_first():
    assert tags_from_spans(Sentence(("Rio,Lima", "now")), [(0, 3, "A"), (4, 12, "B")]) == ("B-A", "B-B")
    assert tags_from_spans(Sentence(("Rio,Lima", "now")), [(0, 3, "A"), (4, 8, "B")]) == ("B-A", "O")


@every(
    ("spans", "message"),
    [
        ([(0, 21, "PER")], "outside the 20 characters"),
        ([(-1, 3, "PER")], "outside the 20 characters"),
        ([(3, 0, "PER")], "empty, reversed or outside"),
        ([(3, 3, "PER")], "empty, reversed or outside"),
        ([(0, 5, "PER"), (4, 9, "LOC")], r"span \(4, 9, 'LOC'\) overlaps the one before it, which ends at 5"),
        ([(3, 4, "PER")], "holds no token, only white space"),
        ([(0, 3, "")], "does not end with the name of an entity type"),
        ([(0, 3, "B-PER")], "does not end with the name of an entity type, such as 'PER'"),
        ([(0, 3, None)], "does not end with the name of an entity type"),
        ([(0.0, 3, "PER")], "does not begin with two whole numbers"),
        (["PER"], "expected a span"),
        ([(0, 3)], "expected a span"),
    ],
)
def test_spans_that_cannot_be_meant_are_errors(spans, message):
    with pytest.raises(ValueError, match=message):
        tags_from_spans(Sentence(("Ann", "Smith", "left", "Paris")), spans)


TOKENS = st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=12)


@given(TOKENS, st.data())
def test_spans_that_follow_tokens_come_back_as_they_were(tokens, data):
    spaces = tuple(data.draw(st.sampled_from(["", " ", "\n "])) for _ in tokens)
    sentence = Sentence(tuple(tokens), spaces=spaces)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(tokens)))))
    entities = list(zip(cuts[::2], cuts[1::2], strict=False))
    bounds, place = [], 0
    for token, space in zip(tokens, spaces, strict=True):
        bounds.append((place, place + len(token)))
        place += len(token) + len(space)
    tags = tags_from_spans(sentence, [(bounds[a][0], bounds[b - 1][1], "X") for a, b in entities])
    assert [(span.start, span.stop) for span in entity_spans(tags)] == entities
