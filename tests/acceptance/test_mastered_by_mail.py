"""A game from sign-up to its end through Dovecot and an SMTP server, by mails of its game master and its players alone."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlmodel import col

from pbmd.ledger.journal import Link, verify
from pbmd.ledger.tables import (
    Confirmation,
    ConfirmationState,
    Game,
    GameStatus,
    JournalEntry,
    Letter,
    LetterState,
    Outbox,
    OutboxState,
    Seat,
    StepRecord,
    Submission,
    SubmissionState,
)
from tests.acceptance.house import Host, House, open_house
from tests.acceptance.players import Player, Writing, html_only, text_of, top_posted
from tests.mailservers import DOMAIN, Dovecot

GAME = "galaxy-7"
SEATS = ("Altair", "Borealis", "Cygnus")
GOOD = "Build 2 Laserfrigates\nOOB default: LFTLTF"
ORDERED = "LFTLTF"
"""What nobody but a seat itself may read of its orders."""
LAST_TURN = 3


@dataclass
class Person(Player):
    """Somebody who replies to the mail with certain words that came last, and waits for what comes of it."""

    read: int = field(default=0)

    def got(self, words: str) -> EmailMessage:
        """The first mail that says so in its subject or text, among those after the last one looked for."""

        def found() -> tuple[int, EmailMessage] | None:
            mails = list(enumerate(self.house.sink.of(self.address), start=1))
            return next(((number, mail) for number, mail in mails[self.read :] if words in said(mail)), None)

        self.read, mail = self.house.wait_until(f"{self.address} to get: {words}", found)
        return mail

    def replies(self, words: str, text: str, answer: str) -> EmailMessage:
        """Answer the mail that says `words` and came last; gives the mail that comes of it."""
        mails = self.house.sink.of(self.address)
        self.answer(next(mail for mail in reversed(mails) if words in said(mail)), text)
        return self.got(answer)

    def confirms(self, question: EmailMessage, answer: str) -> EmailMessage:
        """YES to a question; gives the mail that comes of it."""
        self.answer(question, "YES")
        return self.got(answer)

    def writes(self, text: str, answer: str) -> EmailMessage:
        """A letter that answers nothing, to the address that everybody knows; gives the mail that comes of it."""
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = self.address, self.house.address, "a question"
        letter["Message-ID"] = f"<{self.seat}.first.{len(self.sent)}@players.test>"
        letter.set_content(text)
        self.sent.append(letter["Message-ID"])
        self.house.deliver(self.house.user, letter.as_bytes(), sender=self.address)
        return self.got(answer)


def said(mail: EmailMessage) -> str:
    """Subject and text of a mail, its lines made one."""
    return " ".join(f"{mail['Subject']}\n{text_of(mail)}".split())


def person(house: Host, name: str, writing: Writing = top_posted, address: str = "") -> Person:
    """Somebody with a mailbox of their own."""
    return Person(house, name, address or f"{name.lower()}@players.test", writing, lambda _: "")


def steps(house: House, count: int) -> Callable[[], bool]:
    """Whether so many steps are resolved."""
    return lambda: len(house.rows(StepRecord)) == count


@pytest.mark.in_turn(3, of="long games")
@pytest.mark.dovecot
def test_a_game_is_mastered_from_sign_up_to_its_end_with_mails_alone(tmp_path: Path, dovecot: Dovecot) -> None:
    with open_house(tmp_path, dovecot) as house:
        options = ("--option", f"turn_limit={LAST_TURN}", "--listed", "--deadline", "72h", "--extension-budget", "0h")
        house.pbmd("new", GAME, "--ruleset", "galactic_overlord", *options)
        house.start()
        gm = person(house, "GM", address=f"gm@{DOMAIN}")
        altair, borealis, cygnus = players = [
            person(house, seat, html_only if seat == "Borealis" else top_posted) for seat in SEATS
        ]
        dora, eve = person(house, "Dora"), person(house, "Eve")
        gm.got("the game master's mail")

        sign_up(gm, players, dora, eve)
        first_turn(house, gm, players)
        another_player(gm, cygnus, dora)
        taken_back(house, gm, altair, borealis, dora)
        to_the_end(house, gm, (altair, borealis, dora), eve)

        house.wait_until("all mails", lambda: not house.rows(Outbox, col(Outbox.state) != OutboxState.SENT))
        house.wait_until("the pages", lambda: "1 game is over" in page(house, "index.html"))
        house.stop()
        audit(house, gm)


def sign_up(gm: Person, players: list[Person], dora: Person, eve: Person) -> None:
    """Three join, one stands by, one watches."""
    for player in players:
        assert f"JOIN {GAME} AS" in said(player.writes("LIST", "These games take sign-ups"))
        question = player.writes(f"JOIN {GAME} AS {player.seat}", "play this game?")
        player.confirms(question, f"welcome, {player.seat}")
    dora.confirms(dora.writes("STANDBY ALL", "stand by for a seat?"), "You are on the standby list of all games")
    eve.confirms(eve.writes(f"WATCH {GAME}", "watch this game?"), f"You get the public reports of {GAME}")
    gm.replies("the game master's mail", "STATUS", "Borealis")
    gm.replies("the game master's mail", "START", "has begun with 3 players")


def first_turn(house: House, gm: Person, players: list[Person]) -> None:
    """An announcement, press, a request; and the turn ends by the game master's word, as Cygnus sends nothing."""
    altair, borealis, cygnus = players
    for player in players:
        player.got("the game begins")
    gm.replies("has begun with 3", "ANNOUNCE\nWelcome, all of you.\nEND ANNOUNCE", "went to 3 players")
    for player in players:
        player.got("Welcome, all of you.")
    altair.replies("the game begins", f"{GOOD}\nPRESS TO Borealis\nPeace?\nEND PRESS", "your orders for turn 1 are in")
    borealis.got("Peace?")
    borealis.replies("the game begins", GOOD, "your orders for turn 1 are in")
    cygnus.replies("the game begins", "EXTEND 24h because of travel", "asked")
    request = gm.got("request 1: Cygnus asks")
    gm.answer(request, "APPROVE 1")
    cygnus.got("the deadline is 1 day later")
    question = gm.replies("request 1: Cygnus asks", "RESOLVE", "are you sure?")
    assert "Cygnus has sent nothing" in said(question)
    # Somebody more would miss it when the answer comes; that orders come in between changes nothing.
    altair.replies("the game begins", "CANCEL ORDERS", "The game waits for your orders again")
    gm.confirms(question, "Altair has sent nothing now, and would miss it, too")
    altair.replies("the game begins", GOOD, "your orders for turn 1 are in")
    gm.confirms(gm.got("are you sure?"), "Turn 1 is closed")
    house.wait_until("the first turn", steps(house, 1))
    altair.got("Turn 1: what happened")
    cygnus.got("You sent no orders for")


