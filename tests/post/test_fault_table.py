"""The table of faults: pbmd's reading thread and ledger against a server that is honest but for one fault.

A letter is in the mailbox at the beginning, a second arrives at the moment of the fault, a third when all is well again. In
every row all three come into the ledger once, in order, by one connection or a new one, without a hang and without a busy
loop. The rows are what servers were seen to do, and what imapclient makes of it when it is asked to wait and read by itself.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func
from sqlmodel import Session, col, select

from pbmd.daemon.threads import Daemon
from pbmd.desk import ingest
from pbmd.desk.books.desk import utc_now
from pbmd.ledger.database import reading
from pbmd.ledger.tables import Letter, LogLine, Mailbox
from pbmd.post import outage
from pbmd.post.imap import inbox as inbox_module
from pbmd.settings import Imap
from tests.desk.world import World
from tests.post.faulty import GREETING, NOON, FaultyServer, Talk, letter

PATIENCE_SECONDS = 120.0
HASTE_SECONDS = 1.0
"""So little patience has pbmd with a server that never answers; with all others it has as much as they may need."""
MOST_COMMANDS = 60
"""Reading three letters takes some thirty commands, over two connections some more."""


@dataclass(frozen=True)
class Row:
    """A fault: the command it answers, what the server does instead, and what pbmd makes of it."""

    fault: str
    at: str
    does: Callable[[Talk], None]
    reconnects: int = 1
    told: tuple[str, ...] = ("imap-lost", "imap-back")
    times: int = 1
    timeout_seconds: float = PATIENCE_SECONDS
    polls: bool = False
    """The server takes no IDLE afterwards, so pbmd asks at intervals."""
    again_at_once: int = 0
    """How many connections more it takes, that are made without a pause and without a word in the log."""


def tolerated(fault: str, at: str, does: Callable[[Talk], None], told: tuple[str, ...] = (), **more: Any) -> Row:
    """A fault that costs not even the connection."""
    return Row(fault, at, does, 0, told, **more)


def unanswered(fault: str, at: str, does: Callable[[Talk], None]) -> Row:
    """A fault that nothing but pbmd's own time limit ends."""
    return Row(fault, at, does, timeout_seconds=HASTE_SECONDS)


def says(*lines: str, end: bool = False) -> Callable[[Talk], None]:
    """Answer so, with {tag} for the command's, and hang up if `end`."""

    def does(talk: Talk) -> None:
        talk.says(*(line.replace("{tag}", talk.tag) for line in lines))
        if end:
            talk.close()

    return does


def in_idle(*packets: str, end: bool = False) -> Callable[[Talk], None]:
    """Agree to IDLE, send these packets, and then end the IDLE when asked, or hang up."""

    def does(talk: Talk) -> None:
        talk.says("+ idling")
        for packet in packets:
            time.sleep(0.05)
            talk.sends(packet.encode())
        if end:
            talk.close()
        else:
            assert talk.reads() == "DONE"
            talk.says(f"{talk.tag} OK done")

    return does


def in_one_packet(*lines: str) -> Callable[[Talk], None]:
    """Answer IDLE so, in one packet, and end it when asked."""

    def does(talk: Talk) -> None:
        talk.says(*lines)
        assert talk.reads() == "DONE"
        talk.says(f"{talk.tag} OK done")

    return does


def in_the_next_packet(consent: str, *lines: str) -> Callable[[Talk], None]:
    """Agree to IDLE, say more at once, and end it when asked."""

    def does(talk: Talk) -> None:
        talk.says(consent)
        time.sleep(0.005)
        talk.says(*lines)
        assert talk.reads() == "DONE"
        talk.says(f"{talk.tag} OK done")

    return does


def drips_in_idle(talk: Talk) -> None:
    talk.says("+ idling")
    assert talk.reads() == "DONE"
    talk.drips(b"* OK still thinking" * 20)


def silent_in_idle(talk: Talk) -> None:
    talk.says("+ idling")
    talk.stays_silent()


def cut_in_a_literal(talk: Talk) -> None:
    talk.sends(talk.fetched(1).encode()[:-20])
    talk.close()


