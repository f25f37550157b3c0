"""Which variants a search may show the model."""

from dataclasses import replace

import numpy as np
import pytest

from abalo.attacks import attacks
from abalo.attacks.campaign import campaign
from abalo.attacks.constraints import Constraints
from abalo.attacks.search import Refusal
from abalo.config.thresholds import load
from abalo.core.protocols.task import tasks
from abalo.corpora.examples import example_of
from abalo.models.classifiers.predictor import ClassPredictor
from abalo.models.labelling.classified import Classified
from abalo.validators import Requirement
from abalo.validators.validator import NoSettings, Validator
from perturbations import Edit, Sentence, apply, parse

SENTENCE = parse("viu [Ana P] hoje")


class Similarities:
    """Scores by the first word of the variant."""

    name = "written down"

    def __init__(self, **scores: float) -> None:
        self.scores = scores

    def of(self, pairs):
        return np.array([self.scores[made.tokens[0]] for _, made in pairs])


class Tagger:
    """Words in ``iu`` are verbs, all others nouns; ``seen`` is every sentence it was asked about."""

    name = "by ending"

    def __init__(self) -> None:
        self.seen = []

    def of(self, sentences):
        self.seen += [sentence.tokens[0] for sentence in sentences]
        return [tuple("VERB" if word.endswith("iu") else "NOUN" for word in each.tokens) for each in sentences]


def variants(*words: str):
    """The sentence with each of the words in first place."""
    return [(SENTENCE, apply(SENTENCE, [Edit(0, 1, (word,))])) for word in words]


def test_the_least_similarity_may_be_reached_but_not_missed():
    allowed = Constraints(Similarities(ouviu=0.8, sumiu=0.7999, riu=0.8001), 0.8)
    assert allowed(variants("ouviu", "sumiu", "riu")) == [0.8, Refusal.SIMILARITY, 0.8001]


def test_words_outside_entities_keep_their_part_of_speech():
    tagger = Tagger()
    allowed = Constraints(Similarities(ouviu=0.9, casa=0.9, mesa=0.5), 0.8, tagger)
    assert allowed(variants("ouviu", "casa", "mesa")) == [0.9, Refusal.PART_OF_SPEECH, Refusal.SIMILARITY]
    assert "mesa" not in tagger.seen, "a variant that is refused already is not tagged"


def test_the_part_of_speech_of_an_entity_may_change():
    allowed = Constraints(Similarities(viu=1.0), 0.8, Tagger())
    assert allowed([(SENTENCE, apply(SENTENCE, [Edit(1, 2, ("Piu",))]))]) == [1.0]


class Odd:
    """Words that are odd, and every variant that was looked at."""

    name = "odd words"

    def __init__(self, *words: str) -> None:
        self.words = words
        self.seen = []

    def of(self, pairs):
        self.seen += [variant.tokens[0] for _, variant in pairs]
        return np.array([variant.tokens[0] in self.words for _, variant in pairs], dtype=float)


def test_what_is_required_is_looked_at_last_and_is_a_limit():
    odd = Odd("casa")
    required = [(Requirement(Validator("odd", NoSettings, "max", None), 0, NoSettings()), odd)]
    allowed = Constraints(Similarities(ouviu=0.9, casa=0.9, mesa=0.5), 0.8, required=required)
    assert allowed(variants("ouviu", "casa", "mesa")) == [0.9, Refusal.LIMIT, Refusal.SIMILARITY]
    assert odd.seen == ["ouviu", "casa"]


class Keyed:
    """A classifier that calls good whatever holds the word *fine*."""

    name, fingerprint, mask_token, device, labels = "keyed", "keyed-1", None, "cpu", ("bad", "good")

    def __init__(self) -> None:
        self.settings: dict = {}

    def predict(self, texts):
        return [Classified((("bad", "good")["fine" in text.split()],), None, names=("bad", "good")) for text in texts]


class Texts:
    """Two texts that can be attacked, and one that n-grams learn *nice film* from."""

    name, sha256, parts_of_speech = "small", "0", None
    sentences = tuple(Sentence(tuple(text.split())) for text in ("a fine film", "a nice film", "a nice film today"))
    examples = tuple(replace(example_of(each), gold=("good",)) for each in sentences)


class Two:
    """Two words for *fine*, of which the corpus has one."""

    name = "two"

    def of(self, sites):
        known = {"fine": ("finex", "nice")}
        return [
            [Edit(place, place + 1, (word,)) for word in known.get(target.sentence.tokens[place], ())]
            for target, place in sites
        ]


@pytest.mark.parametrize(
    ("require", "found"), [({}, "finex"), ({"perplexity_ratio": 0.9}, "nice"), ({"words_changed": 0.0}, None)]
)
def test_every_recipe_keeps_what_a_case_requires(monkeypatch, require, found):
    """To n-grams of the other texts *fine* and *finex*, which is most alike, are the same, and *nice* is known."""
    monkeypatch.setattr("abalo.attacks.recipes.pwws.load_synonyms", lambda spec, most: None)
    monkeypatch.setattr("abalo.attacks.recipes.pwws.SourceWords", lambda source: Two())
    attack = attacks()["pwws"]
    settings = attack.configured(stop_words="", ranking="deletion", require=require)
    predictor = ClassPredictor(Keyed(), [each.text for each in Texts.sentences], [("good",)] * 3)
    run = campaign(attack, settings, tasks()["classification"], Texts(), predictor, (1,))
    (outcome,) = run.outcomes
    assert (outcome.perturbed and outcome.perturbed.sentence.tokens[1]) == found
    named = [name for name in run.sources if "maximum" in name]
    assert named == [f"{name}, maximum {limit:g}" for name, limit in require.items()]


def test_what_no_attack_can_keep_is_told_where_it_is_read(tmp_path):
    file = tmp_path / "t.toml"
    file.write_text("[[ner.viba]]\nrequire = {grammar_eror = 0}\nmax_success_rate = 0.5\n")
    with pytest.raises(Exception, match="'grammar_eror': no such validator; did you mean 'grammar_errors'"):
        load(file)
    file.write_text(
        "[[ner.viba]]\nrequire = {perplexity_ratio = {limit = 2, model = 'ngrams'}}\nmax_success_rate = 0.5\n"
    )
    (case,) = [case for case in load(file).cases if case.name == "viba"]
    assert case.id == "ner/viba[require-perplexity_ratio_limit_2+model_ngrams]"
