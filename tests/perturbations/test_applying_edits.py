"""Every rule of `apply` by hand, and what holds whatever the edits."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations import Edit, Sentence, Span, apply, entity_spans, parse, render, unchanged
from perturbations.strategies import edits, sentences, tokens
from tests.rows import every

pytestmark = pytest.mark.slow


def is_well_formed(tags: tuple[str, ...]) -> bool:
    return all(tag[:2] != "I-" or (i > 0 and tags[i - 1] in (f"B-{tag[2:]}", tag)) for i, tag in enumerate(tags))


def after(before: str, *made: Edit) -> str:
    new = apply(parse(before), made).sentence
    assert is_well_formed(new.tags)
    return render(new)


def origins(before: str, *made: Edit) -> tuple[tuple[int, ...], ...]:
    return apply(parse(before), made).origins


def spaced(*pairs: str) -> Sentence:
    """Tokens, each with the white space after it."""
    return Sentence(pairs[::2], spaces=pairs[1::2])


# A name for an edit by what it does.
def put(start: int, stop: int, words: str = "", **given: object) -> Edit:
    return Edit(start, stop, tuple(words.split()), **given)


def chars(token: int, begin: int, end: int, string: str = "") -> Edit:
    return Edit(token, token + 1, (string,), chars=(begin, end))


@pytest.mark.parametrize(
    ("before", "edit", "expected"),
    [
        ("ele viu [Ana Sá PER]", put(1, 2, "não viu"), "ele não viu [Ana Sá PER]"),
        ("[Ana Sá PER]", put(0, 1, "Ana Maria"), "[Ana Maria Sá PER]"),
        ("[Ana Sá PER]", put(1, 2, "de Sá"), "[Ana de Sá PER]"),
        ("[Ana PER] [Sá PER]", put(0, 1, "Ana Maria"), "[Ana Maria PER] [Sá PER]"),
        ("[Ana PER] [Sá PER]", put(1, 2, "de Sá"), "[Ana PER] [de Sá PER]"),
    ],
)
def test_one_word_by_several_keeps_b_on_the_first(before, edit, expected):
    assert after(before, edit) == expected


@pytest.mark.parametrize(
    ("before", "edit", "expected"),
    [
        ("[Rio de Janeiro LOC]", put(0, 2, "Rio"), "[Rio Janeiro LOC]"),
        ("[Rio de Janeiro LOC]", put(1, 3, "Janeiro"), "[Rio Janeiro LOC]"),
        ("[Rio de Janeiro LOC]", put(0, 3, "Rio"), "[Rio LOC]"),
        ("[Rio de Janeiro LOC]", put(0, 3, "São Paulo"), "[São Paulo LOC]"),
        ("a b c", put(0, 3, "x y"), "x y"),
    ],
)
def test_several_words_by_others_stay_in_their_entity(before, edit, expected):
    assert after(before, edit) == expected


@pytest.mark.parametrize(
    ("before", "edit"),
    [
        ("[Ana PER] saiu", put(0, 2, "x")),
        ("[Ana PER] saiu", put(0, 2, "x y")),
        ("[Ana PER] [Sá PER]", put(0, 2, "x")),
        ("[Ana PER] [Rio LOC]", put(0, 2, "x y z")),
    ],
)
def test_words_of_different_labels_are_not_replaced_as_one(before, edit):
    with pytest.raises(
        ValueError, match=r"replaces tokens labelled B-PER .* as one: give the labels of the new tokens"
    ):
        after(before, edit)


def test_words_of_different_labels_are_replaced_with_labels_given():
    assert after("[Ana PER] saiu", put(0, 2, "x y", tags=("O", "B-LOC"))) == "x [y LOC]"


@pytest.mark.parametrize(
    ("before", "edit", "expected"),
    [
        ("[Ana Sá PER] saiu", put(0, 1), "[Sá PER] saiu"),
        ("[Ana Maria Sá PER]", put(0, 2), "[Sá PER]"),
        ("[Ana Maria Sá PER]", put(1, 2), "[Ana Sá PER]"),
        ("[Ana PER] [Sá PER]", put(0, 1), "[Sá PER]"),
        ("[Ana PER] [Rui Sá PER]", put(1, 2), "[Ana PER] [Sá PER]"),
        ("[Ana PER] [Rui Sá PER]", put(0, 2), "[Sá PER]"),
        ("[Ana PER] e [Rui Sá PER]", put(1, 3), "[Ana PER] [Sá PER]"),
        ("[Ana PER]", put(0, 1), ""),
    ],
)
def test_when_the_first_token_of_an_entity_goes_the_next_becomes_b(before, edit, expected):
    assert after(before, edit) == expected


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (0, "xx [Ana Sá PER] [Rui PER] saiu"),
        (1, "[Ana xx Sá PER] [Rui PER] saiu"),
        (2, "[Ana Sá PER] xx [Rui PER] saiu"),
        (3, "[Ana Sá PER] [Rui PER] xx saiu"),
        (4, "[Ana Sá PER] [Rui PER] saiu xx"),
    ],
)
def test_an_insertion_belongs_to_an_entity_only_strictly_inside_it(place, expected):
    assert after("[Ana Sá PER] [Rui PER] saiu", put(place, place, "xx")) == expected


def test_an_insertion_inside_an_entity_begins_it_when_its_beginning_goes():
    assert after("[Ana Sá PER]", put(0, 1), put(1, 1, "xx")) == "[xx Sá PER]"


def test_insertions_go_into_an_empty_sentence():
    assert apply(Sentence((), ()), [put(0, 0, "a b")]).sentence == Sentence(("a", "b"), ("O", "O"))


def test_edits_at_one_place_keep_their_order():
    assert after("a b", put(1, 1, "x"), put(1, 1, "y"), put(0, 0, "w"), put(1, 2, "z")) == "w a x y z"


def test_several_edits_may_land_in_one_word_and_in_one_entity():
    made = [chars(0, 2, 3, "á"), chars(0, 0, 1, "a"), put(1, 1, "de"), put(1, 2, "Sá e"), put(2, 3)]
    assert after("[Ana Sá Lima PER]", *made) == "[aná de Sá e PER]"


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ([chars(0, 0, 0, "x")], "xAna"),
        ([chars(0, 3, 3, "x")], "Anax"),
        ([chars(0, 1, 1, "x"), chars(0, 1, 1, "y"), chars(0, 1, 2, "z")], "Axyza"),
        ([chars(0, 0, 1), chars(0, 2, 3)], "n"),
        ([chars(0, 0, 3, "Eva")], "Eva"),
    ],
)
def test_character_edits_refer_to_the_word_as_it_was(made, expected):
    assert after("[Ana PER]", *made) == f"[{expected} PER]"


def test_labels_given_are_taken_and_the_rest_of_the_entity_goes_on_from_them():
    assert after("[Ana Sá PER]", put(0, 1, "a b", tags=("O", "B-PER"))) == "a [b Sá PER]"
    assert after("[Ana Sá PER]", put(0, 1, "a", tags=("O",))) == "a [Sá PER]"
    assert after("[Ana Sá PER]", put(0, 1, "a", tags=("B-LOC",))) == "[a LOC] [Sá PER]"
    assert after("[Ana Sá PER]", put(1, 1, "e", tags=("O",))) == "[Ana PER] e [Sá PER]"
    assert after("d' [Ávila Sá PER]", put(0, 2, "d'Ávila", tags=("B-PER",))) == "[d'Ávila Sá PER]"


def test_labels_given_do_not_reach_into_the_next_entity():
    assert after("[Ana PER] [Rui Sá PER]", put(0, 1, "Eva", tags=("B-PER",)), put(1, 2)) == "[Eva PER] [Sá PER]"


def test_labels_follow_the_origins_where_an_edit_gives_them():
    swap = put(0, 4, "saiu hoje Ana Sá", origins=((2,), (3,), (0,), (1,)))
    assert after("[Ana Sá PER] saiu hoje", swap) == "saiu hoje [Ana Sá PER]"
    torn = put(0, 4, "Sá saiu Ana x", origins=((1,), (2,), (0,), ()))
    assert after("[Ana Sá PER] saiu hoje", torn) == "[Sá PER] saiu [Ana PER] x"
    twice = put(1, 1, "Ana", origins=((0,),))
    assert after("[Ana Sá PER]", twice) == "[Ana Ana Sá PER]"


def test_labels_of_another_scheme_stay_with_their_tokens():
    sentence = Sentence(("a", "b", "c"), ("DET", "NOUN", "NOUN"))
    assert apply(sentence, [put(0, 1, "x y"), put(1, 3, "z"), put(3, 3, "w")]).sentence.tags == (
        "DET",
        "DET",
        "NOUN",
        "O",
    )
    with pytest.raises(ValueError, match="labelled DET NOUN as one"):
        apply(sentence, [put(0, 2, "x")])


def test_a_sentence_without_tags_stays_without():
    assert apply(Sentence(("a", "b")), [put(0, 2, "x"), put(2, 2, "y", tags=("B-X",))]).sentence.tags is None


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (put(0, 1, "x"), ((0,), (1,), (2,))),
        (put(0, 1, "x y"), ((0,), (0,), (1,), (2,))),
        (put(0, 2, "x"), ((0, 1), (2,))),
        (put(0, 3, "x y"), ((0,), (1, 2))),
        (put(0, 2, "x y z"), ((0,), (1,), (1,), (2,))),
        (put(1, 1, "x"), ((0,), (), (1,), (2,))),
        (put(1, 2), ((0,), (2,))),
        (put(0, 3, "x y", origins=((0, 2), ())), ((0, 2), ())),
    ],
)
def test_origins_are_dealt_in_order_and_what_is_left_goes_with_the_last(edit, expected):
    assert origins("a b c", edit) == expected


@pytest.mark.parametrize(
    ("edits", "in_place"),
    [
        ([], True),
        ([Edit(1, 2, ("x",))], True),
        ([Edit(3, 4, ())], True),  # the last token is gone, and no other has moved
        ([Edit(0, 1, ())], False),
        ([Edit(1, 1, ("x",))], False),
        ([Edit(1, 3, ("x",))], False),
    ],
)
def test_tokens_are_in_place_if_each_stands_for_the_one_of_its_number(edits, in_place):
    assert apply(Sentence(("a", "b", "c", "d")), edits).in_place is in_place


def test_positions_are_the_first_new_token_of_each_old_one():
    perturbed = apply(parse("a b c d"), [put(0, 0, "x"), put(0, 1, "y z"), put(1, 2), put(2, 4, "w")])
    assert perturbed.positions(4) == [1, None, 3, 3]


@every(
    ("edit", "expected"),
    [
        (put(1, 2, "X"), "a\nX\tc."),
        (put(1, 2, "X Y"), "a\nX Y\tc."),
        (put(0, 2, "X Y Z"), "X Y Z\tc."),
        (put(0, 2, "X"), "X\tc."),
        (put(0, 2, "X Y"), "X\nY\tc."),
        (put(1, 1, "X"), "a X\nb\tc."),
        (put(1, 1, "X Y"), "a X Y\nb\tc."),
        (put(0, 0, "X"), "X a\nb\tc."),
        (put(3, 3, "X"), "a\nb\tc X."),
        (put(4, 4, "X"), "a\nb\tc. X"),
        (put(0, 1), "b\tc."),
        (put(1, 2), "a\nc."),
        (put(3, 4), "a\nb\tc"),
        (put(2, 4), "a\nb"),
        (put(0, 4), ""),
        (put(1, 2, "X", spaces=("",)), "a\nXc."),
    ],
)
def test_white_space_follows_the_rules(edit, expected):
    assert apply(spaced("a", "\n", "b", "\t", "c", "", ".", ""), [edit]).sentence.text == expected


def test_words_do_not_grow_together_where_a_glued_token_goes():
    source = spaced("Ana", "", ",", " ", "que", " ", "saiu", "")
    assert apply(source, [put(1, 2)]).sentence.text == "Ana que saiu"
    assert apply(spaced("(", "", "Ana", "", ")", ""), [put(1, 2)]).sentence.text == "()"


def test_text_without_white_space_stays_without_where_tokens_go_or_are_replaced():
    source = spaced("北", "", "京", "", "市", "")
    assert apply(source, [put(0, 1, "南"), put(1, 2)]).sentence.text == "南市"


def test_white_space_at_the_end_stays_what_it_was():
    source = spaced("a", " ", "b", "\n")
    assert apply(source, [put(1, 2)]).sentence.text == "a\n"
    assert apply(source, [put(2, 2, "x")]).sentence.text == "a b x\n"
    assert apply(source, [put(0, 2), put(2, 2, "x")]).sentence.text == "x\n"
    assert apply(source, [put(0, 0, "x"), put(0, 2)]).sentence.text == "x\n"


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (put(0, 0, "x"), Span(2, 4, "A")),
        (put(1, 1, "x"), Span(2, 4, "A")),
        (put(2, 2, "x"), Span(1, 4, "A")),
        (put(3, 3, "x"), Span(1, 3, "A")),
        (put(1, 2), Span(1, 2, "A")),
        (put(2, 4), Span(1, 2, "A")),
        (put(1, 2, "x y"), Span(1, 4, "A")),
    ],
)
def test_anchors_cover_what_is_left_and_what_is_put_inside(edit, expected):
    sentence = Sentence(("a", "b", "c", "d"), anchors=(Span(1, 3, "A"),))
    assert apply(sentence, [edit]).sentence.anchors == (expected,)


def test_an_anchor_whose_tokens_are_all_gone_goes_too():
    sentence = Sentence(("a", "b", "c", "d"), anchors=(Span(1, 3, "A"), Span(0, 4, "B")))
    assert apply(sentence, [put(1, 3)]).sentence.anchors == (Span(0, 2, "B"),)


@pytest.mark.parametrize(
    ("edit", "expected"),
    [(put(2, 2, "x"), 2), (put(0, 0, "x"), 3), (put(1, 2), 1), (put(0, 2), 0), (put(1, 2, "x y"), 3)],
)
def test_an_empty_anchor_stays_behind_the_token_before_it(edit, expected):
    sentence = Sentence(("a", "b", "c"), anchors=(Span(2, 2, "end"),))
    assert apply(sentence, [edit]).sentence.anchors == (Span(expected, expected, "end"),)


@pytest.mark.parametrize(
    "made",
    [
        [put(0, 1, "x"), put(0, 1, "y")],
        [put(0, 2, "x"), put(1, 1, "y")],
        [put(0, 2, "x"), put(1, 3)],
        [put(0, 1, "x"), chars(0, 0, 1, "y")],
        [chars(0, 0, 2, "x"), chars(0, 1, 2, "y")],
        [chars(0, 0, 2, "x"), chars(0, 1, 1, "y")],
        [put(0, 2, "x"), chars(1, 0, 0, "y")],
    ],
)
def test_edits_that_overlap_are_refused_in_either_order(made):
    for order in (made, made[::-1]):
        with pytest.raises(ValueError, match=r"overlaps .*: make one edit of them, or leave one out"):
            after("abc abc abc", *order)


@every(
    ("edit", "message"),
    [
        (put(0, 4, "x"), "lies outside the 3 tokens"),
        (put(4, 4, "x"), "lies outside the 3 tokens"),
        (put(-1, 0, "x"), "lies outside the 3 tokens"),
        (put(2, 1, "x"), "lies outside the 3 tokens"),
        (chars(0, 0, 4, "x"), "lies outside the characters of 'abc'"),
        (chars(0, -1, 1, "x"), "lies outside the characters of 'abc'"),
        (Edit(0, 2, ("x",), chars=(0, 1)), "covers one token and holds one string"),
        (Edit(0, 1, ("x", "y"), chars=(0, 1)), "covers one token and holds one string"),
        (Edit(0, 1, ("x",), chars=(0, 1), tags=("O",)), "keeps its labels, space and origin"),
        (put(0, 1, "x y", tags=("O",)), "has 2 tokens but gives ('O',)"),
        (put(0, 1, "x", spaces=()), "has 1 tokens but gives ()"),
        (put(0, 1, "x", origins=((0,), (1,))), "has 1 tokens but gives"),
        (put(0, 1, "x", origins=((3,),)), "origin (3,); expected increasing numbers from the 3 tokens"),
        (put(0, 1, "x", origins=((1, 0),)), "origin (1, 0); expected increasing"),
        (put(0, 1, "x", origins=((0, 0),)), "origin (0, 0); expected increasing"),
        (chars(0, 0, 3), "token 0 is ''"),
        (Edit(0, 1, ("x", " ")), "token 1 is ' '"),
    ],
)
def test_an_edit_that_does_not_fit_is_refused(edit, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        after("abc abc abc", edit)


def test_a_bare_string_for_tokens_or_a_bare_edit_for_edits_is_refused():
    with pytest.raises(TypeError, match="has 'xyz' as its tokens; expected a tuple of strings"):
        apply(parse("a b c"), [Edit(0, 1, "xyz")])
    with pytest.raises(TypeError, match="takes a list of edits"):
        apply(parse("a b c"), put(0, 1, "x"))


def test_no_edits_change_nothing():
    sentence = parse("[Ana PER] saiu")
    assert apply(sentence, []) == unchanged(sentence)
    assert unchanged(sentence).origins == ((0,), (1,))


def test_a_long_document_has_its_origins_too():
    sentence = Sentence(("a",) * 1000)
    assert apply(sentence, [chars(999, 0, 1, "b")]).origins[-1] == (999,)


@given(st.data())
def test_labels_origins_and_text_fit_the_new_tokens(data):
    sentence = data.draw(sentences())
    perturbed = apply(sentence, data.draw(edits(sentence)))
    new = perturbed.sentence
    assert len(new.tags) == len(new.spaces) == len(perturbed.origins) == len(new.tokens)
    assert is_well_formed(new.tags)
    flat = [old for origin in perturbed.origins for old in origin]
    assert flat == sorted(flat)
    assert set(flat) <= set(range(len(sentence)))
    assert new.text == "".join(token + space for token, space in zip(new.tokens, new.spaces, strict=True))


@given(st.data())
def test_a_token_has_the_entity_type_of_its_origin(data):
    sentence = data.draw(sentences())
    perturbed = apply(sentence, data.draw(edits(sentence)))
    for tag, origin in zip(perturbed.sentence.tags, perturbed.origins, strict=True):
        assert {sentence.tags[old][1:] for old in origin} <= {tag[1:]}


@given(st.data())
def test_no_entity_is_torn_and_none_are_joined(data):
    sentence = data.draw(sentences())
    perturbed = apply(sentence, data.draw(edits(sentence)))
    old_entities = entity_spans(sentence.tags)
    for span in entity_spans(perturbed.sentence.tags):
        sources = {
            entity
            for origin in perturbed.origins[span.start : span.stop]
            for old in origin
            for entity in old_entities
            if entity.start <= old < entity.stop
        }
        assert len(sources) <= 1


@given(st.data())
def test_the_order_in_which_edits_are_given_does_not_matter(data):
    sentence = data.draw(sentences())
    made = data.draw(edits(sentence))
    places = [
        (edit.start, edit.chars) for edit in made if edit.start == edit.stop or (edit.chars and len({*edit.chars}) == 1)
    ]
    if len(set(places)) == len(places):
        assert apply(sentence, data.draw(st.permutations(made))) == apply(sentence, made)


@given(st.data())
def test_words_replaced_from_left_to_right_are_replaced_like_any(data):
    sentence = data.draw(sentences(min_tokens=2))
    places = sorted(data.draw(st.sets(st.sampled_from(range(len(sentence))), min_size=2)))
    made = [Edit(place, place + 1, (data.draw(tokens()),)) for place in places]
    result = apply(sentence, made)
    assert result == apply(sentence, reversed(made))
    assert result.sentence.tokens == tuple(
        made[places.index(i)].tokens[0] if i in places else token for i, token in enumerate(sentence.tokens)
    )
    assert (result.sentence.tags, result.sentence.spaces) == (sentence.tags, sentence.spaces)
    assert result.origins == unchanged(sentence).origins


@given(st.data())
def test_white_space_never_makes_words_grow_together(data):
    sentence = data.draw(sentences().map(lambda s: Sentence(s.tokens, s.tags)))
    perturbed = apply(sentence, data.draw(edits(sentence)))
    assert "" not in perturbed.sentence.spaces[:-1]


def test_an_entity_without_its_beginning_is_not_made_part_of_another():
    source = Sentence(("Ana", "e", "Rui"), ("B-PER", "O", "I-PER"))
    with pytest.raises(ValueError, match="layer 'tags': I-PER of token 2 opens an entity without its B-, and"):
        apply(source, [put(1, 2)])
    assert apply(source, [put(0, 2)]).sentence.tags == ("I-PER",)
    assert apply(source, [put(1, 2, "ou")]).sentence.tags == source.tags


@pytest.mark.parametrize("label", ["", None])
def test_a_label_that_is_none_is_refused_where_labels_mark_entities(label):
    with pytest.raises(ValueError, match=r"layer 'tags': .* gives the label .*; expected O, or B- or I- and a type"):
        apply(Sentence(("Ana", "saiu"), ("B-PER", "O")), [put(1, 1, "x", tags=(label,))])


def test_a_label_that_is_no_string_is_refused_where_each_token_has_its_own():
    with pytest.raises(ValueError, match="gives the label None; expected a string"):
        apply(Sentence(("Ana",), ("PROPN",), policy="each"), [put(0, 0, "x", tags=(None,))])
