"""Attacks in lock step against the order of work of published code.

    python -m benchmarks.attacks [--data corpus.conll] [--sentences 50] [--targets 150] [--only entity_attack]
        [--budget 4096]

Aims: the context attack in a tenth of the forward calls and a fifth of the time, the entity attack in half the time.
Time is CPU time, so that other work on the machine changes little.
"All at once" is lock step without the rule that the entity attack asks about the most similar candidates first, and
stops at one that breaks the model. All ways find the same.

The published code takes one entity at a time. For each it deletes every word outside entities, then tries one word
after the other: its candidates in batches of 32 with the sentence itself before them, every row padded to 128 pieces,
and only then their similarity, pair by pair; nothing is predicted only once. Here it has the same searches and the same
model.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from torch import Tensor
from torch.nn import Module
from torch.nn.functional import pad

from abalo.attacks import attacks
from abalo.attacks.attack import Aims, Attack, AttackSettings
from abalo.attacks.campaign import BLOCK, predictor_for
from abalo.attacks.constraints import Constraints
from abalo.attacks.search import Ended, Refusal, Search, lock_step
from abalo.bundled import bundled_path
from abalo.core.records.example import Variant
from abalo.corpora import Corpus
from abalo.corpora import load as load_corpus
from abalo.corpora.examples import example_of
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.hugging_face import HuggingFaceModel
from abalo.models.tokens.loading import load as load_model
from abalo.models.tokens.predictor import TokenPredictor
from abalo.sources.loading import load_similarity
from abalo.tasks.ner.targets import GoldEntity, entities
from abalo.tasks.ner.task import TASK
from benchmarks.arguments import Parser
from benchmarks.results import Aim, show
from perturbations import Edit, Perturbed, Sentence, apply

LENER_BR = Path(__file__).parents[2] / "shared" / "data" / "lener-br" / "dev.conll"

AT_ONCE = 32
WIDTH = 128
"""Sentences in a batch and pieces in a row of the published code."""


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """Everything that both ways of working share."""

    attack: Attack[Any]
    settings: AttackSettings
    corpus: Corpus
    model: HuggingFaceModel
    targets: Sequence[GoldEntity]

    def searches(self) -> Sequence[Search]:
        """Fresh ones: a search can be run only once."""
        return self.attack.start(Aims(self.targets, self.corpus, 1), self.settings).searches

    def exhaustive(self) -> Sequence[Search]:
        """The same, asking about all candidates of a step at once."""
        return [_at_once(search) for search in self.searches()]


def _at_once(search: Search) -> Search:
    try:
        ask = next(search)
        while True:
            ask = search.send((yield replace(ask, enough=None)))
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


AIMS = {"context_attack": (10, 5), "entity_attack": (1, 2)}
"""How many times fewer calls, and how many times faster, lock step should be."""


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--data", "bundled:legal-pt", "--sentences", "3", "--targets", "1"))
    known = str(LENER_BR) if LENER_BR.exists() else "bundled:legal-pt"
    parser.add_argument("--data", default=known, help="a corpus, by default LeNER-Br where it is, else the bundled one")
    parser.add_argument("--sentences", type=int, default=50, help="how many distinct ones (default: 50)")
    parser.add_argument("--targets", type=int, default=150, help="the most entities (default: %(default)s)")
    parser.add_argument("--budget", type=int, help="padded pieces in a forward call (default: that of the device)")
    parser.add_argument("--synonyms", default="lexicon:near_synonyms_pt", help="their source (default: %(default)s)")
    parser.add_argument("--only", choices=list(AIMS), help="one attack (default: both)")
    parser.add_argument("--device", default="cpu", help="where the model runs (default: %(default)s)")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Runs both ways, checks that they come to the same, and shows what each cost."""
    arguments = parser().parse_args(given)
    model = load_model(str(bundled_path("fixtures/model")), device=arguments.device)
    assert isinstance(model, HuggingFaceModel)
    model.budget = arguments.budget or model.budget
    corpus = _distinct(load_corpus(arguments.data), arguments.sentences)
    clean = model.predict(corpus.sentences)
    targets = [
        target
        for sentence, prediction in zip(corpus.sentences, clean, strict=True)
        for target in entities(example_of(sentence), prediction, model.labels)
        if target.right
    ][: arguments.targets]
    calls = _counted(model)
    rows = []
    for name, params in (("context_attack", {"synonyms": arguments.synonyms}), ("entity_attack", {})):
        if arguments.only not in (None, name):
            continue
        attack = attacks()[name]
        work = Work(attack, attack.configured(**params), corpus, model, targets)
        ways: dict[str, Callable[[Work], list[Ended]]] = {
            "one by one": _one_by_one,
            "all at once": lambda work: _in_lock_step(work, work.exhaustive()),
            "lock step": lambda work: _in_lock_step(work, work.searches()),
        }
        if name == "context_attack":
            del ways["all at once"]
        measured = {way: _measured(run, work, calls) for way, run in ways.items()}
        slow = measured["one by one"]
        for way, (ended, *_) in measured.items():
            assert _outline(slow[0]) == _outline(ended), f"{name}: {way} found something else"
        calls_aim, time_aim = AIMS[name]
        rows += [
            {
                "attack": name,
                "way": way,
                "targets": len(targets),
                "queries": sum(end.queries for end in ended),
                "forward calls": forwards,
                "CPU seconds": round(seconds, 2),
                "of which network": round(network, 2),
                "calls ×": round(slow[1] / forwards, 1),
                "faster ×": round(slow[2] / seconds, 1),
                "aims ×": f"{calls_aim} and {time_aim}" if way == "lock step" else "",
                "calls, of the aim": round(slow[1] / forwards / calls_aim, 2) if way == "lock step" else "",
                "time, of the aim": round(slow[2] / seconds / time_aim, 2) if way == "lock step" else "",
            }
            for way, (ended, forwards, seconds, network) in measured.items()
        ]
    show("attacks", rows, [Aim("calls, of the aim", 1), Aim("time, of the aim", 1)])


