"""Seeded games with mail of every kind through the desk: what nobody may see a difference in while the code moves."""

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col

from pbmd.desk.due.advance import advance_games
from pbmd.desk.due.digests import tell_news
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import GameStatus, Outbox, Seat, SeatState
from pbmd.rules import HmacDice
from pbmd.rules.options import complete
from pbmd.simulate import signups
from tests.desk.bunches import Entropy, drawn_fast
from tests.desk.world import ADDRESS, World, body_of, message_of

GAME = "galaxy-7"
PLAYERS = {
    "cosmic_conquest": 3,
    "diplomacy": 3,
    "galactic_overlord": 3,
    "local_cluster": 3,
    "societies": 3,
    "starship_squadrons": 2,
}
OPTIONS: Mapping[str, Mapping[str, Any]] = {"starship_squadrons": {"map": "duel"}}
TERMS: Mapping[str, Mapping[str, Any]] = {
    "cosmic_conquest": {"anonymous_press": True, "press_archive": "public"},
    "diplomacy": {"listed": True, "anonymous_press": True, "trust": "open"},
    "galactic_overlord": {"second_thought": "1m", "listed": True, "press_delivery": "report", "anonymous_press": True},
    "local_cluster": {"who_has_sent": "names", "reminders": ("24h", "6h"), "listed": True},
    "societies": {"trust": "open", "grace": "2h", "absences": "extend", "listed": True},
    "starship_squadrons": {"quiet_days": ("Sunday",), "minimum_time": "2h", "extension_budget": "0h"},
}
"""Each game has other terms, so that together they have most of them."""

COMMANDS = (
    "STATUS", "REPORT", "REPORT 1", "RULES", "HELP", "HELP press", "HELP xyzzy", "PRESS TO {other}\nA truce?\nEND PRESS",
    "PRESS TO ALL\nHello, all!\nEND PRESS", "ANONYMOUS PRESS TO {other}\nGuess who\nEND PRESS", "PRESS TO {other}\nnot closed",
    "PREVIEW\n{orders}\nEND PREVIEW", "WAIT", "READY", "EXTEND 5h because of a storm", "EXTEND 400h", "TIMEZONE Europe/Berlin",
    "TIMEZONE Atlantis", "ABSENT FROM 2026-12-24 TO 2026-12-28", "CANCEL ABSENCE", "CALENDAR ON", "CALENDAR OFF",
    "CANCEL ORDERS", "ORDERS", "ORDERS FOR TURN 9\n{orders}", "ORDERS FOR TURN {turn}\n{orders}", "WATCH galaxy-7", "LIST",
    "STANDBY ALL", "JOIN galaxy-7 AS Zed", "RESIGN", "NEW TOKEN",
    "ADDRESS {seat}.at.home@players.test", "{orders}\nEND\nSTATUS",
    "nonsense\n{orders}", "USE ORDERS OF TURN 1", "", "-- \nRegards", "STATUS\nPRESS TO ALL\n{token}\nEND PRESS",
)  # fmt: skip
MASTER = (
    "STATUS", "LOG 5", "HELP", "PAUSE because of a storm", "STATUS", "RESUME", "EXTEND 5h because of a storm",
    "DEADLINE in 60h",
    "QUIET Saturday, Sunday", "QUIET NONE", "HOLIDAY 2026-12-24", "NO HOLIDAY 2026-12-24", "TIMEZONE {seat} Europe/Paris",
    "TIMEZONE {seat} Atlantis", "ANNOUNCE\nGood luck\nEND ANNOUNCE", "APPROVE 1", "REFUSE 2 because it is late", "SET",
    "SET nothing 5", "PEEK {seat} because of a complaint", "RESOLVE", "CLOCK CONFIRM", "NEW TOKEN", "nonsense", "OFFER {seat}",
    "REPLACE {seat} BY newcomer@players.test", "START", "EXTEND 3h FOR {seat}", "DEADLINE yesterday",
)  # fmt: skip
VISITS = (
    "LIST", "HELP", "nonsense", "WATCH galaxy-7", "WATCH galaxy-9", "STANDBY ALL", "STANDBY galaxy-7", "UNWATCH galaxy-7",
    "JOIN galaxy-7 AS Nobody", "JOIN galaxy-9 AS Zed", "STATUS", "JOIN",
)  # fmt: skip
_MINUTE, _HOUR = timedelta(minutes=1), timedelta(hours=1)


