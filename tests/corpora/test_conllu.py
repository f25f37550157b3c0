"""Words, tags, spacing and documents of CoNLL-U and two-column files; every problem with its place."""

import re
from pathlib import Path

import pytest

from abalo.corpora.conllu import Tagged, read
from abalo.errors import AbaloError
from abalo.tasks.pos.corpus import load
from tests.published import published


def line(place: str, form: str, upos: str = "_", xpos: str = "_", misc: str = "_") -> str:
    return "\t".join([place, form, "_", upos, xpos, "_", "_", "_", "_", misc]) + "\n"


@pytest.fixture
def written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(content: str | bytes, name: str = "dev.conllu") -> str:
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return write


@pytest.fixture
def refusal(written):
    def refuse(content: str | bytes, name: str = "dev.conllu", **options) -> str:
        with pytest.raises(AbaloError) as caught:
            read(written(content, name), **options)
        return str(caught.value)

    return refuse


DELA = (
    "# text = O livro é dela.\n"
    + line("1", "O", "DET", "DA0MS0")
    + line("2", "livro", "NOUN", "NCMS")
    + line("3", "é", "AUX", "VSIP3S")
    + line("4-5", "dela", misc="SpaceAfter=No")
    + line("4", "de", "ADP", "SPS")
    + line("5", "ela", "PRON", "PP3FS")
    + line("6", ".", "PUNCT", "Fp")
    + "\n"
)


def test_words_are_the_lines_with_whole_numbers_and_their_tags_are_universal(written):
    (sentence,) = read(written(DELA))
    assert sentence.tokens == ("O", "livro", "é", "de", "ela", ".")
    assert sentence.tags == ("DET", "NOUN", "AUX", "ADP", "PRON", "PUNCT")


def test_tags_of_the_language_are_read_where_they_are_wanted(written):
    (sentence,) = read(written(DELA), column="xpos")
    assert sentence.tags == ("DA0MS0", "NCMS", "VSIP3S", "SPS", "PP3FS", "Fp")


def test_words_of_a_multiword_token_have_one_space_between_and_its_spacing_behind(written):
    (sentence,) = read(written(DELA))
    assert sentence.spaces == (" ", " ", " ", " ", "", "")


def test_what_a_word_inside_a_multiword_token_says_of_spacing_does_not_count(written):
    inside = line("1-2", "da") + line("1", "de", "ADP", misc="SpaceAfter=No") + line("2", "a", "DET")
    (sentence,) = read(written(inside + line("3", "casa", "NOUN")))
    assert sentence.spaces == (" ", " ", "")


def test_no_space_follows_a_word_that_says_so_among_other_things(written):
    quoted = line("1", "«", "PUNCT", misc="Lang=pt|SpaceAfter=No") + line("2", "sim", "ADV", misc="SpaceAfter=No")
    (sentence,) = read(written(quoted + line("3", "»", "PUNCT") + line("4", "!", "PUNCT", misc="Note=SpaceAfter")))
    assert sentence.spaces == ("", "", " ", "")


def test_empty_nodes_are_no_words(written):
    gapped = line("0.1", "eu") + line("1", "vou", "VERB") + line("1.1", "ir") + line("2", "já", "ADV")
    (sentence,) = read(written(gapped))
    assert sentence.tokens == ("vou", "já")


def test_a_new_document_begins_with_the_sentence_below_its_comment(written):
    first, second, third = line("1", "um", "NUM"), line("1", "dois", "NUM"), line("1", "três", "NUM")
    text = f"# newdoc id = a\n# sent_id = 1\n{first}\n{second}\n# newdoc\n\n{third}"
    assert [sentence.opens for sentence in read(written(text))] == [True, False, True]


def test_a_new_paragraph_and_other_comments_open_no_document(written):
    text = "# newpar\n# text = newdoc\n# newdocument\n" + line("1", "um", "NUM")
    assert [sentence.opens for sentence in read(written(text))] == [False]


def test_any_tag_set_is_read(written):
    assert read(written(line("1", "canto", "Nm:sg")))[0].tags == ("Nm:sg",)


def test_an_underscore_and_words_with_spaces_are_words(written):
    (sentence,) = read(written(line("1", "_", "SYM") + line("2", "10 000", "NUM")))
    assert sentence.tokens == ("_", "10 000")


