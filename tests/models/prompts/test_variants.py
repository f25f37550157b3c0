"""Other prompts for the same task: what changes, what stays, and labels under other names."""

import pytest

from abalo.errors import AbaloError
from abalo.models.prompts.entities import EntityForm
from abalo.models.prompts.labels import LabelForm
from abalo.models.prompts.names import NamedForm
from abalo.models.prompts.prompting import Prompting, Prompts
from abalo.models.prompts.tags import TagForm
from abalo.models.prompts.variants import WAYS, Origin, vary_prompts
from abalo.models.prompts.wording import Shot, Wording
from perturbations import Sentence

POOL = [Shot(f"text {number}", (("bad", "good", "mixed")[number % 3],)) for number in range(6)]


def form_of(reply):
    if reply == "marked":
        raise ValueError("no marks")
    return LabelForm(("bad", "good", "mixed"), several=False, json=reply == "json")


def origin(said=None, draws=2, alternatives="", judged=("text 5",)):
    prompts = Prompts("m", Prompting(form_of, lambda _: POOL, lambda: judged))
    return Origin(prompts, prompts.worded(said or Wording()), draws, alternatives)


def names(found):
    return [each.name for each in found]


def last(variant, text="fine"):
    return variant.worded.conversation(text)[-1].text


def test_every_way_has_prompts_that_differ_from_the_usual_one_and_from_each_other(tmp_path):
    path = tmp_path / "others.toml"
    path.write_text('[short]\nprompt = "{labels}? {text}"\n\n[same]\n', "utf-8")
    start = origin(Wording(examples="train", shown=3), alternatives=str(path))
    found = vary_prompts(start, list(WAYS))
    assert {each.way for each in found} == set(WAYS)
    assert "wording: same" not in names(found)
    said = [tuple(each.worded.conversation("fine")) for each in found]
    assert len({*said, tuple(start.usual.conversation("fine"))}) == len(found) + 1


def test_labels_stand_in_another_order():
    reversed_, *drawn = vary_prompts(origin(), ["label_order"])
    assert "one of: mixed, good, bad." in last(reversed_)
    assert all(sorted(each.worded.form.labels) == ["bad", "good", "mixed"] for each in drawn)


def test_examples_stand_in_another_order_or_are_others_and_none_is_judged():
    said = Wording(examples="train", shown=3)
    reversed_ = vary_prompts(origin(said), ["example_order"])[0]
    assert [each.text.split("Text: ")[-1][:6] for each in reversed_.worded.messages[::2]] == [
        "text 2",
        "text 1",
        "text 0",
    ]
    chosen = vary_prompts(origin(said, draws=20), ["example_choice"])
    shown = {shot.given for each in chosen for shot in each.worded.shots}
    assert shown == {"text 0", "text 1", "text 2", "text 3", "text 4"}


def test_places_of_a_template_stay_as_they_are():
    small, capitals = vary_prompts(origin(), ["letter_case"])
    assert last(capitals, "fine").startswith("READ THE TEXT")
    assert "fine" in last(capitals, "fine")
    assert "bad, good, mixed" in last(capitals)
    assert last(small).startswith("read the text")


def test_without_examples_or_alternatives_these_ways_have_none():
    assert vary_prompts(origin(), ["example_order", "example_choice", "wording"]) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("short = 3", r"others.toml short: expected a table for each prompt"),
        ("[short]\npromt = 'x'", r"others.toml \[short\] promt: no such key, did you mean 'prompt'|did you mean"),
        ("[short", "cannot be read"),
        ("[short]\nprompt = 'x'", "its template lacks {text} and {labels}"),
        ("[short]\nnames = {bad = 'x', good = 'X'}", "gives two labels one name"),
        ("[short]\nnames = {worse = 'x'}", "names 'worse', which is no label"),
    ],
)
def test_alternatives_that_do_not_fit_are_told(tmp_path, text, message):
    path = tmp_path / "others.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(AbaloError, match=message):
        vary_prompts(origin(alternatives=str(path)), ["wording"])


def test_a_file_of_alternatives_that_is_not_there_is_told(tmp_path):
    with pytest.raises(AbaloError, match=r"alternatives .*gone\.toml: cannot be read"):
        vary_prompts(origin(alternatives=str(tmp_path / "gone.toml")), ["wording"])


def test_labels_under_other_names_come_back_as_labels():
    form = NamedForm(LabelForm(("bad", "good"), several=True), {"bad": "negative", "good": "a plus"})
    assert form.read("negative, a plus", "x") == ("bad", "good")
    assert form.said("x", ("good",)) == "a plus"
    assert form.labels == ("bad", "good")


def test_entities_and_tags_under_other_names_come_back_as_labels():
    ana = Sentence(("Ana", "saiu"))
    entities = NamedForm(EntityForm(("PER",)), {"PER": "person"})
    assert entities.schema["properties"]["entities"]["items"]["properties"]["type"]["enum"] == ["person"]
    assert entities.read('[["Ana", "person"], ["Rui", "person"]]', ana).tags == ("B-PER", "O")
    assert entities.read('[["Rui", "person"]]', ana).ungrounded == (("Rui", "PER"),)
    assert entities.said(ana, ("B-PER", "O")) == '{"entities": [{"text": "Ana", "type": "person"}]}'
    tags = NamedForm(TagForm(("NOUN", "VERB")), {"NOUN": "noun", "VERB": "verb"})
    assert tags.read('{"words": [["Ana", "noun"], ["saiu", "verb"]]}', ana).tags == ("NOUN", "VERB")
