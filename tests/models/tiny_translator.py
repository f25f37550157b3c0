"""Translation models small enough to make in a moment, of a language of ten words."""

from pathlib import Path
from typing import Any

WORDS = ("o", "juiz", "disse", "que", "não", "foi", "ontem", "caso", "recurso", "vara")
ROOM = 16
MORE = {"forced_eos_token_id": None, "init_std": 0.1, "scale_embedding": True}
LAYERS = {"encoder_layers": 1, "decoder_layers": 1}
HEADS = {"encoder_attention_heads": 4, "decoder_attention_heads": 4, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64}


def save_translator(folder: Path, *, kind: str = "Marian", learned: bool = False, **ids: Any) -> Path:
    """An encoder and a decoder of one layer × 32 with room for 16 pieces, and a tokenizer of whole words.

    It is random, or has learned to say three to five words in reverse.
    """
    import torch
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    from abalo.models.networks.silence import quiet

    pieces = ["<pad>", "</s>", "<unk>", *WORDS]
    tokenizer = Tokenizer(models.WordLevel({piece: i for i, piece in enumerate(pieces)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    settings = {"vocab_size": len(pieces), "d_model": 32, "pad_token_id": 0, "eos_token_id": 1, "bos_token_id": None}
    settings |= {"decoder_start_token_id": 0, "dropout": 0.0, **ids}
    with quiet(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        if kind == "T5":
            settings |= {"d_kv": 8, "d_ff": 32, "num_layers": 1, "num_heads": 2, "dropout_rate": 0.0}
            network = transformers.T5ForConditionalGeneration(transformers.T5Config(**settings))
        else:
            settings |= {**LAYERS, **HEADS, "max_position_embeddings": ROOM, **MORE}
            network = transformers.MarianMTModel(transformers.MarianConfig(**settings))
        if learned:
            learn(network)
        network.save_pretrained(folder)
        transformers.PreTrainedTokenizerFast(
            tokenizer_object=tokenizer, unk_token="<unk>", pad_token="<pad>", eos_token="</s>"
        ).save_pretrained(folder)
    return folder


def learn(network: Any) -> None:
    """By example, until there is hardly a mistake: in some 200 steps."""
    import torch

    optimiser, mean = torch.optim.Adam(network.parameters(), lr=5e-3), 3.0
    while mean > 0.05:
        length = int(torch.randint(3, 6, ()))
        words = torch.randint(3, 3 + len(WORDS), (64, length))
        ends = torch.ones((64, 1), dtype=torch.long)
        loss = network(input_ids=torch.cat([words, ends], 1), labels=torch.cat([words.flip(1), ends], 1)).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        mean = 0.9 * mean + 0.1 * loss.item()
