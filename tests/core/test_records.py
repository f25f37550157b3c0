"""Records are read, written and described by the declarations of their fields."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

import pytest
from annotated_types import MinLen

from abalo.core.documents.document import CaseError
from abalo.core.documents.found import DrawnFields, Result
from abalo.core.records.json_records import (
    Anything,
    Count,
    JsonRecord,
    Share,
    as_json,
    declared,
    joins,
    json_schema,
    read,
    read_whole,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side(JsonRecord):
    """A record in others, which may have one of its own."""

    more: Mapping[str, Share | None] = field(default_factory=dict)
    inner: Side | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenFacts(JsonRecord):
    """A record that may have any other field."""

    more: Mapping[str, Anything] = field(default_factory=dict)
    length: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole(JsonRecord):
    """A record with each kind of field."""

    name: str = declared("A name.")
    number: Count | None
    state: Literal["a", "b"] | None
    sides: Sequence[Side]
    by_name: Mapping[str, float | Side]
    even: Annotated[Sequence[int], MinLen(2)] = ()
    absent: Count | None = None
    always: str = declared(default="", required=True)
    others: OpenFacts | None
    in_memory: str = declared(default="", kept=False)


def test_types_defaults_and_rules_become_a_closed_schema():
    count = {"type": "integer", "minimum": 0}
    share = {"type": "number", "minimum": 0, "maximum": 1}
    schema = json_schema(Whole)
    assert schema.pop("$defs") == {
        "side": {
            "title": "Side",
            "description": "A record in others, which may have one of its own.",
            "type": "object",
            "required": [],
            "properties": {"inner": {"anyOf": [{"$ref": "#/$defs/side"}, {"type": "null"}]}},
            "additionalProperties": {"anyOf": [share, {"type": "null"}]},
        },
        "open": {
            "title": "OpenFacts",
            "description": "A record that may have any other field.",
            "type": "object",
            "required": ["length"],
            "properties": {"length": count},
            "additionalProperties": True,
        },
    }
    assert schema == {
        "title": "Whole",
        "description": "A record with each kind of field.",
        "type": "object",
        "required": ["name", "number", "state", "sides", "by_name", "always", "others"],
        "properties": {
            "name": {"type": "string", "description": "A name."},
            "number": {"anyOf": [count, {"type": "null"}]},
            "state": {"anyOf": [{"type": "string", "enum": ["a", "b"]}, {"type": "null"}]},
            "sides": {"type": "array", "items": {"$ref": "#/$defs/side"}},
            "by_name": {
                "type": "object",
                "additionalProperties": {"anyOf": [{"type": "number"}, {"$ref": "#/$defs/side"}]},
            },
            "even": {"type": "array", "items": {"type": "integer"}, "minItems": 2},
            "absent": {"anyOf": [count, {"type": "null"}]},
            "always": {"type": "string"},
            "others": {"anyOf": [{"$ref": "#/$defs/open"}, {"type": "null"}]},
        },
        "additionalProperties": False,
    }


WHOLE = {"number": 3, "name": "a", "state": "b", "sides": [{"inner": {"x": 0.5}, "y": None}], "by_name": {}}
WHOLE |= {"others": {"length": 1, "z": [{}]}, "unknown": "kept"}


def test_what_is_read_is_written_in_its_order_with_fields_that_nobody_knows():
    record = read(Whole, WHOLE)
    assert record.sides[0].inner.more == {"x": 0.5}
    assert as_json(record) == WHOLE
    assert [*as_json(record)] == [*WHOLE]


def test_a_number_in_place_of_a_record_is_a_number():
    assert read(Whole, WHOLE | {"by_name": {"a": 0.5, "b": {}}}).by_name == {"a": 0.5, "b": Side()}


def test_costs_sum_over_parts_and_trainings_and_counts_of_units_over_parts():
    assert joins([Result], "spent") == ["seconds", "inputs", "shared_inputs"]
    assert joins([Result], "sum", "spent") == ["variants", "seconds", "inputs", "calls", "shared_inputs"]
    assert joins([DrawnFields], "sum", "spent") == ["filtered", "not_hit", "nothing_fits"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"name": 3}, ["name is 3; expected a text"]),
        ({"number": True}, ["number is True"]),
        ({"number": -1}, ["number is -1", "greater than or equal to 0"]),
        ({"state": "c", "even": [1]}, ["state is 'c'; expected 'a' or 'b'", "even is [1]"]),
        ({"sides": {}}, ["sides is {}"]),
        ({"sides": [{}, {"inner": 3}]}, ["sides.1.inner is 3"]),
        ({"sides": [{"inner": {"x": 2}}]}, ["sides.0.inner.x is 2", "less than or equal to 1"]),
        ({"even": [1, "b"]}, ["even.1 is 'b'"]),
        ({"by_name": {"x": "y"}}, ["by_name.x is 'y'; expected a number, or an object"]),
        ({"by_name": {"x": math.nan}}, ["by_name.x is nan"]),
        ({"others": {}}, ["others.length is missing"]),
    ],
)
def test_every_misfit_is_named_with_its_place_and_value(value, said):
    with pytest.raises(TypeError) as error:
        read(Whole, WHOLE | value)
    assert [each for each in said if each not in str(error.value)] == []


def test_what_is_no_object_is_no_record():
    with pytest.raises(TypeError, match=r"Whole is \[\]"):
        read(Whole, [])


def test_a_misfit_inside_of_a_list_or_a_union_has_the_place_of_the_file():
    with pytest.raises(TypeError) as error:
        read(Whole, WHOLE | {"number": [], "even": [[]], "by_name": {"x": [None]}})
    expected = [
        "number is []; expected a whole number",
        "even.0 is []; expected a whole number",
        "by_name.x is [None];",
    ]
    assert [each for each in expected if each not in str(error.value)] == []
    assert "function" not in str(error.value)


def test_a_lone_surrogate_becomes_an_escape():
    assert read(CaseError, {"id": "ner/a\udce9", "message": ""}).id == "ner/a\\udce9"


def test_a_whole_file_has_the_fields_that_every_file_has():
    with pytest.raises(TypeError, match="always is missing"):
        read_whole(Whole, WHOLE)
    assert read_whole(Whole, WHOLE | {"always": "x"}).always == "x"
