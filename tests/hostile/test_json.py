"""JSON that is none, and objects that are no sentences."""

import gzip
import json

import pytest

from abalo.corpora import load
from tests.rows import every

RECORD = '{"tokens": ["Ann"], "tags": ["B-PER"]}'
AN_OBJECT = 'expected an object, {"tokens": […], "tags": […]}'


def tagged(tag: str) -> str:
    return json.dumps({"tokens": ["a"], "tags": [tag]})


REFUSED = {
    "null": (f"null\n{RECORD}", f"dev.jsonl:1: None; {AN_OBJECT}"),
    "a number": ("3\n", f"dev.jsonl:1: 3; {AN_OBJECT}"),
    "a string": ('"x"\n', f"dev.jsonl:1: 'x'; {AN_OBJECT}"),
    "an array of strings": ('["a", "b"]', f"dev.jsonl:1: ['a', 'b']; {AN_OBJECT}"),
    "an empty object": ("{}", "dev.jsonl:1: no 'tokens', only an empty object; expected 'tokens' and 'tags'"),
    "records under a key": (f'{{"data": [{RECORD}]}}', "dev.jsonl:1: no 'tokens', only 'data'"),
    "other names of keys": ('{"words": ["a"], "ner": ["O"]}', "dev.jsonl:1: no 'tokens', only 'words', 'ner'"),
    "tags as numbers": ('{"tokens": ["a"], "tags": [3]}', "dev.jsonl:1: 'tags' is [3], numbers; expected a list of s"),
    "numbers under ner_tags": (
        '{"tokens": ["a"], "ner_tags": [3]}',
        "dev.jsonl:1: 'ner_tags' is [3], numbers; expected a list of strings; write the names that they stand for, ",
    ),
    "tokens as one string": ('{"tokens": "Ann", "tags": ["O"]}', "dev.jsonl:1: 'tokens' is 'Ann'; expected a list of"),
    "tokens in lists": ('{"tokens": [["a"]], "tags": ["O"]}', "dev.jsonl:1: 'tokens' is [['a']]; expected a list of"),
    "tokens by number": ('{"tokens": {"0": "a"}, "tags": {"0": "O"}}', "'tokens' is {'0': 'a'}; expected a list of"),
    "a token that is null": ('{"tokens": [null], "tags": ["O"]}', "dev.jsonl:1: 'tokens' is [None]; expected a list"),
    "a token that is infinite": ('{"tokens": [Infinity], "tags": ["O"]}', "dev.jsonl:1: 'tokens' is [inf]"),
    "a token too many": ('{"tokens": ["a", "b"], "tags": ["O"]}', "'tokens' holds 2, 'tags' 1; expected one tag for"),
    "no token": ('{"tokens": [], "tags": []}', "dev.jsonl:1: no tokens; expected at least one; remove the record"),
    "an empty token": ('{"tokens": [""], "tags": ["O"]}', "token 0 is '', only white space; expected at least one"),
    "spaces that are words": (
        '{"tokens": ["a", "b"], "tags": ["O", "O"], "spaces": ["x", ""]}',
        "dev.jsonl:1: 'spaces' holds 'x'; expected only white space",
    ),
    "spaces that are true": (
        '{"tokens": ["a", "b"], "tags": ["O", "O"], "spaces": [true, false]}',
        "dev.jsonl:1: 'spaces' is [True, False]; expected a list of strings",
    ),
    "a space too few": (
        '{"tokens": ["a", "b"], "tags": ["O", "O"], "spaces": [" "]}',
        "dev.jsonl:1: 'tokens' holds 2, 'spaces' 1; expected what follows each token",
    ),
    "a key twice": ('{"tokens": ["a"], "tokens": ["b"], "tags": ["O"]}', "the key 'tokens' is there twice"),
    "half a surrogate pair": ('{"tokens": ["a\\ud800"], "tags": ["O"]}', r"'a\ud800' holds half of a surrogate pair"),
    "brackets without end": ("[" * 100_000, "dev.jsonl record 1: not JSON: nested too deeply"),
    "a number without end": (f'{{"tokens": ["a"], "n": {"9" * 5_000}}}', "dev.jsonl:1: not JSON: a number is too long"),
    "single quotes": ("{'tokens': ['a']}", "dev.jsonl:1: not JSON: Expecting property name enclosed in double quotes"),
    "a comma at the end": ('{"tokens": ["a"], "tags": ["O"],}', "dev.jsonl:1: not JSON: "),
    "a comment": (f"// by hand\n{RECORD}", "dev.jsonl:1: not JSON: Expecting value at character 1"),
    "two on a line": (RECORD + RECORD, "dev.jsonl:1: not JSON: Extra data at character 39; expected one object a line"),
    "an object over several lines": ('{\n"tokens": ["a"],\n"tags": ["O"]\n}', "dev.jsonl:2: not JSON: Extra data"),
    "an array that breaks off": (f"[{RECORD},", "dev.jsonl record 2: not JSON: Expecting value at character 41"),
    "a text alone": ('{"text": "Ann left"}', "no 'tokens', only 'text'; expected 'tokens' and 'tags', or 'text' and"),
    "a span behind the text": (
        '{"text": "Ann left", "label": [[0, 9, "PER"]]}',
        "dev.jsonl:1: the entity 'PER' at 0 to 9; expected places in the text, 0 to 8, the first before the last",
    ),
    "a span of nothing": ('{"text": "Ann left", "label": [[3, 4, "PER"]]}', "the entity 'PER' at 3 to 4; expected"),
    "a span backwards": ('{"text": "Ann left", "label": [[3, 0, "PER"]]}', "the entity 'PER' at 3 to 0; expected"),
    "a span from half a character": (
        '{"text": "Ann left", "spans": [{"start": 0.5, "end": 3, "label": "PER"}]}',
        "expected whole numbers for its start and its end",
    ),
    "a span of two labels": (
        '{"text": "Ann left", "spans": [{"start": 0, "end": 3, "label": ["PER", "LOC"]}]}',
        "expected one label, the name of an entity type",
    ),
    "other words than the text has": (
        '{"text": "Ann left", "spans": [{"start": 0, "end": 3, "label": "PER", "text": "Bob"}]}',
        "dev.jsonl:1: the entity 'Bob' is 'Ann' at 0 to 3; expected the same; correct the places",
    ),
    "spans of a text that is empty": ('{"text": " ", "label": []}', "the text is ' '; expected visible characters"),
    "a type called O": (tagged("B-O"), "dev.jsonl:1: 'a' has the tag 'B-O', of an entity type called O"),
    "an empty tag": (tagged(""), "dev.jsonl:1: 'a' has the tag ''; expected O"),
    "a line end in a type": (tagged("B-A\nB"), r"'a' has the tag 'B-A\nB', with characters that cannot be seen"),
    "an escape in a type": (tagged("B-\x1b[31m"), r"has the tag 'B-\x1b[31m', with characters that cannot be seen"),
    "UTF-16 without its mark": (RECORD.encode("utf-16-le"), "dev.jsonl: looks like UTF-16, but has no byte order"),
    "gzip in gzip": (gzip.compress(gzip.compress(RECORD.encode())), "dev.jsonl: packed with gzip twice; unpack it"),
}


