"""A Diplomacy club plays from September to April, through Dovecot and SMTP: seats by lists of wishes, moves on
Fridays with a day for retreats and builds, a player who falls asleep and is replaced, a substitute for two weeks, a pause over
Christmas, both changes of the clock, and a draw by vote.

The clock goes from deadline to deadline, with a `pbmd tick` at each. The year is one that is over, since Dovecot stamps no
letter with a time to come.
"""

import imaplib
import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email import policy
from email.message import EmailMessage
from hashlib import sha256
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pbmd.archive.format.entries import read_entries
from pbmd.cli import desk as desk_of_commands
from pbmd.desk.books.desk import Desk, open_desk
from pbmd.ledger.tables import Alarm, Game, GameStatus, Letter, LetterState, LogLine, Outbox, OutboxState, Seat, StepRecord
from pbmd.post.imap.wire import Client
from pbmd.rules.dice import HmacDice
from pbmd.rules.registry import get
from pbmd.settings import Settings
from pbmd.terms.substitutes import substitute_rule
from pbmd.terms.terms import Terms
from tests.acceptance.house import House, open_house, pbmd
from tests.acceptance.players import text_of
from tests.desk.world import SteadyEntropy
from tests.mailservers import PASSWORD, Dovecot

SUMMER, WINTER = timedelta(hours=2), timedelta(hours=1)
BERLIN = ZoneInfo("Europe/Berlin")
NEVER = datetime.max.replace(tzinfo=UTC)
CLUB = "friday"
RULES = get("diplomacy")
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
WISHES = {
    "ann": ("PREFER F E G", ("France", "England", "Germany")),
    "ben": ("PREFER FGE", ("France", "Germany", "England")),
    "cleo": ("PREFER [ART][EFG]I", ("Austria Russia Turkey", "England France Germany", "Italy")),
    "dan": ("PREFER any", ()),
    "eva": ("PREFER Italy, Turkey", ("Italy", "Turkey")),
    "gus": ("", ("Russia", "Turkey")),
    "finn": ("PREFER eng ger fra", ("England", "Germany", "France")),
}
"""What each writes behind JOIN, and what it means: better ones first, equal ones side by side. Gus sends his list later."""
TERMS = (
    *("--seats", "7", "--seating", "preference", "--listed"),
    *("--deadline", "every Friday 20:00 Europe/Berlin", "--deadline", "retreats=24h", "--deadline", "builds=24h"),
    *("--no-early", "moves", "--missed-in-a-row", "2", "--sleeper", "offer", "--vote", "pause", "--vote", "draw"),
)


@dataclass
class Year:
    """The club's house, and what time it is."""

    house: House
    mailbox: imaplib.IMAP4
    now: datetime
    letters: int = 0
    entropy: SteadyEntropy = field(default_factory=SteadyEntropy)
    """So that the dice give the same seats in every run."""

    def go_to(self, at: datetime) -> None:
        """It is that time, and pbmd has done what is due."""
        assert at >= self.now
        self.now = at
        self.house.pbmd("tick")

    def post(self, address: str, to: str, text: str, *, answers: EmailMessage | None = None) -> str:
        """A letter reaches the mailbox, with the time of the year as that of its arrival; gives its Message-ID."""
        self.letters += 1
        letter = EmailMessage()
        letter["From"], letter["To"] = address, to
        letter["Subject"] = f"Re: {answers['Subject']}" if answers else "the club"
        letter["Message-ID"] = f"<letter.{self.letters}@players.test>"
        if answers:
            letter["In-Reply-To"] = answers["Message-ID"]
        letter.set_content(text)
        self.now += timedelta(seconds=1)
        answer, _ = self.mailbox.append("INBOX", "", self.now, letter.as_bytes(policy=policy.SMTP))
        assert answer == "OK"
        return str(letter["Message-ID"])

    @property
    def game(self) -> Game:
        """The row of the game."""
        return self.house.rows(Game)[0]

    @property
    def deadline(self) -> datetime:
        """When orders are due."""
        assert self.game.deadline is not None
        return self.game.deadline.replace(tzinfo=UTC)

    def holder(self, power: str) -> str:
        """The address that plays a power now."""
        return next(seat.address for seat in self.house.rows(Seat) if seat.name == power)

    def power_of(self, name: str) -> str:
        """The power that a member of the club plays now."""
        return next(seat.name for seat in self.house.rows(Seat) if seat.address == address_of(name))


