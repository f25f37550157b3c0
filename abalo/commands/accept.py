"""``abalo accept``: a run becomes the reference that later runs are judged against."""

from __future__ import annotations

import argparse
import json
import subprocess
from datetime import date
from pathlib import Path

from abalo.commands.options import Commands
from abalo.errors import AbaloError


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "accept",
        help="make a run the reference that later runs are judged against",
        description="Copies robustness.json and evidence.npz of a run to a folder of references, with the day and the "
        "commit. Later runs are judged against it with --abalo-against FOLDER, or with [gate] against in the "
        "thresholds file. Nothing else changes a reference.",
    )
    parser.add_argument("reports", type=Path, help="the folder of the run")
    parser.add_argument("--as", dest="target", type=Path, required=True, help="such as references/1.0")
    parser.add_argument("--replace", action="store_true", help="take the place of a reference of that name")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Copies the run, its JSON last, so that half a copy is none, and says what was accepted."""
    from abalo.files import write_bytes, write_text
    from abalo.reporting.comparing import folder_of, read_reference
    from abalo.reporting.files import ACCEPTED, EVIDENCE_NAME, EXAMPLES_NAME, JSON_NAME

    found, target, source = read_reference(options.reports), options.target, folder_of(options.reports)
    if target.exists() and not options.replace:
        raise AbaloError(f"--as {target}: is there already; choose another name, or give --replace")
    if target.resolve() == source.resolve():
        raise AbaloError(f"--as {target}: is the run itself; choose another folder, such as references/NAME")
    said = {"date": date.today().isoformat(), "commit": _commit()}
    write_bytes(target / EVIDENCE_NAME, (source / EVIDENCE_NAME).read_bytes())
    write_text(target / ACCEPTED, json.dumps(said) + "\n")
    write_bytes(target / JSON_NAME, (source / JSON_NAME).read_bytes())
    (target / EXAMPLES_NAME).unlink(missing_ok=True)
    if found.run.document["verdict"] != "pass":
        print(f"note: the verdict of this run is {found.run.document['verdict']}")
    for task, facts in (found.run.document.get("tasks") or {}).items():
        print(f"{task}: {facts['model']['name']} on {facts['corpus']['name']}")
    print(f"accepted as {target}: judge later runs with --abalo-against {target}")
    return 0


def _commit() -> str | None:
    """The commit of the working directory; None outside of a repository."""
    asked = ["git", "rev-parse", "HEAD"]
    try:
        found = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=10)  # noqa: S603 - fixed words
    except OSError:
        return None
    return found.stdout.strip() or None
