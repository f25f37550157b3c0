"""Renderers know how blocks look, and nothing of what is in them."""

import re
from pathlib import Path

import pytest

import abalo.reporting
from abalo.core.documents.blocks import (
    Bar,
    Bars,
    Block,
    Chart,
    Code,
    Column,
    Examples,
    Fold,
    Group,
    Item,
    Mark,
    Marked,
    Measured,
    Noted,
    Row,
    Shaded,
    ShownExample,
    Table,
    Text,
    VerdictMark,
)
from abalo.core.protocols.probe import probes
from abalo.core.protocols.task import tasks
from abalo.core.records.json_records import declared_fields
from abalo.reporting.formats import html, latex, markdown, terminal
from tests.reporting.shown import Page

FOLDER = Path(abalo.reporting.__file__).parent
FORMATS = [FOLDER / "formats" / f"{name}.py" for name in ("html", "markdown", "latex", "terminal", "elements")]
DRAWING = [FOLDER / "drawing" / f"{name}.py" for name in ("figures", "lanes", "plain")]
SOURCES = [*FORMATS, *DRAWING, *sorted((FOLDER / "formats" / "templates").iterdir())]

NASTY = "<b>_x_</b> \\input{y} \u202e | `z` & $1$"
"""Text that means something to every renderer."""

EVERY: list[Block] = [
    Text((NASTY,), role="notice"),
    Text((NASTY,), role="verdict", verdict=VerdictMark("fail", "FAIL")),
    Text((NASTY, Item(NASTY, NASTY)), NASTY),
    Text((Item(NASTY, NASTY, verdict=VerdictMark("pass", "pass")), Item("", NASTY, code=True)), NASTY, "list"),
    Text((Item(NASTY, NASTY),), NASTY, "facts"),
    Text((NASTY,), NASTY, "command"),
    Text((), NASTY, "heading"),
    Table(
        (
            Column(NASTY),
            *(Column(NASTY, numeric=True) for _ in range(2)),
            *(Column(NASTY, NASTY) for _ in range(3)),
            Column("", figure=True),
        ),
        (
            Row(
                (
                    NASTY,
                    Measured(0.5, 0.25, 0.75),
                    Noted(NASTY, NASTY),
                    VerdictMark("fail", NASTY, NASTY),
                    Code(NASTY),
                    Shaded(NASTY, 0.5, bold=True, hint=NASTY),
                    Bars((Measured(0.5, 0.25, 0.75),), NASTY, 0.3),
                )
            ),
        ),
        NASTY,
        (NASTY, Item(NASTY, NASTY)),
    ),
    Fold(NASTY, (Text((NASTY,), NASTY, verdict=VerdictMark("fail", NASTY)), Text((NASTY,), NASTY, "list", open=0))),
    Chart(NASTY, (Group("", (Bar(NASTY, Measured(0.5), 0.4, VerdictMark("fail", "fail")),)),), NASTY),
    Chart(
        NASTY, (Group("", (Bar(NASTY, Measured(0.5), 0.4, VerdictMark("fail", NASTY), case=NASTY),)),), NASTY, "lanes"
    ),
    Chart(NASTY, (Group(NASTY, (Bar(NASTY, Measured(0.5), tick="1"),), NASTY), Group(NASTY, ())), NASTY, "circle"),
    Chart(NASTY, tuple(Group(NASTY, (Bar(NASTY, Measured(2.0), tick=NASTY),)) for _ in range(2)), NASTY, "columns"),
    Examples(
        (
            ShownExample(
                Item(NASTY, NASTY),
                (Marked(NASTY, (NASTY, Mark("lost", (Mark("edited", (NASTY,), hint=NASTY),), NASTY))),),
            ),
        ),
        NASTY,
        ((Mark("found", (NASTY,), NASTY, colour=3), NASTY),),
    ),
]
"""Every block, every cell and every role, made of nothing but unpleasant text."""


