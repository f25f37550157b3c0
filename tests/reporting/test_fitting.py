"""Values held to a JSON Schema, by the keywords that those of reports have; another validator agrees."""

import json

import pytest
from jsonschema import Draft202012Validator

from abalo.reporting.documents.schemas import EXAMPLES, ROBUSTNESS, fitting, schema_of
from abalo.reporting.documents.schemas.fitting import Schema
from tests.rows import every

LIST = {"$defs": {"list": {"type": "array", "items": {"$ref": "#/$defs/list"}}}, "$ref": "#/$defs/list"}
CLOSED = {"properties": {"a": {"type": "integer"}}, "additionalProperties": False}
NAMED = {"additionalProperties": {"type": "string"}, "propertyNames": {"pattern": "^a"}}
EITHER = {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"a": {"enum": [1, "b"]}}}]}
BRANCH = {"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}

FITS = [
    ({"type": ["number", "null"]}, [None, 0, 1.5]),
    ({"type": "integer"}, [3, 3.0, -1, 10**400]),
    ({"enum": [1, None, "a"]}, [1, None, "a"]),
    ({"const": True}, [True]),
    (LIST, [[], [[], [[]]]]),
    (CLOSED, [{}, {"a": 1}, "a"]),
    (NAMED, [{}, {"ab": "c"}]),
    (EITHER, [None, {}, {"a": 1}, {"a": "b"}]),
    (BRANCH, [{"a": 1, "b": 1}, {"c": 1}, 3]),
    ({"minimum": 0, "exclusiveMaximum": 1}, [0, 0.5, "x", None]),
    ({"minLength": 1, "pattern": "^max_"}, ["max_f1"]),
    ({"minItems": 1, "maxItems": 2, "uniqueItems": True}, [[1], [1, 2]]),
    ({"prefixItems": [{"type": "string"}], "items": {"type": "null"}}, [[], ["a"], ["a", None]]),
    ({"dependentRequired": {"a": ["b"]}, "minProperties": 1}, [{"b": 1}, {"a": 1, "b": 2}]),
    ({"not": {"type": "string"}}, [1, None]),
    ({"allOf": [{"required": ["a"]}, {"required": ["b"]}]}, [{"a": 1, "b": 1}]),
    (False, []),
]
MISFITS = [
    ({"type": ["number", "null"]}, True, "it is True; expected a number or null"),
    ({"type": "number"}, "1", "it is '1'; expected a number"),
    ({"type": "integer"}, 1.5, "it is 1.5; expected a whole number"),
    ({"type": "integer"}, False, "it is False; expected a whole number"),
    ({"enum": [1, "a"]}, True, "it is True; expected 1 or 'a'"),
    ({"const": 1}, 2, "it is 2; expected 1"),
    (LIST, [[], [3]], "[1][0] is 3; expected a list"),
    (CLOSED, {"a": "x"}, "a is 'x'; expected a whole number"),
    (CLOSED, {"b": 1}, "b is 1; expected no such field"),
    (NAMED, {"ab": 1}, "ab is 1; expected a string"),
    (NAMED, {"b": "c"}, "b is 'b'; expected a string like ^a"),
    (EITHER, {"a": 2}, "a is 2; expected 1 or 'b'"),
    (BRANCH, {"a": 1}, "it has no b"),
    (BRANCH, {}, "it has no c"),
    ({"minimum": 0}, -1, "it is -1; expected at least 0"),
    ({"exclusiveMaximum": 1}, 1, "it is 1; expected less than 1"),
    ({"minLength": 1}, "", "it is ''; expected at least 1 characters"),
    ({"pattern": "^max_"}, "min_f1", "it is 'min_f1'; expected a string like ^max_"),
    ({"maxItems": 1}, [1, 2], "it is [1, 2]; expected at most 1 parts"),
    ({"uniqueItems": True}, [1, 1], "it is [1, 1]; expected no part twice"),
    ({"prefixItems": [{"type": "string"}], "items": False}, ["a", 1], "[1] is 1; expected no such field"),
    ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "it has no b"),
    ({"minProperties": 1}, {}, "it is {}; expected at least 1 fields"),
    ({"not": {"type": "string"}}, "a", "it is 'a'; expected another value"),
    ({"properties": {"a": {"items": {"required": ["b"]}}}}, {"a": [{"b": 1}, {}]}, "a[1] has no b"),
    (False, 1, "it is 1; expected no such field"),
]


@every(("schema", "values"), FITS)
def test_what_fits(schema, values):
    for value in values:
        assert Schema(schema).misfit(value) is None
        assert Draft202012Validator(schema).is_valid(value)


@every(("schema", "value", "said"), MISFITS)
def test_what_does_not_fit_is_told_with_its_place(schema, value, said):
    assert Schema(schema).misfit(value) == said
    assert not Draft202012Validator(schema).is_valid(value)


def test_a_number_without_end_is_none():
    assert Schema({"type": "number"}).misfit(json.loads("1e999")) == "it is inf; expected a number"


def test_a_place_and_a_value_are_made_visible():
    said = Schema({"additionalProperties": {"type": "null"}}).misfit({"\x1b[31m\n": "\u202e" + "x" * 100})
    assert said is not None
    assert said.isprintable()
    assert len(said) < 130


def keywords(schema, of_names=False):
    """All names that stand in a schema where a keyword can."""
    if isinstance(schema, dict):
        for name, each in schema.items():
            if not of_names:
                yield name
            yield from keywords(each, not of_names and name in ("properties", "$defs", "dependentRequired"))
    elif isinstance(schema, list):
        for each in schema:
            yield from keywords(each)


KNOWN = {
    "$ref",
    "properties",
    "additionalProperties",
    "propertyNames",
    "items",
    "prefixItems",
    "allOf",
    "anyOf",
    "not",
} | {
    "if",
    "then",
    "else",
}
SILENT = {"$schema", "$id", "$defs", "title", "description"}


@pytest.mark.parametrize("kind", [ROBUSTNESS, EXAMPLES])
def test_no_keyword_of_ours_is_passed_over(kind):
    assert {*keywords(schema_of(kind))} <= {*fitting._KEYWORDS} | KNOWN | SILENT
