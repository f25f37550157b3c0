"""What holds on a GPU: the labels of a CPU, the same run twice, and a batch that memory has no room for."""

import numpy as np
import pytest

from abalo.bundled import bundled_path
from abalo.core.protocols.preflight import differing
from abalo.corpora import load as load_corpus
from abalo.models.tokens.loading import load as load_model

torch = pytest.importorskip("torch")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="NOT TRIED: a model on a GPU: PyTorch finds none here"),
]

MODEL = str(bundled_path("fixtures/model"))


@pytest.fixture(scope="module")
def sentences():
    return load_corpus("bundled:legal-pt").sentences


@pytest.fixture(scope="module")
def on_gpu(sentences):
    return load_model(MODEL).predict(sentences)


def test_a_gpu_is_taken_where_there_is_one():
    assert load_model(MODEL).device == "cuda"


def tags(predictions):
    return [prediction.tags for prediction in predictions]


def test_float32_gives_the_labels_of_a_cpu(sentences, on_gpu):
    on_cpu = load_model(MODEL, device="cpu").predict(sentences)
    assert differing(tags(on_cpu), tags(on_gpu)) <= sum(map(len, sentences)) / 10_000
    gaps = [np.abs(a.scores - b.scores).max() for a, b in zip(on_cpu, on_gpu, strict=True)]
    assert np.median(gaps) < 1e-4


def test_the_same_corpus_gives_the_same_scores_to_the_last_bit(sentences, on_gpu):
    again = load_model(MODEL).predict(sentences)
    assert all(np.array_equal(a.scores, b.scores) for a, b in zip(on_gpu, again, strict=True))


def test_a_batch_that_memory_has_no_room_for_is_halved_until_it_fits(sentences, on_gpu):
    model = load_model(MODEL)
    model.budget = 2**21  # padded pieces: the whole corpus at once
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    model.predict(sentences)
    needed, whole = torch.cuda.max_memory_reserved(), torch.cuda.get_device_properties(0).total_memory
    torch.cuda.empty_cache()
    torch.cuda.set_per_process_memory_fraction(0.6 * needed / whole)
    try:
        found = tags(model.predict(sentences))
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)
    assert model.budget < 2**21
    assert differing(found, tags(on_gpu)) <= sum(map(len, sentences)) / 10_000
