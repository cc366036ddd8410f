"""A game as a folder of plain files that need no pbmd to be read: a bag (RFC 8493) with the game below ``data/`` and, beside
it, FORMAT.md, verify.py and rules.zip for those who have no pbmd. ``docs/archive.md`` has all of it, file by file.

What the reader of the archive's view may not know is left out (`pbmd.archive.format.audience`). The database and the pages are
made from the other files and from nothing else, so that they cannot reveal more.
"""

import shutil
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import bagit
from sqlmodel import Session

from pbmd import __version__
from pbmd.archive.format.plan import Plan
from pbmd.archive.format.seals import SOURCE
from pbmd.archive.format.source import brought_along, packed_source
from pbmd.archive.write.anonymous import anonymiser
from pbmd.archive.write.bag import make_bag, written_aside
from pbmd.archive.write.game_toml import head_document, last_day
from pbmd.archive.write.journal_file import journal_lines
from pbmd.archive.write.letters_mbox import write_letters
from pbmd.archive.write.reader import Archive
from pbmd.archive.write.signed_heads import write_signed
from pbmd.archive.write.site import write_site
from pbmd.archive.write.sqlite_file import write_database
from pbmd.archive.write.turns import write_turns
from pbmd.archive.write.writing import Writer
from pbmd.post.blank import Blanker
from pbmd.resources import folder as shipped

Done = Callable[[], None]


def write_archive(session: Session, plan: Plan, folder: Path, blanker: Blanker, done: Done, *, force: bool = False) -> None:
    """Write the archive; `folder` has all of it or is unchanged. `done` is called for each of the plan's items.

    Raises `FolderTaken` if there is something in `folder` (with `force`: something other than an archive) and `OSError`.
    """
    with written_aside(folder, force=force, for_all=plan.audience.kind == "public") as aside:
        who = anonymiser(session, plan.game, plan.seats, done) if plan.anonymised else None
        writer = Writer(aside, blanker, who)
        head = _write_journal(session, plan, writer, done)  # first, since it knows which hashes no other file may have
        write_turns(session, plan, writer, done)
        document = head_document(session, plan, head, _folders(writer))
        document["journal"] |= write_signed(plan, writer, head)
        writer.toml("game.toml", document)
        if plan.letters:
            write_letters(session, plan, aside / "letters.mbox", blanker, done)
        shutil.copytree(shipped("templates") / "archive" / "schemas", aside / "schemas")
        write_database(Archive(aside), aside / "game.sqlite", done)
        write_site(Archive(aside), done)
        about = {
            "Bagging-Date": last_day(session, plan),
            "Bag-Software-Agent": f"pbmd {__version__} with bagit {bagit.VERSION}",
            "External-Description": f"{plan.game.name}, a game of {plan.ruleset.info.title}: {plan.audience}",
            "External-Identifier": head,
        }
        make_bag(aside, {key: writer.cleaned(value) for key, value in about.items() if value}, _beside(plan))
        done()


def _beside(plan: Plan) -> dict[str, bytes]:
    """What somebody needs who has no pbmd, or a different version: the same in all views, since it contains nothing of the
    game."""
    brought = {name: path.read_bytes() for name, path in brought_along().items()}
    return brought | {SOURCE: packed_source(plan.ruleset)}


def _folders(writer: Writer) -> list[str]:
    """The folders below ``turns/`` with a file that something was taken out of; reports are in folders of their own."""
    below = (PurePosixPath(path).relative_to("turns") for path in writer.changed if path.startswith("turns/"))
    return sorted({str(path.parents[1] if path.parent.name in ("reports", "maps") else path.parent) for path in below})


def _write_journal(session: Session, plan: Plan, writer: Writer, done: Done) -> str:
    """Returns the hash of the last entry, empty if it is not shown."""
    head = ""
    with (writer.folder / "journal.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        for line, head in journal_lines(session, plan, writer):  # noqa: B007 – the last one is wanted
            file.write(line + "\n")
            done()
    return head
