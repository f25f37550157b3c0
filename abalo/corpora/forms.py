"""Forms of entity tags that are not quite BIO, such as ``PER-B``: which one a corpus follows, and its tags in BIO."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from abalo.corpora.drafts import Draft
from abalo.corpora.findings import shown
from abalo.corpora.parts_of_speech import universal_of
from abalo.corpora.schemes import PREFIXES, are_about_entities

UNTYPED = "ENTITY"
"""The entity type of a corpus whose tags name none."""

_OUTSIDE = ("O", "o")
_POSITION = f"[{PREFIXES}{PREFIXES.lower()}]"
_BEFORE = re.compile(rf"({_POSITION})[-_:|/.+](.*\S.*)")
_BEHIND = re.compile(rf"(.*\S.*)[-_:|/.+]({_POSITION})")
_ALONE = re.compile(_POSITION)
_OF_TRAINING = ("X", "[CLS]", "[SEP]", "[PAD]")
"""Labels that models were trained with for word pieces and special tokens [google-research/bert, NER recipes]."""

_SHARE_OF_WORDS = 0.5
"""The least share of bare tags that are neither parts of speech nor single signs, where they are entity types."""


@dataclass(frozen=True, slots=True)
class Form:
    """How tags are written. ``read`` gives a tag as BIO has it, None for one of another form; ``said`` describes it."""

    name: str
    read: Callable[[str], str | None]
    said: str


def _prefix_first(tag: str) -> str | None:
    found = _BEFORE.fullmatch(tag)
    return f"{found[1].upper()}-{found[2]}" if found else None


def _prefix_last(tag: str) -> str | None:
    found = _BEHIND.fullmatch(tag)
    return f"{found[2].upper()}-{found[1]}" if found else None


def _prefix_alone(tag: str) -> str | None:
    return f"{tag.upper()}-{UNTYPED}" if _ALONE.fullmatch(tag) else None


BARE = Form("TYPE", lambda tag: f"I-{tag}", "types without B- or I-, so touching entities of one type are one entity")
_FORMS = (
    Form("b-type", _prefix_first, "B- and I- in another letter case, or with another sign than the hyphen"),
    Form("TYPE-B", _prefix_last, "the type first and B or I last"),
    Form("B", _prefix_alone, f"B and I without a type; all entities were given one type, {UNTYPED}"),
)
_BY_NAME = {form.name: form for form in (*_FORMS, BARE)}


def form_called(name: str) -> Form | None:
    """The form of that name; None for the empty name, which means BIO as it is."""
    return _BY_NAME[name] if name else None


def form_of(tags: Mapping[str, int]) -> Form | None:
    """The form that all ``tags`` of a corpus follow, given how often each occurs; None for BIO and for what is no form.

    There is a tag ``O`` beside the others.
    """
    own = [tag for tag in tags if tag not in _OUTSIDE]
    if not 0 < len(own) < len(tags) or are_about_entities(tags):
        return None
    written = next((form for form in _FORMS if _follows(own, form)), None)
    return written or (BARE if "O" in tags and _are_types(own, tags) else None)


def hold_entities(tags: Mapping[str, int]) -> bool:
    """Whether ``tags`` mark entities without a doubt, in BIO or in another form.

    Bare types do if ``O`` is their commonest tag.
    """
    form = form_of(tags)
    return are_about_entities(tags) if form is None else form is not BARE or tags["O"] == max(tags.values())


def may_hold_entities(tags: Mapping[str, int]) -> bool:
    """Whether ``tags`` are more like those of entities than parts of speech, so that a user should say which."""
    alone = bool(tags) and all(tag in _OUTSIDE or _prefix_alone(tag) for tag in tags)
    return alone or form_of(tags) is not None or are_about_entities(tags)


def read_in(form: Form, drafts: Iterable[Draft]) -> list[Draft]:
    """The ``drafts`` with their tags in BIO; a tag of another form stays as it is."""
    return [
        replace(draft, tags=["O" if tag in _OUTSIDE else form.read(tag) or tag for tag in draft.tags])
        for draft in drafts
    ]


def notice(form: Form, tags: Iterable[str], source: str) -> str:
    """The notice about a corpus that was read in this form."""
    example = next(tag for tag in tags if tag not in _OUTSIDE)
    remedy = f"If these are no entities, say which task with --abalo-task; else {_REMEDIES[form.name]}."
    return f"{source} writes entity tags such as {shown(example)}: {form.said}. {remedy}"


_REMEDIES = {
    "b-type": "write B- and I- to lose this notice",
    "TYPE-B": "write B- and I- in front to lose this notice",
    "B": "write the types behind B- and I- if you know them",
    "TYPE": "write B- and I- if entities touch",
}


def whole_labels(own: Sequence[str]) -> dict[str, str]:
    """The labels of a model that are BIO in another form, each with BIO's; none if they follow no form together.

    ``own`` are those that BIO cannot read.
    """
    labels = [label for label in own if label not in _OUTSIDE and label not in _OF_TRAINING]
    form = next((form for form in _FORMS if _follows(labels, form)), None)
    if not labels or form is None:
        return {}
    return {label: str(form.read(label)) if label in labels else "O" for label in own}


def _follows(tags: Sequence[str], form: Form) -> bool:
    """Whether all of the ``tags`` are of this form, and one can begin an entity."""
    read = [form.read(tag) for tag in tags]
    return None not in read and (form.name == "B" or any(tag is not None and tag[0] in "BSU" for tag in read))


def _are_types(own: Sequence[str], tags: Mapping[str, int]) -> bool:
    """Whether the tags beside ``O`` are names of types, not parts of speech."""
    names = sum(tags[tag] for tag in own if len(tag) > 1 and universal_of(tag) is None)
    return all(map(str.isprintable, own)) and names > _SHARE_OF_WORDS * sum(tags[tag] for tag in own)
