"""Questions as JSON lines: read from where they may lie, checked, and told all that is wrong with them."""

import gzip
import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.errors import AbaloError
from abalo.questions.question import Choice
from abalo.tasks.choice.files import load_choices, load_options, write_choices
from tests.rows import every

GOOD = {"id": "q1", "question": "Which?", "options": ["red", "blue", "green"], "target": 1}


def lines(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def refused(path, load=load_choices, **options) -> str:
    with pytest.raises(AbaloError) as caught:
        load(path, **options)
    return str(caught.value)


def test_a_question_is_read(written):
    name = written("\ufeff" + lines(GOOD | {"note": 1}) + "\r\n", "q.jsonl")
    assert load_choices(name) == (Choice("q1", "Which?", ("red", "blue", "green"), 1),)


def test_other_names_of_keys_and_a_language(written):
    name = written(
        lines({"id": 7, "question": "Qual?", "choices": ["a", "b"], "answer": "B", "language": "pt-BR"}), "q.JSONL"
    )
    assert load_choices(name) == (Choice("7", "Qual?", ("a", "b"), 1, "pt"),)


@pytest.mark.parametrize(
    ("target", "place"),
    [(0, 0), (2, 2), ("A", 0), ("c", 2), ("green", 2), (" blue ", 1)],
)
def test_a_target_is_an_index_a_letter_or_the_text_of_an_option(written, target, place):
    assert load_choices(written(lines(GOOD | {"target": target}), "q.jsonl"))[0].target == place


def test_a_letter_that_is_also_the_text_of_its_option_is_clear(written):
    record = GOOD | {"options": ["A", "B"], "target": "B"}
    assert load_choices(written(lines(record), "q.jsonl"))[0].target == 1


@every(
    ("changed", "message"),
    [
        (
            {"target": 3},
            "the target is 3; expected the index of an option, 0 to 2, its letter, A to C, or its text",
        ),
        ({"target": -1}, "the target is -1; expected the index"),
        ({"target": True}, "the target is True; expected the index"),
        ({"target": 1.0}, "the target is 1.0; expected the index"),
        ({"target": None}, "the target is None; expected the index"),
        ({"target": "D"}, "the target is 'D'; expected the index"),
        ({"target": "yellow"}, "the target is 'yellow'; expected the index"),
        (
            {"options": ["B", "A", "C"], "target": "A"},
            "the target 'A' could be option 0 or 1; expected one; give its index",
        ),
        ({"options": ["red", "red"], "target": "red"}, "the target 'red' could be option 0 or 1; expected one"),
        ({"answer": 1}, "both 'target' and 'answer'; expected one of them; leave the other out"),
        ({"options": ["red"]}, "1 options; expected 2 to 26; add some, or leave the record out"),
        ({"options": ["x"] * 27}, "27 options; expected 2 to 26"),
        ({"options": ["red", " "]}, "option 1 is ' '; expected a string with visible characters"),
        ({"options": {"A": "red"}}, "1 options; expected 2 to 26"),
        ({"options": {"x": "red", "y": "blue"}}, "the options are {'x': 'red', 'y': 'blue'}; expected a list of str"),
        ({"options": ["red", 2]}, "the options are ['red', 2]; expected a list of strings"),
        ({"options": ["red", "\ud800"]}, r"option 1 is '\ud800'; expected a string with visible characters"),
        ({"question": ""}, "'question' is ''; expected a string with visible characters"),
        ({"question": 3}, "'question' is 3; expected a string"),
        ({"id": " q"}, "'id' is ' q'; expected a whole number, or visible characters on one line"),
        ({"id": True}, "'id' is True; expected a whole number"),
        ({"language": "fr"}, "'language' is 'fr'; expected 'en' or 'pt', or no such key"),
    ],
)
def test_what_is_wrong_with_a_record_is_told(written, changed, message):
    assert refused(written(lines(GOOD | changed), "q.jsonl")).startswith(f"q.jsonl:1: {message}")


@pytest.mark.parametrize("missing", ["question", "options", "target"])
def test_a_missing_key_is_told(written, missing):
    message = refused(written(lines({key: value for key, value in GOOD.items() if key != missing}), "q.jsonl"))
    assert message.startswith(f"q.jsonl:1: no '{missing}'")
    assert "only 'id'" in message


def test_a_record_without_an_id_has_its_place_for_one(written):
    bare = {key: value for key, value in GOOD.items() if key != "id"}
    assert [each.id for each in load_choices(written(lines(GOOD, bare), "q.jsonl"))] == ["q1", "2"]


def test_a_misspelt_key_is_guessed(written):
    record = {key: value for key, value in GOOD.items() if key != "target"} | {"taget": 1}
    assert refused(written(lines(record), "q.jsonl")).endswith("its letter or its text; did you mean 'taget'?")


def test_all_problems_of_a_file_come_in_one_error(written):
    content = lines(GOOD, GOOD, GOOD | {"id": "q3", "target": 9, "question": ""}) + '[1]\n{"id": \n'
    assert refused(written(content.encode() + b'{"id": "\xff"}\n', "q.jsonl")).splitlines() == [
        "q.jsonl: 6 problems",
        "  q.jsonl:2: id 'q1' is that of line 1 too; expected its own; rename one of them",
        "  q.jsonl:3: 'question' is ''; expected a string with visible characters",
        "  q.jsonl:3: the target is 9; expected the index of an option, 0 to 2, its letter, A to C, or its text",
        '  q.jsonl:4: [1]; expected an object, {"id": …, "question": …, "options": […]}',
        "  q.jsonl:5: not JSON: Expecting value at character 8; expected one object a line",
        "  q.jsonl:6: byte 9 of the line (0xff) is not UTF-8; expected UTF-8 throughout; save the file as UTF-8",
    ]


def test_the_whole_file_is_checked_whatever_the_limit(written):
    good = [GOOD, GOOD | {"id": "q2"}]
    assert [each.id for each in load_choices(written(lines(*good), "q.jsonl"), limit=1)] == ["q1"]
    assert "q.jsonl:2: 'id'" in refused(written(lines(GOOD, GOOD | {"id": ""}), "q.jsonl"), limit=1)
    assert refused("q.jsonl", limit=0) == "q.jsonl: limit is 0; expected at least 1 question"


def test_a_file_without_questions_is_an_error(written):
    assert refused(written(" \n", "q.jsonl")) == (
        "q.jsonl: no questions; expected one object a line; is this the file you meant?"
    )


def test_options_alike_are_left_to_the_audit(written):
    assert load_choices(written(lines(GOOD | {"options": ["red", "red"]}), "q.jsonl"))[0].options == ("red", "red")


def test_options_alone_can_be_loaded(written):
    content = lines({"choices": ["a", "b"]}, {"id": "x", "options": ["c", "d"], "target": "nonsense"})
    assert load_options(written(content, "q.jsonl")) == {"1": ("a", "b"), "x": ("c", "d")}


def test_options_alone_are_checked(written):
    content = lines({"id": "2", "options": ["a", "b"]}, {"options": ["c"]})
    assert refused(written(content, "q.jsonl"), load_options).splitlines()[1:] == [
        "  q.jsonl:2: id '2' is that of line 1 too; expected its own; rename one of them",
        "  q.jsonl:2: 1 options; expected 2 to 26; add some, or leave the record out",
    ]


@pytest.fixture
def house(tmp_path):
    """A folder with a file in it, a file beside it, and a folder that has a similar name."""
    (tmp_path / "house").mkdir()
    (tmp_path / "house2").mkdir()
    for place in ("house/in.jsonl", "out.jsonl", "house2/near.jsonl", "house/notes.txt"):
        (tmp_path / place).write_text(lines(GOOD), encoding="utf-8")
    return tmp_path / "house"


@pytest.mark.parametrize("path", ["in.jsonl", "./in.jsonl", "../house/in.jsonl", "sub/../in.jsonl"])
def test_a_file_inside_the_root_is_read(house, path):
    assert len(load_choices(path, root=house)) == 1
    assert len(load_choices(str(house / "in.jsonl"), root=house)) == 1


@pytest.mark.parametrize(
    "path", ["../out.jsonl", "../house2/near.jsonl", "/etc/passwd.jsonl", "../missing.jsonl", ".."]
)
def test_a_path_that_leads_out_of_the_root_is_refused(house, path):
    assert refused(path, root=house) == f"{path}: leads out of {house}; expected a file inside; copy it there"


def test_links_are_followed_before_the_root_is_checked(house):
    (house / "link.jsonl").symlink_to(house.parent / "out.jsonl")
    (house / "folder").symlink_to(house.parent / "house2")
    (house / "fine.jsonl").symlink_to(house / "in.jsonl")
    assert "leads out of" in refused("link.jsonl", root=house)
    assert "leads out of" in refused("folder/near.jsonl", root=house)
    assert len(load_choices("fine.jsonl", root=house)) == 1


def test_what_a_link_leads_to_needs_the_ending_too(house):
    (house / "link.jsonl").symlink_to(house / "notes.txt")
    assert "ends in .txt; expected .jsonl, .jsonl.gz, .ndjson" in refused("link.jsonl", root=house)


def test_a_link_to_itself_and_a_null_byte_lead_nowhere(house):
    (house / "loop.jsonl").symlink_to(house / "loop.jsonl")
    assert "loop.jsonl" in refused("loop.jsonl", root=house)
    assert refused("a\0.jsonl", root=house).startswith("a\\u0000.jsonl: leads nowhere: ")


@pytest.mark.parametrize(("path", "found"), [("notes.txt", ".txt"), ("jsonl", "no ending"), ("a.txt.gz", ".gz")])
def test_other_endings_are_refused(house, path, found):
    (house / path).touch()
    assert refused(path, root=house) == (
        f"{path}: ends in {found}; expected .jsonl, .jsonl.gz, .ndjson, .ndjson.gz, .json, .json.gz, .csv, .csv.gz, "
        ".tsv or .tsv.gz; save it as JSON lines, one question a line"
    )


def test_what_is_no_file_is_refused(house):
    (house / "folder.jsonl").mkdir()
    os.mkfifo(house / "pipe.jsonl")
    assert "folder.jsonl: a folder; expected a file" in refused("folder.jsonl", root=house)
    assert refused("missing.jsonl", root=house) == "missing.jsonl: no such file"
    assert refused(str(house / "inn.jsonl")).endswith("no such file; did you mean 'in.jsonl'?")
    assert "pipe.jsonl: no regular file" in refused("pipe.jsonl", root=house)
    assert "in.jsonl: no folder" in refused("in.jsonl", root=house / "in.jsonl")
    assert "cannot be the folder that files must lie in" in refused("in.jsonl", root=house / "nowhere")


def test_a_file_that_is_too_large_is_refused(house):
    size = (house / "in.jsonl").stat().st_size
    assert len(load_choices("in.jsonl", root=house, largest=size)) == 1
    assert refused("in.jsonl", root=house, largest=size - 1) == (
        f"in.jsonl: larger than {size - 1} bytes; expected at most that many; split the file"
    )


@pytest.mark.parametrize(
    ("choices", "name", "message"),
    [
        ([Choice("q", "Which?", ("a", "b"), 0)], "q.txt", "expected a name that ends in .jsonl or .ndjson"),
        ([], "q.jsonl", "expected at least one question"),
        ([Choice("q", "Which?", ("a", "b"), 0)] * 2, "q.jsonl", "each with an id of its own"),
        ([Choice("q", "Which\ud800?", ("a", "b"), 0)], "q.jsonl", "line 1 holds half of a surrogate pair"),
    ],
)
def test_what_could_not_be_read_back_is_not_written(tmp_path, choices, name, message):
    with pytest.raises(AbaloError, match=message):
        write_choices(choices, tmp_path / name)
    assert not (tmp_path / name).exists()


VISIBLE = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).filter(str.strip)


