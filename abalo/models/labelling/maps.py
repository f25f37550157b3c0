"""Label maps: new names for model labels."""

from __future__ import annotations

from pathlib import Path

from abalo.corpora.json_text import strict_json
from abalo.errors import AbaloError
from abalo.files import read_text


def parse_label_map(text: str) -> dict[str, str]:
    """Parses ``PER=PESSOA,LOC=LOCAL`` or a JSON file; raises `AbaloError`."""
    if "=" not in text:
        return _read(Path(text))
    renaming: dict[str, str] = {}
    for entry in text.split(","):
        own, equals, wanted = (part.strip() for part in entry.partition("="))
        if not (own and equals and wanted) or "=" in wanted:
            raise AbaloError(
                f"label map {text!r}: found {entry!r}, expected entries such as PER=PESSOA, with commas between"
            )
        if own in renaming:
            raise AbaloError(f"label map {text!r}: {own!r} is renamed twice; keep one of them")
        renaming[own] = wanted
    return renaming


def _read(path: Path) -> dict[str, str]:
    expected = 'expected an object such as {"PER": "PESSOA"}'
    try:
        renaming = strict_json(read_text(path, "utf-8-sig"))
    except OSError as error:
        raise AbaloError(
            f"label map {path}: neither entries such as PER=PESSOA nor a JSON file that can be read ({error.strerror})"
        ) from error
    except (ValueError, RecursionError) as error:
        raise AbaloError(f"label map {path}: is not JSON ({error}); {expected}") from error
    if not isinstance(renaming, dict) or not all(
        isinstance(value, str) and value.strip() for value in renaming.values()
    ):
        raise AbaloError(f"label map {path}: {expected}, from names to names")
    return renaming
