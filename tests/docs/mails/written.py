"""docs/mails/: what stands there, and what a desk says to it."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.docs.mails.found import Found
from tests.docs.mails.limits import too_long
from tests.docs.mails.sorts import first_of_each
from tests.docs.pages import ROOT

FOLDER = ROOT / "docs" / "mails"
TEMPLATES = ROOT / "templates" / "mail"
_MOST_LINES = 400
"""Of a handbook the beginning is enough."""


def written(mail: Found, slug: str) -> str:
    """A sample as a file. What a receipt is told by and what is secret is as the desk made it: chance is seeded."""
    head = {"Subject": mail.subject, "From": mail.sender, "To": mail.to, "X-Template": mail.template or "none", "X-Game": slug}
    lines = mail.text.rstrip().split("\n")
    if len(lines) > _MOST_LINES:
        lines = [*lines[:_MOST_LINES], f"[{len(lines) - _MOST_LINES} more lines]"]
    body = "\n".join(line.rstrip() for line in lines)
    return "".join(f"{name}: {value}\n" for name, value in head.items()) + f"\n{body}\n"


def header(name: str, text: str) -> str:
    """A field of a sample."""
    return next((line.partition(": ")[2] for line in text.splitlines() if line.startswith(f"{name}: ")), "")


def kept(folder: Path = FOLDER) -> dict[str, str]:
    """The samples that there are, by name."""
    return {path.stem: path.read_text() for path in sorted(folder.glob("*.txt"))}


def differing(mails: Iterable[Found], slug: str) -> list[str]:
    """What is wrong in docs/mails/ by the mails of one game, in sentences: kinds without a sample, samples of this game that
    are others now or no more, and mails that are too long."""
    mails = list(mails)
    samples, made = kept(), first_of_each(mails, slug)
    missing = [f"{name} has no sample" for name in made if name not in samples]
    theirs = [name for name, text in samples.items() if header("X-Game", text) == slug]
    other = [f"{name} is another" for name in theirs if name not in made or written(made[name], slug) != samples[name]]
    return [*dict.fromkeys(words for mail in mails for words in too_long(mail)), *missing, *other]


def without_sample(templates: Mapping[str, str], samples: Mapping[str, str]) -> list[str]:
    """The templates of whole mails that no sample is made by. A part that others include is in theirs."""
    used = {header("X-Template", text) for text in samples.values()}
    while more := {name for name in templates if name not in used and _is_part_of(name, used, templates)}:
        used |= more
    return sorted(templates.keys() - used)


def templates() -> dict[str, str]:
    """The templates of mails, by name without ending. The one for HTML is shown by the pictures."""
    return {path.name.removesuffix(".txt.j2"): path.read_text() for path in TEMPLATES.glob("*.txt.j2")}


def _is_part_of(name: str, used: Iterable[str], templates: Mapping[str, str]) -> bool:
    return any(f"mail/{name}.txt.j2" in templates.get(other, "") for other in used)
