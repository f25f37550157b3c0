import pytest

from abalo.corpora import load


@pytest.mark.parametrize("gap", [" ", "\t", "   ", " \t "], ids=["space", "tab", "spaces", "mixed"])
def test_columns_are_separated_by_spaces_or_tabs(written, rendered, gap):
    name = written(f"Ann{gap}B-PER\nleft{gap}O\n\nParis{gap}B-LOC\n")
    assert rendered(load(name)) == ["[Ann PER] left", "[Paris LOC]"]


def test_the_token_is_the_first_column_and_the_tag_the_last(written, rendered):
    name = written("Ann NNP I-NP B-PER\nleft VBD I-VP O\n")
    assert rendered(load(name)) == ["[Ann PER] left"]


def test_the_second_of_several_columns_may_tell_parts_of_speech(written):
    assert load(written("Ann NNP I-NP B-PER\nmust MD I-VP O\nleave VB I-VP O\n")).parts_of_speech == (
        ("PROPN", "AUX", "VERB"),
    )
    assert load(written("Ann PROPN B-PER\nsleeps VERB O\n\nParis PROPN B-LOC\n")).parts_of_speech == (
        ("PROPN", "VERB"),
        ("PROPN",),
    )


@pytest.mark.parametrize("text", ["Ann ann B-PER\nleft leave O\n", "Ann B-PER\nleft O\n"], ids=["lemmas", "nothing"])
def test_what_is_no_parts_of_speech_is_not_taken_for_them(written, text):
    assert load(written(text)).parts_of_speech is None


def test_a_tag_that_few_words_have_may_be_anything(written):
    rows = "the DET O\n" * 19 + "odd NN|SYM O\n"
    assert load(written(rows)).parts_of_speech == (("DET",) * 19 + ("X",),)
    assert load(written(rows + "odd NN|SYM O\n")).parts_of_speech is None


def test_the_first_sentences_keep_their_parts_of_speech(written):
    name = written("Ann PROPN B-PER\n\nleft VERB O\n")
    assert load(name, limit=1).parts_of_speech == (("PROPN",),)


def test_a_token_may_hold_a_space_where_tabs_separate(written):
    name = written("about\tO\n10 000\tO\nfrancs\tO\n")
    assert load(name).sentences[0].tokens == ("about", "10 000", "francs")


def test_a_line_with_spaces_among_lines_with_tabs_is_read_all_the_same(written, rendered):
    name = written("Ann\tB-PER\nleft O\nParis\tB-LOC\n")
    assert rendered(load(name)) == ["[Ann PER] left [Paris LOC]"]


@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("last", ["", "\n", "\n\n\n"], ids=["no-end", "one-end", "blank-lines"])
def test_line_ends_of_both_kinds_separate_lines(written, rendered, ending, last):
    name = written(f"Ann B-PER\nleft O\n\nParis B-LOC{last}".replace("\n", ending))
    assert rendered(load(name)) == ["[Ann PER] left", "[Paris LOC]"]


@pytest.mark.parametrize("separator", ["", " ", "\t", " \t \t"], ids=["empty", "space", "tab", "both"])
def test_lines_of_white_space_separate_sentences(written, rendered, separator):
    name = written(f"Ann\tB-PER\n{separator}\nParis\tB-LOC\n{separator}\n{separator}\n")
    assert rendered(load(name)) == ["[Ann PER]", "[Paris LOC]"]


def test_a_byte_order_mark_is_no_part_of_the_first_token(written):
    assert load(written("\ufeffAnn B-PER\n")).sentences[0].tokens == ("Ann",)


def test_docstart_lines_end_a_sentence_and_are_skipped(written, rendered):
    name = written("-DOCSTART- -X- O O\n\nAnn NNP NP B-PER\n-DOCSTART- -X- O O\nParis NNP NP B-LOC\n")
    assert rendered(load(name)) == ["[Ann PER]", "[Paris LOC]"]


@pytest.mark.parametrize("odd", ["\u00a0", "\u2028", "\u0085", "\u000b", "\u001c", "\ufe0f", "\u200b"], ids=ascii)
def test_a_token_may_hold_any_other_white_space_of_unicode(written, odd):
    name = written(f"R${odd}10 O\n5{odd} B-X\n")
    assert load(name).sentences[0].tokens == (f"R${odd}10", f"5{odd}")


def test_a_type_may_hold_hyphens(written):
    corpus = load(written("Mona\tB-creative-work\nLisa\tI-creative-work\n"))
    assert corpus.entity_counts == {"creative-work": 1}


def test_comments_are_skipped_wherever_they_stand(written, rendered):
    name = written("# sent_id = 1\n# text = Ann left\nAnn B-PER\n# a remark\nleft O\n\n# newdoc\nParis B-LOC\n")
    assert rendered(load(name)) == ["[Ann PER] left", "[Paris LOC]"]


def test_comments_with_tabs_are_skipped(written, rendered):
    assert rendered(load(written("# id\t7\n#\tdone\nAnn\tB-PER\n"))) == ["[Ann PER]"]


def test_document_marks_of_conll_2012_are_comments(written, rendered):
    name = written("#begin document (bc/cctv); part 000\nbc 0 Ann B-PER\n\n#end document\n")
    assert rendered(load(name)) == ["[bc PER]"]


def test_a_hash_with_a_tag_is_a_token(written, rendered):
    name = written("# O\n1 O\n#paris B-LOC\n\n# O\n")
    assert rendered(load(name)) == ["# 1 [#paris LOC]", "#"]


def test_a_file_of_nothing_but_hashtags_is_read(written, rendered):
    assert rendered(load(written("#one\tO\n#\tO\n"))) == ["#one #"]


def test_a_limit_takes_the_first_sentences(written, rendered):
    name = written("Ann B-PER\n\nBob B-PER\n\nCid B-PER\n")
    assert rendered(load(name, limit=2)) == ["[Ann PER]", "[Bob PER]"]
    assert rendered(load(name, limit=9)) == ["[Ann PER]", "[Bob PER]", "[Cid PER]"]


def test_the_name_of_a_corpus_is_what_the_user_called_it(written):
    assert load("./" + written("Ann B-PER\n")).name == "./dev.conll"


def test_documents_are_told_by_their_marks(written):
    name = written("-DOCSTART- -X- O\n\na b O\n\nc d O\n\n-DOCSTART- -X- O\n-DOCSTART- -X- O\n\ne f O\n\ng h O\n")
    corpus = load(name)
    assert (len(corpus.sentences), corpus.document_starts) == (4, (0, 2))
    assert corpus.first(2).document_starts == (0,)
    assert load(written("a O\n\nb O\n", "plain.conll")).document_starts == ()
