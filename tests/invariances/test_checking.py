"""Invariances of extensions that return nonsense, or edit labelled words without labels, are named."""

import pytest

from abalo.core.protocols.task import tasks
from abalo.errors import AbaloError
from abalo.extend import Invariance, InvarianceSettings
from abalo.invariances import Trial
from abalo.models.tokens.predictor import TokenPredictor
from perturbations import Edit
from tests.invariances.test_trial import KNOWN
from tests.rows import every
from tests.scripted import corpus_of

CORPUS = corpus_of("hoje o [José1 PESSOA] mora em [Belém LOCAL] .")


def drawn(finder):
    settings = InvarianceSettings(draws=3)
    invariance = Invariance("mine", InvarianceSettings, finder, "Nothing should change any {target}.")
    return Trial(invariance, settings, tasks()["ner"], CORPUS, TokenPredictor(KNOWN, CORPUS.sentences)).drawn(1)


def sites_of(*edits):
    return lambda corpus, settings: lambda sentence, free: [lambda: list(edits)]


def test_an_entity_may_change_with_its_label():
    edits = [Edit(2, 3, ("José2",), ("B-PESSOA",))]
    assert [each.perturbed.sentence.tokens[2] for each in drawn(sites_of(*edits))] == ["José2"] * 3


@every(
    ("finder", "told"),
    [
        (lambda corpus, settings: 5, "invariance mine finder returned 5"),
        (lambda corpus, settings: lambda sentence, free: 5, "invariance mine has the sites 5"),
        (lambda corpus, settings: lambda sentence, free: [5], "invariance mine has the sites [5]"),
        (lambda corpus, settings: lambda sentence, free: [lambda: 5], "invariance mine has a site that returned 5"),
        (sites_of(), "invariance mine has a site that returned []"),
        (sites_of("bad"), "invariance mine has a site that returned ['bad']"),
        (sites_of(Edit(2, 3, ("x",))), "invariance mine edits labelled words: "),
        (sites_of(Edit(5, 6, ("",), chars=(0, 1))), "invariance mine edits labelled words: "),
    ],
)
def test_an_invariance_that_makes_nonsense_is_named(finder, told):
    with pytest.raises(AbaloError) as error:
        drawn(finder)
    assert str(error.value).startswith(told)
