"""Everything in the air: what a desk of 1.0.0 looks like on an evening on which its host upgrades.

It runs by the code of 1.0.0 (`tests.ledger.releases` says how), and writes into the folder that it is given: the ledger in a
file (``1.0.0.sqlite.xz``), the same in PostgreSQL (``1.0.0.sql.xz``), and all mails that have gone out (``1.0.0.mbox.xz``),
which are what players have at hand when they answer afterwards.

All that happens comes in as a letter or with time; only games that take sign-ups are made by hand, as `pbmd new` makes them.
"""

import lzma
import mailbox
import subprocess
import sys
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from resvg_py import svg_to_bytes
from sqlmodel import col

from pbmd.desk.clock.outages import note_unreadable
from pbmd.desk.keeping.stamps import stamp_due
from pbmd.desk.mailroom import process_letters
from pbmd.desk.sending.sender import send_due
from pbmd.ledger.tables import (
    Alarm,
    Confirmation,
    ConfirmationState,
    Endorsement,
    Game,
    GameStatus,
    LetterState,
    Outbox,
    OutboxState,
    Seat,
    Stamp,
)
from pbmd.notes.checkpoint import cosign
from pbmd.notes.found import notes_in
from pbmd.notes.signed import COSIGNATURE, Signer
from pbmd.post.smtp.client import Rejected, Sent
from pbmd.reports import picture
from pbmd.rules import HmacDice
from pbmd.rules.options import complete
from pbmd.simulate import signups
from tests.desk.world import ADDRESS, World, body_of, message_of
from tests.postgresql import running_postgresql

