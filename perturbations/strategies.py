"""Hypothesis strategies for tests of perturbations, of models, and of whatever reads their results.

    from hypothesis import given, strategies as st
    from perturbations import apply
    from perturbations.strategies import edits, sentences

    @given(st.data())
    def test_every_token_has_a_tag(data):
        sentence = data.draw(sentences())
        perturbed = apply(sentence, data.draw(edits(sentence)))
        assert len(perturbed.sentence.tags) == len(perturbed.sentence.tokens)

Sentences of a corpus, and what a perturbation of the catalogue makes of them, come from `sentences_of`, `edits_by` and
`noises`; what they shrink to is the shortest sentence, its leftmost site and the first option there:

    @given(st.data())
    def test_one_slip_in_a_name_hides_nothing(data):
        sentence = data.draw(sentences_of(CORPUS))
        edit = data.draw(edits_by(find("char_typo"), sentence))
        assert found(apply(sentence, [edit]).sentence) == found(sentence)

Only tests import this module: it alone needs Hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st

from perturbations.layers import ROOT, UNLABELLED, Arcs, Layer, Policy, TokenLayer, WholeLabel
from perturbations.perturbation import Perturbation
from perturbations.text import Edit, Sentence

SiteT = TypeVar("SiteT")
OptionT = TypeVar("OptionT")
Edited = TypeVar("Edited")

TYPES = ("PER", "LOC", "ORG")

KNOWN_WORDS = ("Ana", "São", "de", "TRIBUNAL", "Lei", "juízes", "11.101", ",", "´", "[MASK]", "(", "\\")

AWKWARD_CHARACTERS = "[]\\ \u00a0\u0301\u200d\ufe0f\ue000ßİ½ﬁ´中🙂"
"""Brackets and escapes of the notation, white space, marks, and characters that change length with case or NFKD."""

SPACES = (" ", "", "\n", "\u00a0", "  ")


@cache
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
    policy: Policy = "bio",
    further: Sequence[Policy] = (),
) -> Sentence:
    """Sentences with well-formed tags; entities touch, of one type too, and white space is not always one space.

    ``types`` are those of entities or, where the ``policy`` is "each", the labels. For each policy in ``further`` there
    is a further token layer with that name; with any, there are also arcs, called "heads", and a label of the whole.
    """
    words = draw(st.lists(tokens(), min_size=min_tokens, max_size=max_tokens))
    tags = draw(_labels(len(words), policy, types))
    spaces = draw(st.just([]) | st.lists(st.sampled_from(SPACES), min_size=len(words), max_size=len(words)))
    layers: list[Layer] = [TokenLayer(each, draw(_labels(len(words), each, types)), each) for each in further]
    if further:
        layers += [draw(_arcs(len(words))), WholeLabel("whole", draw(st.sampled_from(types)))]
    return Sentence(tuple(words), tags, tuple(spaces), policy=policy, layers=tuple(layers))


@st.composite
def _labels(draw: st.DrawFn, count: int, policy: Policy, types: Sequence[str]) -> tuple[str, ...]:
    """Labels of tokens that follow the policy's scheme."""
    if policy == "each":
        return tuple(draw(st.lists(st.sampled_from((*types, UNLABELLED)), min_size=count, max_size=count)))
    labels: list[str] = []
    while len(labels) < count:
        if policy == "bmes":
            length = draw(st.integers(0, min(4, count - len(labels))))
            labels += (UNLABELLED, "S")[length : length + 1] or ["B", *["M"] * (length - 2), "E"]
        else:
            goes_on = [f"I-{labels[-1][2:]}"] if labels and labels[-1] != "O" else []
            labels.append(draw(st.sampled_from(["O", *goes_on, *(f"B-{kind}" for kind in types)])))
    return tuple(labels)


@st.composite
def _arcs(draw: st.DrawFn, count: int) -> Arcs:
    """Arcs between the tokens; they need not make a tree."""
    heads = [draw(st.sampled_from([None, *({*range(ROOT, count)} - {token})])) for token in range(count)]
    return Arcs("heads", tuple(heads), tuple("" if head is None else draw(st.sampled_from("xy")) for head in heads))


@st.composite
def edits(draw: st.DrawFn, sentence: Sentence) -> list[Edit]:
    """Edits of the sentence that `apply` takes all at once, from left to right.

    They insert, delete, edit characters, and replace one word by several or several of one label by others.
    """
    made: list[Edit] = []
    start = 0
    while start < len(sentence):
        treatment = draw(_TREATMENTS)
        if treatment == "insert":
            made.append(Edit(start, start, draw(_WORDS)))
            continue
        stop = start + 1
        if treatment == "replace":
            stop = draw(st.integers(stop, _end_of_label(sentence, start)))
            made.append(Edit(start, stop, draw(_WORDS | st.just(()))))
        elif treatment == "edit":
            made += _character_edits(sentence, start, draw(_CUTS), draw(_STRINGS))
        start = stop
    return made + [Edit(start, start, words) for words in draw(_AT_THE_END)]