def drips_in_a_literal(talk: Talk) -> None:
    talk.sends(b"* 1 FETCH (UID 1 BODY[] {9000}\r\n")
    talk.drips(b"x" * 300)


def bodies(line: Callable[[Talk], str]) -> Callable[[Talk], None]:
    """Answer the FETCH of bodies with this line."""
    return lambda talk: talk.says(line(talk), f"{talk.tag} OK done")


def announces(begin: str) -> Callable[[Talk], None]:
    """Announce a literal of two thousand million bytes, and wait whether anybody wants to have them."""

    def does(talk: Talk) -> None:
        talk.says(f"{begin} {{2000000000}}")
        talk.stays_silent()

    return does


def floods(line: str) -> Callable[[Talk], None]:
    """Send a line again and again, until nobody takes any more."""

    def does(talk: Talk) -> None:
        many = f"{line}\r\n".encode() * 1000
        for _ in range(100):
            talk.sends(many)

    return does


def renumbered(talk: Talk) -> None:
    talk.server.renumber()
    talk.says("* BYE the mailbox was renumbered")
    talk.close()


def made_anew(talk: Talk) -> None:
    talk.server.renumber()
    talk.says("* NO Mailbox was deleted under you", f"{talk.tag} NO [SERVERBUG] session state is inconsistent")


TOO_LONG = "* SEARCH " + " ".join(map(str, range(1, 200_000)))
BODIES = "UID FETCH 1 (UID INTERNALDATE"
SIZES = "UID FETCH 1 (UID RFC822.SIZE)"
ALWAYS = 1000
FOUND_EXISTS = "* 2 EXISTS"

