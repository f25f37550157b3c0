"""Detects tagging schemes and converts to BIO."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from abalo.core.protocols.corpus_spec import CorpusSetting
from abalo.corpora.drafts import Draft
from abalo.corpora.findings import Findings, show_value


@dataclass(frozen=True, slots=True)
class Scheme:
    """A tagging scheme: ``O``, or a prefix, hyphen and type.

    ``opens``: entities start with ``B-``, ``S-`` or ``U-``. ``closes``: longer ones end with ``E-`` or ``L-``.
    """

    name: str
    prefixes: str
    opens: bool
    closes: bool


TAKEN = {"O": "stands for no entity", "overall": "stands for all types together in thresholds.toml"}
"""Names unavailable as types, with meanings."""

BIO = Scheme("BIO", "BI", opens=True, closes=False)
IOB1 = Scheme("IOB1", "BI", opens=False, closes=False)
PREFIXES = "BIESLUM"
"""``M-`` of BMES means ``I-``."""

BIOES = Scheme("BIOES", PREFIXES, opens=True, closes=True)

SCHEMES = {"bio": BIO, "iob1": IOB1, "bioes": BIOES}
SCHEME = CorpusSetting(
    "scheme", "scheme of the tags; bioes includes BILOU and BMES; if not given, found by the tags", choices=SCHEMES
)
_CONTINUE = "IMEL"
_MORE_TO_COME = "BIM"


def looks_like_tag(text: str) -> bool:
    """Whether any scheme allows the tag."""
    return text == "O" or _belongs(text, BIOES)


def are_about_entities(tags: Collection[str]) -> bool:
    """Whether tags mark entities, in any scheme."""
    return any(_belongs(tag, BIO) for tag in tags) or (bool(tags) and all(map(looks_like_tag, tags)))


def stand_first(first: Collection[str], last: Collection[str]) -> bool:
    """Whether tags are only in the ``first`` column."""
    tags_first = all(map(looks_like_tag, first)) and any(_belongs(tag, BIO) for tag in first)
    return tags_first and not are_about_entities(last)


def detect(drafts: Sequence[Draft]) -> Scheme:
    """The scheme of all drafts.

    ``E-``, ``S-``, ``L-``, ``U-`` or ``M-`` mean BIOES (BILOU, BMES). ``I-`` without ``B-``, or with ``B-`` only after
    the same type, means IOB1. Otherwise BIO.
    """
    prefixes = _prefixes(drafts)
    if not prefixes.isdisjoint(("E-", "S-", "L-", "U-", "M-")):
        return BIOES
    if lacks_beginnings(drafts) or ("B-" in prefixes and all(map(_only_b_after_the_same_type, drafts))):
        return IOB1
    return BIO


def lacks_beginnings(drafts: Sequence[Draft]) -> bool:
    """Whether drafts have ``I-`` but no ``B-``."""
    prefixes = _prefixes(drafts)
    return "I-" in prefixes and "B-" not in prefixes


def _prefixes(drafts: Sequence[Draft]) -> set[str]:
    return {tag[:2] for draft in drafts for tag in draft.tags}


def _only_b_after_the_same_type(draft: Draft) -> bool:
    return all(
        before[:2] in ("B-", "I-") and before[2:] == tag[2:]
        for before, tag in zip(["O", *draft.tags], draft.tags, strict=False)
        if tag[:2] == "B-"
    )


def to_bio(draft: Draft, scheme: Scheme, findings: Findings) -> tuple[str, ...]:
    """Converts tags to BIO; reports tags that ``scheme`` forbids.

    A continuation without an entity opens one. Unreadable tags and types become ``O``; any tag may follow.
    """
    unknown = {tag for tag in set(draft.tags) if tag != "O" and not (_belongs(tag, scheme) and names_a_type(tag[2:]))}
    tags = []
    kind: str | None = ""  # the type of the entity that may go on; None where that cannot be told
    for i, tag in enumerate(draft.tags):
        if tag in unknown:
            findings.error(draft.places[i], _unknown_tag(draft.tokens[i], tag, scheme))
            tags.append("O")
            kind = None
            continue
        continues = tag[0] in _CONTINUE and (kind is None or tag[2:] == kind)
        if kind and scheme.closes and not continues:
            findings.mended(draft.places[i - 1], _open_problem(draft.tokens[i - 1], draft.tags[i - 1]))
        if tag == "O":
            tags.append(tag)
            kind = ""
            continue
        if tag[0] in _CONTINUE and scheme.opens and not continues:
            findings.mended(draft.places[i], _unopened_problem(draft.tokens[i], tag, scheme))
        tags.append(f"{'I' if continues else 'B'}-{tag[2:]}")
        kind = tag[2:] if tag[0] in _MORE_TO_COME else ""
    if kind and scheme.closes:
        findings.mended(draft.places[-1], _open_problem(draft.tokens[-1], draft.tags[-1]))
    return tuple(tags)


def names_a_type(text: str) -> bool:
    """Whether a type may have this name."""
    return text not in TAKEN and text.isprintable() and bool(text.strip())


def _belongs(tag: str, scheme: Scheme) -> bool:
    return tag[:1] in scheme.prefixes and tag[1:2] == "-" and bool(tag[2:].strip())


def _unknown_tag(token: str, tag: str, scheme: Scheme) -> str:
    kind = tag[2:]
    if _belongs(tag, scheme) and kind not in TAKEN:
        return (
            f"{show_value(token)} has the tag {show_value(tag)}, with characters that cannot be seen; expected a type "
            "without any; remove them"
        )
    if _belongs(tag, scheme):
        return (
            f"{show_value(token)} has the tag {show_value(tag)}, of an entity type called {kind}; expected another "
            f"name, since {kind} {TAKEN[kind]}; rename the type"
        )
    prefixes = ", ".join(f"{prefix}-" for prefix in scheme.prefixes)
    return (
        f"{show_value(token)} has the tag {show_value(tag)}; expected O, or one of {prefixes} and a type "
        f"({scheme.name}); correct it, or name another scheme with FILE?scheme=NAME"
    )


def _unopened_problem(token: str, tag: str, scheme: Scheme) -> str:
    otherwise = ", or the whole as IOB1 with FILE?scheme=iob1" if scheme is BIO else ""
    return (
        f"{show_value(token)} is {tag} without a B-{tag[2:]} before it; in {scheme.name} an entity starts with B-; "
        f"correct it, or read it as B-{tag[2:]} with FILE?lenient{otherwise}"
    )


def _open_problem(token: str, tag: str) -> str:
    return (
        f"{show_value(token)} is {tag}, but its entity never ends; in BIOES the last token of an entity is E- (or "
        "L-), and a single one S- (or U-); correct it, or end it here with FILE?lenient, or name another scheme "
        "with FILE?scheme=NAME"
    )
