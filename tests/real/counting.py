"""An independent count: corpora read, words aligned and entities counted in a few lines without Abalo's code."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import torch
from seqeval.metrics.sequence_labeling import get_entities
from transformers import AutoModelForTokenClassification, AutoTokenizer

Entities = set[tuple[str, int, int]]
"""The type, the first and the last word of each entity in a sentence."""


def conll(path: Path, limit: int | None = None) -> list[tuple[list[str], list[str]]]:
    """Words and tags of the first sentences of a file with a word and its tag on each line."""
    blocks, block = [], []
    for line in [*path.read_text("utf-8").split("\n"), ""]:
        if line.strip():
            block.append(line.split())
        elif block:
            blocks.append(([row[0] for row in block], [row[-1] for row in block]))
            block = []
    return blocks[:limit]


def conllu(path: Path, column: int, limit: int) -> list[tuple[list[str], list[str], list[bool]]]:
    """Words, their tags in a column, and whether a space follows each, of the first sentences of a treebank.

    The words of a token such as "don't" do not stand in the text themselves, so that a space is put between them.
    """
    sentences = []
    for block in path.read_text("utf-8").strip().split("\n\n")[:limit]:
        words, tags, spaces, end, misc = [], [], [], 0, ""
        for cells in [line.split("\t") for line in block.split("\n") if not line.startswith("#")]:
            if "-" in cells[0]:
                end, misc = int(cells[0].partition("-")[2]), cells[9]
            if cells[0].isdecimal():
                words.append(cells[1])
                tags.append(cells[column])
                said = cells[9] if len(words) > end else misc if len(words) == end else ""
                spaces.append("SpaceAfter=No" not in said)
        sentences.append((words, tags, spaces))
    return sentences


def entities(tags: Sequence[str], names: Mapping[str, str] | Iterable[str]) -> Entities:
    """The entities of these types, under their new names where they have any."""
    names = names if isinstance(names, Mapping) else {kind: kind for kind in names}
    return {(names[kind], first, last) for kind, first, last in get_entities(list(tags)) if kind in names}


def touched(words: Sequence[str], spans: Iterable[tuple[int, int, str]], names: Mapping[str, str]) -> Entities:
    """Spans of the words joined by spaces whose types have new names, as entities of the words that they touch."""
    starts = [sum(map(len, words[:i])) + i for i in range(len(words))]
    found = set()
    for start, stop, kind in spans:
        inside = [i for i, at in enumerate(starts) if at < stop and at + len(words[i]) > start]
        found |= {(names[kind], inside[0], inside[-1])} if kind in names else set()
    return found


def f1(gold: Iterable[Entities], found: Iterable[Entities]) -> float:
    """Twice the entities that are right over those of either side."""
    pairs = list(zip(gold, found, strict=True))
    return 2 * sum(len(one & other) for one, other in pairs) / sum(len(one) + len(other) for one, other in pairs)


def labels(
    folder: Path, sentences: Iterable[Sequence[str]], *, length: int, stride: int, before: str = ""
) -> list[list[str]]:
    """The label of each word by a checkpoint of transformers that reads the sentences one by one, as raw text.

    A piece belongs to the word that it ends in. The scores of a word are the mean over its pieces in a window, then
    over the windows of ``length`` pieces that hold it; neighbours share ``stride``. ``before`` stands before the text.
    """
    tokenizer, network = AutoTokenizer.from_pretrained(folder), AutoModelForTokenClassification.from_pretrained(folder)
    found = []
    for words in sentences:
        ends = [len(before) + sum(map(len, words[: i + 1])) + i for i in range(len(words))]
        encoded = tokenizer(
            before + " ".join(words),
            truncation=True,
            max_length=length,
            stride=stride,
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
        )
        windows = zip(encoded["input_ids"], encoded["offset_mapping"], encoded["special_tokens_mask"], strict=True)
        of_words = [[] for _ in words]
        for ids, offsets, special in windows:
            with torch.inference_mode():
                logits = network(input_ids=torch.tensor([ids])).logits[0]
            of_window = [[] for _ in words]
            for row, (_, stop), added in zip(logits, offsets, special, strict=True):
                if not added:
                    of_window[next(i for i, end in enumerate(ends) if stop <= end)].append(row)
            for rows, means in zip(of_window, of_words, strict=True):
                means += [torch.stack(rows).mean(dim=0)] if rows else []
        best = [int(torch.stack(means).mean(dim=0).argmax()) for means in of_words]
        found.append([network.config.id2label[k] for k in best])
    return found
