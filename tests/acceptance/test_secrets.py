"""Known secrets, looked for everywhere: in logs, output of commands, columns of the ledger, archives, and the mails of others.

Three players play two turns of a real game and have sent orders for the third; one has moved to another address since, one has
letters that wait, and a seat is offered to somebody else. Then every place is read for every secret, as
it is written and in what mail encodings make of it. What may be where is a table: a secret in any other place is a leak.
"""

import base64
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import make_msgid
from fnmatch import fnmatch
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.dialects import sqlite
from sqlmodel import SQLModel

from pbmd.ledger.tables import CompressedText, Game, PackedBytes, Seat, is_packed
from tests.acceptance.house import House, open_house
from tests.acceptance.players import Player, html_only, in_the_form, top_posted
from tests.mailservers import PASSWORD, running_dovecot

SEATS = ("Altair", "Borealis", "Cygnus")
LINEUPS = {
    "Altair": ("LLFFTT", "LFFLTT", "LTTLFF"),
    "Borealis": ("TTFFLL", "TFFTLL", "TLLTFF"),
    "Cygnus": ("FFLLTT", "FLLFTT", "FTTFLL"),
}
"""Orders of battle that only this seat gives, in turns 1, 2 and 3. None is used in a battle, so nobody else may see them."""
HOLDERS = {"Altair": "Quentin Quagmire", "Borealis": "Xenia Xylander", "Cygnus": "Yolanda Yttrium"}
"""The game is anonymous."""
PRESS = "the quokka sings at midnight"
NEW_HOLDER = "dora@elsewhere.test"
_LINK = re.compile(r"https://games\.example\.org/s/g\d+p\d+\.([a-z2-7]{16})/")
OLD_ADDRESS, MOVED_TO = "borealis@players.test", "bo@moved.test"
NOBODY = ""

pytestmark = [pytest.mark.dovecot, pytest.mark.in_every_run]


@dataclass(frozen=True)
class Secret:
    """`owner` is the seat that knows it anyway; `friend` another one that was told."""

    kind: str
    owner: str
    text: str
    friend: str = NOBODY


# Which kind of secret may stand where, by patterns: "table.column", "archive/file", "mail to the gm". What each player gets is
# looked at apart. To add a kind: a line here, and its values in `secrets_of`.
_OF_ORDERS = (
    "letter.raw",
    "journal.secret",
    "outbox.raw",
    "report.text",
    "report.html",
    "submission.orders",
    "submission.verdicts",
)
_JOURNAL = ("archive/data/journal.jsonl", "archive/data/game.sqlite")
_LETTERS = ("archive/data/letters.mbox", *_JOURNAL)
ALLOWED: Mapping[str, tuple[str, ...]] = {
    # A Message-ID has the token of the seat that it goes to, and a reply its Reply-To.
    "token": ("letter.raw", "outbox.raw", "outbox.message_id", "outbox.envelope_from", "report.html"),
    "link to the pages of a seat": ("letter.raw", "outbox.raw"),
    "address": (
        "seat.address", "outbox.recipient", "outbox.raw", "letter.raw", "journal.secret",
        *_LETTERS,
    ),
    "name of a player": (
        "seat.holder", "outbox.raw", "journal.secret",
        *_JOURNAL, "archive/data/game.toml", "archive/data/index.html", "archive/data/assets/*",
        "data/dashboard/games/galaxy-7/index.html",  # the game master's own
    ),
    "orders of a turn that is over": (
        *_OF_ORDERS, "game.position", "steprecord.before", "steprecord.after", "steprecord.events",
        *_LETTERS, "archive/data/turns/*", "archive/data/assets/*",
    ),
    "orders of the open turn": (*_OF_ORDERS, "game.position"),
    "refused line": (
        *_OF_ORDERS, *_LETTERS, "archive/data/turns/*/orders.toml", "archive/data/turns/*/sheets.json", "archive/data/assets/*",
    ),
    "press": ("letter.raw", "outbox.raw", "journal.secret", *_LETTERS, "archive/data/assets/*"),
    "dice of the open turn": ("game.secret",),
    "code of a question": ("outbox.raw", "outbox.message_id", "outbox.envelope_from"),
    "code of an answered question": ("outbox.raw", "outbox.message_id", "outbox.envelope_from", "letter.raw"),
    "address after a move": (
        "seat.address", "confirmation.payload", "outbox.recipient", "outbox.raw", "letter.raw", "journal.secret",
        *_LETTERS,
    ),
    "token after a move": ("outbox.raw", "outbox.message_id", "outbox.envelope_from"),
    "address of a new holder": ("confirmation.payload", "outbox.recipient", "outbox.raw"),
    "key of the server": (),
    "password of the mailbox": (),
}  # fmt: skip


