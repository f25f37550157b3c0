"""A checkpoint as an ONNX graph, named as optimum does, and the same with its matrices in 8 bits: the extra onnx."""

from __future__ import annotations

import shutil
import warnings
from inspect import signature
from pathlib import Path

import torch

from abalo.models.networks.checkpoint import TOKENS, Head, open_checkpoint
from abalo.models.networks.sorted_batches import padding_of
from abalo.models.options import ModelOptions

GRAPH = "model.onnx"
QUANTISED = "model_quantized.onnx"

_BESIDE = ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt")


def export(folder: Path, out: Path, head: Head = TOKENS) -> Path:
    """Writes the checkpoint to the folder ``out`` as a graph, with config and tokenizer beside it; gives its path."""
    checkpoint = open_checkpoint(str(folder), ModelOptions("cpu"), head)
    network = checkpoint.network
    network.set_attn_implementation("eager")  # operators of ONNX alone
    read = {*padding_of(network, checkpoint.tokenizer), "attention_mask"}
    names = [name for name in signature(network.forward).parameters if name in read]  # named in this order
    inputs = {name: torch.full((2, 7), int(name != "token_type_ids")) for name in names}
    out.mkdir(parents=True, exist_ok=True)
    rows = {0: "windows", 1: "pieces"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network,
            (),
            str(out / GRAPH),
            kwargs=inputs,
            input_names=names,
            output_names=["logits"],
            dynamic_axes={**dict.fromkeys(names, rows), "logits": rows if head.by_word else {0: "windows"}},
            dynamo=False,
        )
    for name in _BESIDE:
        if (folder / name).is_file():
            shutil.copy(folder / name, out)
    return out / GRAPH


def quantised(graph: Path) -> Path:
    """Writes the graph with its matrices as whole numbers of 8 bits beside it; gives its path."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    found = graph.with_name(QUANTISED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        options = {"reduce_range": True, "per_channel": True}  # sums of 8 bits saturate on processors without VNNI
        quantize_dynamic(graph, found, weight_type=QuantType.QInt8, **options)
    return found
