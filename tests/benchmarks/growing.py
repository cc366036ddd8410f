"""What is measured as it grows: for each subject the ledger at a size, and one thing that is done with it, again and again."""

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from http import HTTPStatus
from itertools import count
from math import inf
from pathlib import Path

from sqlalchemy import delete, insert, update
from sqlmodel import Session, select

from pbmd.archive.format.plan import plan_export
from pbmd.archive.write.export import write_archive
from pbmd.cli.serve import seat_source
from pbmd.desk.books.desk import Desk, mailbox_name
from pbmd.desk.changes import new_game
from pbmd.desk.due.advance import advance_games
from pbmd.desk.ingest import store
from pbmd.desk.mailroom import process_letters
from pbmd.desk.publish.dashboard import dashboard_source
from pbmd.desk.sending.sender import send_due
from pbmd.desk.unreadable.put_aside import look
from pbmd.ledger.tables import Game, Outbox, OutboxState
from pbmd.pages.seat_pages import Answer, page_of
from pbmd.pages.site import update as update_pages
from pbmd.pages.source import Source
from pbmd.post.blank import Blanker
from pbmd.post.imap.fetched import Fetched
from pbmd.post.smtp.client import Sent, Smtp
from pbmd.post.tags import SeatNumber
from pbmd.rules.dice import HmacDice, ScriptedDice
from pbmd.rules.protocol import Signup
from pbmd.terms.terms import Terms
from rulesets.societies import ruleset as societies
from tests.benchmarks.idle import idle_rows, kept, tick
from tests.benchmarks.societies import Played, late_turns
from tests.desk.world import NAMES, World, address_of

GAME = "galaxy-7"
PER_PLAYER = 8
"""Letters that wait of each player."""
_PRESS_A_DAY = 600
"""Messages that three players may write in a day."""
_AT_ONCE = 1_000
Jobs = Generator[Callable[[], int]]
"""One job after the other, each with everything as it was before the last; the first may be a small one, and makes what is made
once. A job gives the number of things that it has dealt with."""


@dataclass(frozen=True)
class Subject:
    """What grows: `of` which things there are more and more, and what one of the things costs that the `jobs` deal with. That
    may grow like size^`most`; `scan` is that of the steps of SQLite, where it looks at each row of a few, which takes little.
    `sizes` are those of the table, `few` those of the test."""

    name: str
    what: str
    of: str
    sizes: tuple[int, ...]
    few: tuple[int, int]
    most: float
    jobs: Callable[[Path, int], Jobs]
    scan: float = 0.0


@contextmanager
def _world(folder: Path, play: Callable[[World], object] = World.count) -> Iterator[World]:
    """A desk at which that was played, a game of three of the smallest ruleset. Its limits stop nobody from then on, as its
    players write more than people would."""
    world = World(folder)
    try:
        play(world)
        a_time = ("answers_per_hour", "answers_per_day", "press_per_hour", "press_per_day", "mails_per_minute")
        world.settle(limits=dict.fromkeys((*a_time, "mails_per_letter"), 10**6))
        world.desk.looks[True] = inf  # that has a two-hundredth of the time, and a row of its own
        yield world
    finally:
        world.close()


def _names(size: int) -> list[str]:
    return [f"Player {number}" for number in range(1, size + 1)]


def _fetched(world: World, letters: Sequence[bytes]) -> None:
    """All of these letters have come, and wait."""
    for first in range(0, len(letters), _AT_ONCE):
        stored: list[Fetched] = []
        for raw in letters[first : first + _AT_ONCE]:
            world.uid += 1
            stored.append(Fetched(1, world.uid, world.now, len(raw), raw, truncated=False))
        store(world.desk, mailbox_name(world.desk), stored)


def _letter_jobs(world: World, text: Callable[[int], str], seat: str = "Altair") -> Jobs:
    """A letter comes and is answered."""
    for number in count(1):
        world.now += timedelta(minutes=1)
        _fetched(world, [world.letter(seat, text(number))])
        yield lambda: _dealt_with(world.desk, 1)


def _dealt_with(desk: Desk, letters: int) -> int:
    dealt = process_letters(desk)
    assert dealt == letters, f"{dealt} of {letters} letters were dealt with"
    return dealt


def _resolved(desk: Desk) -> int:
    resolved = advance_games(desk)
    assert resolved == 1, f"{resolved} steps were resolved"
    return resolved


def _ticked(desk: Desk) -> int:
    tick(desk)
    return 1


