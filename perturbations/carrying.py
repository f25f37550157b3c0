"""The rules by which labels of tokens, spans and arcs are carried through edits."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.layers import OUTSIDE, ROOT, TAGS, UNLABELLED, Arcs, Policy, TokenLayer, read_arc_label
from perturbations.text import Edit, Sentence, Span, entity_spans, entity_start, goes_on

Given = Sequence[tuple[str, ...] | None]
"""For each edit the labels that it gives its new tokens; None where it gives none."""


def carry_labels(
    name: str, labels: tuple[str, ...], policy: Policy, edits: Sequence[Edit], given: Given
) -> tuple[str, ...]:
    """The labels of a token layer after the edits, which go from left to right; raises ValueError as `apply` does."""
    for edit, own in zip(edits, given, strict=True):
        for label in dict.fromkeys(own or ()):
            if not isinstance(label, str) or (policy == "bio" and not label):
                expected = "O, or B- or I- and a type" if policy == "bio" else "a string"
                raise ValueError(f"layer {name!r}: {edit} gives the label {label!r}; expected {expected}")
    if policy == "each":
        return _carry_each(labels, edits, given)
    if policy == "bmes":
        return _WordLabels(name, labels).carried(edits, given)
    spliced = _splice(labels, edits, given)
    return _EntityLabels(name, labels).carried(edits, given) if spliced is None else spliced


def _splice(labels: tuple[str, ...], edits: Sequence[Edit], given: Given) -> tuple[str, ...] | None:
    """The labels of a ``bio`` layer where what an edit puts in depends on that edit alone; None where it does not.

    So it is with plain insertions, and with edits that give labels and that no ``I-`` follows.
    """
    new, moved = list(labels), 0
    for (start, stop, tokens, _, _, _, origins, _), own in zip(edits, given, strict=True):
        is_plain = own is None and start == stop and origins is None
        outside = stop == len(labels) or labels[stop][:1] != "I"
        if not is_plain and (not outside or (own is None and tokens)):
            return None
        if is_plain:
            own = (OUTSIDE["bio"] if outside or not goes_on(labels, stop) else labels[stop],) * len(tokens)
        new[start + moved : stop + moved] = own or ()
        moved += len(tokens) - (stop - start)
    return tuple(new)


def without_labels(sentence: Sentence, edits: Sequence[Edit]) -> list[Edit]:
    """The edits, giving no label to the words that take the place of others in layers ``each`` where they gave none."""
    names = [TAGS] if sentence.tags is not None and sentence.policy == "each" else []
    names += [layer.name for layer in sentence.layers if isinstance(layer, TokenLayer) and layer.policy == "each"]
    return [_without_labels(edit, names) for edit in edits] if names else list(edits)


def _without_labels(edit: Edit, names: Sequence[str]) -> Edit:
    if edit.start == edit.stop or edit.chars is not None:
        return edit
    none = (UNLABELLED,) * len(edit.tokens)
    further = [(name, none) for name in names if name != TAGS and edit.labels(name) is None]
    tags = none if TAGS in names and edit.tags is None else edit.tags
    layers = (*(edit.layers or ()), *further) if further else edit.layers
    return edit._replace(tags=tags, layers=layers)


def carry_spans(spans: tuple[Span, ...], origins: Sequence[Sequence[int]], length: int) -> tuple[Span, ...]:
    """The spans of ``length`` tokens after edits that gave these origins; a copy of all their tokens is a span, too."""
    places: list[list[int]] = [[] for _ in range(length)]
    for new, origin in enumerate(origins):
        for old in origin:
            places[old].append(new)
    carried = []
    for span in spans:
        covered = [(new, old) for old in range(span.start, span.stop) for new in places[old]]
        if covered:
            carried += [Span(start, stop, span.type) for start, stop in _copies(covered)]
        elif span.start == span.stop:
            place = next((places[old][-1] + 1 for old in reversed(range(span.start)) if places[old]), 0)
            carried.append(Span(place, place, span.type))
    return tuple(carried)


def _copies(covered: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Where the tokens of a span stand now: in one place, or in several that have all of them.

    ``covered`` holds pairs of a new token and the old one that it stands for. A token that is there again behind others
    begins a copy; where that has not all of them, they are one span.
    """
    copies: list[list[tuple[int, int]]] = []
    last: dict[int, int] = {}
    for new, old in sorted(covered):
        if not copies or last.get(old, new) < new - 1:
            copies.append([])
            last = {}
        copies[-1].append((new, old))
        last[old] = new
    whole = {old for _, old in copies[0]}
    if any({old for _, old in copy} != whole for copy in copies):
        copies = [sorted(covered)]
    return [(copy[0][0], copy[-1][0] + 1) for copy in copies]


def carry_arcs(arcs: Arcs, edits: Sequence[Edit]) -> Arcs:
    """The arcs after the edits, which go from left to right."""
    sources, heirs = _succession(len(arcs), edits)
    carried = [_arc(arcs, new, source, heirs) for new, source in enumerate(sources)]
    stop = copied = 0
    for edit in edits:
        start = stop + edit.start - copied
        stop, copied = start + len(edit.tokens), edit.stop
        for new, label in enumerate(edit.labels(arcs.name) or ()):
            if (given := read_arc_label(label)) is not None:
                place, relation, is_new = given
                head = start + place if is_new else heirs[place]
                carried[start + new] = head, UNLABELLED if head is None else relation
    return Arcs(arcs.name, tuple([head for head, _ in carried]), tuple([relation for _, relation in carried]))


