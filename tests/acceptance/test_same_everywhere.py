"""The same games by mail on SQLite, on PostgreSQL, and on PostgreSQL with two hosts and their workers that are killed at
random: journal, reports, archive and mails are the same, but for times and what is drawn by chance."""

import json
import random
import re
import shutil
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlmodel import col

from pbmd.desk.books.server_key import KEY
from pbmd.ledger.tables import Game, JournalEntry, Letter, LetterState, Outbox, OutboxState, Report
from tests.acceptance.house import House, Sink, pbmd
from tests.benchmarks.sink import running_sink
from tests.doses import LARGE, dose
from tests.mailservers import DOMAIN, PASSWORD, Dovecot
from tests.postgresql import running_postgresql
from tests.torture.pbmd_with_clock import set_clock

pytestmark = pytest.mark.dovecot
ROUNDS = dose(2, 3)
SEATS = ("Altair", "Borealis", "Cygnus")
GAMES = dose({}, {"count-1": "count"}) | {"count-2": "count", "relay-1": "relay"}
STEPS = {"count-1": (2, 4, 6), "count-2": (2, 3, 5), "relay-1": (3, 6, 9)}
"""How many steps of each game are over after each round: all send orders twice, and who comes after the last comes after the
turn; in a round in which one sends none there is one."""
_RULES = Path(__file__).parents[1] / "rules"


@dataclass
class Estate:
    """All who are at work on a ledger. Who is killed is started again."""

    hosts: list[House]
    workers: list[House]
    clock: Path
    kills: int = 0
    hands: threading.Lock = field(default_factory=threading.Lock)

    @property
    def first(self) -> House:
        """The host at which commands are given."""
        return self.hosts[0]

    @property
    def all(self) -> list[House]:
        return [*self.hosts, *self.workers]

    def begin(self) -> None:
        for house in self.all:
            house.start()

    @contextmanager
    def without_hosts(self, *, gently: bool) -> Generator[None]:
        """No host runs as long as the block lasts."""
        with self.hands:
            for host in self.hosts:
                if gently:
                    host.stop()
                else:
                    self._kill(host)
            yield
            for host in self.hosts:
                host.start()

    def _kill(self, house: House) -> None:
        house.kill()
        self.kills += 1

    @contextmanager
    def killed_at_random(self, seed: int) -> Generator[None]:
        """One after the other is killed and started again, as long as the block lasts; the next when that one is at work, as
        else a slow machine does nothing but start them."""
        chance, enough = random.Random(seed), threading.Event()

        def kill() -> None:
            while not enough.wait(chance.uniform(0.3, 2.5)):
                with self.hands:
                    house = chance.choice(self.all)
                    self._kill(house)
                    house.start()
                while not house.is_at_work() and not enough.wait(0.05):
                    pass

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            yield
        finally:
            enough.set()
            killer.join()


@contextmanager
def estate(folder: Path, dovecot: Dovecot, database: str, hosts: int = 1, workers: int = 0) -> Generator[Estate]:
    folder.mkdir()
    clock, sink, user = folder / "clock", Sink(), dovecot.new_user()
    set_clock(clock, 0)
    with ExitStack() as stack:
        port = stack.enter_context(running_sink(sink))

        def house_in(number: int, command: str = "run", name: str = "daemon") -> House:
            place = folder / f"host-{number}"
            place.mkdir(exist_ok=True)
            house = House(
                place, sink, user, program="tests.torture.pbmd_with_clock", command=command, name=name, dovecot=dovecot
            )
            house.environment["TORTURE_CLOCK"] = str(clock)
            house.settings_file.write_text(settings(house, port, database))
            stack.callback(end, house)
            return house

        running = [house_in(number) for number in range(1, hosts + 1)]
        helping = [house_in(number % hosts + 1, "worker", f"worker-{number}") for number in range(workers)]
        yield Estate(running, helping, clock)


def end(house: House) -> None:
    if house.process is not None and house.process.poll() is None:
        house.kill()


def settings(house: House, port: int, database: str) -> str:
    rules = [str(_RULES / slug) for slug in sorted(set(GAMES.values()))]
    return f"""
rulesets = {json.dumps(rules)}
[server]
address = "{house.address}"
gm = "gm@{DOMAIN}"
database = "{database}"
[imap]
host = "localhost"
port = {house.dovecot.imaps_port}
ca_file = "{house.dovecot.ca_file}"
user = "{house.user}"
password = "{PASSWORD}"
poll_seconds = 1
clock_tolerance_seconds = 0
[smtp]
host = "127.0.0.1"
port = {port}
tls = "none"
[limits]
answers_per_hour = 1000
answers_per_day = 1000
[game]
deadline = "10d"
reminders = []
"""


def new_games(estate: Estate) -> None:
    """The games, and the key of the first host for all."""
    for name, slug in GAMES.items():
        players = estate.first.folder / f"players-{name}.toml"
        players.write_text("".join(f'[[players]]\nseat = "{s}"\naddress = "{s.lower()}.{name}@players.test"\n' for s in SEATS))
        options = ("--option", "die=false", *(("--option", "target=1000") if slug == "count" else ()))
        estate.first.pbmd("new", name, "--ruleset", slug, "--players", str(players), *options)
    for other in estate.hosts[1:]:
        other.settings.data.mkdir(mode=0o700, exist_ok=True)
        shutil.copy(estate.first.settings.data / KEY, other.settings.data / KEY)


