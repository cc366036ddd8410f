"""Seats that were given when the game began, checked from the archive alone."""

from functools import partial

import pytest

from pbmd.archive.format.audience import ALL, TO_PUBLIC, Audience
from pbmd.archive.format.entries import read_entries
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import gm, new_game
from pbmd.desk.changes.openings import places
from pbmd.desk.imports import game as imports
from pbmd.desk.step.dice_secrets import promise_anew
from tests.archive.made import export, verified
from tests.desk.visitors.test_seats_given_later import entries, join, names, open_game, sender

NOT_GIVEN = "who got which seat is not what the lists of the players and the dice give"


def begun(world, seating="preference", **more):
    """A game of three, in which one has changed her list, and one has left and come back."""
    open_game(world, seating=seating, options={"map": "hundred"}, **more)
    wishes = seating == "preference"
    join(world, "Ann", "JOIN friday PREFER FE" if wishes else "JOIN friday")
    join(world, "Bob", "JOIN friday PREFER [FE]" if wishes else "JOIN friday")
    world.send("Player 1", "RESIGN", game="friday", sender=sender("Ann"))
    join(world, "Cid", "JOIN friday PREFER E" if wishes else "JOIN friday")
    join(world, "Ann", "JOIN friday PREFER B" if wishes else "JOIN friday")
    if wishes:
        world.send("Player 2", "PREFER E [FB]", game="friday", sender=sender("Bob"))
    said = "ABSENT FROM 2026-12-24 TO 2026-12-27\nTIMEZONE Europe/Berlin\nPRESS TO ALL\nHello\nEND PRESS\nWAIT\nEXTEND 1h\nB"
    world.send("Player 2", said, game="friday", sender=sender("Bob"))
    world.act("friday", new_game.start_game)


def problems(archive):
    return [problem.problem for problem in verified(archive).problems]


@pytest.mark.parametrize("seating", ["preference", "lot"])
def test_an_honest_game_is_sound_in_every_view(world, tmp_path, seating):
    begun(world, seating)
    for place, audience in enumerate((ALL, TO_PUBLIC, Audience("seat", names(world)["ann"]))):
        assert problems(export(world, tmp_path / str(place), "friday", audience)) == []
    assert problems(export(world, tmp_path / "anonymised", "friday", anonymised=True)) == []


def test_seats_given_by_dice_that_were_promised_anew_are_sound(world, tmp_path):
    """A backup took the place of the ledger when players had signed up."""
    open_game(world, seats=2, options={"map": "hundred"})
    join(world, "Ann", "JOIN friday PREFER FE")
    world.act("friday", promise_anew)
    join(world, "Bob", "JOIN friday PREFER FE")
    assert set(names(world).values()) == {"France", "England"}
    assert problems(export(world, tmp_path / "archive", "friday")) == []


def test_nothing_of_the_lists_is_in_the_archive_of_others_or_without_names(world, tmp_path):
    begun(world)
    seen = [
        export(world, tmp_path / "public", "friday", TO_PUBLIC),
        export(world, tmp_path / "seat", "friday", Audience("seat", "Burgundy")),
        export(world, tmp_path / "anonymised", "friday", anonymised=True),
    ]
    for archive in seen:
        shown = [
            entry for entry in read_entries(archive / "data" / "journal.jsonl") if entry.kind in ("signed-up", "preferred")
        ]
        assert [entry.secret for entry in shown] == [None] * 5


honestly_given = places.seats_given


def swapped(lists, seats, secret, salts):
    """As a host gives seats who swaps the first two."""
    given, dice = honestly_given(lists, seats, secret, salts)
    first, second, *others = given.items()
    return dict([(first[0], second[1]), (second[0], first[1]), *others]), dice


@pytest.mark.parametrize("seating", ["preference", "lot"])
def test_seats_that_a_host_has_swapped_are_found(world, tmp_path, monkeypatch, seating):
    monkeypatch.setattr(places, "seats_given", swapped)
    begun(world, seating)
    assert problems(export(world, tmp_path / "archive", "friday")) == [NOT_GIVEN]


def test_a_list_that_a_host_has_not_looked_at_is_found(world, tmp_path, monkeypatch):
    def without_lists(lists, *of):
        return honestly_given(dict.fromkeys(lists, ()), *of)

    monkeypatch.setattr(places, "seats_given", without_lists)
    begun(world)
    assert NOT_GIVEN in problems(export(world, tmp_path / "archive", "friday"))


def test_seats_that_were_never_given_by_lot_are_found(world, tmp_path, monkeypatch):
    """The host says whom each seat goes to, and the journal nothing of it."""
    monkeypatch.setattr(places, "SeatedEntry", lambda **_: None)
    journal = Transaction.journal

    def write(work, table, entry):
        return 0 if entry is None else journal(work, table, entry)

    monkeypatch.setattr(Transaction, "journal", write)
    begun(world, "lot")
    assert entries(world, "seated") == []
    assert problems(export(world, tmp_path / "archive", "friday")) == [NOT_GIVEN]


def test_a_game_whose_seats_were_given_goes_on_elsewhere(world, tmp_path):
    begun(world)
    archive = export(world, tmp_path / "archive", "friday")
    read = partial(read_entries, archive / "data" / "journal.jsonl")
    with world.work() as work:
        imports.go_on(work, read, 1, "saturday")
    assert names(world, "saturday") == names(world)


def test_a_game_whose_seats_were_given_is_imported_when_it_is_over(world, tmp_path):
    begun(world)
    world.act("friday", gm.abandon)
    archive = export(world, tmp_path / "archive", "friday")
    assert problems(archive) == []
    read = partial(read_entries, archive / "data" / "journal.jsonl")
    with world.work() as work:
        imports.adopt_finished(work, read, "saturday")
    assert names(world, "saturday") == names(world)