TABLE = [
    # The rows of the research, in their order.
    unanswered("no greeting", GREETING, Talk.stays_silent),
    unanswered("silent in IDLE", "IDLE", silent_in_idle),
    Row("closes in IDLE", "IDLE", in_idle(end=True)),
    Row("BYE in IDLE", "IDLE", in_idle("* BYE shutting down\r\n", end=True)),
    unanswered(
        "BYE in IDLE and the connection stays", "IDLE", lambda talk: (talk.says("+ idling", "* BYE"), talk.stays_silent())[1]
    ),
    tolerated("EXISTS in one packet with the consent to IDLE", "IDLE", in_one_packet("+ idling", FOUND_EXISTS)),
    tolerated("EXISTS before the consent to IDLE", "IDLE", in_one_packet(FOUND_EXISTS, "+ idling")),
    tolerated("EXISTS in two packets", "IDLE", in_idle("* 2 EXI", "STS\r\n")),
    tolerated("EXISTS byte by byte", "IDLE", in_idle(*"* 2 EXISTS\r\n")),
    Row("BYE instead of the consent to IDLE", "IDLE", says("* BYE not today", end=True)),
    tolerated("NO instead of the consent to IDLE", "IDLE", says("{tag} NO not today"), polls=True),
    tolerated("NO to every IDLE", "IDLE", says("{tag} NO never"), polls=True, times=ALWAYS),
    tolerated("BAD instead of the consent to IDLE", "IDLE", says("{tag} BAD what is that"), polls=True),
    Row("cut inside a literal", BODIES, cut_in_a_literal),
    unanswered("one byte now and then, in the greeting", GREETING, lambda talk: talk.drips(b"* OK wait " * 20)),
    unanswered("one byte now and then, in a letter", BODIES, drips_in_a_literal),
    unanswered("one byte now and then, at the end of IDLE", "IDLE", drips_in_idle),
    tolerated("FETCH without BODY[]", BODIES, says("* 1 FETCH (UID 1)", "{tag} OK done")),
    tolerated("FETCH of nothing", BODIES, says("{tag} OK done")),
    tolerated("FETCH of another UID", BODIES, bodies(lambda talk: talk.fetched(2).replace("UID 2", "UID 77"))),
    tolerated("FETCH without UID", BODIES, bodies(lambda talk: talk.fetched(1).replace("UID 1 ", ""))),
    tolerated(
        "an INTERNALDATE that cannot be read",
        BODIES,
        bodies(lambda talk: talk.fetched(1, date='INTERNALDATE "never"')),
        told=("no-arrival",),
    ),
    tolerated("no INTERNALDATE", BODIES, bodies(lambda talk: talk.fetched(1, date="FLAGS ()")), told=("no-arrival",)),
    tolerated(
        "quotes that do not end, in FETCH",
        BODIES,
        bodies(lambda talk: talk.fetched(1, date='INTERNALDATE "01-Mar-2026')),
        told=("no-arrival",),
    ),
    Row("quotes that do not end, in SEARCH", "UID SEARCH", says('* SEARCH "1', "{tag} OK done")),
    tolerated("quotes that do not end, in LIST", "LIST", says('* LIST (\\X "/" "a', "{tag} OK done")),
    Row("a line of more than 1,000,000 bytes", "UID SEARCH", says(TOO_LONG, "{tag} OK done")),
    Row("a literal of 2 GB in the greeting", GREETING, announces("* OK")),
    Row("a literal of 2 GB in SELECT", "SELECT", announces("* FLAGS")),
    Row("a literal of 2 GB in SEARCH", "UID SEARCH", announces("* SEARCH")),
    Row("a literal of 2 GB in place of a size", SIZES, announces("* 1 FETCH (UID 1 ENVELOPE")),
    tolerated("a literal of 2 GB in place of a letter", BODIES, announces("* 1 FETCH (UID 1 BODY[]"), again_at_once=1),
    tolerated("literals without an end", BODIES, floods("* 9 FETCH (X {1000}\r\n" + "x" * 1000 + ")"), again_at_once=1),
    Row("lines without an end", "UID SEARCH", floods("* OK " + "x" * 1000)),
    Row("NO to SELECT", "SELECT", says("{tag} NO [INUSE] later")),
    Row("NO to SEARCH", "UID SEARCH", says("{tag} NO later")),
    tolerated("NO to the question for sizes", SIZES, says("{tag} NO later")),
    tolerated("NO to FETCH", BODIES, says("{tag} NO later")),
    # What else was read of or measured.
    Row("hangs up at once", GREETING, Talk.close),
    Row("BYE as a greeting", GREETING, says("* BYE too many connections", end=True)),
    Row("resets the connection", BODIES, Talk.resets),
    Row("resets the connection in IDLE", "IDLE", lambda talk: (talk.says("+ idling"), talk.resets())[1]),
    Row("BYE to the login", "LOGIN", says("* BYE too busy", end=True)),
    Row("a login refused for another reason than the password", "LOGIN", says("{tag} NO [UNAVAILABLE] later")),
    Row("a login refused", "LOGIN", says("{tag} NO [AUTHENTICATIONFAILED] no"), told=("imap-refused", "imap-back")),
    Row("something that is no IMAP", "UID SEARCH", says("HTTP/1.1 400 Bad Request", "", end=True)),
    Row("a wrong tag", "UID SEARCH", says("* SEARCH 1", "X99 OK done")),
    Row("no UIDVALIDITY", "SELECT", says("* 1 EXISTS", "{tag} OK done")),
    Row("another UIDVALIDITY, told by hanging up", "IDLE", renumbered, told=("imap-lost", "duplicate", "imap-back")),
    Row("a folder deleted and made anew", "UID SEARCH", made_anew),
    tolerated("the same EXISTS again and again", "IDLE", in_idle("* 2 EXISTS\r\n"), times=8),
    tolerated("chatter in IDLE again and again", "IDLE", in_idle("* OK Still here\r\n"), times=8),
]


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, bool]]:
    """What was asked for a pause, which is short here: (failures in a row, refused)."""
    asked: list[tuple[int, bool]] = []

    def backoff(attempt: int, failure: outage.Failure, *, jitter: float) -> float:
        asked.append((attempt, failure is outage.Failure.REFUSED))
        return 0.05

    monkeypatch.setattr(outage, "backoff", backoff)
    monkeypatch.setattr(inbox_module, "FIRST_ROUND_SECONDS", 0.2)
    return asked


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    world.desk = replace(world.desk, now=utc_now)
    yield world
    world.close()


