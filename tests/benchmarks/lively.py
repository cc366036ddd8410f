"""A long game of twelve societies, played to its end at a real desk: what its archive takes to make and to verify, and how much
room it needs, as the game gets longer."""

import shutil
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from sqlmodel import Session, select

from pbmd.archive.format.plan import plan_export
from pbmd.archive.verify.verify import verify
from pbmd.archive.write.export import write_archive
from pbmd.archive.write.pack import PACKERS
from pbmd.desk.changes import new_game
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.database import open_engine
from pbmd.ledger.tables import Game, GameStatus
from pbmd.post.blank import Blanker
from pbmd.rendering import picture
from pbmd.rules import HmacDice, Mail
from pbmd.rules.lines import order_lines
from pbmd.rules.options import complete
from pbmd.rules.registry import get
from pbmd.simulate import signups
from pbmd.terms.terms import Terms
from tests.benchmarks.estate import scratch
from tests.benchmarks.measure import Result, cpu_seconds
from tests.desk.world import World, address_of

LENGTHS = (50, 100, 200)
PLAYERS, GAME = 12, "lively"
LARGEST_MB = 60
GROWTH = 2.2
"""What twice the turns may take at most, as late turns have more to tell."""
_NEVER = {"spaceship_parts": 1000, "domination_needs_gm": True, "obsolete_wonders_count": False}
_ROOM = {"squares_per_player": 30}
_ENDS = ("Attack", "Launch", "Targets", "Declare war", "Build spaceship", "Build engines", "Concede", "Revolution")
"""Wars and victories would end the game too early."""
_PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\b\0\0\0\0"
"""In place of the pictures in mails, which no archive has, and which take longer than all else of playing."""


def measure(repeats: int, lengths: tuple[int, ...] = LENGTHS) -> list[Result]:
    """Seconds of the processor of export and verify by one process, for each length against half of it, and sizes in MB. It is
    measured when all is played, one length right after the other: a machine is not as fast at all times."""
    with scratch() as folder:
        homes = dict(_played(folder / "desk", lengths))
        archives = {turns: folder / f"archive-{turns}" for turns in homes}
        rounds = [[_measured(homes[turns], archives[turns]) for turns in homes] for _ in range(repeats)]
        took = {turns: [each[place] for each in rounds] for place, turns in enumerate(homes)}
        before = {turns: took.get(turns // 2, []) for turns in homes}
        return [row for turns in homes for row in _rows(turns, archives[turns], took[turns], before[turns])]


class Took(NamedTuple):
    """Seconds."""

    export: float
    verify: float


def _measured(home: Path, archive: Path) -> Took:
    shutil.rmtree(archive, ignore_errors=True)
    return Took(cpu_seconds(lambda: _export(home, archive)), cpu_seconds(lambda: _verify(archive)))


def _rows(turns: int, archive: Path, took: Sequence[Took], half: Sequence[Took]) -> list[Result]:
    plain = sum(path.stat().st_size for path in archive.rglob("*") if path.is_file()) / 1e6
    packed = archive.with_suffix(".zip")
    PACKERS[".zip"](archive, packed)
    size = packed.stat().st_size / 1e6
    note = f"{turns} turns of Societies, {PLAYERS} players; unpacked {plain:,.0f} MB"
    what = "the archive of a lively game, as .zip"
    rows = [Result(f"lively{turns} size", what, "an amount", "MB", LARGEST_MB, (size,), note=note)]
    for done in Took._fields:
        now, before = (tuple(getattr(each, done) for each in several) for several in (took, half))
        against, goal = ("half the turns", GROWTH) if before else ("an amount of the processor's time", turns)
        rows.append(Result(f"lively{turns} {done}", f"{done} a lively game", against, "s", goal, now, before, note))
    return rows


def _played(home: Path, lengths: tuple[int, ...]) -> Iterator[tuple[int, Path]]:
    """The game as it stood after so many turns: the folder of a copy of its ledger."""
    home.mkdir(parents=True)
    world = World(home)
    ruleset, options = get("societies"), {**_NEVER, **_ROOM}
    with changing_games(world.desk) as work:
        table = new_game.create_game(work, GAME, "societies", Terms.model_validate({"reminders": ()}), options)
        for signup in signups(ruleset, PLAYERS, complete(ruleset.info.options, options)):
            new_game.add_seat(work, table, signup, new_game.Newcomer(address_of(signup.seat), ""))
        new_game.start_game(work, table)
    try:
        for turn in range(1, lengths[-1] + 1):
            with patch.object(picture, "svg_png", _no_picture):
                _play_turn(world, turn)
            assert (world.game(GAME).step, world.game(GAME).status) == (turn, GameStatus.RUNNING), "it was over too early"
            if turn in lengths:
                copy = home.with_name(f"desk-{turn}")
                world.desk.engine.dispose()
                shutil.copytree(home, copy)
                yield turn, copy
    finally:
        world.close()


def _no_picture(_svg: str) -> bytes:
    return _PNG


def _play_turn(world: World, turn: int) -> None:
    ruleset = get("societies")
    position = ruleset.load(world.position(GAME))
    dice = HmacDice(b"lively", turn.to_bytes(8, "big"))
    for seat in ruleset.awaiting(position):
        sheet = order_lines(ruleset.random_orders(position, seat, dice))
        verdicts = ruleset.receive(position, Mail(seat, sheet, (1, 0))).verdicts
        lines = [line for verdict in verdicts for line in verdict.canonical.splitlines() if not line.startswith(_ENDS)]
        if lines:
            world.send(seat, "\n".join(lines), game=GAME, sender=world.seat(seat).address)
        world.now += timedelta(minutes=1)
    if world.game(GAME).step < turn:
        world.pass_time(timedelta(days=30))


def _export(home: Path, to: Path) -> None:
    engine = open_engine(f"sqlite:///{home / 'ledger.sqlite'}")
    try:
        with Session(engine) as session:
            game = session.exec(select(Game).where(Game.name == GAME)).one()
            write_archive(session, plan_export(session, game, get(game.ruleset)), to, Blanker(()), lambda: None)
    finally:
        engine.dispose()


def _verify(archive: Path) -> None:
    found = verify(archive, get, lambda _what, _done, _total: None)
    assert found.ok, found.problems
