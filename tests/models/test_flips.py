"""Words with one piece flipped, on a tiny network whose pieces are letters."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from abalo.attacks import attacks
from abalo.attacks.attack import Aims
from abalo.attacks.search import lock_step
from abalo.bundled import bundled_path
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.corpora.examples import TEXT, example_of
from abalo.errors import AbaloError
from abalo.models.classifiers.flips import piece_gradients
from abalo.models.classifiers.loading import load
from abalo.tasks.labels.targets import TextLabels
from perturbations import Sentence
from tests.models.tiny_checkpoint import save_checkpoint

CPU = RunOptions(device="cpu")
WORDS = "all good things , 7 Ana"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder: Path = tmp_path_factory.mktemp("flips")
    return load(str(save_checkpoint(folder, ("bad", "good"), network="BertForSequenceClassification")), CPU, ())


def loss(model, pieces, moved, k):
    """The negative log-probability of *good* with the vector of a piece moved."""
    import torch

    network = model.runtime.network
    read = network.get_input_embeddings().weight.detach()[torch.tensor(pieces)].clone()
    read[k] += moved
    with torch.no_grad():
        return -float(network(inputs_embeds=read[None]).logits.double().log_softmax(dim=1)[0, 1])


def test_rises_are_what_a_small_step_towards_the_other_piece_costs(model):
    vectors = model.runtime.network.get_input_embeddings().weight.detach()
    given = {"longest": 64, "independent": False, "least": -1.0}
    found = piece_gradients(model.runtime.network, model._tokenizer, "so good", [1], **given)
    step, before = 1e-2, loss(model, found.pieces, 0 * vectors[0], 1)
    for k, other in ((1, 20), (3, 55), (6, 90)):
        towards = vectors[other] - vectors[found.pieces[k]]
        cost = loss(model, found.pieces, step * towards, k) - loss(model, found.pieces, -step * towards, k)
        assert found.rises[k, other] == pytest.approx(cost / (2 * step), rel=0.05, abs=0.02)
    assert before > 0
    assert found.rises[1, found.pieces[1]] == pytest.approx(0, abs=1e-5)


def spans(text: str) -> list[tuple[int, int]]:
    ends, place = [], 0
    for word in text.split():
        ends.append((place, place + len(word)))
        place += len(word) + 1
    return ends


def test_words_differ_by_one_letter_and_the_one_that_costs_most_comes_first(model):
    found = model.flips(WORDS, ("good",), 0, spans(WORDS), 5, -1.0)
    assert [len(each) for each in found[:3]] == [5, 5, 5]
    assert found[3:5] == [[], []]  # neither marks nor numbers
    for word, others in zip(WORDS.split()[:3], found, strict=False):
        assert all(len(other) == len(word) for other in others)
        assert all(sum(a != b for a, b in zip(word, other, strict=True)) == 1 for other in others)
    again = piece_gradients(
        model.runtime.network, model._tokenizer, WORDS, [1], longest=64, independent=False, least=-1.0
    )
    letters = {piece: k for k, piece in enumerate(model._tokenizer.convert_ids_to_tokens(range(len(model._tokenizer))))}

    def rise(other: str) -> float:
        k = next(k for k in range(3) if other[k] != "all"[k])
        return float(again.rises[1 + k, letters[other[k] if k == 0 else f"##{other[k]}"]])

    rises = [rise(other) for other in found[0]]
    assert rises == sorted(rises, reverse=True)
    assert min(rises) > 0


def test_a_cosine_leaves_few_and_then_no_pieces(model):
    (every,) = model.flips("good", ("good",), 0, [(0, 4)], 10**6, -1.0)
    (near,) = model.flips("good", ("good",), 0, [(0, 4)], 10**6, 0.2)
    assert set(near) < set(every)
    assert model.flips("good", ("good",), 0, [(0, 4)], 10**6, 0.999) == [[]]


def test_of_a_pair_the_text_that_is_asked_for_flips(model):
    (first,) = model.flips(("good", "bad"), ("good",), 0, [(0, 4)], 3, -1.0)
    (second,) = model.flips(("good", "bad"), ("good",), 1, [(0, 3)], 3, -1.0)
    assert {len(word) for word in first} == {4}
    assert {len(word) for word in second} == {3}


def target(model, text: str) -> TextLabels:
    clean = model.predict([text])[0]
    return TextLabels(replace(example_of(Sentence(tuple(text.split()))), gold=clean.labels), TEXT, clean)


def test_the_recipe_flips_at_most_two_words_and_asks_the_model_which(model):
    own = target(model, "all good things")
    attack = attacks()["hotflip"]
    settings = attack.configured(stop_words="", most_candidates=3, least_piece_similarity=-1.0)
    started = attack.start(Aims([own], None, 1, model, tasks()["classification"].input), settings)
    asked: list[str] = []

    def predict(variants):
        texts = [each.example.sentence.text for each in variants]
        asked.extend(texts)
        return model.predict(texts)

    (end,) = lock_step(started.searches, predict, lambda pairs: [1.0] * len(pairs), 1000)
    assert len(asked) >= 9
    changed = [sum(a != b for a, b in zip(text.split(), ("all", "good", "things"), strict=True)) for text in asked]
    assert set(changed) <= {1, 2}
    assert np.all(np.diff(changed) >= 0)
    assert end.queries == len(asked)


def test_a_model_without_gradients_is_refused_with_the_reason():
    linear = load(str(bundled_path("fixtures/sentiment/weights.npz")), CPU, ())
    attack = attacks()["hotflip"]
    with pytest.raises(
        AbaloError, match=r"hotflip needs the gradients of a text classifier .*: name a local checkpoint"
    ):
        attack.start(Aims([], None, 1, linear), attack.configured())


def test_it_is_skipped_until_it_may_look_into_the_model():
    attack = attacks()["hotflip"]
    assert attack.lacks({}, "en").startswith("hotflip needs gradients; expected those of a text classifier")
    assert attack.lacks({"gradients": "model"}, "en") is None


def test_a_model_that_reads_another_text_is_refused(model):
    attack = attacks()["hotflip"]
    aims = Aims([target(model, "all good")], None, 1, model, lambda example: example.sentence.text.upper())
    with pytest.raises(AbaloError, match="this model reads another text than text"):
        attack.start(aims, attack.configured(stop_words=""))
