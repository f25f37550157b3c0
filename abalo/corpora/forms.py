"""Converts almost-BIO tags such as ``PER-B``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from abalo.corpora.drafts import Draft
from abalo.corpora.findings import show_value
from abalo.corpora.parts_of_speech import universal_of
from abalo.corpora.schemes import PREFIXES, are_about_entities, looks_like_tag

UNTYPED = "ENTITY"
"""The type if tags name none."""

_OUTSIDE = ("O", "o")
_POSITION = f"[{PREFIXES}{PREFIXES.lower()}]"
_BEFORE = re.compile(rf"({_POSITION})[-_:|/.+](?s:(.*\S.*))")
_BEHIND = re.compile(rf"(.+)[-_:|/.+]({_POSITION})")
_ALONE = re.compile(_POSITION)
_ELSE_OUTSIDE = frozenset(("_", "-", "--", "*", "0", "none", "null", "nil", "na", "n/a", "other", "out", "outside"))
"""Other signs for ``O``, if commonest."""

_BY_WORD = {"begin": "B", "beg": "B", "inside": "I", "in": "I", "end": "E", "last": "L", "middle": "M"} | dict.fromkeys(
    ("single", "singleton", "unit"), "S"
)
_WORD_BEFORE = re.compile(r"([A-Za-z]+)[-_:](?s:(.*\S.*))")
_NUMBER = re.compile(r"\d+(?:\.0)?")

_OF_TRAINING = ("X", "[CLS]", "[SEP]", "[PAD]")
"""Word pieces and special tokens [google-research/bert, NER recipes]."""

_SHARE_OF_WORDS = 0.5


@dataclass(frozen=True, slots=True)
class Form:
    """A way to write tags.

    ``read`` converts a tag to BIO, None for another form; ``said`` describes the form; ``outside`` means ``O``.
    """

    kind: str
    read: Callable[[str], str | None]
    said: str
    outside: str = "O"

    @property
    def name(self) -> str:
        return f"{self.kind} {self.outside}"

    @property
    def is_bare(self) -> bool:
        """Whether tags lack prefixes."""
        return self.kind == _BARE.kind


def _as_it_is(tag: str) -> str | None:
    return tag if looks_like_tag(tag) else None


def _prefix_first(tag: str) -> str | None:
    found = _BEFORE.fullmatch(tag)
    return f"{found[1].upper()}-{found[2]}" if found else None


def _prefix_last(tag: str) -> str | None:
    found = _BEHIND.fullmatch(tag)
    return f"{found[2].upper()}-{found[1]}" if found and found[1].strip() else None


def _prefix_alone(tag: str) -> str | None:
    return f"{tag.upper()}-{UNTYPED}" if _ALONE.fullmatch(tag) else None


def _word_first(tag: str) -> str | None:
    found = _WORD_BEFORE.fullmatch(tag)
    prefix = _BY_WORD.get(found[1].lower()) if found else None
    return f"{prefix}-{found[2]}" if found and prefix else None


_BIO = Form("bio", _as_it_is, "as in BIO, but for the sign of words outside")
_BARE = Form("type", lambda tag: f"I-{tag}", "types without B- or I-, so touching entities of one type are one entity")
_FORMS = (
    Form("b-type", _prefix_first, "B- and I- in another letter case, or with another sign than the hyphen"),
    Form("type-b", _prefix_last, "the type first and B or I last"),
    Form("b", _prefix_alone, f"B and I without a type; all entities were given one type, {UNTYPED}"),
    Form("begin-type", _word_first, "words in place of B- and I-"),
)
_BY_KIND = {form.kind: form for form in (*_FORMS, _BIO, _BARE)}


def form_called(name: str) -> Form | None:
    """The form with this name; None for "", plain BIO."""
    kind, _, outside = name.partition(" ")
    return replace(_BY_KIND[kind], outside=outside) if name else None


def form_of(tags: Mapping[str, int]) -> Form | None:
    """The form of all ``tags``, given counts; None for BIO and unknown forms.

    ``O``, or another sign for it, must be among them.
    """
    outside = _outside_of(tags)
    own = [tag for tag in tags if tag != outside]
    if outside is None or not own:
        return None
    if are_about_entities(own):
        is_bio = outside in _OUTSIDE or not all(map(looks_like_tag, own))
        return None if is_bio else replace(_BIO, outside=outside)
    found = next((form for form in _FORMS if _follows(own, form)), None)
    if found is None and _are_types(own, tags):
        found = _BARE
    return None if found is None else replace(found, outside=outside)


def _outside_of(tags: Mapping[str, int]) -> str | None:
    if (usual := next((tag for tag in _OUTSIDE if tag in tags), None)) is not None:
        return usual
    most = max(tags, key=lambda tag: tags[tag], default="")
    return most if most.casefold() in _ELSE_OUTSIDE and not all(map(_NUMBER.fullmatch, tags)) else None


def hold_entities(tags: Mapping[str, int]) -> bool:
    """Whether ``tags`` certainly mark entities."""
    form = form_of(tags)
    if form is None:
        return are_about_entities(tags)
    return not form.is_bare or tags[form.outside] == max(tags.values())


def may_hold_entities(tags: Mapping[str, int]) -> bool:
    """Whether ``tags`` may mark entities; numbers may."""
    own = [tag for tag in tags if tag not in _OUTSIDE and tag.casefold() not in _ELSE_OUTSIDE]
    written = bool(own) and any(_follows(own, form) for form in _FORMS)
    return written or form_of(tags) is not None or are_about_entities(tags) or are_numbers(tags) or _in_pairs(own)


def are_numbers(tags: Iterable[str]) -> bool:
    """Whether all ``tags`` are whole numbers."""
    return all(map(_NUMBER.fullmatch, tags))


def read_in(form: Form, drafts: Iterable[Draft]) -> list[Draft]:
    """Converts tags of this form to BIO."""
    return [
        replace(draft, tags=["O" if tag in (*_OUTSIDE, form.outside) else form.read(tag) or tag for tag in draft.tags])
        for draft in drafts
    ]


def notice(form: Form, tags: Iterable[str], source: str) -> str:
    """The notice that names this form."""
    example = next(tag for tag in tags if tag not in (*_OUTSIDE, form.outside))
    remedy = f"If these are no entities, say which task with --abalo-task; else {_REMEDIES[form.kind]}."
    outside = "" if form.outside in _OUTSIDE else f" {show_value(form.outside)} was read as O."
    return f"{source} writes entity tags such as {show_value(example)}: {form.said}.{outside} {remedy}"


_REMEDIES = {
    "b-type": "write B- and I- to lose this notice",
    "type-b": "write B- and I- in front to lose this notice",
    "b": "write the types behind B- and I- if you know them",
    "begin-type": "write B- and I- to lose this notice",
    "bio": "write O to lose this notice",
    "type": "write B- and I- if entities touch",
}


def whole_labels(own: Sequence[str]) -> dict[str, str]:
    """BIO for labels that BIO cannot read, if one form fits all."""
    labels = [label for label in own if label not in _OUTSIDE and label not in _OF_TRAINING]
    form = next((form for form in _FORMS if _follows(labels, form)), None)
    if not labels or form is None:
        return {}
    return {label: str(form.read(label)) if label in labels else "O" for label in own}


def _follows(tags: Sequence[str], form: Form) -> bool:
    read = [form.read(tag) for tag in tags]
    return None not in read and (form.kind == "b" or any(tag is not None and tag[0] in "BSU" for tag in read))


def _are_types(own: Sequence[str], tags: Mapping[str, int]) -> bool:
    if any("=" in tag for tag in own):
        return False
    names = sum(tags[tag] for tag in own if len(tag) > 1 and universal_of(tag) is None)
    most_are_names = names > _SHARE_OF_WORDS * sum(tags[tag] for tag in own)
    return most_are_names and all(map(str.isprintable, own)) and not _in_pairs(own) and not are_numbers(own)


def _in_pairs(own: Sequence[str]) -> bool:
    there = {tag.upper() for tag in own}
    begun = [tag for tag in there if len(tag) > 1]
    return any(
        (tag[0] == "B" and f"I{tag[1:]}" in there) or (tag.endswith("(B)") and f"{tag[:-3]}(I)" in there)
        for tag in begun
    )
