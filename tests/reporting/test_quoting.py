"""Sentences of any length are quoted around their first edit, wherever they are shown."""

import pytest

from abalo.core.documents.blocks import Examples, Item, Mark, Marked, ShownExample
from abalo.core.records import words
from abalo.reporting.drawing.plain import WHOLE, around, lines
from abalo.reporting.formats import console, html, markdown, terminal
from tests.texts import TextWith

QUOTED = words.QUOTED
WORDS = [f"word{number}" for number in range(3000)]
LABEL = Mark("found", ("0",), "✓")


@pytest.mark.parametrize("at", [0, 0.001, 0.5, 0.999, 1])
def test_an_excerpt_is_cut_around_a_place(at):
    text = "".join(f"{number:05}" for number in range(2000))
    found = words.excerpt(text, at)
    assert len(found) <= words.QUOTED
    assert f"{min(round(at * 2000), 1999):05}" in found
    assert words.excerpt("short", at) == "short"


def example(place, new="w0rd", words=WORDS, caption="But it is not."):
    edited = Mark("edited", (new,), hint=f"was: {words[place]}")
    return ShownExample(
        Item(caption, "1."),
        (
            Marked("before", (*words[:place], Mark("edited", (words[place],)), *words[place + 1 :], LABEL)),
            Marked("after", (*words[:place], edited, *words[place + 1 :], LABEL)),
            Marked("premise", (" ".join(words),)),
        ),
    )


@pytest.mark.parametrize("place", [0, 1, 1500, 2998, 2999])
def test_a_long_sentence_is_cut_around_its_edit_and_keeps_its_label(place):
    before, after, premise = (text for _, text in lines(around(example(place), QUOTED)))
    assert f"«word{place}»" in before
    assert "«w0rd»" in after
    assert f"word{place}" in premise  # has no edit: the same place is shown
    assert all(text.endswith("[0 ✓]") for text in (before, after))
    assert all(0.5 * QUOTED < len(text) <= QUOTED + 10 for text in (before, after, premise))
    assert before.startswith("…") is after.startswith("…") is (place > 1)


@pytest.mark.parametrize(("lost", "shown"), [(10, "«W0»"), (2000, "[word2000 ✗ lost PER]")])
def test_a_loss_far_from_the_first_edit_is_shown_instead_of_it(lost, shown):
    """Such as an entity lost at the end of a text in capitals."""
    after = [Mark("edited", ("W0",)), *WORDS[1:]]
    after[lost] = Mark("lost", (f"word{lost}",), "✗ lost PER")
    before, made = (
        text
        for _, text in lines(
            around(ShownExample("", (Marked("original", tuple(WORDS)), Marked("perturbed", tuple(after)))), QUOTED)
        )
    )
    assert shown in made
    assert WORDS[lost] in before
    assert len(made) <= QUOTED + 10


def test_the_original_begins_where_the_variant_does_though_a_later_word_of_it_is_gone():
    original = (*WORDS[:2000], Mark("removed", (WORDS[2000],)), *WORDS[2001:])
    perturbed = (Mark("edited", ("W0",)), *WORDS[1:2000], *WORDS[2001:])
    shown = ShownExample("", (Marked("original", original), Marked("perturbed", perturbed)))
    first, second = (text for _, text in lines(around(shown, QUOTED)))
    assert first.startswith("word0 word1 ")
    assert second.startswith("«W0» word1 ")


def test_a_text_with_edits_throughout_is_wrapped_rather_than_cut():
    edited = tuple(Mark("edited", (word.upper(),)) for word in WORDS[:20])
    block = Examples((ShownExample("1.", (Marked("original", (*WORDS[:20], LABEL)), Marked("new", (*edited, LABEL)))),))
    said = [line for line, _ in terminal.render(block, 80)]
    assert max(map(len, said)) <= 80
    assert all(any(f"«{word.upper()}»" in line for line in said) for word in WORDS[:20])


def test_a_mark_inside_another_one_has_braces():
    inner = Mark("predicted", ("word1",), "+ PER")
    block = Examples((ShownExample("1.", (Marked("new", (Mark("lost", ("word0", inner), "✗ lost ORG"),)),)),))
    told = "[word0 {word1 + PER} ✗ lost ORG]"
    assert any(told in line for line, _ in terminal.render(block))
    assert told in console.text([block])


def test_a_short_sentence_stays_as_it_is():
    short = example(3, words=WORDS[:20])
    assert around(short, QUOTED).sentences == short.sentences


def test_a_word_that_is_too_long_is_shown_from_where_it_changed():
    old, new = "a" * 5000 + "x" + "b" * 5000, "a" * 5000 + "y" + "b" * 5000
    before, after, _ = (text for _, text in lines(around(example(0, new, [old, "end"]), QUOTED)))
    assert "aaaxbbb" in before
    assert "aaaybbb" in after
    assert max(len(before), len(after)) <= QUOTED


def test_a_long_answer_at_the_end_is_cut_and_stays():
    """Such as the answer to a question, which a sentence of 80 characters would have no room for."""
    said = "Alexander Graham Bell in 1876"
    label = Mark("lost", (said,), f"✗ Edinburgh → {said}")
    (shown,) = lines(around(ShownExample("", (Marked("perturbed", (*WORDS[:40], label)),)), 80))
    assert shown[1] == TextWith("[Alexander Gra", "✗ Edinburgh]")


def test_a_caption_is_cut():
    found = around(example(0, caption="entity " * 500), QUOTED)
    assert len(found.caption.text) <= QUOTED


def test_every_renderer_stays_small():
    """Three sentences of 300 characters, or of 1,000 on the page, which has the edited word in a hint, too.

    abalo show has 1,000 characters, too.
    """
    block = Examples((example(1500),), "Worst examples", open=1)
    assert "w0rd" in (said := "\n".join(line for line, _ in terminal.render(block)))
    assert max(map(len, said.split("\n"))) <= QUOTED + 20
    assert "w0rd" in (said := console.text([block]))
    assert QUOTED < max(map(len, said.split("\n"))) <= WHOLE + 20
    assert "w0rd" in (said := markdown.render([block], 5))
    assert len(said) < 1500
    assert "w0rd" in (said := html.render([block], "detail"))
    assert 3000 < len(said) < 5000
