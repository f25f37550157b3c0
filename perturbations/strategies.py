"""Hypothesis strategies for tests of perturbations, and of whatever reads their results.

    from hypothesis import given, strategies as st
    from perturbations import apply, find
    from perturbations.strategies import edits, sentences

    @given(st.data())
    def test_every_token_has_a_tag(data):
        sentence = data.draw(sentences())
        perturbed = apply(sentence, data.draw(edits(sentence)))
        assert len(perturbed.sentence.tags) == len(perturbed.sentence.tokens)

Only tests import this module: it alone needs Hypothesis.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from perturbations.text import Edit, Sentence

TYPES = ("PER", "LOC", "ORG")

KNOWN_WORDS = ("Ana", "São", "de", "TRIBUNAL", "Lei", "juízes", "11.101", ",", "´", "[MASK]", "(", "\\")

AWKWARD_CHARACTERS = "[]\\ \u00a0\u0301\u200d\ufe0f\ue000ßİ½ﬁ´中🙂"
"""Brackets and escapes of the notation, white space, marks, and characters that change length with case or NFKD."""

SPACES = (" ", "", "\n", "\u00a0", "  ")


def tokens() -> st.SearchStrategy[str]:
    """Words as corpora hold them, and words as only tests do; never only white space, never a lone surrogate."""
    characters = st.sampled_from(AWKWARD_CHARACTERS) | st.characters(exclude_categories=["Cs"])
    return st.sampled_from(KNOWN_WORDS) | st.text(characters, min_size=1, max_size=6).filter(str.strip)


@st.composite
def sentences(
    draw: st.DrawFn,
    *,
    types: Sequence[str] = TYPES,
    min_tokens: int = 0,
    max_tokens: int = 10,
) -> Sentence:
    """Sentences with well-formed BIO tags; entities touch, of one type too, and white space is not always one space."""
    words = draw(st.lists(tokens(), min_size=min_tokens, max_size=max_tokens))
    tags: list[str] = []
    for _ in words:
        goes_on = [f"I-{tags[-1][2:]}"] if tags and tags[-1] != "O" else []
        tags.append(draw(st.sampled_from(["O", *goes_on, *(f"B-{kind}" for kind in types)])))
    spaces = draw(st.just(()) | st.tuples(*(st.sampled_from(SPACES) for _ in words)))
    return Sentence(tuple(words), tuple(tags), spaces)


@st.composite
def edits(draw: st.DrawFn, sentence: Sentence) -> list[Edit]:
    """Edits of the sentence that `apply` takes all at once, from left to right.

    They insert, delete, edit characters, and replace one word by several or several of one label by others.
    """
    made: list[Edit] = []
    start = 0
    while start < len(sentence):
        made += draw(_insertions(start))
        stop = draw(st.integers(start + 1, _end_of_label(sentence, start)))
        made += draw(_changes(sentence, start, stop))
        start = stop
    return made + draw(_insertions(start))


def corpora(
    *, types: Sequence[str] = TYPES, max_sentences: int = 6, max_tokens: int = 10
) -> st.SearchStrategy[tuple[Sentence, ...]]:
    """One sentence or more, some of them more than once, as in real corpora."""
    distinct = st.lists(sentences(types=types, min_tokens=1, max_tokens=max_tokens), min_size=1, max_size=max_sentences)
    return distinct.flatmap(lambda found: st.lists(st.sampled_from(found), min_size=1, max_size=max_sentences)).map(
        tuple
    )


def _insertions(place: int) -> st.SearchStrategy[list[Edit]]:
    words = st.lists(tokens(), min_size=1, max_size=2).map(tuple)
    return st.lists(words.map(lambda inserted: Edit(place, place, inserted)), max_size=2)


def _changes(sentence: Sentence, start: int, stop: int) -> st.SearchStrategy[list[Edit]]:
    """One way to treat the tokens [start, stop), which are of one label."""
    replaced = st.lists(tokens(), max_size=3).map(lambda words: [Edit(start, stop, tuple(words))])
    nothing: st.SearchStrategy[list[Edit]] = st.just([])
    return nothing | replaced | _character_edits(sentence, start)


@st.composite
def _character_edits(draw: st.DrawFn, sentence: Sentence, place: int) -> list[Edit]:
    """Up to two edits within one token that leave something visible of it; none where they would not."""
    token = sentence.tokens[place]
    cuts = sorted(draw(st.lists(st.integers(0, len(token)), min_size=4, max_size=4)))
    strings = draw(st.lists(tokens() | st.just(""), min_size=2, max_size=2))
    left = token[: cuts[0]] + strings[0] + token[cuts[1] : cuts[2]] + strings[1] + token[cuts[3] :]
    if not left.strip():
        return []
    return [
        Edit(place, place + 1, (string,), chars=chars)
        for string, chars in zip(strings, [(cuts[0], cuts[1]), (cuts[2], cuts[3])], strict=True)
    ]


def _end_of_label(sentence: Sentence, start: int) -> int:
    """Where the entity ends that token ``start`` belongs to, or the run of tokens with its label."""
    if sentence.tags is None:
        return len(sentence)
    label = sentence.tags[start]
    same = label if label[:2] not in ("B-", "I-") else f"I-{label[2:]}"
    stop = start + 1
    while stop < len(sentence) and sentence.tags[stop] == same:
        stop += 1
    return stop
