"""JSON in one array, where each record has its number from 1."""

import json

import pytest

from abalo.corpora import load

ANN = {"tokens": ["Ann", "left"], "tags": ["B-PER", "O"]}
PARIS = {"tokens": ["Paris"], "tags": ["B-LOC"]}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("name", ["dev.json", "dev.jsonl", "dev.txt"])
def test_an_array_of_objects_is_read_however_it_is_laid_out(written, rendered, indent, name):
    corpus = load(written("\ufeff\n" + json.dumps([ANN, PARIS], indent=indent) + "\n\n", name))
    assert rendered(corpus) == ["[Ann PER] left", "[Paris LOC]"]


@pytest.mark.parametrize("name", ["dev.json", "dev.ndjson", "dev.txt"])
def test_lines_are_read_as_lines_whatever_the_ending(written, rendered, name):
    text = json.dumps(ANN) + "\n" + json.dumps(PARIS) + "\n"
    assert rendered(load(written(text, name))) == ["[Ann PER] left", "[Paris LOC]"]


def test_columns_may_begin_with_the_signs_of_json(written, rendered):
    assert rendered(load(written('[ O\n{ O\n" O\na" O\nAnn B-PER\n'))) == ['\\[ { " a" [Ann PER]']


def test_bad_records_have_their_number_and_come_in_one_error(written, refusal):
    name = written(json.dumps([ANN, {"tokens": ["x"], "tag": ["O"]}, 7, {"tokens": ["y"], "tags": ["QQ"]}]), "dev.json")
    assert refusal(name).splitlines() == [
        "dev.json: 3 problems",
        "  dev.json record 2: no 'tags', only 'tokens', 'tag'; expected 'tokens' and 'tags'; did you mean 'tag'?",
        '  dev.json record 3: 7; expected an object, {"tokens": […], "tags": […]}',
        (
            "  dev.json record 4: 'y' has the tag 'QQ'; expected O, or one of B-, I- and a type (BIO); correct it, or "
            "name another scheme with FILE?scheme=NAME"
        ),
    ]


@pytest.mark.parametrize(
    ("rest", "found"),
    [
        (', {"tokens" []}]', "Expecting ':' delimiter at character 14 of line 2"),
        (' {"tokens": []}]', "Expecting ',' or ']' at character 3 of line 2"),
        (",", "Expecting value at character 3 of line 2"),
        (",]", "Expecting value at character 3 of line 2"),
        ("", "Expecting ',' or ']' at character 2 of line 2"),
        ("] {}", "Extra data after the array at character 4 of line 2"),
        (', {"tokens": ["x"], "tokens": ["y"]}]', "the key 'tokens' is there twice"),
        (", " + "[" * 100_000, "nested too deeply"),
    ],
    ids=["syntax", "comma", "ends-after-comma", "comma-at-end", "never-ends", "more", "twice", "deep"],
)
def test_an_array_that_is_not_json_is_one_error_with_its_place(written, refusal, rest, found):
    message = refusal(written(f"[{json.dumps(ANN)}\n {rest}", "dev.json"))
    assert message.startswith("dev.json record ")
    assert message.endswith(f": not JSON: {found}; expected an array of objects, or one object a line")


def test_an_empty_array_has_no_sentences(written, refusal):
    assert refusal(written("[ ]\n", "dev.json")).startswith("dev.json: no sentences; expected at least one token")


def test_bytes_that_are_not_utf_8_are_told_by_line_before_records_are(written, refusal):
    content = json.dumps([ANN, {"tokens": 1}], indent=0).encode().replace(b"Ann", b"\xc1nn")
    assert refusal(written(content, "dev.json")).startswith("dev.json:4: byte 2 of the line (0xc1) is not UTF-8")
