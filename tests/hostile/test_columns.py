from pathlib import Path

import pytest

from abalo.corpora import load
from abalo.corpora.training import load_named
from abalo.errors import AbaloError


def test_a_ragged_line_is_an_error_with_its_line_number(written, refusal):
    assert refusal(written("Ann B-PER\n\nNova York B-LOC\nfell O\n")) == (
        "dev.conll:3: 3 columns, 'Nova York B-LOC'; expected 2 as on most lines; correct the line, or take its first "
        "column for the token and its last for the tag with FILE?lenient"
    )


def test_lenient_reading_takes_token_and_tag_of_a_ragged_line(written, rendered):
    corpus = load(written("Ann NNP B-PER\nleft VBD O\nParis B-LOC\n") + "?lenient")
    assert rendered(corpus) == ["[Ann PER] left [Paris LOC]"]
    assert corpus.repairs == 1


def test_a_missing_tag_is_an_error(written, refusal):
    assert refusal(written("Ann\tB-PER\nleft\t\nParis\tB-LOC\n")) == (
        "dev.conll:2: 'left' has no tag; expected 2 columns, the tag last; add it"
    )


def test_lenient_reading_invents_no_tag(written, refusal):
    assert "dev.conll:2: 'left' has no tag" in refusal(written("Ann B-PER\nleft\n") + "?lenient")


@pytest.mark.parametrize("word", ["#", "#photography"])
def test_a_hashtag_whose_tag_is_missing_is_no_comment(written, refusal, word):
    assert refusal(written(f"{word}\nAnn\tB-PER\n")) == (
        f"dev.conll:1: '{word}' has no tag; expected 2 columns, the tag last; add it; a comment starts with '# '"
    )


def test_a_file_of_one_column_is_an_error(written, refusal):
    assert refusal(written("\nAnn\nleft\n")) == (
        "dev.conll:2: one column here and on every line; expected two or more, separated by spaces or tabs, the token "
        "first and its tag last; add the tags"
    )


def test_an_unknown_column_count_is_an_error(written, refusal):
    assert refusal(written("Ann B-PER\nleft VBD O\nthe DT NP O\ntown O\n")) == (
        "dev.conll:1: unknown column count: lines differ, 2 columns on 2 (first on line 1), 3 columns on 1 (first on "
        "line 2), 4 columns on 1 (first on line 3); expected one count on most lines, the token first and the tag "
        "last; correct the file, or take just these two columns of each line with FILE?lenient"
    )


def test_lenient_reading_needs_no_column_count(written, rendered):
    corpus = load(written("Ann B-PER\nleft VBD O\nthe DT NP O\ntown O\n") + "?lenient")
    assert rendered(corpus) == ["[Ann PER] left the town"]
    assert corpus.repairs == 2


@pytest.mark.parametrize("content", ["", "\ufeff", " \n\t\n\n", "# only = a comment\n", "-DOCSTART- O\n"], ids=ascii)
@pytest.mark.parametrize("lenient", ["", "?lenient"], ids=["strict", "lenient"])
def test_a_file_without_sentences_is_an_error(written, refusal, content, lenient):
    assert refusal(f"{written(content)}{lenient}") == (
        "dev.conll: no sentences; expected at least one token with its tag; is this the corpus you meant?"
    )


def test_bytes_of_another_encoding_are_an_error_with_line_and_byte(written, refusal):
    content = "São B-LOC\nPaulo I-LOC\n".encode() + "ação O\n".encode("latin1")
    assert refusal(written(content)) == (
        "dev.conll:3: byte 2 of the line (0xe7) is not UTF-8; expected UTF-8 throughout; convert the file "
        "(iconv -f latin1 -t utf-8, if it is Latin-1), or put U+FFFD there with FILE?lenient"
    )


def test_lenient_reading_replaces_undecodable_bytes(written):
    corpus = load(written("ação O\n".encode("latin1") + "ação O\n".encode()) + "?lenient")
    assert corpus.sentences[0].tokens == ("a\ufffd\ufffdo", "ação")
    assert corpus.repairs == 1


def test_a_lone_carriage_return_is_an_error(written, refusal):
    assert refusal(written("Ann B-PER\rleft O\nhome O\n")).splitlines()[1] == (
        r"  dev.conll:1: a lone carriage return; expected lines that end in \n or \r\n; convert the line ends"
    )


@pytest.mark.parametrize(
    ("line", "shown"),
    [("\tO", "''"), ("\u00a0\tO", r"'\xa0'"), ("\u2003\tO", r"'\u2003'"), ("\u00a0", r"'\xa0'")],
    ids=["empty", "nbsp", "em-space", "nbsp-alone"],
)
def test_a_token_of_white_space_is_an_error(written, refusal, line, shown):
    assert refusal(written(f"Ann\tB-PER\n{line}\n")) == (
        f"dev.conll:2: the token is {shown}, only white space; expected at least one visible character; "
        "remove the line, or have it dropped with FILE?lenient"
    )


