"""Checkpoints with every usual kind of tokenizer, made with transformers: tiny, and random, as the reading is the same.

The corpus is labelled by the checkpoint itself, through other code. So each word that Abalo reads otherwise costs F1.
"""

from itertools import chain
from pathlib import Path

import pytest
import torch
import transformers
from seqeval.metrics.sequence_labeling import get_entities
from tokenizers import Regex, Tokenizer, models, pre_tokenizers, processors

from tests.real.counting import conll, entities, f1, labels

pytestmark = pytest.mark.real

NEWS = Path(__file__).parents[2] / "fixtures/corpora/news-en/eval.conll"
LABELS = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")
TYPES = {"PER", "LOC"}
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def news():
    """Eighty sentences with words that are hard on tokenizers, and ten that are longer than any window."""
    sentences = [words for words, _ in conll(NEWS, 170)]
    hard = ["São", "naïve", "日本語", "☃", "A" * 40, "x-y/z", "''", "…"]
    mixed = [[*words, hard[i % len(hard)]] for i, words in enumerate(sentences[:80])]
    return mixed + [list(chain(*sentences[k : k + 9])) for k in range(80, 170, 9)]


def trained(tokenizer):
    """The tokenizer of transformers with a vocabulary of the corpus."""
    return tokenizer.train_new_from_iterator([" ".join(words) for words in news()], vocab_size=500, show_progress=False)


def characters():
    """Each character is a piece, and a rare one unknown."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,'"
    made = Tokenizer(models.WordLevel({each: i for i, each in enumerate([*SPECIAL, *letters])}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Split(Regex("."), "isolated")]
    )
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, mask_token="[MASK]", **names)


NARROW = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
RELATIVE = {"relative_attention": True, "pos_att_type": ["p2c", "c2p"], "position_biased_input": False}
SHAPES = {
    "roberta": ("Roberta", {"max_position_embeddings": 130}, 128),
    "gpt2": ("GPT2", {"n_positions": 128, "bos_token_id": 0, "eos_token_id": 0}, 128),
    "deberta": ("DebertaV2", {"max_position_embeddings": 128, **RELATIVE}, 128),
    "xlm-r": ("XLMRoberta", {"max_position_embeddings": 130}, 128),
    "64-positions": ("Bert", {"max_position_embeddings": 64}, 64),
    "no-limit": ("XLNet", {"d_model": 32, "n_layer": 2, "n_head": 2, "d_inner": 64}, 256),
    "characters": ("Bert", {"max_position_embeddings": 512}, 256),
}
"""The network's name in transformers, its settings, and the pieces in a window: as many as can be read, at most 256."""


def save_checkpoint(shape: str, folder: Path) -> None:
    """Writes a tiny random network of this shape, with its tokenizer as published ones are saved."""
    name, settings, _ = SHAPES[shape]
    own = {"do_lower_case": False} if name == "Bert" else {}
    tokenizer = characters() if shape == "characters" else trained(getattr(transformers, f"{name}Tokenizer")(**own))
    names = {"id2label": dict(enumerate(LABELS)), "label2id": {label: i for i, label in enumerate(LABELS)}}
    config = getattr(transformers, f"{name}Config")(**NARROW, **settings, **names, vocab_size=len(tokenizer))
    torch.manual_seed(1)
    getattr(transformers, f"{name}ForTokenClassification")(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def bio(found):
    """Well-formed tags of the entities that labels mark."""
    tags = ["O"] * len(found)
    for kind, first, last in get_entities(found):
        tags[first : last + 1] = [f"B-{kind}"] + [f"I-{kind}"] * (last - first)
    return tags


@pytest.mark.parametrize("shape", SHAPES)
def test_words_are_read_as_from_raw_text(judge, variants, tmp_path, shape):
    model, length = tmp_path / "model", SHAPES[shape][-1]
    save_checkpoint(shape, model)
    # Byte-level tokenizers have one piece for a word behind a space and another for one at the front.
    before = " " if shape in ("roberta", "gpt2") else ""

    def read(sentences):
        return labels(model, sentences, length=length, stride=length // 4, before=before)

    sentences, found = news(), read(news())
    assert {label for each in found for label in each} == set(LABELS)
    gold = [bio(each) if i % 4 else ["O"] * len(each) for i, each in enumerate(found)]
    corpus = tmp_path / "corpus.conll"
    columns = [
        "".join(f"{word} {tag}\n" for word, tag in zip(*pair, strict=True))
        for pair in zip(sentences, gold, strict=True)
    ]
    corpus.write_text("\n".join(columns), "utf-8")
    clean, noisy = judge("--abalo-model", model, "--abalo-corpus", corpus)

    def counted(tags, found):
        return pytest.approx(f1(*([entities(each, TYPES) for each in side] for side in (tags, found))), abs=1e-6)

    changed = conll(variants(corpus))
    assert clean.metric("f1") == counted(gold, found)
    assert noisy.metric("f1_changed") == counted([tags for _, tags in changed], read([words for words, _ in changed]))
    settings = clean.document["model"]["settings"]
    assert (settings["max_length"], settings["stride"]) == (length, length // 4)
    assert settings.get("space_before_words") == ("added" if before else None)
