"""Helpers to read corpora of labelled texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from abalo.corpora.encodings import is_unicode
from abalo.corpora.findings import Findings, show_value
from abalo.corpora.running_text import cut_into, is_unspaced, running_text
from abalo.errors import visible
from perturbations import Sentence

_TAG = re.compile(r"</?(?:br|p|b|i|em|strong|a|div|span|ul|li|img|h[1-6])\b[^<>]{0,200}>", re.IGNORECASE)
_FEWEST_MARKED = 2
_SHARE_MARKED = 0.01


def sentence_of(value: Any, place: int, findings: Findings, words: Any = None) -> Sentence | None:
    """The text as a sentence; None, with a finding, if missing or with unpaired surrogates.

    ``words`` are its words, as a list or with spaces.
    """
    if not isinstance(value, str) or not value.strip():
        findings.error(place, f"the text is {show_value(value)}; expected text with visible characters; leave it out")
        return None
    if not is_unicode(value):
        findings.error(place, f"the text {show_value(value)} holds half of a surrogate pair; correct it")
        return None
    if words is None:
        return running_text(value)
    try:
        return cut_into(value, words.split() if isinstance(words, str) else [str(word) for word in words])
    except (ValueError, TypeError) as error:
        findings.error(place, f"the words {show_value(words)} are not those of the text: {error}; correct them")
        return None


def without_spaces(texts: Iterable[Sentence], option: str) -> tuple[str, ...]:
    """A notice about texts without word boundaries; ``option`` names the column that could help."""
    if not any(is_unspaced(text.text) for text in texts):
        return ()
    told = (
        "The script of some texts has no spaces between words (Thai, Lao, Khmer, Burmese): a run of letters counts as "
        f"one word. If a column has the words, name it: FILE?{option}."
    )
    return (told,)


def on_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """A notice about labels that differ only in case, such as ``POSITIVE`` and ``positive``."""
    alike: dict[str, list[str]] = {}
    for label in sorted({*labels}):
        alike.setdefault(label.casefold(), []).append(label)
    doubled = [" and ".join(map(visible, each)) for each in alike.values() if len(each) > 1]
    if not doubled:
        return ()
    told = ", ".join(doubled)
    return (f"These labels differ only in letter case and count as different labels: {told}. Write them the same way.",)


def on_markup(texts: Iterable[str]) -> tuple[str, ...]:
    """A notice about texts with HTML tags, unless they are rare."""
    total = marked = 0
    example = ""
    for text in texts:
        total += 1
        if (found := _TAG.search(text)) is not None:
            marked += 1
            example = example or found[0]
    if marked < max(_FEWEST_MARKED, _SHARE_MARKED * total):
        return ()
    told = f"{marked:,} of {total:,} texts hold markup such as {example}, which is read and perturbed as words."
    return (f"{told} Remove it from the corpus if the model is not meant to see it.",)


def label_of(value: Any) -> str | None:
    """The name of a label, as in JSON; None if the value is no label."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return str(int(value))
    named = isinstance(value, str) and value.strip() != "" and value.strip().isprintable() and is_unicode(value)
    return value.strip() if named else None


def count_labels(golds: Iterable[Sequence[str]]) -> dict[str, int]:
    """The number of examples with each label, in alphabetical order."""
    return dict(sorted(Counter(label for gold in golds for label in gold).items()))
