"""HotFlip: words that differ by one piece, ranked by gradient for a text classifier.

Source: J. Ebrahimi, A. Rao, D. Lowd and D. Dou, HotFlip: White-Box Adversarial Examples for Text Classification,
ACL 2018.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from abalo.models.labelling.classified import TextInput
from abalo.models.labelling.prediction import Scores
from abalo.models.networks.silence import quiet

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

CharSpan = tuple[int, int]

_MARK = "##"


@dataclass(frozen=True, slots=True, eq=False)
class PieceGradients:
    """Pieces of a text or pair, with loss gradients.

    ``parts`` are text numbers from 0, -1 for special pieces. ``rises`` (pieces × vocabulary) are first-order changes in
    loss.
    """

    pieces: Sequence[int]
    parts: Sequence[int]
    spans: Sequence[CharSpan]
    rises: Scores


def piece_gradients(
    network: Any,
    tokenizer: PreTrainedTokenizerBase,
    given: TextInput,
    gold: Sequence[int],
    *,
    longest: int,
    independent: bool,
    least: float,
) -> PieceGradients:
    """The gradients at the first ``longest`` pieces.

    ``gold`` are columns of correct labels. The loss is their joint negative log-probability, or one per label if
    ``independent``. Rises are 0 below the cosine ``least``, -1 to 1.
    """
    import torch

    texts = [given] if isinstance(given, str) else list(given)
    with quiet():
        encoded = tokenizer(*texts, truncation=True, max_length=longest, return_offsets_mapping=True)
    pieces = encoded["input_ids"]
    device = network.get_input_embeddings().weight.device
    inputs = {
        name: torch.tensor([encoded[name]], device=device)
        for name in ("attention_mask", "token_type_ids")
        if name in encoded
    }
    vectors = network.get_input_embeddings().weight.detach()
    read = vectors[torch.tensor(pieces, device=device)].clone().requires_grad_()
    with torch.enable_grad():
        (logits,) = network(inputs_embeds=read[None], **inputs).logits.float()
        columns = torch.tensor(list(gold), device=device)
        if independent:
            loss = -torch.nn.functional.logsigmoid(logits[columns]).sum()
        else:
            loss = -torch.logsumexp(logits.log_softmax(dim=0)[columns], dim=0)
        (slope,) = torch.autograd.grad(loss, read)
    unit = torch.nn.functional.normalize(vectors, dim=1)
    near = unit[torch.tensor(pieces, device=device)] @ unit.T >= least
    rises = (slope @ vectors.T - (slope * read.detach()).sum(dim=1, keepdim=True)) * near
    parts = [-1 if part is None else part for part in encoded.sequence_ids()]
    spans = [(start, stop) for start, stop in encoded["offset_mapping"]]
    return PieceGradients(pieces, parts, spans, rises.float().cpu().numpy())


class PieceFlips:
    """Words that one other piece makes from a word."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase) -> None:
        self._tokenizer = tokenizer
        special = set(tokenizer.all_special_ids)
        known = [piece for piece in range(len(tokenizer)) if piece not in special]
        with quiet():
            texts = tokenizer.batch_decode([[piece] for piece in known])
        plain = {piece: text.removeprefix(_MARK).strip() for piece, text in zip(known, texts, strict=True)}
        self._texts = {piece: text for piece, text in plain.items() if text.isalpha()}
        self._usable: NDArray[np.bool_] = np.zeros(max(self._texts, default=0) + 1, dtype=np.bool_)
        self._usable[list(self._texts)] = True

    def of(self, text: str, span: CharSpan, part: int, found: PieceGradients, most: int) -> list[str]:
        """At most ``most`` words for the one at ``span``, largest rise first."""
        word = text[slice(*span)]
        own = [
            k
            for k, (start, stop) in enumerate(found.spans)
            if found.parts[k] == part and span[0] <= start < stop <= span[1]
        ]
        pieces = [found.pieces[k] for k in own]
        if not word.isalpha() or not pieces or self._cut(word) != pieces:
            return []
        words: dict[str, None] = {}
        for row, piece in self._rising(found.rises[own]):
            start, stop = (place - span[0] for place in found.spans[own[row]])
            other = _in_case(word[start:stop], self._texts[piece])
            made = word[:start] + other + word[stop:]
            if made != word and self._cut(made) == [*pieces[:row], piece, *pieces[row + 1 :]]:
                words[made] = None
            if len(words) == most:
                break
        return list(words)

    def _rising(self, rises: Scores) -> Iterator[tuple[int, int]]:
        usable = rises[:, : len(self._usable)] * self._usable[: rises.shape[1]]
        order = np.argsort(-usable, axis=None, kind="stable")
        for flat in order[: int((usable > 0).sum())].tolist():
            yield divmod(flat, usable.shape[1])

    def _cut(self, word: str) -> list[int]:
        with quiet():
            found: list[int] = self._tokenizer(f" {word}", add_special_tokens=False)["input_ids"]
        return found


def _in_case(old: str, new: str) -> str:
    return new[0].upper() + new[1:] if old[:1].isupper() else new