def names() -> set[str]:
    """The words of tasks and kinds of case: their names, metrics, views and the fields of their results."""
    found = {*tasks(), *probes()}
    for task in tasks().values():
        found |= {*task.metrics(), *task.views} - {"", "padded"}  # also a word of typography
    for probe in probes().values():
        found |= {each.name for each in declared_fields(probe.result_fields)}
    return found - {"kind", "place"}  # words of markup and of pages too


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_no_renderer_names_a_task_a_metric_a_view_or_a_kind_of_case(source: Path):
    text = source.read_text(encoding="utf-8")
    if source.suffix == ".py":
        text = re.sub(r'^(r?""").*?"""$', "", text, flags=re.MULTILINE | re.DOTALL)
    assert {name for name in names() if re.search(rf"[\"'.\[]{name}\b", text)} == set()


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_renderers_reach_tasks_and_kinds_of_case_through_blocks_alone(source: Path):
    imported = set(re.findall(r"^from (abalo\S*) import", source.read_text(encoding="utf-8"), re.MULTILINE))
    allowed = {"abalo.core.records", "abalo.core.protocols.results", "abalo.errors", "abalo.reporting"}
    allowed |= {f"abalo.core.documents.{name}" for name in ("blocks", "document", "found")}
    allowed |= {"abalo.reporting.content", "abalo.reporting.drawing"}
    allowed |= {"abalo.reporting.formats.assets", "abalo.reporting.formats.report_format"}
    allowed |= {
        "abalo.reporting.drawing.figures",
        "abalo.reporting.drawing.lanes",
        "abalo.reporting.drawing.trees",
        "abalo.reporting.documents.standing",
    }
    assert imported <= allowed


def test_text_in_any_block_means_nothing_in_html():
    page = html.render(EVERY, "summary")
    assert "<b>_x_" not in page
    assert "\u202e" not in page
    assert "&lt;b&gt;_x_&lt;/b&gt;" in page
    assert Page(page).text.count("<b>_x_</b>") > 20


def test_text_in_any_block_means_nothing_in_markdown():
    page = markdown.render(EVERY, 10)
    outside = re.sub(r"```sh\n.*?\n```|``.*?``", "", page)
    assert "<b>" not in outside
    assert "\u202e" not in page
    assert re.search(r"(?<!\\)[`|$] ", outside.replace("| ", "").replace(" |", "")) is None


def test_text_in_any_block_means_nothing_in_latex():
    page = latex.render(EVERY)
    assert "\\input{y}" not in page
    assert "$1$" not in page
    assert "\\textbackslash{}input\\{y\\}" in page
    assert "&lt;" not in page


def test_text_in_any_block_is_visible_on_a_terminal():
    lines = [line for block in EVERY for line, _ in terminal.render(block)]
    assert lines
    assert not any("\u202e" in line for line in lines)


def test_text_media_show_tables_without_their_figures():
    table = Table(
        (Column("Case"), Column("F", numeric=True), Column("", figure=True, scale=(0.0, 1.0))),
        (Row(("a", Measured(0.5, 0.25, 0.75), Bars((Measured(0.5),), "half"))),),
        "Numbers",
    )
    assert markdown.render([table], 5) == "## Numbers\n\n| Case | F |\n| --- | --: |\n| a | 0.500 [0.250, 0.750] |\n"
    assert "half" not in latex.render([table])
    assert "From 0.00 to 1.00" in html.render([table], "detail")


def test_rows_that_matter_most_are_kept_where_there_is_no_room_for_all():
    rows = tuple(Row((f"case {k}",), weight) for k, weight in enumerate((0.0, 3.0, -1.0, 2.0)))
    page = markdown.render([Table((Column("Case"),), rows, "Cases", noun="case")], 2)
    assert "| case 1 |\n| case 3 |\n\n*2 more cases left out " in page


def test_edits_stand_between_signs_that_the_text_does_not_have():
    before = Marked("before", (Mark("found", ("«Ana»", Mark("edited", ("Sá",))), "PESSOA"), "fala"))
    block = Examples((ShownExample("Lost.", (before,)),))
    assert [line for line, _ in terminal.render(block)] == ["    Lost.", "    before  [«Ana» ««Sá»» PESSOA] fala"]
