"""The JSON Schema of a record follows from the declarations of its fields."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

import pytest

from abalo.core.found import Result
from abalo.core.record_schemas import object_schema
from abalo.core.records import Anything, Count, JsonRecord, Share, declared, elsewhere, joins, read_stored, rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Side(JsonRecord):
    """A record in others, which may have one of its own."""

    more: Mapping[str, Share | None] = field(default_factory=dict)
    inner: Side | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(JsonRecord):
    """What stands in a file for a field, and may have any other."""

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
    even: Annotated[Sequence[int], rules(minItems=2)] = ()
    absent: Count | None = None
    absent_or_null: Count | None = declared(default=None, null=True)
    always: str = declared(default="", required=True)
    elsewhere: dict[str, object] | None = declared(schema=Rule)
    in_memory: str = declared(default="", kept=False)


def test_types_defaults_and_rules_become_a_closed_schema():
    others: dict = {}
    assert object_schema(Whole, others) == {
        "type": "object",
        "required": ["name", "number", "state", "sides", "by_name", "always", "elsewhere"],
        "properties": {
            "name": {"type": "string", "description": "A name."},
            "number": {"type": ["integer", "null"], "minimum": 0},
            "state": {"enum": ["a", "b", None]},
            "sides": {"type": "array", "items": {"$ref": "#/$defs/side"}},
            "by_name": {
                "type": "object",
                "additionalProperties": {"anyOf": [{"type": "number"}, {"$ref": "#/$defs/side"}]},
            },
            "even": {"type": "array", "items": {"type": "integer"}, "minItems": 2},
            "absent": {"type": "integer", "minimum": 0},
            "absent_or_null": {"type": ["integer", "null"], "minimum": 0},
            "always": {"type": "string"},
            "elsewhere": {"anyOf": [{"$ref": "#/$defs/rule"}, {"type": "null"}]},
        },
        "additionalProperties": False,
    }
    assert others == {
        "side": {
            "type": "object",
            "properties": {"inner": {"$ref": "#/$defs/side"}},
            "additionalProperties": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
        },
        "rule": {
            "type": "object",
            "required": ["length"],
            "properties": {"length": {"type": "integer", "minimum": 0}},
            "additionalProperties": {},
        },
    }


def test_a_declaration_says_what_a_field_is_in_results_of_other_kinds():
    assert elsewhere(Result, "require", "attack", "filtered") == {"require": [], "attack": None, "filtered": 0}


def test_costs_sum_over_parts_and_trainings_and_counts_of_units_over_parts():
    assert joins(Result, "spent") == ["seconds", "forwards", "shared_forwards"]
    assert joins(Result, "sum", "spent") == [
        "variants",
        "unscored",
        "seconds",
        "forwards",
        "shared_forwards",
        "filtered",
        "not_hit",
        "nothing_fits",
    ]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"name": 3}, "name is 3"),
        ({"name": "a", "number": True}, "number is True"),
        ({"name": "a", "number": None, "state": "c"}, "state is 'c'"),
        ({"name": "a", "number": 1, "sides": {}}, "sides is {}"),
        ({"name": "a", "number": 1, "sides": [{"inner": 3}]}, "inner is 3"),
        ({"name": "a", "number": 1, "even": ["b"]}, "even is 'b'"),
        ({"name": "a", "number": 1, "by_name": {"x": "y"}}, "by_name is|x is 'y'"),
        ({"name": "a", "other": [math.inf]}, "other is inf"),
        ([], r"Whole is \[\]"),
    ],
)
def test_values_of_files_have_the_declared_types(value, said):
    with pytest.raises(TypeError, match=said):
        read_stored(Whole, value)
