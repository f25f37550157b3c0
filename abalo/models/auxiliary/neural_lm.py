"""Perplexity by causal and masked neural language models."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from abalo.errors import AbaloError
from abalo.models.auxiliary.masked_lm import open_masked_lm
from abalo.models.networks.devices import full_precision
from abalo.models.networks.local_files import existing_folder, folder_hash, open_network, open_tokenizer
from abalo.models.networks.rows import RowBatch, TextNetwork, row_batches
from abalo.models.networks.silence import quiet
from perturbations import Sentence

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

_TEXTS = 64


@dataclass(frozen=True, slots=True, eq=False)
class _Row:
    text: int
    pieces: list[int]
    targets: list[tuple[int, int]]


class NeuralLM(TextNetwork, ABC):
    """A transformers language model; ``name`` ends in a hash of its files.

    Perplexity is per word: per piece, a typo that splits into predictable pieces would lower it.
    """

    longest = 512

    def perplexities(self, sentences: Sequence[Sentence], clean: Sequence[Sentence]) -> NDArray[np.float64]:
        lengths = [len(sentence) for sentence in sentences]
        return np.exp(self.surprisals(sentences, clean) / np.array(lengths, dtype=np.float64))

    def surprisals(
        self,
        sentences: Sequence[Sentence],
        clean: Sequence[Sentence],  # noqa: ARG002 - it cannot forget what it learned from
    ) -> NDArray[np.float64]:
        texts = list(dict.fromkeys(sentence.text for sentence in sentences))
        with quiet(), full_precision():
            groups = [texts[start : start + _TEXTS] for start in range(0, len(texts), _TEXTS)]
            losses = dict(zip(texts, [loss for group in groups for loss in self._losses(group)], strict=True))
        return np.array([losses[sentence.text] for sentence in sentences], dtype=np.float64)

    def _losses(self, texts: list[str]) -> NDArray[np.float64]:
        rows = [row for row in self._rows(texts) if row.targets]
        losses = np.zeros(len(texts))
        for batch in row_batches([row.pieces for row in rows], self._tokenizer.pad_token_id or 0, self._budget):
            shown = [rows[number] for number in batch.rows.tolist()]
            targets = [(k, place, piece) for k, row in enumerate(shown) for place, piece in row.targets]
            found = self._surprisals(batch, np.array(targets, dtype=np.int64))
            np.add.at(losses, [shown[k].text for k, *_ in targets], found)
        return losses

    @abstractmethod
    def _rows(self, texts: list[str]) -> Iterator[_Row]: ...

    def _surprisals(self, batch: RowBatch, targets: NDArray[np.int64]) -> NDArray[np.float64]:
        import torch

        rows, places, pieces = torch.from_numpy(targets.T.copy())
        with torch.inference_mode():
            logits = self._network(**batch.inputs(self._device)).logits
            known = logits[rows, places].log_softmax(dim=-1)
            found: NDArray[np.float32] = known[torch.arange(len(pieces)), pieces].cpu().numpy()
        return -found.astype(np.float64)


class CausalLM(NeuralLM):
    """Predicts each piece from all earlier pieces."""

    def _rows(self, texts: list[str]) -> Iterator[_Row]:
        begin = first_piece(self._tokenizer)
        assert begin is not None
        for number, pieces in enumerate(self._tokenizer(texts, add_special_tokens=False)["input_ids"]):
            for start in range(0, len(pieces), self._window - 1):
                row = [begin, *pieces[start : start + self._window - 1]]
                yield _Row(number, row, list(enumerate(row[1:])))


class MaskedPerplexity(NeuralLM):
    """Pseudo-perplexity: predicts each piece, with the following pieces of its word hidden too.

    J. Salazar et al., Masked Language Model Scoring, 2020; C. Kauf and A. Ivanova, A Better Way to Do Masked Language
    Model Scoring, 2023.
    """

    def _rows(self, texts: list[str]) -> Iterator[_Row]:
        hidden = self._tokenizer.mask_token_id
        encoded = self._tokenizer(
            texts,
            truncation=True,
            max_length=self._window,
            return_overflowing_tokens=True,
            return_special_tokens_mask=True,
        )
        for chunk, number in enumerate(encoded["overflow_to_sample_mapping"]):
            pieces, special = encoded["input_ids"][chunk], encoded["special_tokens_mask"][chunk]
            words = encoded.word_ids(chunk)
            for place, piece in enumerate(pieces):
                if not special[place]:
                    row = [hidden if k >= place and words[k] == words[place] else each for k, each in enumerate(pieces)]
                    yield _Row(number, row, [(place, piece)])


def first_piece(tokenizer: PreTrainedTokenizerBase) -> int | None:
    """The tokenizer's start piece, else its end piece, else None."""
    piece: int | None = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
    return piece


def load_causal_lm(target: str) -> CausalLM:
    """Loads the causal model in a folder."""
    spec = f"causal-lm:{target}"
    folder = existing_folder(spec, target)
    network, tokenizer = open_network(spec, folder, "AutoModelForCausalLM"), open_tokenizer(spec, folder)
    if first_piece(tokenizer) is None:
        raise AbaloError(f"{spec}: its tokenizer marks neither begin nor end of a text; is it a causal language model?")
    return CausalLM(f"perplexity by {folder.resolve().name} ({folder_hash(folder)})", network, tokenizer)


def load_masked_perplexity(target: str) -> MaskedPerplexity:
    """Loads a masked model, or the bundled head."""
    name, network, tokenizer = open_masked_lm(target)
    return MaskedPerplexity(f"pseudo-perplexity by {name}", network, tokenizer)
