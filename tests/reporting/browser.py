"""Pages in headless Chromium, by Playwright: the extra ``ui`` and a Chromium on the machine."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

SKIPPED = "the pages were NOT tried in a browser: "


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser; the tests that need one are skipped, loudly, where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason=f"{SKIPPED}pip install 'abalo[ui]'")
    if CHROMIUM is None:
        pytest.skip(f"{SKIPPED}no Chromium on this machine")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Shown:
    """A page in a window of its own; ``said`` collects what it says on the console, errors among it."""

    def __init__(self, browser: Any, path: Path, **window: Any) -> None:
        self.window = browser.new_context(**{"viewport": {"width": 1400, "height": 900}, **window})
        self.page = self.window.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(path.as_uri())

    def cases(self) -> list[str]:
        """The names of the cases that the table shows, from top to bottom."""
        found: list[str] = self.page.eval_on_selector_all(
            "#abalo-cases > tbody:not([hidden]) .abalo-toggle", "all => all.map(each => each.textContent)"
        )
        return found

    def value(self, script: str) -> Any:
        """The value of a script that is run in the page."""
        return self.page.evaluate(script)

    def until(self, script: str, tries: int = 100) -> None:
        """Waits for the script to be true, asking from outside: the page itself lets no text be run."""
        for _ in range(tries):
            if self.value(script):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never became true: {script}")
