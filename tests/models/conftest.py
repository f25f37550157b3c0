from pathlib import Path

import pytest

from tests.models.tiny_checkpoint import save_checkpoint


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory) -> Path:
    """The folder of a good checkpoint; not to be changed."""
    return save_checkpoint(tmp_path_factory.mktemp("checkpoint") / "model")


@pytest.fixture
def broken_checkpoint(checkpoint, tmp_path) -> Path:
    """A copy of the checkpoint, to be broken."""
    folder = tmp_path / "model"
    folder.mkdir()
    for file in checkpoint.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


@pytest.fixture
def write_module(tmp_path, monkeypatch):
    """Writes a module of the user's into the directory of the invocation."""
    monkeypatch.chdir(tmp_path)

    def write(name: str, source: str) -> Path:
        path = tmp_path / f"{name}.py"
        path.write_text(source, encoding="utf-8")
        return path

    return write