@dataclass
class Play:
    """A desk with a game, and chance that is the same in every run."""

    world: World
    slug: str
    chance: random.Random
    letters: int = 0
    answered: set[str] = field(default_factory=set[str])

    # Letters

    def write(self, sender: str, to: str, text: str, answers: Outbox | None = None, **headers: str) -> None:
        """A letter arrives, is dealt with, and so are the questions that came of it."""
        self.letters += 1
        letter = EmailMessage()
        letter["From"], letter["To"] = sender, to
        letter["Subject"] = f"Re: {message_of(answers)['Subject']}" if answers else f"letter {self.letters}"
        letter["Message-ID"] = f"<letter{self.letters}@players.test>"
        if answers:
            letter["In-Reply-To"] = answers.message_id
        for name, value in headers.items():
            letter[name.replace("_", "-")] = value
        letter.set_content(text)
        self.put(letter)
        self.say_yes()

    def put(self, letter: EmailMessage) -> None:
        """Whatever letter arrives and is dealt with."""
        self.world.now += self.chance.choice([timedelta(0), _MINUTE, 7 * _MINUTE])
        self.world.arrive(letter.as_bytes())
        self.settle()

    def settle(self) -> None:
        """The mailbox is read, and all that is due is done."""
        self.world.read_mailbox()
        process_letters(self.world.desk)
        advance_games(self.world.desk)
        tell_news(self.world.desk)

    def say_yes(self) -> None:
        """Who is asked something says YES, now and then NO, and sometimes nothing."""
        for mail in self.world.mails(col(Outbox.key).startswith("question")):
            if mail.key in self.answered:
                continue
            self.answered.add(mail.key)
            said = self.chance.choice(["YES", "YES", "YES", "YES, please", "NO", ""])
            if said:
                self.write(mail.recipient, str(message_of(mail)["Reply-To"]), said, mail)

    def player(self, seat: Seat, text: str) -> None:
        """A player writes, in reply to a mail of the game mostly."""
        sent = self.world.mails(col(Outbox.recipient) == seat.address)
        answers = self.chance.choice([None, *sent[-3:]]) if sent else None
        to = self.world.reply_address(seat.name) if self.chance.random() < 0.9 else ADDRESS
        self.write(seat.address, to, self.words(text, seat), answers)

    def master(self, text: str, seat: Seat) -> None:
        """The game master writes, in reply to a mail with the token."""
        mails = self.world.mails(col(Outbox.recipient) == self.world.desk.settings.server.gm)
        with_token = [mail for mail in mails if "+" in str(message_of(mail)["Reply-To"])]
        mail = with_token[-1]
        self.write(mail.recipient, str(message_of(mail)["Reply-To"]), self.words(text, seat), mail)

    def words(self, text: str, seat: Seat) -> str:
        """A text with its places filled in."""
        other = next((each.name for each in self.seats() if each.name != seat.name), seat.name)
        token = self.world.reply_address(seat.name).partition("+")[2].partition("@")[0]
        orders = self.orders(seat) if "{orders}" in text else ""
        turn = self.world.game().turn
        return text.format(other=other, seat=seat.name, orders=orders, turn=turn, token=token)

    # The game

    def seats(self) -> list[Seat]:
        """Those that somebody plays."""
        return [seat for seat in self.world.rows(Seat) if seat.state is SeatState.ACTIVE]

    def orders(self, seat: Seat) -> str:
        """Orders by chance, fit for the position or nearly so; none from those who are out of the game."""
        rules = self.world.desk.ruleset(self.slug)
        position = rules.load(self.world.position())
        dice = HmacDice(f"{self.slug} {self.letters}".encode(), b"orders")
        on_file = [sheet.seat for sheet in rules.sheets(position)]
        can_play = seat.name in (*rules.awaiting(position), *on_file) or rules.sequential
        is_in = can_play and rules.outcome(position) is None
        return (rules.random_orders(position, seat.name, dice) if is_in else "") or "ORDERS"

    def is_over(self) -> bool:
        """Whether nothing can happen in it any more."""
        return self.world.game().status is GameStatus.FINISHED


