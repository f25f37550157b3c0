"""Recipes by name, on texts and models small enough to follow by hand."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from abalo.attacks import attacks, recipes
from abalo.attacks.attack import Aims
from abalo.attacks.campaign import campaign
from abalo.attacks.recipes import bae, bert_attack, clare
from abalo.bundled import OWN_GATE
from abalo.commands.inventory import KINDS
from abalo.config.thresholds import case_of, load
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import AUTO, Gate
from abalo.core.statistics.search_metrics import has_succeeded
from abalo.corpora.examples import TEXT, example_of
from abalo.errors import AbaloError
from abalo.models.classifiers.predictor import ClassPredictor
from abalo.models.labelling.classified import Classified
from abalo.models.labelling.prediction import Prediction
from abalo.tasks.labels.targets import TextLabels
from abalo.tasks.ner.targets import entities
from abalo.validators.distance import levenshtein
from docs.making import attacks as page_of_attacks
from perturbations import Edit, Sentence, apply, parse
from tests.attacks.scripted import ended
from tests.conformance.subjects import session
from tests.rows import every

CLASSIFICATION, NER = tasks()["classification"], tasks()["ner"]

RECIPES = {name: each for name, each in attacks().items() if each.start.__module__.startswith("abalo.attacks.recipes.")}


def said(text: str) -> Classified:
    """Good for every "fine", "film" counting a little: 0.9 with both, 0.8 and 0.3 with one, else 0.2."""
    words = text.split()
    good = {(True, True): 0.9, (True, False): 0.8, (False, True): 0.3}.get(("fine" in words, "film" in words), 0.2)
    scores = np.array([1 - good, good], dtype=np.float32)
    return Classified((("bad", "good")[int(good > 0.5)],), scores, names=("bad", "good"))


def target(text: str = "the fine film of a year") -> TextLabels:
    example = replace(example_of(Sentence(tuple(text.split()))), gold=("good",))
    return TextLabels(example, TEXT, said(text))


class Asked:
    """The model, and every text that it was shown."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, variants):
        texts = [variant.example.sentence.text for variant in variants]
        self.texts += texts
        return [said(text) for text in texts]


def run(name: str, own=None, seed: int = 1, model=None, **params):
    """The end of the search of a recipe for a target."""
    attack = attacks()[name]
    settings = attack.configured(**{"stop_words": "stop_words_en", **params})
    (search,) = attack.start(Aims([own or target()], None, seed), settings).searches
    return ended(search, model or Asked())


def words_of(end) -> list[str]:
    return list(end.found.perturbed.sentence.tokens)


def test_there_are_these_recipes():
    assert sorted(RECIPES) == [
        "a2t",
        "bad_characters",
        "bae",
        "bert_attack",
        "checklist",
        "clare",
        "deepwordbug",
        "genetic_attack",
        "hotflip",
        "improved_genetic",
        "input_reduction",
        "kuleshov",
        "pruthi",
        "pso",
        "pwws",
        "textbugger",
        "textfooler",
        "viba",
    ]


@every("name", RECIPES)
def test_every_recipe_cites_its_paper_and_says_what_was_published(name):
    doc = sys.modules[RECIPES[name].start.__module__].__doc__ or ""
    assert "[" in doc.partition("\n")[0]
    assert "Published:" in doc
    assert RECIPES[name].summary


def test_deepwordbug_hides_words_and_breaks_the_one_that_counts_by_a_slip():
    model = Asked()
    end = run("deepwordbug", model=model)
    assert model.texts[:3] == ["the [UNK] film of a year", "the fine [UNK] of a year", "the fine film of a [UNK]"]
    changed = words_of(end)
    assert changed[:1] + changed[2:] == ["the", "film", "of", "a", "year"]
    assert 1 <= levenshtein("fine", changed[1]) <= 2
    assert (end.queries, end.found.prediction.labels) == (3 + 4, ("bad",))


