"""``abalo accept``: a run becomes the reference that later runs are judged against."""

from __future__ import annotations

import argparse
import json
from datetime import date
from pathlib import Path
from typing import Any

from abalo import __version__
from abalo.commands.here import import_conftest
from abalo.commands.options import Commands
from abalo.errors import AbaloError

_INSTEAD = ("model", "corpus", "choice_model", "questions", "thresholds", "allow_pickle", "trust_remote_code")
"""The options that only ``--rerun`` has."""


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "accept",
        usage="abalo accept [-h] REPORTS --as references/NAME [--replace]\n"
        "       abalo accept [-h] --rerun references/NAME [--model MODEL] [--corpus CORPUS] [--thresholds FILE] …",
        help="make a run the reference that later runs are judged against",
        description="Copies robustness.json, evidence.npz and, unless text was withheld, examples.jsonl of a run to a "
        "folder of references, with the day and the commit. Later runs are judged against it with --abalo-against "
        "FOLDER, or with [gate] against in the thresholds file. When a new version of Abalo draws other variants, "
        "--rerun measures the accepted model again: every case of the thresholds file, with the model, corpus and "
        "settings that the reference names, to be started where the paths in it mean the same. Nothing else changes a "
        "reference.",
    )
    form = parser.add_mutually_exclusive_group(required=True)
    form.add_argument("reports", type=Path, nargs="?", metavar="REPORTS", help="the folder of the run")
    form.add_argument(
        "--rerun", type=Path, metavar="REFERENCE", help="measure the model of this reference again, and replace it"
    )
    parser.add_argument("--as", dest="target", type=Path, metavar="NAME", help="such as references/1.0")
    parser.add_argument("--replace", action="store_true", help="take the place of a reference of that name")
    moved = parser.add_argument_group(
        "with --rerun, where what it names lies elsewhere now; model and corpus must be the same"
    )
    moved.add_argument("--model")
    moved.add_argument("--corpus")
    moved.add_argument("--choice-model", help="(of a reference for several tasks)")
    moved.add_argument("--questions", help="(of a reference for several tasks)")
    moved.add_argument("--thresholds", metavar="FILE")
    moved.add_argument("--allow-pickle", action="store_true", help="as the option of pytest; no reference can set it")
    moved.add_argument("--trust-remote-code", action="store_true", help="the same")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Copies a run, or measures a reference again, and says what was accepted."""
    instead = {name: value for name in _INSTEAD if (value := getattr(options, name)) not in (None, False)}
    if options.rerun is not None:
        if options.target is not None or options.replace:
            word = "--replace" if options.target is None else "--as"
            raise AbaloError(f"{word}: is for REPORTS; --rerun replaces the reference that it measures; leave it out")
        return _again(options.rerun, instead)
    if instead:
        raise AbaloError(f"--{next(iter(instead)).replace('_', '-')}: is for --rerun; a run is copied as it is")
    if options.target is None:
        raise AbaloError("--as: missing; name the reference, such as --as references/1.0")
    return _copy(options.reports, options.target, replace=options.replace)


def _copy(reports: Path, target: Path, *, replace: bool) -> int:
    """Copies the run, its JSON last, so that half a copy is none."""
    from abalo.checkout import commit_of
    from abalo.files import write_together
    from abalo.reporting.comparing import folder_of, read_reference
    from abalo.reporting.files import ACCEPTED, EVIDENCE_NAME, EXAMPLES_NAME, JSON_NAME, remove_examples

    found, source = read_reference(reports), folder_of(reports)
    if target.exists() and not replace:
        raise AbaloError(f"--as {target}: is there already; choose another name, or give --replace")
    if target.resolve() == source.resolve():
        raise AbaloError(f"--as {target}: is the run itself; choose another folder, such as references/NAME")
    if target.is_dir() and any(target.iterdir()) and not (target / ACCEPTED).is_file():
        raise AbaloError(
            f"--as {target}: holds other files and no accepted run ({ACCEPTED}), so it is not replaced; choose another "
            "name, or empty the folder"
        )
    names = [EVIDENCE_NAME, *([EXAMPLES_NAME] if (source / EXAMPLES_NAME).is_file() else []), JSON_NAME]
    *files, (_, document) = [(name, (source / name).read_bytes()) for name in names]
    commit = commit_of(Path.cwd())
    said = _said({"date": date.today().isoformat(), "commit": None if commit is None else commit.name})
    write_together(target, {**dict(files), ACCEPTED: said, JSON_NAME: document})
    if EXAMPLES_NAME not in names:
        remove_examples(target)
    _tell(found.run.document)
    print(f"accepted as {target}: judge later runs with --abalo-against {target}")
    return 0


def _again(named: Path, instead: dict[str, Any]) -> int:
    """Measures the model of a reference again; the reference changes when all of it is done, its JSON last."""
    from abalo.commands.rerun import differences, rerun
    from abalo.files import check_writable, write_together
    from abalo.reporting.comparing import folder_of, read_reference
    from abalo.reporting.files import ACCEPTED, JSON_NAME, as_files, write_examples

    import_conftest()
    reference, folder = read_reference(named), folder_of(named)
    if not reference.accepted:
        raise AbaloError(
            f"--rerun {named}: has no {ACCEPTED}; expected a reference; accept the run with abalo accept {folder} --as "
            "references/NAME"
        )
    check_writable(folder)
    found = rerun(reference, instead)
    files = as_files(found.document, found.evidence)
    said = {**reference.accepted, "rerun": {"date": date.today().isoformat(), "version": __version__}}
    document = files.pop(JSON_NAME)
    write_together(folder, {**files, ACCEPTED: _said(said), JSON_NAME: document})
    write_examples(found.records, folder)
    _tell(found.document)
    for line in differences(reference.run.evidence, found.evidence):
        print(line)
    print(f"measured again: {folder}, accepted on {reference.accepted.get('date')}")
    return 0


def _tell(document: Any) -> None:
    """Prints the verdict where it is no pass, and what was judged."""
    if document["verdict"] != "pass":
        print(f"note: the verdict of this run is {document['verdict']}")
    for task, facts in (document.get("tasks") or {}).items():
        print(f"{task}: {facts['model']['name']} on {facts['corpus']['name']}")


def _said(accepted: dict[str, Any]) -> bytes:
    return (json.dumps(accepted) + "\n").encode()