@dataclass(frozen=True)
class Played:
    """A game in mid-turn: where it can be looked at (place → bytes), each player's mails, and what is secret."""

    places: Mapping[str, bytes]
    mails: Mapping[str, bytes]
    reports: Mapping[str, bytes]
    secrets: tuple[Secret, ...]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    folder = tmp_path_factory.mktemp("house")
    with running_dovecot() as dovecot, open_house(folder, dovecot, deadline="1h") as house:
        house.settings_file.write_text(f'{house.settings_file.read_text()}[pages]\npublic_url = "https://games.example.org"\n')
        house.new_game("galaxy-7", SEATS, "--holders", "hidden", holders=HOLDERS)
        writings = dict(zip(SEATS, (html_only, in_the_form, top_posted), strict=True))
        players = [Player(house, seat, f"{seat.lower()}@players.test", writings[seat], _Orders(seat)) for seat in SEATS]
        house.start()
        house.wait_until("the third turn and all answers in it", lambda: _play(house, players))
        _put_questions(house)
        _move(house)
        archive = folder / "archive"
        house.pbmd("export", "galaxy-7", "--to", str(archive))
        commands = {
            f"pbmd {' '.join(words)}": house.pbmd(*words).encode()
            for words in (("status",), ("status", "--json"), ("log", "-n", "1000"), ("letters",), ("letters", "--json"))
        }
        house.stop()
        secrets = tuple(secrets_of(house))
        mails = {seat: b"".join(_written(mail) for mail in house.sink.of(f"{seat.lower()}@players.test")) for seat in SEATS}
        yield Played(
            {
                **commands,
                **dict(_columns(house.settings.data / "ledger.sqlite")),
                **dict(_files(archive, "archive")),
                **{f"data/{name}": data for name, data in _files(house.settings.data, "") if not _is_kept_secret(name)},
                "standard error": house.complaints().encode(),
                "mail to the gm": b"".join(_written(mail) for mail in house.sink.of(house.settings.server.gm)),
            },
            mails,
            dict(_reports(house.settings.data / "ledger.sqlite")),
            secrets,
        )


@dataclass(frozen=True)
class _Orders:
    seat: str

    def __call__(self, turn: int) -> str:
        """An order of battle and a line that cannot be read; from Altair a word to Borealis, and a wish."""
        orders = f"OOB default: {LINEUPS[self.seat][turn - 1]}\n{_refused(self.seat)}"
        also = {
            ("Altair", 2): f"PRESS TO Borealis\n{PRESS}\nEND PRESS",
            ("Altair", 3): "WAIT",
        }
        return f"{orders}\n{also.get((self.seat, turn), '')}"


def _put_questions(house: House) -> None:
    """Two letters of Altair that wait for a YES, and an offered seat."""
    for text in ("STATUS", "WAIT"):
        _write(house, "altair@players.test", house.address, text)
    house.pbmd("replace", "galaxy-7", "Cygnus", "--by", NEW_HOLDER, "--yes")
    asked = ("altair@players.test", NEW_HOLDER)
    house.wait_until("three questions", lambda: [len(_questions(house, address)) for address in asked] == [2, 1])


def _move(house: House) -> None:
    """Borealis goes to another address: asked for by a reply, confirmed from the old address and from the new one."""
    _write(house, OLD_ADDRESS, str(house.sink.of(OLD_ADDRESS)[-1]["Reply-To"]), f"ADDRESS {MOVED_TO}")
    for address in (OLD_ADDRESS, MOVED_TO):
        house.wait_until("a question", lambda address=address: bool(_questions(house, address)))
        _write(house, address, str(_questions(house, address)[0]["Reply-To"]), "YES")
    house.wait_until("the mail with the new token", lambda: len(house.sink.of(MOVED_TO)) == 2)