def test_windows_line_ends_and_a_byte_order_mark_are_no_part_of_the_words(written):
    text = "\ufeff" + DELA.replace("\n", "\r\n")
    assert read(written(text)) == read(written(DELA))


def test_a_file_of_another_ending_is_known_by_its_ten_columns(written):
    assert read(written(DELA, "dev.txt")) == read(written(DELA))


class TestTwoColumns:
    def test_a_tab_or_spaces_stand_between_word_and_tag(self, written):
        expected = (Tagged(("O", "canto"), ("DET", "NOUN"), (" ", "")), Tagged(("Eu",), ("PRON",), ("",)))
        assert read(written("O\tDET\ncanto\tNOUN\n\n\nEu\tPRON\n", "dev.tsv")) == expected
        assert read(written("O DET\ncanto   NOUN \n\nEu PRON", "dev.txt")) == expected

    def test_with_a_tab_a_word_may_hold_a_space(self, written):
        assert read(written("Nova York\tPROPN\n", "dev.tsv"))[0].tokens == ("Nova York",)

    def test_documents_open_as_in_conll_files_and_as_in_conllu(self, written):
        text = "-DOCSTART- O\n\num NUM\n\ndois NUM\n\n# newdoc id = b\ntrês NUM\n"
        assert [sentence.opens for sentence in read(written(text, "dev.txt"))] == [True, False, True]

    def test_a_number_sign_is_a_word_where_a_tag_of_the_file_follows(self, written):
        text = "# train\n# text = número 1\n#\tSYM\n#sol\tNOUN\n1\tNUM\n%\tSYM\nsol\tNOUN\n"
        assert read(written(text, "dev.tsv"))[0].tokens == ("#", "#sol", "1", "%", "sol")

    def test_a_word_without_a_tag_is_an_error(self, refusal):
        assert refusal("O DET\ncanto\n", "dev.txt") == (
            "dev.txt:2: 'canto' has no tag; expected two columns, the tag last; add it"
        )

    def test_a_third_column_is_an_error_and_left_out_by_lenient_reading(self, refusal, written):
        assert refusal("O DET\ncanto cantar NOUN\n", "dev.txt") == (
            "dev.txt:2: 3 columns, 'canto cantar NOUN'; expected 2, the word first and its tag last; correct the line, "
            "or take its first and its last column with FILE?lenient"
        )
        (sentence,) = load(written("O DET\ncanto cantar NOUN\n", "dev.txt") + "?lenient").sentences
        assert (sentence.tokens, sentence.tags) == (("O", "canto"), ("DET", "NOUN"))


def test_a_wrong_number_of_columns_is_an_error(refusal):
    assert refusal(line("1", "O", "DET") + "2\tcanto\t_\tNOUN\n" + line("3", "acabou", "VERB")) == (
        "dev.conllu:2: 4 columns, '2 canto _ NOUN'; expected 10, separated by tabs; correct the line"
    )


@pytest.mark.parametrize("place", ["0", "x", "1-", "01", "1.0", "-1", "²"])
def test_an_id_that_is_no_number_range_or_empty_node_is_an_error(refusal, place):
    assert refusal(line("1", "O", "DET") + line(place, "canto", "NOUN")) == (
        f"dev.conllu:2: the ID is '{place}'; expected a whole number from 1, a range such as 3-4 or an empty node such "
        "as 3.1; correct it"
    )


def test_an_id_that_does_not_go_on_is_an_error_and_taken_by_lenient_reading(refusal, written):
    text = line("1", "O", "DET") + line("3", "canto", "NOUN")
    assert refusal(text) == (
        "dev.conllu:2: the ID is 3 after 1; expected 2; correct it, or have the word taken all the same with "
        "FILE?lenient"
    )
    assert load(f"{written(text)}?lenient").sentences[0].tokens == ("O", "canto")


def test_a_sentence_that_begins_without_an_empty_line_is_told(refusal):
    assert "dev.conllu:2: the ID is 1 after 1; expected 2, or an empty line before the first word of the next" in (
        refusal(line("1", "Sim", "INTJ") + line("1", "Não", "INTJ"))
    )


def test_a_word_without_a_tag_is_an_error_even_when_lenient(refusal):
    text = line("1", "O", "DET") + line("2", "canto")
    expected = "dev.conllu:2: 'canto' has no UPOS; expected its part of speech; add it"
    assert refusal(text) == expected
    with pytest.raises(AbaloError, match=re.escape(expected)):
        load("dev.conllu?lenient")


