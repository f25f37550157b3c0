"""Unpacks gzip."""

from __future__ import annotations

import gzip
import io
import zlib
from pathlib import Path

from abalo.core.protocols.corpus_spec import asked_reader
from abalo.errors import AbaloError, visible

ENDING = ".gz"

_MAGIC = b"\x1f\x8b"
_EXPANSION = 100

_SMALL = 64 * 2**20


def format_ending(name: str) -> str:
    """The format: ``.jsonl`` for ``DEV.JSONL`` and ``dev.jsonl.gz``, and for what a reader reads."""
    if asked_reader(name) is not None:
        return ".jsonl"
    path = Path(name.lower())
    return Path(path.stem).suffix if path.suffix == ENDING else path.suffix


def is_packed(data: bytes) -> bool:
    """Whether bytes begin like gzip."""
    return data.startswith(_MAGIC)


def unpack(data: bytes, name: object, largest: int | None = None) -> bytes:
    """Unpacks gzip; returns other data unchanged.

    Raises `AbaloError` for damaged gzip and for more than ``largest`` bytes: by default a hundred times the input, at
    least 64 MiB.
    """
    if not is_packed(data):
        if str(name).lower().endswith(ENDING) and data:
            raise AbaloError(
                f"{visible(name)}: ends in .gz, but begins with the bytes {data[:2].hex(' ')}; expected 1f 8b, as gzip "
                "does; fetch it again, or rename it if it is not packed"
            )
        return data
    most = max(_SMALL, _EXPANSION * len(data)) if largest is None else largest
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            content = stream.read(most + 1)
    except (EOFError, OSError, zlib.error) as error:
        wrong = "is cut short" if isinstance(error, EOFError) else f"is damaged ({visible(error)})"
        raise AbaloError(f"{visible(name)}: the gzip in it {wrong}; expected a whole file; fetch it again") from error
    if len(content) > most:
        raise AbaloError(
            f"{visible(name)}: larger than {most:,} bytes when unpacked; expected at most that many; unpack it with "
            "gunzip and look at what is in it"
        )
    return content


def first_bytes(path: Path, size: int) -> bytes:
    """Up to ``size`` unpacked bytes; raises OSError."""
    with path.open("rb") as file:
        data = file.read(size)
        if not is_packed(data):
            return data
        file.seek(0)
        return _as_far_as_it_goes(file, size)


def _as_far_as_it_goes(file: io.BufferedReader, size: int) -> bytes:
    content = bytearray()
    with gzip.GzipFile(fileobj=file) as stream:
        try:
            while len(content) < size and (more := stream.read1(size - len(content))):
                content += more
        except (EOFError, OSError, zlib.error):
            pass
    return bytes(content)
