"""A whole game by mail on this machine: a local post office, the daemon, and players who write as real players do.

There are no short cuts: orders go in by SMTP and are read from IMAP, reports return the same way.
"""

import mailbox
import shutil
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import tomli_w
from sqlmodel import col, func, select

from pbmd.daemon.threads import Daemon
from pbmd.demo import TURNS
from pbmd.demo.office import LocalOffice, OfficeError
from pbmd.demo.players import ANSWER_SECONDS, DOMAIN, GAME, DemoPlayer, Ways, is_report_with_form
from pbmd.desk.books.desk import Desk, open_desk, private_files
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes import gm, new_game
from pbmd.desk.step.game_transaction import change_games, changing_games
from pbmd.ledger.tables import GameStatus, Letter, LogLine, Outbox
from pbmd.rendering.map_parts import MapError
from pbmd.rendering.render import load_templates
from pbmd.rules.dice import HmacDice
from pbmd.rules.options import OptionValue, complete
from pbmd.rules.protocol import Refused, Ruleset, Signup, Status
from pbmd.rules.sheets import sheet_of
from pbmd.settings import Settings, read_settings
from pbmd.simulate import Plan, set_up, signups

GIVE_UP_SECONDS = 300
"""How long nothing may happen, on however slow a machine."""
_PLAYERS = 4
_MOST_TRIES = 5
"""How many letters with orders a player whose letters are refused writes for one step."""
_USUAL = (Ways("reply"), Ways("html", misspells=1), Ways("form"), Ways("reply", forgets=2))
_LATE = Ways("reply", forgets=2, late=2)
_ALL = (
    (Ways("form", misspells=1, asks=1, forgets=2, late=2),),
    (Ways("form", misspells=1, asks=1, greets=1), _LATE),
    (Ways("reply", asks=1, greets=1), Ways("html", misspells=1), _LATE),
    (Ways("reply", greets=1), Ways("html", misspells=1), Ways("form", asks=1), _LATE),
)
"""What one, two, three and four players do. More players are like the third."""


class DemoStuck(RuntimeError):
    """The demo game did not reach its end: a bug in pbmd or in the ruleset, since it always should."""


@dataclass(frozen=True)
class Stage:
    """What is played by whom: the ruleset by the name under which the desk finds it, with the `folder` it is in, if it is not
    installed. Each sign-up has its `ways`. After this many `turns` the game ends, finished or not."""

    name: str
    folder: Path | None
    rules: Ruleset[Any]
    options: Mapping[str, OptionValue]
    signups: tuple[Signup, ...]
    ways: tuple[Ways, ...]
    turns: int
    deadline: str = "12s"
    reminder: str = "5s"
    poll_seconds: int = 5

    @property
    def mailboxes(self) -> tuple[str, ...]:
        """The local parts of the players' addresses."""
        names = [signup.seat.lower() for signup in self.signups]
        plain = all(name.isascii() and name.isalnum() for name in names) and not {"games", "gm"} & {*names}
        return tuple(names) if plain else tuple(f"player{number}" for number in range(1, len(names) + 1))

    @property
    def step_word(self) -> str:
        """What is resolved at once."""
        return {"simultaneous": "turn", "sequential": "move"}.get(self.rules.info.timing, "phase")


@dataclass(frozen=True)
class Played:
    """What the demo left behind, and how the game ended."""

    folder: Path
    steps: int
    outcome: str
    letters: int
    mails: int
    maps_not_drawn: tuple[MapError, ...]


def usual_stage(rules: Ruleset[Any], name: str, turns: int = TURNS) -> Stage:
    """Four players, one of whom misspells a word, and one forgets a turn; otherwise nothing out of the ordinary."""
    return replace(stage_of(rules, name, None, turns), ways=_USUAL)


def stage_of(rules: Ruleset[Any], name: str, folder: Path | None, turns: int) -> Stage:
    """A demo of any ruleset: with four players, or as near to that as it allows. If the rules can end the game after this many
    turns, they do.

    Raises `Refused` if no number of players makes a game.
    """
    options: dict[str, OptionValue] = {"turn_limit": turns} if "turn_limit" in rules.info.options else {}
    people = _signups(rules, options)
    few = _ALL[min(len(people), len(_ALL)) - 1]
    ways = (*few[:-1], *few[-2:-1] * (len(people) - len(few)), few[-1])
    return Stage(name, folder, rules, options, people, ways, turns)


