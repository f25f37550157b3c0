"""An invariance put to a model: which entities it is about, what breaks it, and how often."""

from dataclasses import replace

import numpy as np
import pytest

from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.statistics.invariance import broken_targets, impossible
from abalo.core.statistics.verdicts import Bound
from abalo.invariances import Hunted, Trial, invariances
from abalo.invariances.trial import confidence, drop
from abalo.models.labelling.classified import Classified
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.predictor import TokenPredictor
from perturbations import Span
from tests.scripted import NER, Gazetteer, ScriptedModel, corpus_of, read_case, session_of
from tests.tasks.labels.scripted import Script, texts_of
from tests.texts import TextWith

CORPUS = corpus_of(*(f"hoje o [José{i} PESSOA] mora em [Belém LOCAL] ." for i in range(60)), "nada aqui")
KNOWN = Gazetteer("[Belém LOCAL]", *(f"[José{i} PESSOA]" for i in range(60)))


class Scored(ScriptedModel):
    """Gives its label of a word 4 of logit, and a runner-up as much as ``doubt`` says of the word."""

    def __init__(self, doubt) -> None:
        super().__init__(KNOWN.tag)
        self.doubt = doubt

    def predict(self, sentences):
        return [self._of(sentence.tokens) for sentence in sentences]

    def _of(self, tokens):
        scores = np.zeros((len(tokens), len(self.labels)), dtype=np.float32)
        for row, word in zip(scores, tokens, strict=True):
            own = self.labels.index(self.tag(word))
            row[own], row[own - 1] = 4, self.doubt(word)
        return Prediction(tuple(map(self.tag, tokens)), scores)


class Fussy(ScriptedModel):
    """Finds what it knows unless the sentence holds one of these letters."""

    def __init__(self, letters: str) -> None:
        super().__init__(KNOWN.tag)
        self.letters = letters

    def predict(self, sentences):
        return [
            Prediction(tuple("O" if set(self.letters) & set(sentence.text) else self.tag(t) for t in sentence.tokens))
            for sentence in sentences
        ]


def trial(name: str, model, corpus=CORPUS, **params) -> Trial:
    invariance = invariances()[name]
    return Trial(
        invariance, invariance.configured(**params), tasks()[NER], corpus, TokenPredictor(model, corpus.sentences)
    )


def test_sentences_are_those_with_an_entity_that_is_found_and_a_site():
    assert len(trial("typo_outside", KNOWN).examples) == 60
    assert trial("typo_outside", ScriptedModel(lambda word: "O")).examples == ()


def test_sentences_come_shortest_first():
    lengths = [len(example.sentence.text) for example in trial("typo_outside", KNOWN).examples]
    assert lengths == sorted(lengths)


def test_the_invariance_is_about_entities_that_the_model_is_sure_of():
    doubting = Scored(lambda word: 3.999 if word == "Belém" else 0.0)
    (outcome, *_) = trial("typo_outside", doubting, draws=5).drawn(1)
    assert [span.type for span in outcome.targets] == ["PESSOA"]
    anything = trial("typo_outside", doubting, draws=5, margin=0.0).drawn(1)
    assert {span.type for outcome in anything for span in outcome.targets} == {"PESSOA", "LOCAL"}


