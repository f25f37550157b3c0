"""A miniature project: a corpus, a model and a thresholds file in a folder of their own, judged by a pytest in it."""

import os
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

# Imported before any pytest runs inside a test: pytester forgets modules that are first imported there, so that each
# test would import them again, and NumPy cannot be imported twice.
import hypothesis  # noqa: F401
import numpy as np  # noqa: F401
import pytest
import seqeval.metrics  # noqa: F401

import abalo
from perturbations import parse
from perturbations import strategies as _  # noqa: F401
from tests.recorded import interpreters, pytester, records
from tests.reports import document_in

__all__ = ["interpreters", "pytester", "records"]

for _module in walk_packages(abalo.__path__, "abalo."):
    if not _module.name.endswith((".__main__", ".inspected")):  # the one runs, the other needs all of Inspect
        import_module(_module.name)

NAMES = ("Ana", "José", "Íris", "Rui", "Zélia", "Otávio", "Célia", "Davi", "Noêmia", "Saulo")
PLACES = ("Belém", "Macapá", "Natal", "Goiânia", "Maceió", "Aracaju", "Vitória")

GAZETTEER = '''
import unicodedata

PEOPLE = {people!r}
PLACES = {places!r}
SAID = {{"TRIBUNAL", "CORTE"}}


def plain(word):
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))


PLAIN_PEOPLE, PLAIN_PLACES = set(map(plain, PEOPLE)), set(map(plain, PLACES))


def tag(word):
    """Type and B or I off the token itself, never off its neighbours."""
    if plain(word) in PLAIN_PEOPLE:
        return "B-PESSOA"
    if plain(word) in PLAIN_PLACES:
        return "B-LOCAL"
    if word in ("TRIBUNAL", "CORTE"):
        return "B-ORGANIZACAO"
    return "I-ORGANIZACAO" if word == "SUPERIOR" else "O"


def gazetteer():
    return lambda batch: [[tag(word) for word in tokens] for tokens in batch]


def blind_to_accents():
    """Knows names only as they are written in its list, and finds no place at all."""
    return lambda batch: [["B-PESSOA" if word in PEOPLE else "O" for word in tokens] for tokens in batch]


def all_outside():
    return lambda batch: [["O"] * len(tokens) for tokens in batch]
'''

THRESHOLDS = """
[gate]
language = "pt"
resamples = 500

[[ner.baseline]]
min_f1 = 0.9

[[ner.accents]]
max_f1_drop = 0.06

[[ner.word_insertion]]
rate = 0.1
max_f1_drop = 0.06
"""


@dataclass
class Project:
    """A folder with ``corpus.conll``, ``models.py`` and ``thresholds.toml``, and a way to run the suite there."""

    pytester: pytest.Pytester

    @property
    def path(self) -> Path:
        return self.pytester.path

    def run(
        self, *arguments: str, model: str = "models:gazetteer", subprocess: bool = False, interrupted: bool = False
    ) -> pytest.RunResult:
        """Runs ``tests_behavioral.ner`` here. ``interrupted``: Control-C ends the run, not the test."""
        run = self.pytester.runpytest_subprocess if subprocess else self.pytester.runpytest_inprocess
        common = ("--pyargs", "tests_behavioral.ner", "--abalo-corpus", "corpus.conll", "--abalo-model", model)
        options = {"no_reraise_ctrlc": True} if interrupted else {}
        return run("-p", "no:cacheprovider", *common, *arguments, **options)

    def document(self) -> dict:
        return document_in(self.path / "reports")

    def result(self, case: str, view: str = "projected") -> dict:
        return next(r for r in self.document()["results"] if r["id"] == case and r["view"] == view)

    def write(self, name: str, text: str) -> Path:
        path = self.path / name
        path.write_text(text, encoding="utf-8")
        return path


def conll(sentences: list[str]) -> str:
    """Sentences in bracket notation as a CoNLL file."""
    blocks = []
    for text in sentences:
        sentence = parse(text)
        blocks.append("".join(f"{token} {tag}\n" for token, tag in zip(sentence.tokens, sentence.tags, strict=True)))
    return "\n".join(blocks)


def another_hash_seed() -> str:
    """A PYTHONHASHSEED that is not that of this process."""
    return "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    return miniature(pytester)


def miniature(pytester: pytest.Pytester) -> Project:
    """A project with seventy sentences, models that know them and some that do not, and three cases."""
    made = Project(pytester)
    sentences = [
        f"o [TRIBUNAL SUPERIOR ORGANIZACAO] ouviu [{name} PESSOA] em [{place} LOCAL] , às {hour} horas ."
        for hour, (name, place) in enumerate((name, place) for name in NAMES for place in PLACES)
    ]
    made.write("corpus.conll", conll(sentences))
    made.write("models.py", GAZETTEER.format(people=NAMES, places=PLACES))
    made.write("thresholds.toml", THRESHOLDS)
    return made
