"""A folder of its own, with a small corpus, and models on demand; whatever is imported there is forgotten."""

import sys

import pytest

from abalo.cli import main
from perturbations import parse
from tests.recorded import once, records

__all__ = ["once", "records"]

SENTENCES = (
    "[José Sá PESSOA] não é juiz",
    "[Ana PESSOA] saiu",
    "o [TRIBUNAL DE JUSTIÇA ORGANIZACAO] negou o recurso",
    "[Ana PESSOA] saiu",
)

MODEL = """
def tag(word):
    return "B-PESSOA" if word.startswith("José") else "O"


def by_word():
    return lambda batch: [[tag(word) for word in tokens] for tokens in batch]


def all_outside():
    return lambda batch: [["O"] * len(tokens) for tokens in batch]
"""


def conll(*sentences: str) -> str:
    """Sentences in bracket notation as columns."""
    parsed = map(parse, sentences)
    blocks = ["".join(f"{token} {tag}\n" for token, tag in zip(s.tokens, s.tags, strict=True)) for s in parsed]
    return "\n".join(blocks)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "conftest", raising=False)
    (tmp_path / "corpus.conll").write_text(conll(*SENTENCES), encoding="utf-8")
    yield tmp_path
    sys.modules.pop("conftest", None)


@pytest.fixture
def models_here(folder):
    """Two models in the folder, ``models_here:by_word`` and ``models_here:all_outside``; sixty sentences to judge."""
    (folder / "models_here.py").write_text(MODEL, encoding="utf-8")
    (folder / "corpus.conll").write_text(conll(*(f"[José{i} PESSOA] saiu" for i in range(60))), encoding="utf-8")
    yield folder
    sys.modules.pop("models_here", None)


@pytest.fixture
def refused(capsys):
    """Runs a command that cannot be done, and gives the message it ends in."""

    def refuse(*arguments: str) -> str:
        assert main(arguments) == 2
        said = capsys.readouterr().err
        assert "Traceback" not in said
        return said.rpartition("abalo: ")[2].removesuffix("\n")

    return refuse
