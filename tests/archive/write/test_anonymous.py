"""`pbmd export --anonymise`: a scanner that knows the ledger finds nothing in the archive that tells who the players are."""

import html
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import datetime, timedelta
from email import message_from_bytes
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import bagit
import pytest
from typer.testing import CliRunner

from pbmd.archive.evidence.claims import claims_of_code
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.archive.format.seals import PAGE, PROGRAM, SOURCE
from pbmd.archive.write.anonymous import Anonymiser
from pbmd.cli import app
from pbmd.desk.changes import deadline_changes, gm, new_game
from pbmd.desk.changes.seats import Consent, give_up, hand_over
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.journal import FIRST_HASH, chained
from pbmd.ledger.tables import JournalEntry, Letter, Outbox, Seat
from pbmd.post.tags import make_token
from pbmd.rules import Line, Signup, canonical_json
from pbmd.terms.terms import Terms
from tests.archive.kept import archived, conquered
from tests.archive.made import claimed, examined, verified
from tests.desk.world import World
from tests.docs.pages import ROOT
from tests.schemas import Draft202012Validator

HOLDERS = {"Altair": "Anna Lindqvist", "Bert Bo": "Bert Bo", "Cygnus": "Zoë O'Brien-Åström"}
GONE = '"Dora ""the"" Möller" <dora@elsewhere.test>'


@pytest.fixture
def counted(tmp_path: Path) -> Iterator[World]:
    """A game of people who sign what they write. One seat has its player's name, and one changes hands."""
    (tmp_path / "desk").mkdir()
    with closing(World(tmp_path / "desk")) as world:
        with changing_games(world.desk) as work:
            table = new_game.create_game(work, "galaxy-7", "count", Terms(anonymous_press=True), {"target": 40})
            for place, (seat, holder) in enumerate(HOLDERS.items()):
                new_game.add_seat(
                    work,
                    table,
                    Signup(seat, (Line(1, f"Player name: {holder}"),)),
                    new_game.Newcomer(f"p{place}.x@home.test", holder),
                )
            new_game.start_game(work, table)
        send(world, "Altair", "Add 2\nRegards, Anna Lindqvist of Malmö\nanna.l@elsewhere.test", "Annie L. <p0.x@home.test>")
        send(world, "Bert Bo", "PRESS TO Altair\nthe password is mellon\nEND PRESS\nAdd 3")
        send(world, "Cygnus", "ANONYMOUS PRESS TO ALL\nfear the moon\nEND PRESS")
        send(world, "Cygnus", "PRESS TO ALL\nfear the sun\nEND PRESS\nAdd 1")
        world.act("galaxy-7", gm.announce, "Anna and Bert marry on Sunday")
        world.act("galaxy-7", deadline_changes.extend, timedelta(hours=1), "the game master", "the wedding of Altair's cousin")
        world.pass_time(timedelta(hours=80))
        with changing_games(world.desk) as work:
            table = work.table_named("galaxy-7")
            assert table is not None
            hand_over(work, table, table.seats[2], "dora@elsewhere.test", Consent(1))
        send(world, "Cygnus", "Add 9", GONE)
        send(world, "Altair", "Add 2\nadd two, says anna lindqvist")
        send(world, "Bert Bo", "I have moved to Uppsala")
        world.pass_time(timedelta(hours=80))
        assert world.game().step == 2
        yield world


@pytest.fixture
def abandoned(counted: World) -> World:
    """The same, but somebody has given up, and the game master has ended it, says why, and has a last word."""
    counted.act("galaxy-7", lambda work, table: give_up(work, table, table.seat("Bert Bo")))
    counted.act("galaxy-7", gm.abandon, "Anna ran off with the cello")
    counted.act("galaxy-7", gm.announce, "Anna, give back the cello")
    return counted


def send(world: World, seat: str, text: str, sender: str = "") -> None:
    world.now += timedelta(minutes=1)
    world.send(seat, text, sender=sender or world.seat(seat).address)


def spelled(name: str) -> set[str]:
    """How a name may be written in a file, small."""
    forms = {
        name,
        html.escape(name),
        name.replace("'", "&#39;"),
        json.dumps(name)[1:-1],
        json.dumps(name, ensure_ascii=False)[1:-1],
    }
    return {form.lower() for form in forms}


