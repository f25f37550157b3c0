"""The one place where edits are applied.

A perturbation only says which edits are possible. `apply` alone turns edits into new tokens, tags, spacing, anchors
and origins, so that the same rules carry the labels of every perturbation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from perturbations.carrying import carry_arcs, carry_labels, carry_spans
from perturbations.layers import TAGS, Arcs, Layer, TokenLayer, read_arc_label
from perturbations.text import Edit, Origins, Perturbed, Sentence, identity


def apply(sentence: Sentence, edits: Iterable[Edit]) -> Perturbed:
    """The sentence with all ``edits`` made at once.

    Labels of tokens, where an edit gives none, are carried by the policy of their layer. Tokens that no edit replaces
    keep theirs, but for what follows.

    * bio: one token replaced by several keeps its ``B-`` on the first, the rest are ``I-``; several replaced by one
      inside an entity become ``B-`` if they held the entity's first token, else ``I-``; when the first token of an
      entity goes, the next becomes ``B-``; an insertion strictly inside an entity belongs to it, any other is ``O``.
      Where an edit gives origins, labels follow them, and a token without origin is ``O``. Tokens with different labels
      are not replaced without labels for the new ones.
    * each: a token that stands for one token keeps its label, and one that stands for several keeps the label that all
      of them have. Any other has none, `UNLABELLED`: the parts of a token that was split, the tokens that replace
      several and do not say which stands for which, the one for tokens with different labels, what is inserted.
    * bmes: words are carried as entities are in ``bio``, then written as B, M, E or S again, so that labels always make
      words: what is inserted strictly inside a word belongs to it, a word split stays one word, and what is left of a
      word is a word. Tokens inserted elsewhere, and those that stand for several words, have no label. Of the labels
      that an edit gives, B and S begin a word, E and S end one.

    An arc stays where its token and its head each still are, or are part of, one token by the rule of ``each``; else
    the head is None. Arcs between tokens that have become one go; where several are left for it, its head is None.
    A new token has the arc that its edit gives it.
    A label of the whole stays.

    White space, where an edit gives none: a replaced token keeps what followed it; an inserted one is followed by what
    followed its left neighbour, which then gets one space; where tokens go, the one before them takes their white
    space if it had none, and at the end of the sentence what ended it.

    Anchors cover what is left of their tokens and everything between; one that has none left is dropped. An empty
    anchor stays right behind the nearest token before it that is left.

    Edits at the same insertion point keep their order; otherwise the order of ``edits`` does not matter.

    Raises ValueError for edits that overlap, lie outside the sentence or leave an empty token, and, naming the layer,
    for labels that can't be carried or that don't fit.
    """
    if isinstance(edits, Edit):
        raise TypeError(f"apply takes a list of edits; write [{edits}]")
    given = tuple(edits)
    new = _with_strings_replaced(sentence, given)
    if new is not None:
        return Perturbed(new, identity(len(new.tokens)), given)
    strings = list(sentence.tokens)
    ordered = _in_order(sentence, given)
    others = [edit for edit in ordered if not _keeps_the_rest(edit)]
    if len(others) < len(ordered):
        _replace_strings(strings, ordered)
    if not others:
        return Perturbed(_with_tokens(sentence, strings), identity(len(strings)), ordered)
    new, origins = _rebuild(sentence, strings, others)
    return Perturbed(new, origins, ordered)


def unchanged(sentence: Sentence) -> Perturbed:
    """The identity: no edits, every token its own origin."""
    return Perturbed(sentence, identity(len(sentence)), ())


def _with_tokens(sentence: Sentence, tokens: Sequence[str]) -> Sentence:
    """The sentence with other tokens, one for each."""
    return Sentence(tuple(tokens), sentence.tags, sentence.spaces, sentence.anchors, sentence.policy, sentence.layers)


def _with_strings_replaced(sentence: Sentence, edits: tuple[Edit, ...]) -> Sentence | None:
    """The sentence after edits that each just replace words one by one or characters of one; None where one does not.

    They go from left to right. Most edits are of this kind, and these need no more checks. So are those that replace
    several words, and give the labels that these have.
    """
    words = list(sentence.tokens)
    # From right to left, so that the places of characters still to come stay true.
    limit, room = len(words), 0  # before this token there is nothing replaced yet, and none before this place in it
    for start, stop, tokens, tags, chars, spaces, origins, layers in reversed(edits):
        if not (spaces is None and origins is None and layers is None):
            return None
        if not (start >= 0 and type(tokens) is tuple and len(tokens) == stop - start):
            return None
        if tags is not None or stop != start + 1:
            if start == stop or stop > limit or chars is not None or not _keeps_tags(sentence, start, stop, tags):
                return None
            words[start:stop], room = tokens, 0
        elif chars is None:
            if start >= limit:
                return None
            words[start], room = tokens[0], 0
        else:
            begin, end = chars
            if start < limit:
                room = len(words[start])
            if start > limit or not 0 <= begin <= end <= room or (start == limit and not room):
                return None
            words[start] = words[start][:begin] + tokens[0] + words[start][end:]
            room = begin
        limit = start
    return _with_tokens(sentence, words)


def _keeps_tags(sentence: Sentence, start: int, stop: int, tags: tuple[str, ...] | None) -> bool:
    """Whether these are the labels of tokens [start, stop), which have no others."""
    return sentence.tags is not None and sentence.tags[start:stop] == tags and not sentence.layers


def _in_order(sentence: Sentence, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits from left to right; raises ValueError where they overlap or do not fit the sentence."""
    for edit in edits:
        _check(sentence, edit)
    if all(map(_precedes, edits, edits[1:])):
        return edits
    ordered = tuple(sorted(edits, key=lambda edit: (edit.start, edit.stop, edit.chars or (0, 0))))
    for earlier, later in pairwise(ordered):
        if not _precedes(earlier, later):
            raise ValueError(f"{later} overlaps {earlier}: make one edit of them, or leave one out")
    return ordered