def test_deepwordbug_draws_by_the_seed():
    found = {words_of(run("deepwordbug", seed=seed))[1] for seed in range(6)}
    assert len(found) > 1
    assert words_of(run("deepwordbug", seed=3)) == words_of(run("deepwordbug", seed=3))
    assert attacks()["deepwordbug"].seeded(attacks()["deepwordbug"].configured())


def test_deepwordbug_keeps_to_so_many_characters():
    limited = attacks()["deepwordbug"].configured(most_edits=1).limits()
    assert len(limited) == 1
    assert len(attacks()["deepwordbug"].configured(most_edits=0).limits()) == 0


def test_textbugger_has_five_bugs_and_near_words(tmp_path):
    file = tmp_path / "near.tsv"
    file.write_text("fine\tADJ\tgood|nice\n", "utf-8")
    settings = attacks()["textbugger"].configured(synonyms=f"lexicon:{file}", most_synonyms=1)
    started = attacks()["textbugger"].start(Aims([target("a fine month")], None, 1), settings)
    kinds = started.sources["candidates"].split("; ")
    assert [kind.split(" ")[0] for kind in kinds] == ["a", "typos", "typos", "ocr", "keyboard", "lexicon"]
    model = Asked()
    ended(started.searches[0], model)
    tried = [text.split() for text in model.texts if "month" in text and "fine" not in text and len(text.split()) > 2]
    assert ["a", "good", "month"] in tried  # "nice" is one more than most_synonyms
    assert any(len(words) == 4 for words in tried)  # a space in "fine", which has fewer than 6 letters
    assert not any("nice" in words for words in tried)


@pytest.mark.parametrize(
    ("language", "layout", "bugs"), [("pt", "abnt2", 6), ("en", "qwerty", 6), ("fr", "azerty", 5), ("zh", None, None)]
)
def test_textbugger_types_on_the_keyboard_of_the_language(language, layout, bugs):
    """Without a list of near words, as in French, the sixth bug is left out."""
    attack = attacks()["textbugger"]
    if layout is None:
        assert language not in attack.lists
        return
    started = attack.start(Aims([target()], None, 1), attack.configured(**attack.lists[language]))
    kinds = started.sources["candidates"].split("; ")
    assert len(kinds) == bugs
    assert f"layout={layout}" in kinds[4]


def test_pruthi_tries_every_slip_inside_words_of_four_letters():
    """Of *fine*: the letters i and n swapped, left out, beside others, or hit on the key beside."""
    model = Asked()
    end = run("pruthi", target("a fine fig"), model=model)
    tried = [text.split() for text in model.texts]
    assert all(words[0] == "a" and words[2] == "fig" for words in tried)  # no stop word, and none of three letters
    slips = [words[1] for words in tried]
    assert all(slip[0] == "f" and slip[-1] == "e" for slip in slips)
    assert len(slips) == len(set(slips)) == end.queries
    assert {slip for slip in slips if len(slip) == 3} == {"fne", "fie"}
    inserted = {"fine"[:place] + letter + "fine"[place:] for place in (1, 2, 3) for letter in map(chr, range(97, 123))}
    assert {slip for slip in slips if len(slip) == 5} == inserted - {"finee"}  # an e behind the last letter
    keys = {"f" + key + "ne" for key in "uojk"} | {"fi" + key + "e" for key in "bmhj"}
    assert {"fnie", *keys} <= {slip for slip in slips if len(slip) == 4}


def test_pruthi_changes_one_word_and_two_if_asked():
    (limit,) = attacks()["pruthi"].configured().limits()
    own = target("fine film")
    assert limit(own.sentence, apply(own.sentence, [Edit(0, 1, ("fnie",))]))
    assert not limit(own.sentence, apply(own.sentence, [Edit(0, 1, ("fnie",)), Edit(1, 2, ("flim",))]))
    assert not attacks()["pruthi"].seeded(attacks()["pruthi"].configured())