@dataclass
class Member:
    """Somebody of the club, who replies to the mail that came last unless it is said to which."""

    year: Year
    name: str

    @property
    def address(self) -> str:
        """Where their mail goes."""
        return address_of(self.name)

    @property
    def mails(self) -> list[EmailMessage]:
        """All that came."""
        return self.year.house.sink.of(self.address)

    def last(self, words: str = "") -> EmailMessage:
        """The last mail that says this."""
        found = [mail for mail in self.mails if words in said(mail)]
        assert found, f"{self.name} has no mail with: {words}\n" + "\n".join(str(mail["Subject"]) for mail in self.mails)
        return found[-1]

    def writes(self, text: str) -> str:
        """A letter that answers nothing; gives the answer to it."""
        return self._send(self.year.house.address, text, None)

    def replies(self, text: str, words: str = "") -> str:
        """A reply to the last mail that says this; gives the answer to it."""
        mail = self.last(words)
        return self._send(str(mail["Reply-To"]), text, mail)

    def _send(self, to: str, text: str, answers: EmailMessage | None) -> str:
        before = len(self.mails)
        self.year.post(self.address, to, text, answers=answers)
        self.year.house.pbmd("tick")
        assert len(self.mails) > before, f"{self.name} has no answer to: {text}"
        return said(self.mails[-1])


def address_of(name: str) -> str:
    return f"{name}@players.test"


def said(mail: EmailMessage) -> str:
    """Subject and text of a mail, its lines made one."""
    return " ".join(f"{mail['Subject']}\n{text_of(mail)}".split())


def berlin(*when: int) -> datetime:
    """That time in Berlin."""
    return datetime(*when, tzinfo=BERLIN).astimezone(UTC)  # pyright: ignore[reportArgumentType]


