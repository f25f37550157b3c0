"""Other names, places, numbers and contractions as candidates of attacks."""

import pytest

from abalo.attacks import attacks
from abalo.attacks.attack import Aims
from abalo.attacks.candidates.names import given_names, places
from abalo.attacks.candidates.sentence_edits import SentenceEdits
from abalo.corpora.examples import example_of
from abalo.models.labelling.prediction import Prediction
from abalo.tasks.ner.targets import entities
from perturbations import Edit, Sentence, parse
from perturbations.lexicons import pairs
from tests.attacks.test_recipes import Asked, run, target


def sentence(text: str) -> Sentence:
    return Sentence(tuple(text.split()))


def starts(sites) -> list[int]:
    return [site[0].start for site in sites]


def test_a_given_name_becomes_another_of_its_gender():
    (site,) = given_names("en")(sentence("we met Alice in June"))
    genders = pairs("given_names_en")
    found = [edit.tokens[0] for edit in site]
    assert site[0].start == 2
    assert {genders[name.lower()] for name in found} == {"woman"}
    assert len(found) == len(set(found)) == sum(gender == "woman" for gender in genders.values()) - 1


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Woody Alan met Alice", [3]),  # only the first of words with capitals
        ("alice met bob", []),
        ("Alice met Alice", []),
        ("Mark my words , Mark", []),
    ],
)
def test_what_may_be_no_name_stays(text, names):
    assert starts(given_names("en")(sentence(text))) == names


def test_the_name_of_a_place_is_none_of_a_person():
    assert starts(given_names("pt")(sentence("moro em João Pessoa com João"))) == []  # it would be named twice
    assert starts(given_names("pt")(sentence("moro em João Pessoa com Luís"))) == [5]


def test_towns_become_towns_and_articles_fit():
    (site,) = places("pt")(sentence("moro na França com ela"))
    assert site[0].start == 2
    others = {" ".join(edit.tokens) for edit in site}
    assert {"Alemanha", "Argentina", "China"} <= others
    assert not others & {"França", "Brasil", "Lisboa"}


def test_so_many_edits_are_drawn_by_the_seed_and_touch_no_word_that_must_stay():
    every = [Edit(1, 3, (word,)) for word in "abcde"]
    own = target("one two three")
    first, again, other = (SentenceEdits("w", lambda _: [every], seed, 2).of([(own, 1)])[0] for seed in (1, 1, 5))
    assert len(first) == 2
    assert first == again != other
    assert set(first) <= set(every)
    tagged = parse("one two [three P]")
    (entity,) = entities(example_of(tagged), Prediction(tagged.tags), ())
    assert SentenceEdits("w", lambda _: [every], 1, 2).of([(entity, 1)]) == [[]]


def test_checklist_changes_what_should_not_matter():
    model = Asked()
    own = target("it is not Alice who saw 40 films in Paris")
    end = run("checklist", own, model=model, stop_words="", language="en")
    assert end.queries == len(model.texts) == 2 + 3 + 3 + 3
    assert {"it's not Alice who saw 40 films in Paris", "it isn't Alice who saw 40 films in Paris"} < set(model.texts)
    rest = [text.split() for text in model.texts[2:]]
    assert all(words[:3] == ["it", "is", "not"] and len(words) == 10 for words in rest)
    for place, word in ((3, "Alice"), (6, "40"), (9, "Paris")):
        assert sum(words[place] != word for words in rest) == 3


def test_checklist_says_which_languages_it_knows():
    with pytest.raises(ValueError, match="language is 'fr'; expected one of 'en', 'pt'"):
        attacks()["checklist"].configured(language="fr")
    assert attacks()["checklist"].seeded(attacks()["checklist"].configured())
    started = attacks()["checklist"].start(
        Aims([target("nothing to do")], None, 1), attacks()["checklist"].configured()
    )
    assert started.choices == [0]
