"""Decodes UTF-8, UTF-16 and UTF-32; finds GB 18030."""

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
_DECLARED = re.compile(rb"""\s*<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z][\w.-]*)["']""")
_USUAL_CHINESE = frozenset("的一是了不在人有我他这中大来上国和地到个们为以说")
_CHINESE = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uff5e“”‘’—…·《》]")
_SHARE_CHINESE = 0.95
_SHARE_USUAL = 0.04
_READ_AS_UTF_8 = ("utf-8", "ascii", "idna")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SAMPLE = 4096
_NULLS = 0.4
"""Minimum share of null bytes in alphabetic UTF-16."""


def encoding_of(data: bytes) -> str:
    """The byte order mark's encoding, or UTF-8."""
    return next((name for mark, name in _MARKS.items() if data.startswith(mark)), "utf-8-sig")


def _declared(data: bytes) -> str | None:
    """The encoding that XML declares, if it is known here; no wide one, in which this could not be read."""
    found = _DECLARED.match(data)
    if found is None:
        return None
    try:
        name = codecs.lookup(found[1].decode()).name
        wide = "<".encode(name) != b"<"
    except (LookupError, UnicodeError):
        return None
    return None if wide or name in _READ_AS_UTF_8 else name


def text_of(data: bytes, findings: Findings, *, mendable: bool = True) -> str:
    """The text in ``data``, without its byte order mark. XML that is not UTF-8 is read as it declares.

    U+FFFD replaces invalid bytes if ``mendable``, else the line becomes empty. Raises `AbaloError` for faulty UTF-16 or
    UTF-32, and for UTF-16 without a mark.
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
        if (declared := _declared(data)) is not None:
            return _wide(data, declared, findings.source)
        if _is_gb_18030(data):
            raise AbaloError(
                f"{findings.source}: seems to be GB 18030 (GBK, GB 2312), as Chinese files often are; expected UTF-8; "
                "convert the file: iconv -f gb18030 -t utf-8"
            ) from None
        lines = enumerate(data.split(b"\n"), start=1)
        return "\n".join(_decode(line, number, findings, mendable=mendable) for number, line in lines)


def _is_gb_18030(data: bytes) -> bool:
    """Whether the data are Chinese in GB 18030. What is Korean or Latin-1 can be read so, too, but makes no sense."""
    try:
        signs = [sign for sign in data.decode("gb18030") if not sign.isascii()]
    except UnicodeDecodeError:
        return False
    chinese = sum(map(bool, map(_CHINESE.match, signs)))
    return chinese > _SHARE_CHINESE * len(signs) and sum(sign in _USUAL_CHINESE for sign in signs) > _SHARE_USUAL * len(
        signs
    )


def _wide(data: bytes, encoding: str, source: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        told = f"begins as {encoding.upper()} does" if encoding in _MARKS.values() else f"declares {encoding}"
        raise AbaloError(
            f"{source}: {told}, but byte {error.start + 1} is none ({error.reason}); expected one encoding throughout; "
            "save the file as UTF-8"
        ) from error


def _lacks_its_mark(data: bytes) -> bool:
    sample = data[:_SAMPLE]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if min(even, odd) == 0 and max(even, odd) > _NULLS * len(sample):
        return True
    beside = max(sample.count(b"\n\0"), sample.count(b"\0\n"))
    return 2 * beside > sample.count(b"\n")


def _decode(line: bytes, number: int, findings: Findings, *, mendable: bool) -> str:
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
            "Latin-1), or put U+FFFD there with FILE?lenient",
        )
        return line.decode("utf-8", "replace")


def is_unicode(text: str) -> bool:
    """Whether ``text`` has no lone surrogates."""
    return _SURROGATE.search(text) is None


def without_surrogates(text: str) -> str:
    """Replaces lone surrogates by U+FFFD."""
    return _SURROGATE.sub("\ufffd", text)
