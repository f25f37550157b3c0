"""Sentences a second of CPU time, and how many of them change, by other libraries and by our counterparts.

    python -m benchmarks.peers [--data corpus.conll] [--only EntTypos,OOV]
    PEER/bin/python -m benchmarks.peers --peer textattack --data DATA/sst2/train.tsv --wordnet /usr/share/wordnet

Without ``--peer``, beside `TEXTFLINT`, figures of TextFlint 0.1.0 on the first 2,000 sentences of LeNER-Br that were
measured elsewhere. Ours is then `Perturbation.sample` of sentences that have been read. `AIMS` has the aims.

With ``--peer``, both are run, text in and text out, by turns in one run, at the rates of `benchmarks.rivals`. PEER is
an environment that has the library and what Abalo needs; docs/findings/other-libraries.md says how each was made.
What a library would download is put in its place where we have it: the database files of WordNet, for TextFlint our
own word lists and spaCy's small English model, for TextAttack our stop words. What cannot run is named with its
reason.

Each measurement is of a process of its own that sees every sentence for the first time; what a run makes before it
perturbs, such as word lists, is made before, by changing `WARMING` or other sentences. Every hundred sentences count at
their fastest of all repeats, since others on the machine only make them slower. A text has changed if more than its
white space has. The loop has nothing to do with us: compare runs only where it is as fast.
"""

from __future__ import annotations

import gc
import multiprocessing
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from abalo.corpora import Corpus, load
from abalo.corpora.running_text import running_text
from abalo.sources.resources import Resources
from abalo.tasks.classification import corpus as texts
from benchmarks.arguments import Parser
from benchmarks.results import Aim, show
from benchmarks.rivals import PEERS, Change, Rival, stage
from perturbations import Perturbation, UnknownPerturbation, apply, find
from perturbations.streams import stream

LENER_BR = Path(__file__).parents[2] / "shared" / "data" / "lener-br" / "train.conll"

PART = 100
WARMING = "The 12 actors are not good , but I can't help liking a long walk in London ."

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Published:
    """Sentences a second by TextFlint, and in which time they are counted."""

    lowest: int
    highest: int
    time: str = "CPU"

    def __str__(self) -> str:
        return f"{self.lowest}" + (f" to {self.highest}" if self.highest > self.lowest else "") + f" ({self.time})"


TEXTFLINT: Mapping[str, Published] = {
    "Typos": Published(2643, 3000),
    "Keyboard": Published(2058, 2153),
    "EntTypos": Published(3568, 3620),
    "OOV": Published(5251, 6101),
    "CrossCategory": Published(5844, 6192),
    "SwapLonger": Published(5525, 6296),
    "ConcatSent": Published(4499, 4868),
    "Ocr": Published(1498, 1498, "wall clock"),
    "WordCase": Published(7186, 7186, "wall clock"),
    "Punctuation": Published(644, 644, "wall clock"),
    "SwapNum": Published(8220, 8220, "wall clock"),
    "TwitterType": Published(980, 980, "wall clock"),
    "AppendIrr": Published(952, 952, "wall clock"),
}
"""By TextFlint's name; ours has it as an alias. One core of a machine like ours, lowest and highest of three runs; in
wall-clock time, where no other is known, of one run. They count the sentences that went in, also those of which nothing
came out, and so do ours. SpellingError is left out: it was measured with five words."""


AIMS: Mapping[str, float] = {"textflint": 10, "nlpaug": 3}
"""How many times as fast as a library ours should be."""


