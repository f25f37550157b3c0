"""Tagging schemes: which one a corpus follows, and from each to BIO."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from abalo.corpora.drafts import Draft
from abalo.corpora.findings import Findings, shown
from abalo.errors import AbaloError
from perturbations.suggestions import did_you_mean


@dataclass(frozen=True, slots=True)
class Scheme:
    """How tags mark entities: ``O`` outside, elsewhere one of ``prefixes``, a hyphen and a type.

    ``opens``: an entity starts with ``B-`` (or is a single ``S-``, ``U-``), never with another prefix.
    ``closes``: an entity of several tokens ends with ``E-`` or ``L-``.
    """

    name: str
    prefixes: str
    opens: bool
    closes: bool


TAKEN = {"O": "stands for no entity", "overall": "stands for all types together in thresholds.toml"}
"""Names that no entity type can have, each with what it means."""

BIO = Scheme("BIO", "BI", opens=True, closes=False)
IOB1 = Scheme("IOB1", "BI", opens=False, closes=False)
PREFIXES = "BIESLUM"
"""The prefixes of all schemes: ``M-`` of BMES is ``I-``."""

BIOES = Scheme("BIOES", PREFIXES, opens=True, closes=True)

_NAMES = {"bio": BIO, "iob2": BIO, "iob1": IOB1, "bioes": BIOES, "iobes": BIOES, "bilou": BIOES, "bmes": BIOES}
_CONTINUE = "IMEL"
_MORE_TO_COME = "BIM"


def scheme_called(name: str) -> Scheme:
    """The scheme of that name, in any letter case; raises AbaloError."""
    if (scheme := _NAMES.get(name.lower())) is not None:
        return scheme
    raise AbaloError(
        f"--abalo-scheme {name}: no such tagging scheme; expected one of {', '.join(_NAMES)}"
        f"{did_you_mean(name.lower(), _NAMES)}"
    )


def looks_like_tag(text: str) -> bool:
    """Whether ``text`` is a tag of some scheme."""
    return text == "O" or _belongs(text, BIOES)


def are_about_entities(tags: Collection[str]) -> bool:
    """Whether ``tags`` of a file mark entities: one begins with ``B-`` or ``I-``, or all are tags of some scheme."""
    return any(_belongs(tag, BIO) for tag in tags) or (bool(tags) and all(map(looks_like_tag, tags)))


def stand_first(first: Collection[str], last: Collection[str]) -> bool:
    """Whether the tags are in the ``first`` column of a file, where tokens should be, and not in the ``last``."""
    tags_first = all(map(looks_like_tag, first)) and any(_belongs(tag, BIO) for tag in first)
    return tags_first and not are_about_entities(last)


def detect(drafts: Sequence[Draft]) -> Scheme:
    """The scheme that all ``drafts`` together follow.

    Any ``E-``, ``S-``, ``L-``, ``U-`` or ``M-``: BIOES (BILOU and BMES are the same under other letters). ``B-`` only
    right after the same type, or ``I-`` and no ``B-`` at all: IOB1. Otherwise BIO.
    """
    prefixes = _prefixes(drafts)
    if not prefixes.isdisjoint(("E-", "S-", "L-", "U-", "M-")):
        return BIOES
    if lacks_beginnings(drafts) or ("B-" in prefixes and all(map(_only_b_after_the_same_type, drafts))):
        return IOB1
    return BIO


def lacks_beginnings(drafts: Sequence[Draft]) -> bool:
    """Whether there is ``I-`` but no ``B-`` in all ``drafts`` together: of BIO and IOB1, only the latter fits."""
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
    """The tags of ``draft`` in BIO; tells ``findings`` of each that ``scheme`` does not allow.

    A tag that continues an entity that is not there opens one; an entity that never ends, ends where it stops. After
    a tag that cannot be read, which becomes ``O``, anything may follow. A type whose name is
    `TAKEN`, or has characters that cannot be seen, cannot be read.
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
            findings.mended(draft.places[i - 1], _left_open(draft.tokens[i - 1], draft.tags[i - 1]))
        if tag == "O":
            tags.append(tag)
            kind = ""
            continue
        if tag[0] in _CONTINUE and scheme.opens and not continues:
            findings.mended(draft.places[i], _unopened(draft.tokens[i], tag, scheme))
        tags.append(f"{'I' if continues else 'B'}-{tag[2:]}")
        kind = tag[2:] if tag[0] in _MORE_TO_COME else ""
    if kind and scheme.closes:
        findings.mended(draft.places[-1], _left_open(draft.tokens[-1], draft.tags[-1]))
    return tuple(tags)


def names_a_type(text: str) -> bool:
    """Whether an entity type can be called this: none of `TAKEN`, and no characters that cannot be seen.

    With such characters two types could look like one, and a report could not be read.
    """
    return text not in TAKEN and text.isprintable() and bool(text.strip())


def _belongs(tag: str, scheme: Scheme) -> bool:
    return tag[:1] in scheme.prefixes and tag[1:2] == "-" and bool(tag[2:].strip())


def _unknown_tag(token: str, tag: str, scheme: Scheme) -> str:
    kind = tag[2:]
    if _belongs(tag, scheme) and kind not in TAKEN:
        return (
            f"{shown(token)} has the tag {shown(tag)}, with characters that cannot be seen; expected a type without "
            "any; remove them"
        )
    if _belongs(tag, scheme):
        return (
            f"{shown(token)} has the tag {shown(tag)}, of an entity type called {kind}; expected another name, since "
            f"{kind} {TAKEN[kind]}; rename the type"
        )
    prefixes = ", ".join(f"{prefix}-" for prefix in scheme.prefixes)
    return (
        f"{shown(token)} has the tag {shown(tag)}; expected O, or one of {prefixes} and a type ({scheme.name}); "
        "correct it, or name another scheme with --abalo-scheme"
    )


def _unopened(token: str, tag: str, scheme: Scheme) -> str:
    otherwise = ", or the whole as IOB1 with --abalo-scheme iob1" if scheme is BIO else ""
    return (
        f"{shown(token)} is {tag} without a B-{tag[2:]} before it; in {scheme.name} an entity starts with B-; "
        f"correct it, or read it as B-{tag[2:]} with --abalo-lenient{otherwise}"
    )


def _left_open(token: str, tag: str) -> str:
    return (
        f"{shown(token)} is {tag}, but its entity never ends; in BIOES the last token of an entity is E- (or L-), and "
        "a single one S- (or U-); correct it, or end it here with --abalo-lenient, or name another scheme with "
        "--abalo-scheme"
    )