def _precedes(earlier: Edit, later: Edit) -> bool:
    """Whether the one ends before the other begins; insertions at one point follow each other either way."""
    if earlier.start == later.start and earlier.chars is not None and later.chars is not None:
        return earlier.chars[1] <= later.chars[0]
    return earlier.stop <= later.start


def _check(sentence: Sentence, edit: Edit) -> None:
    start, stop, tokens, tags, chars, spaces, origins, layers = edit
    if not 0 <= start <= stop <= len(sentence.tokens):
        raise ValueError(f"{edit} lies outside the {len(sentence)} tokens")
    if type(tokens) is not tuple:
        raise TypeError(f"{edit} has {tokens!r} as its tokens; expected a tuple of strings")
    if chars is None:
        if not (tags is None and spaces is None and origins is None and layers is None):
            _check_given(sentence, edit)
        return
    if stop != start + 1 or len(tokens) != 1:
        raise ValueError(f"{edit} edits characters: it covers one token and holds one string")
    if not 0 <= chars[0] <= chars[1] <= len(sentence.tokens[start]):
        raise ValueError(f"{edit} lies outside the characters of {sentence.tokens[start]!r}")
    if not (tags is None and spaces is None and origins is None and layers is None):
        raise ValueError(f"{edit} edits characters: the token keeps its labels, space and origin")


def _check_given(sentence: Sentence, edit: Edit) -> None:
    for given in (edit.tags, edit.spaces, edit.origins):
        if given is not None and len(given) != len(edit.tokens):
            raise ValueError(f"{edit} has {len(edit.tokens)} tokens but gives {given!r}: give one for each token")
    for name, labels in edit.layers or ():
        layer = next((each for each in sentence.layers if each.name == name), None)
        if not isinstance(layer, TokenLayer | Arcs):
            raise ValueError(f"layer {name!r}: {edit} gives its labels, but the sentence has no such token layer")  # noqa: TRY004
        if isinstance(layer, Arcs):
            _check_arcs(sentence, edit, name, labels)
        if len(labels) != len(edit.tokens):
            raise ValueError(f"layer {name!r}: {edit} has {len(edit.tokens)} tokens but gives the labels {labels!r}")
    count = len(sentence.tokens)
    for origin in filter(None, edit.origins or ()):
        increases = len(origin) == 1 or list(origin) == sorted(set(origin))
        if not increases or not 0 <= origin[0] <= origin[-1] < count:
            raise ValueError(f"{edit} has origin {origin}; expected increasing numbers from the {count} tokens")


