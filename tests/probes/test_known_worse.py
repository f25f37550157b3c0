"""The bundled bounds catch models that are known to be worse than the bundled one, and no other."""

import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForTokenClassification, AutoTokenizer

from abalo.bundled import OWN_GATE, bundled_path
from abalo.config.thresholds import load as load_thresholds
from abalo.corpora import load as load_corpus
from abalo.models.tokens.loading import load as load_model
from perturbations import Sentence, find
from tests.scripted import session_of

MODEL = bundled_path("fixtures/model")
TOKENIZER = AutoTokenizer.from_pretrained(MODEL)
CORPUS = load_corpus("bundled:legal-pt")
THRESHOLDS = load_thresholds(OWN_GATE)
BLOCKING = sum(len(case.bounds) for case in THRESHOLDS.cases)

Weights = torch.nn.Module


def failed(model, *names: str) -> set[str]:
    """Which of the cases fail on the model, with one seed."""
    chosen = [case for case in THRESHOLDS.cases if case.task == "ner" and case.name in names]
    assert {case.name for case in chosen} == set(names)
    session = session_of(CORPUS, model, seeds=(1,), gate=THRESHOLDS.gate)
    found = [session.judge(case, BLOCKING)[1] for case in chosen]
    return {each.case.id for each in found if not each.holds}


@pytest.fixture
def changed(tmp_path: Path) -> Callable[[Callable[[Weights], None]], object]:
    """Makes the bundled model with its weights changed."""

    def made(change: Callable[[Weights], None]) -> object:
        network = AutoModelForTokenClassification.from_pretrained(MODEL, use_safetensors=True, dtype=torch.float32)
        torch.manual_seed(1)
        with torch.no_grad():
            change(network)
        network.save_pretrained(tmp_path)
        TOKENIZER.save_pretrained(tmp_path)
        return load_model(str(tmp_path), device="cpu")

    return made


def without_accents(sentence: Sentence) -> Sentence:
    stripped = find("accents").sample(sentence, seed=1)
    return sentence if stripped is None else stripped.sentence


class AccentBlind:
    """The bundled model, shown every sentence without its accents."""

    def __init__(self) -> None:
        self.model = load_model(str(MODEL), device="cpu")

    def __getattr__(self, name: str) -> object:
        return getattr(self.model, name)

    def predict(self, sentences):
        return self.model.predict([without_accents(sentence) for sentence in sentences])


@pytest.mark.slow
def test_a_model_that_never_sees_accents_fails_no_accent_case():
    assert failed(AccentBlind(), "accents") == set()


def pieces_of(sentences) -> Counter[int]:
    return Counter(
        piece
        for sentence in sentences
        for piece in TOKENIZER(list(sentence.tokens), is_split_into_words=True).input_ids
    )


def forget(pieces: set[int], network: Weights) -> None:
    network.get_input_embeddings().weight[sorted(pieces)] = 0


@pytest.mark.slow
def test_a_model_without_accents_is_worse_on_clean_text_and_indifferent_to_their_loss(changed):
    accented = {
        number for piece, number in TOKENIZER.get_vocab().items() if unicodedata.normalize("NFD", piece) != piece
    }
    assert len(accented) > 500
    assert failed(changed(partial(forget, accented)), "baseline", "accents") == {"ner/baseline"}


@pytest.mark.slow
def test_a_model_that_can_read_nothing_but_accented_words_fails_when_accents_are_lost(changed):
    clean, stripped = pieces_of(CORPUS.sentences), pieces_of(map(without_accents, CORPUS.sentences))
    brought = {piece for piece in stripped if stripped[piece] > 2 * clean[piece]}
    assert len(brought) > 100
    assert failed(changed(partial(forget, brought)), "baseline", "accents") == {"ner/accents"}


def noised(network: Weights) -> None:
    """Every tenth weight of all matrices, drawn at random, off by about twice as much as weights are large."""
    for weight in network.parameters():
        if weight.ndim == 2:
            hit = torch.rand_like(weight) < 0.1
            weight += hit * torch.randn_like(weight) * weight.std() * 2


@pytest.mark.slow
def test_a_model_with_a_tenth_of_its_weights_noised_fails_several_cases(changed):
    found = failed(changed(noised), "baseline", "token_masking", "boundary")
    assert {"ner/baseline", "ner/token_masking[rate-0.15]", "ner/boundary[oracle]"} <= found


def untrained(network: Weights) -> None:
    """The tagger's encoder under a head and classifier that learnt nothing: as near as we come to pre-trained only."""
    for part in (network.head.dense, network.classifier):
        torch.nn.init.normal_(part.weight, std=0.02)


@pytest.mark.slow
def test_a_model_whose_head_was_never_trained_fails_the_baseline(changed):
    assert "ner/baseline" in failed(changed(untrained), "baseline")
