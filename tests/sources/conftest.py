from pathlib import Path

import pytest

from perturbations import Sentence

PIECES = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "the",
    "a",
    "cat",
    "dog",
    "sat",
    "ran",
    "Rex",
    "##s",
    ".",
    "7up",
)


@pytest.fixture
def site():
    """The only word of a sentence."""
    return lambda word: (Sentence((word,)), 0)


@pytest.fixture
def words_of(site):
    """The synonyms that a source gives for a word, without their similarities."""
    return lambda source, word: [synonym.word for synonym in source.of([site(word)])[0]]


def save_bert(folder: Path, network: str) -> Path:
    """A random BERT of two layers × 16 with room for 32 pieces, and a WordPiece tokenizer of ten words."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    from abalo.models.networks.silence import quiet

    tokenizer = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(PIECES)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    with quiet(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        config = transformers.BertConfig(
            vocab_size=len(PIECES),
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=32,
            initializer_range=0.5,
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


@pytest.fixture(scope="session")
def masked_lm(tmp_path_factory) -> Path:
    """The folder of a masked language model; not to be changed."""
    return save_bert(tmp_path_factory.mktemp("masked") / "lm", "BertForMaskedLM")


@pytest.fixture
def encoder(tmp_path) -> Path:
    """The folder of a sentence encoder that reads at most 8 pieces and takes the mean over them."""
    folder = save_bert(tmp_path / "encoder", "BertModel")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(
        '{"pooling_mode_cls_token": false, "pooling_mode_mean_tokens": true}'
    )
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 8, "do_lower_case": false}')
    (folder / "modules.json").write_text(
        '[{"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},'
        ' {"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},'
        ' {"idx": 2, "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}]'
    )
    return folder
