"""Files packed with gzip, and texts in other encodings than UTF-8."""

import gzip
import time

import pytest

from abalo.corpora import load
from abalo.corpora.peek import holds_entities, holds_other_labels

COLUMNS = "Ann B-PER\nSmith I-PER\nleft O\n\nParis B-LOC\n"
RECORDS = (
    '{"tokens": ["Ann", "Smith", "left"], "tags": ["B-PER", "I-PER", "O"]}\n{"tokens": ["Paris"], "tags": ["B-LOC"]}\n'
)
RENDERED = ["[Ann Smith PER] left", "[Paris LOC]"]


def packed(text: str) -> bytes:
    return gzip.compress(text.encode(), mtime=0)


@pytest.mark.parametrize(
    ("text", "name"),
    [(COLUMNS, "dev.conll.gz"), (COLUMNS, "dev.gz"), (RECORDS, "dev.jsonl.gz"), (RECORDS, "DEV.JSONL.GZ")],
)
def test_a_packed_file_is_read_as_what_is_in_it(written, rendered, text, name):
    assert rendered(load(written(packed(text), name))) == RENDERED


def test_gzip_is_known_by_its_bytes_whatever_the_file_is_called(written, rendered):
    assert rendered(load(written(packed(COLUMNS), "dev.conll"))) == RENDERED


def test_gzip_of_several_parts_is_read_whole(written, rendered):
    halves = COLUMNS.split("\n\n")
    assert rendered(load(written(packed(halves[0] + "\n\n") + packed(halves[1]), "dev.conll.gz"))) == RENDERED


def test_packing_and_encoding_leave_the_digest_as_it_is(written):
    plain = load(written(COLUMNS)).sha256
    assert load(written(packed(COLUMNS), "a.conll.gz")).sha256 == plain
    assert load(written(COLUMNS.encode("utf-16"), "b.conll")).sha256 == plain
    assert load(written(f"[{RECORDS.strip().replace(chr(10), ',')}]", "c.json")).sha256 == plain


def test_gzip_that_is_cut_short_is_one_error(written, refusal):
    assert refusal(written(packed(COLUMNS)[:-9], "dev.conll.gz")) == (
        "dev.conll.gz: the gzip in it is cut short; expected a whole file; fetch it again"
    )


@pytest.mark.parametrize("place", [3, 20, -6, -2], ids=["flags", "data", "checksum", "length"])
def test_gzip_that_is_damaged_is_one_error(written, refusal, place):
    data = bytearray(packed(COLUMNS))
    data[place] ^= 0xFF
    message = refusal(written(bytes(data), "dev.conll.gz"))
    assert message.startswith("dev.conll.gz: the gzip in it is ")
    assert message.endswith("; expected a whole file; fetch it again")
    assert "\n" not in message


def test_gzip_followed_by_something_else_is_one_error(written, refusal):
    assert refusal(written(packed(COLUMNS) + b"Ann B-PER\n", "dev.conll.gz")).startswith(
        "dev.conll.gz: the gzip in it is damaged (Not a gzipped file"
    )


def test_a_name_that_says_gzip_must_be_gzip(written, refusal):
    assert refusal(written(COLUMNS, "dev.conll.gz")) == (
        "dev.conll.gz: ends in .gz, but begins with the bytes 41 6e; expected 1f 8b, as gzip does; fetch it again, or "
        "rename it if it is not packed"
    )


def test_gzip_in_gzip_is_one_error(written, refusal):
    assert refusal(written(gzip.compress(packed(COLUMNS)), "dev.conll.gz")) == (
        "dev.conll.gz: packed with gzip twice; unpack it once"
    )


def test_a_bomb_is_refused_in_a_moment(written, refusal):
    name = written(gzip.compress(bytes(2**26) + b"x", compresslevel=1), "dev.conll.gz")
    began = time.process_time()
    assert refusal(name) == (
        "dev.conll.gz: larger than 67,108,864 bytes when unpacked; expected at most that many; unpack it with gunzip "
        "and look at what is in it"
    )
    assert not holds_entities(name)
    assert not holds_other_labels(name)
    assert time.process_time() - began < 2


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "utf-8"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_a_byte_order_mark_tells_the_encoding(written, encoding, ending):
    text = f"\ufeffSão B-LOC{ending}Paulo I-LOC{ending}{ending}北 B-LOC{ending}"
    corpus = load(written(text.encode(encoding)))
    assert [sentence.tokens for sentence in corpus.sentences] == [("São", "Paulo"), ("北",)]


def test_packed_utf_16_of_json_lines_is_read(written, rendered):
    assert rendered(load(written(gzip.compress(RECORDS.encode("utf-16")), "dev.jsonl.gz"))) == RENDERED


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["Ann B-PER\nleft O\n", "ação O\nParis B-LOC\n", "一个非常非常长的词语 O\n"])
def test_utf_16_without_its_mark_is_one_error(written, refusal, encoding, text):
    assert refusal(written(text.encode(encoding))) == (
        "dev.conll: looks like UTF-16, but has no byte order mark; expected UTF-8, or UTF-16 with its mark; save the "
        "file as UTF-8"
    )


def test_a_token_may_be_a_null(written):
    assert load(written("\0 O\na\0b O\n")).sentences[0].tokens == ("\0", "a\0b")


@pytest.mark.parametrize(
    ("content", "name", "reason"),
    [
        ("\ufeffAnn B-PER\n".encode("utf-16-le")[:-1], "UTF-16", "byte 21 is none (truncated data)"),
        ("\ufeffA".encode("utf-16-le") + b"\x00\xd8A\x00", "UTF-16", "byte 5 is none (illegal UTF-16 surrogate)"),
        (b"\xff\xfe\x00\x00Ann B-PER\n..", "UTF-32", "byte 5 is none (code point not in range(0x110000))"),
    ],
    ids=["cut", "half-a-pair", "no-utf-32"],
)
@pytest.mark.parametrize("lenient", ["", "?lenient"], ids=["strict", "lenient"])
def test_text_that_is_not_in_the_encoding_of_its_mark_is_one_error(written, refusal, content, name, reason, lenient):
    assert refusal(f"{written(content)}{lenient}") == (
        f"dev.conll: begins as {name} does, but {reason}; expected one encoding throughout; save the file as UTF-8"
    )


def test_bytes_that_are_not_utf_8_have_the_line_of_the_unpacked_text(written, refusal):
    assert refusal(written(gzip.compress(b"Ann B-PER\na\xe7 O\n"), "dev.conll.gz")).startswith(
        "dev.conll.gz:2: byte 2 of the line (0xe7) is not UTF-8"
    )