def _brought_up_to_date(source: Source) -> int:
    assert update_pages(source), "no page was written"
    return 1


def _among_idle_games(work: Callable[[Desk], int]) -> Callable[[Path, int], Jobs]:
    """Something that a desk does with so many games, none of which is due."""

    def jobs(folder: Path, size: int) -> Jobs:
        desk = kept(folder, size)
        try:
            while True:
                yield lambda: work(desk)
        finally:
            desk.engine.dispose()

    return jobs


def _letter_among_games(folder: Path, size: int) -> Jobs:
    """A letter for one of so many games."""
    with _world(folder) as world:
        _put_idle_games(world, size)
        yield from _letter_jobs(world, "Add {}".format)


def _turn_among_games(folder: Path, size: int) -> Jobs:
    """A turn of one of so many games."""
    with _world(folder) as world:
        _put_idle_games(world, size)
        while True:
            yield from _one_turn(world, NAMES)


def _checked(desk: Desk) -> int:
    """All rows in use, as every minute, or more seldom if that takes long."""
    found = look(desk, in_use=True)
    assert not found, found
    return 1


def _overview_of_games(folder: Path, size: int) -> Jobs:
    """The pages are brought up to date after a letter for one of so many games."""
    with _world(folder) as world:
        source = dashboard_source(world.desk)
        update_pages(source)  # now, so that the others need no pages of their own
        _put_idle_games(world, size)
        for number in count(1):
            world.now += timedelta(minutes=1)
            world.send("Altair", f"Add {number}")
            yield lambda: _brought_up_to_date(source)


def _put_idle_games(world: World, size: int) -> None:
    with world.desk.engine.begin() as connection:
        for first in range(2, size + 2, _AT_ONCE):
            numbers = range(first, min(first + _AT_ONCE, size + 2))
            for table, rows in idle_rows(numbers, world.now, first_uid=10**6).items():
                connection.execute(insert(table), rows)


