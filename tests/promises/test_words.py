"""Promises to part-of-speech tagging: an edit of one word changes no tag of another."""

import json

from abalo.attacks.regressions import load, replayed, save
from abalo.core.promised import lost
from abalo.core.task import tasks
from abalo.corpora import Corpus
from abalo.models.labels import PLAIN
from abalo.models.prediction import Prediction
from abalo.models.predictor import TokenPredictor
from abalo.promises import Trial, promises
from abalo.promises.counterexamples import record_of
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
    promise = promises()[name]
    predictor = TokenPredictor(Neighbours(strict), CORPUS.sentences, labelling=PLAIN)
    return Trial(promise, promise.configured(), POS, CORPUS, predictor)


def test_it_is_about_the_tags_of_all_other_words():
    for outcome in trial().drawn(1):
        (edit,) = outcome.perturbed.edits
        promised = {target.place for target in outcome.promised}
        assert promised == {0, 1, 2} - {edit.start}, "the last word has no tag"
        assert [target.place for target in lost(outcome)] == ([2] if edit.start == 1 else [])


def test_a_model_that_goes_by_the_words_alone_keeps_it():
    assert not any(map(lost, trial(strict=False).drawn(1)))


def test_what_broke_it_is_tried_again(tmp_path):
    broken = next(outcome for outcome in trial().drawn(1) if lost(outcome))
    made = record_of("one_typo", "Nothing changes.", broken, POS)
    assert made["target"] == [2, 3, "VERB"]
    assert made["labels"] == {"clean": ("VERB",), "attacked": ("X",)}
    save(tmp_path / "kept.jsonl", [json.loads(json.dumps(made))])
    (kept,) = load(tmp_path / "kept.jsonl")
    for strict, status in ((True, "still broken"), (False, "fixed")):
        predictor = TokenPredictor(Neighbours(strict), CORPUS.sentences, labelling=PLAIN)
        assert replayed(kept, predictor.answering()).status == status
