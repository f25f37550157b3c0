from dataclasses import replace

import pytest

from abalo.corpora import load
from tests.texts import TextWith

ANN_LEFT_PARIS = "[Ann Smith PER] left [Paris LOC]"


def columns(tags):
    words = ["Ann", "Smith", "left", "Paris"]
    return "\n".join(map(" ".join, zip(words, tags.split(), strict=True)))


@pytest.mark.parametrize(
    ("tags", "scheme"),
    [("B-PER I-PER O B-LOC", "BIO"), ("B-PER E-PER O S-LOC", "BIOES"), ("B-PER L-PER O U-LOC", "BIOES")],
    ids=["bio", "bioes", "bilou"],
)
def test_the_scheme_is_read_off_the_tags(written, rendered, tags, scheme):
    corpus = load(written(columns(tags)))
    assert rendered(corpus) == [ANN_LEFT_PARIS]
    assert corpus.sentences[0].tags == ("B-PER", "I-PER", "O", "B-LOC")
    assert (corpus.scheme, corpus.repairs) == (scheme, 0)


def test_b_only_right_after_its_own_type_is_iob1(written):
    corpus = load(written("Ann I-PER\nSmith I-PER\nBob B-PER\nParis I-LOC\nleft O\n\nRome I-LOC\n"))
    assert corpus.scheme == "IOB1"
    assert [sentence.tags for sentence in corpus.sentences] == [
        ("B-PER", "I-PER", "B-PER", "B-LOC", "O"),
        ("B-LOC",),
    ]


def test_the_scheme_is_that_of_the_whole_file_whatever_the_limit(written):
    name = written("Ann I-PER\n\nAnn I-PER\nBob B-PER\n")
    assert load(name, limit=1).scheme == load(name).scheme == "IOB1"


def test_one_b_elsewhere_makes_it_bio(written, refusal):
    assert refusal(written("Ann I-PER\nBob B-PER\n\nRome B-LOC\n")).startswith(
        "dev.conll:1: 'Ann' is I-PER without a B-PER before it; in BIO"
    )


def test_the_middle_of_bmes_is_inside(written, rendered):
    corpus = load(written("Ana B-PER\nde M-PER\nReis E-PER\nfoi O\nFaro S-LOC\n"))
    assert rendered(corpus) == ["[Ana de Reis PER] foi [Faro LOC]"]
    assert (corpus.scheme, corpus.notices) == ("BIOES", ())
    assert replace(load("dev.conll?scheme=bioes"), name="dev.conll") == corpus


def test_bioes_of_three_tokens_becomes_bio(written):
    name = written("a B-X\nb I-X\nc E-X\nd B-X\ne E-X\nf S-X\n")
    assert load(name).sentences[0].tags == ("B-X", "I-X", "I-X", "B-X", "I-X", "B-X")


def test_a_scheme_by_name_overrides_what_the_tags_say(written):
    corpus = load(written("Ann I-PER\nleft O\n") + "?scheme=iob1")
    assert (corpus.sentences[0].tags, corpus.scheme, corpus.repairs) == (("B-PER", "O"), "IOB1", 0)


@pytest.mark.parametrize("called", ["bio", "iob1", "bioes"])
def test_every_name_of_a_scheme_is_understood(written, called):
    assert load(written("left O\n") + f"?scheme={called}").scheme == called.upper()


def test_an_unknown_scheme_is_an_error_that_lists_the_known(written, refusal):
    assert refusal(written("Ann B-PER\n") + "?scheme=bioess") == (
        "dev.conll?scheme=bioess: scheme=bioess; expected one of bio, iob1, bioes; did you mean 'bioes'?"
    )


def test_an_i_without_its_b_is_an_error_that_names_both_ways_out(written, refusal):
    assert refusal(written("Rome B-LOC\nleft O\nAnn I-PER\n")) == (
        "dev.conll:3: 'Ann' is I-PER without a B-PER before it; in BIO an entity starts with B-; correct it, or read "
        "it as B-PER with FILE?lenient, or the whole as IOB1 with FILE?scheme=iob1"
    )


@pytest.mark.parametrize("before", ["O", "B-LOC", "I-LOC"])
def test_an_i_after_anything_but_its_own_type_is_an_error(written, refusal, before):
    name = written(f"x B-LOC\ny {before}\nSmith I-PER\n")
    assert refusal(name).startswith("dev.conll:3: 'Smith' is I-PER without a B-PER before it")


def test_an_i_that_starts_a_sentence_does_not_continue_the_one_before(written, refusal):
    assert refusal(written("Ann B-PER\n\nSmith I-PER\n")).startswith("dev.conll:3: 'Smith' is I-PER without")


