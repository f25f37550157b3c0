"""Pages in headless Chromium, by Playwright: the extra ``ui`` and a Chromium on the machine."""

import importlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

REQUIRED = os.environ.get("ABALO_TEST_BROWSER") == "required"
"""Whether a test that needs a browser fails where there is none: in CI, which says that it has one."""


def _not_tried(reason: str) -> NoReturn:
    """Ends a test that cannot have what it needs: skipped, loudly, or failed where a browser is required."""
    (pytest.fail if REQUIRED else pytest.skip)(f"the pages were NOT tried in a browser: {reason}")


def chromium_program() -> str:
    """The Chromium of this machine."""
    return CHROMIUM or _not_tried("no Chromium on this machine")


def of_extra_ui(module: str) -> Any:
    """A module of the extra ``ui``."""
    try:
        return importlib.import_module(module)
    except ImportError:
        _not_tried("pip install --group ui")


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser, by Playwright."""
    playwright, program = of_extra_ui("playwright.sync_api"), chromium_program()
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


class Shown:
    """A page in a window of its own; ``said`` collects what it says on the console, errors among it."""

    def __init__(self, browser: Any, path: Path | str, **window: Any) -> None:
        self.window = browser.new_context(**{"viewport": {"width": 1400, "height": 900}, **window})
        self.page = self.window.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(path if isinstance(path, str) else path.as_uri())

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
