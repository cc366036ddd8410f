"""The club: who plays in which game, and how each of them writes. Everybody answers a report once, some hours after it came, in
the dress of some mail program; some sleep, and some write this and that besides."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

from pbmd.rules.options import complete
from pbmd.rules.registry import get
from pbmd.simulate import signups
from tests.acceptance.players import text_of
from tests.post.dresses import AROUND, IN_THE_FORM, Filled, offered

Table = tuple[str, int, str]
"""A ruleset, how many players, and their deadline."""
TABLES: tuple[Table, ...] = (
    ("diplomacy", 7, "every day 20:00 UTC"),
    ("galactic_overlord", 9, "every day 20:00 UTC"),
    ("cosmic_conquest", 12, "every day 21:00 UTC"),
    ("local_cluster", 7, "8h"),
    ("societies", 12, "every day 19:00 UTC"),
    ("starship_squadrons", 2, "every day 20:30 UTC"),
)
SERIAL = "X-Week"
_DRESSES = tuple({**IN_THE_FORM, **AROUND}.values())
_SLEEPS = 0.06
"""The share of steps that somebody misses."""
_BESIDES = 0.25
"""The share of reports to which somebody writes something else, too."""
_LONGEST = timedelta(hours=16)
"""Within this most answers are written."""


@dataclass(frozen=True)
class Member:
    """Somebody who plays in a game."""

    game: str
    seat: str
    address: str


@dataclass(frozen=True)
class Written:
    """A letter, when it is sent, and whether pbmd must answer it."""

    serial: int
    at: datetime
    to: str
    """The local part of its recipient."""
    member: Member
    raw: bytes
    message_id: str
    answered: bool = True


@dataclass
class Club:
    """All members, and what they have seen so far."""

    chance: random.Random
    members: list[Member] = field(default_factory=list[Member])
    letters: list[Written] = field(default_factory=list[Written])
    _seen: dict[Member, int] = field(default_factory=dict[Member, int])

    def new_game(self, slug: str, players: int, number: int, folder: Path) -> tuple[str, Path]:
        """The name of another game, and the file of its players, who join the club."""
        name = f"{slug.replace('_', '-')}-{number}"
        rules, file = get(slug), folder / f"players-{name}.toml"
        entries: list[str] = []
        for place, signup in enumerate(signups(rules, players, complete(rules.info.options, {})), start=1):
            member = Member(name, signup.seat, f"member{place}.{name}@players.test")
            self.members.append(member)
            setup = json.dumps([line.text for line in signup.lines])
            entries.append(f'[[players]]\nseat = {json.dumps(signup.seat)}\naddress = "{member.address}"\nsetup = {setup}\n')
        file.write_text("\n".join(entries), encoding="utf-8")
        return name, file

    def look(self, now: datetime, mails_to: Callable[[str], Sequence[EmailMessage]]) -> Iterator[Written]:
        """What the members write in answer to what has come since they last looked."""
        for member in self.members:
            mails = mails_to(member.address)
            new, self._seen[member] = mails[self._seen.get(member, 0) :], len(mails)
            for mail in new:
                if _asks_for_orders(mail):
                    yield from self._answers(member, mail, now)

    def _answers(self, member: Member, mail: EmailMessage, now: datetime) -> Iterator[Written]:
        chance = self.chance
        if chance.random() >= _SLEEPS:
            yield self._letter(member, mail, _orders(mail, chance), now + _LONGEST * chance.random())
        if chance.random() < _BESIDES:
            write, answered = chance.choice(_OTHER_LETTERS)
            yield self._letter(member, mail, write(), now + _LONGEST * chance.random(), answered=answered)

    def _letter(
        self, member: Member, mail: EmailMessage, letter: EmailMessage, at: datetime, *, answered: bool = True
    ) -> Written:
        serial = len(self.letters) + 1
        to, message_id = str(mail["Reply-To"]), f"<week.{serial}@players.test>"
        letter[SERIAL] = str(serial)
        letter["From"] = f"{member.seat} <{member.address}>"
        letter["To"] = to
        letter["Date"] = format_datetime(at)
        letter["Subject"] = f"Re: {mail['Subject']}"
        letter["In-Reply-To"] = str(mail["Message-ID"])
        letter["Message-ID"] = message_id
        written = Written(serial, at, to.partition("@")[0], member, letter.as_bytes(), message_id, answered)
        self.letters.append(written)
        return written


def _asks_for_orders(mail: EmailMessage) -> bool:
    lines = text_of(mail).splitlines()
    return any(line.startswith("#orders") for line in lines) and "#end" in lines


def _orders(mail: EmailMessage, chance: random.Random) -> EmailMessage:
    """Some lines of the form, in some dress."""
    report = text_of(mail).splitlines()
    lines = offered(report)
    chosen = chance.sample(lines, min(len(lines), chance.randint(1, 4)))
    return chance.choice(_DRESSES)(Filled(report, frozenset(chosen), lambda line: line.removeprefix("# ")))


def _plain(text: str) -> EmailMessage:
    letter = EmailMessage()
    letter.set_content(text)
    return letter


def _away() -> EmailMessage:
    letter = _plain("I am away until Monday.")
    letter["Auto-Submitted"] = "auto-replied"
    return letter


_OTHER_LETTERS: tuple[tuple[Callable[[], EmailMessage], bool], ...] = (
    (lambda: _plain("STATUS"), True),
    (lambda: _plain("REPORT"), True),
    (lambda: _plain("HELP"), True),
    (lambda: _plain("PRESS TO ALL\nGood luck, everybody.\nEND PRESS"), True),
    (lambda: _plain("Thank you for all the work!\n\n-- \nA member of the club"), True),
    (_away, False),
)
"""What is written besides orders, and whether it must be answered."""