def _signups(rules: Ruleset[Any], options: Mapping[str, OptionValue]) -> tuple[Signup, ...]:
    info, chosen = rules.info, complete(rules.info.options, options)
    numbers = range(info.min_seats, (info.max_seats or max(_PLAYERS, info.min_seats)) + 1)
    refused = Refused(f"{info.title} makes no game of any number of players")
    for number in sorted(numbers, key=lambda number: (abs(number - _PLAYERS), number)):
        try:
            set_up(Plan(lambda: rules, number, chosen, 1, 1), 1)
            return signups(rules, number, chosen)
        except Refused as problem:
            refused = problem
    raise refused


def play(stage: Stage, to: Path, show: Callable[[LogLine], None], seed: int = 1) -> Played:
    """Play the demo game in the folder `to`, which is emptied first; `show` gets each line of the dashboard log as it comes.

    Raises `DemoStuck`, or `OfficeError` without the extra ``demo`` and on a machine that is too slow; and what the ruleset
    raises, before the game has begun.
    """
    if to.exists():
        shutil.rmtree(to)
    (to / "mail").mkdir(parents=True)
    with ExitStack() as stack:
        office = stack.enter_context(LocalOffice(DOMAIN, ["games", "gm", *stage.mailboxes]))
        troubles: list[BaseException] = []
        desk = open_desk(_settings(stage, to, office))
        desk = replace(desk, rules={stage.name: stage.rules}, troubled=troubles.append)
        stack.callback(desk.engine.dispose)
        _make_game(stage, desk)
        stack.enter_context(_running(Daemon(desk)))
        players = [
            DemoPlayer(signup.seat, f"{local}@{DOMAIN}", ways, office, mailbox.mbox(to / "mail" / f"{local}.mbox"))
            for signup, local, ways in zip(stage.signups, stage.mailboxes, stage.ways, strict=True)
        ]
        for player in players:
            stack.callback(player.close)
        try:
            _play_on(stage, desk, players, show, seed, troubles)
        except TimeoutError as problem:
            slow = f"the post office of the demo has not answered for {ANSWER_SECONDS} s; has this machine too much else to do?"
            raise OfficeError(slow) from problem
        return _played(stage, desk, to, troubles)


def _settings(stage: Stage, to: Path, office: LocalOffice) -> Settings:
    """A settings file like any GM's, so that all commands work on what the demo leaves behind."""
    content = {
        **({"rulesets": [str(stage.folder)]} if stage.folder else {}),
        "server": {"address": f"games@{DOMAIN}", "gm": f"gm@{DOMAIN}", "data": "."},
        "imap": {
            "host": office.host,
            "port": office.imap_port,
            "tls": "none",
            "user": "games",
            "password": office.password,
            "poll_seconds": stage.poll_seconds,
            "clock_tolerance_seconds": 0,
        },
        "smtp": {"host": office.host, "port": office.smtp_port, "tls": "none"},
        "limits": {"answers_per_hour": 1000, "answers_per_day": 1000},  # its players are programs, and in a hurry
        "game": {"deadline": stage.deadline, "second_thought": "0m", "reminders": [stage.reminder]},
    }
    file = to / "pbmd.toml"
    with private_files():  # it contains a password
        file.write_text(tomli_w.dumps(content), encoding="utf-8")
    return read_settings(file)


def _make_game(stage: Stage, desk: Desk) -> None:
    load_templates([stage.rules.info])

    def make(work: Transaction) -> None:
        table = new_game.create_game(work, GAME, stage.name, desk.settings.game, dict(stage.options))
        for signup, local in zip(stage.signups, stage.mailboxes, strict=True):
            newcomer = new_game.Newcomer(f"{local}@{DOMAIN}", signup.holder or signup.seat)
            for verdict in new_game.add_seat(work, table, signup, newcomer):
                if verdict.status is Status.ERROR:
                    raise Refused(f"{signup.seat}: {verdict.message}")
        new_game.start_game(work, table)

    change_games(desk, make)


@contextmanager
def _running(daemon: Daemon) -> Generator[None]:
    thread = threading.Thread(target=daemon.run, name="pbmd")
    thread.start()
    try:
        yield
    finally:
        daemon.stop()
        thread.join()


