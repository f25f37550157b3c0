"""From bytes to text: UTF-8, or what the byte order mark at the beginning says."""

from __future__ import annotations

import codecs
import re

from abalo.corpora.findings import Findings
from abalo.errors import AbaloError

_MARKS = {  # the mark of UTF-32 begins with that of UTF-16
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_SURROGATE = re.compile("[\ud800-\udfff]")
_SAMPLE = 4096
_NULLS = 0.4
"""The least share of null bytes in UTF-16 of a text in an alphabet: each second byte is one, but for a few signs."""


def encoding_of(data: bytes) -> str:
    """The name of the encoding that begins with the mark of ``data``; UTF-8 without one."""
    return next((name for mark, name in _MARKS.items() if data.startswith(mark)), "utf-8-sig")


def text_of(data: bytes, findings: Findings, *, mendable: bool = True) -> str:
    """The text in ``data``, without its byte order mark.

    Each line with bytes that are not UTF-8 is a finding. Where lenient reading can be asked for, as ``mendable`` says,
    U+FFFD stands in their place; elsewhere the line is empty. Raises AbaloError for UTF-16 or UTF-32 that cannot be
    read, and for UTF-16 without a mark.
    """
    encoding = encoding_of(data)
    if encoding != "utf-8-sig":
        return _wide(data, encoding, findings.source)
    if _lacks_its_mark(data):
        raise AbaloError(
            f"{findings.source}: looks like UTF-16, but has no byte order mark; expected UTF-8, or UTF-16 with "
            "its mark; save the file as UTF-8"
        )
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        lines = enumerate(data.split(b"\n"), start=1)
        return "\n".join(_decoded(line, number, findings, mendable=mendable) for number, line in lines)


def _wide(data: bytes, encoding: str, source: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        name = encoding.upper()
        raise AbaloError(
            f"{source}: begins as {name} does, but byte {error.start + 1} is none ({error.reason}); expected one "
            "encoding throughout; save the file as UTF-8"
        ) from error


def _lacks_its_mark(data: bytes) -> bool:
    """Whether this is UTF-16 without a mark: each second byte is null, or most line ends have a null byte beside them.

    The latter is so in languages whose signs have no null byte.
    """
    sample = data[:_SAMPLE]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if min(even, odd) == 0 and max(even, odd) > _NULLS * len(sample):
        return True
    beside = max(sample.count(b"\n\0"), sample.count(b"\0\n"))
    return 2 * beside > sample.count(b"\n")


def _decoded(line: bytes, number: int, findings: Findings, *, mendable: bool) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = f"byte {error.start + 1} of the line (0x{line[error.start]:02x})"
        if not mendable:
            findings.error(number, f"{byte} is not UTF-8; expected UTF-8 throughout; save the file as UTF-8")
            return ""
        findings.mended(
            number,
            f"{byte} is not UTF-8; expected UTF-8 throughout; convert the file (iconv -f latin1 -t utf-8, if it is "
            "Latin-1), or put U+FFFD there with --abalo-lenient",
        )
        return line.decode("utf-8", "replace")


def is_unicode(text: str) -> bool:
    """Whether UTF-8 can hold ``text``: there is no half of a surrogate pair in it."""
    return _SURROGATE.search(text) is None


def without_surrogates(text: str) -> str:
    """``text`` with U+FFFD for each half of a surrogate pair."""
    return _SURROGATE.sub("\ufffd", text)
