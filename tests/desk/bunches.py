"""The same letters read one by one and all at once: what to send, and what to compare.

A game is played letter by letter first, each written in view of how the game stands and what its writer was sent. Then all of
them are put into another desk's mailbox, and read in one pass. Random bytes are the same at both desks, but for what a
transaction that was undone has drawn: that never was.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event
from sqlmodel import col

from pbmd.archive.verify import recomputed
from pbmd.daemon.dispatch import shared_pass
from pbmd.desk.books.desk import mailbox_name
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import new_game
from pbmd.desk.due.advance import advance_games
from pbmd.desk.ingest import store
from pbmd.desk.mail.tags import gm_tag
from pbmd.desk.mailroom import process_letters
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import GameStatus, JournalEntry, Letter, Outbox, Report, Seat, SeatState, StepRecord, Submission
from pbmd.post.imap.fetched import Fetched
from pbmd.post.tags import plus_address
from pbmd.rendering import picture
from pbmd.rules import HmacDice
from pbmd.rules.options import complete
from pbmd.simulate import signups
from pbmd.terms.terms import Terms
from tests.archive.made import export
from tests.desk.world import ADDRESS, BEGIN, World, message_of

GAME = "galaxy-7"
SECOND = timedelta(seconds=1)
LATER = BEGIN + timedelta(days=40)
"""When all of it is read."""
PLAYERS = {
    "bazaar": 3,
    "count": 3,
    "relay": 3,
    "tides": 3,
    "cosmic_conquest": 3,
    "diplomacy": 3,
    "galactic_overlord": 3,
    "local_cluster": 3,
    "societies": 3,
    "starship_squadrons": 2,
}
OPTIONS: dict[str, dict[str, Any]] = {"relay": {"map": True}, "starship_squadrons": {"map": "duel"}, "tides": {"days": 100}}
TALK = {
    "relay": ("Offer {other}", "Accept {other}", "Accept {other}\nOffer {other}"),
    "local_cluster": ("Offer trade treaty to {other}", "Accept trade treaty from {other}", "Offer peace to {other}"),
}
"""What needs no move, where anything does."""
_MASTERS = ("PAUSE", "RESUME", "ANNOUNCE\nGood luck\nEND ANNOUNCE", "RESOLVE", "EXTEND 5h")
_PNG = (Path(__file__).parent / "dot.png").read_bytes()


class Entropy:
    """Random bytes that are the same in every run, and drawn anew after a transaction that was undone."""

    def __init__(self, engine: Engine) -> None:
        self._drawn = self._kept = 0
        event.listen(engine, "commit", lambda _: setattr(self, "_kept", self._drawn))
        event.listen(engine, "rollback", lambda _: setattr(self, "_drawn", self._kept))

    def __call__(self, size: int) -> bytes:
        self._drawn += 1
        return sha256(f"entropy {self._drawn}".encode()).digest()[:size]


def drawn_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Maps that take no time: their bytes still tell all that is on them."""

    def svg(data: bytes) -> str:
        return f'<svg viewBox="0 0 1 1"><title>{sha256(data).hexdigest()}</title></svg>\n'

    for module in (picture, recomputed):
        monkeypatch.setattr(module, "svg_of", svg)
    monkeypatch.setattr(picture, "svg_png", lambda _: _PNG)


@contextmanager
def desk(folder: Path, slug: str, **terms: Any) -> Iterator[World]:
    """A desk with a running game of that ruleset, at which nothing is limited."""
    folder.mkdir()
    world = World(folder)
    world.desk = replace(world.desk, entropy=Entropy(world.desk.engine))
    generous = ("answers_per_hour", "answers_per_day", "confirmations_per_day", "press_per_hour", "press_per_day")
    world.settle(limits=dict.fromkeys(generous, 10_000))
    rules, options = world.desk.ruleset(slug), OPTIONS.get(slug, {})
    with changing_games(world.desk) as work:
        table = new_game.create_game(work, GAME, slug, Terms(**({"reminders": (), "second_thought": "0m"} | terms)), options)
        for signup in signups(rules, PLAYERS[slug], complete(rules.info.options, options)):
            new_game.add_seat(
                work, table, signup, new_game.Newcomer(f"{signup.seat.lower().replace(' ', '-')}@players.test", "")
            )
        new_game.start_game(work, table)
    yield world
    world.close()


