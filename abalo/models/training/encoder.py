"""Fine-tunes transformers checkpoints as in Devlin et al. (2019).

AdamW, linear warm-up over a tenth of the steps, linear decay; examples are cut at 256 pieces.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from abalo.core.records.lesson import Lesson
from abalo.errors import AbaloError
from abalo.files import check_writable, explain_errors
from abalo.models.networks.checkpoint import TEXTS, TOKENS, open_checkpoint
from abalo.models.networks.devices import device_for
from abalo.models.networks.local_files import room
from abalo.models.networks.silence import quiet
from abalo.models.networks.sorted_batches import own_labels
from abalo.models.options import ModelOptions
from abalo.models.training.extras import HIDDEN_SHARE, Guesses, Tensor, contrastive, hide_pieces, pool_states
from abalo.models.training.settings import Epochs, Say, Training

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

IGNORED = -100
PIECES = "input_ids"
LONGEST = 256


@dataclass(frozen=True, slots=True)
class EncodedRow:
    """Network inputs by name, and label numbers.

    ``wanted`` has one number per piece if ``tagged``, else one. ``original`` holds unchanged inputs, or None.
    """

    inputs: Mapping[str, Sequence[int]]
    wanted: Sequence[int]
    tagged: bool
    original: Mapping[str, Sequence[int]] | None = None


@dataclass(frozen=True, slots=True)
class EncoderTrainer:
    """Fine-tunes the checkpoint ``spec``; writes it completely or not at all."""

    spec: str
    options: ModelOptions

    uses: ClassVar[tuple[str, ...]] = ("batch", "rate", "drop_pieces", "masked_lm", "contrast")
    suffix: ClassVar[str] = ""

    def check(self) -> None: ...

    def train(self, epochs: Epochs, settings: Training, out: Path, say: Say) -> str:
        import torch

        first = epochs(1)
        head = TOKENS if first and first[0].tagged else TEXTS
        torch.manual_seed(settings.seed)
        checkpoint = open_checkpoint(self.spec, self.options, head)
        network, tokenizer = checkpoint.network, checkpoint.tokenizer
        columns = self._columns(own_labels(network.config, self.spec))
        longest = room(network, tokenizer, LONGEST)
        encoded: dict[Lesson, EncodedRow] = {}

        def rows(epoch: int) -> list[EncodedRow]:
            return [_row(lesson, tokenizer, columns, longest, encoded) for lesson in epochs(epoch)]

        with quiet():
            fine_tune(network, rows, tokenizer, settings, say, device_for(self.options.device))
        write(network, tokenizer, out)
        return str(out)

    def _columns(self, own: Sequence[str]) -> dict[str, int]:
        found = self.options.columns(own, self.spec)
        columns: dict[str, int] = {}
        for number, place in enumerate(found.columns):
            label = found.labels[place]
            if label in columns:
                raise AbaloError(
                    f"model {self.spec}: {own[columns[label]]!r} and {own[number]!r} both mean {label!r}, so nobody "
                    "knows which of them to teach; train without a label map that merges labels"
                )
            columns[label] = number
        return columns


def fine_tune(
    network: Any,
    rows: Any,
    tokenizer: PreTrainedTokenizerBase,
    settings: Training,
    say: Say,
    device: str = "cpu",
    *,
    dropout: bool = True,
) -> None:
    """Trains on the rows of each epoch, in an order drawn from the seed."""
    import torch

    first = rows(1)
    steps = settings.epochs * (len(first) // settings.batch + 1)
    network.to(device).train(dropout)
    guesses = Guesses(network, device) if settings.masked_lm else None
    parameters = [*network.parameters(), *(guesses.parameters if guesses is not None else ())]
    optimiser = torch.optim.AdamW(parameters, lr=settings.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _share(min(1.0, step / steps)))
    step = _TrainingStep(network, tokenizer, settings, guesses, torch.Generator().manual_seed(settings.seed), device)
    for epoch in range(1, settings.epochs + 1):
        losses = []
        chosen = first if epoch == 1 else rows(epoch)
        for batch in _batches(chosen, settings.batch, Random(f"{settings.seed} {epoch - 1}")):
            loss = step.loss(batch)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimiser.step()
            schedule.step()
            losses.append(float(loss.detach()))
        say(f"epoch {epoch} of {settings.epochs}: loss {sum(losses) / len(losses):.3f}, {len(chosen):,} examples")
    network.to("cpu").eval()


@dataclass(frozen=True, slots=True, eq=False)
class _TrainingStep:
    network: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    settings: Training
    guesses: Guesses | None
    draws: object
    device: str

    def loss(self, rows: Sequence[EncodedRow]) -> Tensor:
        wanted = _pad([row.wanted for row in rows], IGNORED).to(self.device)
        wanted = wanted if rows[0].tagged else wanted[:, 0]
        inputs, mask = self._inputs([row.inputs for row in rows])
        pieces, free = inputs[PIECES], self._free(inputs[PIECES], mask)
        if self.settings.drop_pieces:
            inputs[PIECES], _ = self._hidden(pieces, free, self.settings.drop_pieces)
        needs_states = bool(self.settings.contrast)
        out = self.network(**inputs, attention_mask=mask, labels=wanted, output_hidden_states=needs_states)
        total: Tensor = out.loss
        if self.guesses is not None:
            masked, chosen = self._hidden(pieces, free, HIDDEN_SHARE)
            states = self.network.base_model(**{**inputs, PIECES: masked}, attention_mask=mask).last_hidden_state
            total = total + self.settings.masked_lm * self.guesses.loss(states, pieces, chosen)
        if self.settings.contrast:
            total = total + self.settings.contrast * self._contrast(rows, out.hidden_states[-1], mask)
        return total

    def _contrast(self, rows: Sequence[EncodedRow], states: Tensor, mask: Tensor) -> Tensor:
        changed = [k for k, row in enumerate(rows) if row.original is not None]
        if len(changed) < 2:
            return states.sum() * 0.0
        originals, shown = self._inputs([row.original for k in changed if (row := rows[k]).original is not None])
        theirs = self.network.base_model(**originals, attention_mask=shown).last_hidden_state
        return contrastive(pool_states(states, mask)[changed], pool_states(theirs, shown))

    def _inputs(self, rows: Sequence[Mapping[str, Sequence[int]]]) -> tuple[dict[str, Tensor], Tensor]:
        import torch

        padding = self.tokenizer.pad_token_id
        padding = 0 if padding is None else padding
        inputs = {
            name: _pad([row[name] for row in rows], padding if name == PIECES else 0).to(self.device)
            for name in rows[0]
        }
        lengths = torch.tensor([len(row[PIECES]) for row in rows])
        mask = torch.arange(int(lengths.max())) < lengths[:, None]
        return inputs, mask.to(self.device)

    def _free(self, pieces: Tensor, mask: Tensor) -> Tensor:
        import torch

        special = torch.tensor(sorted(self.tokenizer.all_special_ids), device=pieces.device)
        return mask & ~torch.isin(pieces, special)

    def _hidden(self, pieces: Tensor, free: Tensor, share: float) -> tuple[Tensor, Tensor]:
        mask = self.tokenizer.mask_token_id
        mask = self.tokenizer.unk_token_id if mask is None else mask
        found = hide_pieces(pieces.cpu(), free.cpu(), share, mask, self.draws)
        return found[0].to(self.device), found[1].to(self.device)


def write(network: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, out: Path) -> None:
    """Writes or replaces a checkpoint, completely or not at all."""
    check_writable(out.parent)
    new, old = (out.parent / f".{out.name}-{os.getpid()}-{which}" for which in ("new", "old"))
    try:
        with explain_errors(out, out.parent), quiet():
            network.save_pretrained(new)
            tokenizer.save_pretrained(new)
            if out.exists():
                out.rename(old)
            new.rename(out)
    finally:
        for left in (new, old):
            shutil.rmtree(left, ignore_errors=True)


def _row(
    lesson: Lesson,
    tokenizer: PreTrainedTokenizerBase,
    columns: Mapping[str, int],
    longest: int,
    encoded: dict[Lesson, EncodedRow],
) -> EncodedRow:
    if lesson.original is None:
        if lesson not in encoded:
            encoded[lesson] = EncodedRow(*_encode(lesson, tokenizer, columns, longest), lesson.tagged)
        return encoded[lesson]
    original = _row(lesson.original, tokenizer, columns, longest, encoded)
    return EncodedRow(*_encode(lesson, tokenizer, columns, longest), lesson.tagged, original.inputs)


def _encode(
    lesson: Lesson, tokenizer: PreTrainedTokenizerBase, columns: Mapping[str, int], longest: int
) -> tuple[Mapping[str, Sequence[int]], Sequence[int]]:
    usual = {"truncation": True, "max_length": longest, "return_attention_mask": False}
    if not lesson.tagged:
        found = tokenizer(*lesson.texts, **usual)
        if len(lesson.labels) != 1:
            raise AbaloError(f"{len(lesson.labels)} labels for a text; one label for each text can be learnt here")
        return dict(found), [_column(lesson.labels[0], columns)]
    found = tokenizer(list(lesson.texts), is_split_into_words=True, **usual)
    numbers = [_column(label, columns) if label else IGNORED for label in lesson.labels]
    return dict(found), [IGNORED if word is None else numbers[word] for word in found.word_ids()]


def _column(label: str, columns: Mapping[str, int]) -> int:
    if label not in columns:
        raise AbaloError(f"the training corpus has the label {label!r}; the model knows {', '.join(columns)}")
    return columns[label]


def _batches(rows: Sequence[EncodedRow], size: int, draws: Random) -> Iterator[list[EncodedRow]]:
    order = sorted(range(len(rows)), key=lambda _: draws.random())
    for start in range(0, len(order), size):
        yield [rows[k] for k in order[start : start + size]]


def _share(part: float) -> float:
    return min(part / 0.1, (1 - part) / 0.9)


def _pad(rows: Sequence[Sequence[int]], filling: int) -> Tensor:
    import torch

    width = max(map(len, rows))
    return torch.tensor([[*row, *[filling] * (width - len(row))] for row in rows])