def test_lenient_reading_drops_a_token_of_white_space(written, rendered):
    corpus = load(written("Ann\tB-PER\n\u00a0\tI-PER\nSmith\tI-PER\n\n\u00a0\tO\n") + "?lenient")
    assert rendered(corpus) == ["[Ann Smith PER]"]
    assert corpus.repairs == 2


def test_an_entity_that_loses_its_first_token_to_lenient_reading_still_opens(written, rendered):
    corpus = load(written("Rome\tB-LOC\n\u00a0\tB-PER\nSmith\tI-PER\n") + "?lenient")
    assert rendered(corpus) == ["[Rome LOC] [Smith PER]"]
    assert corpus.repairs == 2


def test_every_problem_comes_in_one_error_in_the_order_of_the_lines(written, refusal):
    message = refusal(written("Ann I-PER\nleft\nRome B-LOC\nParis QQ\nso so O\n"))
    assert [line.strip().split(";")[0] for line in message.splitlines()] == [
        "dev.conll: 4 problems",
        "dev.conll:1: 'Ann' is I-PER without a B-PER before it",
        "dev.conll:2: 'left' has no tag",
        "dev.conll:4: 'Paris' has the tag 'QQ'",
        "dev.conll:5: 3 columns, 'so so O'",
    ]


def test_ten_problems_are_shown_and_the_rest_counted(written, refusal):
    lines = refusal(written("Ann B-PER\n" + "left\n" * 1_234)).splitlines()
    assert lines[0] == "dev.conll: 1,234 problems"
    assert lines[10].startswith("  dev.conll:11: 'left' has no tag")
    assert lines[11:] == ["  and 1,224 more"]


def test_problems_beyond_the_limit_are_problems_too(written, refusal):
    assert refusal(written("Ann B-PER\n\nleft\n"), limit=1).startswith("dev.conll:3: 'left' has no tag")


def test_a_file_that_is_not_there_is_an_error_with_the_nearest_name(written, refusal):
    written("Ann B-PER\n", "validation.conll")
    assert refusal("valdation.conll") == "valdation.conll: no such file; did you mean 'validation.conll'?"


def test_a_file_that_is_not_there_and_near_to_none_says_what_could_be_given(written, refusal):
    assert refusal("nowhere.txt") == (
        "nowhere.txt: no such file; expected a CoNLL or JSON file, bundled:<name> or hub:<dataset>:<split>"
    )


def test_a_file_in_a_folder_that_is_not_there_says_so(tmp_path, monkeypatch, refusal):
    monkeypatch.chdir(tmp_path)
    assert refusal("data/dev.conll") == "data/dev.conll: no such file; there is no folder data either"


def test_a_folder_is_an_error_that_lists_its_files(written, refusal, tmp_path):
    written("", "train.conll")
    written("", "dev.conll")
    assert refusal(str(tmp_path)) == (
        f"{tmp_path}: a folder; expected a CoNLL or JSON file; it holds dev.conll, train.conll; "
        f"give one of its files, or hub:{tmp_path}:<split> for a data set"
    )


def test_a_file_taken_for_a_folder_is_an_error(written, refusal):
    assert refusal(written("Ann B-PER\n") + "/x") == "dev.conll/x: cannot be read: Not a directory"


def test_a_folder_that_must_not_be_listed_gives_no_suggestions(tmp_path, monkeypatch, refusal):
    def denied(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", denied)
    assert refusal(str(tmp_path)) == (
        f"{tmp_path}: a folder; expected a CoNLL or JSON file; "
        f"give one of its files, or hub:{tmp_path}:<split> for a data set"
    )


def test_a_long_line_is_shown_in_part(written, refusal):
    message = refusal(written("Ann B-PER\n" + "word " * 1_000 + "O\nleft O\n"))
    assert message.startswith("dev.conll:2: 1001 columns, 'word word")
    assert len(message) < 300


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_an_error(written, refusal, limit):
    assert refusal(written("Ann B-PER\n"), limit=limit) == f"--abalo-limit {limit}: expected at least 1 sentence"


def test_a_clean_file_needs_no_repairs(written):
    assert load(written("Ann B-PER\n") + "?lenient").repairs == 0


def test_a_file_that_a_setting_names_by_mistake_is_not_quoted(tmp_path):
    accounts = tmp_path / "accounts"
    accounts.write_text("jane:x:0:0:Jane:/home/jane:/bin/sh\nmail:x:8:8:mail:/var/mail:/bin/sh\n", encoding="utf-8")
    with pytest.raises(AbaloError) as raised:
        load_named(str(accounts))
    said = str(raised.value)
    assert said.startswith(f"{accounts}:1: no corpus: ")
    assert not any(word in said for word in ("jane", "mail", "/bin/sh"))
