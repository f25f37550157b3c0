"""Whole attacks: what every one invariances, whatever the sentences and the model; logs that they resume from."""

import json
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abalo.attacks import attacks, substitution
from abalo.attacks.analysis import failures, rows_of
from abalo.attacks.campaign import campaign
from abalo.attacks.log import FORMAT, Log
from abalo.core.protocols.task import tasks
from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.predictor import TokenPredictor
from abalo.sources import Synonym
from abalo.tasks.ner.metrics.attack import best_seen, is_broken, seen_target
from perturbations import Sentence, entity_spans, stream
from perturbations.lexicons import words
from perturbations.strategies import corpora
from tests.scripted import ScriptedModel, corpus_of

STOPS = words("stop_words_pt")
NER = tasks()["ner"]


class Moody(ScriptedModel):
    """Finds every gold entity of the corpus it knows, and says anything at all about any other sentence."""

    def __init__(self, corpus: Corpus, seed: int) -> None:
        super().__init__(lambda word: "O")
        self.gold = {sentence.tokens: sentence.tags for sentence in corpus.sentences}
        self.types = sorted({span.type for sentence in corpus.sentences for span in entity_spans(sentence.tags or ())})
        self.labels = ("O", *(f"{side}-{kind}" for kind in self.types for side in "BI"))
        self.seed = seed

    def predict(self, sentences):
        self.asked += sentences
        return [self._of(sentence) for sentence in sentences]

    def _of(self, sentence: Sentence) -> Prediction:
        draws = stream(self.seed, *sentence.tokens)
        known = self.gold.get(sentence.tokens)
        drawn = tuple(self.labels[int(draws.random() * len(self.labels))] for _ in sentence.tokens)
        return Prediction(known if known is not None and draws.random() < 0.9 else drawn)


class Anything:
    """Three words for every word."""

    name = "anything"

    def of(self, sites):
        return [[Synonym(f"{sentence.tokens[i]}{mark}", 1.0) for mark in "xyz"] for sentence, i in sites]


@pytest.fixture(autouse=True, scope="module")
def any_synonyms():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(substitution, "load_synonyms", lambda spec, most, least: Anything())
        yield


def attacked(name: str, corpus: Corpus, model, seeds=(1,), open_log=None, **params):
    attack = attacks()[name]
    wanted = attack.configured(**{"least_similarity": -1, **params})
    return campaign(attack, wanted, NER, corpus, TokenPredictor(model, corpus.sentences), seeds, open_log).outcomes


@pytest.mark.parametrize("name", ["context_attack", "entity_attack"])
@given(data=st.data(), seed=st.integers(0, 9), budget=st.integers(1, 30))
@settings(max_examples=60)
def test_no_attack_touches_what_it_is_not_aimed_at(name, data, seed, budget):
    sentences = data.draw(corpora())
    corpus = Corpus("drawn", tuple(sentences))
    for outcome in attacked(name, corpus, Moody(corpus, seed), budget=budget):
        (target,) = outcome.targets
        gold = outcome.sentence
        assert target in entity_spans(outcome.clean.tags), "a target that was wrong to begin with is never attacked"
        assert outcome.searched.queries <= budget
        if outcome.perturbed is None:
            continue
        changed = {i for edit in outcome.perturbed.edits for i in range(edit.start, edit.stop)}
        own = set(range(target.start, target.stop))
        if name == "entity_attack":
            assert changed == own
        else:
            assert all(gold.tags[i] == "O" for i in changed)
            assert not {gold.tokens[i].lower() for i in changed} & STOPS
        assert len(entity_spans(outcome.perturbed.sentence.tags)) == len(entity_spans(gold.tags))


CORPUS = corpus_of(
    "[Ana P] viu [Rui P] em [Natal L]", "[Eva Sá P] mora em [Belém L]", "nada aqui", "[Ana P] viu [Rui P] em [Natal L]"
)


