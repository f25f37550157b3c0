"""The manifest of a run in shards: how its corpus is cut, and what is run on each part."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from abalo.core.parts import Part, Source
from abalo.errors import AbaloError
from abalo.files import write_bytes
from abalo.models.scores import FITTED

NAME = "manifest.json"
"""The file of the manifest in the folder of a run."""

FORMAT = "abalo-scale/2"


@dataclass(frozen=True, slots=True)
class Manifest:
    """A run in shards.

    ``parts`` are cut at ``shard_size`` examples whatever runs them, and no batch crosses a part. ``given`` are the
    options that were given, by name, ``recorded`` those of them by which results may differ. ``cases`` are the ids of
    the cases that run, ``left_out`` those that do not, each with the reason. So many ``examples`` of each are kept,
    with their text. ``fingerprint`` and ``labels`` are those of the model. ``folder`` is where the run was started.
    """

    task: str
    source: Source
    language: str
    shard_size: int
    parts: tuple[Part, ...]
    given: Mapping[str, Any]
    recorded: Mapping[str, Any]
    thresholds: str
    thresholds_sha256: str
    cases: tuple[str, ...]
    left_out: Mapping[str, str]
    examples: int
    fingerprint: str
    labels: tuple[str, ...]
    folder: str
    made: Mapping[str, Any]
    versions: Mapping[str, Any]

    def write(self, folder: Path) -> None:
        """Writes it into the folder of the run, whole or not at all."""
        text = json.dumps({"format": FORMAT, **asdict(self)}, indent=1, ensure_ascii=False)
        write_bytes(folder / NAME, text.encode("utf-8", "backslashreplace"))

    @property
    def fitting(self) -> range:
        """The numbers of the parts by which scores are fitted, if the model gives any."""
        seen = 0
        for number, part in enumerate(self.parts):
            seen += part.examples
            if seen >= FITTED:
                return range(number + 1)
        return range(len(self.parts))


def is_manifest(folder: Path) -> bool:
    """Whether the folder is that of a run in shards."""
    try:
        return bool(json.loads((folder / NAME).read_text("utf-8")).get("format") == FORMAT)
    except (OSError, ValueError, AttributeError):
        return False


def read_manifest(folder: Path) -> Manifest:
    """The manifest in the folder; raises `AbaloError` where there is none that can be read."""
    path = folder / NAME
    try:
        found = json.loads(path.read_text("utf-8"))
        if found.pop("format") != FORMAT:
            raise AbaloError(f"{path}: is of another version of Abalo; run abalo scale again in another folder")
        source = found.pop("source")
        source["labels"] = tuple(source["labels"])
        parts = tuple(Part(**each) for each in found.pop("parts"))
        cases, labels = (tuple(found.pop(name)) for name in ("cases", "labels"))
        return Manifest(source=Source(**source), parts=parts, cases=cases, labels=labels, **found)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise AbaloError(f"{path}: is not the manifest of a run in shards: {error}; run abalo scale again") from error


def refuse_other(old: Manifest, new: Manifest, folder: Path) -> None:
    """Raises `AbaloError`, naming what differs, where a folder holds the shards of another run."""
    names = (
        "task",
        "recorded",
        "thresholds_sha256",
        "cases",
        "examples",
        "fingerprint",
        "language",
        "shard_size",
        "source",
        "parts",
        "versions",
    )
    unlike = [name for name in names if getattr(old, name) != getattr(new, name)]
    if unlike:
        said = {"recorded": "options", "source": "corpus", "parts": "cuts", "fingerprint": "model"}
        others = ", ".join(said.get(each, each) for each in unlike)
        raise AbaloError(
            f"--out {folder}: holds the shards of another run, with other {others}; give another folder, or remove it"
        )
