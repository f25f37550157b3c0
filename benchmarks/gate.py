"""The gate's wall time over its floor: the bare forward time of the windows that it needs. Aim: at most 1.2 on a CPU.

    python -m benchmarks.gate [--device cuda] [--base]
    python -m benchmarks.gate --command DATA/lener-br/dev.conll [--limit 1000]

Where no case runs ahead, a second table has the seconds of each part, of one more run; what one part calls of another
counts for the other alone.

All is measured in this process, after the model is loaded, on the bundled model and corpus with the cases and seeds of
thresholds.toml. With ``--base`` the model is a BERT of 110 M random weights with the tokenizer and the labels of the
bundled one: its speed is that of a model of this size, its labels mean nothing.

With ``--command`` the model costs nothing, and two processes of their own run the default cases of a corpus: README's
command, and the engine alone, from Python. CPU seconds are of user and system, MB is the peak of the process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import zip_longest
from pathlib import Path
from pkgutil import resolve_name
from typing import Any
from unittest.mock import patch

import torch
from transformers import AutoConfig, AutoModelForTokenClassification, AutoTokenizer, BertConfig

from abalo.bundled import bundled_path
from abalo.config.thresholds import load as load_thresholds
from abalo.core.running.engine import Engine
from abalo.corpora import load as load_corpus
from abalo.models import TokenModel
from abalo.models.labelling.prediction import Prediction
from abalo.models.networks.devices import use_threads
from abalo.models.tokens.loading import load as load_model
from abalo.tasks.ner.task import TASK
from benchmarks.arguments import Parser
from benchmarks.results import Aim, show
from perturbations import Sentence

PADDED_PIECES = 4096
REST = "the rest: resources, groups, texts of the report"
PARTS = {
    "abalo.models.tokens.hugging_face.HuggingFaceModel.predict": "tokens of the model, and labels of its scores",
    "abalo.models.networks.sorted_batches.Windowed.forwards": "forward passes",
    "abalo.probes.drawing.Drawing.whole": "perturbing",
    "abalo.probes.attack.AttackProbe.run": "attacks",
    "abalo.probes.invariance.InvarianceProbe.run": "single edits",
    "abalo.core.running.engine.collect": "counting",
    "abalo.core.running.engine.judge_case": "intervals and verdicts",
}
"""The part that each function is."""

SIZES = {12: (768, 12, 3072), 24: (1024, 16, 4096)}
"""Hidden size, heads and intermediate size by the number of layers: BERT's base and large."""


class Recorded:
    """A model that keeps the sentences it was shown."""

    def __init__(self, model: TokenModel) -> None:
        self._model = model
        self.shown: list[Sentence] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        """The model's own predictions."""
        self.shown += sentences
        return self._model.predict(sentences)


class Stopwatch:
    """Seconds by part, without those of parts within."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self._running = [REST]
        self._since = 0.0

    def begin(self) -> None:
        """Counts from now on."""
        self.seconds.clear()
        self._since = time.perf_counter()

    def total(self) -> float:
        """All seconds until now."""
        self._lap()
        return self.seconds.total()

    @contextmanager
    def running(self, part: str) -> Iterator[None]:
        """Counts for ``part`` what passes inside."""
        self._lap()
        self._running.append(part)
        try:
            yield
        finally:
            self._lap()
            self._running.pop()

    def _lap(self) -> None:
        now = time.perf_counter()
        self.seconds[self._running[-1]] += now - self._since
        self._since = now

    def of(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, which counts for ``part``; of a generator every step does."""

        def timed(*given: Any, **named: Any) -> Any:
            with self.running(part):
                found = function(*given, **named)
            return self._steps(part, found) if isinstance(found, Iterator) else found

        return timed

    def _steps(self, part: str, steps: Iterator[Any]) -> Iterator[Any]:
        end = object()
        while True:
            with self.running(part):
                step = next(steps, end)
            if step is end:
                return
            yield step


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--limit", "2"))
    parser.add_argument("--device", default="cpu", help="device that runs the model; default: cpu")
    parser.add_argument("--base", action="store_true", help="a BERT of 110 M random weights, not the bundled model")
    parser.add_argument("--command", metavar="FILE", help="measure the command of README on a CoNLL file")
    parser.add_limit()
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Measures the bundled model, or one of random weights."""
    options = parser().parse_args(given)
    print(f"PyTorch has {use_threads()}\n")
    with tempfile.TemporaryDirectory() as folder:
        if options.command is not None:
            show("gate_command", command_costs(Path(options.command).resolve(), Path(folder), options.limit))
            return
        _measure(
            save_random(Path(folder), 12) if options.base else bundled_path("fixtures/model"),
            options.device,
            options.limit,
        )


FREE = """
import json
from pathlib import Path

TAGS = json.loads(Path(__file__).with_name("tags.json").read_text("utf-8"))


def free():
    return lambda batch: [[TAGS.get(word, "O") for word in words] for words in batch]
