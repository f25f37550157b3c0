"""ONNX graphs, run by ONNX Runtime.

Security: custom operator libraries are never loaded, and external weights only from the graph's folder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from abalo.errors import AbaloError
from abalo.files import expand_home
from abalo.models.labelling.prediction import Scores
from abalo.models.networks.checkpoint import Checkpoint, Head, has_weights, open_skeleton, refuse_pointer
from abalo.models.networks.runtimes import columns
from abalo.models.networks.windows import Integers
from abalo.models.options import ModelOptions

SUFFIX = ".onnx"

_USUAL = ("model.onnx", "onnx/model.onnx")
_NEEDED = ("input_ids", "attention_mask")
_OPTIONAL = "token_type_ids"
_INTEGERS: Mapping[str, type[np.int64 | np.int32]] = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
_SHORT = {"float": "fp32", "float16": "fp16", "bfloat16": "bf16"}
_PART = 1 << 24
_HOW = "export it again as optimum does: optimum-cli export onnx --model CHECKPOINT --task {} FOLDER"


def graph_of(name: str) -> Path | None:
    """The graph file, or a folder's graph without other weights, else None.

    Raises `AbaloError` for several graphs without the usual name.
    """
    path = expand_home(name)
    if path.is_file() and path.suffix == SUFFIX:
        return path
    if not path.is_dir() or has_weights(path):
        return None
    graphs = sorted([*path.glob(f"*{SUFFIX}"), *path.glob(f"onnx/*{SUFFIX}")])
    usual = [path / each for each in _USUAL if (path / each).is_file()]
    if usual or len(graphs) < 2:
        return next(iter([*usual, *graphs]), None)
    found = ", ".join(str(graph.relative_to(path)) for graph in graphs)
    raise AbaloError(f"model {name}: {path} has several graphs, {found}, and no {_USUAL[0]}; name one: {graphs[0]}")


def open_exported(name: str, graph: Path, options: ModelOptions, head: Head) -> tuple[Checkpoint, OnnxRuntime]:
    """Shapes, tokenizer and graph runtime."""
    if options.dtype != "fp32":
        raise AbaloError(
            f"model {name}: dtype {options.dtype!r} has no meaning for an exported graph, whose numbers have the "
            "precision that it was exported with: leave out --abalo-dtype, or name another graph"
        )
    beside = (graph.parent, graph.parent.parent)
    folder = next((each for each in beside if (each / "config.json").is_file()), graph.parent)
    checkpoint = open_skeleton(folder, options, head)
    return checkpoint, OnnxRuntime(name, graph, checkpoint.network.config.num_labels, options.device, head)


class OnnxRuntime:
    """A `Runtime` for a graph: one batch at a time, with its own threads."""

    side_by_side = 1

    def __init__(self, name: str, graph: Path, labels: int, device: str, head: Head) -> None:
        self._name = name
        self._how = _HOW.format("text-classification" if head.kind == "sequence-classification" else head.kind)
        refuse_pointer(name, graph)
        self._graph = graph
        tensors = _read(name, graph)
        self._outside = _outside(name, graph, tensors)
        self.settings: Mapping[str, str] = {"runtime": "ONNX Runtime", "dtype": _precision(tensors)}
        self.device, self._session = _session(name, graph, device)
        self._inputs = self._checked_inputs()
        self._outputs = list(head.outputs)
        if len(head.outputs) == 1:
            self._check_output(labels, dimensions=3 if head.by_word else 2)
        else:
            self._check_outputs()

    def logits(self, inputs: Mapping[str, Integers]) -> Scores | None:
        for unread in inputs.keys() - self._inputs.keys():
            if inputs[unread].any():
                raise AbaloError(
                    f"model {self._name}: its graph does not read {unread}, which tells the second text from the "
                    f"first; {self._how}"
                )
        absent = np.zeros_like(inputs["input_ids"])
        given = {name: inputs.get(name, absent).astype(kind) for name, kind in self._inputs.items()}
        try:
            found = self._session.run(self._outputs, given)
        except Exception as error:  # of a class that only the library has
            if "Failed to allocate memory" not in str(error):
                raise
            return None
        return columns([each.astype(np.float32) for each in found])

    def weights(self) -> Iterator[Any]:
        for path in (self._graph, *self._outside):
            with path.open("rb") as file:
                yield from iter(partial(file.read, _PART), b"")

    def _checked_inputs(self) -> dict[str, type[np.int64 | np.int32]]:
        found = {each.name: each for each in self._session.get_inputs()}
        if not {*_NEEDED} <= found.keys() <= {*_NEEDED, _OPTIONAL}:
            raise AbaloError(
                f"model {self._name}: its graph reads {', '.join(found)}; expected {', '.join(_NEEDED)}, with or "
                f"without {_OPTIONAL}; {self._how}"
            )
        for each in found.values():
            fixed = [size for size in each.shape if isinstance(size, int)]
            if each.type not in _INTEGERS or len(each.shape) != 2 or fixed:
                raise AbaloError(
                    f"model {self._name}: its graph reads {each.name} as {each.type} of shape {each.shape}; expected "
                    f"whole numbers, windows × pieces, as many of each as there are; {self._how}"
                )
        return {name: _INTEGERS[each.type] for name, each in found.items()}

    def _check_output(self, labels: int, dimensions: int) -> None:
        (logits,) = self._outputs
        found = {each.name: each.shape for each in self._session.get_outputs()}
        if logits not in found:
            raise AbaloError(
                f"model {self._name}: its graph gives {', '.join(found)}; expected {logits}, one for each label: was "
                f"it exported without its classifier? {self._how.capitalize()}"
            )
        shape = found[logits]
        if len(shape) != dimensions or (isinstance(shape[-1], int) and shape[-1] != labels):
            raise AbaloError(
                f"model {self._name}: its graph gives {logits} of shape {shape}; expected {dimensions} dimensions, "
                f"the last of {labels}, as many as config.json beside it names labels; {self._how}"
            )

    def _check_outputs(self) -> None:
        found = {each.name: each.shape for each in self._session.get_outputs()}
        if not all(len(found.get(name, ())) == 2 for name in self._outputs):
            raise AbaloError(
                f"model {self._name}: its graph gives {', '.join(found)}; expected {' and '.join(self._outputs)}, a "
                f"number for each piece: was it exported for another task? {self._how.capitalize()}"
            )


def _library(name: str, library: str) -> Any:
    from importlib import import_module

    try:
        return import_module(library)
    except ImportError as error:
        raise AbaloError(f"model {name}: an ONNX graph needs ONNX Runtime: pip install 'abalo[onnx]'") from error


def _read(name: str, graph: Path) -> list[object]:
    onnx = _library(name, "onnx")
    try:
        model = onnx.load(graph, load_external_data=False)
    except Exception as error:  # a damaged file can raise anything
        raise AbaloError(f"model {name}: {graph} is no ONNX graph: {_first_line(error)}; {_HOW_AGAIN}") from error
    return [*_within(model, onnx.TensorProto)]


def _within(message: Any, kind: type) -> Iterator[object]:
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        for each in [value] if hasattr(value, "ListFields") else value:
            if isinstance(each, kind):
                yield each
            else:
                yield from _within(each, kind)


def _outside(name: str, graph: Path, tensors: list[Any]) -> list[Path]:
    entries = [entry for tensor in tensors for entry in tensor.external_data if entry.key == "location"]
    found, folder = [], graph.parent.resolve()
    for location in sorted({entry.value for entry in entries}):
        path = folder / location
        if not path.resolve().is_relative_to(folder):
            raise AbaloError(
                f"model {name}: {graph.name} reads {location!a}, which is outside of its folder {folder}, or a link to "
                "there; fetch files in place of links (hf download with --local-dir), or save the graph with its "
                "numbers beside it (onnx.save_model with save_as_external_data)"
            )
        if not path.is_file():
            raise AbaloError(f"model {name}: no {location!a} in {folder}, which {graph.name} reads; fetch it, too")
        refuse_pointer(name, path)
        found.append(path)
    return found


def _precision(tensors: list[Any]) -> str:
    from onnx import TensorProto

    sizes: Counter[str] = Counter()
    for tensor in tensors:
        kind = TensorProto.DataType.Name(tensor.data_type).lower()
        sizes[_SHORT.get(kind, kind)] += prod(tensor.dims)
    return ", ".join(kind for kind, size in sizes.most_common() if 100 * size >= sizes.total())


def _session(name: str, graph: Path, device: str) -> tuple[str, Any]:
    import torch

    runtime = _library(name, "onnxruntime")
    device = "cpu" if device == "auto" else device
    providers: Mapping[str, tuple[str, Mapping[str, str]]] = {
        "cpu": ("CPUExecutionProvider", {}),
        "cuda": ("CUDAExecutionProvider", {"use_tf32": "0"}),
    }
    provider, settings = providers.get(device, ("", {}))
    present = runtime.get_available_providers()
    if provider not in present:
        raise _absent(name, device, runtime)
    runtime.disable_telemetry_events()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = torch.get_num_threads()
    options.log_severity_level = 3
    try:
        session = runtime.InferenceSession(graph, options, providers=[(provider, settings)])
    except Exception as error:  # of classes that only the library has
        raise AbaloError(
            f"model {name}: ONNX Runtime {runtime.__version__} cannot load {graph}: {_first_line(error)}; {_HOW_AGAIN}"
        ) from error
    if session.get_providers()[0] != provider:  # it goes on with the processor, without a word
        raise _absent(name, device, runtime)
    return device, session


def _absent(name: str, device: str, runtime: Any) -> AbaloError:
    remedy = ", or install onnxruntime-gpu in place of onnxruntime" if device == "cuda" else ""
    return AbaloError(
        f"model {name}: ONNX Runtime {runtime.__version__} cannot use device {device} here; it has "
        f"{', '.join(runtime.get_available_providers())}. Use --abalo-device cpu{remedy}"
    )


_HOW_AGAIN = "export it again, with operators of ONNX and of ONNX Runtime alone, or fetch all of it"


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}".rstrip(" .")
