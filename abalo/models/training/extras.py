"""Losses beside that of the labels, and pieces that are hidden: each is off unless asked for."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

HIDDEN_SHARE = 0.15
"""The share of pieces that a masked language model guesses (Devlin et al., 2019)."""

TEMPERATURE = 0.1
"""The temperature of the contrastive loss; SimCLR has 0.1 (Chen et al., 2020), SimCSE 0.05 (Gao et al., 2021)."""


def hidden(pieces: Tensor, free: Tensor, share: float, mask: int, draws: torch.Generator) -> tuple[Tensor, Tensor]:
    """The pieces with a share of those that are ``free`` hidden behind the mask, and which these are."""
    chosen = (torch.rand(pieces.shape, generator=draws) < share) & free
    return torch.where(chosen, torch.tensor(mask), pieces), chosen


class Guesses(nn.Module):
    """A head that guesses pieces by their embeddings, which it shares with the network."""

    def __init__(self, network: Any) -> None:
        super().__init__()
        embeddings = network.get_input_embeddings().weight
        self.change = nn.Linear(embeddings.shape[1], embeddings.shape[1])
        nn.init.eye_(self.change.weight)
        nn.init.zeros_(self.change.bias)
        self.bias = nn.Parameter(torch.zeros(embeddings.shape[0]))
        self._embeddings = [embeddings]  # in a list, so that it is no parameter of this module too

    def loss(self, states: Tensor, pieces: Tensor, chosen: Tensor) -> Tensor:
        """Cross entropy of the hidden pieces; 0 where none is. ``states`` are (rows × pieces × width)."""
        if not chosen.any():
            return states.sum() * 0.0
        (embeddings,) = self._embeddings
        logits = self.change(states[chosen]) @ embeddings.T + self.bias
        return functional.cross_entropy(logits, pieces[chosen])


def contrastive(changed: Tensor, originals: Tensor) -> Tensor:
    """InfoNCE (van den Oord et al., 2018): each changed example beside its original, among all originals of the batch.

    Both are (examples × width), rows in the same order; 0 for fewer than two.
    """
    if len(changed) < 2:
        return changed.sum() * 0.0
    cosines = functional.normalize(changed, dim=1) @ functional.normalize(originals, dim=1).T
    return functional.cross_entropy(cosines / TEMPERATURE, torch.arange(len(changed)))


def pooled(states: Tensor, mask: Tensor) -> Tensor:
    """The mean state of the pieces of each row, (rows × width); ``mask`` is true where there is a piece."""
    weights = mask.unsqueeze(-1).to(states.dtype)
    return (states * weights).sum(1) / weights.sum(1).clamp(min=1)
