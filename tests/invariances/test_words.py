"""Invariances to part-of-speech tagging: an edit of one word changes no tag of another."""

import json

from abalo.attacks.regressions import load, replay_record, save
from abalo.core.protocols.task import tasks
from abalo.core.statistics.invariance import broken_targets
from abalo.corpora import Corpus
from abalo.invariances import Trial, invariances
from abalo.invariances.counterexamples import record_of
from abalo.models.labelling.labels import PLAIN
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.predictor import TokenPredictor
from perturbations import Sentence
from tests.scripted import ScriptedModel

POS = tasks()["pos"]
TAGS = {"the": "DET", "dog": "NOUN", "barks": "VERB", "loud": ""}
SENTENCE = Sentence(("the", "dog", "barks", "loud"), ("DET", "NOUN", "VERB", ""), policy="each")
CORPUS = Corpus("by hand", (SENTENCE,))


class Neighbours(ScriptedModel):
    """Calls a word a verb only where the one before it is a noun that it knows; else it goes by the word."""

    labels = ("DET", "NOUN", "VERB", "X")

    def __init__(self, strict: bool = True) -> None:
        super().__init__(lambda word: TAGS.get(word.lower()) or "X")
        self.strict = strict

    def predict(self, sentences):
        return [Prediction(tuple(self._tags(sentence.tokens))) for sentence in sentences]

    def _tags(self, tokens):
        for place, token in enumerate(tokens):
            lost_noun = place > 0 and tokens[place - 1] not in ("dog", "the")
            yield "X" if self.strict and token == "barks" and lost_noun else self.tag(token)


def trial(name: str = "one_typo", strict: bool = True) -> Trial:
    invariance = invariances()[name]
    predictor = TokenPredictor(Neighbours(strict), CORPUS.sentences, labelling=PLAIN)
    return Trial(invariance, invariance.configured(), POS, CORPUS, predictor)


def test_it_is_about_the_tags_of_all_other_words():
    for outcome in trial().drawn(1):
        (edit,) = outcome.perturbed.edits
        invariant = {target.place for target in outcome.invariant}
        assert invariant == {0, 1, 2} - {edit.start}, "the last word has no tag"
        assert [target.place for target in broken_targets(outcome)] == ([2] if edit.start == 1 else [])


def test_a_model_that_goes_by_the_words_alone_keeps_it():
    assert not any(map(broken_targets, trial(strict=False).drawn(1)))


def test_what_broke_it_is_tried_again(tmp_path):
    broken = next(outcome for outcome in trial().drawn(1) if broken_targets(outcome))
    made = record_of("one_typo", "Nothing changes.", broken, POS)
    assert made["target"] == [2, 3, "VERB"]
    assert made["labels"] == {"clean": ("VERB",), "attacked": ("X",)}
    save(tmp_path / "kept.jsonl", [json.loads(json.dumps(made))])
    (kept,) = load(tmp_path / "kept.jsonl")
    for strict, status in ((True, "still broken"), (False, "fixed")):
        predictor = TokenPredictor(Neighbours(strict), CORPUS.sentences, labelling=PLAIN)
        assert replay_record(kept, predictor.answering()).status == status
