"""What an archive that has not all of a game can tell of a genuine mail: nothing false."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbmd.archive.evidence.claims import Claims, claims_of_code, claims_of_mail
from pbmd.archive.evidence.verdict import Finding
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.archive.format.books import Books
from pbmd.desk.changes import new_game, pauses
from pbmd.desk.step.game_transaction import changing_games
from pbmd.rules import Signup
from pbmd.terms.terms import Terms
from tests.archive.kept import archived
from tests.archive.made import claimed, examined, forge
from tests.archive.samples import FOLDER, unpack
from tests.desk.relay import past_turn_0, relay
from tests.desk.world import World, address_of, opened

SEATS = {"Altair": "Altair", "Borealis": "Bert Bo"}
"""Seat → who holds it: in an anonymised archive Altair has another name."""
VIEWS = {"public": ("public", False), "seat": ("seat:Borealis", False), "anonymised": ("all", True)}
MADE_UP = "ab" * 32


def played(folder: Path, **terms: Any) -> World:
    """A game that is over after two turns."""
    folder.mkdir()
    world = World(folder)
    world.as_ever(f"two turns of two who have names {terms}", lambda: two_turns(world, terms))
    return world


def two_turns(world: World, terms: Mapping[str, Any]) -> None:
    with changing_games(world.desk) as work:
        table = new_game.create_game(
            work, "galaxy-7", "count", Terms(reminders=(), second_thought="0m", **terms), {"target": 9}
        )
        for seat, holder in SEATS.items():
            new_game.add_seat(work, table, Signup(seat), new_game.Newcomer(address_of(seat), holder))
        new_game.start_game(work, table)
    for number in (4, 5):
        world.send("Altair", f"Add {number}")
        world.send("Borealis", "Add 1")
        world.pass_time(timedelta(days=4))
    assert world.game().status == "finished"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with closing(played(tmp_path / "home")) as world:
        yield world


@pytest.fixture
def silent(tmp_path: Path) -> Iterator[World]:
    """The same, but receipts have no numbers."""
    with closing(played(tmp_path / "home", who_has_sent="nothing")) as world:
        yield world


def books(world: World, folder: Path, view: str = "all", *, anonymised: bool = False) -> Books:
    return books_of_archive(archived(world, folder, view, game="galaxy-7", anonymised=anonymised))


def found(claims: Claims, books: Books) -> dict[str, Finding]:
    return {finding.what: finding for finding in examined(claims, books)}


@pytest.mark.parametrize("name", VIEWS)
def test_a_digest_without_a_number_is_not_called_forged(silent: World, tmp_path: Path, name: str) -> None:
    view, anonymised = VIEWS[name]
    part, whole = books(silent, tmp_path / "part", view, anonymised=anonymised), books(silent, tmp_path / "all")
    claims = claims_of_mail(silent.outbox("report", "Altair")[-1].raw)
    assert not [each for each in claims.statements if each.first("receipt")]
    assert found(claims, whole)["digest"].holds is True
    assert False not in {finding.holds for finding in examined(claims, part)}
    assert found(claims, part)["digest"].holds is None


@pytest.mark.parametrize("name", VIEWS)
def test_nor_is_a_digest_alone(world: World, tmp_path: Path, name: str) -> None:
    view, anonymised = VIEWS[name]
    part, whole = books(world, tmp_path / "part", view, anonymised=anonymised), books(world, tmp_path / "all")
    shown = world.submissions()[0].digest
    for code in (shown, shown[:16]):
        assert examined(claims_of_code(code), part)[-1].holds is None
        assert examined(claims_of_code(code), whole)[-1].holds is True


def test_one_that_was_made_up_is_found_where_all_can_be_seen(world: World, tmp_path: Path) -> None:
    whole = books(world, tmp_path / "all")
    assert examined(claims_of_code(MADE_UP), whole)[-1].holds is False
    assert found(claimed("digest", MADE_UP), whole)["digest"].holds is False


def test_the_digest_of_a_seat_that_was_renamed_is_said_to_be_left_out(world: World, tmp_path: Path) -> None:
    part = books(world, tmp_path / "part", anonymised=True)
    (renamed, own) = (claims_of_mail(world.outbox("acknowledgement", seat)[0].raw) for seat in SEATS)
    digest = found(renamed, part)["digest"]
    assert (digest.holds, "left out here, since a name in them was replaced" in digest.words) == (None, True)
    assert found(own, part)["digest"].holds is True
    raw = opened(world.outbox("acknowledgement", "Borealis")[0].raw)
    shown = next(filter(None, (each.first("digest") for each in own.statements)))
    forged = claims_of_mail(raw.replace(shown.encode(), MADE_UP.encode()))
    assert found(forged, part)["digest"].holds is False, "that of the others is there"


def test_a_promise_of_dice_that_is_withheld_is_not_called_forged(world: World, tmp_path: Path) -> None:
    claims = claims_of_mail(world.outbox("report", "Borealis")[0].raw)
    promise = found(claims, books(world, tmp_path / "part", anonymised=True))["commitment"]
    assert (promise.holds, "whose public part is withheld" in promise.words) == (None, True)
    assert found(claims, books(world, tmp_path / "all"))["commitment"].holds is True
    assert found(claimed("commitment", MADE_UP), books(world, tmp_path / "more"))["commitment"].holds is False


@pytest.mark.parametrize("packed", sorted(FOLDER.glob("*.tar.xz")), ids=lambda path: path.name.partition(".")[0])
def test_a_whole_archive_lacks_no_digest(packed: Path, tmp_path: Path) -> None:
    assert books_of_archive(unpack(packed, tmp_path) / "data").unseen == ""


@pytest.mark.parametrize("letters", [7, [7], [[]], [{"lines": []}], {"lines": 1}, None])
def test_an_entry_that_pbmd_would_not_write_stops_nothing(letters: Any, tmp_path: Path) -> None:
    archive = unpack(FOLDER / "local_cluster.tar.xz", tmp_path)

    def change(entries: list[dict[str, Any]]) -> None:
        entries[-1] |= {"secret": {"meanwhile": letters}, "salt": "00" * 16}

    forge(archive, change)
    assert examined(claims_of_code(MADE_UP), books_of_archive(archive / "data"))[-1].holds is False


@pytest.mark.parametrize("view", ["public", "seat:Borealis"])
def test_a_move_that_waited_is_not_called_forged_where_only_its_holder_may_see_it(tmp_path: Path, view: str) -> None:
    """Its receipt is the number of the entry that ended its waiting, which is one of a resolution."""
    (tmp_path / "home").mkdir()
    with closing(past_turn_0(relay(World(tmp_path / "home")))) as world:
        for seat, text in (("Cygnus", "Add 1"), ("Altair", "Add 1"), ("Borealis", "Add 1")):
            world.send(seat, text)
        claims = claims_of_mail(world.outbox("report", "Cygnus")[-1].raw)
        part, whole = books(world, tmp_path / "part", view), books(world, tmp_path / "all")
    receipt = found(claims, part)["receipt"]
    assert (receipt.holds, "cannot be told here" in receipt.words) == (None, True)
    assert False not in {finding.holds for finding in examined(claims, part)}
    assert found(claims, whole)["receipt"].holds is True
    resolved = next(number for number, (kind, _) in enumerate(whole.kinds, 1) if kind == "resolved")
    assert found(claimed("receipt", str(resolved)), whole)["receipt"].holds is False, "nothing waited for that one"


def test_nor_is_it_held_against_what_others_sent_with_the_same_receipt(tmp_path: Path) -> None:
    """What came while the clock stood has the number of the entry that ended it, whoever sent it."""
    (tmp_path / "home").mkdir()
    with closing(past_turn_0(relay(World(tmp_path / "home")))) as world:
        world.act("galaxy-7", pauses.pause)
        for seat, text in (("Borealis", "Offer Cygnus"), ("Altair", "Add 1")):
            world.send(seat, text)
            world.now += timedelta(minutes=5)
        world.act("galaxy-7", pauses.resume)
        claims = claims_of_mail(world.outbox("report", "Altair")[-1].raw)
        part, whole = books(world, tmp_path / "part", "seat:Borealis"), books(world, tmp_path / "all")
    assert len({given.receipt for given in whole.orders[-2:]}) == 1
    assert found(claims, whole)["arrived"].holds is True
    assert [found(claims, part)[what].holds for what in ("receipt", "arrived")] == [None, None]


def test_what_stayed_in_force_is_not_called_forged_when_it_was_sent_again(tmp_path: Path) -> None:
    """The answer to a letter that was not taken shows the digest of the orders in force; the same are sent again later."""
    (tmp_path / "home").mkdir()
    with closing(World(tmp_path / "home")) as world:
        world.count()
        for text in ("Add 3", "nonsense", "Add 3"):
            world.send("Altair", text)
            world.now += timedelta(minutes=5)
        world.pass_time(timedelta(days=4))
        refused = claims_of_mail(world.outbox("acknowledgement", "Altair")[1].raw)
        found_in = found(refused, books(world, tmp_path / "all"))
        first, last = (each.number for each in world.submissions() if each.digest)
    assert first < last
    assert (found_in["digest"].holds, found_in["digest"].words.split(":")[0]) == (True, f"receipt {first}")
