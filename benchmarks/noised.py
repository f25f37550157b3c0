"""The bundled tagger of entities with noise on its weights: a model that became worse, or another training of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from abalo.bundled import bundled_path

WEIGHTS = "model.safetensors"


def noised(sigma: float, seed: int, folder: Path) -> Path:
    """A copy of the bundled model with noise on its matrices."""
    shutil.copytree(bundled_path("fixtures/model"), folder)
    weights = load_file(folder / WEIGHTS)
    generator = np.random.Generator(np.random.PCG64(seed))
    for name in sorted(weights):
        matrix = weights[name].astype(np.float32)
        if matrix.ndim == 2:
            noise = generator.normal(size=matrix.shape) * sigma * matrix.std()
            weights[name] = (matrix + noise).astype(weights[name].dtype)
    save_file(weights, folder / WEIGHTS, metadata={"format": "pt"})
    return folder