def test_draws_are_the_same_for_a_seed_and_as_many_as_asked_for():
    drawn = [
        [outcome.perturbed for outcome in trial("typo_outside", KNOWN, draws=40).drawn(seed)] for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(drawn[0]) == 40


def test_every_draw_is_one_edit_outside_entities():
    for outcome in trial("typo_outside", KNOWN, draws=200).drawn(1):
        (edit,) = outcome.perturbed.edits
        assert outcome.sentence.tags[edit.start] == "O"


def test_what_breaks_an_invariance():
    fussy = trial("typo_outside", Fussy("z"), draws=400)
    broken = [outcome for outcome in fussy.drawn(1) if broken_targets(outcome)]
    assert broken
    assert all("z" in outcome.perturbed.sentence.text for outcome in broken)
    entities = (Span(2, 3, "PESSOA"), Span(5, 6, "LOCAL"))
    assert all(tuple(each.span for each in broken_targets(outcome)) == entities for outcome in broken)
    assert {drop(outcome) for outcome in broken} == {1.0}, "a model without scores is sure or not"


def test_confidence_falls_with_the_probability_of_the_labels():
    class Shaken(Scored):
        def _of(self, tokens):
            self.doubt = lambda word: 3.0 if "hoje" not in tokens else 0.0
            return super()._of(tokens)

    outcome = trial("typo_outside", Shaken(None), draws=1).drawn(3)[0]
    before, after = confidence(outcome, outcome.invariant[0])
    assert drop(outcome) == pytest.approx(before - after)
    if outcome.perturbed.sentence.tokens[0] != "hoje":
        assert before > after


def result(name: str, model, limit: float, search=None, **params):
    """The run of an invariance with this limit on violations, and what was judged of it."""
    case = read_case(name, Bound("violations_per_thousand", "max", limit), **params)
    return session_of(CORPUS, model, gate=Gate(resamples=300)).judge(case, search=search)


def judged(*arguments, **params):
    return result(*arguments, **params)[1]


def test_violations_are_counted_in_a_thousand():
    class Needy(ScriptedModel):
        def predict(self, sentences):
            return [
                Prediction(tuple(self.tag(token) if "." in each.tokens else "O" for token in each.tokens))
                for each in sentences
            ]

    always = judged("final_full_stop", Needy(KNOWN.tag), 10, draws=300)
    assert always.bound_view.overall["violations_per_thousand"].value == 1000
    assert always.verdict == "fail"
    never = judged("final_full_stop", KNOWN, 10, draws=300)
    estimate = never.bound_view.overall["violations_per_thousand"]
    assert (estimate.value, estimate.low) == (0, 0)
    least = 1000 * (1 - 0.025 ** (1 / 60))  # of 60 sentences with as many edits each; these have more or fewer
    assert least < estimate.high < 1.3 * least, "60 sentences cannot show much"
    assert never.verdict == "inconclusive"


def test_a_bound_fails_when_more_edits_break_the_invariance_than_it_allows():
    run, found = result("typo_outside", Fussy("CDFGHKLMNPQRSTVWXYZ"), 50, draws=600)
    estimate = found.bound_view.overall["violations_per_thousand"]
    share = 19 / (3 * 51)  # one of three kinds of slip puts in a letter, and 19 of 51 letters are these
    assert estimate.value / 1000 == pytest.approx(share, rel=0.25)
    assert found.verdict == "fail"
    assert run.facts["seeds"] == [1]


def test_a_model_that_finds_nothing_breaks_no_invariance_and_keeps_none():
    found = judged("typo_outside", ScriptedModel(lambda word: "O"), 10)
    assert (found.verdict, found.judgements[0].reason) == (
        "inconclusive",
        TextWith("no sentence", "surely found"),
    )


def test_what_cannot_happen_is_not_judged():
    found = judged("doubled_space", KNOWN, 0, lambda *_: Hunted(0, "", None))
    assert (found.verdict, found.judgements) == (None, [])
    assert found.impossible == TextWith("edits change nothing")


def test_a_model_with_one_label_for_all_cannot_break_an_invariance():
    rows = [(f"the play number {k} was very good today", "positive" if k % 2 else "negative") for k in range(60)]

    def found(says):
        model = Script(lambda text: Classified((says(text),)))
        model.labels = ("negative", "positive")
        session = session_of(texts_of(*rows), model, task="classification", gate=Gate(language="en", resamples=300))
        case = read_case("one_typo", Bound("violations_per_thousand", "max", 500), task="classification")
        return session.judge(case)[1]

    constant = found(lambda _text: "positive")
    assert (constant.verdict, constant.impossible) == (None, TextWith("the same label"))
    reads = found(lambda text: "positive" if int(text.split()[3]) % 2 else "negative")
    assert (reads.verdict, reads.impossible) == ("pass", None)


def test_an_invariance_that_was_broken_is_judged_though_the_model_was_asked_nothing():
    evidence = result("doubled_space", KNOWN, 0, lambda *_: Hunted(0, "", None))[0].evidence
    assert impossible(evidence) == TextWith("edits change nothing")
    assert impossible(replace(evidence, notes={**evidence.notes, "broken": 1})) is None


def test_a_perfect_invariance_fails_by_one_edit_that_a_search_finds():
    broken = trial("typo_outside", Fussy("z"), draws=400)
    (smallest, *_) = [outcome for outcome in broken.drawn(1) if broken_targets(outcome)]
    assert judged("typo_outside", KNOWN, 0, lambda *_: Hunted(9, "", None)).verdict == "pass"
    found = judged("typo_outside", KNOWN, 0, lambda *_: Hunted(9, "", smallest))
    assert found.verdict == "fail"
    assert found.explanation == TextWith("one edit", "too many")
    allowed = judged("typo_outside", KNOWN, 70, lambda *_: Hunted(9, "", smallest))
    assert allowed.verdict == "pass", "60 sentences show that fewer than 6 in 100 do, and 7 are allowed"