def reply_address(estate: Estate, name: str, seat: str) -> str:
    """Where a seat's mails ask to be replied to, up to the domain."""
    mails = estate.first.sink.of(f"{seat.lower()}.{name}@players.test")
    return str(mails[0]["Reply-To"]).partition("@")[0]


def bunch(round_: int) -> Iterator[tuple[str, str, str]]:
    """(game, seat, text) of a round, in the order in which they are sent. In the second Cygnus forgets one of the games."""
    for name in GAMES:
        for at, seat in enumerate(SEATS):
            other = SEATS[(at + 1) % len(SEATS)]
            yield name, seat, f"PRESS TO {other}\nround {round_} in {name}\nEND PRESS"
            yield name, seat, "nonsense that nobody understands" if at == round_ % 3 else "STATUS"
    for number in (1, 2):
        for at, seat in enumerate(SEATS):
            for name in GAMES:
                if not (round_ == 1 and seat == "Cygnus" and name == "count-2") and (number == 2 or name != "relay-1"):
                    yield name, seat, f"Add {round_ + at + number}"


def play(estate: Estate, *, gently: bool) -> None:
    """Nobody reads the mailbox while a round's letters come: while letters are moved out of it Dovecot numbers new ones in
    another order now and then."""
    house, number, written = estate.first, 0, Letter.state != LetterState.NEW
    house.wait_until(
        "the first reports", lambda: all(house.sink.of(f"{s.lower()}.{n}@players.test") for n in GAMES for s in SEATS)
    )
    addresses = {(name, seat): reply_address(estate, name, seat) for name in GAMES for seat in SEATS}
    for round_ in range(ROUNDS):
        time.sleep(1.1)  # what arrives in the second in which a step began may be of the one before
        with estate.without_hosts(gently=gently):
            for name, seat, text in bunch(round_):
                number += 1
                deliver(house, f"{seat.lower()}.{name}@players.test", addresses[name, seat], number, text)
        house.wait_until("all letters are dealt with", lambda number=number: len(house.rows(Letter, written)) == number)
        if round_ == 1:
            house.pbmd("deadline", "count-2", "in 2s", "--yes")
        house.wait_until("the round is over", lambda round_=round_: is_over(house, round_))


def deliver(house: House, sender: str, to: str, number: int, text: str) -> None:
    raw = f"From: {sender}\nTo: {to}@{DOMAIN}\nSubject: orders\nMessage-ID: <{number}@players.test>\n\n{text}\n"
    house.dovecot.deliver(to, raw.encode(), sender=sender)


def is_over(house: House, round_: int) -> bool:
    return {game.name: game.step for game in house.rows(Game)} == {name: STEPS[name][round_] for name in GAMES}


def settle(estate: Estate) -> None:
    """All mail goes out. What was on its way when its sender was killed waits for a minute, which is let pass."""
    house, waits = estate.first, col(Outbox.state).in_((OutboxState.QUEUED, OutboxState.SENDING))
    ahead = iter((61.0, 122.0, 183.0))
    ends = time.monotonic() + 300
    stepped = time.monotonic() + 2
    while house.rows(Outbox, waits):
        assert time.monotonic() < ends, house.complaints()
        if time.monotonic() > stepped and (more := next(ahead, None)):
            set_clock(estate.clock, more)
            stepped = time.monotonic() + 2
        time.sleep(0.1)


