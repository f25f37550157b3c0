"""The parts of the document about a model that labels tokens, and about its corpus."""

from __future__ import annotations

from abalo.core.example import Json
from abalo.core.session import Session


def model_facts(session: Session, *, bundled: bool) -> Json:
    """Name, labels, settings, and how its scores are read."""
    model, scale = session.model, session.predictor.scale()
    return {
        "name": session.task.shipped if bundled else model.name,
        "fingerprint": model.fingerprint,
        "labels": list(model.labels),
        "settings": dict(model.settings),
        "wordless": sum(prediction.wordless for prediction in session.predictor.clean()),
        "temperature": None if scale is None else scale.temperature,
        "temperature_at_limit": None if scale is None else scale.at_limit,
    }


def corpus_facts(session: Session) -> Json:
    """Name, digest, sizes, and the scheme of its labels."""
    corpus = session.corpus
    sentences = [example.sentence for example in session.examples]
    return {
        "name": corpus.name,
        "sha256": corpus.sha256,
        "sentences": len(sentences),
        "distinct": len({example.id for example in session.examples}),
        "tokens": sum(map(len, sentences)),
        "scheme": corpus.scheme,
        "repairs": corpus.repairs,
        "limit": getattr(session.options, "limit", None),
    }
