"""The core types: sentences, edits, and the results of edits."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from perturbations.layers import TAGS, Layer, Partner, Policy, TokenLayer, check_layers

T = TypeVar("T")

_REMEMBERED = 2**13
"""For how many sentences at most ids and entities are kept: each is asked for many times in a run."""

Origins = tuple[tuple[int, ...], ...]
"""For each new token, the original tokens it stands for, in increasing order; empty for an inserted token."""

_IDENTITY: Origins = tuple((i,) for i in range(512))


def identity(length: int) -> Origins:
    """The origins of tokens that each stand for the one in their place."""
    return _IDENTITY[:length] if length <= len(_IDENTITY) else tuple((i,) for i in range(length))


@dataclass(frozen=True, slots=True)
class Span:
    """Tokens ``start`` up to but not including ``stop``, counted from 0; empty when equal."""

    start: int
    stop: int
    type: str

    def __len__(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens, with their white space and layers of labels.

    ``tags`` is the first token layer: one label per token, or None. ``policy`` says how edits carry it; whether the
    labels follow the scheme ``bio`` is the business of the task.
    ``spaces`` holds the white space after each token; by default one space, and nothing after the last.
    ``anchors`` are labelled spans, which may overlap; the type of a span tells several kinds apart.
    ``layers`` are further labels, each with a name: of the tokens, arcs between them, a label of the whole, a partner.

    Raises TypeError for anything but tuples, and ValueError when a token is empty or only white space, or when a
    length or a layer does not fit.
    """

    tokens: tuple[str, ...]
    tags: tuple[str, ...] | None = None
    spaces: tuple[str, ...] = ()
    anchors: tuple[Span, ...] = ()
    policy: Policy = "bio"
    layers: tuple[Layer, ...] = ()

    def __post_init__(self) -> None:
        tokens, tags, spaces, anchors, layers = self.tokens, self.tags, self.spaces, self.anchors, self.layers
        tuples = isinstance(tokens, tuple) and isinstance(spaces, tuple) and isinstance(anchors, tuple)
        if not (tuples and isinstance(layers, tuple) and (tags is None or isinstance(tags, tuple))):
            self._check_types()
        count = len(tokens)
        if not all(map(str.strip, tokens)):
            blank = next(i for i, token in enumerate(tokens) if not token.strip())
            raise ValueError(f"token {blank} is {tokens[blank]!r}: a token holds at least one visible character")
        if tags is not None and len(tags) != count:
            raise ValueError(f"{count} tokens but {len(tags)} tags: give one tag per token")
        if not spaces and count:
            object.__setattr__(self, "spaces", (" ",) * (count - 1) + ("",))
        elif len(spaces) != count:
            raise ValueError(f"{count} tokens but {len(spaces)} spaces: give what follows each token")
        elif "".join(spaces).strip():
            raise ValueError(f"spaces {spaces!r} hold more than white space")
        for anchor in anchors:
            if not 0 <= anchor.start <= anchor.stop <= count:
                raise ValueError(f"anchor {anchor} lies outside the {count} tokens")
        if self.policy != "bio":
            TokenLayer(TAGS, tags or (), self.policy)
        if layers:
            check_layers(layers, count)

    def _check_types(self) -> None:
        for name in ("tokens", "tags", "spaces", "anchors", "layers"):
            value = getattr(self, name)
            if not isinstance(value, tuple) and (value is not None or name != "tags"):
                raise TypeError(f"{name} is {value!r}; expected a tuple")

    def __len__(self) -> int:
        return len(self.tokens)

    def __hash__(self) -> int:
        return hash(self.tokens)  # with spaces and layers it takes seven times as long; hardly any differ in them alone

    @property
    def entity_tags(self) -> tuple[str, ...] | None:
        """The tags, if they mark entities; None where there are none, or where they are of another scheme than BIO."""
        return self.tags if self.policy == "bio" else None

    @property
    def partner(self) -> Partner | None:
        """The sentence that it is read with; None where it stands alone."""
        return next((layer for layer in self.layers if isinstance(layer, Partner)), None)

    @property
    def token_layers(self) -> tuple[TokenLayer, ...]:
        """The layers with a label for each token: the tags, if any, under the name "tags", then the others."""
        first = () if self.tags is None else (TokenLayer(TAGS, self.tags, self.policy),)
        return first + tuple([layer for layer in self.layers if isinstance(layer, TokenLayer)])

    @property
    def text(self) -> str:
        """The raw text: every token followed by its white space."""
        return "".join(chain.from_iterable(zip(self.tokens, self.spaces, strict=True)))


class OnceEach(Generic[T]):
    """What ``made`` makes of a sentence, made once for all that ask about the same object in a row."""

    __slots__ = ("_last", "_made")

    def __init__(self, made: Callable[[Sentence], T]) -> None:
        self._made = made
        self._last: tuple[Sentence, T] | None = None

    def __call__(self, sentence: Sentence) -> T:
        last = self._last  # read once: another thread may exchange it
        if last is None or last[0] is not sentence:
            last = self._last = sentence, self._made(sentence)
        return last[1]


def sentence_id(sentence: Sentence) -> str:
    """BLAKE2b digest of the tokens, 16 hexadecimal digits: equal sentences share it, wherever they stand.

    The digest is of Python's `ascii` of the tuple, in which separators can't be confused with tokens.
    """
    return _id_of(sentence.tokens)


@lru_cache(_REMEMBERED)
def _id_of(tokens: tuple[str, ...]) -> str:
    return hashlib.blake2b(ascii(tokens).encode(), digest_size=8).hexdigest()