@contextmanager
def at_the_time_of(year: Year, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """All clocks show the time of the year: pbmd's own, and the mail server's in what pbmd reads it off."""

    def opened(settings: Settings) -> Desk:
        return replace(open_desk(settings), now=lambda: year.now, steady=lambda: year.now.timestamp(), entropy=year.entropy)

    def put(client: Client, folder: str, raw: bytes) -> None:
        client.append(folder, raw, [r"\Seen"], year.now)

    with monkeypatch.context() as patch:
        patch.setattr(desk_of_commands, "open_desk", opened)
        patch.setattr(Client, "put_message", put)
        yield


@pytest.mark.in_turn(3, of="long games")
@pytest.mark.dovecot
def test_a_club_plays_from_september_to_april_with_every_deadline_on_its_day(
    tmp_path: Path, dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_house(tmp_path, dovecot) as house, imaplib.IMAP4("127.0.0.1", dovecot.imap_port) as mailbox:
        mailbox.login(house.user, PASSWORD)
        settings, year = house.settings_file.read_text(), Year(house, mailbox, berlin(2024, 9, 4, 12, 0))
        # At each of two hundred steps the pages would be written anew.
        house.settings_file.write_text(f"{settings}\n[dashboard]\npages = false\n")
        with at_the_time_of(year, monkeypatch):
            play(year, tmp_path)
            house.settings_file.write_text(settings)
            pages_show(year)


def play(year: Year, folder: Path) -> None:
    """The year, and what is left of it."""
    members = {name: Member(year, name) for name in (*WISHES, "hana", "ivo")}
    year.house.pbmd("new", CLUB, "--ruleset", "diplomacy", *TERMS)
    sign_up(year, members)
    club = Club(year, members)
    club.play_until(berlin(2024, 10, 7, 12, 0))
    falls_asleep(club)
    club.play_until(berlin(2024, 12, 16, 12, 0))
    pause_at_christmas(club)
    club.play_until(berlin(2025, 2, 4, 12, 0))
    two_weeks_away(club)
    club.play_until(berlin(2025, 4, 7, 12, 0))
    agree_on_a_draw(club)
    look_at(club, folder)


def sign_up(year: Year, members: dict[str, Member]) -> None:
    """Seven join with lists, and each is told which choice the fair way of giving seats has left for them."""
    for name, (line, _) in WISHES.items():
        question = members[name].writes(f"JOIN {CLUB} {line}".strip())
        assert "A YES signs you up" in question, question
        members[name].replies("YES")
        assert "You hold a place." in said(members[name].last("welcome"))
        if name == "gus":
            assert "You would like, best first: Russia, Turkey." in members[name].replies("PREFER R T")
    given = {name: year.power_of(name) for name in WISHES}
    fair = min(sum(map(better_than, WISHES, seats)) for seats in permutations(POWERS))
    assert sum(better_than(name, power) for name, power in given.items()) == fair == 1
    assert [given[name] for name in ("ann", "ben", "finn", "eva", "gus")] == ["France", "Germany", "England", "Italy", "Russia"]
    for name, power in given.items():
        first = said(members[name].last("the game begins"))
        assert f"begins, and you are {power}." in first
        choice = "you had named no power" if name == "dan" else f"number {better_than(name, power) + 1} on your list"
        assert choice in first, first


def better_than(name: str, power: str) -> int:
    """How many powers somebody would have liked better."""
    ranks = [rank.split() for rank in WISHES[name][1]]
    place = next((place for place, rank in enumerate(ranks) if power in rank), len(ranks))
    return sum(map(len, ranks[:place]))


@dataclass
class Opened:
    """A phase that was played: of which kind, when it began, when orders were due, and when it was resolved."""

    kind: str
    at: datetime
    due: datetime
    ended: datetime = NEVER


@dataclass
class Club:
    """Who plays, and the phases that they have played."""

    year: Year
    members: dict[str, Member]
    silent: set[str] = field(default_factory=set[str])
    phases: list[Opened] = field(default_factory=list[Opened])
    ordered: set[str] = field(default_factory=set[str])
    """The letters with orders, by Message-ID."""

    def play_until(self, end: datetime) -> None:
        """Phase after phase, as long as one is due before then."""
        while self.year.deadline < end and self.year.game.status is GameStatus.RUNNING:
            self.play_phase()
        if self.year.now < end:
            self.year.go_to(end)

    def play_phase(self) -> None:
        """Whoever is awaited sends orders, and the phase ends: moves on Friday, others with the last orders."""
        year, game = self.year, self.year.game
        position, due = RULES.load(json.loads(game.position)), year.deadline
        assert game.opened_at is not None
        phase = Opened(RULES.phase(position), game.opened_at.replace(tzinfo=UTC), due)
        self.phases.append(phase)
        year.now = max(year.now, due - timedelta(days=2)) if phase.kind == "moves" else year.now + timedelta(hours=2)
        awaited = {power: year.holder(power).partition("@")[0] for power in sorted(RULES.awaiting(position))}
        for power, name in awaited.items():
            if name not in self.silent:
                self.send_orders(self.members[name], power, position)
        if phase.kind != "moves":
            year.go_to(year.now + timedelta(minutes=1))  # another letter could come in the second of the last
        if self.silent & {*awaited.values()}:
            year.go_to(max(year.now, due - timedelta(hours=23)))  # time for a reminder
        if year.game.step == game.step:
            year.go_to(due + timedelta(seconds=10))
        assert year.game.step == game.step + 1
        phase.ended = max(row.resolved_at for row in year.house.rows(StepRecord)).replace(tzinfo=UTC)

    def send_orders(self, member: Member, power: str, position: Any) -> None:
        """Orders by chance, the same in every run, in reply to the last form."""
        dice = HmacDice(sha256(f"{power} {len(self.phases)}".encode()).digest(), b"orders")
        lines = RULES.random_orders(position, power, dice).splitlines()
        text = "\n".join(line for line in lines if line != "DRAW") or "PASS"
        mail = next(mail for mail in reversed(member.mails) if "ORDER FORM" in said(mail) or f"{power} is yours" in said(mail))
        self.ordered.add(self.year.post(member.address, str(mail["Reply-To"]), text, answers=mail))


def falls_asleep(club: Club) -> None:
    """Dan writes no more; Hana, who stands by, plays on."""
    year, dan, hana = club.year, club.members["dan"], club.members["hana"]
    power = year.power_of("dan")
    hana.writes(f"STANDBY {CLUB}")
    assert "standby list" in hana.replies("YES")
    club.silent.add("dan")
    while "take over" not in " ".join(map(said, hana.mails)) and len(club.phases) < 30:
        club.play_phase()
    warning = "If no orders of yours come by the deadline, your seat falls asleep"
    warned = [str(mail["Subject"]) for mail in dan.mails if warning in said(mail)]
    assert [("what happened" in subject, "no orders yet" in subject) for subject in warned] == [(True, False), (False, True)]
    assert "is asleep" in said(dan.last("asleep"))
    assert f"{power} is yours" in hana.replies("YES", "take over")
    assert year.holder(power) == hana.address


def pause_at_christmas(club: Club) -> None:
    """Eva proposes it, all others agree; it ends by itself, and the next Friday but one is due as ever."""
    year = club.year
    awaited = {year.holder(seat.name).partition("@")[0] for seat in year.house.rows(Seat)}
    club.members["eva"].replies("PROPOSE PAUSE UNTIL 2025-01-12 Europe/Berlin", "ORDER FORM")
    for name in sorted(awaited - {"eva"}):
        club.members[name].replies("YES", "vote")
    assert year.game.status is GameStatus.PAUSED
    for name in awaited:
        assert "the game is paused" in said(club.members[name].last("paused"))
    year.go_to(berlin(2025, 1, 11, 23, 59))
    assert year.game.status is GameStatus.PAUSED
    year.go_to(berlin(2025, 1, 12, 0, 1))
    assert year.game.status is GameStatus.RUNNING
    assert year.deadline == berlin(2025, 1, 17, 20, 0)


def two_weeks_away(club: Club) -> None:
    """Ivo plays for Finn, and Finn has his seat back."""
    year, finn, ivo = club.year, club.members["finn"], club.members["ivo"]
    power = year.power_of("finn")
    finn.replies("TIMEZONE Europe/Berlin", "ORDER FORM")
    answer = finn.replies(f"SUBSTITUTE {ivo.address} FROM 2025-02-08 TO 2025-02-21", "ORDER FORM")
    assert f"We ask {ivo.address}, once." in answer
    assert "Thank you" in ivo.replies("YES", "wants a substitute")
    club.play_until(berlin(2025, 2, 8, 0, 1))
    assert year.holder(power) == ivo.address
    club.play_until(berlin(2025, 2, 22, 0, 1))
    assert year.holder(power) == finn.address


def agree_on_a_draw(club: Club) -> None:
    """In one phase all who are still in the game write DRAW."""
    year = club.year
    while RULES.phase(RULES.load(json.loads(year.game.position))) != "moves":
        club.play_phase()
    year.now = year.deadline - timedelta(days=2)
    for power in RULES.awaiting(RULES.load(json.loads(year.game.position))):
        club.members[year.holder(power).partition("@")[0]].replies("DRAW", "ORDER FORM")
    assert year.game.status is GameStatus.RUNNING
    year.go_to(year.deadline + timedelta(seconds=10))
    assert year.game.status is GameStatus.FINISHED
    last = said(club.members["hana"].mails[-1])
    assert "All have agreed to a draw" in last


def look_at(club: Club, folder: Path) -> None:
    """What is left: mails, deadlines, ledger and archive."""
    house = club.year.house
    deadlines_are_on_their_grid(club)
    letters = house.rows(Letter)
    assert {letter.state for letter in letters} == {LetterState.DONE}
    assert {mail.state for mail in house.rows(Outbox)} == {OutboxState.SENT}
    assert house.rows(Alarm) == []
    assert not {line.what for line in house.rows(LogLine)} & {"alarm", "defect", "quarantine", "server-clock", "unreadable"}
    answered = {str(mail["In-Reply-To"]) for mails in house.sink.mails.values() for mail in mails}
    assert club.ordered - answered == set()  # of all others that was looked at when they were sent
    nobody_has_what_is_for_others(club)
    archive = folder / "archive"
    house.pbmd("export", CLUB, "--to", str(archive))
    found = json.loads(pbmd("verify", str(archive), "--json"))
    assert found["problems"] == []
    assert found["checked"]["votes of players"] == 1
    kinds = {entry.kind for entry in read_entries(archive / "data" / "journal.jsonl")}
    assert {
        "signed-up",
        "seated",
        "preferred",
        "asleep",
        "holder",
        "proposed",
        "voted",
        "paused",
        "resumed",
        "finished",
    } <= kinds, kinds


def pages_show(year: Year) -> None:
    """The pages of a game that is over have the whole year."""
    pages = year.house.settings.data / "dashboard"
    assert not pages.exists()
    year.go_to(year.now + timedelta(hours=1))
    written = "".join(page.read_text(encoding="utf-8") for page in pages.rglob("*.html"))
    assert all(power in written for power in POWERS)
    assert "draw" in written
    assert not {line.what for line in year.house.rows(LogLine)} & {"alarm", "defect"}


def deadlines_are_on_their_grid(club: Club) -> None:
    """Fridays at eight in Berlin, in winter and summer; a day for retreats and builds, and often less."""
    of = {kind: [phase for phase in club.phases if phase.kind == kind] for kind in ("moves", "retreats", "builds")}
    local = [phase.due.astimezone(BERLIN) for phase in of["moves"]]
    assert {(due.weekday(), due.hour, due.minute) for due in local} == {(4, 20, 0)}
    assert [due.utcoffset() for due in (local[0], local[15], local[-1])] == [SUMMER, WINTER, SUMMER]
    weeks = [(after.date() - before.date()) // timedelta(weeks=1) for before, after in pairwise(local)]
    assert sorted(set(weeks)) == [1, 5]
    assert weeks.count(5) == 1, "the pause over Christmas"
    for phase in of["retreats"] + of["builds"]:
        assert phase.due == phase.at + timedelta(days=1)
    assert len(of["retreats"]) > 5
    assert len(of["builds"]) > 5
    assert any(phase.ended < phase.due for phase in of["retreats"] + of["builds"])


def nobody_has_what_is_for_others(club: Club) -> None:
    """No mail shows whose the other seats are, what others would have liked, how they voted, or who is a substitute."""
    terms = substitute_rule(Terms.model_validate_json(club.year.game.terms))
    texts = {name: " ".join(map(said, member.mails)).replace(terms, "") for name, member in club.members.items()}
    for name, text in texts.items():
        for other in set(texts) - {name} - ({"ivo"} if name == "finn" else set()):
            assert address_of(other) not in text, (name, other)
        for other, wish in (("eva", "best first: Italy, Turkey"), ("gus", "best first: Russia, Turkey")):
            assert (wish in text) == (name == other)
        assert ("ubstitute" in text) == (name in ("finn", "ivo")), name
    voting = [said(mail) for member in club.members.values() for mail in member.mails if "pause" in str(mail["Subject"])]
    assert voting
    for text in voting:
        assert not any(f"{power} has proposed" in text for power in POWERS)
