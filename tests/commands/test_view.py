"""``abalo view``: pages of runs, at a random address of this machine, for reading alone."""

import re
import shutil
import threading
from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import abalo
from abalo.bundled import CASES, bundled_path
from abalo.cli import main
from abalo.commands.view_server import ViewServer
from abalo.config.thresholds import load
from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.errors import AbaloError
from abalo.locking import FolderLock
from abalo.reporting.formats.files import write_begun
from abalo.reporting.formats.marks import new_mark
from abalo.reporting.runs.viewing import Viewed
from tests.reporting.browser import Shown, chromium, of_extra_ui
from tests.reporting.documents import sample
from tests.rows import every


@contextmanager
def serving(*folders: Path):
    """A server of the folders."""
    with ViewServer(Viewed(folders, load(bundled_path(CASES)))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(server: ViewServer, path: str, method: str = "GET", host: str | None = None, **headers: str):
    """The answer to a request whose path is sent as it is: status, headers and text."""
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    connection.putrequest(method, path, skip_host=True)
    for name, value in {"Host": host or f"127.0.0.1:{server.server_port}", **headers}.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, dict(answer.getheaders()), text


def here(server: ViewServer, name: str = "") -> str:
    """The path of a page."""
    return urlsplit(server.address).path + name


@pytest.fixture(scope="module")
def two(tmp_path_factory) -> Path:
    """A folder with the runs ``old`` and ``new``, the newer one worse."""
    folder, given = tmp_path_factory.mktemp("viewed"), tmp_path_factory.mktemp("given")
    given.joinpath("dev.conll").write_text("\n".join(f"José B-PER\nsaiu O\n{n} O\n" for n in range(60)), "utf-8")
    given.joinpath("cases.toml").write_text("[gate]\nresamples = 100\nseeds = [1]\n[[ner.accents]]\n", "utf-8")

    def write(name: str, known: set[str]) -> None:
        def model(batch):
            return [["B-PER" if token in known else "O" for token in tokens] for tokens in batch]

        files = {"corpus": given / "dev.conll", "thresholds": given / "cases.toml"}
        abalo.Session(task="ner", model=model, **files).run().write(folder / name)

    write("old", {"José", "Jose"})
    write("new", {"José"})
    return folder


def keys(page: str) -> list[str]:
    """The addresses of the runs in a list, from top to bottom."""
    return re.findall(r'href="(run-[0-9a-f]+)"', page)


def test_the_list_has_each_run_newest_first_with_its_verdict(two):
    with serving(two) as server:
        status, headers, page = ask(server, here(server))
    assert status == 200
    assert re.findall(r'href="run-[0-9a-f]+">([^<]+)</a>', page) == [f"{two}/new", f"{two}/old"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["Cache-Control"] == "no-store"
    assert "http-equiv" not in page, "nothing goes on, so nothing is to be followed"


def test_a_run_is_its_report_and_two_are_compared(two):
    with serving(two) as server:
        new, old = keys(ask(server, here(server))[2])
        report = ask(server, here(server, new))
        pair = f"compare?old={old.removeprefix('run-')}&new={new.removeprefix('run-')}"
        compared, back = ask(server, here(server, pair)), ask(server, here(server, pair.replace("old=", "x=")))
        itself = ask(server, here(server, pair.replace(old.removeprefix("run-"), new.removeprefix("run-"))))
    assert (report[0], 'id="abalo-data"' in report[2]) == (200, True)
    assert (compared[0], "abalo-fail" in compared[2]) == (200, True)
    assert back[0] == 404
    assert (itself[0], "cannot be compared with itself" in itself[2]) == (422, True)


def test_nobody_else_can_ask(two):
    """Another site of the browser, another name of this machine, a guessed path, or a path out of it."""
    with serving(two) as server:
        port, path = server.server_port, here(server)
        assert server.server_address[0] == "127.0.0.1"
        assert ask(server, path, host=f"localhost:{port}")[0] == 200
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port}.evil.example"):
            assert ask(server, path, host=host)[0] == 403
        for other in ("/", "/run-1", "//", "http://[bad/", f"/{server.secret[:-1]}/", f"/{server.secret}"):
            assert ask(server, other)[0] == 404
        for inside in ("../../etc/passwd", "run-../old", "%2e%2e/old/robustness.json", "old/robustness.json", "run-"):
            assert ask(server, here(server, inside))[0] == 404


def test_there_is_nothing_but_reading(two):
    before = {path: path.read_bytes() for path in two.rglob("*") if path.is_file()}
    with serving(two) as server:
        for method in ("POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"):
            assert ask(server, here(server), method)[0] == 405
        for name in ["", *keys(ask(server, here(server))[2])]:
            ask(server, here(server, name))
    assert {path: path.read_bytes() for path in two.rglob("*") if path.is_file()} == before


def test_a_report_that_cannot_be_read_says_so_beside_the_others(two, tmp_path):
    shutil.copytree(two, tmp_path / "all")
    broken = tmp_path / "all" / "<script>alert(1)"
    broken.mkdir()
    broken.joinpath("robustness.json").write_text("{")
    with serving(tmp_path / "all") as server:
        page = ask(server, here(server))[2]
        status, _, said = ask(server, here(server, keys(page)[0]))
    assert len(keys(page)) == 3
    assert "<script>" not in page + said
    assert (status, "is not JSON" in said) == (422, True)


def test_a_run_that_goes_on_is_followed_until_it_ends(two, tmp_path):
    folder = tmp_path / "reports"
    folder.mkdir()
    with serving(folder) as server:
        assert "No run yet" in ask(server, here(server))[2]
        begun = replace(typed.read(Document, sample()), complete=False, results=(), run="here")
        with FolderLock(folder):
            write_begun(begun, new_mark("here"), folder)
            page = ask(server, here(server))[2]
            (key,) = keys(page)
            running = ask(server, here(server, key))[2]
            (folder / "finished").mkdir()
            (folder / "finished" / "ner-accents.case").write_bytes(b"")
            later = ask(server, here(server, key))[2]
        shutil.copytree(two / "new", folder, dirs_exist_ok=True)
        ended = ask(server, here(server, key))[2]
    assert 'http-equiv="refresh"' in page
    assert 'type="radio"' not in page
    assert "0 cases finished" in running
    assert "1 case finished" in later
    assert 'id="abalo-data"' in ended


def test_only_complete_runs_are_compared_and_a_choice_is_not_lost(two, tmp_path):
    folder = tmp_path / "all"
    shutil.copytree(two, folder)
    (folder / "killed").mkdir()
    write_begun(
        replace(typed.read(Document, sample()), complete=False, results=(), run="killed"),
        new_mark("killed"),
        folder / "killed",
    )
    with serving(folder) as server:
        with FolderLock(folder / "killed"):
            going = ask(server, here(server))[2]
        page = ask(server, here(server))[2]
    for each in (going, page):
        assert (len(keys(each)), each.count('name="old"'), each.count(" checked")) == (3, 2, 2)
        assert "http-equiv" not in each


@every(
    ("words", "said"),
    [
        (["nowhere"], "nowhere: there is no such folder; give the folder of a run, or of several runs"),
        ([], "reports: there is no such folder here; give the folder of a run, or of several runs"),
        ([".", "--port", "70000"], "--port 70000: expected a whole number from 0 to 65535"),
    ],
)
def test_what_cannot_be_served_is_refused(words, said, tmp_path_factory, capsys):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("empty"))
        assert main(["view", *words]) == 2
    assert said in capsys.readouterr().err