@st.composite
def choices(draw) -> Choice:
    options = draw(st.lists(VISIBLE, min_size=2, max_size=5))
    target = draw(st.integers(0, len(options) - 1))
    name = " ".join(draw(VISIBLE).split())
    return Choice(name, draw(VISIBLE), tuple(options), target, draw(st.sampled_from([None, "en", "pt"])))


@given(st.lists(choices(), min_size=1, max_size=4, unique_by=lambda choice: choice.id))
def test_what_is_written_is_read_back(tmp_path_factory, questions):
    path = tmp_path_factory.mktemp("questions") / "q.jsonl"
    write_choices(questions, path)
    assert load_choices(path) == tuple(questions)
    assert load_options(path) == {each.id: each.options for each in questions}


def test_packed_files_arrays_and_utf_16_are_read(written):
    plain = load_choices(written(lines(GOOD), "q.jsonl"))
    array = json.dumps([GOOD], indent=2)
    assert load_choices(written(gzip.compress(lines(GOOD).encode()), "q.jsonl.gz")) == plain
    assert load_choices(written(array, "q.json")) == plain
    assert load_choices(written(gzip.compress(array.encode("utf-16")), "q.json.gz")) == plain


def test_in_an_array_records_have_numbers(written):
    content = json.dumps([GOOD, GOOD, GOOD | {"id": "q3", "target": 9}], indent=2)
    assert refused(written(content, "q.json")).splitlines()[1:] == [
        "  q.json record 2: id 'q1' is that of record 1 too; expected its own; rename one of them",
        "  q.json record 3: the target is 9; expected the index of an option, 0 to 2, its letter, A to C, or its text",
    ]


def test_what_is_packed_may_not_be_too_large_either(written):
    content = lines(GOOD) + "\n" * 1000
    name = written(gzip.compress(content.encode()), "q.jsonl.gz")
    assert len(load_choices(name, largest=len(content))) == 1
    assert refused(name, largest=len(content) - 1) == (
        f"q.jsonl.gz: larger than {len(content) - 1:,} bytes when unpacked; expected at most that many; unpack it with "
        "gunzip and look at what is in it"
    )


def test_a_key_that_is_there_twice_is_no_way_to_lose_a_value(written):
    line = '{"id": "q1", "question": "Which?", "options": ["a", "b"], "target": 0, "target": 1}'
    assert "not JSON: the key 'target' is there twice" in refused(written(line, "q.jsonl"))
