"""Translation models by spec."""

from __future__ import annotations

from abalo.core.protocols.options import RunOptions
from abalo.models.generative.opening import is_prompted, open_prompted
from abalo.models.labelling.labels import CLASSES
from abalo.models.prompts.template import Prompting
from abalo.models.specs import FOLDER, Adapter, Loader, settings_of
from abalo.models.translators import black_box, hugging_face
from abalo.models.translators.prompted import PromptedTranslator
from abalo.models.translators.protocol import TranslationModel

_LOADER: Loader[TranslationModel] = Loader(black_box.load, hugging_face.load, {FOLDER: hugging_face.load})
_INSPECT: Adapter[TranslationModel] = Adapter(
    is_prompted, lambda name, given: PromptedTranslator(open_prompted(name, given)), takes_args=True
)


def load(spec: str, options: RunOptions, prompting: Prompting) -> TranslationModel:
    """Loads a translation model."""
    return _LOADER.load(spec, settings_of(options, CLASSES, prompting=prompting), (_INSPECT,))
