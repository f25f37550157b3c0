"""Trains a spaCy pipeline by its configuration, as ``spacy train`` does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, ClassVar

from abalo.core.records.lesson import Lesson
from abalo.errors import AbaloError
from abalo.models.tokens.spacy import PREFIX
from abalo.models.training.settings import Epochs, Say, Training
from perturbations import entity_spans

if TYPE_CHECKING:
    from spacy.tokens import DocBin

_EVERY = 10


@dataclass(frozen=True, slots=True)
class SpacyTrainer:
    """Trains a ``config.cfg`` pipeline for entities."""

    config: Path

    uses: ClassVar[tuple[str, ...]] = ()
    suffix: ClassVar[str] = ""

    def check(self) -> None:
        if not self.config.is_file():
            raise AbaloError(f"--train-with spacy:{self.config}: no such file; expected a config.cfg of spaCy")

    def train(self, epochs: Epochs, settings: Training, out: Path, say: Say) -> str:
        from spacy.cli.train import train

        lessons = list(dict.fromkeys(each for k in range(1, settings.epochs + 1) for each in epochs(k)))
        kept = [each for each in lessons if each.original is None][::_EVERY]
        held = set(kept)
        taught = [each for each in lessons if each not in held and each.original not in held]
        say(f"{len(taught):,} sentences to learn from, {len(kept):,} to choose by")
        with TemporaryDirectory() as folder:
            files = {name: Path(folder) / f"{name}.spacy" for name in ("train", "dev")}
            for name, chosen in (("train", taught), ("dev", kept)):
                _docs(chosen).to_disk(files[name])
            overrides = {f"paths.{name}": str(path) for name, path in files.items()}
            try:
                train(self.config, out, overrides={**overrides, "training.seed": settings.seed})
            except (SystemExit, ValueError, KeyError) as error:
                raise AbaloError(f"--train-with spacy:{self.config}: spaCy could not train: {error}") from error
        return f"{PREFIX}{out / 'model-best'}"


def _docs(lessons: Sequence[Lesson]) -> DocBin:
    import spacy
    from spacy.tokens import Doc, DocBin, Span

    if any(not each.tagged for each in lessons):
        raise AbaloError("--train-with spacy: trains entities; the task labels texts: name a function instead")
    vocabulary = spacy.blank("xx").vocab
    found = DocBin()
    for lesson in lessons:
        doc = Doc(vocabulary, words=list(lesson.texts))
        doc.set_ents([Span(doc, each.start, each.stop, label=each.type) for each in entity_spans(lesson.labels)])
        found.add(doc)
    return found