def test_the_browser_is_opened_unless_told_otherwise(two, monkeypatch, capsys):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)

    def end(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(ViewServer, "serve_forever", end)
    assert main(["view", str(two)]) == 0
    address = capsys.readouterr().out.split()[0]
    assert opened == [address]
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{22}/", address)
    assert main(["view", str(two), "--no-browser"]) == 0
    assert len(opened) == 1
    assert capsys.readouterr().out.split()[0] != address, "each time another"


def test_a_port_that_is_taken_is_refused(two):
    with serving(two) as server, pytest.raises(AbaloError, match=f"--port {server.server_port}: .*leave it out"):
        ViewServer(server.viewed, server.server_port)


@pytest.mark.slow
@pytest.mark.parametrize("width", [400, 1300])
def test_pages_fit_the_window_and_axe_finds_nothing(two, width):
    axe = of_extra_ui("axe_playwright_python.sync_playwright").Axe()
    with chromium() as browser, serving(two) as server:
        shown = Shown(browser, server.address, viewport={"width": width, "height": 800})

        def check() -> None:
            found = axe.run(shown.page).response["violations"]
            assert [(each["id"], each["nodes"][0]["html"][:200]) for each in found] == []
            assert shown.value("document.documentElement.scrollWidth") == width

        check()
        shown.page.get_by_role("button", name="Compare").click()
        assert "compare?" in shown.page.url
        check()
        shown.page.go_back()
        shown.page.get_by_role("link", name=f"{two}/new").click()
        assert shown.cases()
        check()
        assert shown.said == []