def _check_arcs(sentence: Sentence, edit: Edit, name: str, labels: Sequence[str]) -> None:
    """Raises ValueError for an arc to no token."""
    for place, label in enumerate(labels):
        found = read_arc_label(label) if label else None
        if label and (found is None or not _fits(found, place, edit, len(sentence))):
            raise ValueError(
                f"layer {name!r}: {edit} gives the arc {label!r}; expected a head and a relation, such as '3 nsubj' "
                "for a token that stays, or '+0 punct' for another new one"
            )


def _fits(arc: tuple[int, str, bool], place: int, edit: Edit, count: int) -> bool:
    head, _, is_new = arc
    return head < len(edit.tokens) and head != place if is_new else head < count


def _keeps_the_rest(edit: Edit) -> bool:
    """Whether the edit changes nothing but the string of one token."""
    start, stop, tokens, tags, chars, spaces, origins, layers = edit
    if chars is not None or stop != start + 1 or len(tokens) != 1:
        return chars is not None
    return tags is None and spaces is None and origins is None and layers is None


def _replace_strings(strings: list[str], edits: Sequence[Edit]) -> None:
    """Make those edits that keep the rest; from right to left, so that the offsets of edits still to come stay true."""
    for edit in reversed(edits):
        if edit.chars is not None:
            begin, end = edit.chars
            old = strings[edit.start]
            strings[edit.start] = old[:begin] + edit.tokens[0] + old[end:]
        elif _keeps_the_rest(edit):
            strings[edit.start] = edit.tokens[0]


def _rebuild(source: Sentence, strings: Sequence[str], edits: Sequence[Edit]) -> tuple[Sentence, Origins]:
    """The sentence after edits that change more than the strings of tokens, and the origins of its tokens.

    ``strings`` are the source's tokens in which edits that keep the rest are made.
    """
    tokens, spaces, origins = [*strings], [*source.spaces], [*identity(len(source))]
    moved = 0  # how far the tokens behind the edits made so far have moved
    for edit in edits:
        start, stop, new, _, _, own_spaces, own_origins, _ = edit
        here = slice(start + moved, stop + moved)
        spaces[here] = _spaces(source, edit, spaces, start + moved) if own_spaces is None else own_spaces
        origins[here] = _deal_origins(origins[here], len(new)) if own_origins is None else own_origins
        tokens[here] = new
        moved += len(new) - (stop - start)
    tags = source.tags
    if tags is not None:
        tags = carry_labels(TAGS, tags, source.policy, edits, [edit.tags for edit in edits])
    anchors = source.anchors and carry_spans(source.anchors, origins, len(source))
    layers = source.layers and tuple([_carry_layer(layer, edits) for layer in source.layers])
    return Sentence(tuple(tokens), tags, tuple(spaces), anchors, source.policy, layers), tuple(origins)


def _spaces(source: Sentence, edit: Edit, spaces: list[str], start: int) -> tuple[str, ...]:
    """The white space after each of the new tokens, of which the first is number ``start``; adapts that before them."""
    count, at_end = len(edit.tokens), edit.stop == len(source.tokens)
    replaced = source.spaces[edit.start : edit.stop]
    if count == len(replaced):
        return replaced
    if not count:
        if start:
            spaces[start - 1] = replaced[-1] if at_end else spaces[start - 1] or next(filter(None, replaced), "")
        return ()
    if replaced:
        last = replaced[-1]
    elif start:
        last, spaces[start - 1] = spaces[start - 1], " "
    else:
        last = " " if not at_end else "".join(source.spaces[-1:])
    return (" ",) * (count - 1) + (last,)


def _deal_origins(old: list[tuple[int, ...]], count: int) -> list[tuple[int, ...]]:
    """The origins of old tokens dealt to ``count`` new ones in order; what is left over goes with the last."""
    if not old or not count:
        return [()] * count
    if count < len(old):
        return [*old[: count - 1], tuple([token for origin in old[count - 1 :] for token in origin])]
    return old + old[-1:] * (count - len(old))


def _carry_layer(layer: Layer, edits: Sequence[Edit]) -> Layer:
    """A further layer after the edits."""
    if isinstance(layer, TokenLayer):
        given = [edit.labels(layer.name) for edit in edits]
        return TokenLayer(layer.name, carry_labels(layer.name, layer.labels, layer.policy, edits, given), layer.policy)
    return carry_arcs(layer, edits) if isinstance(layer, Arcs) else layer
