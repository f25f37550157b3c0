"""Attacks in lock step against the order of work of published code. Aim: 3 × less time, 10 × fewer forward calls.

    python -m benchmarks.attacks [--data corpus.conll] [--sentences 50] [--synonyms lexicon:near_synonyms_pt]

That code takes one entity at a time. For each it deletes every word outside entities, then tries one word after the
other: its candidates in batches of 32 with the sentence itself before them, every row padded to 128 pieces, and only
then their similarity, pair by pair; nothing is predicted only once. Here it has the same searches and the same model.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor
from torch.nn import Module
from torch.nn.functional import pad

from abalo.attacks import attacks
from abalo.attacks.attack import Aims, Attack, Settings
from abalo.attacks.campaign import GROUP, shown_to
from abalo.attacks.constraints import Constraints
from abalo.attacks.search import Ended, lock_step
from abalo.bundled import bundled
from abalo.core.example import Variant
from abalo.corpora import Corpus
from abalo.corpora import load as load_corpus
from abalo.corpora.examples import example_of
from abalo.models.hugging_face import HuggingFaceModel
from abalo.models.loading import load as load_model
from abalo.models.prediction import Prediction
from abalo.models.predictor import TokenPredictor
from abalo.sources.loading import load_similarity
from abalo.tasks.ner.targets import Entity, entities
from abalo.tasks.ner.task import TASK
from benchmarks.results import show
from perturbations import Edit, Perturbed, Sentence, apply

LENER_BR = Path(__file__).parents[2] / "shared" / "data" / "lener-br" / "dev.conll"

AT_ONCE = 32
WIDTH = 128
"""Sentences in a batch and pieces in a row of the published code."""


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """Everything that both ways of working share."""

    attack: Attack[Any]
    settings: Settings
    corpus: Corpus
    model: HuggingFaceModel
    targets: Sequence[Entity]

    def searches(self) -> Sequence[Any]:
        """Fresh ones: a search can be run only once."""
        return self.attack.plan(Aims(self.targets, self.corpus, 1), self.settings).searches


def main() -> None:
    """Runs both ways, checks that they come to the same, and shows what each cost."""
    arguments = _arguments()
    model = load_model(str(bundled("fixtures/model")), device=arguments.device)
    assert isinstance(model, HuggingFaceModel)
    corpus = _distinct(load_corpus(arguments.data), arguments.sentences)
    clean = model.predict(corpus.sentences)
    targets = [
        target
        for sentence, prediction in zip(corpus.sentences, clean, strict=True)
        for target in entities(example_of(sentence), prediction, model.labels)
        if target.right
    ]
    calls = _counted(model)
    rows = []
    for name, params in (("context_attack", {"synonyms": arguments.synonyms}), ("entity_attack", {})):
        attack = attacks()[name]
        work = Work(attack, attack.configured(**params), corpus, model, targets)
        ways = {"one by one": _one_by_one, "lock step": _in_lock_step}
        measured = {way: _measured(run, work, calls) for way, run in ways.items()}
        slow, fast = measured["one by one"], measured["lock step"]
        assert _outline(slow[0]) == _outline(fast[0]), f"{name}: the two ways found different things"
        rows += [
            {
                "attack": name,
                "way": way,
                "targets": len(targets),
                "queries": sum(end.queries for end in ended),
                "forward calls": forwards,
                "seconds": round(seconds, 2),
                "calls ×": round(slow[1] / forwards, 1),
                "faster ×": round(slow[2] / seconds, 1),
            }
            for way, (ended, forwards, seconds) in measured.items()
        ]
    show("attacks", rows)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.attacks", description=(__doc__ or "").partition("\n")[0]
    )
    known = str(LENER_BR) if LENER_BR.exists() else "bundled:legal-pt"
    parser.add_argument("--data", default=known, help="a corpus, by default LeNER-Br where it is, else the bundled one")
    parser.add_argument("--sentences", type=int, default=50, help="how many distinct ones (default: 50)")
    parser.add_argument("--synonyms", default="lexicon:near_synonyms_pt", help="their source (default: %(default)s)")
    parser.add_argument("--device", default="cpu", help="where the model runs (default: %(default)s)")
    return parser.parse_args()


def _distinct(corpus: Corpus, count: int) -> Corpus:
    """The first so many distinct sentences with an entity."""
    found = {sentence.tokens: sentence for sentence in reversed(corpus.sentences) if set(sentence.tags or ()) > {"O"}}
    return Corpus(corpus.name, tuple(reversed(found.values()))[:count])


def _counted(model: Any) -> list[int]:
    """A list that grows by one with every forward call of the network."""
    calls: list[int] = []
    model.network.register_forward_pre_hook(lambda *_: calls.append(1))
    return calls


def _measured(run: Callable[[Work], list[Ended]], work: Work, calls: list[int]) -> tuple[list[Ended], int, float]:
    calls.clear()
    started = time.perf_counter()
    ended = run(work)
    return ended, len(calls), time.perf_counter() - started


def _in_lock_step(work: Work) -> list[Ended]:
    predictor = TokenPredictor(work.model, work.corpus.sentences)
    sift = Constraints(load_similarity(work.settings.similarity, work.corpus.sentences), work.settings.least_similarity)
    searches = work.searches()
    ended: list[Ended] = []
    for start in range(0, len(searches), GROUP):
        predict = shown_to(TASK, predictor.answering())
        ended += lock_step(searches[start : start + GROUP], predict, sift, work.settings.budget)
    return ended


def _one_by_one(work: Work) -> list[Ended]:
    sift = Constraints(load_similarity(work.settings.similarity, work.corpus.sentences), work.settings.least_similarity)

    def in_batches(sentences: Sequence[Sentence]) -> list[Prediction]:
        batches = (sentences[start : start + AT_ONCE] for start in range(0, len(sentences), AT_ONCE))
        return [prediction for batch in batches for prediction in work.model.predict(batch)]

    def one(search: Any, target: Entity) -> Ended:
        first, seen = target.sentence, dict[Sentence, Prediction]()
        without = [apply(first, [Edit(i, i + 1, ())]).sentence for i, tag in enumerate(first.tags or ()) if tag == "O"]

        def forward(sentences: Sequence[Sentence]) -> None:
            seen.update(zip([first, *sentences], in_batches([first, *sentences]), strict=True))

        def judged(pairs: Sequence[tuple[Sentence, Perturbed]]) -> list[float | None]:
            forward([made.sentence for _, made in pairs])
            return [found for pair in pairs for found in sift([pair])]

        def predict(asked: Sequence[Variant]) -> list[Prediction]:
            if not seen:
                forward(without)
            return [seen[variant.example.sentence] for variant in asked]

        return lock_step([search], predict, judged, work.settings.budget)[0]

    narrow = work.model.network
    work.model.network = Wide(narrow)
    ended = [one(search, target) for search, target in zip(work.searches(), work.targets, strict=True)]
    work.model.network = narrow
    return ended


class Wide(Module):
    """A network that is given rows as wide as the published code makes them."""

    def __init__(self, network: Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, **rows: Tensor) -> Any:
        """The output of the network for the rows, without the added columns."""
        width = rows["input_ids"].shape[1]
        found = self.network(**{name: pad(values, (0, max(0, WIDTH - width))) for name, values in rows.items()})
        found.logits = found.logits[:, :width]
        return found


def _outline(ended: Sequence[Ended]) -> list[object]:
    return [
        (end.queries, end.found.perturbed.edits if end.found.perturbed else (), end.found.prediction.tags)
        for end in ended
    ]


if __name__ == "__main__":
    main()