def secrets(world: World) -> dict[str, set[str]]:
    """All that the ledger knows and an anonymised archive may not tell, by its kind."""
    seats, letters = world.rows(Seat), [message_from_bytes(letter.raw) for letter in world.rows(Letter)]
    journal = [json.loads(entry.secret or "{}") for entry in world.rows(JournalEntry)]
    addresses = {address for seat in seats for address in (seat.address, seat.other_address) if address}
    addresses |= {parseaddr(letter["From"])[1] for letter in letters} | {mail.recipient for mail in world.rows(Outbox)}
    addresses |= {value for secret in journal for value in secret.values() if isinstance(value, str) and "@" in value}
    names = {seat.holder for seat in seats} | {secret.get("holder", "") for secret in journal}
    names |= {parseaddr(letter["From"])[0] for letter in letters}
    ids = {
        str(letter[field])
        for letter in letters
        for field in ("Message-ID", "References", "In-Reply-To", "Date")
        if letter[field]
    }
    return {
        "name": {form for name in names if name for form in spelled(name)},
        "address": {address.lower() for address in addresses},
        "header": {each.lower() for each in ids} | {letter.fingerprint for letter in world.rows(Letter)},
        "token": {make_token(world.desk.key, seat.game_id, seat.number, count) for seat in seats for count in range(1, 4)},
        "press": {line.lower() for secret in journal for line in str(secret.get("text", "")).splitlines() if line},
        "free text": {"marry", "wedding", "malmö", "says", "bartholomew", "cello", "uppsala"},
    }


def _brought_along(payload: Path) -> set[Path]:
    """The files beside the payload that have nothing of a game: they are the same in all archives by the same rules
    (`tests.archive.write.test_bag`)."""
    return {payload.parent / name for name in (PAGE, PROGRAM, SOURCE)}


def found(payload: Path, wanted: dict[str, set[str]]) -> set[tuple[str, str, str]]:
    """What of it stands in which file of the bag."""
    hits: set[tuple[str, str, str]] = set()
    for path in payload.parent.rglob("*"):
        if path.is_file() and path not in _brought_along(payload):
            content = re.sub(r"\s+", " ", path.read_bytes().decode("utf-8", "replace").lower())
            name = path.relative_to(payload).as_posix() if path.is_relative_to(payload) else path.name
            hits |= {(kind, name, each) for kind, them in wanted.items() for each in them if each in content}
    return hits


def test_the_scanner_finds_everything_in_an_archive_that_is_not_anonymised(counted: World, tmp_path: Path) -> None:
    kinds = {kind for kind, _, _ in found(archived(counted, tmp_path / "a"), secrets(counted))}
    assert kinds == {"name", "address", "header", "press", "free text"}  # tokens are in no archive


@pytest.mark.parametrize("view", ["all", "public", "seat:Altair", "seat:Bert Bo", "seat:Cygnus"])
def test_nothing_in_it_tells_who_the_players_are(counted: World, tmp_path: Path, view: str) -> None:
    payload = archived(counted, tmp_path / "a", view, anonymised=True)
    assert found(payload, secrets(counted)) == set()
    assert bagit.Bag(str(payload.parent)).validate()


@pytest.mark.parametrize("view", ["all", "public", "seat:Altair"])
def test_nor_why_the_game_was_abandoned(abandoned: World, tmp_path: Path, view: str) -> None:
    assert ("free text", "game.toml", "cello") in found(archived(abandoned, tmp_path / "a", view), secrets(abandoned))
    payload = archived(abandoned, tmp_path / "b", view, anonymised=True)
    assert found(payload, secrets(abandoned)) == set()
    outcome = tomllib.loads((payload / "game.toml").read_text())["outcome"]
    assert outcome["reason"] == "the game master has abandoned the game"


def test_what_ended_a_game_without_a_word_of_anybodys_is_shown(counted: World, tmp_path: Path) -> None:
    counted.act("galaxy-7", gm.abandon)
    assert entries_in(archived(counted, tmp_path / "a", anonymised=True))[-1]["public"]["abandoned"]


def entries_in(payload: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (payload / "journal.jsonl").read_text().splitlines()]


