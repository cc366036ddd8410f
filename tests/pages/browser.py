"""Debian's Chromium, driven by Playwright. Nothing is loaded from anywhere."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = shutil.which("chromium")


def _missing() -> str:
    found = find_spec("playwright")
    if not CHROMIUM or not found or not found.origin:
        return "needs Debian's chromium and PyPI's playwright"
    # Its driver is a program of its own, which wants a library that a minimal Debian has not. Only that is begun here: with all
    # of Playwright it takes as long as a hundred tests, in each process that loads these.
    driver = os.environ.get("PLAYWRIGHT_NODEJS_PATH") or Path(found.origin).parent / "driver" / "node"
    runs = shutil.which(driver) and subprocess.run([driver, "--version"], capture_output=True, check=False).returncode == 0
    return "" if runs else "playwright's driver does not run; Debian's libatomic1 may be missing"


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
