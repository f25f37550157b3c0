"""Text files: strict UTF-8 that says where it fails."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from abalo.corpora.findings import Findings
from abalo.errors import AbaloError
from perturbations.suggestions import did_you_mean

_SURROGATE = re.compile("[\ud800-\udfff]")


def read_text(path: Path, findings: Findings) -> str:
    """The text of a UTF-8 file, without its byte order mark.

    Each line with bytes that are not UTF-8 is a finding; U+FFFD stands in their place. Raises AbaloError when the
    file is not there, is a folder, cannot be read, or is UTF-16.
    """
    data = _read_bytes(path).removeprefix(codecs.BOM_UTF8)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise AbaloError(f"{path}:1: byte 1 (0x{data[0]:02x}) begins UTF-16; expected UTF-8; save the file as UTF-8")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        lines = enumerate(data.split(b"\n"), start=1)
        return "\n".join(_decoded(line, number, findings) for number, line in lines)


def _read_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise AbaloError(_is_a_folder(path))
        return path.read_bytes()
    except FileNotFoundError:
        raise AbaloError(f"{path}: no such file{_meant_instead_of(path)}") from None
    except OSError as error:
        raise AbaloError(f"{path}: cannot be read: {error.strerror or error}") from error


def _is_a_folder(path: Path) -> str:
    names = _files_in(path)
    holding = f"; it holds {', '.join(names[:5])}{', …' if len(names) > 5 else ''}" if names else ""
    return (
        f"{path}: a folder; expected a CoNLL or JSONL file{holding}; "
        f"give one of its files, or hub:{path}:<split> for a data set"
    )


def _meant_instead_of(path: Path) -> str:
    if not path.parent.is_dir():
        return f"; there is no folder {path.parent} either"
    near = did_you_mean(path.name, _files_in(path.parent))
    return near or "; expected a CoNLL or JSONL file, bundled:<name> or hub:<dataset>:<split>"


def _files_in(folder: Path) -> list[str]:
    """The names of the files in ``folder``, sorted; none where it must not be listed."""
    try:
        return sorted(child.name for child in folder.iterdir() if child.is_file())
    except OSError:
        return []


def _decoded(line: bytes, number: int, findings: Findings) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        findings.mended(
            number,
            f"byte {error.start + 1} of the line (0x{line[error.start]:02x}) is not UTF-8; expected UTF-8 throughout; "
            "convert the file (iconv -f latin1 -t utf-8, if it is Latin-1), or put U+FFFD there with --abalo-lenient",
        )
        return line.decode("utf-8", "replace")


def is_unicode(text: str) -> bool:
    """Whether UTF-8 can hold ``text``: there is no half of a surrogate pair in it."""
    return _SURROGATE.search(text) is None


def without_surrogates(text: str) -> str:
    """``text`` with U+FFFD for each half of a surrogate pair."""
    return _SURROGATE.sub("\ufffd", text)