def as_entities(policy: Policy, labels: Sequence[str]) -> Sequence[str]:
    """The labels as ``bio`` tags: words of a ``bmes`` layer are entities, and a layer ``each`` has none."""
    if policy == "each":
        return (OUTSIDE["bio"],) * len(labels)
    return _words_as_entities(labels) if policy == "bmes" else labels


class _EntityLabels:
    """The labels of a ``bio`` layer in the making, from left to right.

    An entity is named by its first token in the source. ``open`` is the entity that the last new token belongs to,
    None outside entities. ``is_given`` says that an edit gave the last new token its label.
    """

    def __init__(self, name: str, old: Sequence[str]) -> None:
        self.name = name
        self.old = old
        self.new: list[str] = []
        self.open: int | None = None
        self.is_given = False
        self._starts: dict[int, int] = {}

    def _start_of(self, place: int) -> int | None:
        """As `entity_start`, but walks back no further than to a token that was asked about before."""
        if entity_start(self.old[place : place + 1], 0) is None:
            return None
        found = place
        while found not in self._starts and goes_on(self.old, found):
            found -= 1
        self._starts[place] = self._starts.get(found, found)
        return self._starts[place]

    def carried(self, edits: Sequence[Edit], given: Given) -> tuple[str, ...]:
        copied = 0
        for edit, labels in zip(edits, given, strict=True):
            self._copy(copied, edit.start)
            if edit.tokens:
                self._replace(edit, labels)
            copied = edit.stop
        self._copy(copied, len(self.old))
        return tuple(self.new)

    def _copy(self, start: int, stop: int) -> None:
        if start == stop:
            return
        entity = self._start_of(start)
        before, is_open = self.new[-1:], entity is not None and entity == self.open
        label = self.old[start] if entity is None else self._label(entity, "")
        if not is_open and not self.is_given and before in (["B" + label[1:]], ["I" + label[1:]]) and label[0] == "I":
            raise ValueError(
                f"layer {self.name!r}: {label} of token {start} opens an entity without its B-, and the edits would "
                f"make it part of another: give it the label B{label[1:]} first"
            )
        self.new.append(label)
        self.new += self.old[start + 1 : stop]
        self.open, self.is_given = self._start_of(stop - 1), False

    def _replace(self, edit: Edit, labels: tuple[str, ...] | None) -> None:
        across, self.is_given = self._entity_across(edit.stop), labels is not None
        if labels is not None:
            self.new += labels
            self.open = across if across is not None and self._goes_on_from(labels[-1], across) else None
        elif edit.start == edit.stop and edit.origins is None:
            self.new += [self._label(across, "O") for _ in edit.tokens]
        else:
            last = ahead = None  # the one source of the token before; the same where that went on as the source does
            for source in edit.origins or (range(edit.start, edit.stop),) * len(edit.tokens):
                if last is not None and len(source) == 1 and source[0] == last + 1:
                    last = ahead = source[0]
                    self.new.append(self.old[last])
                    continue
                if ahead is not None:
                    self.open = self._start_of(ahead)
                self.new.append(self._label(*self._common_label(edit, source)))
                last, ahead = source[0] if len(source) == 1 else None, None
            if ahead is not None:
                self.open = self._start_of(ahead)

    def _label(self, entity: int | None, outside: str) -> str:
        """The label of the next new token: ``I-`` where its entity is open already; ``outside`` where it has none."""
        goes_on = entity is not None and entity == self.open
        self.open = entity
        if entity is None:
            return outside
        first = self.old[entity]
        return "I" + first[1:] if goes_on else first

    def _common_label(self, edit: Edit, source: Sequence[int]) -> tuple[int | None, str]:
        """The entity of these old tokens, or their label outside entities."""
        if not source:
            return None, "O"
        if len(source) == 1:
            return self._place(source[0])
        places = {self._place(old) for old in source}
        if len(places) > 1:
            labels = " ".join(self.old[old] for old in source)
            raise ValueError(
                f"layer {self.name!r}: {edit} replaces tokens labelled {labels} as one: "
                "give the labels of the new tokens"
            )
        return places.pop()

    def _place(self, old: int) -> tuple[int | None, str]:
        """The entity of an old token, or its label outside entities."""
        entity = self._start_of(old)
        return entity, self.old[old] if entity is None else ""

    def _entity_across(self, place: int) -> int | None:
        """The entity that has tokens on both sides of ``place`` in the source."""
        inside = place < len(self.old) and goes_on(self.old, place)
        return self._start_of(place) if inside else None

    def _goes_on_from(self, label: str, entity: int) -> bool:
        """Whether the entity goes on behind a token with this label, given by an edit."""
        return label[1:] == self.old[entity][1:]


