"""Files that are no columns of tokens and tags, and columns that are odd and valid all the same."""

import pytest

from abalo.corpora import load
from abalo.errors import AbaloError

A_TAG = "expected O, or one of B-, I- and a type (BIO)"

REFUSED = {
    "a lower-case o": ("Ann B-PER\nleft o\n", f"dev.conll:2: 'left' has the tag 'o'; {A_TAG}"),
    "a zero for O": ("Ann B-PER\nleft 0\n", f"dev.conll:2: 'left' has the tag '0'; {A_TAG}"),
    "a Cyrillic O": ("Ann B-PER\nleft \u041e\n", f"dev.conll:2: 'left' has the tag '\u041e'; {A_TAG}"),
    "one lower-case prefix": ("Ann b-PER\nRome B-LOC\n", f"dev.conll:1: 'Ann' has the tag 'b-PER'; {A_TAG}"),
    "one underscore": ("Ann B_PER\nRome B-LOC\n", f"dev.conll:1: 'Ann' has the tag 'B_PER'; {A_TAG}"),
    "the position last once": ("Ann PER-B\nRome B-LOC\n", f"dev.conll:1: 'Ann' has the tag 'PER-B'; {A_TAG}"),
    "tags first": ("B-PER Ann\nO left\n", "dev.conll: the tags are in the first column; expected the token first"),
    "a heading of its own": ("Wort\tMarke\nAnn\tB-PER\n", f"dev.conll:1: 'Wort' has the tag 'Marke'; {A_TAG}"),
    "a type called O": ("Ann B-O\nleft O\n", "dev.conll:1: 'Ann' has the tag 'B-O', of an entity type called O"),
    "a type called overall": (
        "Ann B-overall\n",
        "has the tag 'B-overall', of an entity type called overall; expected another name, since overall stands for",
    ),
    "the inside of a type called O": ("Ann I-O\n", "dev.conll:1: 'Ann' has the tag 'I-O', of an entity type called O"),
    "a type with a zero-width space": (
        "Ann B-P\u200bER\nBob B-PER\n",
        r"dev.conll:1: 'Ann' has the tag 'B-P\u200bER', with characters that cannot be seen; expected a type without",
    ),
    "a type that turns the line around": (
        "Ann B-\u202ePER\n",
        r"dev.conll:1: 'Ann' has the tag 'B-\u202ePER', with characters that cannot be seen",
    ),
    "a type that colours a terminal": (
        "Ann B-\x1b[31mPER\n",
        r"dev.conll:1: 'Ann' has the tag 'B-\x1b[31mPER', with characters that cannot be seen",
    ),
    "a null in a type": (
        "Ann B-P\0ER\nleft O\n",
        r"dev.conll:1: 'Ann' has the tag 'B-P\x00ER', with characters that cannot be seen",
    ),
    "a no-break space in a type": (
        "Ann\tB-PER\u00a0\nleft\tO\n",
        r"dev.conll:1: 'Ann' has the tag 'B-PER\xa0', with characters that cannot be seen",
    ),
    "escapes in a tag that is none": (
        "Ann \u202eXX\x1b[31m\nleft O\n",
        r"dev.conll:1: 'Ann' has the tag '\u202eXX\x1b[31m'; expected O",
    ),
    "no-break spaces between columns": ("Ann\u00a0B-PER\nleft\u00a0O\n", "dev.conll:1: one column here and on every"),
    "bars between columns": ("Ann|B-PER\nleft|O\n", "its tag last; put a tab in place of '|'"),
    "all on one line": ("Ann|B-PER left|O\n", "dev.conll: words with their tags in one line, such as Ann|B-PER"),
    "a space in a type": ("Ann\tB-FIRST NAME\nleft\tO\n", "dev.conll:1: unknown column count: lines differ"),
    "two schemes at once": (
        "Ann B-PER\nSmith E-PER\nRome I-LOC\nx O\n",
        "dev.conll:3: 'Rome' is I-LOC without a B-LOC before it; in BIOES an entity starts with B-",
    ),
    "brackets": ("[Ann PER] left\n", "dev.conll:1: '[Ann' has the tag 'left'"),
    "a merge conflict": ("<<<<<<< HEAD\nAnn B-PER\n=======\nAnn O\n>>>>>>> x\n", "dev.conll:3: '=======' has no tag"),
    "a page that says not found": (
        "<!DOCTYPE html><html><body>404 Not Found</body></html>\n",
        "dev.conll:1: '<!DOCTYPE' has the tag 'Found</body></html>'",
    ),
    "XML": ("<?xml version='1.0'?>\n<doc><s>Ann</s></doc>\n", "dev.conll:2: '<doc><s>Ann</s></doc>' has no tag"),
    "YAML": ("- tokens: [Ann]\n  tags: [O]\n", "dev.conll:1: unknown column count"),
    "a readme": ("# Data\n\nThis is a corpus of law.\n", "dev.conll:3: 'This' has the tag 'law.'"),
    "a pointer of Git LFS": (
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n",
        "dev.conll: a pointer of Git LFS, not the file; run git lfs pull",
    ),
    "CoNLL-2009": ("1\tAnn\tann\t_\tNNP\tNNP\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\n", "dev.conll:1: 'Ann' has the tag '_'"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x01\xfe", "dev.conll:1: byte 1 of the line (0x89) is not UTF-8"),
    "a database": (b"SQLite format 3\0" + bytes(64), "dev.conll:1: 'SQLite' has the tag '3"),
    "nothing but nulls": (bytes(1000), "dev.conll:1: one column here and on every line"),
    "half a surrogate pair in bytes": (b"Ann\xed\xa0\x80 B-PER\n", "dev.conll:1: byte 4 of the line (0xed) is not"),
    "an overlong encoding": (b"A\xc0\x80nn B-PER\n", "dev.conll:1: byte 2 of the line (0xc0) is not UTF-8"),
    "one byte too many in UTF-16": ("Ann B-PER\n".encode("utf-16") + b"x", "dev.conll: begins as UTF-16 does, but"),
    "two carriage returns": ("Ann B-PER\r\r\nleft O\r\n", "dev.conll:1: a lone carriage return"),
}


@pytest.mark.parametrize(("content", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_columns_is_refused_with_its_place(written, refusal, content, said):
    message = refusal(written(content))
    assert said in message
    assert message.replace("\n", "").isprintable()


VALID = {
    "a null in a token": ("A\0nn B-PER\nleft O\n", ["[A\0nn PER] left"]),
    "a token that no one sees": ("\u200b B-PER\nleft O\n", ["[\u200b PER] left"]),
    "a token that turns the line around": ("\u202eAnn B-PER\nleft O\n", ["[\u202eAnn PER] left"]),
    "a byte order mark inside": ("Ann B-PER\n\ufeffleft O\n", ["[Ann PER] \ufeffleft"]),
    "two byte order marks": ("\ufeff\ufeffAnn B-PER\nleft O\n", ["[\ufeffAnn PER] left"]),
    "line separators of Unicode inside a token": ("An\u2028n\u0085 B-PER\nleft O\n", ["[An\u2028n\u0085 PER] left"]),
    "a hyphen in a type": ("Ann B-PER-X\nSmith I-PER-X\n", ["[Ann Smith PER-X]"]),
    "signs of other notations in a type": ("Ann B-A=B,C\nleft O\n", ["[Ann A=B,C] left"]),
    "markup in a type": ("Ann B-<b>\nleft O\n", ["[Ann <b>] left"]),
    "white space at the ends of lines": ("Ann B-PER   \n \t \nleft O\n", ["[Ann PER]", "left"]),
    "no entity at all": ("Ann O\nleft O\n", ["Ann left"]),
    "no line end at the end": ("Ann B-PER\nleft O", ["[Ann PER] left"]),
    "entities that touch": ("Ann B-PER\nBob B-PER\nEve I-PER\n", ["[Ann PER] [Bob Eve PER]"]),
    "carriage returns before line feeds": ("Ann B-PER\r\n\r\nleft O\r\n", ["[Ann PER]", "left"]),
}


@pytest.mark.parametrize(("content", "sentences"), VALID.values(), ids=VALID)
def test_what_is_odd_and_valid_is_read_as_it_stands(written, rendered, content, sentences):
    assert rendered(load(written(content))) == sentences


def test_five_million_characters_in_a_token_are_a_token(written):
    corpus = load(written("Ann B-PER\n" + "x" * 5_000_000 + " O\n"))
    assert [len(token) for token in corpus.sentences[0].tokens] == [3, 5_000_000]


def test_of_a_line_of_five_million_characters_little_is_said(written, refusal):
    assert len(refusal(written("Ann B-PER\n" + "x" * 5_000_000 + "\n"))) < 200


def test_three_thousand_types_are_three_thousand_types(written):
    assert len(load(written("".join(f"w{i} B-T{i}\n" for i in range(3_000)))).types) == 3_000


def test_of_many_column_counts_only_the_first_are_told(tmp_path):
    path = tmp_path / "dev.conll"
    path.write_text("a O\na b O\na b c O\na b c d O\na b c d e O\n", "utf-8")
    with pytest.raises(AbaloError, match=r"4 columns on 1 \(first on line 3\), and 2 other counts; expected one count"):
        load(str(path))
