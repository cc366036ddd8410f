"""Debian's Chromium, driven by Playwright. Nothing is loaded from anywhere."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = shutil.which("chromium")
MISSING = "" if CHROMIUM and find_spec("playwright") else "needs Debian's chromium and PyPI's playwright"


@contextmanager
def chromium() -> "Iterator[Browser]":
    """The browser, without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # Its own sandbox cannot be used as root; it sees nothing but our pages.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        try:
            yield browser
        finally:
            browser.close()
