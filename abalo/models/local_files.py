"""Files and model folders on this machine: found, told apart by a hash, opened without the network."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from abalo.errors import AbaloError
from abalo.files import expanded
from abalo.models.checkpoint import WEIGHTS
from abalo.models.silence import quiet
from perturbations.suggestions import did_you_mean_path


def existing_file(spec: str, path: str | Path) -> Path:
    """The file at ``path``; raises `AbaloError`, beginning with ``spec``, where there is none."""
    return _existing(spec, path, "file")


def existing_folder(spec: str, path: str | Path) -> Path:
    """The folder at ``path``; raises `AbaloError`, beginning with ``spec``, where there is none."""
    return _existing(spec, path, "folder")


def model_folder(spec: str, target: str) -> Path:
    """The folder ``target``, or that of the model of this id in the cache of the Hugging Face hub, without the network.

    Raises `AbaloError`, beginning with ``spec``, where there is neither.
    """
    if not HUB_ID.fullmatch(target) or Path(target).exists():
        return existing_folder(spec, target).resolve()
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(target, local_files_only=True))
    except Exception as error:  # of several kinds
        raise AbaloError(
            f"{spec}: no such folder, and no model of that id in the cache of the Hugging Face hub"
            f"{did_you_mean_path(Path(target))}; give a folder that save_pretrained "
            f"wrote, or first: hf download {target}"
        ) from error


HUB_ID = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*", re.ASCII)
"""Owner and name."""


def _existing(spec: str, path: str | Path, kind: str) -> Path:
    found = expanded(path)
    if not (found.is_file() if kind == "file" else found.is_dir()):
        hint = f"; there is something else at {found}" if found.exists() else did_you_mean_path(found)
        raise AbaloError(f"{spec}: no such {kind}{hint}")
    return found


def content_hash(*files: Path) -> str:
    """BLAKE2b digest of what the files hold, in this order: 8 hexadecimal digits, enough to tell versions apart."""
    digest = hashlib.blake2b(digest_size=4)
    for path in files:
        with path.open("rb") as stream:
            hashlib.file_digest(stream, lambda: digest)
    return digest.hexdigest()


def folder_hash(folder: Path) -> str:
    """The same of all files in a folder and below, in order of their paths; byte code and model cards are left out."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".pyc", ".md"))
    return content_hash(*sorted(files))


def open_network(spec: str, folder: Path, architecture: str, *, spare: tuple[str, ...] = ()) -> Any:
    """The network in a folder that `save_pretrained` wrote: float32, in evaluation mode, on the CPU.

    ``architecture`` names the class of transformers to load it with. Weights that begin with one of ``spare`` may be
    missing. Pickled weights and remote code are refused. Raises `AbaloError`, beginning with ``spec``.
    """
    import torch
    import transformers

    if not any((folder / name).is_file() for name in WEIGHTS):
        raise AbaloError(f"{spec}: no {WEIGHTS[0]} in {folder}; expected a folder that save_pretrained wrote")
    try:
        with quiet():
            network, loaded = getattr(transformers, architecture).from_pretrained(
                folder,
                dtype=torch.float32,
                use_safetensors=True,
                local_files_only=True,
                trust_remote_code=False,
                output_loading_info=True,
            )
    except Exception as error:  # a damaged folder can raise anything
        raise AbaloError(f"{spec}: {architecture} cannot load it: {_first_line(error)}") from error
    absent = sorted(key for key in loaded["missing_keys"] if not key.startswith(spare))
    if absent:
        raise AbaloError(
            f"{spec}: lacks {', '.join(absent[:3])}, which would be random; it was saved as "
            f"{', '.join(network.config.architectures or ['an unnamed architecture'])}, expected one for {architecture}"
        )
    return network.eval()


def open_tokenizer(spec: str, folder: Path, *, fast: bool = True) -> Any:
    """The tokenizer in a folder, a fast one by default; raises `AbaloError`, beginning with ``spec``."""
    from transformers import AutoTokenizer

    try:
        with quiet():
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:  # a damaged folder can raise anything
        remedy = "; pip install sentencepiece" if "sentencepiece" in str(error).lower() else ""
        raise AbaloError(f"{spec}: its tokenizer cannot be loaded: {_first_line(error)}{remedy}") from error
    if fast and not tokenizer.is_fast:
        raise AbaloError(
            f"{spec}: {type(tokenizer).__name__} is slow; save a fast tokenizer (tokenizer.json) beside it"
        )
    return tokenizer


def room(network: Any, tokenizer: Any, wanted: int) -> int:
    """``wanted`` pieces, special ones included, or as many fewer as network and tokenizer can read."""
    limits, said = [wanted], tokenizer.model_max_length
    if isinstance(said, int):
        limits.append(said)
    stated = getattr(network.config, "max_position_embeddings", None)
    if isinstance(stated, int) and stated > 0:  # XLNet says -1: there is no limit
        limits.append(stated)
    for path, module in network.named_modules():
        if path.endswith("position_embeddings") and hasattr(module, "num_embeddings"):
            # RoBERTa counts positions from behind the padding index.
            limits.append(module.num_embeddings - (0 if module.padding_idx is None else module.padding_idx + 1))
    return int(min(limits))


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"
