"""The game that is played at a local desk: the seats of whoever sits before it, those of random players, and its steps."""

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError
from sqlalchemy.exc import SQLAlchemyError

from pbmd.desk.books.report_files import SVG, wanted
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes import new_game
from pbmd.desk.mail.queue import reply_address
from pbmd.desk.mail.tags import seat_tag
from pbmd.desk.step.game_transaction import change_games
from pbmd.files import keep_file
from pbmd.ledger.damage import DamagedLedger, UnfitLedger
from pbmd.ledger.schema import WrongSchema
from pbmd.ledger.tables import GameStatus
from pbmd.play.local_desk import DOMAIN, LocalDesk, Moment, letter, text_of
from pbmd.play.recording import Rolled, lasting_words
from pbmd.play.story import Act, Answer, Letter, Report, Rolls, SignUp, StepEnd
from pbmd.rendering.render import environment, load_templates, report_text
from pbmd.rules import GM, Line, Mail
from pbmd.rules.dice import HmacDice
from pbmd.rules.options import OptionValue
from pbmd.rules.protocol import Refused, Ruleset, Signup, Status
from pbmd.terms.terms import Terms
from pbmd.terms.times import EPOCH

_NAME = "practice"
"""What the game is called in its mails. One that an older pbmd has saved may have another name."""
_ONLY = 1
"""The number of the only game of a ledger."""
_TERMS = Terms.model_validate({"deadline": "24h", "early": False, "second_thought": "0m", "reminders": (), "digest": "off"})
_MOST_TRIES = 5
"""How many letters a random player writes for one step whose orders are refused."""
_MOST_STEPS = 500
"""So many steps without anything for a person to do are no game."""
_REPORT = "report"
"""The kind of mails that are reports."""
_SAVED, _LEDGER = "play.json", "ledger.sqlite"


class NotSavedError(ValueError):
    """A file that is no saved game. The message says why."""


class Delivered(NamedTuple):
    """A mail, whose seat it is for, and whether it is a report, or what begins the game."""

    seat: str
    mail: EmailMessage
    is_report: bool


class State(NamedTuple):
    """How the game stands: what players call the step it is in, which seats are awaited, which have sent orders, and how it
    has ended, if it has. `is_stopped`: its rules have failed, and nothing goes on."""

    step: str
    awaited: tuple[str, ...]
    sent: tuple[str, ...]
    outcome: str = ""
    is_stopped: bool = False


class _Past(NamedTuple):
    """How all was before `what` was done, which is told when it is taken back, with the number of acts until then."""

    moment: Moment
    acts: int
    what: str


class Saved(BaseModel):
    """What is saved of a game beside its ledger."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    ruleset: str
    path: str
    seed: int
    mine: tuple[str, ...]
    now: datetime
    drawn: int
    letters: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: the rules by the `name` under which the desk finds them, the `path` by which a user names them, who takes
    part, and which of them are played by a person. `pictures`: their mails have maps as pictures, for a terminal that can show
    them; pages have drawings."""

    name: str
    path: str
    rules: Ruleset[Any]
    options: Mapping[str, OptionValue]
    signups: tuple[Signup, ...]
    mine: tuple[str, ...]
    seed: int
    pictures: bool = False


