"""Gives the site the pages that stand outside of docs/, and the files that pages link to; a hook of mkdocs.yml.

On a code host a page links to any file of the repository. The site has copies of those files, below ``files/``, and the
links lead there: no address of a repository is needed, and the site is whole without a network.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]

PAGES = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "RELEASING.md": "releasing.md",
}
"""Where pages of the repository outside of docs/ stand in the site."""

_LINK = re.compile(r"(?<=\]\()(?P<target>[^)\s#:]+)(?=[)#])")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages, and what pages link to."""
    for source, place in PAGES.items():
        files.append(File.generated(config, place, abs_src_path=str(ROOT / source)))
    pages = [file for file in files if file.is_documentation_page()]
    while pages:
        page = pages.pop()
        for target in _linked(_source(page.src_uri), page.content_string):
            if target.is_file() and files.get_file_from_path(_place(target)) is None:
                added = File.generated(config, _place(target), abs_src_path=str(target))
                added.inclusion = InclusionLevel.NOT_IN_NAV
                files.append(added)
                pages += [added] if added.is_documentation_page() else []
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """The page with links to where files of the repository stand in the site."""
    source = _source(page.file.src_uri)

    def moved(link: re.Match[str]) -> str:
        found = _resolved(source, link["target"])
        if not found.is_file():
            return link["target"]
        return os.path.relpath(_place(found), PurePosixPath(page.file.src_uri).parent)

    return _LINK.sub(moved, markdown)


def _linked(source: Path, markdown: str) -> Iterator[Path]:
    return (_resolved(source, link["target"]) for link in _LINK.finditer(markdown))


def _resolved(source: Path, target: str) -> Path:
    return Path(os.path.normpath(source.parent / target))


def _source(place: str) -> Path:
    """The file of the repository that stands in a place of the site."""
    outside = {place: source for source, place in PAGES.items()}
    if place in outside:
        return ROOT / outside[place]
    return ROOT / place.removeprefix("files/") if place.startswith("files/") else ROOT / "docs" / place


def _place(source: Path) -> str:
    """The place in the site of a file of the repository."""
    name = source.relative_to(ROOT).as_posix()
    return PAGES.get(name) or (name.removeprefix("docs/") if name.startswith("docs/") else f"files/{name}")
