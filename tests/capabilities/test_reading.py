"""Entries of capabilities.toml: what they become, and what is wrong with them."""

import pytest

from abalo.config.thresholds import load
from abalo.core.statistics.verdicts import Bound
from abalo.errors import AbaloError
from tests.rows import every

PLAIN = """
[[ner.capability]]
name = "towns"
templates = ["Mora em [{town} LOCAL] ."]
town = ["Gramado", "Natal"]
"""


def told(write, text):
    with pytest.raises(AbaloError) as error:
        load(write(text))
    return str(error.value)


def test_an_entry_is_a_case_with_its_bound(write):
    (case,) = load(write(PLAIN + "min_pass_rate = 0.9\n")).cases
    assert (case.id, case.bounds) == ("ner/capability[towns]", (Bound("pass_rate", "min", 0.9),))
    assert (case.plan.kind, case.plan.row, case.plan.sample) == ("minimum functionality", "towns", 200)


def test_names_of_other_scripts_have_ids_of_their_own(write):
    first, second = load(write(PLAIN.replace("towns", "城市") + PLAIN.replace("towns", "姓名"))).cases
    assert first.id.isascii()
    assert first.id != second.id


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ('change = "town"', "invariance"),
        ('change = "town"\nexpect = "nothing changes"', "directional"),
        ('change = "town"\nexpect = "confidence of LOCAL falls"', "directional"),
        ('change = "town"\nexpect = "label of {town} becomes PESSOA"', "directional"),
    ],
)
def test_the_kind_of_test_follows_from_what_changes(write, more, kind):
    (case,) = load(write(PLAIN + more + "\n")).cases
    assert case.plan.kind == kind


