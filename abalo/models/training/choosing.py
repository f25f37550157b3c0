"""Chooses the trainer of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from abalo.errors import AbaloError
from abalo.models.classifiers.hugging_face import HuggingFaceClassifier
from abalo.models.classifiers.linear import LinearClassifier
from abalo.models.networks.runtimes import TorchRuntime
from abalo.models.options import ModelOptions
from abalo.models.tokens.hugging_face import HuggingFaceModel
from abalo.models.tokens.spacy import PREFIX
from abalo.models.training.settings import Trainer


def trainer_of(model: Any, options: ModelOptions, named: str | None = None) -> Trainer:
    """The trainer for a model, or the ``named`` one: ``module:function`` or ``spacy:CONFIG``."""
    if named is not None and named.startswith(PREFIX):
        from abalo.models.training.spacy import SpacyTrainer

        return SpacyTrainer(Path(named.removeprefix(PREFIX)))
    if named is not None:
        from abalo.models.training.user_code import UserTrainer

        return UserTrainer(named)
    if isinstance(model, HuggingFaceModel | HuggingFaceClassifier):
        if not isinstance(model.runtime, TorchRuntime):
            raise AbaloError(
                f"model {model.name}: is an exported graph, which cannot be trained; give the checkpoint that it was "
                "exported from"
            )
        from abalo.models.training.encoder import EncoderTrainer

        return EncoderTrainer(model.name, options)
    if type(model) is LinearClassifier:
        from abalo.models.training.linear import LinearTrainer

        return LinearTrainer()
    raise AbaloError(
        f"model {model.name}: is a {type(model).__name__}, which nothing here trains by itself; name what does: "
        "--train-with module:function, or for spaCy --train-with spacy:CONFIG"
    )