@every(("content", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_sentence_is_refused_with_its_place(written, refusal, content, said):
    message = refusal(written(content, "dev.jsonl"))
    assert said in message
    assert message.replace("\n", "").isprintable()


VALID = {
    "no number in a key that is ignored": ('{"tokens": ["a"], "tags": ["O"], "x": NaN}', ["a"]),
    "a key with a meaning elsewhere": ('{"__proto__": 1, "tokens": ["a"], "tags": ["O"]}', ["a"]),
    "a line end in a token": ('{"tokens": ["a\\nb"], "tags": ["O"]}', ["a\nb"]),
    "parts of speech that are none": ('{"tokens": ["a"], "tags": ["O"], "pos_tags": "x"}', ["a"]),
    "no spaces": ('{"tokens": ["a", "b"], "tags": ["O", "O"], "spaces": null}', ["a b"]),
    "UTF-16 with its mark": (RECORD.encode("utf-16"), ["[Ann PER]"]),
}


@pytest.mark.parametrize(("content", "sentences"), VALID.values(), ids=VALID)
def test_what_is_odd_and_valid_is_read_as_it_stands(written, rendered, content, sentences):
    assert rendered(load(written(content, "dev.jsonl"))) == sentences


def test_of_a_hundred_thousand_bad_lines_ten_are_shown(written, refusal):
    lines = refusal(written("x\n" * 100_000, "dev.jsonl")).splitlines()
    assert (lines[0], lines[-1], len(lines)) == ("dev.jsonl: 100,000 problems", "  and 99,990 more", 12)
