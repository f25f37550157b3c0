"""Runs of small models, recorded in ``recorded.json``; `tests.reporting.documents` edits what they leave.

    python -m tests.reporting.recording

makes the file again: one run about entities and one about questions. Each result is kept in its first view, with three
examples, without times. Names of files and texts have characters that mean something to HTML, Markdown and terminals.
"""

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from perturbations import parse
from tests.reports import document_in

PATH = Path(__file__).with_name("recorded.json")

SENTENCES = (
    "O [Superior Tribunal de Justiça ORGANIZACAO] negou o recurso de [Maria Aparecida de Souza PESSOA] .",
    "Vale o [art. 482 da CLT LEGISLACAO] desde [12 de março de 2019 TEMPO] .",
    "A [<script>alert(1)</script> PESSOA] recorre | da decisão de [São_Paulo LOCAL] & pede *vista* .",
    "Vistos os autos , o [Ministro Edson Fachin PESSOA] , do [Supremo Tribunal Federal ORGANIZACAO] , decidiu ontem .",
    "Em [Vila Nova de Gaia LOCAL] , [João da Silva PESSOA] apelou ao [TRF ORGANIZACAO] .",
    "Quem <ouviu> [José Sá PESSOA] <em> [Belém LOCAL] cita o [acórdão 1234 JURISPRUDENCIA] .",
)

MODELS = '''
KNOWN = {known!r}


def tagger():
    """Knows its words by heart, each where it stands behind the same word as in the corpus."""
    return lambda batch: [
        [KNOWN.get((before, word), "O") for before, word in zip(["", *tokens], tokens)] for tokens in batch
    ]


def first():
    return lambda question, options: 0
'''

THRESHOLDS = """
[gate]
language = "pt"
resamples = 1000

[[ner.baseline]]
min_f1 = 0.8

[[ner.accents]]
max_f1_drop_changed = 0.1

[[ner.character_noise]]
rate = 0.1
max_f1_drop_changed = 0.15

[[ner.word_insertion]]
rate = 0.1
max_f1_drop_changed = 0.1

[[ner.char_typo]]
span_source = "oracle"

[[ner.entity_attack]]
sample = 60
max_success_rate = 0.3

[[ner.context_attack]]
sample = 60

[[ner.typo_outside]]
draws = 50
max_violations_per_thousand = 20

[[ner.slice]]
of = "length"
end = "longest"
max_f1_gap = 0.1

[[choice.baseline]]
min_accuracy = 0.2

[[choice.perturbation_stability]]
k = 5
max_fragility_score = 0.2
"""

CAPABILITIES = """
[[ner.capability]]
name = "firm that is also a <town>"
capability = "ambiguity"
templates = ["A [{town} ORG] apelou .", "Em [{town} <LOC>] ."]
town = ["<Natal>", "Gramado", "Vitória", "Belém"]
min_pass_rate = 0.9
"""

HOSTILE = "Which of the following is <b>_bold_</b> | \u202e?"
"""A question that means something to HTML, to Markdown and to terminals."""

OPTIONS = ("<i>a</i>", "b|b", "c", "c")
"""Two are the same, so that every question is flagged."""


GIVEN = {"ner": ("models:tagger", "corpus.conll"), "choice": ("models:first", "questions.jsonl")}
"""Model and corpus of each task."""


def recorded() -> dict[str, Any]:
    """The documents of both runs."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        _write(folder)
        return {task: _kept(_run(folder, task, *given)) for task, given in GIVEN.items()}


def _write(folder: Path) -> None:
    sentences, known = [*map(parse, SENTENCES)], {}
    for each in sentences:
        known |= dict(zip(pairwise(("", *each.tokens)), each.tags, strict=True))
    blocks = ("".join(map("{} {}\n".format, each.tokens, each.tags)) for each in sentences)
    questions = (
        {"id": f"q{k}", "question": f"{HOSTILE[:-1]} {k}?", "options": OPTIONS, "target": k % 3} for k in range(60)
    )
    for name, text in (
        ("models.py", MODELS.format(known=known)),
        ("corpus.conll", "\n".join(blocks)),
        ("questions.jsonl", "".join(json.dumps(each) + "\n" for each in questions)),
        ("thresholds.toml", THRESHOLDS),
        ("capabilities.toml", CAPABILITIES),
    ):
        (folder / name).write_text(text, encoding="utf-8")


def _run(folder: Path, task: str, model: str, corpus: str) -> dict[str, Any]:
    command = f"-m pytest -q -p no:cacheprovider --pyargs tests_behavioral.{task} --abalo-corpus {corpus}"
    given = ["--abalo-model", model, "--abalo-seeds", "1,2,4", "--abalo-reports", task]
    done = subprocess.run(
        [sys.executable, *command.split(), *given], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (folder / task).is_dir(), done.stdout + done.stderr
    return document_in(folder / task)


def _kept(document: dict[str, Any]) -> dict[str, Any]:
    """The document with one view of each result, without times, versions and what is there once more for one task."""
    of_the_day = ("date", "commit", "dirty", "versions", "run", "next", "seconds")
    again = {name for facts in document["tasks"].values() for name in facts}
    results: dict[str, Any] = {}
    for each in document["results"]:
        kept = {name: value for name, value in each.items() if name not in of_the_day}
        results.setdefault(each["id"], kept | {"examples": each["examples"][:7]})
    kept = {name: value for name, value in document.items() if name not in of_the_day and name not in again}
    return kept | {"results": [*results.values()]}


def main() -> None:
    """Writes the file, a line for each result."""
    text = json.dumps(recorded(), ensure_ascii=False).replace(', {"id": "', ',\n{"id": "')
    PATH.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