class Hasty(Imap):
    """Settings with less patience than anybody may set."""

    timeout_seconds: float = PATIENCE_SECONDS


@contextmanager
def reading_from(world: World, server: FaultyServer, **changes: Any) -> Iterator[None]:
    """A daemon that reads from that server, ended at the end, which must not take long either."""
    login = {"host": "127.0.0.1", "port": server.port, "tls": "none", "user": "gm", "password": "s3cret"}
    imap = Hasty(**login, processed="leave", **changes)
    world.desk = replace(world.desk, settings=world.desk.settings.model_copy(update={"imap": imap}))
    daemon = Daemon(world.desk)
    thread = threading.Thread(target=daemon.run)
    thread.start()
    try:
        yield
    finally:
        daemon.stop()
        thread.join(PATIENCE_SECONDS)
        assert not thread.is_alive()


def rows(world: World, kind: type[Any]) -> list[Any]:
    with Session(reading(world.desk.engine), expire_on_commit=False) as session:
        return list(session.exec(select(kind).order_by(col(kind.id))))


def stored(world: World) -> int:
    """How many letters are in the ledger: who waits for a thousand of them does not read them all again and again."""
    with Session(reading(world.desk.engine)) as session:
        return session.exec(select(func.count()).select_from(Letter)).one()


def wait_until(condition: Callable[[], Any], what: Callable[[], object]) -> None:
    ends = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < ends, f"waited too long: {what()}"
        time.sleep(0.01)


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.fault)
def test_nothing_is_lost_and_nothing_hangs_or_spins(world: World, row: Row, pauses: list[tuple[int, bool]]) -> None:
    with FaultyServer(row.at, row.does, row.times, {1: letter(1)}) as server:
        with reading_from(world, server, poll_seconds=1 if row.polls else 60, timeout_seconds=row.timeout_seconds):
            wait_until(lambda: stored(world) == 2, lambda: server.heard)
            if not row.polls:
                wait_until(lambda: server.idling, lambda: server.heard)
            server.deliver(letter(3))
            wait_until(lambda: stored(world) == 3, lambda: server.heard)
        assert row.polls or server.struck == row.times
    assert [each.raw for each in rows(world, Letter)] == [letter(1), letter(2), letter(3)]
    assert rows(world, Mailbox)[0].read_through is not None
    assert server.connections == 1 + row.reconnects + row.again_at_once
    assert [refused for _, refused in pauses] == ["imap-refused" in row.told] * row.reconnects
    told = [line.what for line in rows(world, LogLine) if line.what not in ("running", "stopped", "letter")]
    assert told == list(row.told)
    assert len(server.heard) < MOST_COMMANDS


