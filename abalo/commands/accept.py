"""``abalo accept``: make a run the reference for later runs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from abalo.commands.here import add_conftest_option, import_conftest
from abalo.commands.options import Commands, add_shared
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.errors import AbaloError
from abalo.version import __version__

if TYPE_CHECKING:
    from abalo.core.documents.document import Document

_INSTEAD = ("model", "corpus", "thresholds", "allow_pickle", "trust_remote_code")


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "accept",
        usage="abalo accept [-h] REPORTS --as references/NAME [--replace] [--failed]\n"
        "       abalo accept [-h] --rerun references/NAME [--model MODEL] [--corpus CORPUS] [--thresholds FILE] …",
        help="make a run the reference that later runs are judged against",
        description="Packs the report and the counts of a run, without sentences, into a folder of a few MB to "
        "commit. Later runs are judged against it with --abalo-against FOLDER, or with [gate] against in the "
        "thresholds file. Refuses a run that failed or regressed unless --failed is given, and a run that cannot "
        "serve as a reference: incomplete, stopped early, without a case or clean predictions, or with too low a "
        "clean score. If a new version of Abalo draws other variants, --rerun measures the accepted model again: "
        "every case of the thresholds file, with the model, corpus and settings that the reference names. Start it in "
        "the folder from which the paths of the reference lead to the same files. Nothing else changes a reference.",
        epilog=example("abalo accept reports --as references/1.0"),
    )
    form = parser.add_mutually_exclusive_group(required=True)
    form.add_argument(
        "reports",
        type=Path,
        nargs="?",
        metavar="REPORTS",
        help="folder of the run, such as reports; or scores for abalo gate: a file, or the folder of --out",
    )
    form.add_argument(
        "--rerun",
        type=Path,
        metavar="REFERENCE",
        help="measure the model of this reference, such as references/1.0, again, and replace the reference",
    )
    parser.add_argument(
        "--as", dest="target", type=Path, metavar="NAME", help="folder of the new reference, such as references/1.0"
    )
    parser.add_argument("--replace", action="store_true", help="overwrite the reference of that name")
    parser.add_argument("--failed", action="store_true", help="accept a run even if it failed or regressed")
    moved = parser.add_argument_group(
        "with --rerun, if model, corpus or thresholds file have moved; their content must be the same"
    )
    recorded = "where the reference says"
    moved.add_argument("--model", help=f"new place of the model, such as ./checkpoint (default: {recorded})")
    moved.add_argument("--corpus", help=f"new place of the corpus, such as data/dev.conll (default: {recorded})")
    moved.add_argument("--thresholds", metavar="FILE", help=f"new place of the thresholds file (default: {recorded})")
    add_shared(moved, "allow_pickle", "trust_remote_code")
    add_conftest_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Accepts or reruns a reference, and prints the result."""
    if options.conftest or options.rerun is not None:
        import_conftest()
    instead = {name: value for name in _INSTEAD if (value := getattr(options, name)) not in (None, False)}
    if options.rerun is not None:
        given = {"--as": options.target is not None, "--replace": options.replace, "--failed": options.failed}
        if word := next((name for name, there in given.items() if there), ""):
            raise AbaloError(f"{word}: is for REPORTS; --rerun replaces the reference that it measures; leave it out")
        return _again(options.rerun, instead)
    if instead:
        raise AbaloError(f"--{next(iter(instead)).replace('_', '-')}: is for --rerun; a run is accepted as it is")
    if options.target is None:
        raise AbaloError("--as: missing; name the reference, such as --as references/1.0")
    return _accept(options.reports, options.target, replace=options.replace, failed=options.failed)


