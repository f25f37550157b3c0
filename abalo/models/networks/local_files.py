"""Local files and model folders, opened offline."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from abalo.errors import AbaloError
from abalo.files import expand_home
from abalo.models.networks.checkpoint import WEIGHTS
from abalo.models.networks.silence import quiet
from perturbations.suggestions import did_you_mean_path

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


def existing_file(spec: str, path: str | Path) -> Path:
    """The file; errors begin with ``spec``."""
    return _existing(spec, path, "file")


def existing_folder(spec: str, path: str | Path) -> Path:
    """The folder; errors begin with ``spec``."""
    return _existing(spec, path, "folder")


def model_folder(spec: str, target: str) -> Path:
    """A folder, or a hub model's in the local cache; never downloads."""
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


def _existing(spec: str, path: str | Path, kind: str) -> Path:
    found = expand_home(path)
    if not (found.is_file() if kind == "file" else found.is_dir()):
        hint = f"; there is something else at {found}" if found.exists() else did_you_mean_path(found)
        raise AbaloError(f"{spec}: no such {kind}{hint}")
    return found


def content_hash(*files: Path) -> str:
    """BLAKE2b digest of the files in order, 8 hexadecimal digits."""
    digest = hashlib.blake2b(digest_size=4)
    for path in files:
        with path.open("rb") as stream:
            hashlib.file_digest(stream, lambda: digest)
    return digest.hexdigest()


def folder_hash(folder: Path) -> str:
    """Digest of a folder, except byte code and model cards."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".pyc", ".md"))
    return content_hash(*sorted(files))


def open_network(spec: str, folder: Path, architecture: str, *, spare: tuple[str, ...] = ()) -> Any:
    """A `save_pretrained` network: float32, evaluation mode, CPU.

    Weights with a prefix in ``spare`` may be missing. Pickles and remote code are refused.
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


def open_tokenizer(spec: str, folder: Path, *, fast: bool = True) -> PreTrainedTokenizerBase:
    """The tokenizer in a folder."""
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


def room(network: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, wanted: int) -> int:
    """At most ``wanted`` pieces, limited by network and tokenizer."""
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