def test_a_file_with_no_b_at_all_is_iob1_and_says_so(written, rendered):
    corpus = load(written("Ann I-PER\nSmith I-PER\nRome I-LOC\nleft O\n\nBob I-PER\n"))
    assert rendered(corpus) == ["[Ann Smith PER] [Rome LOC] left", "[Bob PER]"]
    assert (corpus.scheme, corpus.repairs) == ("IOB1", 0)
    (notice,) = corpus.notices
    assert notice == TextWith("dev.conll has no B- label", "IOB1", "FILE?scheme=NAME")
    assert corpus.first(1).notices == corpus.notices


def test_lenient_reading_of_a_file_with_no_b_at_all_repairs_nothing(written):
    assert load(written("Ann I-PER\nSmith I-PER\n") + "?lenient").repairs == 0


@pytest.mark.parametrize("b_elsewhere", ["Ann I-PER\n\nBob I-PER\nCid B-PER\n", "Ann B-PER\n", "left O\n"])
def test_where_the_tags_tell_there_is_no_notice(written, b_elsewhere):
    assert load(written(b_elsewhere)).notices == ()


def test_a_scheme_that_is_said_needs_no_notice(written, refusal):
    assert load(written("Ann I-PER\n") + "?scheme=iob1").notices == ()
    assert "'Ann' is I-PER without a B-PER before it" in refusal("dev.conll?scheme=bio")


def test_a_b_beyond_the_limit_counts(written, refusal):
    assert "'Ann' is I-PER without a B-PER before it" in refusal(written("Ann I-PER\n\nBob B-PER\n"), limit=1)


@pytest.mark.parametrize("tag", ["B-O", "I-O", "S-O", "E-O"])
@pytest.mark.parametrize("lenient", ["", "?lenient"], ids=["strict", "lenient"])
def test_no_entity_type_may_be_called_o(written, refusal, tag, lenient):
    assert refusal(written(f"Rome B-LOC\nAnn {tag}\n") + lenient).splitlines()[-1].strip() == (
        f"dev.conll:2: 'Ann' has the tag '{tag}', of an entity type called O; expected another name, since O stands "
        "for no entity; rename the type"
    )


def test_lenient_reading_opens_an_entity_at_an_i_without_its_b(written, rendered):
    corpus = load(written("Rome B-LOC\nAnn I-PER\nSmith I-PER\n\nBob I-PER\n") + "?lenient")
    assert rendered(corpus) == ["[Rome LOC] [Ann Smith PER]", "[Bob PER]"]
    assert corpus.repairs == 2


def test_an_entity_of_bioes_that_never_ends_is_an_error(written, refusal):
    message = refusal(written("Ann B-PER\nleft O\nRome S-LOC\nBob B-PER\n"))
    assert "dev.conll:1: 'Ann' is B-PER, but its entity never ends; in BIOES the last token" in message
    assert "dev.conll:4: 'Bob' is B-PER, but its entity never ends" in message


def test_lenient_reading_of_bioes_counts_every_slip(written, rendered):
    corpus = load(written("Ann B-PER\nleft O\nRome S-LOC\nBob E-PER\nCid I-PER\n") + "?lenient")
    assert rendered(corpus) == ["[Ann PER] left [Rome LOC] [Bob PER] [Cid PER]"]
    assert corpus.repairs == 4  # Ann never ends; Bob and Cid never began; Cid never ends


@pytest.mark.parametrize("tag", ["PER", "B", "B-", "b-PER", "B_PER", "-", "_"])
def test_a_tag_with_an_unknown_prefix_is_an_error(written, refusal, tag):
    assert refusal(written(f"Rome B-LOC\nAnn {tag}\n")) == (
        f"dev.conll:2: 'Ann' has the tag '{tag}'; expected O, or one of B-, I- and a type (BIO); "
        "correct it, or name another scheme with FILE?scheme=NAME"
    )


def test_a_tag_outside_the_scheme_asked_for_is_an_error(written, refusal):
    assert "'Ann' has the tag 'S-PER'; expected O, or one of B-, I- and a type (BIO)" in refusal(
        written("Ann S-PER\n") + "?scheme=bio"
    )


def test_what_follows_a_tag_that_cannot_be_read_is_not_held_against_it(written, refusal):
    assert "\n" not in refusal(written("Rome B-LOC\nAnn QQ\nSmith I-PER\n"))


def test_an_i_without_its_b_in_bioes_is_not_said_to_be_iob1(written, refusal):
    assert refusal(written("Rome S-LOC\nAnn E-PER\n")) == (
        "dev.conll:2: 'Ann' is E-PER without a B-PER before it; in BIOES an entity starts with B-; correct it, or read "
        "it as B-PER with FILE?lenient"
    )
