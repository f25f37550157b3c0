"""The pages with an address and a sentence each, for language models: llms.txt at the root of the site."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from docs.made import NOTICE

DOCS = Path(__file__).parents[1]

PAGE = DOCS / "llms.txt"

PARTS = {
    "Start": ("tutorial.md", "glossary.md"),
    "How-to": ("how-to/*.md",),
    "Reference": ("reference/*.md",),
    "Explanation": ("explanation/*.md",),
    "Findings": ("findings/*.md",),
}


def made() -> str:
    """The whole file."""
    project = tomllib.loads(DOCS.parent.joinpath("pyproject.toml").read_text("utf-8"))["project"]
    site = project["urls"]["Documentation"]
    parts = [f"# Abalo\n\n{NOTICE}\n\n> {project['description']}\n"]
    for title, patterns in PARTS.items():
        pages = [page for pattern in patterns for page in sorted(DOCS.glob(pattern)) if page.name != "index.md"]
        parts.append(f"## {title}\n\n" + "".join(line(page, site) for page in pages))
    return "\n".join(parts)


def line(page: Path, site: str) -> str:
    """The link to a page, with its first sentence."""
    title, sentence = opening(page.read_text("utf-8"))
    address = f"{site}{page.relative_to(DOCS).with_suffix('.html').as_posix()}"
    return f"- [{title}]({address})" + (f": {sentence}" if sentence else "") + "\n"


def opening(text: str) -> tuple[str, str]:
    """The title of a page, and the first sentence of its first paragraph."""
    heading, _, rest = text.partition("\n")
    sentence = next(sentences(rest), "")
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", sentence)
    return heading.removeprefix("# "), plain.removesuffix(":")


def sentences(text: str) -> Iterator[str]:
    """The first sentence of each paragraph."""
    for paragraph in re.split(r"\n{2,}", text):
        if re.match(r"\w|[*`\[]", paragraph.strip()) and not paragraph.strip().startswith("* "):
            yield re.split(r"(?<=[.:])\s", " ".join(paragraph.split()), maxsplit=1)[0]