@every(
    ("text", "expected"),
    [
        (PLAIN.replace('name = "towns"', ""), "a capability needs name, a text; add it"),
        (PLAIN.replace('templates = ["Mora em [{town} LOCAL] ."]', ""), "a capability needs templates"),
        (PLAIN.replace("{town}", "{twon}"), "town: no such parameter or bound"),
        (PLAIN.replace('town = ["Gramado", "Natal"]', ""), "no filler for {town}"),
        (PLAIN.replace("town", "limit"), "{limit} is the name of a setting, not of a filler; call it otherwise"),
        (PLAIN.replace("{town}", "{sample}") + "sample = 5", "{sample} is the name of a setting"),
        (PLAIN + "speed = 3", "speed: no such parameter or bound"),
        (PLAIN.replace("{town} LOCAL", "{town LOCAL"), "'{' has no counterpart"),
        (PLAIN.replace(" LOCAL]", ""), "'[' is never closed"),
        (PLAIN.replace('"Natal"', '"[Natal LOCAL]"'), "with town = '[Natal LOCAL]': "),
        (PLAIN.replace('["Gramado", "Natal"]', "7"), "town: 7; expected a list of texts"),
        (PLAIN.replace('["Mora em [{town} LOCAL] ."]', '[{txt = "{town}"}]'), "'txt' is no field of it"),
        (PLAIN + "sample = 0", "sample: 0; expected a whole number from 1 to 100,000"),
        (PLAIN + "seeds = [1]", "seeds: fillings are drawn under the first seed"),
        (PLAIN + "limit = 9", 'limit: limits a corpus; write "sample"'),
        (PLAIN + 'expect = "nothing changes"', "expect: says how something changes; add change = KEY"),
        (PLAIN + 'change = "twon"', "change: 'twon' is no filler; did you mean 'town'"),
        (PLAIN + 'change = "town"\nexpect = "all is well"', "expect: 'all is well'; expected one of"),
        (PLAIN + 'change = "town"\nexpect = "at most {x} changes"', "expect: no template has {x}"),
        (PLAIN + 'change = "town"\nexpect = "label becomes {x.y}"', "expect: no template has {x}"),
        (PLAIN + 'change = "town"\nexpect = "label becomes {x"', "expect: 'label becomes {x': '{' has no counterpart"),
        (PLAIN.replace(' ."]', ' .", "Sim ."]') + 'change = "town"', "template 2: has no {town}, whose value should"),
        (PLAIN.replace('"Gramado", "Natal"', '"Gramado"') + 'change = "town"', "has one value, which changes to no"),
        (PLAIN.replace('["Gramado", "Natal"]', '[{town = "a", to = "b"}]'), 'has "to", which only the filler that'),
        (PLAIN.replace(" .", " e {town2} e {town3} ."), "3 slots take different values of town, which has 2"),
        (PLAIN + PLAIN, "2 entries have the id 'ner/capability[towns]'"),
        (PLAIN + "min_pass_rate = {LOCAL = 0.5}", "a bound is about all templates"),
        (PLAIN + "min_f1 = 0.5", "min_f1"),
        ("[[ner.accents]]\nmin_pass_rate = 0.5", "min_pass_rate"),
        (PLAIN.replace("{town} LOCAL", "{town} =LOCAL"), "=LOCAL labels a word; write entities as [words TYPE]"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(write, text, expected):
    assert expected in told(write, text)


TEXTS = """
[[classification.capability]]
name = "towns"
templates = ["{town} is nice."]
town = ["Oslo", "Rome"]
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            TEXTS,
            "template 1: '{town} is nice.': has no label: its label, or a list of several; add it, or change = KEY",
        ),
        (TEXTS.replace('"{town} is nice."', '{label = "positive"}'), "expected text: the text"),
        (TEXTS.replace('"{town} is nice."', '{text = "{town}", label = ""}'), "label is empty"),
        (TEXTS + 'change = "town"\nexpect = "label of {town} becomes x"', "each text has one; name no slot"),
    ],
)
def test_what_is_wrong_with_templates_of_whole_texts_is_told(write, text, expected):
    assert expected in told(write, text)


def test_texts_that_are_only_compared_need_no_label(write):
    (case,) = load(write(TEXTS + 'change = "town"')).cases
    assert case.plan.kind == "invariance"


def test_a_filler_that_changes_may_say_so_in_part_of_its_values_no_more(write):
    text = PLAIN.replace('["Gramado", "Natal"]', '[{town = "a", to = "b"}, "c"]') + 'change = "town"'
    assert 'some values have "to" and some have not' in told(write, text)


# Files ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def beside(write, tmp_path):
    """Writes thresholds, and capabilities beside them."""

    def both(thresholds, **files):
        path = write(thresholds)
        for name, text in files.items():
            path.parent.joinpath(f"{name}.toml").write_text(text, encoding="utf-8")
        return path

    return both


def names(path):
    return [case.plan.name for case in load(path).cases]


def test_capabilities_stand_beside_the_thresholds_or_in_them(beside):
    assert names(beside(PLAIN, capabilities=PLAIN.replace("towns", "more"))) == ["towns", "more"]


def test_a_file_of_capabilities_names_others(beside):
    path = beside("", capabilities='suites = ["dates.toml"]\n' + PLAIN, dates=PLAIN.replace("towns", "dates"))
    assert names(path) == ["towns", "dates"]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"capabilities": "[[ner.accents]]\n"}, "capabilities.toml [[ner.accents]]: is no capability; write it in"),
        ({"capabilities": 'suites = "x"'}, "capabilities.toml suites: 'x'; expected a list of files"),
        ({"capabilities": 'suites = ["bundled:nothing"]'}, "'bundled:nothing': no such suite ships"),
        ({"capabilities": 'suites = ["capabilities.toml"]'}, "leads back to itself"),
        ({"capabilities": PLAIN, "thresholds2": ""}, "'ner/capability[towns]' is there already"),
    ],
)
def test_what_is_wrong_in_such_a_file_is_told_with_its_name(beside, files, expected):
    path = beside(PLAIN, **files)
    with pytest.raises(AbaloError) as error:
        load(path)
    assert expected in str(error.value)


def test_a_file_that_is_named_and_not_there_is_an_error(beside):
    with pytest.raises(AbaloError, match=r"nowhere\.toml: no such thresholds file; capabilities\.toml extends it"):
        load(beside("", capabilities='suites = ["nowhere.toml"]'))