def _letters_that_wait(folder: Path, size: int) -> Jobs:
    """All of so many letters are answered, eight of each player, three players in a game, one of whom sends none, so that no
    step is over."""
    with _world(folder) as world:
        games = [GAME, *(f"game-{number}" for number in range(size // (2 * PER_PLAYER)))]
        for game in games[1:]:
            _begin(world, game)
        seats = [(game, seat) for game in games for seat in ("Altair", "Borealis")]
        for number in count():
            wanted = size if number else min(size, 10)
            world.now += timedelta(hours=2)
            writers = [seats[place % len(seats)] for place in range(wanted)]
            _fetched(world, [world.letter(seat, f"Add {number + 1}", game=game) for game, seat in writers])
            yield lambda wanted=wanted: _dealt_with(world.desk, wanted)
            with world.desk.engine.begin() as connection:
                connection.execute(delete(Outbox))


def _begin(world: World, name: str) -> None:
    with world.work() as work:
        table = new_game.create_game(work, name, "count", Terms(deadline="365d", second_thought="0m"), {"target": 1000})
        for seat in NAMES:
            new_game.add_seat(work, table, Signup(seat), new_game.Newcomer(address_of(seat), ""))
        new_game.start_game(work, table)


class _Willing:
    """A mail server that takes every mail."""

    null_refused = False

    @contextmanager
    def connect(self) -> Iterator["_Willing"]:
        """One connection."""
        yield self

    def send(self, _envelope_from: str, _recipient: str, _raw: bytes, _otherwise: str) -> Sent:
        """It is accepted."""
        return Sent()


def _outbox(folder: Path, size: int) -> Jobs:
    """All of so many mails are handed over."""
    with _world(folder) as world:
        for number in count():
            wanted = size if number else min(size, 10)
            world.now += timedelta(hours=2)
            with world.desk.engine.begin() as connection:
                connection.execute(delete(Outbox))
            _queue(world, wanted)
            yield lambda wanted=wanted: _handed_over(world.desk, wanted)


def _queue(world: World, size: int) -> None:
    mail = {
        "kind": "report",
        "envelope_from": "",
        "raw": b"x" * 3_000,
        "state": OutboxState.QUEUED,
        "tries": 0,
        "queued_at": world.now,
        "next_try_at": world.now,
        "error": "",
    }
    with world.desk.engine.begin() as connection:
        for first in range(0, size, _AT_ONCE):
            rows = [
                mail
                | {"key": f"mail {place}", "recipient": f"p{place}@d{place % 500}.test", "message_id": f"<{place}@pbmd.test>"}
                for place in range(first, min(first + _AT_ONCE, size))
            ]
            connection.execute(insert(Outbox), rows)


def _handed_over(desk: Desk, mails: int) -> int:
    connect: Callable[[], AbstractContextManager[Smtp]] = _Willing().connect  # type: ignore[assignment]
    sent = send_due(desk, connect)
    assert sent == mails, f"{sent} of {mails} mails were sent"
    return sent


def _silent(world: World) -> None:
    """A game whose press waits for the next report."""
    world.count(press_delivery="report", deadline="365d")


def _with_press(world: World, size: int) -> None:
    """So many messages of all three wait for the next report, each in a letter of its own, not more in a day than people may
    write."""
    for first in range(0, size, _PRESS_A_DAY):
        world.now += timedelta(days=1)
        places = range(first, min(first + _PRESS_A_DAY, size))
        _fetched(world, [world.letter(NAMES[place % 3], _press(NAMES[place % 3 - 1], place)) for place in places])
        _dealt_with(world.desk, len(places))


def _press(to: str, number: int) -> str:
    return f"PRESS TO {to}\nWord {number} to you.\nEND PRESS"


def _press_letter(folder: Path, size: int) -> Jobs:
    """One more message of press is taken in while so many wait for the next report."""
    with _world(folder, _silent) as world:
        _with_press(world, size)
        yield from _letter_jobs(world, partial(_press, NAMES[1]))


def _press_turn(folder: Path, size: int) -> Jobs:
    """A turn with so many messages of press is resolved and reported."""
    with _world(folder, _silent) as world:
        for number in count():
            _with_press(world, size if number else 1)
            yield from _one_turn(world, NAMES)


def _one_turn(world: World, seats: Sequence[str]) -> Jobs:
    """All orders are in, and the turn is resolved and reported."""
    _all_order(world, seats)
    yield lambda: _resolved(world.desk)


def _all_order(world: World, seats: Sequence[str]) -> None:
    """Everybody sends orders: those of random players, or the least there are where these would soon end the game."""
    game = world.game()
    ruleset, chance = world.desk.ruleset(game.ruleset), HmacDice(b"growth", str(game.step).encode())
    if game.ruleset == "count":
        letters = [world.letter(seat, "Add 1") for seat in seats]
    else:
        position = ruleset.load(json.loads(game.position))
        letters = [world.letter(seat, ruleset.random_orders(position, seat, chance)) for seat in seats]
    world.now += timedelta(minutes=5)
    _fetched(world, letters)
    _dealt_with(world.desk, len(seats))
    world.now += timedelta(minutes=5)
    world.read_mailbox()


def _after(turns: int) -> Callable[[World], object]:
    """A game of two that has so many turns behind it, four a day; all mails have gone out."""

    def play(world: World) -> None:
        for _ in range(turns):
            _all_order(world, NAMES[:2])
            _resolved(world.desk)
            world.now += timedelta(hours=6)
        with world.desk.engine.begin() as connection:
            connection.execute(update(Outbox).values(state=OutboxState.SENT, sent_at=world.now))

    def begin_and_play(world: World) -> None:
        world.count(seats=NAMES[:2])
        world.as_ever(f"{turns} turns of growth", lambda: play(world))

    return begin_and_play


def _long_letter(folder: Path, size: int) -> Jobs:
    """A letter for a game of so many turns."""
    with _world(folder, _after(size)) as world:
        yield from _letter_jobs(world, "Add {}".format)


def _long_turn(folder: Path, size: int) -> Jobs:
    """The next turn of a game of so many."""
    with _world(folder, _after(size)) as world:
        while True:
            yield from _one_turn(world, NAMES[:2])


def _long_pages(folder: Path, size: int) -> Jobs:
    """The pages of a game of so many turns are brought up to date after a letter."""
    with _world(folder, _after(size)) as world:
        source = dashboard_source(world.desk)
        for number in count(1):
            world.send("Altair", f"Add {number}")
            yield lambda: _brought_up_to_date(source)


def _long_export(folder: Path, size: int) -> Jobs:
    """A game of so many turns is written as an archive."""
    home, places = folder / "desk", count()
    home.mkdir()
    with _world(home, _after(size)) as world:
        while True:
            yield lambda: export_game(world.desk, folder / f"archive-{next(places)}")


def export_game(desk: Desk, to: Path) -> int:
    """Write the game as an archive."""
    with Session(desk.engine) as session:
        game = session.exec(select(Game).where(Game.name == GAME)).one()
        write_archive(session, plan_export(session, game, desk.ruleset(game.ruleset)), to, Blanker(()), lambda: None)
    return 1


def _seat_page(name: str) -> Callable[[Path, int], Jobs]:
    """What `pbmd serve --public` answers for a page of a seat in a game of so many turns."""

    def jobs(folder: Path, size: int) -> Jobs:
        with _world(folder, _after(size)) as world:
            source, game = seat_source(world.desk), world.game().id
            assert game is not None
            while True:
                yield lambda: _answered(page_of(source, SeatNumber(game, 1), name))

    return jobs


def _answered(answer: Answer | None) -> int:
    assert answer is not None
    assert answer.status == HTTPStatus.OK, answer.status
    return 1


def _seats_letter(folder: Path, size: int) -> Jobs:
    """A letter for a game of so many seats."""
    with _world(folder, lambda world: world.start(seats=_names(size))) as world:
        yield from _letter_jobs(world, "Build {} ships".format, _names(1)[0])


def _seats_turn(folder: Path, size: int) -> Jobs:
    """A turn of Galactic Overlord with so many seats, and a report for each."""
    with _world(folder, lambda world: world.start(seats=_names(size))) as world:
        while True:
            yield from _one_turn(world, _names(size))


def _societies(_folder: Path, size: int) -> Jobs:
    """Late turns of so many societies are resolved; what they cost for each that is still in the game."""
    turns = list(late_turns(size, seed=1))
    while True:
        yield lambda: sum(_living(turn) for turn in turns)


def _living(turn: Played) -> int:
    societies.resolve(turn.position, ScriptedDice(()))
    return turn.living


FLAT, LINEAR, QUADRATIC = 0.15, 1.1, 2.0
"""What does not depend on how much there is, what has to look at all of it, and reports to all, each of which tells of all."""
_GAMES, _WAITING, _PRESS = (100, 3_000, 100_000), (10, 700, 50_000), (1, 100, 10_000)
_TURNS, _SEATS = (50, 140, 400), (2, 7, 24)
SUBJECTS = (
    Subject("tick", "a tick, nothing due", "games", _GAMES, (20, 320), FLAT, _among_idle_games(_ticked)),
    Subject("letter, games", "a letter answered", "games", _GAMES, (20, 320), FLAT, _letter_among_games),
    Subject("turn, games", "a turn with its reports", "games", _GAMES, (20, 320), FLAT, _turn_among_games),
    Subject("check", "the check of rows in use", "games", _GAMES, (10, 40), LINEAR, _among_idle_games(_checked)),
    Subject("overview", "the pages after a letter", "games", _GAMES, (10, 40), LINEAR, _overview_of_games),
    Subject("letters", "each letter of those that wait", "letters", _WAITING, (8, 64), FLAT, _letters_that_wait),
    Subject("outbox", "each mail of those to be sent", "mails", _WAITING, (20, 320), FLAT, _outbox),
    Subject("press", "a message that is to wait", "messages", _PRESS, (5, 40), FLAT, _press_letter, scan=LINEAR),
    Subject("turn, press", "a turn with its reports", "messages", _PRESS, (5, 40), LINEAR, _press_turn),
    Subject("letter, turns", "a letter answered", "turns before", _TURNS, (5, 20), FLAT, _long_letter),
    Subject("turn, turns", "a turn with its reports", "turns before", _TURNS, (5, 20), FLAT, _long_turn, scan=LINEAR),
    Subject("pages", "the page of the game", "turns before", _TURNS, (5, 20), LINEAR, _long_pages),
    Subject("export", "the archive", "turns before", _TURNS, (5, 20), LINEAR, _long_export),
    Subject("seat", "`pbmd serve`: first page of a seat", "turns before", _TURNS, (5, 20), FLAT, _seat_page(""), scan=LINEAR),
    Subject("reports", "its list of reports", "turns before", _TURNS, (5, 20), LINEAR, _seat_page("reports.html")),
    Subject("report", "one of them", "turns before", _TURNS, (5, 20), LINEAR, _seat_page("report-3.html")),
    Subject("letter, seats", "a letter answered", "seats", _SEATS, (3, 9), 0.5, _seats_letter),
    Subject("turn, seats", "a turn of Galactic Overlord", "seats", _SEATS, (3, 9), QUADRATIC, _seats_turn),
    Subject("societies", "a late turn of Societies, for each", "societies", (6, 12, 24), (6, 12), 0.2, _societies),
)
