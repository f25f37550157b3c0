"""Universal parts of speech."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

UNKNOWN = "X"

_PENN = {  # each universal tag of Universal Dependencies 2, and what it stands for
    "ADJ": "JJ JJR JJS AFX",
    "ADP": "IN",
    "AUX": "MD",
    "ADV": "RB RBR RBS WRB",
    "CCONJ": "CC",
    "DET": "DT PDT WDT",
    "INTJ": "UH",
    "NOUN": "NN NNS",
    "NUM": "CD",
    "PART": "POS RP TO",
    "PRON": "EX PRP PRP$ WP WP$",
    "PROPN": "NNP NNPS",
    "PUNCT": "# $ '' `` ( ) , . : \" -LRB- -RRB- HYPH NFP",
    "SCONJ": "",
    "SYM": "SYM",
    "VERB": "VB VBD VBG VBN VBP VBZ",
    "X": "ADD FW GW LS XX",
}
_KNOWN = {tag: kind for kind, tags in _PENN.items() for tag in (kind, *tags.split())}

_SHARE = 0.95


def universal_of(tag: str) -> str | None:
    """The universal tag for a universal or Penn Treebank tag."""
    return _KNOWN.get(tag)


def universal(column: Sequence[Sequence[str] | None]) -> tuple[tuple[str, ...], ...] | None:
    """Universal tags from universal or Penn Treebank tags (Marcus et al. 1993).

    Returns None if they are something else.
    """
    counts = Counter(tag for tags in column for tag in tags or ())
    known = sum(count for tag, count in counts.items() if tag in _KNOWN)
    if not counts or known < _SHARE * counts.total() or any(tags is None for tags in column):
        return None
    return tuple(tuple(_KNOWN.get(tag, UNKNOWN) for tag in tags or ()) for tags in column)