def _distinct(corpus: Corpus, count: int) -> Corpus:
    """The first so many distinct sentences with an entity."""
    found = {sentence.tokens: sentence for sentence in reversed(corpus.sentences) if set(sentence.tags or ()) > {"O"}}
    return Corpus(corpus.name, tuple(reversed(found.values()))[:count])


def _counted(model: Any) -> list[float]:
    """A list that grows with every forward call of the network by its CPU seconds."""
    calls: list[float] = []

    def begin(*_: Any) -> None:
        calls.append(-time.process_time())

    def end(*_: Any) -> None:
        calls[-1] += time.process_time()

    model.runtime.network.register_forward_pre_hook(begin)
    model.runtime.network.register_forward_hook(end)
    return calls


def _measured(
    run: Callable[[Work], list[Ended]], work: Work, calls: list[float]
) -> tuple[list[Ended], int, float, float]:
    calls.clear()
    started = time.process_time()
    ended = run(work)
    return ended, len(calls), time.process_time() - started, sum(calls)


def _in_lock_step(work: Work, searches: Sequence[Search]) -> list[Ended]:
    predictor = TokenPredictor(work.model, work.corpus.sentences)
    sift = Constraints(load_similarity(work.settings.similarity, work.corpus.sentences), work.settings.least_similarity)
    ended: list[Ended] = []
    for start in range(0, len(searches), BLOCK):
        predict = predictor_for(TASK, predictor.answering())
        ended += lock_step(searches[start : start + BLOCK], predict, sift, work.settings.budget)
    return ended


def _one_by_one(work: Work) -> list[Ended]:
    sift = Constraints(load_similarity(work.settings.similarity, work.corpus.sentences), work.settings.least_similarity)

    def in_batches(sentences: Sequence[Sentence]) -> list[Prediction]:
        batches = (sentences[start : start + AT_ONCE] for start in range(0, len(sentences), AT_ONCE))
        return [prediction for batch in batches for prediction in work.model.predict(batch)]

    def one(search: Any, target: GoldEntity) -> Ended:
        first, seen = target.sentence, dict[Sentence, Prediction]()
        without = [apply(first, [Edit(i, i + 1, ())]).sentence for i, tag in enumerate(first.tags or ()) if tag == "O"]

        def forward(sentences: Sequence[Sentence]) -> None:
            seen.update(zip([first, *sentences], in_batches([first, *sentences]), strict=True))

        def judged(pairs: Sequence[tuple[Sentence, Perturbed]]) -> list[float | Refusal]:
            forward([made.sentence for _, made in pairs])
            return [found for pair in pairs for found in sift([pair])]

        def predict(asked: Sequence[Variant]) -> list[Prediction]:
            if not seen:
                forward(without)
            return [seen[variant.example.sentence] for variant in asked]

        return lock_step([search], predict, judged, work.settings.budget)[0]

    narrow = work.model.runtime.network
    work.model.runtime.network = Wide(narrow)
    ended = [one(search, target) for search, target in zip(work.exhaustive(), work.targets, strict=True)]
    work.model.runtime.network = narrow
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
        (end.found.perturbed.edits if end.found.perturbed else (), end.found.similarity, end.found.prediction.tags)
        for end in ended
    ]


if __name__ == "__main__":
    main()
