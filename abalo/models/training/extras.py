"""Optional losses and hidden pieces."""

from __future__ import annotations

from typing import Any

Tensor = Any

HIDDEN_SHARE = 0.15
"""Devlin et al., 2019."""

TEMPERATURE = 0.1
"""0.1 in SimCLR (Chen et al., 2020), 0.05 in SimCSE (Gao et al., 2021)."""


def hide_pieces(pieces: Tensor, free: Tensor, share: float, mask: int, draws: Any) -> tuple[Tensor, Tensor]:
    """Masks a share of the ``free`` pieces; returns the pieces and which ones are masked."""
    import torch

    chosen = (torch.rand(pieces.shape, generator=draws) < share) & free
    return torch.where(chosen, torch.tensor(mask), pieces), chosen


class Guesses:
    """A masked-LM head that shares the network's embeddings."""

    def __init__(self, network: Any, device: Any) -> None:
        import torch

        self._embeddings = network.get_input_embeddings().weight
        pieces, width = self._embeddings.shape
        self._change = torch.eye(width, device=device, requires_grad=True)
        self._bias = torch.zeros(pieces, device=device, requires_grad=True)

    @property
    def parameters(self) -> list[Tensor]:
        return [self._change, self._bias]

    def loss(self, states: Tensor, pieces: Tensor, chosen: Tensor) -> Tensor:
        """Cross entropy of hidden pieces; ``states`` are (rows × pieces × width)."""
        from torch.nn import functional

        if not chosen.any():
            return states.sum() * 0.0
        logits = states[chosen] @ self._change @ self._embeddings.T + self._bias
        return functional.cross_entropy(logits, pieces[chosen])


def contrastive(changed: Tensor, originals: Tensor) -> Tensor:
    """InfoNCE (van den Oord et al., 2018) of changed examples against the batch's originals.

    Both are (examples × width); 0 for fewer than two.
    """
    import torch
    from torch.nn import functional

    if len(changed) < 2:
        return changed.sum() * 0.0
    cosines = functional.normalize(changed, dim=1) @ functional.normalize(originals, dim=1).T
    return functional.cross_entropy(cosines / TEMPERATURE, torch.arange(len(changed), device=changed.device))


def pool_states(states: Tensor, mask: Tensor) -> Tensor:
    """Mean state of each row's pieces (rows × width)."""
    weights = mask.unsqueeze(-1).to(states.dtype)
    return (states * weights).sum(1) / weights.sum(1).clamp(min=1)
