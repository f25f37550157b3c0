"""Values from outside fit exactly if they fit the JSON Schema of their annotation."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import date, datetime
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given
from jsonschema import Draft202012Validator, FormatChecker

from abalo.capabilities.capability import SETTINGS
from abalo.config.options import OPTIONS
from abalo.core.records.settings import (
    CLEAN_SETTINGS,
    GATE_SETTINGS,
    WAIVER_SETTINGS,
    Wanted,
    case_settings,
    loss_settings,
)
from abalo.core.records.values import Day, fits, schema_of, valid
from abalo.reporting.documents.schemas import ROBUSTNESS
from abalo.reporting.documents.schemas import schema_of as schema_of_file
from abalo.reporting.documents.stored import as_stored, check_stored, sealed
from tests.reporting.documents import able, sample, searched

TEXTS = st.one_of(
    st.text(max_size=5).filter(lambda text: not text.endswith("\n")), st.sampled_from(["auto", "pt", "fp32", "pass"])
)
NUMBERS = st.one_of(
    st.integers(-3, 101), st.floats(-1, 2), st.integers(-3, 101).map(float), st.sampled_from([100, 1e6, 10**18])
)
PLAIN = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS, st.dates().map(str))
VALUES = st.one_of(PLAIN, st.lists(PLAIN, max_size=3), st.dictionaries(st.text(max_size=2), PLAIN, max_size=2))

KNOWN: dict[str, Any] = {
    f"{table} {key}": wanted.values
    for table, settings in {
        "gate": GATE_SETTINGS,
        "case": case_settings(("projected", "structural")),
        "clean": CLEAN_SETTINGS,
        "waiver": WAIVER_SETTINGS,
        "losses": loss_settings(["f1"]),
        "capabilities": SETTINGS,
    }.items()
    for key, wanted in settings.items()
} | {f"option {each.name}": each.values for each in OPTIONS}


def is_valid(schema: dict[str, Any], value: object) -> bool:
    return Draft202012Validator(schema, format_checker=FormatChecker(["date"])).is_valid(value)


@given(value=VALUES)
def test_a_setting_fits_exactly_if_it_fits_its_schema(value: object):
    told = {name: fits(value, values) for name, values in KNOWN.items()}
    assert told == {name: is_valid(schema_of(values), value) for name, values in KNOWN.items()}
    for name, fitting in told.items():
        if fitting:
            valid(value, KNOWN[name])


def small(*documents: dict[str, Any]) -> dict[str, Any]:
    """The first of the documents as a file has it, with the last result of each."""
    stored = [json.loads(json.dumps(sealed(as_stored(each)))) for each in documents]
    return stored[0] | {"results": [each["results"][-1] for each in stored]}


STORED = small(sample(), searched(), able())


def places(value: object, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all values in fields of a declared type."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place] * (place != ()) + [each for name, part in parts for each in places(part, (*place, name))]


PLACES = [place for place in places(STORED) if place[0] != "options"]
"""Options are read by the rules of the command line, where a command takes them over."""


GONE = object()
"""Stands for a field that is taken away."""


@pytest.mark.slow
@given(place=st.sampled_from(PLACES), value=VALUES | st.just(GONE))
def test_a_changed_report_is_read_exactly_if_it_fits_the_schema(place: tuple[Any, ...], value: object):
    changed = deepcopy(STORED)
    inside = changed
    for part in place[:-1]:
        inside = inside[part]
    if value is GONE:
        del inside[place[-1]]
    else:
        inside[place[-1]] = value
    try:
        check_stored(changed)
        is_read = True
    except TypeError:
        is_read = False
    assert is_read == is_valid(SCHEMA, changed), (place, value)


SCHEMA = schema_of_file(ROBUSTNESS)


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2027-03-01", date(2027, 3, 1)),
        (date(2027, 3, 1), date(2027, 3, 1)),
        ("2027-02-30", None),
        ("20270301", None),
        (datetime(2027, 3, 1), None),
    ],
)
def test_a_day_is_a_date_or_a_date_in_writing(value: object, day: date | None):
    assert fits(value, Day) == (day is not None)
    assert day is None or valid(value, Day) == day


def test_a_whole_number_may_be_written_with_a_point():
    assert valid(3.0, REPEATS.values) == 3
    assert isinstance(valid(3.0, REPEATS.values), int)


REPEATS: Wanted = GATE_SETTINGS["repeats"]


@pytest.mark.parametrize(("language", "is_one"), [("pt", True), ("auto", True), ("pt\n", False), ("portuguese", False)])
def test_a_pattern_ends_where_the_text_ends(language: str, is_one: bool):
    assert GATE_SETTINGS["language"].fits(language) is is_one