_APART = (
    (re.compile(r"\w{3},? (\d{1,2} )?\w{3} +(\d{1,2} )?(\d{4} )?\d\d:\d\d:\d\d( \d{4})?( \+0000)?"), "TIME"),
    (re.compile(r"LMTP\s+id \S+"), "LMTP"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)?"), "TIME"),
    (re.compile(r"\w{3} \d{1,2} \w{3} \d{4}( \d\d:\d\d(:\d\d)?)?( UTC| \(UTC\))?"), "TIME"),
    (re.compile(r"\w{3} \d{1,2} \w{3} \d\d:\d\d( UTC)?"), "TIME"),
    (re.compile(r"\b\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?( UTC)?"), "TIME"),
    (re.compile(r"\b(\d+ (days?|d|h|min|s)\b[, ]*(and )?)+"), "LENGTH "),
    (
        re.compile(r"#orders (?:(- [a-z2-7]{8})\.[a-z2-7]{8}|(\S+)) (\d+|x)\.[a-z2-7]{20} [a-z2-7]{13}"),
        r"#orders \1\2 \3.DRAWN",
    ),
    (re.compile(r"\bg(\d+)p(\d+)\.[a-z2-7]{16}", re.IGNORECASE), r"TAG-\1-\2"),
    (re.compile(r"(?<=-\d~)[0-9a-f]{12}\b"), "DRAWN"),
    (re.compile(r"\b([0-9a-f]{16,}|[a-z2-7]{16})\b"), "DRAWN"),
    (re.compile(r"(?<=#word )\w+"), "DRAWN"),
    (re.compile(r"(?<=everybody:)\s+(?:[a-z]{3,8}\s){3}[a-z]{3,8}"), "DRAWN"),
    (re.compile(r"(?:[a-z]{3,8}\s){3}[a-z]{3,8}(?=(?:</strong>)?\.\s+Everybody\s+has)"), "DRAWN"),
    (re.compile(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{27,}={0,2}|\+[0-9a-f]{8}\+"), "DRAWN"),
    (re.compile(r"user\d+@pbmd\.test|user\d+\+|pbmd\.test/user\d+"), "PBMD"),
    (re.compile(r"\s+"), " "),
)


_LETTER = re.compile(r"""("letter": ?|\bletter )(\d+)\b""")
_OF_TIMES = re.compile(r"/search/(?:3\d|documents)\.js$")
"""Where in the pages the words stand that begin with a digit, times among them, and with which letters words begin."""


def same_words(text: str) -> str:
    """A text without what is another one each time."""
    for pattern, instead in _APART:
        text = pattern.sub(instead, text)
    return text


@dataclass(frozen=True)
class Played:
    """What is left of the games: by what it is, and where."""

    journal: dict[tuple[str, int], str]
    reports: dict[tuple[str, int, str], str]
    mails: dict[tuple[str, str], list[str]]
    archives: dict[str, str]


def played(estate: Estate) -> Played:
    house = estate.first
    names = {game.id: game.name for game in house.rows(Game)}
    place_of = {letter.id: place for place, letter in enumerate(sorted(house.rows(Letter), key=lambda each: each.id or 0), 1)}

    def in_place(text: str) -> str:
        """Letters by their place among all: where a host was killed as it wrote some, PostgreSQL leaves out their numbers."""
        return _LETTER.sub(lambda found: f"{found[1]}{place_of.get(int(found[2]), found[2])}", text)

    journal = {
        (names[entry.game_id], entry.number): same_words(in_place(f"{entry.kind} {entry.public} {entry.secret}"))
        for entry in house.rows(JournalEntry)
    }
    reports = {(names[row.game_id], row.step, row.reader): same_words(row.text) for row in house.rows(Report)}
    mails: dict[tuple[str, str], list[str]] = {}
    for name in GAMES:
        for seat in SEATS:
            once = {str(mail["Message-ID"]): mail for mail in house.sink.of(f"{seat.lower()}.{name}@players.test")}
            texts = [f"{mail['Subject']} {mail.get_body(('plain',)).get_content()}" for mail in once.values()]  # pyright: ignore[reportOptionalMemberAccess]
            mails[name, seat] = sorted(map(same_words, texts))
    archives: dict[str, str] = {}
    for name in GAMES:
        archive = house.folder / f"archive-{name}"
        house.pbmd("abandon", name, "--yes")
        house.pbmd("export", name, "--to", str(archive))
        for path in sorted((archive / "data").rglob("*")):
            if path.is_file() and path.suffix != ".sqlite" and not _OF_TIMES.search(path.as_posix()):
                archives[f"{name}/{path.relative_to(archive)}"] = same_words(in_place(path.read_text(errors="replace")))
    return Played(journal, reports, mails, archives)


def play_all(estate: Estate, seed: int | None = None) -> Played:
    new_games(estate)
    estate.begin()
    if seed is None:
        play(estate, gently=True)
    else:
        with estate.killed_at_random(seed):
            play(estate, gently=False)
    settle(estate)
    for house in estate.all:
        end(house)
    return played(estate)


def must_be_same(one: Played, other: Played) -> None:
    """The journal, the reports, the mails and the archives, each by itself, so that what differs is shown."""
    for name in ("journal", "reports", "mails", "archives"):
        ours, theirs = getattr(one, name), getattr(other, name)
        assert ours.keys() == theirs.keys(), name
        for key in ours:
            assert ours[key] == theirs[key], (name, key)


@pytest.mark.in_turn(3, of="long games")
def test_the_same_games_come_to_the_same_wherever_the_ledger_is_and_however_many_work_at_it(
    tmp_path: Path, dovecot: Dovecot
) -> None:
    with estate(tmp_path / "sqlite", dovecot, "") as alone:
        on_sqlite = play_all(alone)
        assert len(on_sqlite.journal) > 3 * ROUNDS
    with running_postgresql(durable=True) as server:
        if LARGE:  # else what is the same with several hosts would be with one
            with estate(tmp_path / "one", dovecot, server.new_ledger()) as alone:
                must_be_same(on_sqlite, play_all(alone))
        with estate(tmp_path / "several", dovecot, server.new_ledger(), hosts=2, workers=dose(2, 3)) as several:
            on_several = play_all(several, seed=1)
            assert several.kills >= len(several.all)
            must_be_same(on_sqlite, on_several)
            for name, slug in GAMES.items():
                pbmd("verify", str(several.first.folder / f"archive-{name}"), "--ruleset", str(_RULES / slug))