def confirmed(payload: Path, guesses: Mapping[int, str]) -> set[int]:
    """What can be found out with guesses at public parts (number → canonical JSON): the entries whose hash, as it follows from
    them and from what the archive shows, stands anywhere in the archive."""
    texts = [path.read_text("utf-8", "replace") for path in payload.parent.rglob("*") if path.is_file()]
    hits: set[int] = set()
    head, guessed = FIRST_HASH, False
    for entry in entries_in(payload):
        number = entry["number"]
        public = canonical_json(entry["public"]).decode() if "public" in entry else guesses.get(number)
        sealed = entry.get("sealed", "" if "withheld" in entry else None)
        if not head or public is None or sealed is None:
            head, guessed = entry.get("hash", ""), False
            continue
        head = chained(head, number, datetime.fromisoformat(entry["at"]), entry["kind"], public.encode(), sealed)
        guessed = guessed or "withheld" in entry
        if guessed and any(head[:16] in text for text in texts):
            hits.add(number)
        if guessed and entry.get("hash", head) != head:
            head, guessed = entry["hash"], False
    return hits


@pytest.mark.parametrize("view", ["all", "public", "seat:Altair"])
def test_no_hash_confirms_a_guess_at_what_is_withheld(abandoned: World, tmp_path: Path, view: str) -> None:
    """Whoever guesses right (here: who knows the ledger) finds it confirmed by no hash, in no file."""
    guesses = {entry.number: entry.public for entry in abandoned.rows(JournalEntry)}
    payload = archived(abandoned, tmp_path / "a", view, anonymised=True)
    withheld = [entry for entry in entries_in(payload) if "withheld" in entry]
    assert {entry["kind"] for entry in withheld} >= {"extended", "resigned", "started", "finished"}
    assert confirmed(payload, guesses) == set()
    # With its hash it is, be it its own or that of the next.
    rows = {entry.number: entry for entry in abandoned.rows(JournalEntry)}
    shown = entries_in(payload)
    number = next(entry["number"] for entry in withheld if entry["kind"] == "extended")
    for entry in shown[number - 2 :]:
        entry["hash"] = rows[entry["number"]].hash
    (payload / "journal.jsonl").write_text("".join(f"{json.dumps(entry)}\n" for entry in shown))
    assert number in confirmed(payload, guesses)