def _write(house: House, sender: str, to: str, text: str) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = sender, to, "a new mail", make_msgid(domain="players.test")
    mail.set_content(text)
    house.dovecot.deliver(house.user, mail.as_bytes(), sender=sender)


def _questions(house: House, address: str) -> list[EmailMessage]:
    return [mail for mail in house.sink.of(address) if str(mail["Message-ID"]).startswith("<question.")]


def _refused(seat: str) -> str:
    return f"Embroider{seat}Cushions 7"


def _play(house: House, players: list[Player]) -> bool:
    for player in players:
        player.play()
    answers = [
        mail
        for player in players
        for mail in house.sink.of(player.address)
        if " t3] " in (title := str(mail["Subject"])) and "orders in" in title
    ]
    return len(answers) == len(players)


def secrets_of(house: House) -> Iterator[Secret]:
    """Everything that is secret, and whose it is."""
    for seat in SEATS:
        address = f"{seat.lower()}@players.test"
        yield Secret("token", seat, _secret_of(house.sink.of(address)[0]))
        yield Secret("address", seat, address)
        yield Secret("name of a player", seat, HOLDERS[seat])
        yield Secret("link to the pages of a seat", seat, _link_in(house.sink.of(address)))
        for lineup in LINEUPS[seat][:2]:
            yield Secret("orders of a turn that is over", seat, lineup)
        yield Secret("orders of the open turn", seat, LINEUPS[seat][2])
        yield Secret("refused line", seat, _refused(seat))
    yield Secret("press", "Altair", PRESS, friend="Borealis")
    game: Game = house.rows(Game)[0]
    key = (house.settings.data / "server.key").read_bytes()
    for kind, secret in (("dice of the open turn", game.secret), ("key of the server", key)):
        assert secret
        for text in (secret.hex(), base64.b64encode(secret).decode().rstrip("="), secret.decode("latin-1")):
            yield Secret(kind, NOBODY, text)
    for kind, owner, address in (
        ("code of a question", "Altair", "altair@players.test"),
        ("code of a question", NOBODY, NEW_HOLDER),
        ("code of an answered question", "Borealis", OLD_ADDRESS),
        ("code of an answered question", NOBODY, MOVED_TO),
    ):
        for question in _questions(house, address):
            yield Secret(kind, owner, _secret_of(question))
    assert house.rows(Seat, Seat.name == "Borealis")[0].address == MOVED_TO
    # The old address knows where to, since it was asked, and must not get the new token any more.
    yield Secret("address after a move", "Borealis", MOVED_TO)
    yield Secret("token after a move", NOBODY, _secret_of(house.sink.of(MOVED_TO)[-1]))
    yield Secret("address of a new holder", NOBODY, NEW_HOLDER)
    yield Secret("password of the mailbox", NOBODY, PASSWORD)


def _secret_of(mail: EmailMessage) -> str:
    """The token or code in the address that a mail wants to be answered to."""
    return str(mail["Reply-To"]).partition("@")[0].rpartition(".")[2]


def _link_in(mails: Iterable[EmailMessage]) -> str:
    """The secret of the link in the first report."""
    texts = (part.get_content() for mail in mails if (part := mail.get_body(("plain",))))
    return next(found[1] for text in texts if (found := _LINK.search(text)))


def _is_kept_secret(name: str) -> bool:
    """The ledger is read column by column, and the key is where it is kept."""
    return name.startswith("ledger.sqlite") or name == "server.key"


def _columns(ledger: Path) -> Iterator[tuple[str, bytes]]:
    with sqlite3.connect(ledger) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            cursor = connection.execute(f'SELECT * FROM "{table}"')
            rows = cursor.fetchall()
            for number, column in enumerate(cursor.description):
                values = (_unpacked(table, column[0], row[number]) for row in rows)
                yield f"{table}.{column[0]}", b"\n".join(map(_bytes, values))
    connection.close()


def _reports(ledger: Path) -> Iterator[tuple[str, bytes]]:
    names = {f"seat:{number}": seat for number, seat in enumerate(SEATS, start=1)}
    with sqlite3.connect(ledger) as connection:
        for reader in ("public", *names):
            rows = connection.execute("SELECT text, html FROM report WHERE reader = ?", [reader]).fetchall()
            assert rows
            yield names.get(reader, reader), b"\n".join(text.encode() + zlib.decompress(html) for text, html in rows)
    connection.close()


