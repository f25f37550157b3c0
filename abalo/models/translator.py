"""Translation models of transformers, and the best translation that they find of a text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from abalo.errors import AbaloError
from abalo.models.devices import device_for, full_precision
from abalo.models.local_files import folder_hash, model_folder, open_network, open_tokenizer, room
from abalo.models.rows import RowBatch, row_batches
from abalo.models.silence import quiet
from abalo.models.windowed import BUDGETS

BEAMS = 4
"""Translations that are followed at a time."""

_LONGEST = 512
"""The longest text that is translated, in pieces."""


class Translator:
    """A model that makes a text of a text. ``name`` ends in a hash of its files.

    It uses beam search and draws nothing, so the same text has the same translation each time.
    """

    def __init__(self, name: str, network: Any, tokenizer: Any) -> None:
        self.name = name
        self._tokenizer = tokenizer
        self._device = device_for("auto")
        self._network = network.to(self._device)
        self._room = room(network, tokenizer, _LONGEST)
        self._budget = BUDGETS[self._device] // BEAMS

    def translations(self, texts: Sequence[str]) -> list[str | None]:
        """Of each text the translation; None of one longer than the model reads, or that finds no end."""
        found: list[str | None] = [None] * len(texts)
        with quiet(), full_precision():
            rows = {k: self._tokenizer(text)["input_ids"] for k, text in enumerate(texts)}
            fitting = [k for k, row in rows.items() if 0 < len(row) <= self._room]
            padding = self._tokenizer.pad_token_id or 0
            for batch in row_batches([rows[k] for k in fitting], padding, self._budget):
                for row, text in zip(batch.rows.tolist(), self._generated(batch), strict=True):
                    found[fitting[row]] = text
        return found

    def _generated(self, batch: RowBatch) -> list[str | None]:
        import torch

        most = min(self._room, 2 * batch.pieces.shape[1] + 16)
        with torch.inference_mode():
            made = self._network.generate(
                **batch.inputs(self._device), num_beams=BEAMS, do_sample=False, max_new_tokens=most
            ).cpu()
        ends = _ids(self._network.generation_config.eos_token_id)
        special = set(self._tokenizer.all_special_ids) - ends
        texts: list[str | None] = []
        for row in made[:, 1:].tolist():  # the first is what starts every translation
            length = next((k for k, piece in enumerate(row) if piece in ends), None)
            if length is None or length + 1 >= most:  # at the limit some models are made to end
                texts.append(None)
            else:
                pieces = [piece for piece in row[:length] if piece not in special]
                texts.append(self._tokenizer.decode(pieces).strip())
        return texts


def load_translator(target: str) -> Translator:
    """The model in the folder ``target``, or of that id in the cache of the hub; raises `AbaloError`."""
    spec = f"translation:{target}"
    folder = model_folder(spec, target)
    network = open_network(spec, folder, "AutoModelForSeq2SeqLM")
    if network.generation_config.eos_token_id is None:
        raise AbaloError(f"{spec}: its generation_config.json has no eos_token_id, so no translation would end")
    tokenizer = open_tokenizer(spec, folder, fast=False)
    return Translator(f"{Path(target).resolve().name} ({folder_hash(folder)})", network, tokenizer)


def _ids(given: int | Sequence[int]) -> set[int]:
    return {given} if isinstance(given, int) else set(given)
