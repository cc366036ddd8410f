"""Debian's Chromium, driven by Playwright. Nothing is loaded from anywhere."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = shutil.which("chromium")


def _missing() -> str:
    if not CHROMIUM or not find_spec("playwright"):
        return "needs Debian's chromium and PyPI's playwright"
    # Its driver is a program of its own, which wants a library that a minimal Debian has not.
    tried = subprocess.run([sys.executable, "-m", "playwright", "--version"], capture_output=True, check=False)
    return "" if tried.returncode == 0 else "playwright's driver does not run; Debian's libatomic1 may be missing"


MISSING = _missing()


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
