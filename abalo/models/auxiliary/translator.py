"""Translation by transformers models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from abalo.errors import AbaloError
from abalo.models.networks.devices import device_for, full_precision
from abalo.models.networks.local_files import folder_hash, model_folder, open_network, open_tokenizer, room
from abalo.models.networks.rows import RowBatch, row_batches
from abalo.models.networks.silence import quiet
from abalo.models.networks.sorted_batches import BUDGETS

BEAMS = 4

_LONGEST = 512


class Translator:
    """Translates by deterministic beam search; ``name`` ends in a hash.

    Unless ``whole``, long texts and endless translations are cut.
    """

    def __init__(self, name: str, network: Any, tokenizer: Any, device: str = "auto", *, whole: bool = True) -> None:
        self.name = name
        self.architecture = type(network).__name__
        self.device = device_for(device)
        self._tokenizer, self._whole = tokenizer, whole
        self._network = network.to(self.device)
        self._room = room(network, tokenizer, _LONGEST)
        self._budget = BUDGETS[self.device] // BEAMS

    def translations(self, texts: Sequence[str]) -> list[str | None]:
        """One per text; None if too long or endless."""
        found: list[str | None] = [None] * len(texts)
        with quiet(), full_precision():
            cut = {} if self._whole else {"truncation": True, "max_length": self._room}
            rows = {k: self._tokenizer(text, **cut)["input_ids"] for k, text in enumerate(texts)}
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
                **batch.inputs(self.device), num_beams=BEAMS, do_sample=False, max_new_tokens=most
            ).cpu()
        ends = _ids(self._network.generation_config.eos_token_id)
        special = set(self._tokenizer.all_special_ids) - ends
        texts: list[str | None] = []
        for row in made[:, 1:].tolist():  # the first is what starts every translation
            length = next((k for k, piece in enumerate(row) if piece in ends), None)
            if self._whole and (length is None or length + 1 >= most):  # at the limit some models are made to end
                texts.append(None)
            else:
                pieces = [piece for piece in row[:length] if piece not in special]
                texts.append(self._tokenizer.decode(pieces).strip())
        return texts


def load_translator(target: str, *, device: str = "auto", whole: bool = True) -> Translator:
    """Loads a folder or a cached hub model."""
    spec = f"translation:{target}" if whole else f"model {target}"
    folder = model_folder(spec, target)
    network = open_network(spec, folder, "AutoModelForSeq2SeqLM")
    if network.generation_config.eos_token_id is None:
        raise AbaloError(f"{spec}: its generation_config.json has no eos_token_id, so no translation would end")
    tokenizer = open_tokenizer(spec, folder, fast=False)
    return Translator(f"{Path(target).resolve().name} ({folder_hash(folder)})", network, tokenizer, device, whole=whole)


def _ids(given: int | Sequence[int]) -> set[int]:
    return {given} if isinstance(given, int) else set(given)