GM = "gm@pbmd.test"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
GAMES: dict[str, tuple[str, int, dict[str, Any], dict[str, Any]]] = {
    "friday": ("diplomacy", 2, {"map": "france_austria"}, {"listed": True, "trust": "open", "deadline": "every Friday 20:00"}),
    "galaxy-7": ("galactic_overlord", 3, {}, {"listed": True, "anonymous_press": True, "press_delivery": "report"}),
    "conquest-2": ("cosmic_conquest", 3, {}, {"who_has_sent": "names", "extension_budget": "0h"}),
    "cluster-1": ("local_cluster", 3, {}, {}),
    "societies-3": ("societies", 3, {}, {"trust": "open", "grace": "2h", "absences": "extend"}),
    "squadrons-4": ("starship_squadrons", 2, {"map": "duel"}, {}),
    "over-1": ("galactic_overlord", 2, {}, {"listed": True}),
}
"""Name of a game: its ruleset, players, options, and terms."""
OTHER_PEOPLE = ("squadrons-4", "over-1")
"""Games of others than the rest have: nobody may join more than five in a day."""
_DOT = svg_to_bytes(svg_string='<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
_BOUNCE = """\
Return-Path: <>
From: Mail Delivery System <MAILER-DAEMON@mx.players.test>
To: {to}
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
Message-ID: <bounce{number}@mx.players.test>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="x"

--x
Content-Type: text/plain

It could not be delivered.

--x
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.players.test

Final-Recipient: rfc822; {recipient}
Action: failed
Status: 5.1.1

--x
Content-Type: text/rfc822-headers

From: games@pbmd.test
Message-ID: {message_id}

--x--
"""


class Broken(Exception):
    """A ruleset has a defect."""


class Killed(BaseException):
    """The process ends here."""


class Post:
    """The SMTP server: it keeps what it was handed."""

    null_refused = False

    def __init__(self, box: mailbox.mbox) -> None:
        self.box, self.answers = box, dict[str, Rejected | Killed]()

    @contextmanager
    def connect(self):
        """A connection."""
        yield self

    def send(self, _envelope_from: str, recipient: str, raw: bytes, _otherwise: str = "") -> Sent | Rejected:
        """A mail is handed over."""
        match self.answers.get(recipient):
            case Killed() as end:
                raise end
            case Rejected() as answer:
                return answer
        self.box.add(raw)
        return Sent()


class Evening:
    """The desk, and what people do."""

    def __init__(self, world: World, box: mailbox.mbox) -> None:
        self.world, self.post = world, Post(box)
        world.settle(
            limits=dict.fromkeys(("answers_per_hour", "answers_per_day", "strangers_per_hour", "strangers_per_domain"), 1000),
            pages={"public_url": "https://games.example.org"},
            stamp={"command": ("stamp-of-time",)},
        )

    # People

    def seats(self, game: str) -> list[Seat]:
        """The seats of a game."""
        return self.world.rows(Seat, col(Seat.game_id) == self.world.game(game).id)

    def last_mail(self, address: str, game: str = "") -> Outbox:
        """What somebody got last, of a game."""
        conditions = [col(Outbox.game_id) == self.world.game(game).id] if game else []
        mails = self.world.mails(col(Outbox.recipient) == address, col(Outbox.kind) != "press", *conditions)
        return [mail for mail in mails if mail.raw][-1]

    def say(self, game: str, seat: Seat, text: str) -> str:
        """A player replies to the last mail of the game, which they quote."""
        mail = self.last_mail(seat.address, game)
        quoted = "".join(f"> {line}\n" for line in body_of(mail).splitlines())
        return self.world.reply(mail, f"{text}\n\nAm Freitag schrieb pbmd:\n{quoted}", read=True)

    def write(self, sender: str, text: str, to: str = ADDRESS, subject: str = "letter") -> str:
        """Anybody writes."""
        return self.world.send("", text, sender=sender, to=to, subject=subject, read=True)

    def orders(self, game: str, seat: str) -> str:
        """Some orders, fit for how the game stands."""
        rules = self.world.desk.ruleset(self.world.game(game).ruleset)
        position = rules.load(self.world.position(game))
        return rules.random_orders(position, seat, HmacDice(f"{game} {self.world.uid}".encode(), b"orders"))

    def awaited(self, game: str) -> list[Seat]:
        """Whose orders a game waits for."""
        rules = self.world.desk.ruleset(self.world.game(game).ruleset)
        names = rules.awaiting(rules.load(self.world.position(game)))
        return [seat for seat in self.seats(game) if seat.name in names]

    def gm(self, game: str, text: str, *, sure: bool = True) -> str:
        """The game master says something by mail, and YES if asked."""
        self.world.read_mailbox()
        asked = len(self.world.questions(GM))
        answer = self.world.master(text, game)
        if sure and len(questions := self.world.questions(GM)) > asked:
            answer = self.world.reply(questions[-1], "YES")
        return answer

    # Time

    def wait(self, length: timedelta) -> None:
        """Time passes, and mails go out."""
        self.world.pass_time(length)
        self.deliver()

    def deliver(self) -> None:
        """What is due goes out, somewhat faster than usual."""
        send_due(self.world.desk, self.post.connect)

    def turn(self, game: str) -> None:
        """Everybody who is awaited sends orders; the step is over after a second thought."""
        for seat in self.awaited(game):
            self.say(game, seat, self.orders(game, seat.name))
        self.wait(timedelta(minutes=5))


def begin(evening: Evening) -> None:
    """Games that people join by mail."""
    world = evening.world
    for name, (ruleset, players, options, terms) in GAMES.items():
        world.open(name, ruleset=ruleset, options=options, seats=players, **terms)
        rules = world.desk.ruleset(ruleset)
        for number, signup in enumerate(signups(rules, players, complete(rules.info.options, options))):
            address = f"{'pilot' if name in OTHER_PEOPLE else 'player'}{number}@players.test"
            evening.write(address, "\n".join([f"JOIN {name} AS {signup.seat}", *(line.text for line in signup.lines)]))
            world.confirm(address)
        assert world.game(name).status is GameStatus.RUNNING, name
    evening.wait(HOUR)


def play(evening: Evening) -> None:
    """A turn of each; one is played again; one is over; one breaks; one is paused."""
    world = evening.world
    for name in GAMES:
        evening.turn(name)
    evening.turn("galaxy-7")
    evening.write("carol@strangers.test", "WATCH galaxy-7")
    world.confirm("carol@strangers.test")
    for address in ("dora@strangers.test", "emil@strangers.test"):
        evening.write(address, "STANDBY ALL")
        world.confirm(address)
    witness(evening)
    evening.gm("galaxy-7", "ROLLBACK TO TURN 2 because of a mistake")
    evening.gm("galaxy-7", "RESUME")
    over(evening)
    seat = evening.seats("conquest-2")[0].name
    for words in (
        f"EXTEND 5h FOR {seat} because of a storm",
        f"PEEK {seat} because of a complaint",
        "QUIET Sunday",
        "EXTEND 2h",
    ):
        evening.gm("conquest-2", words)
    evening.gm("conquest-2", "EXTEND 2h")
    evening.gm("conquest-2", "PAUSE because of the holidays")
    breaks(evening)
    evening.wait(HOUR)


def witness(evening: Evening) -> None:
    """Alice signs the head of a journal."""
    alice = Signer("example.net/alice", b"a" * 32, COSIGNATURE)
    note = next(iter(notes_in(body_of(evening.world.outbox("report", "player0")[-1])))).note
    signed = note.with_signatures([cosign(note, alice, int(evening.world.now.timestamp()))])
    told = evening.write("alice@example.net", f"WITNESS KEY {alice.verifier}\n\n{signed}")
    assert "vouches for" in told, told


def over(evening: Evening) -> None:
    """A letter meets a defect; the game goes on, and is ended."""
    world = evening.world
    seat = evening.seats("over-1")[0]
    with broken(world, "galactic_overlord", "receive"):
        evening.say("over-1", seat, evening.orders("over-1", seat.name))
    assert world.game("over-1").status is GameStatus.PAUSED
    evening.gm("over-1", "RESUME")
    evening.gm("over-1", "ABANDON because nobody has time")
    assert world.game("over-1").status is GameStatus.FINISHED


def breaks(evening: Evening) -> None:
    """A turn that cannot be resolved, and a letter that cannot be dealt with."""
    world = evening.world
    with broken(world, "starship_squadrons", "resolve"):
        evening.turn("squadrons-4")
        world.pass_time(5 * HOUR)
    with broken(world, "starship_squadrons", "receive"):
        evening.say("squadrons-4", seat := evening.seats("squadrons-4")[0], evening.orders("squadrons-4", seat.name))
    assert world.game("squadrons-4").status is GameStatus.PAUSED


@contextmanager
def broken(world: World, slug: str, name: str):
    """Meanwhile a function of a ruleset has a defect."""

    def fail(*_: Any) -> Any:
        raise Broken

    whole = world.desk
    world.desk = replace(whole, rules={**whole.rules, slug: replace(whole.ruleset(slug), **{name: fail})})
    try:
        yield
    finally:
        world.desk = whole


def be_in_the_air(evening: Evening) -> None:
    """What nobody has answered, decided or sent yet."""
    world = evening.world
    france, austria = evening.seats("friday")
    evening.say("friday", france, evening.orders("friday", france.name) + "\nDRAW")
    evening.say("friday", austria, "CALENDAR ON\nTIMEZONE Europe/Berlin\nSET REPORT PNG\nWAIT")
    one, two, three = evening.seats("galaxy-7")
    evening.say("galaxy-7", one, "USE ORDERS OF TURN 2")
    evening.say("galaxy-7", two, f"PRESS TO {one.name}\nShall we?\nEND PRESS\nPRESS TO ALL\nHello, all!\nEND PRESS")
    evening.say("galaxy-7", three, f"ANONYMOUS PRESS TO {two.name}\nGuess who\nEND PRESS")
    evening.write(three.address, evening.orders("galaxy-7", three.name), subject="[pbmd galaxy-7 t2] orders")  # without token
    evening.write(one.address, "STATUS")  # for which of several games?
    evening.write("stranger@elsewhere.test", evening.orders("galaxy-7", two.name), subject=f"[pbmd galaxy-7 t2] {two.name}")
    conquest = evening.seats("conquest-2")
    evening.say("conquest-2", conquest[0], evening.orders("conquest-2", conquest[0].name))
    evening.say("conquest-2", conquest[1], "EXTEND 48h because of travel")
    cluster = evening.awaited("cluster-1")
    waits = next(seat for seat in evening.seats("cluster-1") if seat not in cluster)
    evening.say("cluster-1", waits, evening.orders("cluster-1", waits.name))
    first, second, third = evening.seats("societies-3")
    evening.say("societies-3", first, "RESIGN")
    evening.say("societies-3", second, "ADDRESS second.at.home@players.test\nABSENT FROM 2026-12-01 TO 2026-12-03")
    evening.say("societies-3", third, "RESIGN")
    world.reply(world.questions(third.address)[-1], "YES")
    evening.gm("societies-3", f"OFFER {third.name}")
    evening.gm("galaxy-7", f"EJECT {three.name} because of silence", sure=False)
    world.open("newcomers", ruleset="societies", seats=3)
    evening.gm("newcomers", "STANDING ON")
    evening.write("frida@strangers.test", "JOIN newcomers AS Frida")
    evening.write("gustav@strangers.test", "WATCH galaxy-7")
    evening.write("hanna@strangers.test", "STANDBY galaxy-7")


def leave(evening: Evening) -> None:
    """Mails that come back, that cannot be delivered, and that wait; letters that nobody has dealt with."""
    world, post = evening.world, evening.post
    cluster = evening.seats("cluster-1")[1]
    for number, mail in enumerate(world.mails(col(Outbox.seat_id) == cluster.id, col(Outbox.state) == OutboxState.SENT)[-3:]):
        text = _BOUNCE.format(to=mail.envelope_from, number=number, recipient=mail.recipient, message_id=mail.message_id)
        world.arrive(text.replace("\n", "\r\n").encode())
    process_letters(world.desk)
    post.answers["dora@strangers.test"] = Rejected(550, "no such user")
    evening.deliver()
    note_unreadable(world.desk)
    stamp_due(world.desk)  # in vain
    for game in ("galaxy-7", "societies-3"):
        seat = evening.seats(game)[1]
        evening.say(game, seat, "STATUS\nHELP press\nREPORT")  # these answers wait
    evening.gm("friday", "ANNOUNCE\nWe upgrade tonight.\nEND ANNOUNCE")
    mover = evening.awaited("cluster-1")[0]
    evening.say("cluster-1", mover, evening.orders("cluster-1", mover.name))  # so reports wait, too
    post.answers["player0@players.test"] = Killed()
    with suppress(Killed):
        evening.deliver()
    conquest = evening.seats("conquest-2")[2]
    mail = evening.last_mail(conquest.address, "conquest-2")
    headers = {"In-Reply-To": mail.message_id}
    text = evening.orders("conquest-2", conquest.name)
    to = str(message_of(mail)["Reply-To"])
    world.arrive(world.letter("", text, sender=conquest.address, to=to, headers=headers))  # nobody has looked at it


def must_have_all(world: World) -> None:
    """All that it is there for is in the ledger."""
    assert {letter.state for letter in world.letters()} == {*LetterState}
    assert {mail.state for mail in world.mails()} >= {*OutboxState} - {OutboxState.HELD}
    assert {game.status for game in world.rows(Game)} == {*GameStatus}
    open_ = {row.subject for row in world.rows(Confirmation) if row.state is ConfirmationState.OPEN}
    assert open_ >= {"letter", "which", "resign", "address", "take-over", "master", "join", "watch", "standby"}
    assert world.rows(Endorsement)
    assert world.rows(Stamp)
    assert {alarm.kind for alarm in world.rows(Alarm)} >= {"stamp"}


def make(folder: Path, database: str = "") -> None:
    """A ledger in that folder, or in that database, and the mails that went out."""
    picture.svg_to_bytes = lambda **_how: _DOT  # as drawn they would be most of the file
    world = World(folder, database=database)
    box = mailbox.mbox(folder / "mails.mbox")
    evening = Evening(world, box)
    begin(evening)
    play(evening)
    be_in_the_air(evening)
    leave(evening)
    must_have_all(world)
    box.flush()
    world.close()


def write(to: Path) -> None:
    """All files."""
    with TemporaryDirectory() as folder:
        make(Path(folder))
        _pack(Path(folder) / "ledger.sqlite", to / "1.0.0.sqlite.xz")
        _pack(Path(folder) / "mails.mbox", to / "1.0.0.mbox.xz")
    with TemporaryDirectory() as folder, running_postgresql() as server:
        make(Path(folder), url := server.new_ledger())
        command = ["pg_dump", "--no-owner", "--no-privileges", "--quote-all-identifiers", f"--dbname={_as_libpq(url)}"]
        dump = subprocess.run(command, check=True, capture_output=True).stdout
        (to / "1.0.0.sql.xz").write_bytes(lzma.compress(dump, preset=9))


def _as_libpq(url: str) -> str:
    return url.replace("postgresql+psycopg://", "postgresql://")


def _pack(file: Path, to: Path) -> None:
    to.write_bytes(lzma.compress(file.read_bytes(), preset=9))


if __name__ == "__main__":
    write(Path(sys.argv[1]))
