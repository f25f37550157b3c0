"""A model of transformers by its name: the weights of a checkpoint, or a graph that was exported from one."""

from __future__ import annotations

from abalo.models.checkpoint import Checkpoint, Head, open_checkpoint
from abalo.models.exported import graph_of, open_exported
from abalo.models.options import ModelOptions
from abalo.models.runtimes import Runtime, TorchRuntime


def opened(name: str, options: ModelOptions, head: Head) -> tuple[Checkpoint, Runtime]:
    """The network called ``name``, with its tokenizer, and what computes it; raises `AbaloError`."""
    graph = graph_of(name)
    if graph is not None:
        return open_exported(name, graph, options, head)
    checkpoint = open_checkpoint(name, options, head)
    return checkpoint, TorchRuntime(checkpoint.network, options)
