"""Markup as data: the same elements come out, equal ones once, and nothing in a script ends it."""

import json
from html import escape
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from abalo.reporting.formats.elements import Elements, all_of, in_script

TEXT = st.text(st.characters(exclude_categories=("C", "Z")), max_size=12)
"""Text as pages have it: whatever cannot be seen has been written out."""


@st.composite
def markups(draw, depth: int = 3) -> str:
    """A small tree of elements with classes, attributes and text that means something to HTML."""
    if not depth:
        return escape(draw(TEXT))
    inside = "".join(draw(st.lists(markups(depth=depth - 1), max_size=3)))
    classes = draw(st.sampled_from(["", ' class="abalo-a"', ' class="abalo-a abalo-b"']))
    return f'<p{classes} title="{escape(draw(TEXT))}">{inside}</p>'


def markup_of(node: Any, shared: list[Any]) -> str:
    """The markup that a node stands for, as the script of a page draws it."""
    if isinstance(node, int):
        return markup_of(shared[node], shared)
    if isinstance(node, str):
        return escape(node)
    (name, *classes), rest = node[0].split("."), node[1:]
    attributes = rest.pop(0) if rest and isinstance(rest[0], dict) else {}
    said = f' class="{" ".join(classes)}"' * bool(classes)
    said += "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{said}>{''.join(markup_of(child, shared) for child in rest)}</{name}>"


@given(st.lists(markups(), max_size=4))
def test_the_elements_of_fragments_come_back(fragments):
    elements = Elements()
    places = [elements.add(fragment) for fragment in fragments]
    shared = elements.shared()
    for fragment, found in zip(fragments, places, strict=True):
        assert "".join(markup_of(node, shared) for node in all_of(elements, found)) == fragment


def test_equal_elements_are_written_once():
    elements = Elements()
    row = '<tr><td class="abalo-number">0.123 [0.100, 0.200]</td></tr>'
    places = [elements.add(f"<table>{row * 3}</table>"), elements.add(row)]
    assert elements.shared() == [["tr", ["td.abalo-number", "0.123 [0.100, 0.200]"]]]
    assert [all_of(elements, each) for each in places] == [[["table", 0, 0, 0]], [0]]


def test_attributes_stand_beside_classes():
    elements = Elements()
    (place,) = elements.add('<svg class="abalo-a" viewBox="0 0 1 1"><path d="M0 0"></path></svg>')
    elements.shared()
    assert elements.node(place) == ["svg.abalo-a", {"viewBox": "0 0 1 1"}, ["path", {"d": "M0 0"}]]


@given(st.text())
def test_no_text_ends_a_script_or_a_line_of_it(text):
    said = in_script({"text": f"</script><!--{text}\u2028\u2029"})
    assert not set(said) & set("<>&\u2028\u2029\n")
    assert json.loads(said) == {"text": f"</script><!--{text}\u2028\u2029"}