_COMPRESSED = {
    (table.name, column.name): column.type
    for table in SQLModel.metadata.tables.values()
    for column in table.columns
    if isinstance(column.type, (CompressedText, PackedBytes))
}


def _unpacked(table: str, column: str, value: Any) -> object:
    """What a column has, as pbmd reads it: nothing is found in what is compressed."""
    kind = _COMPRESSED.get((table, column))
    return kind.process_result_value(value, sqlite.dialect()) if kind else value


def _bytes(value: object) -> bytes:
    found = value if isinstance(value, bytes) else str(value).encode()
    assert not _is_compressed(found), "no secret would be found in it"
    return found


def _is_compressed(data: bytes) -> bool:
    try:
        zlib.decompress(data)
    except zlib.error:
        return is_packed(data)
    return True


def _files(folder: Path, name: str) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield f"{name}/{path.relative_to(folder)}".lstrip("/"), path.read_bytes()


def _written(mail: EmailMessage) -> bytes:
    """A mail as it went out, and its parts as a reader sees them."""
    parts = [part.get_payload(decode=True) for part in mail.walk() if not part.is_multipart()]
    headers = "\n".join(f"{name}: {value}" for name, value in mail.items()).encode()
    return b"\n".join([mail.as_bytes(), headers, *(part for part in parts if isinstance(part, bytes)), b""])


def _holds(data: bytes, secret: str) -> bool:
    """Whether it is there, as it is or in base64 at any offset."""
    plain = secret.encode("latin-1")
    coded = (base64.b64encode(b"\0" * shift + plain)[4 if shift else 0 : -4] for shift in range(3))
    return plain in data or (len(plain) >= 9 and any(part in data for part in coded))


def _may_be(secret: Secret, place: str) -> bool:
    return any(fnmatch(place, pattern) for pattern in ALLOWED[secret.kind])


@pytest.mark.parametrize("kind", ALLOWED)
def test_a_secret_is_nowhere_but_where_it_belongs(played: Played, kind: str) -> None:
    secrets = [secret for secret in played.secrets if secret.kind == kind]
    assert secrets, "nothing to look for"
    leaks = {
        (place, secret.owner)
        for (place, data), secret in product(played.places.items(), secrets)
        if not _may_be(secret, place) and _holds(data, secret.text)
    }
    assert leaks == set()


@pytest.mark.parametrize("kind", ALLOWED)
@pytest.mark.parametrize("reader", SEATS)
def test_nobody_gets_a_secret_of_somebody_else_by_mail(played: Played, kind: str, reader: str) -> None:
    foreign = [secret for secret in played.secrets if secret.kind == kind and reader not in (secret.owner, secret.friend)]
    assert [secret.owner for secret in foreign if _holds(played.mails[reader], secret.text)] == []


@pytest.mark.parametrize("kind", ALLOWED)
@pytest.mark.parametrize("reader", [*SEATS, "public"])
def test_no_report_that_is_kept_has_a_secret_of_somebody_else(played: Played, kind: str, reader: str) -> None:
    foreign = [secret for secret in played.secrets if secret.kind == kind and reader != secret.owner]
    assert [secret.owner for secret in foreign if _holds(played.reports[reader], secret.text)] == []


def test_the_secrets_are_found_where_they_belong(played: Played) -> None:
    """Else the looking itself would be broken."""
    for secret in played.secrets:
        if secret.owner:
            assert _holds(played.mails[secret.owner], secret.text) or secret.kind == "press", secret
        if secret.kind in ("token", "address", "orders of the open turn", "refused line", "press"):
            assert _holds(played.places["letter.raw"], secret.text), secret
        if secret.kind in ("token", "link to the pages of a seat", "code of a question", "address", "orders of the open turn"):
            assert _holds(played.places["outbox.raw"], secret.text), secret
    assert _holds(played.mails["Borealis"], PRESS)
    assert {"pbmd status --json", "data/dashboard.log", "archive/data/letters.mbox", "log.detail"} <= set(played.places)


def test_places_in_the_table_exist(played: Played) -> None:
    """A column that is renamed must not leave a permission behind."""
    patterns = {pattern for patterns in ALLOWED.values() for pattern in patterns}
    unused = {pattern for pattern in patterns if not any(fnmatch(place, pattern) for place in played.places)}
    assert unused == set()
