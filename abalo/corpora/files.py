"""Reads text files that users name."""

from __future__ import annotations

from pathlib import Path

from abalo.corpora.encodings import text_of
from abalo.corpora.findings import Findings
from abalo.corpora.foreign import refuse_binary, refuse_brat, refuse_brat_folder, refuse_text
from abalo.corpora.unpacking import unpack
from abalo.errors import AbaloError, visible
from abalo.files import read_bytes
from perturbations.suggestions import did_you_mean


def read_text(path: Path, findings: Findings) -> str:
    """The text of a file, unpacked, without byte order mark.

    Reports invalid UTF-8 by line; U+FFFD replaces it.
    """
    data = unpack(_read_bytes(path), path)
    refuse_binary(data, path)
    text = text_of(data, findings)
    refuse_brat(text, path)
    refuse_text(text, path)
    return text


def _read_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            refuse_brat_folder(path)
            raise AbaloError(_is_a_folder(path))
        return read_bytes(path)
    except FileNotFoundError:
        raise AbaloError(f"{path}: no such file{suggest_path(path)}") from None
    except (OSError, ValueError) as error:  # a null byte in the name
        raise AbaloError(f"{visible(path)}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _is_a_folder(path: Path) -> str:
    names = _files_in(path)
    holding = f"; it holds {', '.join(names[:5])}{', …' if len(names) > 5 else ''}" if names else ""
    return (
        f"{path}: a folder; expected a CoNLL or JSON file{holding}; "
        f"give one of its files, or hub:{path}:<split> for a data set"
    )


def suggest_path(path: Path) -> str:
    """The end of an error about a missing file."""
    if not path.parent.is_dir():
        return f"; there is no folder {path.parent} either"
    near = did_you_mean(path.name, _files_in(path.parent))
    return near or "; expected a CoNLL or JSON file, bundled:<name> or hub:<dataset>:<split>"


def _files_in(folder: Path) -> list[str]:
    try:
        return sorted(child.name for child in folder.iterdir() if child.is_file())
    except OSError:
        return []
