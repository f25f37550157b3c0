"""The parts of reading that corpora of labelled texts share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from abalo.corpora.encodings import is_unicode
from abalo.corpora.findings import Findings, shown
from abalo.corpora.hub import PREFIX, HubName, is_saved_to_disk, parse_hub_name
from abalo.corpora.loading import BUNDLED, shipped
from abalo.corpora.running_text import cut_into, is_unspaced, running_text
from perturbations import Sentence


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


def label_of(value: Any) -> str | None:
    """The name of a label; None where the value is none. Truth values and whole numbers are names as JSON has them."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    named = isinstance(value, str) and value.strip() != "" and value.strip().isprintable() and is_unicode(value)
    return value.strip() if named else None


def counted(golds: Iterable[Sequence[str]]) -> dict[str, int]:
    """How many examples have each label, by label in alphabetical order; ``golds`` are the labels of each example."""
    return dict(sorted(Counter(label for gold in golds for label in gold).items()))
