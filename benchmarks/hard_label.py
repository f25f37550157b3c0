"""Attacks on the bundled models by answers alone, beside the same attacks with scores at four times the calls.

    python -m benchmarks.hard_label [BUDGET]

Candidates and constraints of a recipe are the same in both rows. ``words`` are those changed in a success, over those
that may be replaced. Aim: answers alone break at least half as many targets. Takes about 4 CPU minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from abalo import Session
from abalo.core.documents.found import certain
from abalo.run.opened import Opened
from benchmarks.arguments import Parser
from benchmarks.results import Aim, show

ATTACKED = (
    ("classification", "deepwordbug", 200),
    ("classification", "textbugger", 200),
    ("ner", "textbugger", 20),
)
TIMES = 4


class AnswersAlone:
    """A model without its scores."""

    draws = False

    def __init__(self, model: Any) -> None:
        self._model = model
        self.fingerprint = f"{model.fingerprint}, answers alone"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def predict(self, inputs: Sequence[Any]) -> list[Any]:
        """The predictions of the model, without scores."""
        found = self._model.predict(inputs)
        if found and hasattr(found[0], "probabilities"):
            return [replace(each, probabilities=None, names=()) for each in found]
        return [replace(each, scores=None) for each in found]


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("5", "--sample", "2", "--limit", "8"))
    parser.add_argument("budget", type=int, nargs="?", default=50, help="calls a target; default: %(default)s")
    parser.add_argument("--sample", type=int, help="texts of each attack; default: 200, sentences 20")
    parser.add_limit()
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Attacks each model by each recipe."""
    options = parser().parse_args(given)
    budget, limit = options.budget, options.limit
    rows = []
    for task, recipe, usual in ATTACKED:
        sample = options.sample or usual
        alone = _attacked(task, recipe, sample, budget, limit, scores=False)
        scored = _attacked(task, recipe, sample, TIMES * budget, limit, scores=True)
        row = {
            "attack": f"{task}, {recipe}",
            **alone,
            **{f"{name}, with scores": each for name, each in scored.items()},
        }
        rows.append({**row, "ratio": round(alone["broken"] / scored["broken"], 2) if scored["broken"] else ""})
        print(rows[-1], file=sys.stderr, flush=True)
    show("hard_label", rows, [Aim("ratio", 0.5)])


def _attacked(task: str, recipe: str, sample: int, budget: int, limit: int | None, *, scores: bool) -> dict[str, float]:
    session = Session(task, seeds=[1], limit=limit)
    if not scores:
        opened = session.prepared.opened
        session = Session.of(Opened(opened.spec, session.corpus, [AnswersAlone(session.model)]))
    settings = {} if scores else {"search": "hard_label"}
    found = session.judge(recipe, sample=sample, budget=budget, **settings)
    metrics, targets = found.results[0].metrics, len(found.evidence)
    values = {
        name: 0.0 if metrics[key] is None else certain(metrics[key]).value or 0.0
        for name, key in (("broken", "success_rate"), ("words", "words_perturbed"))
    }
    return {
        **{name: round(value, 3) for name, value in values.items()},
        "calls": round(found.evidence.notes["queries"] / max(1, targets), 1),
    }


if __name__ == "__main__":
    main()
