"""Whether a commit may be released under a tag: the version, the changelog and the addresses of the project.

``python -m release.ready v0.1.0`` prints the section of the changelog, or the problems, one on a line. It needs the
standard library alone.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OWNER = "OWNER"
"""Stands in addresses for whoever publishes the project: no release before they are true."""


def version(root: Path = ROOT) -> str:
    """The version of the checkout, as the build reads it."""
    (found,) = re.findall(
        r'^__version__ = "(.+)"$', root.joinpath("abalo", "version.py").read_text("utf-8"), re.MULTILINE
    )
    return str(found)


def section(name: str, changelog: str) -> tuple[str, str] | None:
    """What stands behind the name of a version in its heading, and the text below; None where it has no heading."""
    without_links = re.sub(r"^\[[^\]]+\]: \S+$", "", changelog, flags=re.MULTILINE)
    parts = re.split(r"^## \[(.+?)\](.*)$", without_links, flags=re.MULTILINE)
    for heading, behind, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        if heading == name:
            return behind.strip(), text.strip()
    return None


def problems(tag: str, root: Path = ROOT) -> list[str]:
    """What is to be done before the commit may be released under ``tag``; none where it may."""
    found = []
    ours, changelog = version(root), root.joinpath("CHANGELOG.md").read_text("utf-8")
    if tag != f"v{ours}":
        found.append(f"the tag {tag}: expected v{ours}, the version in abalo/version.py; correct one of them")
    released = section(ours, changelog)
    if released is None:
        found.append(f"CHANGELOG.md: has no heading ## [{ours}] - YYYY-MM-DD; put it below ## [Unreleased]")
    else:
        behind, text = released
        if re.fullmatch(r"- \d{4}-\d\d-\d\d", behind) is None:
            found.append(f"CHANGELOG.md: ## [{ours}] {behind}: expected the day of the release, such as - 2026-11-30")
        if not text:
            found.append(f"CHANGELOG.md: nothing stands below ## [{ours}]; say what changed")
    if (section("Unreleased", changelog) or ("", ""))[1]:
        found.append(f"CHANGELOG.md: something stands below ## [Unreleased]; move it below ## [{ours}]")
    found += [
        f"{page}: has {OWNER}, who is nobody; name who publishes the project"
        for page in ("pyproject.toml", "CHANGELOG.md", "docs/how-to/ci.md", "docs/notebook.ipynb", "docs/tutorial.md")
        if re.search(rf"/{OWNER}\b|\b{OWNER}[./]", root.joinpath(page).read_text("utf-8"))
    ]
    return found


def main(arguments: list[str] | None = None) -> int:
    """Prints the notes of the release and returns 0, or the problems and 1."""
    parser = argparse.ArgumentParser(prog="python -m release.ready", description=__doc__.partition("\n")[0])
    parser.add_argument("tag", help="such as v0.1.0")
    found = problems(parser.parse_args(arguments).tag)
    for problem in found:
        print(problem, file=sys.stderr)
    if not found:
        released = section(version(), ROOT.joinpath("CHANGELOG.md").read_text("utf-8"))
        print(released[1] if released else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
