"""Names by Faker as a pool."""

import sys

import pytest

from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.sources import faker_names
from abalo.sources.resources import Resources, problem_with
from perturbations import entity_spans, find, parse
from perturbations.lexicons import pairs
from perturbations.resources import Pool
from tests.conftest import problems

pytest.importorskip("faker", reason="pip install 'abalo[faker]'")

TEXT = "[Anne PESSOA] a quitté [Lyon LOCAL] avec [Acme ORGANIZACAO] en [2020 TEMPO]"


def test_an_entity_becomes_a_name_of_its_sort_and_other_types_stay():
    swap = Resources(Corpus("none", ()), language="fr").configured(find("swap_named_ent"), {"entities": "faker:fr_FR"})
    made = swap.sample(parse(TEXT), seed=1).sentence
    kinds = [span.type for span in entity_spans(made.tags)]
    assert kinds == ["PESSOA", "LOCAL", "ORGANIZACAO", "TEMPO"]
    assert made.tokens[-1] == "2020"
    person, place, firm = entity_spans(made.tags)[:3]
    pool = faker_names.FakerNames("faker:fr_FR")
    for span, kind in ((person, "PER"), (place, "LOC"), (firm, "ORG")):
        assert made.tokens[span.start : span.stop] in pool.entities(kind)


def test_where_a_language_tells_kinds_of_names_those_come_that_tell_theirs():
    resources = Resources(Corpus("none", ()))
    swap = resources.configured(find("swap_named_ent"), {"entities": "faker:pt_BR", "otherwise": "faker:pt_BR"})
    made = swap.sample(parse("[Ana Sá PESSOA] saiu do [Xingu LOCAL]"), seed=1).sentence
    person, place = entity_spans(made.tags)
    assert made.tokens[place.start : place.stop] == ("Xingu",)
    assert made.tokens[person.start : person.stop] in faker_names.FakerNames("faker:pt_BR").entities("PER")
    assert pairs("given_names_pt")[made.tokens[0].lower()] == "woman"


def test_it_is_the_same_each_time_and_of_its_locale():
    one, again, english = (
        faker_names.FakerNames("faker:pt_BR"),
        faker_names.FakerNames("faker:pt_BR"),
        faker_names.FakerNames("faker:en_US"),
    )
    assert one.entities("PER") == again.entities("PER") != english.entities("PER")
    assert len(one.entities("PER")) > 300
    first = one.entities("PER")[0]
    assert one.has_word(first[0].upper())
    assert not one.has_word("quimbrás")
    assert one.entities("TEMPO") == ()


def test_given_names_are_of_one_gender_and_lead_to_more_sentences_than_the_list():
    known = faker_names.FakerGivenNames("faker:en_US").genders
    assert (known["mike"], known["renee"]) == ("man", "woman")
    assert "taylor" not in known  # of both
    resources = Resources(Corpus("none", ()), language="en")
    listed = resources.configured(find("prejudice"), {"to": "woman"})
    more = resources.configured(find("prejudice"), {"to": "woman", "given_names": "faker:en_US"})
    sentence = parse("[Mike Vick PER] sleeps")
    assert listed.sample(sentence, seed=1) is None
    new = more.sample(sentence, seed=1).sentence.tokens
    assert new[1:] == ("Vick", "sleeps")
    assert (known | pairs("given_names_en"))[new[0].lower()] == "woman"


def test_given_names_that_are_words_stay():
    more = Resources(Corpus("none", ()), language="en").configured(
        find("prejudice"), {"to": "woman", "given_names": "faker:en_US"}
    )
    assert faker_names.FakerGivenNames("faker:en_US").genders["mark"] == "man"
    assert more.sample(parse("[Mark May PER] sleeps"), seed=1) is None


def test_a_locale_without_given_names_by_gender_is_told():
    with pytest.raises(AbaloError, match="Faker has no given names by gender in this locale"):
        faker_names.FakerGivenNames("faker:en_TH")


def test_what_there_is_not_is_told():
    assert problem_with("faker:", Pool).startswith("'faker:'; expected a locale behind it")
    with pytest.raises(AbaloError, match="entities: 'faker:xx_YY': Faker has no such locale; expected one such as"):
        Resources(Corpus("none", ())).configured(find("swap_named_ent"), {"entities": "faker:xx_YY"})


def test_without_faker_the_line_to_install_it_is_told(write, monkeypatch):
    monkeypatch.setitem(sys.modules, "faker", None)
    monkeypatch.setattr(faker_names, "find_spec", lambda _name: None)
    (problem,) = problems(write('[[ner.swap_named_ent]]\nentities = "faker:pt_BR"'))
    assert problem.endswith("'faker:pt_BR' needs Faker: pip install 'abalo[faker]'")