"""
"""A model that tags each word as the corpus does where it is met first."""


def command_costs(corpus: Path, folder: Path, limit: int | None) -> list[dict[str, object]]:
    """Returns CPU seconds and peak of README's command and of the engine alone, in an empty folder."""
    tags: dict[str, str] = {}
    for sentence in load_corpus(str(corpus)).sentences:
        for word, tag in zip(sentence.tokens, sentence.tags or (), strict=True):
            tags.setdefault(word, f"B-{tag[2:]}" if tag[2:] else tag)
    (folder / "tags.json").write_text(json.dumps(tags), "utf-8")
    (folder / "free.py").write_text(FREE, "utf-8")
    words = ["--abalo-task", "ner", "--abalo-model", "free:free", "--abalo-corpus", str(corpus)]
    words += [] if limit is None else ["--abalo-limit", str(limit)]
    alone = f"import abalo; abalo.Session('ner', 'free:free', {str(corpus)!r}, limit={limit}).run()"
    commands = {
        "pytest --pyargs tests_behavioral": ["-m", "pytest", "--pyargs", "tests_behavioral", *words],
        "the engine alone": ["-c", alone],
    }
    rows: list[dict[str, object]] = []
    for name, given in commands.items():
        with (folder / "out.txt").open("w", encoding="utf-8") as out:
            run = subprocess.Popen([sys.executable, *given], cwd=folder, stdout=out, stderr=out)
            _, status, used = os.wait4(run.pid, 0)
        if os.waitstatus_to_exitcode(status) not in (0, 1, 10):  # a clean score may be too low, no case has a bound
            raise SystemExit((folder / "out.txt").read_text("utf-8"))
        rows.append({"run": name, "CPU s": round(used.ru_utime + used.ru_stime, 1), "MB": used.ru_maxrss // 1024})
    return rows


def save_random(folder: Path, layers: int) -> Path:
    """Writes a BERT of random weights with so many layers, for the bundled model's labels and pieces."""
    own = bundled_path("fixtures/model")
    config, tokenizer = AutoConfig.from_pretrained(own), AutoTokenizer.from_pretrained(own)
    hidden, heads, intermediate = SIZES[layers]
    torch.manual_seed(0)
    wanted = BertConfig(
        vocab_size=30522,
        num_hidden_layers=layers,
        hidden_size=hidden,
        num_attention_heads=heads,
        intermediate_size=intermediate,
        id2label=config.id2label,
        label2id=config.label2id,
    )
    AutoModelForTokenClassification.from_config(wanted).save_pretrained(folder)
    tokenizer.model_max_length = wanted.max_position_embeddings
    tokenizer.save_pretrained(folder)
    return folder


def _measure(path: Path, device: str, limit: int | None) -> None:
    """Runs every case, then sends the same sentences straight through the model."""
    model = Recorded(load_model(str(path), device=device))
    gate = gate_seconds(model, limit=limit)
    floor = bare_forward_seconds(model.shown, path, model.device)
    show(
        "gate",
        [
            {
                "model": "bundled" if path == bundled_path("fixtures/model") else "base, random",
                "device": model.device,
                "windows": len(model.shown),
                "gate s": round(gate, 2),
                "bare forward s": round(floor, 2),
                "ratio": round(gate / floor, 2),
                "threads": torch.get_num_threads(),
                "sentences per s": round(len(model.shown) / gate),
            }
        ],
        [Aim("ratio", 1.2, at_most=True)],
    )
    if not model.runs_ahead:  # else two parts run at a time
        print()
        show(
            "gate_parts",
            [{"part": part, "s": round(own, 2)} for part, own in parts_of_gate(model, limit).most_common()],
        )


def parts_of_gate(model: Any, limit: int | None) -> Counter[str]:
    """The seconds of each part, in one more run."""
    with ExitStack() as patches:
        watch = Stopwatch()
        for name, part in PARTS.items():
            patches.enter_context(patch(name, watch.of(part, _attribute(name))))
        gate_seconds(model, watch, limit)
    return watch.seconds


def _attribute(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = resolve_name(name)
    return found


def gate_seconds(model: Any, watch: Stopwatch | None = None, limit: int | None = None) -> float:
    """Wall seconds in which every case of thresholds.toml is judged on the bundled corpus."""
    watch = watch or Stopwatch()
    corpus = load_corpus("bundled:legal-pt", limit=limit)
    thresholds = load_thresholds(bundled_path("thresholds.toml"))
    model.predict(corpus.sentences[:16])  # the first call is slower
    model.shown.clear()
    watch.begin()
    session = Engine(TASK, corpus, model, thresholds.gate)
    cases = [case for case in thresholds.cases if case.task == TASK.name and not case.deep]
    cases = [case for case in cases if not case.probe.entries.skipped(case.plan, session.language)]
    for case, following in zip_longest(cases, cases[1:]):
        session.judge(case, len(cases), following=following)
    return watch.total()


def bare_forward_seconds(
    sentences: Sequence[Sentence],
    path: Path,
    device: str,
    dtype: torch.dtype = torch.float32,
    padded_pieces: int = PADDED_PIECES,
) -> float:
    """Seconds in the forward alone, in length-sorted batches of about ``padded_pieces``, tokenised beforehand."""
    tokenizer = AutoTokenizer.from_pretrained(path)
    network = AutoModelForTokenClassification.from_pretrained(path, dtype=dtype).eval().to(device)
    encoded = tokenizer([list(s.tokens) for s in sentences], is_split_into_words=True)["input_ids"]
    batches: list[list[list[int]]] = [[]]
    for pieces in sorted(encoded, key=len):
        if (len(batches[-1]) + 1) * len(pieces) > padded_pieces:
            batches.append([])
        batches[-1].append(pieces)
    padded = [tokenizer.pad({"input_ids": batch}, return_tensors="pt") for batch in batches if batch]
    with torch.inference_mode():
        network(**padded[0].to(device)).logits.cpu()  # the first call is slower
        started = time.perf_counter()
        for inputs in padded:
            network(**inputs.to(device)).logits.cpu()  # waits for a GPU
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
