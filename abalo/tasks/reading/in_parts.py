"""Question corpora, read in parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from abalo.core.documents.parts import Source
from abalo.corpora.chunks import Chunk
from abalo.corpora.in_parts import FileInParts
from abalo.corpora.running_text import running_text
from abalo.models.questions.scoring import Rules
from abalo.tasks.reading.corpus import Questions, corpus_of, parse_spec, read
from abalo.tasks.reading.example import QuestionFacts, example_of
from abalo.tasks.reading.metrics.answers import groups_of
from perturbations import Perturbation

_RULES, _DROPPABLE = "rules", "droppable"


class QuestionsInParts(FileInParts[Questions]):
    """JSON lines; the first part decides how answers are scored, unless the spec does."""

    def __init__(self, spec: str) -> None:
        self._asked = parse_spec(spec)
        super().__init__(spec, self._asked.source, ("lines", "rows"))

    def parsed(self, chunk: Chunk, settled: Mapping[str, Any]) -> Questions:
        asked = type(self._asked)(chunk, self._asked.normalisation, self._asked.no_answer)
        rules = Rules(*settled[_RULES]) if settled else None
        findings = chunk.findings(self.spec)
        return read(asked, findings, rules, settled.get(_DROPPABLE))

    def settled_by(self, corpus: Questions) -> Mapping[str, object]:
        droppable = any(each.source.droppable for each in corpus.questions)
        return {_RULES: [corpus.rules.normalisation, corpus.rules.impossible], _DROPPABLE: droppable}

    def labels_of(self, corpus: Questions) -> Iterable[str]:
        return (group for each in corpus.questions for group in groups_of(each))

    def labels_alone(self, source: Source) -> Questions:
        rules = Rules(*source.settled[_RULES])
        made = example_of(running_text("x"), running_text("x"), (), QuestionFacts("", rules))
        return corpus_of(source.name, [made], rules)

    def groups(self, source: Source) -> Sequence[str]:
        return source.labels

    def hindrance(self, member: Perturbation) -> str | None:
        return "it takes passages of all of the corpus" if "passages" in member.params else None
