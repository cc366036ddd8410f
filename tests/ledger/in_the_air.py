"""The ledger of 1.0.0 in which everything is in the air (`tests.ledger.releases`), and the people who hold its mails."""

import lzma
import mailbox
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile

from sqlalchemy import text
from sqlmodel import col

from pbmd.ledger.database import open_engine
from pbmd.ledger.postgresql import identity
from pbmd.ledger.tables import Game, GameStatus, Seat, SeatState
from pbmd.rules import HmacDice
from tests.desk.world import ADDRESS, SteadyEntropy, World
from tests.ledger.releases import FAR, FOLDER, put_file, standing_at
from tests.postgresql import PostgreSQL

FILES = FOLDER / "in_the_air"
GAMES = ("friday", "galaxy-7", "conquest-2", "cluster-1", "societies-3", "squadrons-4")
"""Those that are not over."""
GM = "gm@pbmd.test"
HOME = "https://games.example.org"
"""Where players reach their pages, by the links in their mails."""


def put(folder: Path) -> Path:
    """Have that ledger be the one in `folder`."""
    return put_file(FILES / "1.0.0.sqlite.xz", folder)


SETTINGS = """\
[server]
address = "games@pbmd.test"
gm = "gm@pbmd.test"
data = "."
[imap]
host = "localhost"
user = "games"
password = "secret"
[smtp]
host = "localhost"
[stamp]
command = ["stamp-of-time"]
"""
"""The settings of such a host, with what 1.0 had and later versions have not."""


def put_installation(folder: Path) -> Path:
    """That ledger with its key and settings, as an installation has them; gives the file with the settings."""
    put(folder)
    (file := folder / "pbmd.toml").write_text(SETTINGS)
    return file


def put_into(postgresql: PostgreSQL) -> str:
    """The same ledger as 1.0.0 has left it in PostgreSQL, in a database of its own; gives its address."""
    url = postgresql.new_database()
    dump = lzma.decompress((FILES / "1.0.0.sql.xz").read_bytes())
    postgresql.carry_out(re.sub(rb"^\\(un)?restrict .*$", b"", dump, flags=re.MULTILINE), url)  # not every psql knows these
    engine = open_engine(url)
    with engine.begin() as connection:  # the same server as ever
        connection.execute(text("UPDATE era SET place = :place"), {"place": identity(connection)})
    engine.dispose()
    return url


@cache
def mails() -> tuple[EmailMessage, ...]:
    """All mails that 1.0.0 has sent, the oldest first."""
    with NamedTemporaryFile(suffix=".mbox") as file:
        file.write(lzma.decompress((FILES / "1.0.0.mbox.xz").read_bytes()))
        file.flush()
        with closing(mailbox.mbox(file.name)) as box:
            return tuple(_parsed(each.as_bytes()) for each in box)


def _parsed(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def body(mail: EmailMessage) -> str:
    """The text of a mail."""
    part = mail.get_body(("plain",))
    assert part is not None
    return part.get_content().replace("\r\n", "\n")


def recipient(mail: EmailMessage) -> str:
    """Who got a mail."""
    return parseaddr(str(mail["To"]))[1]


@dataclass(frozen=True)
class People:
    """Those who hold mails of 1.0.0, and answer them at a desk of today."""

    world: World

    def held(self, address: str, *words: str) -> list[EmailMessage]:
        """The mails of 1.0.0 that somebody has, with these words in the subject or the text."""
        own = (mail for mail in mails() if recipient(mail) == address)
        return [mail for mail in own if all(word in f"{mail['Subject']}\n{body(mail)}" for word in words)]

    def reply(self, mail: EmailMessage, said: str, *, quoting: bool = True, subject: str = "") -> str:
        """Who got a mail replies to it. Gives the answer."""
        quoted = "".join(f"> {line}\n" for line in body(mail).splitlines()) if quoting else ""
        return self.world.send(
            "",
            f"{said}\n\nOn Friday pbmd wrote:\n{quoted}" if quoting else said,
            sender=recipient(mail),
            to=str(mail["Reply-To"]),
            subject=subject or f"Re: {mail['Subject']}",
            headers={"In-Reply-To": str(mail["Message-ID"])} if quoting else {},
            read=True,
        )

    def gm(self, game: str, said: str) -> str:
        """The game master replies to the last mail of 1.0.0 about a game, and says YES if asked. Gives the answer."""
        asked = len(self.world.questions(GM))
        answer = self.reply(self.held(GM, f"[pbmd {game}")[-1], said, quoting=False)
        if len(questions := self.world.questions(GM)) > asked:
            answer = self.world.reply(questions[-1], "YES", read=True)
        return answer

    def write(self, game: str, seat: Seat, said: str) -> str:
        """A player writes to the address that is in the last mail of 1.0.0 about a game: what stands there proves the seat.
        Gives the answer."""
        return self.reply(self.held(seat.address, f"[pbmd {game}")[-1], said, quoting=False, subject="orders")

    def turn(self, game: str) -> None:
        """All who are awaited write, and the step is over."""
        for seat in self.awaited(game):
            self.write(game, seat, self.orders(game, seat.name))
        self.world.pass_time(timedelta(hours=7))

    def orders(self, game: str, seat: str) -> str:
        """Some orders, fit for how the game stands."""
        rules = self.world.desk.ruleset(self.world.game(game).ruleset)
        position = rules.load(self.world.position(game))
        return rules.random_orders(position, seat, HmacDice(f"{game} {self.world.uid}".encode(), b"orders"))

    def awaited(self, game: str) -> list[Seat]:
        """Whose orders a game waits for."""
        rules = self.world.desk.ruleset(self.world.game(game).ruleset)
        names = rules.awaiting(rules.load(self.world.position(game)))
        own = self.world.rows(Seat, col(Seat.game_id) == self.world.game(game).id, col(Seat.state) == SeatState.ACTIVE)
        return [seat for seat in own if seat.name in names]


@contextmanager
def going_on(folder: Path, database: str = "") -> Iterator[World]:
    """A desk that goes on with the ledger in `folder`, or in that database, which is up to date."""
    kept = (folder / "ledger.sqlite").read_bytes() if not database else b""
    world = World(folder, database=database)
    limits = ("answers_per_hour", "answers_per_day", "strangers_per_hour", "strangers_per_domain", "press_per_hour")
    world.settle(limits=dict.fromkeys(limits, 1000), pages={"public_url": HOME})
    if not database:
        world.desk.engine.dispose()
        (folder / "ledger.sqlite").write_bytes(kept)
    world.now, world.uid = standing_at(world)
    assert isinstance(world.desk.entropy, SteadyEntropy)
    world.desk.entropy.drawn = FAR
    try:
        yield world
    finally:
        world.close()


def under_way(world: World) -> list[str]:
    """The games that are not over."""
    return [game.name for game in world.rows(Game) if game.status in (GameStatus.RUNNING, GameStatus.PAUSED)]


__all__ = ["ADDRESS", "GAMES", "GM", "People", "body", "going_on", "mails", "put", "put_installation", "put_into", "under_way"]