def test_a_column_without_any_tag_is_one_error(refusal):
    assert refusal(line("1", "O", "DET") + line("2", "canto", "NOUN"), column="xpos") == (
        "dev.conllu: no word has a tag in column XPOS; expected the part of speech of each; add it, or take the UPOS "
        "column"
    )


@pytest.mark.parametrize("ends", ["1-2", "3-4", "2-2", "2-1"])
def test_a_range_that_does_not_fit_its_words_is_an_error(refusal, ends):
    assert refusal(line("1", "O", "DET") + line(ends, "dela") + line("2", "canto", "NOUN")) == (
        f"dev.conllu:2: the range is {ends} after word 1; expected one that begins with 2, ends later and overlaps no "
        "other; correct it"
    )


def test_a_range_whose_words_are_missing_is_an_error(refusal):
    assert refusal(line("1-2", "da") + line("1", "de", "ADP")) == (
        "dev.conllu:2: the sentence ends with word 1; expected words up to 2, as the range before says; add them or "
        "correct the range"
    )


def test_a_word_without_a_visible_character_is_an_error_and_dropped_by_lenient_reading(refusal, written):
    text = line("1", "O", "DET") + line("2", " ", "PUNCT") + line("3", "canto", "NOUN")
    assert refusal(text) == (
        "dev.conllu:2: the FORM is ' '; expected at least one visible character; remove the line, or have it dropped "
        "with FILE?lenient"
    )
    assert load(f"{written(text)}?lenient").sentences[0].tokens == ("O", "canto")


def test_all_problems_come_in_one_error(refusal):
    text = line("1", "O") + line("3", "canto", "NOUN") + "x\n"
    assert refusal(text).splitlines() == [
        "dev.conllu: 3 problems",
        "  dev.conllu:1: 'O' has no UPOS; expected its part of speech; add it",
        (
            "  dev.conllu:2: the ID is 3 after 1; expected 2; correct it, or have the word taken all the same with "
            "FILE?lenient"
        ),
        "  dev.conllu:3: 1 column, 'x'; expected 10, separated by tabs; correct the line",
    ]


def test_bytes_that_are_not_utf8_are_an_error_with_their_line(refusal):
    text = (line("1", "O", "DET") + line("2", "chão", "NOUN")).encode("latin-1")
    assert refusal(text).startswith("dev.conllu:2: byte 5 of the line (0xe3) is not UTF-8; expected UTF-8 throughout")


def test_a_lone_carriage_return_is_an_error(refusal):
    assert refusal(line("1", "O\rA", "DET")).startswith("dev.conllu:1: a lone carriage return")


@pytest.mark.parametrize("name", ["dev.conllu", "dev.tsv"])
@pytest.mark.parametrize("content", ["", "\n\n", "# text = nada\n\n"])
def test_a_file_without_words_is_an_error(refusal, name, content):
    assert refusal(content, name) == (
        f"{name}: no sentences; expected at least one word with its tag; is this the corpus you meant?"
    )


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(AbaloError, match="no such file"):
        read(tmp_path / "dev.conllu")


@pytest.mark.parametrize(
    ("file", "sentences", "words", "tags", "documents"),
    [
        ("en_ewt-dev", 1_000, 13_145, 17, 60),
        ("fr_sequoia-dev", 228, 5_103, 15, 0),
        ("pt_gsd-dev", 600, 15_572, 16, 0),
        ("zh_gsdsimp-dev", 250, 5_853, 15, 0),
    ],
)
def test_a_published_treebank_is_read_whole(file, sentences, words, tags, documents):
    found = read(published(f"ud/{file}.conllu"))
    assert (len(found), sum(len(sentence.tokens) for sentence in found)) == (sentences, words)
    assert len({tag for sentence in found for tag in sentence.tags}) == tags
    assert sum(sentence.opens for sentence in found) == documents


def test_words_are_read_without_their_tags_where_no_column_is_asked_for(tmp_path):
    path = tmp_path / "words.conllu"
    path.write_text("1\t看\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No\n2\t书\t_\t_\t_\t_\t1\tobj\t_\t_\n\n", "utf-8")
    assert read(path, column=None) == (Tagged(("看", "书"), ("", ""), ("", "")),)
