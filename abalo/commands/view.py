"""``abalo view``: finished runs in a browser."""

from __future__ import annotations

import argparse
import webbrowser
from pathlib import Path

from abalo.commands.here import add_conftest_option, import_conftest, load_here
from abalo.commands.options import Commands, add_shared
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.errors import AbaloError

_PORTS = range(65_536)


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "view",
        help="show runs in the browser, and compare two",
        description="Serves the reports of runs on this machine alone, at an address that nobody can guess, and opens "
        "the browser. The first page lists the runs and compares two of them. It follows a run that goes on. Nothing "
        "is written. Control-C ends it.",
        epilog=example("abalo view reports references --no-browser"),
    )
    parser.add_argument(
        "folders",
        type=Path,
        nargs="*",
        default=[],
        metavar="FOLDER",
        help="folder of a run, or of several runs (default: reports and references)",
    )
    parser.add_argument(
        "--port", type=int, default=0, metavar="N", help="port, such as 8000 (default: one that is free)"
    )
    parser.add_argument("--no-browser", action="store_true", help="print the address and open no browser")
    add_shared(parser, "thresholds")
    add_conftest_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Serves until Control-C."""
    from abalo.commands.view_server import ViewServer
    from abalo.reporting.formats.files import REFERENCES
    from abalo.reporting.runs.viewing import Viewed

    if options.port not in _PORTS:
        raise AbaloError(f"--port {options.port}: expected a whole number from 0 to {_PORTS[-1]}")
    if options.conftest:
        import_conftest()
    usual = [each for each in (Path("reports"), Path(REFERENCES)) if each.is_dir()]
    folders = options.folders or usual
    if missing := [each for each in folders if not each.is_dir()]:
        raise AbaloError(f"{missing[0]}: there is no such folder; give the folder of a run, or of several runs")
    if not folders:
        raise AbaloError("reports: there is no such folder here; give the folder of a run, or of several runs")
    with ViewServer(Viewed(folders, load_here(options)), options.port) as server:
        say(f"{server.address}  (Control-C ends)")
        if not options.no_browser:
            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0
