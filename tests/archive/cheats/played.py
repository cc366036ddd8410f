"""The game on which hosts cheat: played once, with the ledger kept as it was before each move, so that a host can go back to
any of them and play on otherwise, with the same keys and secrets.

Borealis is who is cheated, Altair looks on, and Cygnus is a friend of the host, whose mails prove nothing.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pbmd.desk.books.desk import Positions
from pbmd.rules import Ruleset
from tests.archive.made import export
from tests.desk.step.test_words import begun, filled, form_of, with_word
from tests.desk.world import SteadyEntropy, World, opened

GAME = "galaxy-7"
LOOKS_ON, CHEATED, FRIEND = "Altair", "Borealis", "Cygnus"
SEATS = (LOOKS_ON, CHEATED, FRIEND)
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
Move = Callable[[World], Any]
Mails = Mapping[str, tuple[bytes, ...]]


def sends(seat: str, text: str, **more: Any) -> Move:
    """A letter of a seat comes, some minutes after what was before."""

    def move(world: World) -> None:
        world.now += 7 * MINUTE
        world.send(seat, text, **more)

    return move


OWN_WORD = "to be or not to be"
"""What Borealis writes for a word. Altair leaves the one that came, and Cygnus writes mails without a form."""


def fills(seat: str, *orders: str, word: str = "", form: str = "") -> Move:
    """A seat fills in the form of its last report, some minutes after what was before; perhaps with another `word`, or in
    another `form`."""

    def move(world: World) -> None:
        world.now += 7 * MINUTE
        report = begun(world, seat)
        lines = filled(form or form_of(report), *orders)
        world.reply(report, with_word(word)(lines) if word else lines)

    return move


def late(world: World) -> None:
    """The deadline is over by ten minutes, and nobody has looked yet, when Cygnus writes."""
    world.now = deadline(world) + 10 * MINUTE
    world.send(FRIEND, "Add 9")


def deadline(world: World) -> datetime:
    """That of the turn that is open."""
    at = world.game().deadline
    assert at is not None
    return at.replace(tzinfo=UTC)


def passes(length: timedelta = 10 * MINUTE) -> Move:
    """Time passes, and what is due is done."""
    return lambda world: world.pass_time(length)


VOTES: Mapping[str, Any] = {"votes": ("extension",), "vote_quorum": 60}
MOVES: Mapping[str, Move] = {
    "begins": lambda world: world.start(GAME, SEATS, {"target": 60}, ruleset="count", reminders=(), **VOTES),
    "a1": fills(LOOKS_ON, "Add 1"),
    "b1": fills(CHEATED, "Add 5", word=OWN_WORD),
    "c1": sends(FRIEND, "Add 2"),
    "turn 1": passes(),
    "press": sends(LOOKS_ON, f"PRESS TO {CHEATED}\nBeware of the third of us.\nEND PRESS"),
    "b2": fills(CHEATED, "Add 6", word=OWN_WORD),
    "a2": fills(LOOKS_ON, "Add 2"),
    "c2": late,
    "turn 2": passes(),
    "vote a": sends(LOOKS_ON, "PROPOSE EXTENSION 24h"),
    "vote b": sends(CHEATED, "VOTE 1 YES"),
    "vote c": sends(FRIEND, "VOTE 1 NO"),
    "c3": sends(FRIEND, "Add 3"),
    "b3": fills(CHEATED, "Add 7", word=OWN_WORD),
    "a3": fills(LOOKS_ON, *["Add 9"] * 6),
    "turn 3": passes(),
}
"""The game as it went: Cygnus was late in turn 2, two of three voted for more time in turn 3, and Altair has won with it."""


@dataclass(frozen=True)
class _Kept:
    """A desk before a move."""

    ledger: bytes
    drawn: int
    uid: int
    now: Any
    mails: Mails


@dataclass
class Played:
    """The game that was played, and a `folder` in which there is room."""

    folder: Path
    kept: dict[str, _Kept] = field(default_factory=dict[str, "_Kept"])
    archive: Path = field(init=False)
    mails: Mails = field(init=False)

    def __post_init__(self) -> None:
        self._count = 0
        self._world = World(self.room())
        for name, move in MOVES.items():
            self.kept[name] = _keep(self._world)
            move(self._world)
        self.archive, self.mails = export(self._world, self.room() / "archive"), mails_of(self._world)

    def close(self) -> None:
        """Give the database back."""
        self._world.close()

    def room(self) -> Path:
        """An empty folder."""
        self._count += 1
        folder = self.folder / str(self._count)
        folder.mkdir()
        return folder

    def until(self, name: str) -> Mails:
        """The mails that had gone out before a move."""
        return self.kept[name].mails

    @contextmanager
    def gone_back(self, name: str, luck: int = 0, rules: Ruleset[Any] | None = None) -> Generator[World]:
        """The desk as it was before a move. With some `luck` other secrets are drawn from here on; `rules` are others."""
        kept, world = self.kept[name], self._world
        world.desk.engine.dispose()
        (world.folder / "ledger.sqlite").write_bytes(kept.ledger)
        entropy = SteadyEntropy()
        entropy.drawn = kept.drawn + 1000 * luck
        own = {"count": rules} if rules else {}
        # With the engine the statements stay that were made for it: that is half of the time.
        world.desk = replace(world.desk, entropy=entropy, positions=Positions(), rules=own)
        world.now, world.uid = kept.now, kept.uid
        yield world

    def again(self, name: str, luck: int = 0, rules: Ruleset[Any] | None = None, **instead: Move | None) -> "Evidence":
        """The game played again from a move on, with some moves made `instead`: keys are those of `MOVES`, ``turn_2`` for
        those with a blank; None leaves one out."""
        others = {key.replace("_", " "): move for key, move in instead.items()}
        assert others.keys() <= MOVES.keys()
        with self.gone_back(name, luck, rules) as world:
            go_on(world, name, others)
            return Evidence(export(world, self.room() / "archive"), mails_of(world))


@dataclass(frozen=True)
class Evidence:
    """What is left of a game: the archive that the host gives away, and the mails that each player has kept. `theirs` is
    another archive that some are given."""

    archive: Path
    mails: Mails
    theirs: Mapping[str, Path] = field(default_factory=dict[str, Path])


def go_on(world: World, name: str, others: Mapping[str, Move | None]) -> None:
    """The moves from one on, or others in place of some."""
    for key in list(MOVES)[list(MOVES).index(name) :]:
        move = others.get(key, MOVES[key])
        if move is not None:
            move(world)


def mails_of(world: World) -> Mails:
    """What each seat has been sent."""
    return {seat: tuple(opened(mail.raw) for mail in world.outbox("", seat)) for seat in SEATS}


def joined(*several: Mails) -> dict[str, tuple[bytes, ...]]:
    """Mails of one time and of another, each once."""
    return {seat: tuple(dict.fromkeys(raw for mails in several for raw in mails[seat])) for seat in SEATS}


def _keep(world: World) -> _Kept:
    world.desk.engine.dispose()
    ledger, entropy = (world.folder / "ledger.sqlite").read_bytes(), world.desk.entropy
    assert isinstance(entropy, SteadyEntropy)
    return _Kept(ledger, entropy.drawn, world.uid, world.now, mails_of(world))