@dataclass(frozen=True, slots=True)
class Run:
    """The CPU seconds that every part took; how many items changed, and how many words of them; a loop's CPU seconds.

    The loop has a thousand turns.
    """

    parts: Sequence[float]
    changed: int
    words: int
    loop: float


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(
        __doc__, smoke=("--data", "bundled:legal-pt", "--limit", "5", "--repeats", "1", "--only", "EntTypos")
    )
    parser.add_argument("--peer", choices=PEERS, help="a library that is installed here (default: published figures)")
    parser.add_argument("--data", help="a corpus of entities, by default LeNER-Br or the bundled one; of a peer, texts")
    parser.add_argument("--limit", type=int, default=2000, help="how many sentences of it (default: 2000)")
    parser.add_argument("--only", help="names of the other library, with commas between them (default: all)")
    parser.add_argument("--repeats", type=int, default=10, help="how often each is measured (default: 10)")
    parser.add_argument("--wordnet", type=Path, help="folder with the database files of WordNet 3.0")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Prints the table."""
    arguments = parser().parse_args(given)
    if arguments.peer is None:
        _beside_published(arguments.data, arguments.limit, arguments.only, arguments.repeats)
        return
    if arguments.wordnet is None or arguments.data is None:
        raise SystemExit("--peer needs --data, a table of texts, and --wordnet, a folder with the files of WordNet")
    with tempfile.TemporaryDirectory() as folder:
        stage(Path(folder), arguments.wordnet)
        _beside(arguments.peer, arguments.data, arguments.limit, arguments.only, arguments.repeats)


def _beside_published(data: str | None, limit: int, only: str | None, repeats: int) -> None:
    known = str(LENER_BR) if LENER_BR.exists() else "bundled:legal-pt"
    corpus = load(data or known, limit=limit + PART)
    sentences, others = corpus.sentences[:limit], corpus.sentences[limit:] or corpus.sentences[:PART]
    resources = Resources(corpus)
    print(f"{len(sentences)} sentences of {corpus.name}, best of {repeats}")
    found: list[Mapping[str, object]] = []
    for name in only.split(",") if only else TEXTFLINT:
        published = TEXTFLINT[name]
        try:
            perturbation = resources.configured(find(name), {})
        except UnknownPerturbation:
            continue

        def make(perturbation: Perturbation = perturbation) -> Callable[[Any], object]:
            for other in others:
                perturbation.sample(other, seed=1)  # makes word lists and pools of entities
            return lambda sentence: perturbation.sample(sentence, seed=1) is not None  # kept variants cost collections

        seconds, run = _best([_in_a_process(make, sentences) for _ in range(repeats)])
        speed = len(sentences) / seconds
        found.append(
            {
                "TextFlint": name,
                "its sentences a second": str(published),
                "ours": perturbation.name,
                "sentences a CPU second": round(speed),
                "times its best": round(speed / published.highest, 1),
                "variants": run.changed,
                "loop µs": round(run.loop * 1e6),
            }
        )
    show("peers", found, [Aim("times its best", AIMS["textflint"])])


def _beside(peer: str, data: str, limit: int, only: str | None, repeats: int) -> None:
    known = [sentence.text for sentence in texts.load(data, limit=limit).sentences]
    print(f"{len(known)} texts of {Path(data).name}, best of {repeats}\n")
    found: list[Mapping[str, object]] = []
    compared: list[Rival] = []
    missing = []
    for rival in PEERS[peer]():
        if only and rival.theirs not in only.split(","):
            continue
        try:
            runs = [
                [_in_a_process(make, known) for make in (rival.make, lambda rival=rival: _ours(rival))]
                for _ in range(repeats)
            ]
        except RuntimeError as error:
            missing.append(f"- {rival.theirs}: {error}")
            continue
        compared.append(rival)
        (theirs, their_run), (ours, our_run) = (_best(side) for side in zip(*runs, strict=True))
        found.append(
            {
                peer: rival.theirs,
                "sentences a CPU second": round(len(known) / theirs),
                "changed": f"{their_run.changed / len(known):.1%}",
                "words": round(their_run.words / len(known), 1),
                "ours": find(rival.ours).name,
                "ours a CPU second": round(len(known) / ours),
                "ours changed": f"{our_run.changed / len(known):.1%}",
                "our words": round(our_run.words / len(known), 1),
                "times": round(theirs / ours, 1),
                "loop µs": round(min(their_run.loop, our_run.loop) * 1e6),
            }
        )
    show(f"peers_{peer}", found, [Aim("times", AIMS[peer])] if peer in AIMS else ())
    print()
    show(f"stages_{peer}", [_stages(rival, known, repeats) for rival in compared])
    print("\ncannot run here:\n" + "\n".join(missing) if missing else "")


def _configured(rival: Rival) -> Perturbation:
    return Resources(Corpus("none", ()), language="en").configured(find(rival.ours), rival.params)


def _stages(rival: Rival, known: Sequence[str], repeats: int) -> Mapping[str, object]:
    """Microseconds a text of what every perturbation does, and of all; what is left is drawing."""
    perturbation = _configured(rival)
    made = [(each, perturbation.sample(each, seed=1)) for each in map(running_text, known)]
    changed = [(each, found) for each, found in made if found is not None]
    stages: Mapping[str, tuple[Callable[[Any], object], Sequence[Any]]] = {
        "words": (running_text, known),
        "stream": (lambda pair: stream(1, perturbation.name, pair[0].text), made),
        "edits": (lambda pair: apply(pair[0], pair[1].edits), changed),
        "text": (lambda pair: pair[1].sentence.text, changed),
        "all": (_ours(rival), known),
    }
    spent = {
        name: min(_seconds_of(function, items) for _ in range(repeats)) / len(known)
        for name, (function, items) in stages.items()
    }
    return {"ours": perturbation.name, **{f"{name} µs": round(each * 1e6, 1) for name, each in spent.items()}}


def _seconds_of(function: Callable[[Any], object], items: Sequence[Any]) -> float:
    started = time.process_time()
    for item in items:
        function(item)
    return time.process_time() - started


def _ours(rival: Rival) -> Change:
    perturbation = _configured(rival)

    def change(text: str) -> str | None:
        made = perturbation.sample(running_text(text), seed=1)
        return None if made is None else made.sentence.text

    return change


def _in_a_process(make: Callable[[], Callable[[T], object]], items: Sequence[T]) -> Run:
    """The measurement of a process of its own; raises RuntimeError with the reason where it cannot be made."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, make, items))
    process.start()
    sender.close()
    try:
        found = receiver.recv()
    except EOFError:
        found = "its process ended"
    process.join()
    if isinstance(found, Run):
        return found
    raise RuntimeError(found)


