"""What is left of a play, each thing by a name of its own: mails, letters, log lines, journal entries, pages, archives."""

from collections.abc import Mapping
from functools import reduce
from hashlib import sha256
from pathlib import Path

from pbmd import __version__
from pbmd.archive.format.audience import ALL, Audience
from pbmd.desk.publish.dashboard import dashboard_source
from pbmd.edition import ruleset_digest
from pbmd.ledger.tables import Seat
from pbmd.pages.site import update
from tests.archive.made import export
from tests.desk.world import World
from tests.golden.plays import Play

ROUNDS = 4
"""How long the plays are of which there is a record beside the code."""
RECORDS = Path(__file__).parent / "records"
_DIGITS = 16


def things(play: Play) -> dict[str, bytes]:
    """All that the play has left, by name."""
    world = play.world
    return _mails(world) | _books(world) | _pages(world) | _archives(world, play.slug)


def digests(found: Mapping[str, bytes]) -> str:
    """One line a thing: the first digits of its SHA-256, and its name."""
    return "".join(f"{sha256(found[name]).hexdigest()[:_DIGITS]} {name}\n" for name in found)


def compared(before: str, after: str) -> str:
    """What differs between two lists of digests, in words; empty if nothing does."""
    one, other = (dict(_named(line) for line in text.splitlines()) for text in (before, after))
    differing = [name for name in one | other if one.get(name) != other.get(name)]
    return f"{len(differing)} differ{'s' * (len(differing) == 1)}, first {differing[0]}" if differing else ""


def _named(line: str) -> tuple[str, str]:
    digest, _, name = line.partition(" ")
    return name, digest


def _mails(world: World) -> dict[str, bytes]:
    return {f"mail {place:04} {mail.kind} to {mail.recipient}": mail.raw for place, mail in enumerate(world.outbox(), 1)}


def _books(world: World) -> dict[str, bytes]:
    lines = {
        f"log {place:04} {line.what}": f"{line.turn} {line.seat} {line.detail}" for place, line in enumerate(world.log(), 1)
    }
    entries = {
        f"journal {entry.number:04} {entry.kind}": f"{entry.public}\n{entry.secret}\n{entry.hash}" for entry in world.journal()
    }
    letters = {f"letter {letter.id:04}": f"{letter.state} {letter.note}" for letter in world.letters()}
    return {name: words.encode() for name, words in (lines | entries | letters).items()}


def _pages(world: World) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for audience in ("public", "gm"):
        world.settle(dashboard={"audience": audience})
        source = dashboard_source(world.desk)
        update(source)
        found |= _files(source.folder, f"page for {audience}")
    return found


def _archives(world: World, slug: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    seat: Seat = world.rows(Seat)[0]
    # Another after each change of the code, and in each version.
    changing = (ruleset_digest(world.desk.ruleset(slug)), f"pbmd {__version__}", f'pbmd = "{__version__}"')
    for audience in (ALL, Audience("public"), Audience("seat", seat.name)):
        name = str(audience)
        archive = export(world, world.folder / f"archive of {audience.kind}", audience=audience)
        files = _files(archive / "data", f"archive for {name}")
        kept = {name: data for name, data in files.items() if not name.endswith(".sqlite")}
        found |= {name: reduce(lambda data, words: data.replace(words.encode(), b"..."), changing, kept[name]) for name in kept}
    return found


def _files(folder: Path, prefix: str) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {f"{prefix} {path.relative_to(folder)}": path.read_bytes() for path in files}
