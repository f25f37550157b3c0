"""Masked language models that propose words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from abalo.bundled import bundled_path
from abalo.errors import AbaloError
from abalo.models.networks.devices import full_precision
from abalo.models.networks.local_files import folder_hash, model_folder, open_network, open_tokenizer
from abalo.models.networks.rows import RowBatch, TextNetwork, row_batches
from abalo.models.networks.silence import quiet
from perturbations import Sentence

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

BUNDLED = "bundled"


class MaskedLM(TextNetwork):
    """Proposes words for a hidden one; ``name`` ends in a hash of the files.

    Proposals are single pieces, including beginnings of words.
    """

    longest = 256

    def __init__(self, name: str, network: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> None:
        super().__init__(name, network, tokenizer)
        self._words, self._pieces = _whole_words(tokenizer)

    def proposals(self, sites: Sequence[tuple[Sentence, int]], most: int) -> list[list[tuple[str, float]]]:
        """The ``most`` probable words for each (sentence, place), best first.

        Probabilities add up to 1 over the whole vocabulary.
        """
        found: list[list[tuple[str, float]]] = [[] for _ in sites]
        if not sites:
            return found
        with quiet(), full_precision():
            rows, masks = self._masked(sites)
            for batch in row_batches(rows, self._tokenizer.pad_token_id or 0, self._budget):
                probabilities = self._probabilities(batch, masks[batch.rows])
                for site, row in zip(batch.rows.tolist(), probabilities, strict=True):
                    found[site] = self._likeliest(row, most)
        return found

    def _masked(self, sites: Sequence[tuple[Sentence, int]]) -> tuple[list[list[int]], NDArray[np.int64]]:
        texts, ends = zip(*(self._hidden(sentence, place) for sentence, place in sites), strict=True)
        encoded = self._tokenizer(
            list(texts),
            truncation=True,
            max_length=self._window,
            stride=self._window // 2 - self._tokenizer.num_special_tokens_to_add(),
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
        )
        best: dict[int, tuple[int, list[int], int]] = {}
        windows = zip(
            encoded["overflow_to_sample_mapping"], encoded["input_ids"], encoded["offset_mapping"], strict=True
        )
        for site, row, offsets in windows:
            for k, (piece, offset) in enumerate(zip(row, offsets, strict=True)):
                if piece == self._tokenizer.mask_token_id and offset[1] == ends[site]:
                    best[site] = max(best.get(site, (-1, [], 0)), (min(k, len(row) - k), row, k))
        chosen = [best[site] for site in range(len(sites))]
        return [row for _, row, _ in chosen], np.array([k for *_, k in chosen])

    def _hidden(self, sentence: Sentence, place: int) -> tuple[str, int]:
        parts = [part for pair in zip(sentence.tokens, sentence.spaces, strict=True) for part in pair]
        parts[2 * place] = self._tokenizer.mask_token
        return "".join(parts), sum(map(len, parts[: 2 * place + 1]))

    def _probabilities(self, batch: RowBatch, masks: NDArray[np.int64]) -> NDArray[np.float32]:
        import torch

        with torch.inference_mode():
            logits = self._network(**batch.inputs(self._device)).logits
            at_masks = logits[torch.arange(len(masks)), torch.from_numpy(masks)]
            probabilities: NDArray[np.float32] = at_masks.softmax(dim=1).cpu().numpy()
        return probabilities[:, self._pieces]

    def _likeliest(self, probabilities: NDArray[np.float32], most: int) -> list[tuple[str, float]]:
        count = min(most, len(probabilities))
        near = np.flatnonzero(probabilities >= np.partition(probabilities, -count)[-count])
        near = near[np.argsort(-probabilities[near], kind="stable")][:count]
        return [(self._words[k], float(probabilities[k])) for k in near]


def load_masked_lm(target: str) -> MaskedLM:
    """Loads a folder, a cached hub model or "bundled"."""
    return MaskedLM(*open_masked_lm(target))


def open_masked_lm(target: str) -> tuple[str, PreTrainedModel, PreTrainedTokenizerBase]:
    """Hashed name, network and tokenizer."""
    spec = f"masked-lm:{target}"
    if target == BUNDLED:
        folder = bundled_path("fixtures/model")
        name, network = BUNDLED, _bundled_network(spec, folder)
    else:
        folder = model_folder(spec, target)
        name, network = Path(target).resolve().name, open_network(spec, folder, "AutoModelForMaskedLM")
    tokenizer = open_tokenizer(spec, folder)
    if tokenizer.mask_token is None:
        raise AbaloError(f"{spec}: its tokenizer has no mask token; is it a masked language model?")
    return f"{name} ({folder_hash(folder)})", network, tokenizer


def _bundled_network(spec: str, folder: Path) -> PreTrainedModel:
    from safetensors.torch import load_file

    network: PreTrainedModel = open_network(spec, folder, "ModernBertForMaskedLM", spare=("decoder.",))
    network.load_state_dict(load_file(folder / "mlm_head.safetensors"), strict=False)
    return network


def _whole_words(tokenizer: PreTrainedTokenizerBase) -> tuple[list[str], NDArray[np.int64]]:
    special = set(tokenizer.all_special_ids)
    pieces = [piece for piece in range(len(tokenizer)) if piece not in special]
    with quiet():
        texts = [text.strip() for text in tokenizer.batch_decode([[piece] for piece in pieces])]
        encoded = tokenizer([f" {text}" for text in texts], add_special_tokens=False)["input_ids"]
    whole = sorted(
        (text, piece)
        for text, piece, made in zip(texts, pieces, encoded, strict=True)
        if made == [piece] and text[:1].isalpha()
    )
    return [text for text, _ in whole], np.array([piece for _, piece in whole], dtype=np.int64)
