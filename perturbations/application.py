"""The one place where edits are applied.

A perturbation only says which edits are possible. `apply` alone turns edits into new tokens, tags, spacing, anchors
and origins, so that labels are carried by one set of rules, whoever wrote the perturbation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from perturbations.text import Edit, Origins, Perturbed, Sentence, Span, entity_start, goes_on


def apply(sentence: Sentence, edits: Iterable[Edit]) -> Perturbed:
    """The sentence with all ``edits`` made at once.

    Labels, where an edit gives none: one token replaced by several keeps its ``B-`` on the first, the rest are ``I-``;
    several replaced by one inside an entity become ``B-`` if they held the entity's first token, else ``I-``; when the
    first token of an entity goes, the next becomes ``B-``; an insertion strictly inside an entity belongs to it, any
    other is ``O``. Where an edit gives origins, labels follow them, and a token without origin is ``O``.

    White space, where an edit gives none: a replaced token keeps what followed it; an inserted one is followed by what
    followed its left neighbour, which then gets one space; where tokens go, the one before them takes their white
    space if it had none, and at the end of the sentence what ended it.

    Anchors cover what is left of their tokens and everything between; one that has none left is dropped. An empty
    anchor stays right behind the nearest token before it that is left.

    Edits at the same insertion point keep their order; otherwise the order of ``edits`` does not matter.

    Raises ValueError for edits that overlap, lie outside the sentence, leave an empty token, or replace tokens with
    different labels without saying which labels the new ones have.
    """
    if isinstance(edits, Edit):
        raise TypeError(f"apply takes a list of edits; write [{edits}]")
    given, strings = tuple(edits), list(sentence.tokens)
    if _replace_words(strings, given):
        new = Sentence(tuple(strings), sentence.tags, sentence.spaces, sentence.anchors)
        return Perturbed(new, _identity(len(strings)), given)
    ordered = _in_order(sentence, given)
    others = [edit for edit in ordered if not _keeps_the_rest(edit)]
    if len(others) < len(ordered):
        _replace_strings(strings, ordered)
    if not others:
        origins = _identity(len(strings))
        return Perturbed(Sentence(tuple(strings), sentence.tags, sentence.spaces, sentence.anchors), origins, ordered)
    new, origins = _Rebuilt(sentence, strings).with_edits(others)
    return Perturbed(new, origins, ordered)


def unchanged(sentence: Sentence) -> Perturbed:
    """The identity: no edits, every token its own origin."""
    return Perturbed(sentence, _identity(len(sentence)), ())


def _replace_words(words: list[str], edits: tuple[Edit, ...]) -> bool:
    """Make the edits if each just replaces one word, from left to right: most do, and these need no more checks.

    Else nothing is done, and it is False.
    """
    free = 0
    for start, stop, tokens, tags, chars, spaces, origins in edits:
        if not (free <= start < len(words) and stop == start + 1 and type(tokens) is tuple and len(tokens) == 1):
            return False
        if not (tags is None and chars is None and spaces is None and origins is None):
            return False
        free = stop
    for edit in edits:
        words[edit.start] = edit.tokens[0]
    return True


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
    start, stop, tokens, tags, chars, spaces, origins = edit
    if not 0 <= start <= stop <= len(sentence.tokens):
        raise ValueError(f"{edit} lies outside the {len(sentence)} tokens")
    if type(tokens) is not tuple:
        raise TypeError(f"{edit} has {tokens!r} as its tokens; expected a tuple of strings")
    if chars is None:
        _check_given(sentence, edit)
        return
    if stop != start + 1 or len(tokens) != 1:
        raise ValueError(f"{edit} edits characters: it covers one token and holds one string")
    if not 0 <= chars[0] <= chars[1] <= len(sentence.tokens[start]):
        raise ValueError(f"{edit} lies outside the characters of {sentence.tokens[start]!r}")
    if tags is not None or spaces is not None or origins is not None:
        raise ValueError(f"{edit} edits characters: the token keeps its tag, space and origin")


def _check_given(sentence: Sentence, edit: Edit) -> None:
    for given in (edit.tags, edit.spaces, edit.origins):
        if given is not None and len(given) != len(edit.tokens):
            raise ValueError(f"{edit} has {len(edit.tokens)} tokens but gives {given!r}: give one for each token")
    for origin in edit.origins or ():
        if origin == () or (len(origin) == 1 and 0 <= origin[0] < len(sentence)):
            continue
        if list(origin) != sorted(set(origin)) or (origin and not 0 <= origin[0] <= origin[-1] < len(sentence)):
            raise ValueError(f"{edit} has origin {origin}; expected increasing numbers from the {len(sentence)} tokens")


def _keeps_the_rest(edit: Edit) -> bool:
    """Whether the edit changes nothing but the string of one token."""
    return edit.chars is not None or (
        len(edit.tokens) == 1
        and edit.stop == edit.start + 1
        and edit.tags is None
        and edit.spaces is None
        and edit.origins is None
    )


def _replace_strings(strings: list[str], edits: Sequence[Edit]) -> None:
    """Make those edits that keep the rest; from right to left, so that the offsets of edits still to come stay true."""
    for edit in reversed(edits):
        if edit.chars is not None:
            begin, end = edit.chars
            old = strings[edit.start]
            strings[edit.start] = old[:begin] + edit.tokens[0] + old[end:]
        elif _keeps_the_rest(edit):
            strings[edit.start] = edit.tokens[0]


_IDENTITY: Origins = tuple((i,) for i in range(512))


def _identity(length: int) -> Origins:
    return _IDENTITY[:length] if length <= len(_IDENTITY) else tuple((i,) for i in range(length))


class _Rebuilt:
    """A sentence under reconstruction from left to right, for edits that change more than the strings of tokens.

    ``strings`` are the source's tokens in which edits that keep the rest are made. An entity is named by its first
    token in the source. ``open`` is the entity that the last new token belongs to, None outside entities.
    """

    def __init__(self, source: Sentence, strings: Sequence[str]) -> None:
        self.source = source
        self.strings = strings
        self.old_tags = source.tags if source.tags is not None else ("",) * len(source)
        self.identity = _identity(len(source))
        self.open: int | None = None
        self.tokens: list[str] = []
        self.tags: list[str] = []
        self.spaces: list[str] = []
        self.origins: list[tuple[int, ...]] = []

    def with_edits(self, edits: Sequence[Edit]) -> tuple[Sentence, Origins]:
        copied = 0
        for edit in edits:
            self._copy(copied, edit.start)
            self._replace(edit)
            copied = edit.stop
        self._copy(copied, len(self.source))
        origins = tuple(self.origins)
        sentence = Sentence(
            tuple(self.tokens),
            tuple(self.tags) if self.source.tags is not None else None,
            tuple(self.spaces),
            _carried(self.source.anchors, origins, len(self.source)),
        )
        return sentence, origins

    def _copy(self, start: int, stop: int) -> None:
        if start == stop:
            return
        self.tags.append(self._tag(entity_start(self.old_tags, start), self.old_tags[start]))
        self.tags += self.old_tags[start + 1 : stop]
        self.open = entity_start(self.old_tags, stop - 1)
        self.tokens += self.strings[start:stop]
        self.spaces += self.source.spaces[start:stop]
        self.origins += self.identity[start:stop]

    def _replace(self, edit: Edit) -> None:
        self._label(edit)
        self.spaces += self._spaces(edit) if edit.spaces is None else edit.spaces
        self.tokens += edit.tokens
        self.origins += (
            _dealt(self.identity[edit.start : edit.stop], len(edit.tokens)) if edit.origins is None else edit.origins
        )

    def _label(self, edit: Edit) -> None:
        if not edit.tokens:
            return
        across = self._entity_across(edit.stop)
        if edit.tags is not None:
            self.tags += edit.tags
            self.open = across if across is not None and edit.tags[-1][1:] == self.old_tags[across][1:] else None
        elif edit.start == edit.stop and edit.origins is None:
            self.tags += (self._tag(across, "O") for _ in edit.tokens)
        else:
            for origin in edit.origins or (range(edit.start, edit.stop),) * len(edit.tokens):
                self.tags.append(self._tag(*self._common_label(edit, origin)))

    def _tag(self, entity: int | None, outside: str) -> str:
        """The label of the next new token: ``I-`` where its entity is open already; ``outside`` where it has none."""
        goes_on = entity is not None and entity == self.open
        self.open = entity
        if entity is None:
            return outside
        first = self.old_tags[entity]
        return "I" + first[1:] if goes_on else first

    def _common_label(self, edit: Edit, origin: Sequence[int]) -> tuple[int | None, str]:
        """The entity of these old tokens, or their label outside entities."""
        if not origin:
            return None, "O"
        places = {self._place(old) for old in origin}
        if len(places) > 1:
            labels = " ".join(self.old_tags[old] for old in origin)
            raise ValueError(f"{edit} replaces tokens labelled {labels} as one: give the labels of the new tokens")
        return places.pop()

    def _place(self, old: int) -> tuple[int | None, str]:
        """The entity of an old token, or its label outside entities."""
        entity = entity_start(self.old_tags, old)
        return entity, self.old_tags[old] if entity is None else ""

    def _entity_across(self, place: int) -> int | None:
        """The entity that has tokens on both sides of ``place`` in the source."""
        inside = place < len(self.old_tags) and goes_on(self.old_tags, place)
        return entity_start(self.old_tags, place) if inside else None

    def _spaces(self, edit: Edit) -> tuple[str, ...]:
        """What follows each of the new tokens; adapts what follows the token before them."""
        replaced, count = self.source.spaces[edit.start : edit.stop], len(edit.tokens)
        if count == len(replaced):
            return replaced
        at_end = edit.stop == len(self.source)
        if not count:
            if self.spaces:
                self.spaces[-1] = replaced[-1] if at_end else self.spaces[-1] or next(filter(None, replaced), "")
            return ()
        if replaced:
            last = replaced[-1]
        elif self.spaces:
            last, self.spaces[-1] = self.spaces[-1], " "
        else:
            last = " " if not at_end else "".join(self.source.spaces[-1:])
        return (" ",) * (count - 1) + (last,)


def _dealt(old: Origins, count: int) -> Origins:
    """The origins of old tokens dealt to ``count`` new ones in order; what is left over goes with the last."""
    if not old or not count:
        return ((),) * count
    if count < len(old):
        return (*old[: count - 1], tuple([token for origin in old[count - 1 :] for token in origin]))
    return old + old[-1:] * (count - len(old))


def _carried(anchors: tuple[Span, ...], origins: Origins, length: int) -> tuple[Span, ...]:
    if not anchors:
        return ()
    places: list[list[int]] = [[] for _ in range(length)]
    for new, origin in enumerate(origins):
        for old in origin:
            places[old].append(new)
    carried = []
    for anchor in anchors:
        covered = [new for old in range(anchor.start, anchor.stop) for new in places[old]]
        if covered:
            carried.append(Span(min(covered), max(covered) + 1, anchor.type))
        elif anchor.start == anchor.stop:
            place = next((places[old][-1] + 1 for old in reversed(range(anchor.start)) if places[old]), 0)
            carried.append(Span(place, place, anchor.type))
    return tuple(carried)