@lru_cache(_REMEMBERED)
def fold_case(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The tokens without their letter case."""
    return tuple(map(str.casefold, tokens))


@lru_cache(_REMEMBERED)
def lower_tokens(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The tokens in small letters."""
    return tuple(map(str.lower, tokens))


class Edit(NamedTuple):  # a named tuple, since a sentence can need dozens: it is made in a third of a dataclass's time
    """Replace tokens [``start``, ``stop``) of the input by ``tokens``.

    Nothing is replaced when ``start == stop``: an insertion before token ``start``. Nothing is put in when ``tokens``
    is empty: a deletion. With ``chars = (a, b)`` the edit replaces characters [a, b) of the one token ``start`` and
    ``tokens`` holds one string, which may be empty. Offsets always refer to the input sentence.

    ``tags``, ``spaces`` and ``origins`` are one per new token; where they are None, `apply` derives them. ``layers``
    holds pairs of a further layer's name and its labels of the new tokens, for arcs those of `arc_label` or empty;
    `apply` derives those not given.
    """

    start: int
    stop: int
    tokens: tuple[str, ...]
    tags: tuple[str, ...] | None = None
    chars: tuple[int, int] | None = None
    spaces: tuple[str, ...] | None = None
    origins: Origins | None = None
    layers: tuple[tuple[str, tuple[str, ...]], ...] | None = None

    def labels(self, name: str) -> tuple[str, ...] | None:
        """The labels that it gives the new tokens in the layer of that name; None where it gives none."""
        return self.tags if name == TAGS else dict(self.layers or ()).get(name)

    def to_json(self) -> dict[str, Any]:
        """The edit as plain JSON values; what is None is left out."""
        return {name: value for name, value in zip(self._fields, self, strict=True) if value is not None}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Edit:
        """The edit that `to_json` wrote, also after a trip through a JSON file, where tuples become lists."""
        return cls(**{name: _tuples(value) for name, value in data.items()})


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value


Meaning = Literal["keeps", "turns", "loses"]
"""The effect of a change on a label of the whole sentence, such as its sentiment.

* keeps: the label still holds;
* turns: the sentence says the opposite, of all or of part of what it said;
* loses: it says something else, and nothing is known of the label.
"""


Relation = Literal["keeps", "adds", "excludes", "contradicts", "parallel", "loses"]
"""The effect of a change in one of two sentences on how they relate, where all else stays.

* keeps: the sentence says just what it said before;
* adds: it says that, and something more, so what follows from it still does;
* excludes: where one sentence followed from the other, it does no longer; it contradicts if both tell of one event;
* contradicts: where one sentence followed from the other, both cannot be true now;
* parallel: where one translates the other, it still does once the other has the same edits;
* loses: it says something else, and nothing is known.
"""


@dataclass(frozen=True, slots=True)
class Perturbed:
    """The result of edits: the new sentence, the origin of each of its tokens, and the edits.

    ``joined`` is the number of tokens at the end that belong to appended sentences of the corpus. ``meaning`` and
    ``relation`` are those of the perturbation that made the edits; the edits alone do not tell them.
    """

    sentence: Sentence
    origins: Origins
    edits: tuple[Edit, ...]
    joined: int = 0
    meaning: Meaning = field(default="keeps", compare=False)
    relation: Relation = field(default="keeps", compare=False)

    @property
    def in_place(self) -> bool:
        """Whether each token stands for the one in its place; some at the end may be gone."""
        return self.origins == identity(len(self.origins))

    def positions(self, length: int) -> list[int | None]:
        """For each of the ``length`` original tokens, the first new token that stands for it; None where it is gone."""
        first: list[int | None] = [None] * length
        for new, origin in enumerate(self.origins):
            for old in origin:
                if first[old] is None:
                    first[old] = new
        return first


def entity_spans(tags: Sequence[str]) -> list[Span]:
    """The entities that BIO tags mark, from left to right; an ``I-`` without its ``B-`` opens one.

    These are the entities of seqeval's ``get_entities`` in its default mode.
    """
    return list(_entities(tuple(tags)))


@lru_cache(_REMEMBERED)
def _entities(tags: tuple[str, ...]) -> tuple[Span, ...]:
    spans: list[Span] = []
    start, stop, kind, more = 0, 0, "", ""
    for i in [i for i, tag in enumerate(tags) if tag != "O"]:
        tag = tags[i]
        if i != stop or tag != more:
            if kind:
                spans.append(Span(start, stop, kind))
            start, kind = i, tag[2:] if tag[:2] in ("B-", "I-") else ""
            more = f"I-{kind}"
        stop = i + 1
    if kind:
        spans.append(Span(start, stop, kind))
    return tuple(spans)


def entity_starts(tags: Sequence[str]) -> list[int | None]:
    """For each token the first token of its entity; None outside entities."""
    starts: list[int | None] = [None] * len(tags)
    for span in entity_spans(tags):
        starts[span.start : span.stop] = [span.start] * (span.stop - span.start)
    return starts


def entity_start(tags: Sequence[str], place: int) -> int | None:
    """The first token of the entity that this token belongs to; None outside entities.

    As `entity_starts` has it, found without reading all tags.
    """
    if tags[place][:2] not in ("B-", "I-") or not tags[place][2:]:
        return None
    while goes_on(tags, place):
        place -= 1
    return place


def goes_on(tags: Sequence[str], place: int) -> bool:
    """Whether an entity has both this token and the one before it."""
    tag = tags[place]
    return place > 0 and tag[:2] == "I-" and tag[2:] != "" and tags[place - 1] in (tag, "B-" + tag[2:])
