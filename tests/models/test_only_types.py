"""A model of which some entity types are judged."""

import numpy as np
import pytest

from abalo.core.protocols.preflight import BATCH, size
from abalo.core.statistics.repeating import TRIED, draws
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.only_types import OnlyTypes
from abalo.models.tokens.predictor import TokenPredictor
from perturbations import Sentence, parse

LABELS = ("O", "B-PER", "I-PER", "B-DATE", "I-DATE")


class Scripted:
    """Gives one prediction for every sentence."""

    name, fingerprint, mask_token, device, reads_text = "scripted", "f1", "[MASK]", "cpu", True

    def __init__(self, prediction, labels=LABELS):
        self.prediction, self.labels, self.settings, self.on_progress = prediction, labels, {"dtype": "fp32"}, None

    def predict(self, sentences):
        return [self.prediction for _ in sentences]


def test_entities_of_other_types_are_o_in_tags_and_scores():
    scores = np.array([[0, 1, 2, 9, 3], [1, 9, 2, 3, 4]], dtype=np.float32)
    found = Prediction(("B-DATE", "B-PER"), scores, ("B-PER", "I-DATE"), inputs=3, wordless=1)
    model = OnlyTypes(Scripted(found), ["PER"])
    assert model.labels == ("O", "B-PER", "I-PER")
    [now] = model.predict([Sentence(("a", "b"))])
    assert (now.tags, now.alternative) == (("O", "B-PER"), ("B-PER", "O"))
    np.testing.assert_array_equal(now.scores, [[9, 1, 2], [4, 9, 2]])
    assert (now.full_tags, now.inputs, now.wordless) == (("B-DATE", "B-PER"), 3, 1)


def test_a_model_without_a_list_of_labels_stays_one():
    model = OnlyTypes(Scripted(Prediction(parse("[Ana PER] [hoje DATE]").tags), labels=()), ["DATE"])
    assert model.labels == ()
    assert model.predict([Sentence(("a", "b"))])[0].tags == ("O", "B-DATE")


def test_it_is_another_model_for_whoever_compares_runs():
    inner = Scripted(Prediction(("O",)))
    model = OnlyTypes(inner, ["PER", "DATE"])
    assert model.settings == {"dtype": "fp32", "types": "DATE,PER"}
    assert model.fingerprint == OnlyTypes(inner, ["DATE", "PER"]).fingerprint
    assert len({inner.fingerprint, model.fingerprint, OnlyTypes(inner, ["PER"]).fingerprint}) == 3
    assert (model.name, model.mask_token, model.device, model.reads_text) == ("scripted", "[MASK]", "cpu", True)


def test_it_has_the_version_of_the_model_and_draws_where_that_does():
    inner = Scripted(Prediction(("O",)))
    model = OnlyTypes(inner, ["PER"])
    assert (model.version, draws(model), size(model)) == (None, None, TRIED)
    inner.version, inner.draws = "2026-11-01", True
    model = OnlyTypes(inner, ["PER"])
    assert (model.version, draws(model), size(model)) == ("2026-11-01", True, BATCH)
    inner.draws = False
    assert draws(OnlyTypes(inner, ["PER"])) is False


def test_a_model_of_a_file_is_first_asked_about_one_batch():
    inner = Scripted(Prediction(("O",)))
    inner.black_box = False
    assert size(OnlyTypes(inner, ["PER"])) == BATCH


def test_progress_is_that_of_the_model():
    inner = Scripted(Prediction(("O",)))
    OnlyTypes(inner, ["PER"]).on_progress = print
    assert inner.on_progress is print
    assert OnlyTypes(inner, ["PER"]).on_progress is print


@pytest.mark.parametrize("with_scores", [True, False])
def test_workers_get_what_was_left_out_as_well(tmp_path, with_scores):
    scores = np.ones((2, 5), dtype=np.float32) if with_scores else None
    found = Prediction(("B-DATE", "B-PER"), scores)
    sentences = [Sentence(("a", "b"))]
    first = TokenPredictor(OnlyTypes(Scripted(found), ["PER"]), sentences, tmp_path).clean()
    again = TokenPredictor(OnlyTypes(Scripted(None), ["PER"]), sentences, tmp_path).clean()
    assert [each.full_tags for each in (*first, *again)] == [("B-DATE", "B-PER")] * 2