def corpora(
    *, types: Sequence[str] = TYPES, max_sentences: int = 6, max_tokens: int = 10
) -> st.SearchStrategy[tuple[Sentence, ...]]:
    """One sentence or more, some of them more than once, as in real corpora."""
    distinct = st.lists(sentences(types=types, min_tokens=1, max_tokens=max_tokens), min_size=1, max_size=max_sentences)
    return distinct.flatmap(lambda found: st.lists(st.sampled_from(found), min_size=1, max_size=max_sentences)).map(
        tuple
    )


def sentences_of(corpus: Iterable[Sentence]) -> st.SearchStrategy[Sentence]:
    """Sentences of a corpus, which shrink to its shortest one; copies count once."""
    return st.sampled_from(sorted(dict.fromkeys(corpus), key=lambda each: (len(each), len(each.text), each.tokens)))


def single_edits(sites: Sequence[SiteT], options: Callable[[SiteT], Sequence[Edit]]) -> st.SearchStrategy[Edit]:
    """One of the edits possible at one of the sites; nothing where there is no site."""
    return st.sampled_from(sites).flatmap(lambda site: st.sampled_from(options(site))) if sites else st.nothing()


def edits_by(perturbation: Perturbation, sentence: Sentence) -> st.SearchStrategy[Edit]:
    """One edit of those that a perturbation could make of the sentence, at any rate; nothing where it has none."""
    return single_edits(list(perturbation.sites(sentence)), lambda options: options)


@st.composite
def noises(
    draw: st.DrawFn, perturbations: Sequence[Perturbation], sentence: Sentence, *, max_edits: int = 32
) -> list[Edit]:
    """Edits of several perturbations that `apply` takes all at once, from left to right, at most ``max_edits``.

    What would touch tokens that an edit drawn before touches is left out; the list may be empty.
    """
    each_by = st.one_of([edits_by(perturbation, sentence) for perturbation in perturbations])
    edits: list[Edit] = []
    taken: set[int] = set()
    for edit in draw(st.lists(each_by, max_size=max_edits) if not each_by.is_empty else st.just([])):
        own = set(range(edit.start, max(edit.stop, edit.start + 1)))
        if not own & taken:
            taken |= own
            edits.append(edit)
    return sorted(edits, key=lambda edit: edit.start)


@st.composite
def tries(
    draw: st.DrawFn,
    edited: Sequence[Edited],
    sites: Callable[[Edited], Sequence[Callable[[], Sequence[Edit]]]],
    *,
    at_once: int = 32,
) -> list[tuple[Edited, Edit]]:
    """Pairs of what is ``edited``, such as a sentence, and one edit of it; they shrink to one pair.

    They are mostly ``at_once``, as many as a model is shown in one call. ``sites`` gives for each the places to edit,
    each of which gives its edits; neither may be empty. Which pairs are drawn does not depend on the modules that are
    loaded.
    """

    def one_of(options: Sequence[OptionT]) -> OptionT:
        return options[draw(st.integers(_FAR, _FAR + len(options) - 1)) - _FAR]

    pairs = []
    for _ in range(one_of([1] + [at_once] * 31)):
        chosen = one_of(edited)
        pairs.append((chosen, one_of(one_of(sites(chosen))())))
    return pairs


_FAR = 1 << 100
"""Larger than any constant of a program. Hypothesis draws one number in twenty from the constants of the user's modules
that are loaded at that time, so that numbers below depend on what was imported; so far out it also draws uniformly."""

_WORDS = st.lists(tokens(), min_size=1, max_size=3).map(tuple)
_AT_THE_END = st.lists(_WORDS, max_size=2)
_TREATMENTS = st.sampled_from(("keep", "insert", "replace", "edit"))
_CUTS = st.lists(st.floats(0, 1), min_size=4, max_size=4).map(sorted)
_STRINGS = st.tuples(tokens() | st.just(""), tokens() | st.just(""))


def _character_edits(sentence: Sentence, place: int, cuts: Sequence[float], strings: tuple[str, str]) -> list[Edit]:
    """Two edits within one token, cut at these shares of its length; none where they would leave nothing visible."""
    token = sentence.tokens[place]
    a, b, c, d = (round(cut * len(token)) for cut in cuts)
    if not (token[:a] + strings[0] + token[b:c] + strings[1] + token[d:]).strip():
        return []
    return [
        Edit(place, place + 1, (string,), chars=chars) for string, chars in zip(strings, ((a, b), (c, d)), strict=True)
    ]


def _end_of_label(sentence: Sentence, start: int) -> int:
    """Where tokens end that `apply` can replace as one: those of one entity or one label in each layer ``bio``."""
    return min(
        [len(sentence)]
        + [_end_of_entity(layer.labels, start) for layer in sentence.token_layers if layer.policy == "bio"]
    )


def _end_of_entity(labels: Sequence[str], start: int) -> int:
    """Where the entity ends that token ``start`` belongs to, or the run of tokens with its label."""
    label = labels[start]
    same = label if label[:2] not in ("B-", "I-") else f"I-{label[2:]}"
    stop = start + 1
    while stop < len(labels) and labels[stop] == same:
        stop += 1
    return stop
