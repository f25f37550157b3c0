"""Slice of unseen entities."""

from __future__ import annotations

from functools import partial

from abalo.corpora import Corpus
from abalo.corpora.training import corpus_name, load_named
from abalo.slices.slice import Cut, Slice
from abalo.slices.training import Trained
from perturbations import Sentence, entity_spans

Words = tuple[str, ...]


def cut(_corpus: Corpus, settings: Trained) -> Cut:
    """Sentences with an entity that the training corpus lacks, as any type, in the same letter case.

    [Unseen forms: I. Augenstein et al., Generalisation in named entity recognition, 2017]
    """
    training = load_named(settings.training)
    seen = frozenset(entity for sentence in training.sentences for entity in _entities(sentence))
    return Cut(partial(_holds, seen=seen), f"sentences with an entity that {corpus_name(training)} does not contain")


def _holds(sentence: Sentence, seen: frozenset[Words]) -> bool:
    return not seen.issuperset(_entities(sentence))


def _entities(sentence: Sentence) -> list[Words]:
    return [sentence.tokens[span.start : span.stop] for span in entity_spans(sentence.tags or ())]


SLICE = Slice(
    "unseen_entities", Trained, cut, needs=("training",), of_entities=True, title="Entities not in the training data"
)
