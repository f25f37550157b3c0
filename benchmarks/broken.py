"""The verdict of the gate on ten broken models, against the bundled one.

Each changes what the bundled model predicts, but for the gazetteer, which knows the entities of the corpus by heart.
Each must regress where it is worse; the gazetteer is better on clean text, and worse once names are swapped or
misspelt.

    python -m benchmarks.broken
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np

from abalo import Session
from abalo.comparison.test.comparison import compare_task
from abalo.comparison.test.family import Runs
from abalo.core.protocols.probe import Case
from abalo.core.running.engine import Engine
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.losses import Loss
from abalo.models.labelling.prediction import Prediction
from abalo.tasks.ner.task import TASK
from benchmarks.arguments import Parser
from benchmarks.results import show
from perturbations import Sentence, Span, entity_spans

NAMES = ("accents", "typos", "ent_typos", "swap_ent_oov")
"""The cases that are compared, besides the clean corpus."""

Break = Callable[[Sentence, Sequence[Span]], Sequence[Span]]
"""The entities that a broken model finds in a sentence in which the bundled one finds these."""


class Broken:
    """The bundled model with its entities changed."""

    reads_text = False

    def __init__(self, name: str, model: Any, change: Break) -> None:
        self.name = self.fingerprint = name
        self.labels, self.device, self.settings = model.labels, model.device, model.settings
        self.mask_token = model.mask_token
        self._model, self._change = model, change

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        """The labels of the changed entities, without scores."""
        predictions = self._model.predict(sentences)
        return [
            Prediction(_tags(len(sentence), self._change(sentence, entity_spans(found.tags))), inputs=found.inputs)
            for sentence, found in zip(sentences, predictions, strict=True)
        ]


def _tags(length: int, spans: Sequence[Span]) -> tuple[str, ...]:
    tags = ["O"] * length
    for span in spans:
        if all(tag == "O" for tag in tags[span.start : span.stop]):
            tags[span.start : span.stop] = [f"B-{span.type}", *[f"I-{span.type}"] * (span.stop - span.start - 1)]
    return tuple(tags)


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--limit", "4"))
    parser.add_limit()
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Compares each broken model with the bundled one, and shows what is named first."""
    session = Session("ner", limit=parser().parse_args(given).limit)
    cases = [case for case in session.cases() if case.name in NAMES]
    reference = _evidence(session.prepared.engine, cases)
    rows = []
    for name, change in broken_models(session).items():
        engine = Engine(
            TASK,
            session.corpus,
            Broken(name, session.model, change),
            session.gate,
            options=session.prepared.engine.options,
        )
        found = compare_task(TASK, cases, Runs(_evidence(engine, cases), reference), session.gate, date.today())
        worst = sorted((loss for loss in found.all if loss.state == "regressed"), key=lambda loss: -loss.loss.value)
        rows.append(
            {
                "model": name,
                "baseline": f"{found.baseline.new:.3f} ({found.baseline.state})",
                "cases regressed": sum(loss.group is None for loss in worst if loss.case not in ("", "ner/baseline")),
                "of": len(cases),
                "types regressed": sum(loss.group is not None for loss in worst),
                "largest": "; ".join(map(_named, worst[:2])),
                "state": found.state,
            }
        )
    show("broken", rows)


def _named(loss: Loss) -> str:
    return f"{loss.case or 'mean'}{'' if loss.group is None else ' ' + loss.group} {loss.loss.value:.3f}"


def _evidence(engine: Engine, cases: Sequence[Case]) -> dict[str, Evidence]:
    clean = engine.baseline()
    return {case.id: engine.run(case).evidence for case in (clean, *cases)}


def broken_models(session: Session) -> Mapping[str, Break]:
    """By name, how each model changes the entities that the bundled one finds."""
    generator = np.random.Generator(np.random.PCG64(1))
    gold = {
        tuple(sentence.tokens[span.start : span.stop]): span.type
        for sentence in session.corpus.sentences
        for span in entity_spans(sentence.tags or ())
    }
    longest = max(map(len, gold))
    kinds = sorted(set(gold.values()))
    return {
        "all O": lambda _sentence, _spans: (),
        "constant": lambda sentence, _spans: [Span(i, i + 1, kinds[0]) for i in range(len(sentence))],
        "random": lambda sentence, _spans: [
            Span(i, i + 1, kinds[int(generator.integers(len(kinds)))])
            for i in range(len(sentence))
            if generator.random() < 0.2
        ],
        "one type": lambda _sentence, spans: [span for span in spans if span.type == "PESSOA"],
        "first token": lambda _sentence, spans: [Span(span.start, span.start + 1, span.type) for span in spans],
        "off by one": lambda sentence, spans: [
            Span(span.start + 1, min(span.stop + 1, len(sentence)), span.type)
            for span in spans
            if span.start + 1 < len(sentence)
        ],
        "cross type": lambda _sentence, spans: [
            Span(span.start, span.stop, kinds[(kinds.index(span.type) + 1) % len(kinds)]) for span in spans
        ],
        "every second entity": lambda _sentence, spans: spans[::2],
        "gazetteer": lambda sentence, _spans: _known(sentence, gold, longest),
        "one type dropped": lambda _sentence, spans: [span for span in spans if span.type != "LOCAL"],
    }


def _known(sentence: Sentence, gold: Mapping[tuple[str, ...], str], longest: int) -> list[Span]:
    """The longest known entities from left to right."""
    found: list[Span] = []
    start = 0
    while start < len(sentence):
        for stop in range(min(len(sentence), start + longest), start, -1):
            kind = gold.get(tuple(sentence.tokens[start:stop]))
            if kind is not None:
                found.append(Span(start, stop, kind))
                start = stop
                break
        else:
            start += 1
    return found


if __name__ == "__main__":
    main()
