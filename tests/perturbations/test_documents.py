"""Documents: sentences in a row with clusters of mentions, carried through edits by the origins of tokens."""

from perturbations import Edit, Span, apply, find
from perturbations.documents import document_name, document_of, mentions_of, part_of, sentence_labels, sentences_of
from tests.rows import every


def document(*sentences, mentions=()):
    return document_of([(each.split(), [" "] * len(each.split())) for each in sentences], mentions, "d")


TOM = document(
    "Tom left .", "He ran to the old man .", "Yes", mentions=[Span(0, 1, "t"), Span(3, 4, "t"), Span(6, 9, "m")]
)


def test_a_document_tells_its_sentences_its_mentions_and_its_name():
    assert sentences_of(TOM) == [(0, 3), (3, 10), (10, 11)]
    assert mentions_of(TOM) == (Span(0, 1, "t"), Span(3, 4, "t"), Span(6, 9, "m"))
    assert document_name(TOM) == "d"
    assert TOM.text == "Tom left . He ran to the old man . Yes"
    assert [sentence_labels(n) for n in (0, 1, 2, 4)] == [(), ("S",), ("B", "E"), ("B", "M", "M", "E")]


def test_sentences_go_where_their_tokens_go():
    moved = Edit(0, 10, TOM.tokens[3:10] + TOM.tokens[:3], origins=tuple((k,) for k in (*range(3, 10), *range(3))))
    made = apply(TOM, [moved]).sentence
    assert sentences_of(made) == [(0, 7), (7, 10), (10, 11)]
    assert sorted(mentions_of(made), key=lambda each: each.start) == [
        Span(0, 1, "t"),
        Span(3, 6, "m"),
        Span(7, 8, "t"),
    ]


def test_a_token_put_in_behind_a_sentence_belongs_to_it():
    assert sentences_of(apply(TOM, [Edit(3, 3, ("!",))]).sentence) == [(0, 4), (4, 11), (11, 12)]


def test_a_sentence_put_in_is_one_of_its_own():
    new = Edit(3, 3, ("It", "rained", "."), layers=(("sentences", sentence_labels(3)),))
    assert sentences_of(apply(TOM, [new]).sentence) == [(0, 3), (3, 6), (6, 13), (13, 14)]


def test_a_copied_mention_is_a_mention_too():
    copy = Edit(
        3, 3, TOM.tokens[3:10], origins=tuple((k,) for k in range(3, 10)), layers=(("sentences", ("B", *"MMMMM", "E")),)
    )
    made = apply(TOM, [copy]).sentence
    assert mentions_of(made) == (
        Span(0, 1, "t"),
        Span(3, 4, "t"),
        Span(10, 11, "t"),
        Span(6, 9, "m"),
        Span(13, 16, "m"),
    )
    assert sentences_of(made) == [(0, 3), (3, 10), (10, 17), (17, 18)]


@every(
    ("edit", "left"),
    [
        (Edit(6, 9, ("him",)), (6, 7)),  # several tokens become one
        (Edit(7, 8, ("very", "old"), origins=((7,), (7,))), (6, 10)),  # one becomes two
        (Edit(6, 9, ("old", "the", "man"), origins=((7,), (6,), (8,))), (6, 9)),  # they change places
        (Edit(6, 9, ("the", "old", "the", "man"), origins=((6,), (7,), (6,), (8,))), (6, 10)),  # part of a copy
        (Edit(6, 7, ()), (6, 8)),
    ],
)
def test_a_mention_that_is_not_copied_as_a_whole_stays_one(edit, left):
    found = [each for each in mentions_of(apply(TOM, [edit]).sentence) if each.type == "m"]
    assert [(each.start, each.stop) for each in found] == [left]


def test_a_perturbation_of_sentences_is_given_each_sentence_of_a_document():
    text = document("There were five men .", "He does not know it .", "She is not here .")
    made = find("contraction").configured(rate=1, language="en").sample(text, seed=1)
    assert made is not None
    assert [part_of(made.sentence, *each).text.strip() for each in sentences_of(made.sentence)] == [
        "There were five men .",
        "He doesn't know it .",
        "She isn't here .",
    ]