def _accept(reports: Path, target: Path, *, replace: bool, failed: bool) -> int:
    """Writes the JSON last: readers ignore a reference without it."""
    from abalo.files import write_together
    from abalo.reporting.runs.accepting import check_acceptable, detectable_losses, next_command
    from abalo.reporting.runs.finished import read_run, whole
    from abalo.reporting.runs.kept_scores import is_scores
    from abalo.reporting.runs.reference import SINCE, chain_of, folder_of, read_side
    from abalo.reporting.runs.sealing import reference_files

    if is_scores(reports):
        return _accept_scores(reports, target, replace=replace, failed=failed)
    read_side(reports)
    source = folder_of(reports)
    run = read_run(source)
    _check_target(target, source, replace=replace)
    warnings = check_acceptable(run, failed=failed)
    with whole(run.path):
        told = [*_tell(run.document), *detectable_losses(run.document)]
        following = next_command(run.document, target)
        chain, said = chain_of(run.document), _acceptance()
        files = reference_files(run.document, run.evidence, {**said, **({} if chain is None else {SINCE: chain})})
    write_together(target, files)
    for warning in warnings:
        say(f"warning: {warning}")
    say("\n".join(told))
    say(f"accepted as {target}; judge the next model against it:\n  {following}")
    return 0


def _acceptance() -> dict[str, object]:
    from abalo.checkout import commit_of

    commit = commit_of(Path.cwd())
    return {"date": date.today().isoformat(), "commit": None if commit is None else commit.name}


def _check_target(target: Path, source: Path, *, replace: bool) -> None:
    from abalo.files import UNFINISHED
    from abalo.reporting.formats.files import ACCEPTED, PACKED_NAME

    if target.exists() and not replace:
        raise AbaloError(f"--as {target}: already exists; choose another name, or give --replace")
    if target.resolve() == source.resolve():
        raise AbaloError(f"--as {target}: is the run itself; choose another folder, such as references/NAME")
    held = [each for each in target.iterdir() if each.suffix != UNFINISHED] if target.is_dir() else []
    if {each.name for each in held} - {PACKED_NAME} and not (target / ACCEPTED).is_file():
        raise AbaloError(
            f"--as {target}: holds other files and no accepted run ({ACCEPTED}), so it is not replaced; choose another "
            "name, or empty the folder"
        )


def _accept_scores(scores: Path, target: Path, *, replace: bool, failed: bool) -> int:
    from abalo.files import write_together
    from abalo.reporting.formats.files import JSON_NAME
    from abalo.reporting.runs.kept_scores import kept_files, read_acceptable
    from abalo.scores.rows import size_in_words

    file = read_acceptable(scores, failed=failed)
    _check_target(target, scores, replace=replace)
    if (target / JSON_NAME).is_file():
        raise AbaloError(f"--as {target}: holds an accepted run; choose another name for scores")
    write_together(target, kept_files(file, _acceptance()))
    for name, own in file.metrics.items():
        say(f"{name}: {size_in_words(own)}")
    say(f"accepted as {target}; judge the next scores against it:\n  abalo gate NEW --against {target}")
    return 0


def _again(named: Path, instead: dict[str, object]) -> int:
    from abalo.commands.rerun import differences, rerun
    from abalo.files import check_writable, write_together
    from abalo.reporting.formats.files import ACCEPTED
    from abalo.reporting.runs.reference import folder_of, read_reference
    from abalo.reporting.runs.sealing import reference_files

    reference, folder = read_reference(named), folder_of(named)
    if not reference.accepted:
        raise AbaloError(
            f"--rerun {named}: has no {ACCEPTED}; expected a reference; accept the run with abalo accept {folder} --as "
            "references/NAME"
        )
    check_writable(folder)
    found = rerun(reference, instead)
    said = {**reference.accepted, "rerun": {"date": date.today().isoformat(), "version": __version__}}
    write_together(folder, reference_files(found.document, found.evidence, said))
    say("\n".join(_tell(found.document)))
    for line in differences(reference.run.evidence, found.evidence):
        say(line)
    say(f"measured again: {folder}, accepted on {reference.accepted.get('date')}")
    return 0


def _tell(document: Document) -> Iterator[str]:
    from abalo.comparison.blocks.comparison import since
    from abalo.core.protocols.task import tasks

    if document.verdict not in ("pass", "measured"):
        yield f"note: the verdict of this run is {document.verdict}"
    for name, facts in document.tasks.items():
        size = tasks()[name].report.sizes(facts.corpus)[0]
        yield f"{name}: {facts.model.name} on {facts.corpus.name}, {size}"
    chain = None if document.comparison is None else document.comparison.since
    if chain is not None:
        yield f"mean loss {since(chain)}"