def _send(sender: Connection, make: Callable[[], Callable[[T], object]], items: Sequence[T]) -> None:
    try:
        found: Run | str = _run(make, items)
    except Exception as error:  # noqa: BLE001 - whatever a library raises is the reason
        lines = (line.strip() for line in str(error).splitlines())
        found = f"{type(error).__name__}: {next((line for line in lines if any(map(str.isalnum, line))), '')}"
    sender.send(found)


def _run(make: Callable[[], Callable[[T], object]], items: Sequence[T]) -> Run:
    random.seed(1)  # noqa: TID251 - libraries draw from the global stream
    change = make()
    if isinstance(items[0], str):
        change(WARMING)  # type: ignore[arg-type]
    gc.collect()
    gc.freeze()  # or a collection walks through all that the library has loaded
    loop = min(_seconds_of_a_loop() for _ in range(100))
    parts, changed, gone = [], 0, 0
    for start in range(0, len(items), PART):
        part = items[start : start + PART]
        started = time.process_time()
        made = [change(item) for item in part]
        parts.append(time.process_time() - started)
        changed += sum(map(_differs, part, made))
        gone += sum(map(_words_gone, part, made))
    return Run(parts, changed, gone, loop)


def _differs(before: object, after: object) -> bool:
    if isinstance(before, str) and isinstance(after, str):
        return "".join(before.split()) != "".join(after.split())
    return bool(after)


def _words_gone(before: object, after: object) -> int:
    """How many words of a text, between white space, another text has no more."""
    if isinstance(before, str) and isinstance(after, str):
        return (Counter(before.split()) - Counter(after.split())).total()
    return 0


def _best(runs: Sequence[Run]) -> tuple[float, Run]:
    """CPU seconds with every part at its fastest; the run with the fastest loop."""
    return sum(map(min, zip(*(run.parts for run in runs), strict=True))), min(runs, key=lambda run: run.loop)


def _seconds_of_a_loop() -> float:
    started, total = time.process_time(), 0
    for turn in range(1000):
        total += turn * turn
    return time.process_time() - started


if __name__ == "__main__":
    main()
