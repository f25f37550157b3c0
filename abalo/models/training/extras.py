"""Losses beside that of the labels, and pieces that are hidden: each is off unless asked for."""

from __future__ import annotations

from typing import Any

Tensor = Any
"""A tensor of torch, which is imported when a training begins."""

HIDDEN_SHARE = 0.15
"""The share of pieces that a masked language model guesses (Devlin et al., 2019)."""

TEMPERATURE = 0.1
"""The temperature of the contrastive loss; SimCLR has 0.1 (Chen et al., 2020), SimCSE 0.05 (Gao et al., 2021)."""


def hidden(pieces: Tensor, free: Tensor, share: float, mask: int, draws: Any) -> tuple[Tensor, Tensor]:
    """The pieces with a share of those that are ``free`` hidden behind the mask, and which these are."""
    import torch

    chosen = (torch.rand(pieces.shape, generator=draws) < share) & free
    return torch.where(chosen, torch.tensor(mask), pieces), chosen


class Guesses:
    """A head that guesses pieces by their embeddings, which it shares with the network."""

    def __init__(self, network: Any, device: Any) -> None:
        import torch

        self._embeddings = network.get_input_embeddings().weight
        pieces, width = self._embeddings.shape
        self._change = torch.eye(width, device=device, requires_grad=True)
        self._bias = torch.zeros(pieces, device=device, requires_grad=True)

    @property
    def parameters(self) -> list[Tensor]:
        """The parameters that are trained beside those of the network."""
        return [self._change, self._bias]

    def loss(self, states: Tensor, pieces: Tensor, chosen: Tensor) -> Tensor:
        """Cross entropy of the hidden pieces; 0 where none is. ``states`` are (rows × pieces × width)."""
        from torch.nn import functional

        if not chosen.any():
            return states.sum() * 0.0
        logits = states[chosen] @ self._change @ self._embeddings.T + self._bias
        return functional.cross_entropy(logits, pieces[chosen])


def contrastive(changed: Tensor, originals: Tensor) -> Tensor:
    """InfoNCE (van den Oord et al., 2018): each changed example beside its original, among all originals of the batch.

    Both are (examples × width), rows in the same order; 0 for fewer than two.
    """
    import torch
    from torch.nn import functional

    if len(changed) < 2:
        return changed.sum() * 0.0
    cosines = functional.normalize(changed, dim=1) @ functional.normalize(originals, dim=1).T
    return functional.cross_entropy(cosines / TEMPERATURE, torch.arange(len(changed), device=changed.device))


def pooled(states: Tensor, mask: Tensor) -> Tensor:
    """The mean state of the pieces of each row, (rows × width); ``mask`` is true where there is a piece."""
    weights = mask.unsqueeze(-1).to(states.dtype)
    return (states * weights).sum(1) / weights.sum(1).clamp(min=1)
