"""Ids of the hub where the hub cannot be reached."""

import time
from importlib.util import find_spec

import pytest
from huggingface_hub import constants

from abalo.core.protocols.options import RunOptions
from abalo.corpora import load as load_corpus
from abalo.errors import AbaloError
from abalo.models.tokens.loading import load as load_model
from abalo.tasks.choice.models.loading import load as load_choice_model

WITH_INSPECT = pytest.mark.skipif(find_spec("inspect_ai") is None, reason="the extra mcq is not installed")


def load_asked(spec):
    return load_choice_model(spec, RunOptions())


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
        pytest.param(load_asked, "hf/someone/some-model", "model someone/some-model: ", marks=WITH_INSPECT),
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


@WITH_INSPECT
def test_a_model_in_the_cache_is_the_same_to_inspect_whether_or_not_the_hub_answers(tmp_path, monkeypatch):
    cache = tmp_path / "models--someone--some-model"
    for path, text in (("refs/main", "c0ffee"), ("snapshots/c0ffee/config.json", "{}")):
        (cache / path).parent.mkdir(parents=True)
        (cache / path).write_text(text, encoding="utf-8")
    unreachable = load_asked("hf/someone/some-model")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert unreachable.fingerprint == load_asked("hf/someone/some-model").fingerprint
