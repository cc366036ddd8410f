"""A game of each ruleset played by mail whose letters arrive in bunches: many lie in the mailbox when pbmd looks, orders that
end a step and what comes after them, mail for everybody, for one and for nobody. Then it is exported, verified, imported, and
every mail that anybody got is held against the archive."""

import json
from collections.abc import Sequence
from email.message import EmailMessage
from itertools import count
from pathlib import Path

import pytest

from pbmd.desk.books.desk import utc_now
from pbmd.desk.deadlines.evidence import second_after
from pbmd.ledger.tables import Game, Letter, LetterState, Seat, StepRecord
from pbmd.rules import HmacDice
from pbmd.rules.options import complete
from pbmd.rules.registry import get, slugs
from pbmd.simulate import signups, usual_players
from tests.acceptance.house import House, open_house
from tests.acceptance.house import pbmd as run_pbmd
from tests.doses import dose
from tests.mailservers import Dovecot

NAME, STEPS = "in-bunches", 3
KINDS = ("diplomacy", "local_cluster", "societies")
"""With phases, with moves that are carried out as they come, and with one sheet of orders a turn."""
TALK = {"local_cluster": ("Offer trade treaty to {other}", "Accept trade treaty from {other}")}
"""What has its effect at once."""

pytestmark = pytest.mark.dovecot


def pbmd(*arguments: str, house: House | None = None, codes: Sequence[int] = (0,)) -> str:
    """Run a command to its end, with or without settings, and give what it printed."""
    settings = ["--settings", str(house.settings_file)] if house else []
    return run_pbmd(*arguments, *settings, codes=codes)


def begin(house: House, slug: str) -> None:
    """A game of three, or of two where the rules have no more."""
    rules = get(slug)
    options = complete(rules.info.options, {})
    wanted = signups(rules, min(3, usual_players(rules, options)), options)
    entries = (
        f'[[players]]\nseat = {json.dumps(each.seat)}\naddress = "player{place}@players.test"\n'
        f"setup = {json.dumps([line.text for line in each.lines])}\n"
        for place, each in enumerate(wanted, 1)
    )
    players = house.folder / "players.toml"
    players.write_text("\n".join(entries))
    pbmd("new", NAME, "--ruleset", slug, "--players", str(players), house=house)


def bunch(house: House, round_: int, numbers: "count[int]") -> list[EmailMessage]:
    """What lies in the mailbox when pbmd looks: orders of all, twice of the first, and after the last of them other mail."""
    game = house.rows(Game)[0]
    rules = get(game.ruleset)
    position = rules.load(json.loads(game.position))
    seats = house.rows(Seat)
    awaited = rules.awaiting(position)
    said: list[tuple[Seat, str]] = []
    for seat in sorted(seats, key=lambda seat: (seat.name not in awaited, seat.number)):
        orders = rules.random_orders(position, seat.name, HmacDice(f"{round_} {seat.name}".encode(), b""))
        said += [(seat, orders)] if orders else []
    said += said[:1]
    for seat, other in zip(seats, [*seats[1:], seats[0]], strict=True):
        said += [(seat, line.format(other=other.name)) for line in TALK.get(game.ruleset, ())]
    said += [
        (seats[0], f"PRESS TO {seats[1].name}\nHow about a truce?\nEND PRESS"),
        (seats[1], "STATUS"),
        (seats[-1], "CANCEL ORDERS"),
    ]
    return [letter(house, seat, text, next(numbers)) for seat, text in said]


def letter(house: House, seat: Seat, text: str, number: int) -> EmailMessage:
    """A reply to the newest report of a seat."""
    report = [mail for mail in house.sink.of(seat.address) if "report" in str(mail["Subject"]) or mail["Reply-To"]][-1]
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = seat.address, report["Reply-To"], f"Re: {report['Subject']}"
    mail["Message-ID"], mail["In-Reply-To"] = f"<{number}@players.test>", report["Message-ID"]
    mail.set_content(text)
    return mail


def deliver(house: House, letters: list[EmailMessage]) -> None:
    for each in letters:
        house.dovecot.deliver(str(each["To"]).partition("@")[0], each.as_bytes(), sender=str(each["From"]))


def read_all(house: House) -> bool:
    """Let pbmd look once; whether it has dealt with all that lay there, which is no sooner than in the next second."""
    pbmd("tick", house=house)
    return not house.rows(Letter, Letter.state == LetterState.NEW)


@pytest.mark.in_turn(3, of="long games")
@pytest.mark.parametrize("slug", dose(KINDS, slugs()))
def test_it_exports_verifies_and_imports(tmp_path: Path, dovecot: Dovecot, slug: str) -> None:
    archive, again, mails, numbers = tmp_path / "archive", tmp_path / "again", tmp_path / "mails", count()
    for folder in (tmp_path / "first", tmp_path / "second", mails):
        folder.mkdir()
    with open_house(tmp_path / "first", dovecot) as house:
        begin(house, slug)
        pbmd("tick", house=house)  # the first reports go out
        for round_ in range(STEPS):
            # Mail servers stamp with whole seconds: so what comes in the second in which a step opens ends nothing.
            opened = house.rows(Game)[0].opened_at
            house.wait_until("the next second", lambda opened=opened: utc_now() >= second_after(opened))
            deliver(house, bunch(house, round_, numbers))
            house.wait_until("all letters are dealt with", lambda: read_all(house))
        assert len(house.rows(StepRecord)) >= STEPS
        assert house.rows(Letter, Letter.state == LetterState.QUARANTINED) == []
        pbmd("abandon", NAME, "--yes", house=house)
        pbmd("tick", house=house)  # the last mails go out
        pbmd("export", NAME, "--to", str(archive), house=house)
        for place, mail in enumerate(mail for seat in house.rows(Seat) for mail in house.sink.of(seat.address)):
            (mails / f"{place}.eml").write_bytes(mail.as_bytes())
    assert json.loads(pbmd("verify", str(archive), "--json"))["problems"] == []
    # 1: of orders that were never used an archive may not tell how they were understood.
    told = json.loads(pbmd("receipt", str(mails), "--archive", str(archive), "--json", codes=(0, 1)))
    assert [finding for finding in told["findings"] if finding["holds"] is False] == []
    # What took effect at once has no number in the mail, since that would tell when others wrote; and what the rules tell of a
    # move is in no entry of its own.
    unknown = [finding for finding in told["findings"] if finding["holds"] is None]
    unknown = [finding for finding in unknown if finding["words"] != "not compared: no entry makes one that begins like this"]
    assert {finding["what"] for finding in unknown} <= {"digest", "arrived"}
    assert len([finding for finding in told["findings"] if finding["holds"]]) > 30
    with open_house(tmp_path / "second", dovecot) as house:
        assert "finished" in pbmd("import", str(archive), house=house)
        pbmd("export", NAME, "--to", str(again), house=house)
    assert (again / "data" / "journal.jsonl").read_bytes() == (archive / "data" / "journal.jsonl").read_bytes()
