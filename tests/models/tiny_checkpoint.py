"""A checkpoint small enough to make in a moment: every letter is a piece, so a word has as many pieces as letters."""

import string
from pathlib import Path

LABELS = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")
WHOLE_WORDS = ("Ana", "Souza", "left", "Sao", "Paulo", "today", ".", ",", "-")


def save_checkpoint(folder: Path, labels=LABELS, *, seed=0, named=True, network="BertForTokenClassification") -> Path:
    """A random two-layer BERT of width 32 with room for 64 pieces, and a WordPiece tokenizer of letters."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    from abalo.models.networks.silence import quiet

    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WHOLE_WORDS]
    pieces += [*string.ascii_letters, *(f"##{letter}" for letter in string.ascii_letters)]
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=1000))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False, strip_accents=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {"id2label": dict(enumerate(labels)), "label2id": {label: i for i, label in enumerate(labels)}}
    torch.manual_seed(seed)
    with quiet():
        config = transformers.BertConfig(
            vocab_size=len(pieces),
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=64,
            initializer_range=0.5,
            **(names if named else {"num_labels": len(labels)}),
        )
        getattr(transformers, network)(config).save_pretrained(folder)
        transformers.PreTrainedTokenizerFast(
            tokenizer_object=tokenizer,
            unk_token="[UNK]",
            pad_token="[PAD]",
            cls_token="[CLS]",
            sep_token="[SEP]",
            mask_token="[MASK]",
        ).save_pretrained(folder)
    return folder