def test_each_distinct_sentence_is_attacked_once_a_seed():
    outcomes = attacked("entity_attack", CORPUS, Moody(CORPUS, 3), seeds=(1, 2))
    assert [outcome.seed for outcome in outcomes] == [1] * (len(outcomes) // 2) + [2] * (len(outcomes) // 2)
    places = [(outcome.example.id, outcome.targets) for outcome in outcomes if outcome.seed == 1]
    assert len(places) == len(set(places))


def test_what_draws_nothing_has_one_seed():
    assert {outcome.seed for outcome in attacked("context_attack", CORPUS, Moody(CORPUS, 3), seeds=(4, 2))} == {4}
    random = attacked("context_attack", CORPUS, Moody(CORPUS, 3), seeds=(4, 2), ranking="random")
    assert {outcome.seed for outcome in random} == {4, 2}


def test_a_sample_holds_the_same_sentences_in_whatever_order_the_corpus_is():
    many = corpus_of(*(f"[N{i} P] saiu" for i in range(30)))
    turned = Corpus("turned", many.sentences[::-1])
    drawn = [
        {outcome.example.id for outcome in attacked("entity_attack", each, Moody(many, 99), sample=7)}
        for each in (many, turned)
    ]
    assert drawn[0] == drawn[1]
    assert 0 < len(drawn[0]) <= 7


def test_words_keep_the_part_of_speech_that_the_corpus_gives_them():
    """The attack adds x, y or z to a word; in this corpus only words that end in z are verbs."""
    sentences = corpus_of("[Ana P] vaiz", "[Eva P] alta").sentences
    corpus = Corpus("tagged", sentences, parts_of_speech=(("PROPN", "VERB"), ("PROPN", "ADJ")))
    outcomes = [each for seed in range(9) for each in attacked("context_attack", corpus, Moody(corpus, seed))]
    assert {outcome.sentence.text for outcome in outcomes} == {"Ana vaiz"}, "the other sentence has no verb"
    assert {outcome.perturbed.sentence.tokens[1] for outcome in outcomes if outcome.perturbed} == {"vaizz"}


def test_an_entity_found_with_an_inner_label_on_its_first_word_is_attacked():
    class Inside(Moody):
        """Says I- of every word of an entity, under which it is found all the same."""

        def _of(self, sentence):
            return Prediction(tuple(tag.replace("B-", "I-") for tag in self.gold.get(sentence.tokens, sentence.tags)))

    for name, attack in attacks().items():
        if attack.fits(NER) and not attack.lacks({}, "pt") and not attack.needs:
            outcomes = attacked(name, CORPUS, Inside(CORPUS, 1))
            assert {(each.sentence, each.targets) for each in outcomes} == {
                (each.sentence, (span,)) for each in CORPUS.examples for span in entity_spans(each.sentence.tags)
            }


def outline(outcomes):
    return [
        (
            outcome.perturbed,
            outcome.prediction.tags,
            outcome.searched,
            best_seen(outcome),
            outcome.searched.best is None,
        )
        for outcome in outcomes
    ]


@pytest.mark.parametrize("name", ["context_attack", "entity_attack"])
def test_a_stopped_attack_resumes_from_its_log(name, tmp_path, monkeypatch):
    monkeypatch.setattr("abalo.attacks.campaign.BLOCK", 2)
    path = tmp_path / "log.jsonl"
    params = {"ranking": "random"} if name == "context_attack" else {}
    whole = attacked(name, CORPUS, Moody(CORPUS, 3), (1, 2), partial(Log, path), **params)
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == len(whole) + 1
    path.write_bytes(b"".join(lines[:4]) + lines[4][:20])  # stopped in the middle of a line
    model = Moody(CORPUS, 3)
    again = attacked(name, CORPUS, model, (1, 2), partial(Log, path, resume=True), **params)
    assert outline(again) == outline(whole)
    assert path.read_bytes() == b"".join(lines)
    fresh = Moody(CORPUS, 3)
    attacked(name, CORPUS, fresh, (1, 2), **params)
    assert len(model.asked) < len(fresh.asked)


def test_a_repaired_state_survives_the_way_to_a_log_and_back(tmp_path):
    corpus = corpus_of("[Ana de Sá e Lima Rui P] mora longe daqui agora mesmo")
    found = 0
    for seed in range(40):
        run = partial(attacked, "context_attack", corpus)
        whole = run(Moody(corpus, seed), open_log=partial(Log, tmp_path / f"{seed}"))
        again = run(Moody(corpus, seed), open_log=partial(Log, tmp_path / f"{seed}", resume=True))
        assert outline(again) == outline(whole)
        found += sum(outcome.searched.best is not None for outcome in whole)
    assert found


@pytest.mark.parametrize("name", ["context_attack", "entity_attack"])
@given(data=st.data(), seed=st.integers(0, 9), budget=st.integers(1, 30), least=st.sampled_from([-1, 0.6, 1]))
@settings(max_examples=40)
def test_the_best_state_is_at_least_as_good_as_the_final_one_and_kinds_add_up(name, data, seed, budget, least):
    corpus = Corpus("drawn", tuple(data.draw(corpora())))
    model = Moody(corpus, seed)
    outcomes = attacked(name, corpus, model, budget=budget, **({"least_similarity": least} if least > 0 else {}))
    assert all(best_seen(outcome).damage >= seen_target(outcome).damage for outcome in outcomes)
    assert sum(failures(rows_of(outcomes, NER)).values()) == sum(not is_broken(outcome) for outcome in outcomes)
    kinds = [seen_target(outcome).kind for outcome in outcomes]
    assert sum(kind is not None for kind in kinds) == sum(map(is_broken, outcomes))
    for tried in (outcome.searched.tried for outcome in outcomes):
        assert tried.candidates >= tried.unlike + tried.other_part_of_speech + tried.shown


def test_the_log_of_an_older_version_is_not_resumed_and_says_why(tmp_path):
    path = tmp_path / "log.jsonl"
    attacked("entity_attack", CORPUS, Moody(CORPUS, 3), (1,), partial(Log, path))
    path.write_text(path.read_text("utf-8").replace(FORMAT, "abalo attack log 1"), "utf-8")
    said = "written by an older version, under another definition of success .*; remove it, or run without"
    with pytest.raises(AbaloError, match=said):
        attacked("entity_attack", CORPUS, Moody(CORPUS, 3), (1,), partial(Log, path, resume=True))


def test_the_log_of_another_run_is_refused(tmp_path):
    path = tmp_path / "log.jsonl"
    attacked("entity_attack", CORPUS, Moody(CORPUS, 3), (1,), partial(Log, path))
    with pytest.raises(AbaloError, match="the log of another run; remove it, or run without --abalo-resume"):
        attacked("entity_attack", CORPUS, Moody(CORPUS, 3), (2,), partial(Log, path, resume=True))


@pytest.mark.parametrize("record", ["3", "null", '{"sentence_id": "a"}'])
def test_a_log_whose_records_are_damaged_is_not_resumed(tmp_path, record):
    Log(tmp_path / "log.jsonl", {"run": 1})
    with (tmp_path / "log.jsonl").open("a") as file:
        file.write(record + "\n")
    before = (tmp_path / "log.jsonl").read_bytes()
    with pytest.raises(AbaloError, match=r"log\.jsonl: .*remove it, or run without --abalo-resume"):
        Log(tmp_path / "log.jsonl", {"run": 1}, resume=True)
    assert (tmp_path / "log.jsonl").read_bytes() == before


def test_a_log_says_which_targets_were_broken(tmp_path):
    path = tmp_path / "log.jsonl"
    outcomes = attacked("entity_attack", CORPUS, Moody(CORPUS, 3), (1,), partial(Log, path))
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    assert [record["broken"] for record in records] == list(map(is_broken, outcomes))
    assert all((record["kind"] is None) == (record["obstacle"] is not None) for record in records)
    assert {record["attack"] for record in records} == {"entity_attack"}


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"budget": 0}, "budget is 0; expected a number from 1"),
        ({"sample": -1}, "sample is -1"),
        ({"least_similarity": 1.5}, "least_similarity is 1.5; expected a number from -1 to 1"),
        ({"ranking": "best"}, "ranking is 'best'; expected one of 'importance', 'random'"),
        ({"synonims": "x"}, "context_attack has no parameter 'synonims'; did you mean 'synonyms'"),
        ({"most_synonyms": 0}, "most_synonyms is 0"),
    ],
)
def test_settings_say_what_is_wrong_with_them(params, message):
    with pytest.raises((TypeError, ValueError), match=message):
        attacks()["context_attack"].configured(**params)


def test_a_log_with_a_record_missing_is_not_resumed(tmp_path):
    path = tmp_path / "log.jsonl"
    attacked("entity_attack", CORPUS, Moody(CORPUS, 3), (1, 2), partial(Log, path))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], *lines[2:]]))
    with pytest.raises(AbaloError, match=r"log\.jsonl: a record is about .*; expected .*; remove the log"):
        attacked("entity_attack", CORPUS, Moody(CORPUS, 3), (1, 2), partial(Log, path, resume=True))
