"""Other prompts for the same task: what changes, what stays, and labels under other names."""

import pytest

from abalo.errors import AbaloError
from abalo.models.prompts.entities import EntityForm
from abalo.models.prompts.labels import LabelForm
from abalo.models.prompts.tags import TagForm
from abalo.models.prompts.template import Shot
from abalo.models.prompts.variants import WAYS, Origin, vary_prompts
from perturbations import Sentence
from tests.models.prompts.scripted import prompt_of

POOL = [Shot(number, f"text {number}", (("bad", "good", "mixed")[number % 3],)) for number in range(6)]
FORMS = {kind: LabelForm(("bad", "good", "mixed"), json=json) for kind, json in {"usual": False, "json": True}.items()}
EXAMPLES = {"examples": "train", "shown": 3}


def origin(draws=2, alternatives="", **values):
    return Origin(prompt_of(FORMS, POOL, ["text 5"], **values).draw(), draws, alternatives)


def names(found):
    return [each.name for each in found]


def last(variant, text="fine"):
    return variant.prompt.conversation(text)[-1][1]


def test_every_way_has_prompts_that_differ_from_the_usual_one_and_from_each_other(tmp_path):
    path = tmp_path / "others.toml"
    path.write_text('[short]\nprompt = "{labels}? {text}"\n\n[same]\n', "utf-8")
    start = origin(alternatives=str(path), **EXAMPLES)
    found = vary_prompts(start, list(WAYS))
    assert {each.way for each in found} == set(WAYS)
    assert "wording: same" not in names(found)
    said = [each.prompt.conversation("fine") for each in found]
    assert len({*said, start.usual.conversation("fine")}) == len(found) + 1


def test_labels_stand_in_another_order():
    reversed_, *drawn = vary_prompts(origin(), ["label_order"])
    assert "one of: mixed, good, bad." in last(reversed_)
    assert all(sorted(each.prompt.form.labels) == ["bad", "good", "mixed"] for each in drawn)


def test_examples_stand_in_another_order_or_are_others_and_none_is_judged():
    start = origin(draws=20, **EXAMPLES)
    usual = [shot.given for shot in start.usual.shots]
    reversed_ = vary_prompts(start, ["example_order"])[0]
    assert [text.split("Text: ")[-1][:6] for _, text in reversed_.prompt.messages[::2]] == usual[::-1]
    chosen = vary_prompts(start, ["example_choice"])
    shown = {shot.given for each in chosen for shot in each.prompt.shots}
    assert shown == {"text 0", "text 1", "text 2", "text 3", "text 4"}
    for each in chosen:
        numbers = ", ".join(shot.given.removeprefix("text ") for shot in each.prompt.shots)
        assert each.name == f"example_choice: {numbers} of train"


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
    form, shots = LabelForm(("bad", "good"), several=True), [Shot(1, "y", ("good",))]
    prompt = prompt_of(form, shots, examples="train", names={"bad": "negative", "good": "a plus"}).draw()
    assert prompt.read("negative, a plus", "x") == ("bad", "good")
    assert prompt.messages[-1] == ("assistant", "a plus")
    assert prompt.form.labels == ("bad", "good")


def test_a_label_that_looks_like_a_tag_has_its_name_as_a_whole():
    prompt = prompt_of(LabelForm(("B-cell", "T-cell")), names={"B-cell": "bone"})
    assert prompt.read("bone", "x") == ("B-cell",)
    assert prompt.read("T-cell", "x") == ("T-cell",)


def test_entities_and_tags_under_other_names_come_back_as_labels():
    ana = Sentence(("Ana", "saiu"))
    shots = [Shot(1, ana, ("B-PER", "O"))]
    entities = prompt_of(EntityForm(("PER",)), shots, names={"PER": "person"}, examples="train").draw()
    assert entities.shown_form.schema["properties"]["entities"]["items"]["properties"]["type"]["enum"] == ["person"]
    assert entities.read('[["Ana", "person"], ["Rui", "person"]]', ana).tags == ("B-PER", "O")
    assert entities.read('[["Rui", "person"]]', ana).ungrounded == (("Rui", "PER"),)
    assert entities.messages[-1] == ("assistant", '{"entities": [{"text": "Ana", "type": "person"}]}')
    tags = prompt_of(TagForm(("NOUN", "VERB")), names={"NOUN": "noun", "VERB": "verb"})
    assert tags.read('{"words": [["Ana", "noun"], ["saiu", "verb"]]}', ana).tags == ("NOUN", "VERB")
