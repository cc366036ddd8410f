"""The page that lists the samples."""

from collections.abc import Mapping
from pathlib import Path

from tests.docs.mails.written import header

WIDTHS = (390, 800)
"""Pixels: a phone, and a window."""

_HEAD = """\
# Mails that pbmd sends

A sample of every kind of mail, from seeded games: the text as it goes out and, of some, how the HTML made from it looks on a
phone and in a window. `python -m tests.docs.mails` makes them; the tests hold the texts against the mails.

No text is wider than 72 columns and no subject longer than 70 characters, but for lines that cannot be broken: web and mail
addresses, the lines of order forms that begin with `#`, keys and signatures.

| mail | subject | game | pictures |
|---|---|---|---|
"""


def page(samples: Mapping[str, str], folder: Path) -> str:
    """docs/mails/README.md."""
    rows = "".join(_row(name, text, folder) for name, text in samples.items())
    return f"{_HEAD}{rows}\n## Side by side\n" + "".join(_side_by_side(name, folder) for name in samples)


def _side_by_side(name: str, folder: Path) -> str:
    """The pictures of a mail, on a phone and in a window; nothing if there are none."""
    shown = [f'<img src="{name}-{width}.png" width="{width // 2}" alt="{name}, {width} pixels wide">' for width in WIDTHS]
    return f"\n### {name}\n\n{' '.join(shown)}\n" if (folder / f"{name}-{WIDTHS[0]}.png").exists() else ""


def _row(name: str, text: str, folder: Path) -> str:
    files = [(width, f"{name}-{width}.png") for width in WIDTHS]
    pictures = " ".join(f"[{width}]({file})" for width, file in files if (folder / file).exists())
    subject = header("Subject", text).replace("|", "\\|")
    return f"| [{name}]({name}.txt) | {subject} | {header('X-Game', text).replace('_', ' ')} | {pictures} |\n"