class PlayedGame:
    """A game that is played. What it returns are the mails that it has caused to the person's own seats."""

    def __init__(self, desk: LocalDesk, name: str, rolled: Rolled | None = None) -> None:
        self.desk, self.name = desk, name
        self.acts: list[Act] = []
        self._rolled = rolled
        self._past: list[_Past] = []

    @property
    def rules(self) -> Ruleset[Any]:
        """The rules by which it is played."""
        return self.desk.desk.rules[self.name]

    @property
    def mine(self) -> tuple[str, ...]:
        """The seats that a person plays."""
        return self.desk.mine

    @property
    def seats(self) -> tuple[str, ...]:
        """All seats, in the order of sign-up."""
        with Transaction(self.desk.desk, reads=True) as work:
            return tuple(seat.name for seat in played_table(work).seats)

    def state(self) -> State:
        """How it stands."""
        with Transaction(self.desk.desk, reads=True) as work:
            table = played_table(work)
            rules, position = table.ruleset, table.position
            if table.game.status is GameStatus.FINISHED:
                outcome = rules.outcome(position)
                told = outcome.told(rules.seats(position)) if outcome else "The game was ended."
                return State(table.game.step_called, (), (), told)
            sent = tuple(sheet.seat for sheet in rules.sheets(position))
            stopped = table.game.status is not GameStatus.RUNNING
            return State(table.game.step_called, tuple(rules.awaiting(position)), sent, is_stopped=stopped)

    def take(self, seat: str) -> None:
        """Have a person play a seat, too. Its reports have maps from then on."""
        self.desk.mine = tuple(each for each in self.seats if each in (*self.mine, seat))

    def form(self, seat: str) -> str:
        """The order form of a seat that is awaited, or whose orders are in and can be changed; "" for others."""
        with Transaction(self.desk.desk, reads=True) as work:
            table = played_table(work)
            rules, position = table.ruleset, table.position
            sent = (sheet.seat for sheet in rules.sheets(position))
            return rules.order_form(position, seat) if seat in (*rules.awaiting(position), *sent) else ""

    def orders(self, seat: str) -> tuple[str, ...]:
        """The lines of a seat's orders that are in."""
        with Transaction(self.desk.desk, reads=True) as work:
            table = played_table(work)
            return tuple(line for sheet in table.ruleset.sheets(table.position) if sheet.seat == seat for line in sheet.lines)

    def is_order(self, seat: str, line: str) -> bool:
        """Whether the rules take this line, by itself, for an order of a seat. Nothing is filed."""
        with Transaction(self.desk.desk, reads=True) as work:
            table = played_table(work)
            mail = Mail(seat, (Line(1, line),), ((self.desk.now - EPOCH) // timedelta(microseconds=1), 0))
            try:
                verdicts = table.ruleset.receive(table.position, mail).verdicts
            except Exception:  # whatever is wrong with the rules is told when a letter comes
                return False
            return any(verdict.status is not Status.ERROR for verdict in verdicts)

    def revealed(self) -> str:
        """What a game master could look up: the orders on file of all seats, and the whole position."""
        with Transaction(self.desk.desk, reads=True) as work:
            table = played_table(work)
            rules, position = table.ruleset, table.position
            sheets = [f"{sheet.seat}\n" + "".join(f"  {line}\n" for line in sheet.lines) for sheet in rules.sheets(position)]
            return "\n".join([*(sheets or ["No orders are in.\n"]), report_text(rules, rules.view(position, (), GM))])

    def write(self, seat: str, text: str) -> list[Delivered]:
        """Send a letter from a seat. Moves that it is the turn of random players to make after it are made. If it is
        interrupted, nothing was done."""
        with self._kept("your letter" if len(self.mine) == 1 else f"the letter of {seat}"):
            return self._caused(lambda: self._write(seat, text))

    def resolve(self) -> list[Delivered]:
        """Let the others write, and the deadline pass, in a game of moves until the turn is over; and go on to the next step in
        which there is something to do for a person, or to the next turn where there is nothing. If it is interrupted, nothing
        was done."""
        with self._kept(f"the resolution of {self.state().step}"):
            mails = self._caused(self._resolve)
            self._note_reports(mails)
            return mails

    def end_step(self) -> list[Delivered]:
        """Let the deadline pass, whoever has written or not."""
        return self._caused(self._pass_deadline)

    def undo(self) -> str:
        """Take back the last letter or resolution; returns which, "" if there is none."""
        if not self._past:
            return ""
        moment, acts, what = self._past.pop()
        self.desk.restore(moment._replace(ledger=zlib.decompress(moment.ledger)))
        del self.acts[acts:]
        return what

    def begun(self) -> list[Delivered]:
        """The mails of the beginning."""
        mails = self._caused(self._let_others_move, after=0)
        self._note_reports(mails)
        return mails

    def latest(self) -> list[Delivered]:
        """The last report of each of the person's seats, or what it got when the game began."""
        return [last for seat in self.mine if (last := self.last_report(seat))]

    def last_report(self, seat: str) -> Delivered | None:
        """The last report of a seat, or what it got when the game began; None if it was mailed nothing."""
        return next((each for each in reversed(self._mails(seat, 0)) if each.is_report), None)

    def troubles(self) -> list[BaseException]:
        """What the rules have raised since this was asked last; the game stops at such a thing."""
        found, self.desk.troubles[:] = [*self.desk.troubles], []
        return found

    def reload(self, rules: Ruleset[Any]) -> str:
        """Play on by new rules; returns why that cannot be, if the position does not load by them. Then the old ones stay."""
        with Transaction(self.desk.desk, reads=True) as work:
            document = played_table(work).game.position
        try:
            rules.dump(rules.load(json.loads(document)))
        except Exception as problem:
            # They are being written: whatever is wrong with them is for their author to read.
            return f"{type(problem).__name__}: {problem}"
        environment.cache_clear()  # they may be other templates, too
        load_templates([rules.info])
        self.desk.use({self.name: self._rolled.noted(rules) if self._rolled else rules})
        return ""

    def save(self, file: Path, path: str) -> None:
        """Save the game; `path` is how a user names its ruleset. Raises `OSError`."""
        now = self.desk.moment()
        saved = Saved(
            ruleset=self.name,
            path=path,
            seed=self.desk.seed,
            mine=self.mine,
            now=now.now,
            drawn=now.drawn,
            letters=now.letters,
        )
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr(_SAVED, saved.model_dump_json(indent=2))
            packed.writestr(_LEDGER, now.ledger)
        keep_file(file, content.getvalue())

    # What happens

    @contextmanager
    def _kept(self, what: str) -> Generator[None]:
        """Keep how all is before something is done that can be taken back."""
        now = self.desk.moment()
        packed = now._replace(ledger=zlib.compress(now.ledger, 1))  # of a long game there are many
        self._past.append(_Past(packed, len(self.acts), what))
        try:
            yield
        except KeyboardInterrupt:
            self.undo()
            raise

    def _note(self, act: Act) -> None:
        """Note what was done for a story, behind the dice that fell."""
        if self._rolled:
            self.acts += [Rolls(self._rolled.take(), 0), act]

    def _note_reports(self, mails: Sequence[Delivered]) -> None:
        for seat, mail, _ in mails:
            if words := lasting_words(text_of(mail)):
                self._note(Report(seat, words, 0))

    def _write(self, seat: str, text: str) -> None:
        before = self.desk.last_mail()
        self._send(seat, text)
        answers = self._mails(seat, before)
        if answers and (words := lasting_words(text_of(answers[0].mail))):
            self._note(Answer(seat, words, 0))
        self._let_others_move()

    def _caused(self, act: Callable[[], object], after: int | None = None) -> list[Delivered]:
        before = self.desk.last_mail() if after is None else after
        act()
        return [delivered for seat in self.mine for delivered in self._mails(seat, before)]

    def _mails(self, seat: str, after: int) -> list[Delivered]:
        return [Delivered(seat, mail, kind == _REPORT) for kind, mail in self.desk.mails(after, self._address(seat))]

    def _address(self, seat: str) -> str:
        return f"player{self.seats.index(seat) + 1}@{DOMAIN}"

    def _send(self, seat: str, text: str) -> None:
        with Transaction(self.desk.desk, reads=True) as work:
            table = played_table(work)
            to = reply_address(work, seat_tag(work, table.seat(seat)))
            subject = f"{table.game.name}, {seat}: {table.game.step_called}"
        self.desk.write(letter(f"{seat} <{self._address(seat)}>", to, subject, text).as_bytes())
        self._note(Letter(seat, tuple(text.splitlines()), 0))

    def _resolve(self) -> None:
        turn = self._step()[0]
        self._go_on()
        if self.rules.sequential:
            self._go_on_while(lambda: self._is_running() and self._step()[0] == turn, f"and turn {turn} is not over")
        turn = self._step()[0]
        idle = f"without anything to do for {', '.join(self.mine)}"
        self._go_on_while(lambda: self._nothing_to_do() and self._step()[0] == turn, idle)

    def _go_on_while(self, is_so: Callable[[], bool], why: str) -> None:
        """Steps, one after the other; `why` says what is wrong where there is no end of them."""
        for _ in range(_MOST_STEPS):
            if not is_so():
                return
            self._go_on()
        raise RuntimeError(f"{_MOST_STEPS} steps came one after the other {why}")

    def _is_running(self) -> bool:
        state = self.state()
        return not state.outcome and not state.is_stopped

    def _let_others_move(self) -> None:
        """In a sequential game, all moves up to the next of a person."""
        for _ in range(_MOST_STEPS):
            if not self.rules.sequential or not self._nothing_to_do():
                return
            self._go_on()

    def _go_on(self) -> None:
        begun = self._step()
        self._others_write()
        if self._step() == begun:
            self._pass_deadline()

    def _step(self) -> tuple[int, int]:
        with Transaction(self.desk.desk, reads=True) as work:
            game = played_table(work).game
            return game.turn, game.step

    def _nothing_to_do(self) -> bool:
        """Whether the game goes on, and no person is awaited."""
        state = self.state()
        return not state.outcome and not state.is_stopped and not set(state.awaited) & set(self.mine)

    def _pass_deadline(self) -> None:
        with Transaction(self.desk.desk, reads=True) as work:
            game = played_table(work).game
            until = game.deadline or game.due_at
        if until is not None:
            self.desk.pass_time(until)
            self._note(StepEnd(0))

    def _others_write(self) -> None:
        """Each random player who is awaited in this step sends orders; what is refused is tried again a few times."""
        begun = self._step()
        for tried in range(_MOST_TRIES):
            for seat, orders in self._random_orders(tried):
                if self._step() != begun:
                    return
                self._send(seat, orders)

    def _random_orders(self, tried: int) -> Iterator[tuple[str, str]]:
        """Of one seat at a time, by the position as it is then."""
        for seat in self.seats:
            if seat in self.mine:
                continue
            with Transaction(self.desk.desk, reads=True) as work:
                table = played_table(work)
                if table.game.status is not GameStatus.RUNNING or seat not in table.ruleset.awaiting(table.position):
                    continue
                chance = f"{self.desk.seed}/{seat}/{table.game.step}/{tried}"
                dice = HmacDice(hashlib.sha256(chance.encode()).digest(), b"")
                orders = table.ruleset.random_orders(table.position, seat, dice)
            yield seat, orders


def begin(desk: LocalDesk, plan: Plan, rolled: Rolled | None = None) -> PlayedGame:
    """A game as planned, begun; what happens in it is noted for a story if its dice are `rolled`. Raises `Refused`,
    `OptionError`, and what the rules raise."""
    load_templates([plan.rules.info])
    desk.mine = tuple(plan.mine)

    def make(work: Transaction) -> None:
        table = new_game.create_game(work, _NAME, plan.name, _TERMS, plan.options)
        for number, signup in enumerate(plan.signups, start=1):
            newcomer = new_game.Newcomer(f"player{number}@{DOMAIN}", "")
            for verdict in new_game.add_seat(work, table, signup, newcomer):
                if verdict.status is Status.ERROR:
                    raise Refused(f"{signup.seat}: {verdict.message}")
        _have_maps(table, pictures=plan.pictures)
        new_game.start_game(work, table)

    change_games(desk.desk, make)
    desk.work()
    game = PlayedGame(desk, plan.name, rolled)
    game.acts += [SignUp(each.seat, tuple(line.text for line in each.lines), 0) for each in plan.signups if each.lines]
    return game


def saved_in(file: Path) -> tuple[Saved, bytes]:
    """A saved game and its ledger. Raises `NotSavedError` and `OSError`."""
    try:
        with zipfile.ZipFile(file) as packed:
            return Saved.model_validate_json(packed.read(_SAVED)), packed.read(_LEDGER)
    except (zipfile.BadZipFile, KeyError, ValidationError) as problem:
        raise NotSavedError(f"{file} is no game saved by pbmd play") from problem


def load(desk: LocalDesk, saved: Saved, ledger: bytes, *, pictures: bool = False) -> PlayedGame:
    """The game as it was saved, perhaps by an older pbmd, and in another terminal: see `Plan` for `pictures`. Raises
    `NotSavedError`."""
    desk.mine = saved.mine
    try:
        desk.restore(Moment(ledger, saved.now, saved.drawn, saved.letters))
        desk.bring_up_to_date()
        with Transaction(desk.desk) as work:
            _have_maps(played_table(work), pictures=pictures)
    except (WrongSchema, DamagedLedger, UnfitLedger, SQLAlchemyError) as problem:
        raise NotSavedError(f"the saved game cannot be read: {problem}") from problem
    return PlayedGame(desk, saved.ruleset)


def _have_maps(table: OpenGame, *, pictures: bool) -> None:
    """Have mails bring their maps as pictures, which take longer than all else, or as drawings."""
    for seat in table.seats:
        seat.report_files = wanted(seat, SVG, on=not pictures)


def played_table(work: Transaction) -> OpenGame:
    """The game that is played."""
    return work.table(_ONLY)
