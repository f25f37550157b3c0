"""Opens transformers models from weights or exported graphs."""

from __future__ import annotations

from abalo.models.networks.checkpoint import Checkpoint, Head, open_checkpoint
from abalo.models.networks.exported import graph_of, open_exported
from abalo.models.networks.runtimes import Runtime, TorchRuntime
from abalo.models.options import ModelOptions


def open_network(name: str, options: ModelOptions, head: Head) -> tuple[Checkpoint, Runtime]:
    """The network, its tokenizer and its runtime."""
    graph = graph_of(name)
    if graph is not None:
        return open_exported(name, graph, options, head)
    checkpoint = open_checkpoint(name, options, head)
    return checkpoint, TorchRuntime(checkpoint.network, options, head.outputs)