def test_a_letter_that_is_said_to_be_short_and_never_ends_is_put_aside(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(ingest, "NO_TEXT_TIME", timedelta(0))

    def lies(talk: Talk) -> None:
        uids = [tuple(map(int, part.split(":"))) for part in talk.command.split()[2].split(",")]
        if "BODY.PEEK" in talk.command and any(each[0] <= 2 <= each[-1] for each in uids):
            announces("* 2 FETCH (UID 2 BODY[]")(talk)
        else:
            talk.honest()

    letters = {number: letter(10 + number) for number in (1, 2, 3)}
    with FaultyServer("UID FETCH", lies, ALWAYS, letters) as server, reading_from(world, server):
        wait_until(lambda: stored(world) == 4, lambda: server.heard)  # the fault brings a fourth, that is honest
    assert [each.state for each in rows(world, Letter) if not each.raw] == ["quarantined"]
    assert {each.raw for each in rows(world, Letter)} == {b"", letter(11), letter(13), server.letters[4]}
    told = [line for line in rows(world, LogLine) if line.what == "no-text"]
    assert len(told) == ingest.NO_TEXT_TRIES
    assert "far more of it than it was asked for" in told[0].detail
    assert "an answer of 2,000,000," in caplog.text


def test_a_letter_that_is_said_to_be_too_large_is_answered_though_the_server_cannot_cut_it(world: World) -> None:
    large = letter(1)

    def answers(talk: Talk) -> None:
        if "RFC822.SIZE" in talk.command:
            talk.says("* 1 FETCH (UID 1 RFC822.SIZE 2000000000)", f"{talk.tag} OK done")
        elif "BODY.PEEK[HEADER]" in talk.command:
            header = large.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
            size = f"BODY[HEADER]<0> {{{len(header)}}}"
            talk.sends(f'* 1 FETCH (UID 1 INTERNALDATE "{NOON}" {size}\r\n'.encode() + header + b")\r\n")
            talk.says(f"{talk.tag} OK done")
        else:
            announces("* 1 FETCH (UID 1 BODY[]")(talk)

    with FaultyServer("UID FETCH 1 ", answers, ALWAYS, {1: large}) as server, reading_from(world, server):
        wait_until(lambda: stored(world) == 2, lambda: server.heard)
    [kept] = [each for each in rows(world, Letter) if each.uid == 1]
    assert (kept.truncated, kept.size) == (True, 2_000_000_000)
    assert kept.raw.startswith(b"From: anna@pbmd.test\r\n")
    assert kept.state != "quarantined"


def test_a_fault_that_lasts_is_met_less_and_less_often(world: World, pauses: list[tuple[int, bool]]) -> None:
    with FaultyServer(GREETING, Talk.close, 6, {1: letter(1)}) as server, reading_from(world, server):
        wait_until(lambda: stored(world) == 2, lambda: server.connections)
    assert pauses == [(attempt, False) for attempt in range(1, 7)]


def test_a_notice_that_never_comes_costs_no_more_than_a_renewal_of_idle(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox_module, "RENEWAL_SECONDS", 0.5)
    with FaultyServer("IDLE", in_one_packet("+ idling"), ALWAYS, {1: letter(1)}) as server, reading_from(world, server):
        begun = time.monotonic()
        wait_until(lambda: stored(world) == 2, lambda: server.heard)
        waited = time.monotonic() - begun
    assert waited < 30, "and does not wait until it is time to poll"
    assert server.connections == 1


@pytest.mark.parametrize("word", ["* 2 EXISTS", "* OK Still here"])
def test_a_server_that_never_stops_talking_is_not_asked_without_a_pause(world: World, word: str) -> None:
    talks = in_the_next_packet("+ idling", word)
    with FaultyServer("IDLE", talks, ALWAYS, {1: letter(1)}) as server, reading_from(world, server):
        wait_until(lambda: server.struck, lambda: server.heard)
        begun, before = time.monotonic(), len(server.heard)
        time.sleep(1)
        wait_until(lambda: len(server.heard) >= before + 3, lambda: server.heard)
        commands = len(server.heard) - before
        lasted = time.monotonic() - begun
    assert commands <= 3 * lasted / inbox_module.REST_SECONDS + 3  # IDLE, SELECT, SEARCH


def test_a_line_that_is_too_long_for_the_server_is_never_sent(world: World) -> None:
    far = {1_000_000 + 3 * number: letter(number) for number in range(1, 1001)}  # no two in a run
    with FaultyServer("nothing", Talk.close, letters=far) as server, reading_from(world, server):
        wait_until(lambda: stored(world) == len(far), lambda: [command[:80] for command in server.heard])
    assert max(map(len, server.heard)) < 8000
    assert server.connections == 1


def test_a_letter_expunged_between_its_size_and_its_text_takes_no_other_with_it(world: World) -> None:
    def expunged(talk: Talk) -> None:
        del talk.server.letters[1]
        talk.known = 1
        talk.says(talk.fetched(7), f"{talk.tag} NO [EXPUNGEISSUED] some are gone")

    letters = {1: letter(1), 7: letter(7)}
    with FaultyServer("UID FETCH 1,7 (UID INTERNALDATE", expunged, letters=letters) as server, reading_from(world, server):
        wait_until(lambda: stored(world) == 2, lambda: server.heard)
    assert [each.raw for each in rows(world, Letter)] == [letter(7), letter(2)]
    assert server.connections == 1