class _WordLabels(_EntityLabels):
    """The labels of a ``bmes`` layer in the making: its words are entities of one type, and written as BMES again."""

    def __init__(self, name: str, old: Sequence[str]) -> None:
        super().__init__(name, _words_as_entities(old))
        self.said: list[tuple[Edit, int]] = []
        """The new tokens that an edit says are in the middle of a word."""

    def carried(self, edits: Sequence[Edit], given: Given) -> tuple[str, ...]:
        labels = _entities_as_words(super().carried(edits, given))
        for edit, place in self.said:
            if labels[place] != _MIDDLE:
                raise ValueError(
                    f"layer {self.name!r}: {edit} gives the label {_MIDDLE!r}, but the token is not in the middle of a "
                    "word: give the labels of the word's other tokens too"
                )
        return labels

    def _replace(self, edit: Edit, labels: tuple[str, ...] | None) -> None:
        if labels is None:
            super()._replace(edit, None)
            return
        unknown = [label for label in labels if label not in _AS_ENTITIES]
        if unknown:
            raise ValueError(f"layer {self.name!r}: {edit} gives the label {unknown[0]!r}; expected B, M, E, S or ''")
        self.said += [(edit, len(self.new) + k) for k, label in enumerate(labels) if label == _MIDDLE]
        super()._replace(edit, tuple(_words_as_entities(labels)))
        if labels[-1] in _LAST:
            self.open = None

    def _common_label(self, edit: Edit, source: Sequence[int]) -> tuple[int | None, str]:
        """The word of these old tokens; none where they are of several."""
        are_mixed = len({self._place(old) for old in source}) > 1
        return (None, "O") if are_mixed else super()._common_label(edit, source)


_AS_ENTITIES = {"B": "B-word", "S": "B-word", "M": "I-word", "E": "I-word", UNLABELLED: "O"}
_MIDDLE = "M"
_LAST = ("E", "S")


def _words_as_entities(labels: Sequence[str]) -> list[str]:
    return [_AS_ENTITIES[label] for label in labels]


def _entities_as_words(tags: Sequence[str]) -> tuple[str, ...]:
    labels = [UNLABELLED] * len(tags)
    for word in entity_spans(tags):
        labels[word.start : word.stop] = ["B", *["M"] * (len(word) - 2), "E"] if len(word) > 1 else ["S"]
    return tuple(labels)


def _carry_each(labels: tuple[str, ...], edits: Sequence[Edit], given: Given) -> tuple[str, ...]:
    sources, heirs = _succession(len(labels), edits)
    carried = [_only_label(labels, new, source, heirs) for new, source in enumerate(sources)]
    stop = copied = 0
    for edit, own in zip(edits, given, strict=True):
        start = stop + edit.start - copied
        stop, copied = start + len(edit.tokens), edit.stop
        if own is not None:
            carried[start:stop] = own
    return tuple(carried)


def _only_label(labels: Sequence[str], new: int, source: Sequence[int], heirs: Sequence[int | None]) -> str:
    """The label of a new token in a layer ``each``."""
    if not _stands_alone(new, source, heirs) or len({labels[old] for old in source}) > 1:
        return UNLABELLED
    return labels[source[0]]


def _arc(arcs: Arcs, new: int, source: Sequence[int], heirs: Sequence[int | None]) -> tuple[int | None, str]:
    """The head of a new token, and the relation to it."""
    if not _stands_alone(new, source, heirs):
        return None, UNLABELLED
    found = {
        (head if head is None or head == ROOT else heirs[head], arcs.relations[old])
        for old in source
        if (head := arcs.heads[old]) not in source
    }
    head, relation = found.pop() if len(found) == 1 else (None, UNLABELLED)
    return head, UNLABELLED if head is None else relation


def _succession(length: int, edits: Sequence[Edit]) -> tuple[list[Sequence[int]], list[int | None]]:
    """For each new token its sources, and for each of the ``length`` old ones its heir.

    The sources of a new token are the origins that its edit gives it, else all the tokens that its edit replaces. The
    heir of an old token is the one new token that has it among its sources: None where there is none, and where there
    are several, unless one is the token itself, which no edit replaced.
    """
    sources: list[Sequence[int]] = []
    heirs: list[int | None] = [None] * length
    replacing: list[tuple[int, Sequence[int]]] = []
    claims = [0] * length
    copied = 0
    for edit in (*edits, Edit(length, length, ())):
        for old in range(copied, edit.start):
            heirs[old] = len(sources)
            claims[old] += 1
            sources.append((old,))
        copied = edit.stop
        replaced = range(edit.start, edit.stop)
        own = (replaced,) * len(edit.tokens) if edit.origins is None else edit.origins
        replacing += enumerate(own, len(sources))
        sources += own
    for _, source in replacing:
        for old in source:
            claims[old] += 1
    for new, source in replacing:
        for old in source:
            if claims[old] == 1:
                heirs[old] = new
    return sources, heirs


def _stands_alone(new: int, source: Sequence[int], heirs: Sequence[int | None]) -> bool:
    """Whether a new token has sources, and is the heir of each."""
    return bool(source) and all(heirs[old] == new for old in source)