@pytest.mark.parametrize("name", ["pruthi", "textbugger"])
def test_a_keyboard_that_no_language_has_is_told(name):
    with pytest.raises(ValueError, match="layout is 'dvorak'; expected 'qwerty', 'azerty' and 'abnt2'"):
        attacks()[name].configured(layout="dvorak")


@pytest.mark.parametrize(("language", "layout"), [("pt", "abnt2"), ("en", "qwerty"), ("fr", "azerty")])
def test_pruthi_types_on_the_keyboard_of_the_language(language, layout):
    attack = attacks()["pruthi"]
    started = attack.start(Aims([target()], None, 1), attack.configured(**attack.lists[language]))
    assert f"layout={layout}" in started.sources["candidates"]


def test_what_readers_doubt_is_told_as_experimental():
    assert {name for name, attack in attacks().items() if attack.experimental} == {"clare"}


def test_textfooler_takes_near_words_by_vectors(tmp_path):
    file = tmp_path / "vectors.txt"
    file.write_text("fine 1 0\ngrand 0.9 0.1\nmild 0.6 0.8\nfilm 0 1\n", "utf-8")
    end = run("textfooler", synonyms=f"vectors:{file}")
    assert words_of(end) == ["the", "grand", "film", "of", "a", "year"]  # mild has a cosine of 0.6, below 0.7


@pytest.mark.parametrize(("length", "most"), [(5, 4), (40, 4), (60, 6)])
def test_a2t_changes_a_tenth_of_the_words_or_four(length, most):
    (limit,) = attacks()["a2t"].configured().limits()
    text = Sentence(("w",) * length)
    edits = [Edit(place, place + 1, ("v",)) for place in range(most + 1)]
    assert limit(text, apply(text, edits[:most]))
    assert not limit(text, apply(text, edits))


def test_kuleshov_is_held_to_two_nats_and_half_of_the_words():
    settings = attacks()["kuleshov"].configured()
    assert settings.require == {"log_probability_loss": 2}
    (limit,) = settings.limits()
    own = target("fine film")
    edits = [Edit(place, place + 1, ("v",)) for place in range(2)]
    assert limit(own.sentence, apply(own.sentence, edits[:1]))
    assert not limit(own.sentence, apply(own.sentence, edits))


@pytest.mark.parametrize("name", ["kuleshov", "a2t"])
def test_without_an_encoder_a_recipe_that_limits_meaning_is_skipped(name, tmp_path):
    file = tmp_path / "vectors.txt"
    file.write_text("fine 1 0\n", "utf-8")
    said = attacks()[name].lacks({"synonyms": f"vectors:{file}"}, "en")
    assert said == f'{name} needs similarity; expected a sentence encoder: similarity = "encoder:FOLDER"'
    assert attacks()[name].lacks({"synonyms": f"vectors:{file}", "similarity": "encoder:x"}, "en") is None


def test_pwws_weighs_words_and_takes_their_best_synonym(tmp_path):
    file = tmp_path / "wn.tab"
    rows = ["00000001-a\tlemma\tfine", "00000001-a\tlemma\tgood", "00000002-n\tlemma\tfilm", "00000002-n\tlemma\tmovie"]
    file.write_text("\n".join(["# tiny\ten", *rows]) + "\n", "utf-8")
    model = Asked()
    end = run("pwws", model=model, synonyms=f"wordnet:{file}")
    assert words_of(end) == ["the", "good", "film", "of", "a", "year"]
    hidden, single = model.texts[:2], model.texts[2:4]
    assert hidden == ["the [UNK] film of a year", "the fine [UNK] of a year"]
    assert single == ["the good film of a year", "the fine movie of a year"]


class Guessing:
    """A masked language model that knows two words for every place."""

    name = "guessing"

    def proposals(self, sites, most):
        return [[("odd", 0.6), ("new", 0.4)][:most] for _ in sites]


