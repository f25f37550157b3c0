"""Logs of Inspect: ``.eval`` and JSON [inspect.aisi.org.uk/eval-logs.html].

A sample is an example and its epoch a run. Each scorer is a metric; if its value has several parts, each part is one.
A sample that ended with an error and without scores has no score under each of them. Metadata of samples can be named
as clusters or slices.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from abalo.errors import AbaloError, visible
from abalo.files import LARGEST
from abalo.scores.readers import Content, ScoreFileReader, fields_of, is_record
from abalo.scores.rows import PlacedRow

_VALUES: Mapping[object, float] = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "no": 0.0}
"""Letters of Inspect's scorers: correct, partial, incorrect, no answer."""

_ZSTANDARD = 93

_EXPANSION = 200


def _reads(content: Content) -> bool:
    log = content.first
    return _is_packed(content) or (
        is_record(log) and "eval" in log and "status" in log and ("samples" in log or "plan" in log)
    )


def _is_packed(content: Content) -> bool:
    return content.data.startswith(b"PK\x03\x04") and content.path.suffix == ".eval"


def _read(content: Content) -> Iterator[PlacedRow]:
    if _is_packed(content):
        header, samples = _unzipped(content)
    else:
        header, samples = content.first, iter(content.first.get("samples") or ())
    status = header.get("status")
    if status != "success":
        raise AbaloError(
            f"{visible(content.path)} status: {status!r}; expected 'success'; run the evaluation to its end"
        )
    count = 0
    failed: list[PlacedRow] = []
    metrics: dict[str, None] = {}
    for sample in samples:
        count += 1
        place, columns, scores = _scored(sample, content)
        metrics |= dict.fromkeys(scores)
        if not scores and sample.get("error"):
            failed.append((place, columns))
        yield from ((place, {**columns, "metric": name, "score": score}) for name, score in scores.items())
    if not metrics:
        remedy = "score them with: inspect score" if count else "run the evaluation with log_samples"
        raise AbaloError(
            f"{visible(content.path)} samples: {count or 'none'}{', none with a score' if count else ''}; expected the "
            f"samples with their scores; {remedy}"
        )
    yield from ((place, {**columns, "metric": name, "score": None}) for place, columns in failed for name in metrics)


def _scored(sample: Mapping[str, Any], content: Content) -> tuple[object, Mapping[str, object], Mapping[str, object]]:
    """The place of a sample, its columns, and its scores by metric."""
    try:
        example, epoch = sample["id"], sample["epoch"]
        columns = {**fields_of(sample.get("metadata")), "id": example, "run": str(epoch)}
        scores = (sample.get("scores") or {}).items()
        found = dict(part for name, score in scores for part in _parts(name, score["value"]))
    except (KeyError, TypeError, AttributeError) as error:
        raise AbaloError(
            f"{visible(content.path)} samples: {visible(error)} in a sample; expected id, epoch and scores"
        ) from error
    return f"sample {example} epoch {epoch}", columns, found


def _parts(name: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        yield from ((f"{name}/{part}", _number(each)) for part, each in value.items())
    elif isinstance(value, list):
        yield from ((f"{name}/{place}", _number(each)) for place, each in enumerate(value))
    else:
        yield name, _number(value)


def _number(value: object) -> object:
    return _VALUES.get(value, value) if isinstance(value, str) else value


# The format .eval -----------------------------------------------------------------------------------------------------


def _unzipped(content: Content) -> tuple[Mapping[str, Any], Iterator[Mapping[str, Any]]]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(content.data))
        names = {member.filename: member for member in archive.infolist()}
    except (zipfile.BadZipFile, ValueError) as error:
        raise AbaloError(f"{visible(content.path)}: a damaged log ({visible(error)}); fetch it again") from error
    size = sum(member.file_size for member in names.values())
    if size > min(LARGEST, max(2**26, _EXPANSION * len(content.data))):
        raise AbaloError(
            f"{visible(content.path)}: {size:,} bytes when unpacked, too many for a log of {len(content.data):,}; "
            "convert it with: inspect log convert --to json"
        )
    if "header.json" not in names:
        raise AbaloError(
            f"{visible(content.path)}: has no header.json, so the evaluation did not end; run it to its end"
        )
    samples = sorted(name for name in names if name.startswith("samples/") and name.endswith(".json"))
    return (
        _member(archive, names["header.json"], content),
        (_member(archive, names[name], content) for name in samples),
    )


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, content: Content) -> Mapping[str, Any]:
    try:
        data = _zstandard(content, member) if member.compress_type == _ZSTANDARD else archive.read(member)
        found = json.loads(data)
    except (zipfile.BadZipFile, ValueError, RecursionError, EOFError, zlib.error, NotImplementedError) as error:
        raise AbaloError(
            f"{visible(content.path)} {visible(member.filename)}: damaged ({visible(error)}); fetch the log again"
        ) from error
    if not isinstance(found, dict):
        raise AbaloError(f"{visible(content.path)} {visible(member.filename)}: expected a JSON object")
    return found


def _zstandard(content: Content, member: zipfile.ZipInfo) -> bytes:
    """Zstandard in zip files, which `zipfile` reads from Python 3.14 [APPNOTE.TXT 6.3.10, 4.3.7 and 4.4.5]."""
    try:
        import zstandard
    except ImportError as error:
        raise AbaloError(
            f"{visible(content.path)}: packed with Zstandard, which needs a package: pip install zstandard; or convert "
            "the log with: inspect log convert --to json"
        ) from error
    head = member.header_offset
    name, extra = (int.from_bytes(content.data[head + at : head + at + 2], "little") for at in (26, 28))
    start = head + 30 + name + extra
    packed = content.data[start : start + member.compress_size]
    try:
        stream = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(packed), read_across_frames=True)
        data: bytes = stream.read(member.file_size + 1)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error
    if len(data) != member.file_size or zlib.crc32(data) != member.CRC:
        raise ValueError("its checksum differs")
    return data


READER = ScoreFileReader("Inspect", _reads, _read)
