"""Corpora of sentences with aspects, read part after part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from abalo.core.parts import Source
from abalo.corpora.stretches import Stretch
from abalo.corpora.xml_text import ENDING
from abalo.errors import AbaloError
from abalo.tasks.aspects.corpus import Aspects, bundled_names, read_aspects
from abalo.tasks.aspects.sentences import Aspect, tagged
from abalo.tasks.labels.in_parts import LabelsInParts
from abalo.tasks.labels.reading import source_of
from perturbations import sentence_id


class AspectsInParts(LabelsInParts[Aspects]):
    """JSON lines or Parquet, each record a sentence with all its aspects."""

    kinds = ("lines", "rows")

    def __init__(self, spec: str, *, lenient: bool) -> None:
        source = source_of(spec, bundled_names())
        if isinstance(source, Path) and source.name.lower().endswith(ENDING):
            raise AbaloError(f"{spec}: is XML, which cannot be read in parts; write it as JSON lines")
        super().__init__(spec, source, lenient=lenient)
        self._seen: set[int] = set()

    def parsed(self, stretch: Stretch, settled: Mapping[str, Any]) -> Aspects:
        """The aspects of a stretch."""
        return read_aspects(stretch, stretch.findings(self.spec, lenient=self.lenient))

    def taken(self, corpus: Aspects) -> None:
        """Raises `AbaloError` for a sentence that stands in two parts, since its aspects belong together."""
        own = {sentence_id(sentence): sentence for sentence in corpus.sentences}
        again = next((sentence for key, sentence in own.items() if int(key, 16) in self._seen), None)
        if again is not None:
            raise AbaloError(
                f"{self.spec}: the sentence {again.text[:80]!r} stands in two parts; expected each sentence once, with "
                "all its aspects in one 'term_list'; join its lines"
            )
        self._seen.update(int(key, 16) for key in own)

    def labels_of(self, corpus: Aspects) -> Iterable[str]:
        """The polarities."""
        return corpus.label_counts

    def labels_alone(self, source: Source) -> Aspects:
        """A sentence for every polarity."""
        aspects = [Aspect(0, 1, polarity) for polarity in source.labels]
        return Aspects(source.name, tuple(tagged("x", [each], each) for each in aspects), scheme="aspects")
