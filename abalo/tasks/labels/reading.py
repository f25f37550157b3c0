"""The parts of reading that corpora of labelled texts share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from abalo.corpora.encodings import is_unicode
from abalo.corpora.findings import Findings, shown
from abalo.corpora.hub import PREFIX, HubName, is_saved_to_disk, parse_hub_name
from abalo.corpora.loading import BUNDLED, shipped
from abalo.corpora.running_text import cut_into, is_unspaced, running_text
from abalo.errors import visible
from perturbations import Sentence

_TAG = re.compile(r"</?(?:br|p|b|i|em|strong|a|div|span|ul|li|img|h[1-6])\b[^<>]{0,200}>", re.IGNORECASE)
_FEWEST_MARKED = 2
_SHARE_MARKED = 0.01


def source_of(name: str, files: Mapping[str, Path]) -> Path | HubName:
    """The file or data set that a name stands for; ``files`` are those that ship, by the name after ``bundled:``."""
    if name.startswith(PREFIX):
        return parse_hub_name(name)
    if is_saved_to_disk(name):
        return HubName(name, None, None, None)
    return shipped(name, files) if name.startswith(BUNDLED) else Path(name)


def sentence_of(value: Any, place: int, findings: Findings, words: Any = None) -> Sentence | None:
    """The text as a sentence; None, and one problem more, where there is none. Half a surrogate pair is a problem.

    ``words`` are those of the text, as a list or with spaces between them; None where nobody tells.
    """
    if not isinstance(value, str) or not value.strip():
        findings.error(place, f"the text is {shown(value)}; expected text with visible characters; leave it out")
        return None
    if not is_unicode(value):
        findings.error(place, f"the text {shown(value)} holds half of a surrogate pair; correct it")
        return None
    if words is None:
        return running_text(value)
    try:
        return cut_into(value, words.split() if isinstance(words, str) else [str(word) for word in words])
    except (ValueError, TypeError) as error:
        findings.error(place, f"the words {shown(words)} are not those of the text: {error}; correct them")
        return None


def without_spaces(texts: Iterable[Sentence], option: str) -> tuple[str, ...]:
    """A notice about texts whose script does not show where words end; none if there are none.

    ``option`` names the column that would tell.
    """
    if not any(is_unspaced(text.text) for text in texts):
        return ()
    told = (
        "The script of some texts has no spaces between words (Thai, Lao, Khmer, Burmese): a run of letters counts as "
        f"one word. If a column has the words, name it: FILE?{option}."
    )
    return (told,)


def on_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """A notice about labels that differ in letter case alone, as ``POSITIVE`` and ``positive`` do; none without any."""
    alike: dict[str, list[str]] = {}
    for label in sorted({*labels}):
        alike.setdefault(label.casefold(), []).append(label)
    doubled = [" and ".join(map(visible, each)) for each in alike.values() if len(each) > 1]
    if not doubled:
        return ()
    told = ", ".join(doubled)
    return (f"These labels differ in letter case alone and count as different ones: {told}. Write them alike.",)


def on_markup(texts: Iterable[str]) -> tuple[str, ...]:
    """A notice about texts with tags of HTML, whose letters are words to every case; none if hardly any has some."""
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
    """The name of a label; None where the value is none. Truth values and whole numbers are names as JSON has them."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return str(int(value))
    named = isinstance(value, str) and value.strip() != "" and value.strip().isprintable() and is_unicode(value)
    return value.strip() if named else None


def counted(golds: Iterable[Sequence[str]]) -> dict[str, int]:
    """How many examples have each label, by label in alphabetical order; ``golds`` are the labels of each example."""
    return dict(sorted(Counter(label for gold in golds for label in gold).items()))