@dataclass(frozen=True)
class Posted:
    """A letter in the mailbox."""

    raw: bytes
    at: datetime


@dataclass
class Players:
    """Whoever writes to a desk, by chance: orders and others in their place, nonsense, talk, and whatever else there is. The
    letters are dealt with as they are written, if `each` is what is done then."""

    world: World
    seed: str
    each: Callable[["Players"], object]
    posted: list[Posted] = field(default_factory=list[Posted])
    at: datetime = BEGIN
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def write(self, count: int) -> list[Posted]:
        """So many letters, and more until a step is over; all that were written."""
        while len(self.posted) < count or (not self.world.rows(StepRecord) and len(self.posted) < 10 * count):
            if self.world.game().status is GameStatus.FINISHED:
                break
            self.at += self.chance.choice([timedelta(0), SECOND, 40 * SECOND, 300 * SECOND, timedelta(hours=2)])
            if self.chance.random() < 0.03:
                self.at += timedelta(hours=40)
            self.post(self._letter())
        return self.posted

    def post(self, raw: bytes) -> None:
        """A letter gets into the mailbox, and is read."""
        self.posted.append(Posted(raw, self.at))
        put_in(self.world, [self.posted[-1]], len(self.posted))
        self.each(self)

    def _letter(self) -> bytes:
        question = next((mail for mail in reversed(self.world.outbox("question")) if self._is_open(mail)), None)
        if question is not None and self.chance.random() < 0.5:
            return self._mail(message_of(question)["To"], message_of(question)["Reply-To"], "YES", question)
        paused = self.world.game().status is GameStatus.PAUSED
        if self.chance.random() < (0.3 if paused else 0.05):
            return self._master("RESUME" if paused else self.chance.choice(_MASTERS))
        seats: list[Seat] = [seat for seat in self.world.rows(Seat) if seat.state is SeatState.ACTIVE]
        due = [seat for seat in seats if seat.name in self._awaited()]
        seat = self.chance.choice(due if due and self.chance.random() < 0.6 else seats)
        told = col(Outbox.kind).in_(("report", "notice"))
        sent = self.world.mails(col(Outbox.recipient) == seat.address, told)
        to = self.world.reply_address(seat.name) if self.chance.random() < 0.95 else ADDRESS
        return self._mail(seat.address, to, self._text(seat), self.chance.choice([None, sent[-1], self.chance.choice(sent)]))

    def _awaited(self) -> tuple[str, ...]:
        rules = self.world.desk.ruleset(self.world.game().ruleset)
        return rules.awaiting(rules.load(self.world.position()))

    def _is_open(self, mail: Outbox) -> bool:
        answers = [posted.raw for posted in self.posted]
        return not any(mail.message_id.encode() in raw for raw in answers)

    def _text(self, seat: Seat) -> str:
        dice = HmacDice(sha256(f"{self.seed} {len(self.posted)}".encode()).digest(), b"orders")
        rules = self.world.desk.ruleset(self.world.game().ruleset)
        position = rules.load(self.world.position())
        other = self.chance.choice([each.name for each in self.world.rows(Seat) if each.name != seat.name])
        orders = rules.random_orders(position, seat.name, dice) or "ORDERS"
        asides = ["STATUS", "REPORT", "WAIT", "READY", "CANCEL ORDERS", "nonsense", "EXTEND 3h", "RESIGN"]
        press = f"PRESS TO {other}\nletter {len(self.posted)}\nEND PRESS"
        turn = self.chance.choice([self.world.game().turn, self.world.game().turn + 1])
        talk = [words.format(other=other) for words in TALK.get(rules.info.slug, ())]
        kinds = [*[orders] * 12, f"{press}\n{orders}", f"ORDERS FOR TURN {turn}\n{orders}", *talk * 2, press]
        return self.chance.choice([*kinds, self.chance.choice(asides), self.chance.choice(asides)])

    def _master(self, words: str) -> bytes:
        with Transaction(self.world.desk, reads=True) as work:
            table = work.table_named(GAME)
            assert table is not None
            to = plus_address(ADDRESS, gm_tag(work, table))
        return self._mail(self.world.desk.settings.server.gm, to, words, None)

    def _mail(self, sender: str, to: str, text: str, answers: Outbox | None) -> bytes:
        headers = {"In-Reply-To": answers.message_id, "References": answers.message_id} if answers else {}
        subject = f"Re: {message_of(answers)['Subject']}" if answers else f"letter {len(self.posted)}"
        self.world.uid = len(self.posted)
        return self.world.letter("", text, sender=sender, to=to, subject=subject, headers=headers)