@pytest.fixture
def guessing(monkeypatch):
    for module in (bae, bert_attack, clare):
        monkeypatch.setattr(module, "load_masked_lm", lambda folder: Guessing())


@pytest.mark.parametrize(
    ("moves", "tried"),
    [
        ("replace", ["the odd film", "the new film"]),
        ("insert", ["the odd fine film", "the fine odd film", "the new fine film", "the fine new film"]),
    ],
)
def test_bae_puts_likely_words_in_the_place_of_a_word_or_beside_it(guessing, moves, tried):
    model = Asked()
    attack = attacks()["bae"]
    settings = attack.configured(stop_words="stop_words_en", model="masked-lm:x", moves=moves)
    (search,) = attack.start(Aims([target("the fine film")], None, 1), settings).searches
    ended(search, model)
    assert model.texts[2 : 2 + len(tried)] == tried


class Spelling:
    """A masked language model that proposes marks, numbers and parts of words, and one word."""

    name = "spelling"

    def proposals(self, sites, most):
        return [[(".", 0.4), ("7", 0.2), ("subpa", 0.2), ("o'", 0.1), ("strange", 0.1)][:most] for _ in sites]


@pytest.mark.parametrize(("name", "params"), [("bae", {}), ("bae", {"moves": "insert"}), ("bert_attack", {})])
def test_words_alone_are_exchanged_for_whole_words(monkeypatch, name, params):
    for module in (bae, bert_attack):
        monkeypatch.setattr(module, "load_masked_lm", lambda folder: Spelling())
    attack = attacks()[name]
    settings = attack.configured(stop_words="stop_words_en", model="masked-lm:x", least_similarity=0, **params)
    model = Asked()
    (search,) = attack.start(Aims([target("7 fine : film !")], None, 1), settings).searches
    ended(search, model)
    tried = {word for text in model.texts for word in text.split()}
    assert tried <= {"7", "fine", ":", "film", "!", "strange", "[UNK]", "[MASK]"}
    for text in model.texts:
        if "strange" in text:
            assert [word for word in text.split() if word in ("7", ":", "!")] == ["7", ":", "!"]


def test_bert_attack_changes_at_most_two_fifths_of_the_words(guessing):
    attack = attacks()["bert_attack"]
    settings = attack.configured(stop_words="", model="masked-lm:x")
    (limit,) = settings.limits()
    own = target("fine film so long")
    (search,) = attack.start(Aims([own], None, 1), settings).searches
    model = Asked()
    end = ended(search, model)
    assert model.texts[0] == "[MASK] film so long"
    assert limit(own.sentence, end.found.perturbed)
    assert len(end.found.perturbed.edits) == 1  # of 4 words; 2 would be half


def test_clare_replaces_inserts_and_merges_and_takes_the_best_action_of_each_word(guessing):
    """Of *fine film* only *fine* counts: 3 words to try at each of 2 places, and a merge of the two."""
    model = Asked()
    attack = attacks()["clare"]
    settings = attack.configured(stop_words="stop_words_en", model="masked-lm:x")
    (search,) = attack.start(Aims([target("the fine film")], None, 1), settings).searches
    end = ended(search, model)
    assert model.texts[:10] == [
        *("the odd film", "the new film"),
        *("the fine odd film", "the fine new film"),
        *("the odd", "the new"),
        *("the fine odd", "the fine new"),
        *("the fine film odd", "the fine film new"),
    ]
    assert model.texts[10:] == ["the odd"]  # a merge costs most, and breaks the label at once
    assert (words_of(end), end.found.prediction.labels) == (["the", "odd"], ("bad",))


class Doubting:
    """A masked language model that finds one word likely, and one not."""

    name = "doubting"

    def proposals(self, sites, most):
        return [[("odd", 0.6), ("new", 0.0006), ("old", 0.0004), ("film", 0.3)][:most] for _ in sites]