def test_verify_says_where_the_chain_begins_anew(abandoned: World, tmp_path: Path) -> None:
    payload = archived(abandoned, tmp_path / "a", anonymised=True)
    without = [entry["number"] for entry in entries_in(payload) if "hash" not in entry]
    findings = verified(payload.parent)
    assert findings.ok, findings.problems
    assert str(without[-1]) in findings.unbound[0]
    assert "begins anew" in findings.unbound[0]
    schema = json.loads((payload / "schemas/journal.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    for entry in entries_in(payload):
        Draft202012Validator(schema).validate(entry)


def test_a_head_that_is_not_shown_is_not_called_forged(abandoned: World, tmp_path: Path) -> None:
    payload = archived(abandoned, tmp_path / "a", anonymised=True)
    hidden = next(entry["number"] for entry in entries_in(payload) if "hash" not in entry)
    head = next(entry.hash for entry in abandoned.rows(JournalEntry) if entry.number == hidden)
    books = books_of_archive(payload)
    assert not books.broken
    for claims in (claimed("chain head", head), claims_of_code(head)):
        finding = examined(claims, books)[-1]
        assert (finding.holds, "leaves some out" in finding.words) == (None, True)


def test_an_archive_whose_last_entry_is_withheld_has_no_head(abandoned: World, tmp_path: Path) -> None:
    """It was said on the command line, and nothing random stands beside it."""
    payload = archived(abandoned, tmp_path / "a", anonymised=True)
    assert "hash" not in entries_in(payload)[-1]
    assert tomllib.loads((payload / "game.toml").read_text())["journal"]["head"] == ""
    assert "External-Identifier" not in bagit.Bag(str(payload.parent)).info
    assert "not shown" in (payload / "index.html").read_text()
    told = CliRunner().invoke(app, ["verify", str(payload.parent), "--ruleset", str(ROOT / "tests" / "rules" / "count")])
    assert told.stdout.endswith("\nHead of the journal: not shown\n"), told.output


def test_a_receipt_says_of_which_entry_the_last_hash_is_that_is_shown(abandoned: World, tmp_path: Path) -> None:
    payload = archived(abandoned, tmp_path / "a", anonymised=True)
    last = [entry for entry in entries_in(payload) if "hash" in entry][-1]
    journal = examined(claims_of_code("ab" * 32), books_of_archive(payload))[0]
    assert (journal.value, last["number"] < len(entries_in(payload))) == (last["hash"], True)
    assert f"this hash is that of entry {last['number']}, the last that shows one" in journal.words


def test_nor_in_a_game_with_maps_and_rules_that_speak_of_people(tmp_path: Path) -> None:
    (tmp_path / "desk").mkdir()
    with closing(conquered(tmp_path / "desk")) as world:
        payload = archived(world, tmp_path / "a", anonymised=True)
        assert found(payload, secrets(world)) == set()


def test_a_seat_with_the_name_of_its_player_gets_another_and_the_others_keep_theirs(counted: World, tmp_path: Path) -> None:
    payload = archived(counted, tmp_path / "a", anonymised=True)
    game = tomllib.loads((payload / "game.toml").read_text())
    assert [seat["name"] for seat in game["seats"]] == ["Altair", "Seat 2", "Cygnus"]
    assert all(seat.keys() == {"number", "name", "state", "setup"} for seat in game["seats"])
    assert (payload / "turns/001/reports/2-seat-2.txt").exists()


def test_it_says_which_turns_cannot_come_out_the_same_again(counted: World, tmp_path: Path) -> None:
    """A turn in which nothing was taken out but lines that no rule understood can."""
    assert tomllib.loads((archived(counted, tmp_path / "a", anonymised=True) / "game.toml").read_text())["changed"] == [
        "000",
        "001",
        "002",
    ]
    (tmp_path / "desk 2").mkdir()
    with closing(conquered(tmp_path / "desk 2")) as world:
        payload = archived(world, tmp_path / "b", anonymised=True)
        assert tomllib.loads((payload / "game.toml").read_text())["changed"] == []
        assert (payload / "turns/002/after.toml").read_bytes() == (
            archived(world, tmp_path / "c") / "turns/002/after.toml"
        ).read_bytes()


def test_the_chain_goes_on_past_entries_that_are_withheld(counted: World, tmp_path: Path) -> None:
    payload = archived(counted, tmp_path / "a", anonymised=True)
    entries = [json.loads(line) for line in (payload / "journal.jsonl").read_text().splitlines()]
    assert [entry["number"] for entry in entries] == list(range(1, len(entries) + 1))
    withheld = {entry["kind"] for entry in entries if entry.get("withheld")}
    assert {"announced", "extended"} <= withheld
    # A seat has another name here, which is in each position, and an entry that resolves a step has the digest of one.
    assert not {entry["kind"] for entry in entries if "secret" in entry} & {"joined", "orders", "press", "holder", "resolved"}
    assert all("public" in entry for entry in entries if entry["kind"] == "resolved")


def test_what_a_step_sealed_is_shown_where_nothing_was_taken_out_of_it(tmp_path: Path) -> None:
    (tmp_path / "desk").mkdir()
    with closing(conquered(tmp_path / "desk")) as world:
        entries = entries_in(archived(world, tmp_path / "a", anonymised=True))
        of_nobody = [entry.number for entry in world.journal("resolved") if "meanwhile" not in json.loads(entry.secret)]
    assert [entry["number"] for entry in entries if entry["kind"] == "resolved" and "secret" in entry] == of_nobody != []


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Anna Berg ordered", "xxxx xxxx ordered"),
        ("ANNA\n    BERG ordered", "xxxx\n    xxxx ordered"),
        ("Annabergs Anna Bergen", "Annabergs Anna Bergen"),
        ("<b>O&#39;Brien</b> and O&#x27;Brien and O'Brien", "<b>x&#xx;xxxxx</b> and x&#xxx;xxxxx and x'xxxxx"),
        ("Wilhelmina van der Waals-Bakker", "xxxxxxxxxx xxx xxx xxxxx-xxxxxx"),
        ("Wilhelmina van der W", "xxxxxxxxxx xxx xxx x"),  # shortened
        ("mail to a.b+c@d.example, please", "mail to x.x+x@x.xxxxxxx, please"),
        ("Red attacks. red", "Seat 1 attacks. Seat 1"),
        ("Redder", "Redder"),
    ],
)
def test_names_are_found_however_they_are_written(text: str, clean: str) -> None:
    people = ["Anna Berg", "O'Brien", "Wilhelmina van der Waals-Bakker"]
    assert Anonymiser([*people, "Red"], {"Red": "Seat 1"}).text(text) == clean
