"""Word segmenters by spec."""

from __future__ import annotations

from abalo.models.networks import exported
from abalo.models.options import ModelOptions
from abalo.models.segmenters import perceptron, word_lists
from abalo.models.specs import FOLDER, Adapter, Loader
from abalo.models.tokens import hugging_face
from abalo.models.tokens.protocol import TokenModel

_LOADER: Loader[TokenModel] = Loader(
    word_lists.load,
    hugging_face.load,
    {FOLDER: hugging_face.load, exported.SUFFIX: hugging_face.load, perceptron.SUFFIX: perceptron.load},
)
_JIEBA: Adapter[TokenModel] = Adapter(lambda spec: spec == word_lists.JIEBA, word_lists.load_jieba)


def load(spec: str, options: ModelOptions) -> TokenModel:
    """Loads a perceptron, ``jieba``, ``module:factory``, or a B/M/E/S checkpoint."""
    return _LOADER.load(spec, options, (_JIEBA,))