def test_clare_leaves_out_what_is_not_likely_enough(monkeypatch):
    monkeypatch.setattr(clare, "load_masked_lm", lambda folder: Doubting())
    settings = attacks()["clare"].configured(stop_words="stop_words_en", model="masked-lm:x")
    model = Asked()
    (search,) = attacks()["clare"].start(Aims([target("fine film")], None, 1), settings).searches
    ended(search, model)
    assert {text for text in model.texts if len(text.split()) == 1} == {"odd"}  # film would leave out fine
    replaced = {text.split()[0] for text in model.texts if text.endswith(" film") and len(text.split()) == 2}
    assert replaced == {"odd", "new", "film"}
    assert "fine old film" in model.texts  # any word can be put in


@pytest.mark.parametrize("name", ["bae", "bert_attack", "clare"])
def test_a_model_that_is_none_is_told(name):
    with pytest.raises(
        AbaloError, match=r'model \'bert\': expected a masked language model: model = "masked-lm:FOLDER"'
    ):
        attacks()[name].start(Aims([], None, 1), attacks()[name].configured(model="bert"))


def test_input_reduction_leaves_one_word_that_decides():
    end = run("input_reduction", stop_words="")
    assert words_of(end) == ["fine"]
    assert end.found.prediction.labels == ("good",)


class Keyed:
    """A classifier of texts for a campaign."""

    name, fingerprint, mask_token, device, labels = "keyed", "keyed-1", None, "cpu", ("bad", "good")

    def __init__(self) -> None:
        self.settings: dict = {}

    def predict(self, texts):
        return [said(text) for text in texts]


def reduced(**params):
    texts = ("fine film", "a film that is fine", "no more")
    golds = (("good",), ("good",), ("good",))
    examples = [replace(example_of(Sentence(tuple(t.split()))), gold=g) for t, g in zip(texts, golds, strict=True)]
    corpus = Corpus(tuple(examples))
    predictor = ClassPredictor(Keyed(), list(texts), golds)
    attack = attacks()["input_reduction"]
    return campaign(attack, attack.configured(**params), CLASSIFICATION, corpus, predictor, (1,))


class Corpus:
    name, sha256, parts_of_speech = "small", "0", None

    def __init__(self, examples) -> None:
        self.examples = examples


def test_a_reduction_succeeds_where_the_label_holds_with_one_word_left():
    found = reduced()
    assert [outcome.searched.reached for outcome in found.outcomes] == [True, True]
    assert [CLASSIFICATION.targets.seen(outcome).broken for outcome in found.outcomes] == [False, False]
    assert all(has_succeeded(outcome, CLASSIFICATION.targets.seen) for outcome in found.outcomes)
    assert len(found.not_found) == 1


def test_a_reduction_that_ran_out_of_budget_has_not_come_to_its_goal():
    found = reduced(budget=3, width=1)
    assert [outcome.searched.reached for outcome in found.outcomes] == [True, False]


def test_bad_characters_look_the_same_and_are_five_at_most():
    end = run("bad_characters", stop_words="")
    assert end.found.prediction.labels == ("bad",)
    assert len(end.found.perturbed.edits) == 1
    assert attacks()["bad_characters"].configured().most_words == 5
    only = attacks()["bad_characters"].start(
        Aims([target()], None, 1), attacks()["bad_characters"].configured(kind="homoglyph")
    )
    assert only.sources["candidates"] == "homoglyph"


