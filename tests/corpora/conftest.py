from collections.abc import Callable
from pathlib import Path

import pytest

from abalo.corpora import Corpus, load
from abalo.errors import AbaloError
from perturbations import render


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Writes a file into an empty working directory and gives its name."""
    monkeypatch.chdir(tmp_path)

    def write(content: str | bytes, name: str = "dev.conll") -> str:
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return name

    return write


@pytest.fixture
def refusal() -> Callable[..., str]:
    """The message with which `load` refuses a corpus."""

    def refuse(spec: str, **options: object) -> str:
        with pytest.raises(AbaloError) as caught:
            load(spec, **options)
        return str(caught.value)

    return refuse


@pytest.fixture
def rendered() -> Callable[[Corpus], list[str]]:
    """The sentences of a corpus in bracket notation."""
    return lambda corpus: [render(sentence) for sentence in corpus.sentences]
