"""CoNLL-U that breaks its own rules."""

import pytest

from abalo.errors import AbaloError
from abalo.tasks.pos.corpus import load


def word(number: object, form: str = "a", tag: str = "NOUN") -> str:
    return f"{number}\t{form}\t_\t{tag}\t_\t_\t0\t_\t_\t_\n"


def span(numbers: str) -> str:
    return f"{numbers}\tab" + "\t_" * 8 + "\n"


AN_ID = "expected a whole number from 1, a range such as 3-4 or an empty node such as 3.1; correct it"

REFUSED = {
    "no words": ("# only a comment\n\n", "dev.conllu: no sentences; expected at least one word with its tag"),
    "only an empty node": (span("1.1"), "dev.conllu: no sentences; expected at least one word with its tag"),
    "an ID of five thousand digits": (word("9" * 5_000), f"; {AN_ID}"),
    "a range of five thousand digits": (span(f"1-{'9' * 5_000}") + word(1), f"; {AN_ID}"),
    "a word 0": (word(0), f"dev.conllu:1: the ID is '0'; {AN_ID}"),
    "a word -1": (word(-1), f"dev.conllu:1: the ID is '-1'; {AN_ID}"),
    "a word 1.0": (word("1.0"), f"dev.conllu:1: the ID is '1.0'; {AN_ID}"),
    "digits of another script": (word("\u0661"), f"dev.conllu:1: the ID is '\u0661'; {AN_ID}"),
    "a sentence that begins with word 2": (word(2), "dev.conllu:1: the ID is 2 after 0; expected 1"),
    "a word twice": (word(1) * 2, "dev.conllu:2: the ID is 1 after 1; expected 2, or an empty line before"),
    "a gap": (word(1) + word(3), "dev.conllu:2: the ID is 3 after 1; expected 2"),
    "a range backwards": (span("2-1") + word(1), "dev.conllu:1: the range is 2-1 after word 0"),
    "two ranges over each other": (
        span("1-2") * 2 + word(1) + word(2),
        "dev.conllu:2: the range is 1-2 after word 0; expected one that begins with 1, ends later and overlaps no",
    ),
    "a range beyond the sentence": (span("1-3") + word(1), "dev.conllu:2: the sentence ends with word 1; expected"),
    "nine columns": ("1\ta\t_\tX\t_\t_\t0\t_\t_\n", "dev.conllu:1: 9 columns, '1 a _ X _ _ 0 _ _'; expected 10"),
    "eleven columns": (word(1).rstrip("\n") + "\tx\n", "dev.conllu:1: 11 columns"),
    "spaces for tabs": (word(1).replace("\t", " "), "dev.conllu:1: 1 column, '1 a _ NOUN _ _ 0 _ _ _'; expected 10"),
    "no tag at all": (word(1, tag="_"), "dev.conllu: no word has a tag in column UPOS; expected the part of speech"),
    "a tag too few": (word(1) + word(2, "b", "_"), "dev.conllu:2: 'b' has no UPOS; expected its part of speech"),
    "a word of white space": (word(1, "\u00a0"), r"dev.conllu:1: the FORM is '\xa0'; expected at least one visible"),
    "a tag with a zero-width space": (
        word(1) + word(2, "b", "NO\u200bUN"),
        r"dev.conllu:2: 'b' has the tag 'NO\u200bUN', with characters that cannot be seen; expected a tag without",
    ),
    "a tag that turns the line around": (word(1, "a", "\u202eX"), r"has the tag '\u202eX', with characters that"),
    "Latin-1": (word(1).encode() + b"2\t\xe7" + b"\t_" * 8, "dev.conllu:2: byte 3 of the line (0xe7) is not UTF-8"),
    "carriage returns": (word(1).replace("\n", "\r") * 2, "dev.conllu:1: a lone carriage return"),
}


@pytest.mark.parametrize(("content", "said"), REFUSED.values(), ids=REFUSED)
def test_what_breaks_the_rules_is_refused_with_its_place(written, content, said):
    with pytest.raises(AbaloError) as caught:
        load(written(content, "dev.conllu"))
    assert said in str(caught.value)


def test_two_columns_too_have_tags_that_can_be_seen(written):
    with pytest.raises(AbaloError, match=r"dev\.conllx:2: 'b' has the tag '\\x1b\[31mX', with characters that cannot"):
        load(written("a NOUN\nb \x1b[31mX\n", "dev.conllx"))


VALID = {
    "an underscore": (word(1, "_"), (("_",), ("NOUN",))),
    "markup": (word(1, "<script>", "<b>"), (("<script>",), ("<b>",))),
    "tags that look like entities": (word(1, "Ann", "B-PER"), (("Ann",), ("B-PER",))),
}


@pytest.mark.parametrize(("content", "tagged"), VALID.values(), ids=VALID)
def test_what_is_odd_and_valid_is_read_as_it_stands(written, content, tagged):
    [sentence] = load(written(content, "dev.conllu")).sentences
    assert (sentence.tokens, sentence.tags) == tagged


TAGGERS = {
    "nothing": (b"", "cannot be read as a tagger"),
    "no arrays": (b"PK\x05\x06" + bytes(18), "tagger.npz: holds no arrays; expected features, labels, step, weights"),
    "a pickle": (b"\x80\x04}\x94.", "cannot be read as a tagger"),
    "text": (b"a tagger", "cannot be read as a tagger"),
}


@pytest.mark.parametrize(("content", "said"), TAGGERS.values(), ids=TAGGERS)
def test_a_tagger_that_is_none_is_refused(written, content, said):
    from abalo.models.tokens.linear import LinearTagger

    with pytest.raises(AbaloError) as caught:
        LinearTagger.load(written(content, "tagger.npz"))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("labels", "step"), [([], 1.0), (["X"], float("nan")), (["X"], 0.0), (["X"], "1"), (["X"], [1.0, 2.0])]
)
def test_a_tagger_needs_labels_and_a_step(tmp_path, labels, step):
    import numpy as np

    from abalo.models.tokens.linear import LinearTagger

    arrays = {"features": np.frombuffer(b"a", np.uint8), "weights": np.zeros((len(labels), 1), np.int8)}
    np.savez(tmp_path / "tagger.npz", labels=np.array(labels, dtype=str), step=np.array(step), **arrays)
    with pytest.raises(AbaloError, match=r"expected (some|a number above 0)"):
        LinearTagger.load(tmp_path / "tagger.npz")