def test_viba_puts_one_boundary_word_in_where_it_breaks_the_entity():
    def tagged(tokens):
        """Finds Ana Sá, unless another Sá comes before."""
        tags = ["O"] * len(tokens)
        place = next(k for k in range(len(tokens)) if tokens[k : k + 2] == ("Ana", "Sá"))
        if "Sá" not in tokens[:place]:
            tags[place : place + 2] = ["B-P", "I-P"]
        return Prediction(tuple(tags))

    asked = []

    def model(variants):
        asked.extend(" ".join(variant.example.sentence.tokens) for variant in variants)
        return [tagged(variant.example.sentence.tokens) for variant in variants]

    sentence = parse("hoje cedo [Ana Sá P] saiu")
    (own,) = entities(example_of(sentence), tagged(sentence.tokens), ())
    end = run("viba", own, model=model, stop_words="")
    assert words_of(end) == ["Sá", "hoje", "cedo", "Ana", "Sá", "saiu"]
    assert asked == [
        "Ana hoje cedo Ana Sá saiu",
        "Sá hoje cedo Ana Sá saiu",
        "hoje Ana cedo Ana Sá saiu",
        "hoje Sá cedo Ana Sá saiu",
        "hoje cedo Ana Sá saiu Ana",
        "hoje cedo Ana Sá saiu Sá",
    ]
    assert NER.labelled == "spans"
    assert not attacks()["viba"].fits(CLASSIFICATION)


@pytest.mark.parametrize(
    ("name", "params", "language", "says"),
    [
        ("pwws", {}, "en", "pwws needs synonyms; expected a wordnet: wordnet:FOLDER, "),
        ("pwws", {}, AUTO, "pwws needs synonyms"),
        ("pwws", {"synonyms": "wordnet:here"}, "en", None),
        ("textfooler", {}, "en", "textfooler needs synonyms; expected a file of counter-fitted word"),
        ("bae", {}, "en", 'bae needs model; expected a masked language model: model = "masked-lm:'),
        ("bae", {}, "pt", None),
        ("bae", {}, AUTO, None),
        ("bae", {"model": "none"}, AUTO, "bae needs model"),
        ("bae", {"model": "none"}, "pt", "bae needs model"),
        ("deepwordbug", {}, "de", None),
    ],
)
def test_what_needs_a_resource_says_which_and_how_to_name_it(name, params, language, says):
    found = attacks()[name].lacks(params, language)
    assert found is None if says is None else (found or "").startswith(says)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"search": "beem"}, "search is 'beem'; expected one of 'beam', .*; did you mean 'beam'"),
        (
            {"ranking": "best"},
            "ranking is 'best'; expected one of 'best_edit', 'random', 'deletion', 'unknown', 'weighted_saliency'",
        ),
        ({"unknown": " "}, "unknown is ' '; expected a token"),
        ({"most_changed": 2.0}, "most_changed is 2.0; expected a number from 0 to 1"),
        ({"width": 0}, "width is 0"),
        ({"stop_words": "stop_words_xx"}, "stop_words_xx"),
    ],
)
def test_settings_of_a_recipe_say_what_is_wrong_with_them(params, message):
    with pytest.raises((TypeError, ValueError), match=message):
        attacks()["deepwordbug"].configured(**params)


@every(
    ("search", "ranking"),
    [("greedy", each) for each in ("deletion", "unknown", "weighted_saliency", "random")]
    + [(each, "unknown") for each in ("greedy_all", "beam", "genetic")],
)
def test_every_search_and_ranking_serves_a_recipe(search, ranking):
    end = run("deepwordbug", search=search, ranking=ranking, width=2)
    assert end.found.prediction.labels == ("bad",)


def test_the_table_in_the_docs_has_every_recipe_as_it_is():
    assert page_of_attacks.recipes() in page_of_attacks.PAGE.read_text("utf-8")
    rows = [line for line in page_of_attacks.recipes().splitlines() if line.startswith("| [`")]
    assert len(rows) == len(RECIPES)
    (row,) = [row for row in rows if "`bert_attack`" in row]
    assert row.split(" | ")[1:] == [
        "BERT-Attack (Li et al., 2020)",
        "Replaces at most 40 % of the words by words that a masked language model proposes",
        "greedy, words by unknown",
        "`most_changed = 0.4`; `least_similarity = 0.2`",
        "`model`",
        "aspects, classification, ner, pairs, pos, reading, relations |",
    ]


