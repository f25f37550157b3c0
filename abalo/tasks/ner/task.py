"""The named-entity task."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from abalo.bundled import CORPUS
from abalo.core.protocols.corpus_spec import CorpusKind, CorpusSpec
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.subject import Subject
from abalo.core.records.example import Example
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.plan import AnyBoundCase
from abalo.core.statistics.verdicts import Bound
from abalo.corpora import Corpus
from abalo.corpora import load as load_corpus
from abalo.corpora.findings import LENIENT
from abalo.corpora.loading import BUNDLED, SETTINGS, bundled_names
from abalo.corpora.peek import first_record, holds_entities, holds_texts_with_spans
from abalo.corpora.records import TAG_KEYS
from abalo.corpora.types import parse_types
from abalo.files import is_file
from abalo.models.labelling.prediction import Prediction
from abalo.tasks.ner.fitting import known_types
from abalo.tasks.ner.in_parts import EntitiesInParts
from abalo.tasks.ner.report import EntityReport
from abalo.tasks.ner.targets import EntityTargets
from abalo.tasks.ner.types import entities_held, entity_types
from abalo.tasks.ner.writers import WRITERS
from abalo.tasks.tokens.task import TokenModels, TokenTask
from abalo.tasks.tokens.templates import TokenTemplates
from perturbations import Perturbation, Span, entity_spans

_SUMS = "extra_sums"


class NamedEntities(TokenTask):
    """Named-entity recognition with BIO labels; type and both ends must be right."""

    name = "ner"
    title = "Named-entity recognition"
    metrics = Registry[Metric]("metric", "abalo.tasks.ner.metrics", "METRICS", several=True)
    floor = "f1"
    headline = "f1_drop_changed"
    probes = ("baseline", "perturbation", "pipeline", "slice", "attack", "invariance", "prompt")
    group_noun = "entity type"
    held_noun = "entities"
    default_corpus = CORPUS
    corpus_kind = CorpusKind(
        'columns that end in O or B-, I-, E-, S-, L-, U-, M- and a type; JSON with "tokens" and "tags", or with "text" '
        "and spans of start, end and label",
        SETTINGS,
    )
    models = TokenModels("fixtures/model", "the bundled model", known_types)
    labelled = "spans"
    templates = TokenTemplates("bio", group_noun, known_types)
    targets = EntityTargets()
    writers = WRITERS

    def read(self, spec: str, options: RunOptions) -> Corpus:
        asked = options.types
        types = None if asked is None else parse_types(asked)
        return load_corpus(spec, limit=options.limit, types=types)

    def in_parts(self, spec: str, options: RunOptions) -> EntitiesInParts:
        types = None if options.types is None else parse_types(options.types)
        return EntitiesInParts(spec, types)

    def recognises(self, spec: str) -> bool:
        asked = CorpusSpec.guess(spec, SETTINGS)
        file = asked.source
        if file.startswith(BUNDLED):
            return file.removeprefix(BUNDLED) in bundled_names()
        if {*asked.settings} - {LENIENT.name} and is_file(Path(file)):
            return True
        keys = first_record(file)
        tagged = "tokens" in keys and not keys.isdisjoint(TAG_KEYS)
        return tagged or holds_entities(file) or holds_texts_with_spans(file)

    def accepts(self, perturbation: Perturbation) -> bool:
        return perturbation.scheme in (None, "bio")

    def stated(self, example: Example, prediction: Prediction | None = None) -> tuple[Span, ...]:
        tags = example.sentence.tags if prediction is None else prediction.tags
        return tuple(entity_spans(tags or ()))

    groups = staticmethod(entity_types)
    held = staticmethod(entities_held)

    def check(self, cases: Iterable[AnyBoundCase], subject: Subject) -> Iterable[tuple[AnyBoundCase, Bound, str]]:
        for case, bound, problem in super().check(cases, subject):
            if bound.type in subject.corpus.left_out:
                problem = f"the entity type {bound.type!r} is left out by --abalo-types; remove the bound, or judge it"
            yield case, bound, problem

    @cached_property
    def report(self) -> EntityReport:
        return EntityReport(self, self.models.name)


TASK = NamedEntities()
