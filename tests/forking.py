"""A process that has imported what is given, and forks for each command that `tests.forked` asks for."""

import atexit
import gc
import json
import os
import runpy
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module, metadata
from importlib.metadata import entry_points
from pathlib import Path
from select import select
from typing import Any

from _pytest.assertion import install_importhook
from _pytest.config import get_config


def serve(place: str, modules: Sequence[str]) -> Any:
    """Forks for whoever asks, until the standard input ends; in a fork, returns what is asked."""
    with _as_pytest_imports():
        for name in modules:
            import_module(name)
    _warm()
    os.fsync = os.fstat  # type: ignore[assignment]  # as in the tests themselves
    gc.freeze()  # a fork need not walk through what it shares
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(place)
        server.listen()
        print("ready", flush=True)
        signal.signal(signal.SIGCHLD, _reap)
        while server in select([server, sys.stdin], [], [])[0]:
            asking, _ = server.accept()
            if not os.fork():
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                server.close()
                return _asked(asking)
            asking.close()
    sys.exit()


@contextmanager
def _as_pytest_imports() -> Iterator[None]:
    """Rewrites what packages with a plugin for pytest assert, so that pytest takes them as they are in a fork."""
    hook = install_importhook(get_config())
    plugins = {each.module for each in entry_points(group="pytest11")}
    files = [
        file
        for each in metadata.distributions()
        if each.entry_points.select(group="pytest11")
        for file in each.files or ()
    ]
    hook.mark_rewrite(*{each.partition(".")[0] for each in (*plugins, *(file.parts[0] for file in files))})
    try:
        for name in sorted(plugins - {"xdist.looponfail"}):
            import_module(name)
        yield
    finally:
        sys.meta_path.remove(hook)


def _warm() -> None:
    """Has the readers of records, the templates of pages and the metadata of distributions made, which are kept."""
    from abalo.bundled import CASES, bundled_path
    from abalo.config.thresholds import load
    from abalo.core.documents.document import Document
    from abalo.core.records import json_records as records
    from abalo.reporting.documents.stored import as_stored, check_stored, sealed
    from abalo.reporting.formats.report_page import report_page

    here = Path(__file__).parent
    runpy.run_path(str(here / "kept.py"))["read_metadata_once"]()
    for each in metadata.distributions():
        _ = each.entry_points, each.metadata, each.files
    load(bundled_path(CASES))
    for document in json.loads((here / "reporting" / "recorded.json").read_text("utf-8")).values():
        timed = [{"seconds": 0.1, **each} for each in document["results"]]
        whole = {"date": "2026-01-01T00:00:00Z", "versions": {}, **document, "results": timed}
        check_stored(sealed(as_stored(whole)))
        report_page(records.read(Document, whole))


def _reap(*_: object) -> None:
    """Lets the kernel add up what the forks used."""
    try:
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
    except ChildProcessError:
        return


def _asked(asking: socket.socket) -> Any:
    """Forks once more, to answer with the exit code; in the fork, takes over the streams and returns what is asked."""
    _, streams, _, _ = socket.recv_fds(asking, 1, 3)
    text = b"".join(iter(lambda: asking.recv(1 << 16), b""))
    if child := os.fork():
        for stream in (0, 1, 2, *streams):
            os.close(stream)
        asking.sendall(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())
        os._exit(0)
    asking.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    return json.loads(text)


def become(words: list[str], folder: str, environment: dict[str, str]) -> None:
    """Runs code if the first word is ``python``, a script if it is a path, else a module, as Python would."""
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[:] = words
    if words[0] == "python":  # -u -c CODE, by which a worker of xdist begins
        exec(words[-1], {"__name__": "__main__"})
        return
    is_script = os.sep in words[0]
    first = str(Path(words[0]).parent) if is_script else folder
    sys.path[:0] = [first, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    if is_script:
        runpy.run_path(words[0], run_name="__main__")
    else:
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)


_code = 0


def _leave() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(_code)


if __name__ == "__main__":
    atexit.register(_leave)  # runs after all others: Python would need half a second to free what is imported
    asked = serve(sys.argv[1], sys.argv[2:])
    try:
        become(**asked)
    except SystemExit as ended:
        _code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        raise
    except BaseException:
        _code = 1
        raise
