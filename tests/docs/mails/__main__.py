"""`python -m tests.docs.mails`: make the samples in docs/mails/ anew, and say what is too long in any mail.

python -m tests.docs.mails                 texts and index
python -m tests.docs.mails --pictures      how the HTML looks, too: maps are drawn, which takes minutes
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from rich.console import Console

from tests.docs.mails import index
from tests.docs.mails.found import Found, found, recorded
from tests.docs.mails.limits import too_long
from tests.docs.mails.pictures import take
from tests.docs.mails.rare import SLUG, rare_mails
from tests.docs.mails.sorts import first_of_each
from tests.docs.mails.written import FOLDER, kept, templates, without_sample, written
from tests.golden import plays
from tests.golden.record import ROUNDS

_CONSOLE = Console(highlight=False, soft_wrap=True)


def main() -> int:
    """Play, and write. 1 if a mail is too long, or a template has no sample."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.docs.mails", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pictures", action="store_true", help="take the pictures, too")
    given = parser.parse_args()
    games = {slug: _played(slug, draw=given.pictures) for slug in sorted(plays.PLAYERS)} | {SLUG: list(rare_mails())}
    problems = [words for mails in games.values() for mail in mails for words in too_long(mail)]
    chosen: dict[str, tuple[Found, str]] = {}
    for slug, mails in games.items():
        for name, mail in first_of_each(mails, slug).items():
            chosen.setdefault(name, (mail, slug))
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.txt"):
        path.unlink()
    for name, (mail, slug) in chosen.items():
        (FOLDER / f"{name}.txt").write_text(written(mail, slug))
    if given.pictures:
        for path in FOLDER.glob("*.png"):
            path.unlink()
        problems += take({name: mail for name, (mail, _) in chosen.items()}, FOLDER)
    samples = kept()
    (FOLDER / "README.md").write_text(index.page(samples, FOLDER))
    problems += [f"templates/mail/{name}.txt.j2 has no sample" for name in without_sample(templates(), samples)]
    for words in dict.fromkeys(problems):
        _CONSOLE.print(words)
    _CONSOLE.print(f"{len(samples)} samples in {FOLDER}")
    return int(bool(problems))


def _played(slug: str, *, draw: bool) -> list[Found]:
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder, recorded(patch) as names:
        if draw:
            patch.setattr(plays, "drawn_fast", lambda _: None)
        with plays.play(Path(folder), slug, patch, 0, ROUNDS) as played:
            return found(played.world.outbox(), names)


if __name__ == "__main__":
    sys.exit(main())