def put_in(world: World, letters: list[Posted], first_uid: int) -> None:
    """Letters get into the ledger, in this order."""
    batch = [
        Fetched(1, uid, letter.at.replace(microsecond=0), len(letter.raw), letter.raw, truncated=False)
        for uid, letter in enumerate(letters, first_uid)
    ]
    store(world.desk, mailbox_name(world.desk), batch)


def one_pass(world: World, read: datetime) -> None:
    """One pass over a mailbox that was read through at that instant."""
    world.read_mailbox(read)
    process_letters(world.desk)
    advance_games(world.desk)


def one_by_one(folder: Path, slug: str, seed: str, count: int, **terms: Any) -> tuple[list[Posted], "Kept"]:
    """Letters of chance, each read by itself: the letters, and what is in the books then."""

    def each(players: Players) -> None:
        one_pass(players.world, players.at + SECOND / 2)

    with desk(folder, slug, **terms) as world:
        world.now = LATER
        letters = Players(world, seed, each).write(count)
        one_pass(world, LATER)
        return letters, kept(world, folder)


def at_once(folder: Path, slug: str, letters: list[Posted], **terms: Any) -> "Kept":
    """These letters read in one pass: what is in the books then."""
    with desk(folder, slug, **terms) as world:
        world.now = LATER
        put_in(world, letters, 1)
        one_pass(world, letters[-1].at + SECOND / 2)
        one_pass(world, LATER)
        return kept(world, folder)


@dataclass
class Kept:
    """All that is left of a game: rows of the ledger by their tables, and the files of its archive."""

    rows: dict[str, list[Any]]
    files: dict[str, bytes]
    archive: Path


_KINDS = (JournalEntry, Report, StepRecord, Submission, Seat)


def kept(world: World, folder: Path) -> Kept:
    """What is in the books of a desk."""
    rows: dict[str, list[Any]] = {
        kind.__name__: [row.model_dump(exclude={"id"}) for row in world.rows(kind)] for kind in _KINDS
    }
    rows["Game"] = [world.game().model_dump()]
    rows["Letter"] = [(row.id, row.state, row.note, row.seat_id) for row in world.rows(Letter)]
    rows["Outbox"] = sorted((mail.key, mail.recipient, mail.raw) for mail in world.outbox())
    rows["Log"] = [(line.turn, line.what, line.seat, line.detail) for line in world.log()]
    archive = export(world, folder / "archive")
    payload = sorted(path for path in (archive / "data").rglob("*") if path.is_file() and path.suffix != ".sqlite")
    return Kept(rows, {str(path.relative_to(archive)): path.read_bytes() for path in payload}, archive)


def by_lanes(folder: Path, slug: str, letters: list[Posted], **terms: Any) -> "Kept":
    """These letters dealt with as where workers may help, though none does: what is in the books then."""

    def shared(world: World, read: datetime) -> None:
        world.read_mailbox(read)
        shared_pass(world.desk, lambda _: None, lambda: None)

    with desk(folder, slug, **terms) as world:
        world.now = LATER
        put_in(world, letters, 1)
        shared(world, letters[-1].at + SECOND / 2)
        shared(world, LATER)
        return kept(world, folder)