def _play_on(
    stage: Stage,
    desk: Desk,
    players: list[DemoPlayer],
    show: Callable[[LogLine], None],
    seed: int,
    troubles: Sequence[BaseException],
) -> None:
    shown = 0
    give_up = time.monotonic() + GIVE_UP_SECONDS
    # The game is over when everybody has the last mail about it in their mailbox.
    while not all(player.told_the_end for player in players):
        for player in players:
            for message in player.new_mails():
                _read(desk, player, message, seed)
        before, shown = shown, _show_new(desk, show, shown)
        if shown > before:
            give_up = time.monotonic() + GIVE_UP_SECONDS
        _must_go_on(desk, troubles, late=time.monotonic() > give_up)
        _end_after(stage.turns, desk)
        time.sleep(0.02)
    _show_new(desk, show, shown)


def _must_go_on(desk: Desk, troubles: Sequence[BaseException], *, late: bool) -> None:
    """Raises `DemoStuck` if the game has stopped; its cause is the newest of the `troubles` that can stop a game."""
    with Transaction(desk, reads=True) as work:
        table = _table(work)
        if table.game.status is GameStatus.PAUSED:
            cause = next((trouble for trouble in reversed(troubles) if not isinstance(trouble, MapError)), None)
            raise DemoStuck("the game cannot go on, because of a defect") from cause
        if late:
            awaited = ", ".join(table.awaiting) or "nobody"
            raise DemoStuck(f"nothing has happened in the demo game for {GIVE_UP_SECONDS} s; orders are awaited of: {awaited}")


def _end_after(turns: int, desk: Desk) -> None:
    """The game master ends a game that has lasted long enough for a demo."""
    with Transaction(desk, reads=True) as work:
        game = _table(work).game
        if game.status is not GameStatus.RUNNING or game.turn <= turns:
            return
    with changing_games(desk) as work:
        table = _table(work)
        if table.game.status is GameStatus.RUNNING:
            gm.abandon(work, table, f"the demo ends after turn {turns}")


def _read(desk: Desk, player: DemoPlayer, message: EmailMessage, seed: int) -> None:
    """Answer a report that wants orders, and the mail that says that one's last orders were refused."""
    with_form = is_report_with_form(message)
    if not with_form and message["In-Reply-To"] != player.last_sent:
        return
    with Transaction(desk, reads=True) as work:
        table = _table(work)
        rules, position = table.ruleset, table.position
        if table.game.status is not GameStatus.RUNNING or player.seat not in rules.awaiting(position):
            return
        step = f"{table.game.turn} {table.game.step_name}"
        refused = step in player.wrote_for and sheet_of(rules.sheets(position), player.seat) is None
        if not with_form and (not refused or player.tries == _MOST_TRIES):
            return
        first = player.begin(step)
        again = f" {player.tries}" if player.tries > 2 else ""  # the second time it is the same without the slip
        dice = HmacDice(seed.to_bytes(8, "big"), f"{player.seat} {table.game.turn}{again}".encode())
        orders = rules.random_orders(position, player.seat, dice)
    if first:
        player.answer_report(message, orders)
    else:
        player.write(message, orders)


def _table(work: Transaction) -> OpenGame:
    table = work.table_named(GAME)
    assert table is not None
    return table


def _show_new(desk: Desk, show: Callable[[LogLine], None], shown: int) -> int:
    with Transaction(desk, reads=True) as work:
        for line in work.session.exec(select(LogLine).where(col(LogLine.id) > shown).order_by(col(LogLine.id))):
            show(line)
            shown = line.id or shown
    return shown


def _played(stage: Stage, desk: Desk, folder: Path, troubles: Sequence[BaseException]) -> Played:
    with Transaction(desk, reads=True) as work:
        table = _table(work)
        outcome = table.ruleset.outcome(table.position)
        letters = work.session.exec(select(func.count()).select_from(Letter)).one()
        mails = work.session.exec(select(func.count()).select_from(Outbox)).one()
        undecided = f"Nobody had won after turn {stage.turns}, and the demo ended the game."
        ended = outcome.told(table.ruleset.seats(table.position)) if outcome else undecided
        not_drawn = tuple(trouble for trouble in troubles if isinstance(trouble, MapError))
        return Played(folder, table.game.step, ended, letters, mails, not_drawn)
