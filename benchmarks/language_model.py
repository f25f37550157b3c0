"""A small language model, trained in minutes on a CPU, that answers with a label: to try the commands of a guide.

A model of the kind GPT-2 with two layers reads a text of SST-2 and answers "positive" or "negative". It is saved as a
folder that ``AutoModelForCausalLM`` loads, with a chat template, beside ``dev.tsv``, 300 texts to judge it on, and
``ask.toml``, its prompt.

    python -m benchmarks.language_model FOLDER [--data DATA] [--steps N] [--seed N]
    cd FOLDER
    pytest --pyargs tests_behavioral --abalo-model 'inspect:hf/./model?ask.toml' --abalo-corpus dev.tsv
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.arguments import Parser
from benchmarks.foresight import sentiment
from benchmarks.published import add_data

PROMPT = 'prompt = "{text} = {labels}?"\n'
TEMPLATE = "{% for message in messages %}{{ message.content }}{% endfor %}"
LABELS = ("negative", "positive")
JUDGED = 300
PAD, UNKNOWN = "<pad>", "<unk>"


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("OUT", "--data", "DATA", "--steps", "1"))
    add_data(parser)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Trains the model and writes the folder."""
    options = parser().parse_args(given)
    started = time.perf_counter()
    rows = sentiment(options.data / "sst2/train.tsv")
    write(options.folder, sentiment(options.data / "sst2/dev.tsv")[:JUDGED])
    accuracy = train(rows, options.folder / "model", options.steps, options.seed)
    print(f"{options.folder}: {time.perf_counter() - started:.0f} s, accuracy in the last steps {accuracy:.2f}")


def write(folder: Path, dev: list[tuple[str, str]]) -> None:
    """The corpus and the prompt file."""
    folder.mkdir(parents=True, exist_ok=True)
    table = "".join(f"{text}\t{label}\n" for text, label in dev)
    folder.joinpath("dev.tsv").write_text(f"text\tlabel\n{table}", encoding="utf-8")
    folder.joinpath("ask.toml").write_text(PROMPT, encoding="utf-8")


def train(rows: list[tuple[str, str]], path: Path, steps: int, seed: int) -> float:
    """Trains on the last token alone, saves model and tokenizer, and gives the accuracy in the last 100 steps."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(seed)
    tokenizer = _tokenizer([text for text, _ in rows])
    config = GPT2Config(
        vocab_size=len(tokenizer), n_positions=512, n_embd=64, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=0
    )
    model = GPT2LMHeadModel(config)
    optimizer, random, right = torch.optim.AdamW(model.parameters(), lr=2e-3), Random(seed), []
    answers = torch.tensor([tokenizer.encode(f" {label}")[-1] for label in LABELS])
    for _ in range(steps):
        batch = random.sample(rows, 32)
        prompts = [f"{text} = {', '.join(LABELS)}?" for text, _ in batch]
        given = tokenizer(prompts, return_tensors="pt", padding=True, truncation=True, max_length=120)
        wanted = torch.tensor([answers[LABELS.index(label)] for _, label in batch])
        logits = model(**given).logits[:, -1]
        end = torch.nn.functional.cross_entropy(logits, wanted)
        optimizer.zero_grad()
        end.backward()
        optimizer.step()
        right.append(float((logits.argmax(-1) == wanted).float().mean()))
    model.generation_config.max_new_tokens = 1
    model.save_pretrained(path)
    tokenizer.save_pretrained(path)
    return sum(right[-100:]) / len(right[-100:])


def _tokenizer(texts: list[str]) -> Any:
    """A tokenizer of words of these texts, padded on the left, with a chat template that adds nothing."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    own = Tokenizer(models.BPE(unk_token=UNKNOWN))
    own.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    own.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=4000, special_tokens=[PAD, UNKNOWN], initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    own.train_from_iterator([*texts, *(f" {label}" for label in LABELS for _ in range(1000))], trainer)
    made = PreTrainedTokenizerFast(
        tokenizer_object=own, pad_token=PAD, unk_token=UNKNOWN, eos_token=PAD, padding_side="left"
    )
    made.chat_template = TEMPLATE
    return made


if __name__ == "__main__":
    main()
