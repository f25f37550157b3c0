"""Behaviour that all folders of models share."""

from types import SimpleNamespace

import pytest

from abalo.models.networks.local_files import room

NONE = 10**30
"""The limit of a tokenizer that has none."""


@pytest.mark.parametrize(
    ("rows", "padding", "stated", "tokenizer", "pieces"),
    [
        (512, None, 512, NONE, 512),
        (512, None, 512, 128, 128),
        (514, 1, 514, NONE, 512),  # RoBERTa counts positions from behind the padding index
        (512, None, 510, NONE, 510),  # Nyströmformer has two rows that it does not use
        (2048, None, 2048, NONE, 1000),
        (None, None, 256, NONE, 256),
        (None, None, -1, NONE, 1000),  # as XLNet says that there is no limit
        (None, None, None, NONE, 1000),
    ],
)
def test_a_text_has_room_for_as_many_of_1000_pieces_as_all_can_read(rows, padding, stated, tokenizer, pieces):
    import torch

    network = torch.nn.Module()
    network.config = SimpleNamespace(max_position_embeddings=stated)
    if rows is not None:
        network.position_embeddings = torch.nn.Embedding(rows, 4, padding_idx=padding)
    assert room(network, SimpleNamespace(model_max_length=tokenizer), 1000) == pieces
