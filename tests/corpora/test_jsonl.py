from abalo.corpora import load
from abalo.tasks.ner.task import TASK
from tests.rows import every


def test_tokens_tags_and_spaces_are_read_and_other_keys_ignored(written):
    name = written(
        '{"id": 1, "tokens": ["Ann", ",", "10 000"], "tags": ["B-PER", "O", "O"], "spaces": ["", "\\n", ""]}\n'
        '\n{"tokens": ["Bob", "left"], "tags": ["B-PER", "O"], "spaces": null}\n',
        "dev.jsonl",
    )
    first, second = load(name).sentences
    assert (first.tokens, first.tags, first.spaces) == (("Ann", ",", "10 000"), ("B-PER", "O", "O"), ("", "\n", ""))
    assert (second.text, second.tags) == ("Bob left", ("B-PER", "O"))


def test_tags_may_stand_under_ner_tags(written, rendered):
    assert rendered(load(written('{"tokens": ["Ann"], "ner_tags": ["B-PER"]}\n', "a.jsonl"))) == ["[Ann PER]"]
    assert TASK.recognises("a.jsonl")
    both = '{"tokens": ["Ann"], "tags": ["B-PER"], "ner_tags": ["O"]}\n'
    assert rendered(load(written(both, "b.jsonl"))) == ["[Ann PER]"]


def test_parts_of_speech_may_stand_under_pos_tags(written):
    line = '{"tokens": ["Ann", "left"], "tags": ["B-PER", "O"], "pos_tags": %s}\n'
    assert load(written(line % '["NNP", "VBD"]', "a.jsonl")).parts_of_speech == (("PROPN", "VERB"),)
    assert load(written(line % "[22, 38]", "b.jsonl")).parts_of_speech is None


def test_a_part_of_speech_too_few_is_an_error(written, refusal):
    name = written('{"tokens": ["Ann", "left"], "tags": ["B-PER", "O"], "pos_tags": ["NNP"]}\n', "dev.jsonl")
    assert "'tokens' holds 2, 'pos_tags' 1; expected one for each token" in refusal(name)


def test_the_ending_may_be_in_capitals_and_lines_end_in_crlf_after_a_byte_order_mark(written, rendered):
    name = written('\ufeff{"tokens": ["Ann"], "tags": ["S-PER"]}\r\n', "DEV.JSONL")
    corpus = load(name)
    assert (rendered(corpus), corpus.scheme) == (["[Ann PER]"], "BIOES")


def test_only_line_feeds_break_lines(written):
    name = written('{"tokens": ["a\u2028b", "c\u0085d"], "tags": ["O", "O"]}\n', "dev.jsonl")
    assert load(name).sentences[0].tokens == ("a\u2028b", "c\u0085d")


@every(
    ("line", "message"),
    [
        ('{"tokens": ["a"', "not JSON: Expecting ',' delimiter at character 16; expected one object a line"),
        ("Ann B-PER", "not JSON: Expecting value at character 1; expected one object a line"),
        ("[" * 100_000, "not JSON: nested too deeply; expected one object a line"),
        ('{"n": ' + "1" * 5000 + "}", "not JSON: a number is too long; expected one object a line"),
        ('["a"]', '[\'a\']; expected an object, {"tokens": […], "tags": […]}'),
        (
            '{"tokens": ["a"], "tag": ["O"]}',
            "no 'tags', only 'tokens', 'tag'; expected 'tokens' and 'tags'; did you mean 'tag'?",
        ),
        ('{"tokens": "a", "tags": ["O"]}', "'tokens' is 'a'; expected a list of strings"),
        (
            '{"tokens": ["a"], "tags": [1]}',
            (
                "'tags' is [1], numbers; expected a list of strings; write the names that they stand for, such as "
                "'B-PER', or give the folder that Dataset.save_to_disk wrote, which has the names"
            ),
        ),
        ('{"tokens": ["a"], "tags": null}', "'tags' is None; expected a list of strings"),
        (
            '{"tokens": ["a", "b"], "tags": ["O"]}',
            "'tokens' holds 2, 'tags' 1; expected one tag for each token",
        ),
        (
            '{"tokens": ["a"], "tags": ["O"], "spaces": []}',
            "'tokens' holds 1, 'spaces' 0; expected what follows each token",
        ),
        (
            '{"tokens": ["a"], "tags": ["O"], "spaces": [" x"]}',
            "'spaces' holds ' x'; expected only white space, or '' where nothing follows",
        ),
        ('{"tokens": ["a"], "tags": ["O"], "spaces": " "}', "'spaces' is ' '; expected a list of strings"),
        (
            '{"tokens": [], "tags": []}',
            "no tokens; expected at least one; remove the record, or drop it with FILE?lenient",
        ),
        (
            '{"tokens": ["a", "\\n"], "tags": ["O", "O"]}',
            (
                r"token 1 is '\n', only white space; expected at least one visible character; "
                "remove it, or have it dropped with FILE?lenient"
            ),
        ),
        (
            '{"tokens": ["\\ud83d"], "tags": ["O"]}',
            (
                r"'\ud83d' holds half of a surrogate pair; expected Unicode text; correct the escapes, "
                "or put U+FFFD there with FILE?lenient"
            ),
        ),
        (
            '{"tokens": ["a"], "tags": ["PER"]}',
            (
                "'a' has the tag 'PER'; expected O, or one of B-, I- and a type (BIO); "
                "correct it, or name another scheme with FILE?scheme=NAME"
            ),
        ),
    ],
    ids=[
        "broken",
        "not-json",
        "too-deep",
        "too-long-a-number",
        "not-an-object",
        "no-tags",
        "tokens-not-a-list",
        "tags-not-strings",
        "tags-null",
        "unequal",
        "spaces-unequal",
        "spaces-visible",
        "spaces-not-a-list",
        "no-tokens",
        "blank-token",
        "half-a-surrogate-pair",
        "unknown-tag",
    ],
)
def test_a_bad_line_is_an_error_with_its_number(written, refusal, line, message):
    name = written('{"tokens": ["Rome"], "tags": ["B-LOC"]}\n' + line, "dev.jsonl")
    assert refusal(name) == f"dev.jsonl:2: {message}"


def test_lenient_reading_drops_blank_tokens_and_mends_broken_characters(written):
    name = written(
        '{"tokens": ["Ann", " ", "\\ud83d!"], "tags": ["B-PER", "I-PER", "I-PER"], "spaces": ["", "", "\\n"]}\n'
        '{"tokens": [], "tags": []}\n{"tokens": ["\\t"], "tags": ["O"]}\n',
        "dev.jsonl",
    )
    corpus = load(f"{name}?lenient")
    (sentence,) = corpus.sentences
    assert (sentence.tokens, sentence.tags, sentence.spaces) == (("Ann", "\ufffd!"), ("B-PER", "I-PER"), ("", "\n"))
    assert corpus.repairs == 4


def test_an_empty_file_is_an_error(written, refusal):
    assert refusal(written("\n", "dev.jsonl")).startswith("dev.jsonl: no sentences; expected at least one token")
