"""A ledger with a long game: 200 turns of Cosmic Conquest, 12 players, 20,000 letters, made in seconds.

The first turns are played by the rules; the others have their letters, positions, events and reports again, with numbers,
times and a journal of their own. So everything is as large as in a real game, but the turns do not follow from each other.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import insert
from sqlmodel import Session

from pbmd import simulate
from pbmd.desk.books.desk import Desk, open_desk
from pbmd.ledger.journal import FIRST_HASH, Entry, link
from pbmd.ledger.tables import Game, GameStatus, JournalEntry, Letter, Report, Seat, StepRecord, Submission, SubmissionState
from pbmd.rendering.picture import inline_svg, map_svg
from pbmd.rendering.render import report_html, report_text
from pbmd.rules import PUBLIC, HmacDice, Line, Mail, Ruleset, commitment, seat_reader
from pbmd.rules.options import complete
from pbmd.rules.registry import get
from pbmd.settings import read_settings
from tests.benchmarks.estate import write_settings

GAME, PLAYERS, LETTERS_A_TURN = "long", 12, 100
_PLAYED = 4
_BEGIN = datetime(2020, 1, 1, tzinfo=UTC)
_MAIL = (
    "Received: from mail.players.test by games.test; Wed, 1 Jan 2020 00:00:00 +0000\r\n"
    "From: {seat} <p{number}@players.test>\r\nTo: games+g1p{number}.abcdefghijklmnop@games.test\r\n"
    "Subject: Re: [pbmd long t{turn}]\r\nMessage-ID: <{id}@players.test>\r\n"
    "Date: Wed, 1 Jan 2020 00:00:00 +0000\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n-- \r\n{padding}\r\n"
)


@dataclass
class _Sample:
    """A turn as it was played: documents, what everybody ordered, and the reports of all."""

    before: str
    after: str
    events: str
    dice: str
    orders: dict[str, str]
    sheets: dict[str, list[str]]
    reports: dict[str, tuple[str, str]]


def make(folder: Path, turns: int) -> Path:
    """A data folder with the game, as many turns long; gives its settings file."""
    settings = write_settings(folder, 143, "games")
    desk = open_desk(read_settings(settings))
    ruleset = get("cosmic_conquest")
    signups = simulate.signups(ruleset, PLAYERS, complete(ruleset.info.options, {}))
    with Session(desk.engine) as session:
        _Books(desk, session, ruleset, [signup.seat for signup in signups]).keep(signups, turns)
        session.commit()
    desk.engine.dispose()
    return settings


def _samples(ruleset: Ruleset[Any], position: Any) -> Iterator[_Sample]:
    readers = {"public": PUBLIC} | {f"seat:{n}": seat_reader(seat) for n, seat in enumerate(ruleset.seats(position), 1)}
    for turn in range(_PLAYED):
        before, orders = json.dumps(ruleset.dump(position)), dict[str, str]()
        for seat in ruleset.awaiting(position):
            text = ruleset.random_orders(position, seat, HmacDice(b"long", f"{turn} {seat}".encode()))
            lines = tuple(Line(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip())
            position = ruleset.receive(position, Mail(seat, lines, (turn, len(orders)))).position
            orders[seat] = text
        sheets = {sheet.seat: list(sheet.lines) for sheet in ruleset.sheets(position)}
        dice = HmacDice(b"long", str(turn).encode())
        resolution = ruleset.resolve(position, dice)
        position = resolution.position
        views = {name: ruleset.view(position, resolution.events, reader) for name, reader in readers.items()}
        reports = {
            name: (report_text(ruleset, view), report_html(ruleset, view, inline_svg(map_svg(view) or "")))
            for name, view in views.items()
        }
        events = [
            {
                "kind": event.kind,
                "audience": None if event.audience is None else list(event.audience),
                "data": dict(event.data),
                "detail": dict(event.detail),
                "insiders": list(event.insiders),
            }
            for event in resolution.events
        ]
        after = json.dumps(ruleset.dump(position))
        yield _Sample(before, after, json.dumps(events), json.dumps(dice.drawn), orders, sheets, reports)


@dataclass
class _Books:
    """Writes the rows."""

    desk: Desk
    session: Session
    ruleset: Ruleset[Any]
    seats: list[str]
    head: str = FIRST_HASH
    number: int = 0
    letters: int = 0
    journal: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def keep(self, signups: list[Any], turns: int) -> None:
        """The whole game."""
        add = self.session.add
        add(Game(id=1, name=GAME, ruleset="cosmic_conquest", status=GameStatus.RUNNING, created_at=_BEGIN))
        self.session.flush()
        self._entry(_BEGIN, "created", {"name": GAME, "ruleset": "cosmic_conquest", "options": {}, "terms": {}})
        for number, signup in enumerate(signups, 1):
            lines = json.dumps([[line.number, line.text] for line in signup.lines])
            who = {
                "id": number,
                "number": number,
                "name": signup.seat,
                "address": f"p{number}@players.test",
                "holder": f"P {number}",
            }
            add(Seat(game_id=1, signup=lines, joined_at=_BEGIN + timedelta(minutes=number), **who))
            self._entry(_BEGIN, "joined", {"seat": signup.seat, "number": number}, {"address": who["address"], "lines": lines})
        secret = b"s" * 32
        self._entry(_BEGIN, "started", {"seats": self.seats, "secret": secret.hex(), "commitment": commitment(secret)})
        options = complete(self.ruleset.info.options, {})
        samples = list(_samples(self.ruleset, self.ruleset.setup(signups, options, HmacDice(secret, b"setup"))))
        self._reports(-1, 0, samples[0])
        self.session.flush()
        for step in range(turns):
            self._turn(step, samples[step % _PLAYED])
        game = self.session.get(Game, 1)
        assert game is not None
        game.turn, game.step, game.opened_at = turns + 1, turns, _BEGIN + timedelta(days=turns + 1)
        game.position, game.chain_number, game.chain_head = samples[-1].after, self.number, self.head

    def _turn(self, step: int, sample: _Sample) -> None:
        at = _BEGIN + timedelta(days=step + 1)
        letters, submissions = list[dict[str, Any]](), list[dict[str, Any]]()
        for place in range(LETTERS_A_TURN):
            seat = self.seats[place % PLAYERS]
            arrived, last = at - timedelta(minutes=LETTERS_A_TURN - place), place >= LETTERS_A_TURN - PLAYERS
            submissions.append(self._order(step, seat, sample, arrived, used=last))
            number = self.seats.index(seat) + 1
            raw = _MAIL.format(
                seat=seat,
                number=number,
                turn=step + 1,
                id=self.letters,
                text=sample.orders.get(seat, "Pass"),
                padding="x" * 1500,
            )
            letters.append(
                {
                    "id": self.letters,
                    "fingerprint": str(self.letters),
                    "uid": self.letters,
                    "arrived_at": arrived,
                    "size": len(raw),
                    "raw": raw.encode(),
                    "state": "done",
                    "game_id": 1,
                    "seat_id": number,
                }
            )
        secret = sha256(str(step).encode()).digest()
        public = {"turn": step + 1, "step": step, "cause": "the deadline", "secret": secret.hex(), "commitment": "0" * 64}
        self._entry(at, "resolved", public, {"position": "0" * 64, "dice": json.loads(sample.dice)})
        record = {
            "step": step,
            "turn": step + 1,
            "resolved_at": at,
            "took_until": at,
            "cause": "the deadline",
            "secret": secret,
            "dice": sample.dice,
        }
        self.session.add(StepRecord(game_id=1, before=sample.before, after=sample.after, events=sample.events, **record))
        self._reports(step, step + 1, sample)
        self.session.flush()
        self.session.connection().execute(insert(Letter), letters)
        self.session.connection().execute(insert(Submission), submissions)
        self.session.connection().execute(insert(JournalEntry), self.journal)
        self.session.expunge_all()
        self.journal = []

    def _order(self, step: int, seat: str, sample: _Sample, at: datetime, *, used: bool) -> dict[str, Any]:
        self.letters += 1
        lines = [[number, text] for number, text in enumerate(sample.orders.get(seat, "Pass").splitlines(), 1)]
        micros = int(at.timestamp()) * 1_000_000
        secret = {
            "seat": seat,
            "state": "filed",
            "letter": str(self.letters),
            "arrival": [micros, self.letters],
            "lines": lines,
        }
        self._entry(at, "orders", {"turn": step + 1, "step": step}, secret)
        return {
            "game_id": 1,
            "seat_id": self.seats.index(seat) + 1,
            "step": step,
            "letter_id": self.letters,
            "number": self.number,
            "arrived_at": at,
            "digest": "0" * 64,
            "state": SubmissionState.USED if used else SubmissionState.REPLACED,
            "orders": json.dumps(sample.sheets.get(seat, [])),
            "verdicts": json.dumps([[number, "ok", text, ""] for number, text in lines]),
        }

    def _reports(self, step: int, turn: int, sample: _Sample) -> None:
        for reader, (text, page) in sample.reports.items():
            self.session.add(Report(game_id=1, step=step, turn=turn, reader=reader, text=text, html=page))

    def _entry(self, at: datetime, kind: str, public: dict[str, Any], secret: dict[str, Any] | None = None) -> None:
        self.number += 1
        made = link(self.head, Entry(self.number, at, kind, public, secret or {}), b"salt" * 4)
        self.head = made.hash
        self.journal.append({"game_id": 1, **{name: getattr(made, name) for name in made.__dataclass_fields__}})