RECIPE = '''
"""Shouting [nobody, 2020].

Published: words in capitals.
"""

from dataclasses import dataclass

from abalo.attacks.recipe import RecipeSettings, recipe
from perturbations import Edit


@dataclass(frozen=True, slots=True, kw_only=True)
class Shouting(RecipeSettings):
    """One word, whichever."""

    search: str = "greedy_all"
    most_words: int = 1
    stop_words: str = ""


class Capitals:
    name = "capitals"

    def of(self, sites):
        tokens = [target.sentence.tokens[place] for target, place in sites]
        return [[Edit(place, place + 1, (token.upper(),))] for token, (_, place) in zip(tokens, sites)]


def candidates(settings, seed):
    """Words in capitals."""
    return Capitals()


ATTACK = recipe("shouting", Shouting, candidates, lists={})
'''


@pytest.fixture
def shouting(tmp_path, monkeypatch):
    """A module more among the recipes, and everything that was found before forgotten for the time of a test."""
    (tmp_path / "shouting.py").write_text(RECIPE, "utf-8")
    monkeypatch.setattr(recipes, "__path__", [*recipes.__path__, str(tmp_path)])
    monkeypatch.setattr(attacks, "_found", None)
    yield attacks()["shouting"]
    sys.modules.pop("abalo.attacks.recipes.shouting")


def test_a_module_among_the_recipes_is_all_that_a_recipe_takes(shouting):
    end = run("shouting", stop_words="")
    assert words_of(end) == ["the", "FINE", "film", "of", "a", "year"]
    case = case_of(CLASSIFICATION, "shouting", {"sample": 8}, Gate())
    ran, judged = session(CLASSIFICATION).judge(case)
    assert ran.facts["attack"]["sources"]["search"] == "greedy_all"
    assert "success_rate" in judged.bound_view.overall
    assert any(name.startswith("| [`shouting`]") for name in page_of_attacks.recipes().splitlines())
    listed = KINDS["attacks"](load(OWN_GATE))
    assert "Words in capitals." in [entry.about for entry in listed]


BLACK_BOX = ("pruthi", "checklist", "improved_genetic", "kuleshov", "a2t", "pso", "clare")


def given_for(name: str, folder) -> dict:
    """What the recipe needs, for the text of `target`."""
    file = folder / "vectors.txt"
    file.write_text("fine 1 0\ngrand 0.9 0.1\nfilm 0 1\nmovie 0.1 0.9\n", "utf-8")
    needs = attacks()[name].needs
    found = {"synonyms": f"vectors:{file}", "model": "masked-lm:x", "similarity": "encoder:x"}
    return {**{key: found[key] for key in needs}, **({"language": "en"} if name == "checklist" else {})}


@pytest.mark.parametrize("name", BLACK_BOX)
@pytest.mark.parametrize("search", ["", "hard_label"])
def test_a_recipe_keeps_its_budget_and_searches_without_scores(guessing, tmp_path, name, search):
    own = target("the fine film is not by Alice")
    given = {**given_for(name, tmp_path), **({"search": search} if search else {})}
    attack = attacks()[name]
    settings = attack.configured(**{"stop_words": "stop_words_en" if name != "checklist" else "", **given})
    asked = Asked()
    model = asked if not search else Unscored(asked)
    (whole,) = attack.start(Aims([own], None, 1), settings).searches
    (held,) = attack.start(Aims([own], None, 1), settings).searches
    end = ended(whole, model, budget=10_000)
    assert end.queries == len(asked.texts) > 1
    assert not end.spent
    assert end.found.prediction.labels == (("good",) if name == "checklist" else ("bad",))
    assert ended(held, model, budget=1).queries == 1


class Unscored:
    """The labels of a model, without scores."""

    def __init__(self, model: Asked) -> None:
        self.model = model

    def __call__(self, variants):
        return [Classified(each.labels) for each in self.model(variants)]
