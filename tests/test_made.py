"""``python -m docs.made`` makes pages of docs/reference from the code; ``make generated`` checks them."""

from types import SimpleNamespace

import pytest

from docs import made
from docs.making.types_in_words import in_words
from tests.texts import TextWith


def test_a_page_that_is_not_is_named_and_left_as_it_is(tmp_path, monkeypatch, capsys):
    page = tmp_path / "new.md"
    monkeypatch.setattr(made, "makers", lambda: {"new": SimpleNamespace(PAGE=page, made=lambda: "new\n")})
    assert made.main(["--check"]) == 1
    assert not page.exists()
    assert capsys.readouterr().err == f"{page} is out of date: run python -m docs.made new\n"
    assert made.main([]) == 0
    assert page.read_text("utf-8") == "new\n"
    assert made.main(["--check"]) == 0


def test_a_page_of_another_name_is_refused(capsys):
    with pytest.raises(SystemExit):
        made.main(["perturbation"])
    assert "'perturbation' is no page; expected one of attacks, " in capsys.readouterr().err


def test_a_mark_that_would_end_a_cell_is_escaped():
    assert made.table(("a", "b"), [["x|y", "z"]]) == "| a | b |\n| --- | --- |\n| x&#124;y | z |\n"


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, "any"),
        ({"type": "boolean"}, "true or false"),
        ({"type": ["string", "null"]}, "string or null"),
        ({"type": "integer", "minimum": 1, "maximum": 1000}, TextWith("whole number ", "1 to 1,000")),
        ({"type": "number", "minimum": 0, "exclusiveMaximum": 1}, TextWith("number ", "0 to below 1")),
        ({"type": "array", "items": {"type": "integer", "minimum": 0}}, "list of whole numbers"),
        ({"enum": ["pass", "fail"]}, '`"pass"`, `"fail"`'),
        ({"anyOf": [{"enum": [1]}, {"type": "string"}, {"enum": [2]}]}, "string or `1`, `2`"),
    ],
)
def test_the_values_of_a_schema_in_words(schema, words):
    assert in_words(schema) == words
