"""Filled templates of relations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from abalo.core.records.example import Example
from abalo.core.records.filling import Filled, Filling
from abalo.corpora.examples import TEXT
from abalo.corpora.findings import Findings
from abalo.corpora.running_text import replace_all
from abalo.models.classifiers.two_spans import read_input
from abalo.models.labelling.classified import Classified
from abalo.tasks.labels.examples import in_words
from abalo.tasks.labels.templates import LabelTemplates
from abalo.tasks.relations.corpus import example_of
from abalo.tasks.relations.report import bracketed
from abalo.tasks.relations.sentences import ROLES, as_input, sentence_of

LABEL = "label"

FIELDS: Mapping[str, str] = {
    TEXT: "the sentence",
    "subject": "the subject, as it is written in the sentence",
    "object": "the object, as it is written in the sentence",
    LABEL: "their relation",
}

_SPACE = re.compile(r"\s+")


def _example(given: Mapping[str, str], label: str | None) -> Example:
    record: dict[str, Any] = {TEXT: given[TEXT]}
    for role in ROLES:
        places = [each.start() for each in re.finditer(rf"(?<!\w){re.escape(given[role])}(?!\w)", given[TEXT])]
        if len(places) != 1 or not given[role]:
            told = f"stands {len(places)} times in {given[TEXT]!r}; expected once, as whole words"
            raise ValueError(f"the {role} {given[role]!r} {told}")
        record[role] = [places[0], places[0] + len(given[role])]
    sentence = sentence_of(record, 1, Findings("", lenient=False))
    if sentence is None:
        raise ValueError(f"expected a {TEXT} with visible characters")
    return example_of(sentence, label)


class RelationTemplates(LabelTemplates):
    """Templates of relations. Raises ValueError unless each span occurs once."""

    fields = FIELDS
    gold = LABEL

    def written(self, filled: Mapping[str, Filled | Sequence[Filled]], corpus: Any) -> Filling:
        plain: dict[str, str] = {}
        for name, each in filled.items():
            if not isinstance(each, Filled):
                raise ValueError(f"{name} is a list; expected one text")  # noqa: TRY004 - what the user wrote
            plain[name] = _SPACE.sub(" ", each.plain).strip()
        if missing := [name for name in (TEXT, *ROLES) if name not in plain]:
            raise ValueError(f"no {missing[0]}; expected {missing[0]}: {FIELDS[missing[0]]}")
        return Filling(_example(plain, plain.get(LABEL)))

    def swapped(self, example: Example, key: str, old: str, new: str) -> Iterator[tuple[Filling, Filling]]:
        marked = read_input(as_input(example.sentence))
        words = marked.words(marked.subject), marked.words(marked.object)
        texts = {TEXT: example.sentence.text, **dict(zip(ROLES, words, strict=True))}
        made = {name: replace_all(text, Filled(old).plain, Filled(new).plain) for name, text in texts.items()}
        if made[TEXT] is None:
            return
        try:
            other = _example({name: made[name] or text for name, text in texts.items()}, example.gold[0])
        except ValueError:
            return
        yield Filling(example), Filling(other)

    def said(self, example: Example, prediction: Classified | None = None) -> str:
        labels = example.gold if prediction is None else prediction.labels
        return bracketed(example.sentence).text + ("" if labels is None else f" ({in_words(labels)})")
