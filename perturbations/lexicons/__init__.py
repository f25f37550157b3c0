"""Word lists as data: one .tsv file each, its source and licence in the first lines."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType


@cache
def pairs(name: str) -> Mapping[str, str]:
    """A two-column lexicon, the first column as key; raises ValueError for a lexicon that is not there."""
    table = files(__name__) / f"{name}.tsv"
    if not table.is_file():
        known = sorted(entry.name[:-4] for entry in files(__name__).iterdir() if entry.name.endswith(".tsv"))
        raise ValueError(f"no lexicon {name!r}; there are: {', '.join(known)}")
    rows = (line.split("\t") for line in table.read_text(encoding="utf-8").splitlines() if line and line[0] != "#")
    return MappingProxyType({row[0]: row[1] for row in rows})
