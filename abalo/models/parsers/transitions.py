"""A transition parser: a small network chooses heads step by step.

Trained by `fixtures/train_parser.py`.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.errors import AbaloError
from abalo.files import write_bytes
from abalo.models.networks.archives import read_arrays
from perturbations.layers import ROOT

LayerValues = NDArray[np.float32]
NodeNumbers = NDArray[np.int64]

ParsedTree = tuple[tuple[int, ...], tuple[str, ...]]

SHIFT = 0
"""Followed by left and right arcs per relation (arc-hybrid, Kuhlmann et al. 2011)."""

SLOTS = 10

RELATED = 4

FARTHEST = 8
WINDOW = (-2, -1, 0, 1, 2)

_BEHIND = 2 + WINDOW[-1]

_BELOW = 3
_SUFFIX = 3
_BATCH = 96
_REMEDY = "train one with fixtures/train_parser.py"


class Configurations:
    """Stacks, next words and arcs, longest sentence first.

    Words count from 0; the root follows the last word.
    """

    def __init__(self, lengths: Sequence[int]) -> None:
        count, longest = len(lengths), max(lengths, default=0)
        self.width, self.lengths = longest + _BEHIND, np.array(lengths, dtype=np.int64)
        self.none = self.width - 1
        self.rows = np.arange(count)
        self.next = np.zeros(count, dtype=np.int64)
        self.height = np.zeros(count, dtype=np.int64)
        self.stack = np.full((count, longest + _BELOW + 1), self.none)
        self.left, self.right, self.heads = (np.full((count, self.width), self.none) for _ in range(3))
        self.relations = np.zeros((count, self.width), dtype=np.int64)

    def keep(self, count: int) -> None:
        """Continues with the first ``count`` sentences."""
        self.rows, self.lengths, self.next, self.height = (
            each[:count] for each in (self.rows, self.lengths, self.next, self.height)
        )

    def stacked(self, depth: int) -> NodeNumbers:
        """The word at a stack depth, 0 for the top."""
        return self.stack[self.rows, self.height + (_BELOW - 1 - depth)]

    def slots(self) -> NodeNumbers:
        """The `SLOTS` words of each sentence."""
        rows, (top, second, third) = self.rows, (self.stacked(depth) for depth in range(3))
        first = self.next
        coming = [np.where(first + k <= self.lengths, first + k, self.none) for k in (1, 2)]
        children = self.left[rows, top], self.right[rows, top], self.right[rows, second], self.left[rows, first]
        return np.stack([top, second, third, first, *coming, *children], axis=1)

    def distances(self) -> NodeNumbers:
        """From stack top to next word, at most `FARTHEST`."""
        return np.where(self.height > 0, np.minimum(self.next - self.stacked(0), FARTHEST), 0)

    def allowed(self) -> NDArray[np.bool_]:
        """Whether each sentence may shift, attach left, attach right."""
        at_end = self.next == self.lengths
        return np.stack([~at_end, (self.height > 0) & (~at_end | (self.height == 1)), self.height > 1], axis=1)

    def act(self, kinds: NodeNumbers, relations: NodeNumbers) -> None:
        """Applies one action per sentence; relations count from 1."""
        rows, shifts = self.rows, kinds == 0
        top, second = self.stacked(0), self.stacked(1)
        self.stack[rows[shifts], self.height[shifts] + _BELOW] = self.next[shifts]
        taken = rows[~shifts]
        heads = np.where(kinds == 1, self.next, second)
        self.heads[taken, top[~shifts]] = heads[~shifts]
        self.relations[taken, top[~shifts]] = relations[~shifts]
        under_next, under_second = kinds == 1, kinds == 2
        self.left[rows[under_next], self.next[under_next]] = top[under_next]
        self.right[rows[under_second], second[under_second]] = top[under_second]
        self.height += np.where(shifts, 1, -1)
        self.next += shifts


@dataclass(frozen=True, slots=True, eq=False)
class NetworkWeights:
    """Network parameters by layer."""

    words: LayerValues
    suffixes: LayerValues
    tags: LayerValues
    window: LayerValues
    window_bias: LayerValues
    slots: LayerValues
    related: LayerValues
    distance: LayerValues
    bias: LayerValues
    actions: LayerValues
    actions_bias: LayerValues


_NAMES = tuple(each.name for each in fields(NetworkWeights))
_TABLES = ("forms", "endings", "tagset", "relations")
_ARRAYS = (*_TABLES, *_NAMES, *(f"{name}_step" for name in _NAMES))


def suffix(word: str) -> str:
    """The ending that distinguishes unknown words."""
    return word.lower()[-_SUFFIX:]


@dataclass(frozen=True, slots=True, eq=False)
class TransitionParser:
    """A network with numbered words, endings and tags; 0 is unknown, 1 no word."""

    words: Mapping[str, int]
    endings: Mapping[str, int]
    tags: Mapping[str, int]
    relations: tuple[str, ...]
    weights: NetworkWeights

    def parse(self, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> list[ParsedTree]:
        """Trees with one root per sentence."""
        order = sorted(range(len(sentences)), key=lambda place: -len(sentences[place]))
        found: list[ParsedTree] = [((), ())] * len(sentences)
        nodes = max((len(sentences[place]) + _BEHIND for place in order[:1]), default=0) * min(_BATCH, len(order))
        room = np.empty((SLOTS, nodes, self.weights.bias.size), dtype=np.float32)
        for start in range(0, len(order), _BATCH):
            batch = [place for place in order[start : start + _BATCH] if sentences[place]]
            if batch:
                words, own = [sentences[place] for place in batch], [tags[place] for place in batch]
                made = self._parse_batch(words, own, room)
                for place, tree in zip(batch, made, strict=True):
                    found[place] = tree
        return found

    def numbers(self, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> NodeNumbers:
        """Words, endings and tags (sentences × nodes × 3)."""
        longest = max(map(len, sentences))
        found = np.ones((len(sentences), longest + _BEHIND, 3), dtype=np.int64)
        for row, (words, own) in enumerate(zip(sentences, tags, strict=True)):
            found[row, : len(words), 0] = [self.words.get(word.lower(), 0) for word in words]
            found[row, : len(words), 1] = [self.endings.get(suffix(word), 0) for word in words]
            found[row, : len(words), 2] = [self.tags.get(tag, 0) for tag in own]
            found[row, len(words)] = 2
        return found

    def _parse_batch(
        self, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]], room: LayerValues
    ) -> list[ParsedTree]:
        state = Configurations([*map(len, sentences)])
        weights, count = self.weights, len(self.relations)
        tables = self._tables(self.numbers(sentences, tags), room)
        ends, distances = 2 * state.lengths, weights.bias + weights.distance
        for step in range(int(ends[0])):
            state.keep(int(np.searchsorted(-ends, -step)))
            slots = state.slots()
            hidden = distances.take(state.distances(), axis=0)
            places = slots + (state.rows * state.width)[:, None]
            for slot in range(SLOTS):
                hidden += tables[slot].take(places[:, slot], axis=0)
            related = state.relations[state.rows[:, None], slots[:, SLOTS - RELATED :]]
            for slot in range(RELATED):
                hidden += weights.related[slot].take(related[:, slot], axis=0)
            np.maximum(hidden, 0, out=hidden)
            scores = hidden @ weights.actions
            scores += weights.actions_bias
            allowed = state.allowed()
            scores[:, :1][~allowed[:, 0]] = -np.inf
            scores[:, 1 : 1 + count][~allowed[:, 1]] = -np.inf
            scores[:, 1 + count :][~allowed[:, 2]] = -np.inf
            chosen = scores.argmax(axis=1)
            state.act(
                (chosen > 0).astype(np.int64) + (chosen > count), np.where(chosen > 0, (chosen - 1) % count + 1, 0)
            )
        return [self._tree(state, row, len(words)) for row, words in enumerate(sentences)]

    def _tree(self, state: Configurations, row: int, length: int) -> ParsedTree:
        heads = tuple(ROOT if head == length else head for head in state.heads[row, :length].tolist())
        names = ("", *self.relations)
        return heads, tuple(names[number] for number in state.relations[row, :length].tolist())

    def _tables(self, numbers: NodeNumbers, room: LayerValues) -> LayerValues:
        weights = self.weights
        words = np.concatenate(
            [weights.words[numbers[..., 0]], weights.suffixes[numbers[..., 1]], weights.tags[numbers[..., 2]]], axis=2
        )
        reach = WINDOW[-1]
        padded = np.pad(words, ((0, 0), (reach, reach), (0, 0)))
        around = np.concatenate([padded[:, reach + k : reach + k + words.shape[1]] for k in WINDOW], axis=2)
        near = np.maximum(around.reshape(-1, around.shape[2]) @ weights.window + weights.window_bias, 0)
        nodes = np.concatenate([near, words.reshape(len(near), -1)], axis=1)
        for slot, each in enumerate(weights.slots):
            np.matmul(nodes, each, out=room[slot, : len(nodes)])
        return room

    def save(self, path: str | Path) -> None:
        """Writes a ``.npz`` file; equal parsers give equal bytes.

        Weights are rounded to 8-bit multiples of a step.
        """
        arrays: dict[str, Any] = {
            name: np.frombuffer("\n".join(known).encode(), dtype=np.uint8)
            for name, known in zip(_TABLES, (self.words, self.endings, self.tags, self.relations), strict=True)
        }
        for name in _NAMES:
            values = getattr(self.weights, name)
            step = np.float32(np.abs(values).max() / 127 or 1)
            arrays |= {name: np.round(values / step).astype(np.int8), f"{name}_step": step}
        stream = io.BytesIO()
        np.savez_compressed(stream, **arrays)
        write_bytes(Path(path), stream.getvalue())

    @classmethod
    def load(cls, path: str | Path) -> TransitionParser:
        """Reads a ``.npz`` file."""
        found = read_arrays(path, "a parser", _ARRAYS, _REMEDY)
        words, endings, tags, relations = (
            found[name].tobytes().decode("utf-8", "replace").split("\n") for name in _TABLES
        )
        sizes = {"words": len(words) + 3, "suffixes": len(endings) + 3, "tags": len(tags) + 3}
        hidden = found["bias"].size
        shapes = {**sizes, "slots": SLOTS, "related": RELATED, "distance": FARTHEST + 1, "actions": hidden}
        wrong = next((name for name, rows in shapes.items() if found[name].shape[:1] != (rows,)), None)
        if wrong is not None or found["actions_bias"].shape != (1 + 2 * len(relations),):
            raise AbaloError(f"{path}: the layer {wrong or 'actions_bias'} does not fit the others; {_REMEDY}")
        weights = NetworkWeights(
            **{name: found[name].astype(np.float32) * np.float32(found[f"{name}_step"]) for name in _NAMES}
        )
        return cls(_numbered(words), _numbered(endings), _numbered(tags), tuple(relations), weights)


def _numbered(names: Sequence[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(names, start=3)}