@contextmanager
def play(folder: Path, slug: str, patch: pytest.MonkeyPatch, seed: int, rounds: int) -> Iterator[Play]:
    """A whole game at a desk of its own, with sign-ups by mail, visitors, and so many rounds; maps are not drawn."""
    drawn_fast(patch)
    folder.mkdir(parents=True, exist_ok=True)
    world = World(folder)
    world.desk = replace(world.desk, entropy=Entropy(world.desk.engine))
    generous = ("answers_per_hour", "answers_per_day", "confirmations_per_day", "press_per_hour", "press_per_day")
    world.settle(limits=dict.fromkeys(generous, 10_000))
    played = Play(world, slug, random.Random(f"{slug} {seed}"))
    _sign_up(played)
    _play_on(played, rounds)
    _finish(played)
    yield played
    world.close()


def _sign_up(play: Play) -> None:
    world, slug = play.world, play.slug
    options = OPTIONS.get(slug, {})
    world.open(GAME, ruleset=slug, options=options, **TERMS[slug])
    world.master("STATUS")
    for text in VISITS:
        play.write("carol@strangers.test", ADDRESS, text)
    rules = world.desk.ruleset(slug)
    for number, signup in enumerate(signups(rules, PLAYERS[slug], complete(rules.info.options, options))):
        play.write(f"player{number}@players.test", ADDRESS, f"JOIN {GAME} AS {signup.seat}\nnonsense")
        lines = "\n".join([f"JOIN {GAME} AS {signup.seat}", *(line.text for line in signup.lines)])
        while not any(seat.name == signup.seat for seat in play.seats()):
            play.write(f"player{number}@players.test", ADDRESS, lines)
    while play.world.game().status is GameStatus.SIGNUP:
        play.master("START", play.seats()[0])


def _play_on(play: Play, rounds: int) -> None:
    """So many rounds: orders of all, or of most; of the commands and those of the game master some each; letters of others."""
    for number in range(rounds):
        if play.is_over():
            return
        if play.world.game().status is GameStatus.PAUSED:
            play.master("RESUME", play.seats()[0])
        for seat in play.seats():
            for text in COMMANDS[number::rounds][play.seats().index(seat) :: len(play.seats())]:
                play.player(seat, text)
        for text in MASTER[number::rounds]:
            play.master(text, play.chance.choice(play.seats()))
        _others(play, number)
        for seat in play.seats():
            if play.chance.random() < 0.85 and not play.is_over():
                play.player(seat, "{orders}")
        for hours in (40, 20, 30):
            if not play.is_over():
                play.world.now += hours * _HOUR
                play.settle()


def _others(play: Play, number: int) -> None:
    """Letters that are nobody's orders, or are written as mail programs do."""
    seat = play.seats()[number % len(play.seats())]
    report = play.world.mails(col(Outbox.recipient) == seat.address)[-1]
    to = str(message_of(report)["Reply-To"])
    quoted = "".join(f"> {line}\n" for line in body_of(report).splitlines())
    letters: list[tuple[str, str, Mapping[str, str]]] = [
        (seat.address, f"{play.orders(seat)}\n\n{quoted}", {}),
        (seat.address, quoted.replace("> # ", "> ", 2), {}),
        ("stranger@elsewhere.test", play.orders(seat), {}),
        (seat.address, "I am away", {"Auto_Submitted": "auto-replied"}),
        ("MAILER-DAEMON@players.test", "It came back", {"Return_Path": "<>"}),
    ]
    sender, text, headers = letters[number % len(letters)]
    play.write(sender, to, text, report, **headers)


def _finish(play: Play) -> None:
    """The turn before is played again, a seat changes hands, and the game is ended."""
    turn = play.world.game().turn
    if turn > 1 and not play.is_over():
        _till(play, f"ROLLBACK TO TURN {turn - 1} because of a mistake", lambda: play.world.game().turn < turn)
        for seat in play.seats():
            play.player(seat, f"USE ORDERS OF TURN {turn - 1}")
        if play.world.game().status is GameStatus.PAUSED:
            play.master("RESUME", play.seats()[0])
    if not play.is_over():
        seats = len(play.seats())
        _till(play, "EJECT {seat} because of silence", lambda: play.is_over() or len(play.seats()) < seats)
    if not play.is_over():
        _till(play, "ABANDON because it is late", play.is_over)
    play.settle()


def _till(play: Play, text: str, done: Callable[[], bool]) -> None:
    for _ in range(10):
        if not done():
            play.master(text, (play.seats() or play.world.rows(Seat))[-1])
            play.world.now += 25 * _HOUR
