"""Blocks as text for a terminal."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.core.documents.blocks import (
    Column,
    Examples,
    Fold,
    Item,
    Mark,
    Marked,
    Measured,
    Row,
    ShownExample,
    Table,
    Text,
    VerdictMark,
)
from abalo.reporting.formats.console import in_colour, text

CODES = re.compile("\x1b\\[[0-9;]+m")

ANY = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=20).map("word{}".format)


def blocks(said):
    """One block of each kind that quotes this text."""
    mark = Mark("lost", (Mark("edited", (said,)), said), f"✗ lost {said}")
    return [
        Text((said, Item(said, said, verdict=VerdictMark("fail", said, said))), said, "list"),
        Text((said,), role="verdict", verdict=VerdictMark("pass", said)),
        Table((Column(said), Column("n", numeric=True)), (Row((said, Measured(0.5))),), said, (said,)),
        Examples((ShownExample(said, (Marked("clean", (said, mark)),)),), said, ((mark, said),)),
        Fold(said, (Text((said,)),)),
    ]


@given(ANY)
def test_nothing_from_outside_can_steer_the_terminal_or_begin_a_line(said):
    plain = text(blocks(said))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", plain)
    assert len(plain.splitlines()) == len(text(blocks("word")).splitlines())


@given(ANY)
def test_colours_add_nothing_but_colours(said):
    assert CODES.sub("", text(blocks(said), colour=True)) == text(blocks(said))


def test_marks_are_signs_and_colours():
    lost = Mark("lost", (Mark("edited", ("Jose",)), "Sá"), "✗ lost PER")
    shown = [Examples((ShownExample("1.", (Marked("now", (lost, "saiu")),)),))]
    assert text(shown) == "  1.\n    now  [«Jose» Sá ✗ lost PER] saiu\n"
    (line,) = re.findall("now.*", text(shown, colour=True))
    assert "\x1b[1;31mSá\x1b[0m" in line
    assert "\x1b[1;31;33mJose\x1b[0m" in line
    assert line.endswith(" saiu")


def test_columns_are_aligned_by_what_letters_take():
    table = Table(
        (Column("Name"), Column("n", numeric=True), Column("State")),
        (Row(("北京", "1", VerdictMark("fail", "regressed"))), Row(("e\u0301", "10", ""))),
    )
    assert text([table]) == "Name   n  State\n北京   1  REGRESSED\ne\u0301     10\n"


def test_what_is_cut_is_counted():
    assert text([Text(("a", "b", "c"), role="list", most=1)]) == "a\n… and 2 more\n"
    assert text([Table((Column("a"),), (Row(("1",)), Row(("2",))), most=1)]) == "a\n1\n… and 1 more\n"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "colours"),
    [
        (Terminal(), {"TERM": "xterm"}, True),
        (Terminal(), {"TERM": "xterm", "NO_COLOR": ""}, True),
        (Terminal(), {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (Terminal(), {}, False),
        (io.StringIO(), {"TERM": "xterm"}, False),
    ],
)
def test_colours_are_for_terminals_that_want_them(monkeypatch, stream, environment, colours):
    for name in ("TERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert in_colour(stream) is colours
