"""Aspect corpora, read in parts."""

from __future__ import annotations

from collections.abc import Mapping

from abalo.core.documents.parts import Source
from abalo.errors import AbaloError
from abalo.tasks.aspects.corpus import Aspects
from abalo.tasks.aspects.sentences import Aspect, tag_sentence
from abalo.tasks.labels.corpus import CorpusReader
from abalo.tasks.labels.in_parts import LabelsInParts
from perturbations import sentence_id


class AspectsInParts(LabelsInParts[Aspects]):
    """Records of a sentence with all its aspects. A sentence in two parts raises AbaloError."""

    def __init__(self, reader: CorpusReader[Aspects], spec: str) -> None:
        super().__init__(reader, spec)
        self._seen: set[int] = set()

    def settled_by(self, corpus: Aspects) -> Mapping[str, object]:
        return {}

    def taken(self, corpus: Aspects) -> None:
        own = {sentence_id(sentence): sentence for sentence in corpus.sentences}
        again = next((sentence for key, sentence in own.items() if int(key, 16) in self._seen), None)
        if again is not None:
            raise AbaloError(
                f"{self.spec}: the sentence {again.text[:80]!r} stands in two parts; expected each sentence once, with "
                "all its aspects in one 'term_list'; join its lines"
            )
        self._seen.update(int(key, 16) for key in own)

    def labels_alone(self, source: Source) -> Aspects:
        aspects = [Aspect(0, 1, polarity) for polarity in source.labels]
        return Aspects(source.name, tuple(tag_sentence("x", [each], each) for each in aspects), scheme="aspects")
