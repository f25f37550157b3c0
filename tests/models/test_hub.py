"""Ids of the hub where the hub cannot be reached."""

import time

import pytest
from huggingface_hub import constants

from abalo.corpora import load as load_corpus
from abalo.errors import AbaloError
from abalo.models.loading import load as load_model


@pytest.fixture(autouse=True)
def nobody_answers(monkeypatch, tmp_path):
    """A hub behind a port that nothing listens at, and a clock on which nobody waits to ask again."""
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))

    def waiting(seconds):
        raise AssertionError(f"waits {seconds} seconds")

    monkeypatch.setattr(time, "sleep", waiting)


@pytest.mark.parametrize(
    ("load", "spec", "place"),
    [
        (load_model, "someone/some-model", "model someone/some-model: "),
        (load_corpus, "hub:someone/some-data:train", "hub:someone/some-data:train: "),
    ],
)
def test_an_id_that_cannot_be_had_fails_after_one_request_with_one_message(load, spec, place, caplog):
    with pytest.raises(AbaloError) as raised:
        load(spec)
    said = str(raised.value)
    assert said.startswith(place)
    assert said.count("cannot be reached") == said.count("check the connection") == 1
    assert "\n" not in said
    assert not caplog.records
