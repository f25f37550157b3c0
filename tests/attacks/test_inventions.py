"""The goal of an entity where there is none, on sentences whose scores are written out."""

import pytest

from abalo.attacks import attacks
from abalo.attacks.campaign import campaign
from abalo.attacks.log import record_of
from abalo.attacks.regressions import load, replay_record, save
from abalo.core.protocols.task import tasks
from abalo.core.statistics.search_metrics import has_succeeded
from abalo.corpora.examples import example_of
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.predictor import TokenPredictor
from abalo.tasks.ner.inventions import Outside, words_outside
from abalo.tasks.ner.metrics.attack import METRICS, kept_counts, search_counts
from perturbations import Edit, apply, parse
from tests.attacks.scripted import LABELS, Model, ended, greedy, options
from tests.scripted import ScriptedModel, corpus_of

NER = tasks()["ner"]

SCRIPT = {
    "met Ana now": "O=9 B-P=5 O=4/B-L=3",
    "Ana now": "B-P=5 O=4/B-L=3",
    "met Ana": "O=9 B-P=5",
    "saw Ana now": "B-P=9 I-P=5 O=4/B-L=3",
    "hit Ana now": "O=9 B-P=5 O=3/B-L=4",
    "met Ana then": "O=9 B-P=5 O=4/B-L=3.5",
    "got Ana now": "O=9 O=9 O=9",
    "met Ana in Rome": "O=9 B-P=5 O=4 B-L=5",
}


def aimed(notation: str = "met [Ana P] now", model: Model | None = None) -> Outside:
    sentence = parse(notation)
    prediction = (model or Model(SCRIPT)).of(" ".join(sentence.tokens))
    (target,) = NER.targets.of(example_of(sentence), prediction, ScriptedModel(lambda word: "O"), "invented")
    return Outside(target.example, target.field, prediction, LABELS)


@pytest.mark.parametrize(
    ("word", "broken", "types"),
    [
        ("saw", False, ()),  # an entity that begins too early is no invention: it holds the one in gold
        ("hit", True, ("L",)),
        ("got", False, ()),  # one that is missed is none either
    ],
)
def test_an_invention_shares_no_word_with_an_entity(word, broken, types):
    own, model = aimed(), Model(SCRIPT)
    made = apply(own.sentence, [Edit(0, 1, (word,))])
    reading = own.read(model.of(f"{word} Ana now"), made)
    assert (reading.broken, reading.turned) == (broken, (broken,))
    assert own.labels_in(model.of(f"{word} Ana now"), made) == types


def test_what_is_put_in_beside_an_entity_is_outside_and_within_it_is_not():
    sentence = parse("met [Ana Lee P]")
    own = Outside(example_of(sentence), "text", Prediction(("O", "B-P", "I-P")), ())
    within, beside = (apply(sentence, [Edit(place, place, ("de",))]) for place in (2, 1))
    assert own.holds(Prediction(("O", "B-P", "B-L", "O")), within)
    assert not own.holds(Prediction(("O", "B-L", "B-P", "I-P")), beside)


def test_the_score_is_the_least_lead_of_o():
    own, model = aimed(), Model(SCRIPT)
    assert own.read(own.clean).scores == (1.0,)
    without = apply(own.sentence, [Edit(2, 3, ("then",))])
    assert own.read(model.of("met Ana then"), without).scores == (0.5,)
    assert own.importance(model.of("met Ana then"), without) == 0.5
    early = apply(own.sentence, [Edit(0, 1, ("saw",))])
    assert own.read(model.of("saw Ana now"), early).scores == (1.0,)  # not -9, that of saw


def test_a_search_finds_the_word_after_which_an_entity_is_seen():
    model = Model(SCRIPT)
    end = ended(greedy(aimed(model=model), options(p0="saw hit", p2="then"), order=[0, 2]), model)
    assert " ".join(end.found.perturbed.sentence.tokens) == "hit Ana now"


def test_a_sentence_in_which_one_is_found_already_is_wrong_to_begin_with():
    assert aimed().right
    assert not aimed("met [Ana P] in Rome").right
    assert not list(words_outside(example_of(parse("[Ana P]")), Prediction(("B-P",)), LABELS))


CORPUS = corpus_of("viu [Ana P] hoje", "nada aqui", "vejo tudo")


class Wary(ScriptedModel):
    """Finds Ana, takes every word with an exclamation mark for a person, and *vejo* too."""

    def __init__(self):
        super().__init__(lambda word: "B-P" if word in ("Ana", "vejo") or word.endswith("!") else "O")


class Louder:
    """The word with an exclamation mark."""

    name = "louder"

    def of(self, sites):
        return [[Edit(place, place + 1, (target.sentence.tokens[place] + "!",))] for target, place in sites]


@pytest.fixture
def found(monkeypatch):
    monkeypatch.setattr("abalo.attacks.recipes.pwws.load_synonyms", lambda spec, most: None)
    monkeypatch.setattr("abalo.attacks.recipes.pwws.SourceWords", lambda source: Louder())
    attack = attacks()["pwws"]
    settings = attack.configured(to="invented", stop_words="", ranking="deletion", least_similarity=-1.0)
    return campaign(attack, settings, NER, CORPUS, TokenPredictor(Wary(), CORPUS.sentences), (1,))


def test_sentences_without_entities_are_attacked_too(found):
    assert [outcome.sentence.text for outcome in found.outcomes] == ["viu Ana hoje", "nada aqui"]
    assert [outcome.sentence.text for outcome in found.not_found] == ["vejo tudo"]
    assert all(has_succeeded(outcome, NER.targets.seen) for outcome in found.outcomes)
    assert [outcome.targets for outcome in found.outcomes] == [(), ()]


def test_rates_count_sentences(found):
    every = [*found.outcomes, *found.not_found]
    sums = search_counts(every, "structural", ["P"])[:, 0].sum(axis=0)
    values = {metric.name: float(metric.value(sums)) for metric in METRICS if metric.count is search_counts}
    assert values["success_rate"] == 1.0
    assert values["words_perturbed"] == (1 / 2 + 1 / 2) / 2
    assert values["missed_entity_rate"] != values["missed_entity_rate"], "no entity was lost"
    kept = kept_counts(every, "structural", ["P"])[:, 0].sum(axis=0)
    assert kept.tolist() == [3, 0]
    assert not search_counts(every, "structural", ["P"])[:, 1:].any(), "a sentence has no type"
    assert NER.targets.nouns("invented") == ("sentence", "sentences")


def test_an_invention_is_kept_and_tried_again(found, tmp_path):
    records = [record_of("pwws", outcome, NER) for outcome in found.outcomes]
    assert [(record["target"], record["labels"]["attacked"]) for record in records] == [(None, ("P",))] * 2
    path = tmp_path / "broken.jsonl"
    assert save(path, records) == 2
    again, other = Wary().predict, ScriptedModel(lambda word: "B-P" if word == "Ana" else "O").predict
    assert [replay_record(record, again).status for record in load(path)] == ["still broken"] * 2
    replay = replay_record(load(path)[0], other)
    assert (replay.status, replay.noun) == ("fixed", "sentence")