def another_player(gm: Person, cygnus: Person, dora: Person) -> None:
    """Cygnus is lost, and somebody who stood by plays on."""
    gm.confirms(gm.replies("Turn 1 is closed", "EJECT Cygnus because of silence", "are you sure?"), "Cygnus is empty")
    cygnus.got("you play Cygnus no more")
    gm.replies("Cygnus is empty", "OFFER Cygnus", "offered to 1 on the standby list")
    dora.confirms(dora.got("take over this seat?"), "Cygnus is yours")


def taken_back(house: House, gm: Person, altair: Person, borealis: Person, dora: Person) -> None:
    """The first turn is played again: what was sent for it counts again, and Dora sends what Cygnus had not."""
    question = gm.replies("Cygnus is empty", "ROLLBACK TO TURN 1 because of Cygnus", "are you sure?")
    gm.confirms(question, "is back at the beginning of turn 1")
    for player in (altair, borealis, dora):
        player.got("turn 1 is played again")
    dora.replies("turn 1 is played again", f"{GOOD}\nREADY", "your orders for turn 1 are in")
    for player in (altair, borealis):
        player.replies("turn 1 is played again", "READY", "as far as you are concerned")
    house.wait_until("the first turn again", steps(house, 2))


def to_the_end(house: House, gm: Person, players: tuple[Person, ...], eve: Person) -> None:
    """The other turns, with a look at the secrets of one that everybody is told of."""
    gm.confirms(gm.replies("is back at the beginning", "PEEK Altair", "are you sure?"), "WHAT ALTAIR HAS")
    for turn in range(1, LAST_TURN):
        for player in players:
            player.answer(player.got(f"Turn {turn}: what happened"), GOOD)
            player.got(f"your orders for turn {turn + 1} are in")
        house.wait_until(f"turn {turn + 1}", steps(house, turn + 2))
    for player in players:
        assert "has looked at the orders of Altair" in " ".join(map(said, house.sink.of(player.address)))
        player.got("the game is over")
    eve.got("the game is over")


def page(house: House, name: str) -> str:
    """A page of the dashboard."""
    path = house.settings.data / "dashboard" / name
    return path.read_text("utf-8") if path.exists() else ""


def audit(house: House, gm: Person) -> None:
    """The books, the pages and the mails tell the same."""
    game: Game = house.rows(Game)[0]
    entries: list[JournalEntry] = house.rows(JournalEntry)
    assert game.status is GameStatus.FINISHED
    assert verify(Link(e.number, e.at, e.kind, e.public, e.secret, e.salt, e.hash) for e in entries) == game.chain_head
    kinds = {entry.kind for entry in entries}
    assert {"announced", "decided", "closed", "ejected", "holder", "rolled-back", "peeked", "finished"} <= kinds
    assert {seat.name: seat.address for seat in house.rows(Seat)}["Cygnus"] == "dora@players.test"
    assert {letter.state for letter in house.rows(Letter)} == {LetterState.DONE}
    assert not house.rows(Confirmation, col(Confirmation.state) == ConfirmationState.OPEN)
    states = {row.state for row in house.rows(Submission)}
    assert states <= {*SubmissionState} - {SubmissionState.FILED, SubmissionState.REFUSED, SubmissionState.LATE}
    assert {SubmissionState.USED, SubmissionState.CANCELLED} <= states
    # What the game master was sent has nobody's orders but for the one look that everybody was told of.
    told = [said(mail) for mail in house.sink.of(gm.address)]
    assert sum(ORDERED in text for text in told) == 1
    shown = page(house, f"games/{GAME}/index.html")
    for words in ("rolled-back", "ejected", "peeked", "announced"):
        assert words in shown
    assert ORDERED not in shown
    assert not re.search(r"[\w.]+@[\w.]+", page(house, "mail.html"))
    assert page(house, f"games/{GAME}/feed.xml")
    assert {path.stat().st_mode & 0o077 for path in (house.settings.data / "dashboard").rglob("*")} == {0}
