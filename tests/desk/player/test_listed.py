"""LIST ME and DO NOT LIST ME: by a seat, and by somebody who holds none."""

import pytest
from sqlmodel import col

from pbmd.desk.player.listing.listed_players import LONGEST_NAME, bar_name, forget_listing, list_player
from pbmd.ledger.tables import ListedPlayer, Outbox
from pbmd.rules.protocol import Refused
from tests.desk.world import ADDRESS, World, address_of, body_of


def words(text: str) -> str:
    return " ".join(text.split())


def listed(world: World) -> dict[str, tuple[str, str]]:
    """Name and state, by the part of the address before the @."""
    return {row.address.partition("@")[0]: (row.name, row.state.value) for row in world.rows(ListedPlayer)}


def test_a_player_is_listed_under_the_name_that_they_write(running: World) -> None:
    answer = words(running.send("Altair", "Add 3\nLIST ME AS Kim van Dam"))
    assert "listed under the name Kim van Dam, as soon as a game is over" in answer
    assert "DO NOT LIST ME ends that at once" in answer
    assert listed(running) == {"altair": ("Kim van Dam", "listed")}
    assert running.sheet("Altair") == ["Add 3"]


def test_without_a_name_it_is_the_one_that_their_mail_has_or_they_are_asked_for_one(running: World) -> None:
    with running.changed("Altair") as seat:
        seat.holder = "Ada Byron"
    running.send("Altair", "list me")
    with running.changed("Borealis") as seat:
        seat.holder = address_of("Borealis")
    assert "say under which name: LIST ME AS and the name" in words(running.send("Borealis", "LIST ME"))
    assert listed(running) == {"altair": ("Ada Byron", "listed")}


@pytest.mark.parametrize("text", ["DO NOT LIST ME", "don't list me", "Don’t list me."])
def test_it_is_taken_back_at_once_and_the_name_stays_theirs(running: World, text: str) -> None:
    running.send("Altair", "LIST ME AS Kim")
    assert "are not listed, also not those from before" in words(running.send("Altair", text))
    assert listed(running) == {"altair": ("Kim", "ended")}
    assert "could be taken for one that is taken already" in words(running.send("Borealis", "LIST ME AS kim"))
    assert "under the name Kim" in words(running.send("Altair", "LIST ME"))
    assert listed(running) == {"altair": ("Kim", "listed")}


def test_another_name_takes_the_place_of_the_first_which_is_free_again(running: World) -> None:
    running.send("Altair", "LIST ME AS Kim")
    running.send("Altair", "LIST ME AS Jo")
    running.send("Borealis", "LIST ME AS Kim")
    assert listed(running) == {"altair": ("Jo", "listed"), "borealis": ("Kim", "listed")}


@pytest.mark.parametrize(
    "name",
    [
        "K1m",
        "KIM",
        "Кіm",
        "the game master",
        "another player",
        "kim@players.test",
        "<b>Kim</b>",
        "=1+1",
        "-Kim",
        "Kim|Jo",
        "[red]Kim",
        "x" * (LONGEST_NAME + 1),
    ],
)
def test_names_of_others_of_roles_and_with_signs_are_refused_with_a_reason(running: World, name: str) -> None:
    running.send("Altair", "LIST ME AS Kim")
    answer = words(running.send("Borealis", f"LIST ME AS {name}"))
    assert "LIST ME: you are not listed: " in answer
    assert listed(running) == {"altair": ("Kim", "listed")}


@pytest.mark.parametrize("name", ["Søren Kierkegaard", "O'Neill Jr", "Ζωή", "प्रिया", "Anne-Marie 2"])
def test_names_of_people_are_taken(running: World, name: str) -> None:
    running.send("Altair", f"LIST ME AS {name}")
    assert listed(running)["altair"] == (name, "listed")


@pytest.mark.parametrize("name", ["Kim\u202eoJ", "Kim\nJo\x00", "Kim\u2800", "...", " '", "Kim\u200bJo"])
def test_nothing_that_cannot_be_seen_or_breaks_a_line_is_in_a_name_however_it_comes(running: World, name: str) -> None:
    with running.work() as work, pytest.raises(Refused):
        list_player(work, address_of("Altair"), name, "")


def test_a_name_with_a_secret_of_theirs_in_it_is_not_taken(running: World) -> None:
    secret = running.reply_address("Altair").partition("+")[2].partition("@")[0].rpartition(".")[2]
    running.send("Altair", f"LIST ME AS {secret}")
    assert listed(running) == {}


def test_the_log_says_neither_who_nor_which_name(running: World) -> None:
    running.send("Altair", "LIST ME AS Kim")
    running.send("Altair", "DO NOT LIST ME")
    lines = [*running.log("listed"), *running.log("unlisted")]
    assert [(line.game, line.seat, line.detail) for line in lines] == [("-", "-", "")] * 2


# People without a seat


def visit(world: World, text: str) -> str:
    return words(world.send("Deneb", text, to=ADDRESS))


def test_who_holds_no_seat_is_listed_by_a_reply_to_a_mail_of_ours_and_by_nothing_else(running: World) -> None:
    answer = visit(running, "LIST ME AS Dee")
    assert "Nothing was done yet" in answer
    assert "Dee" not in answer
    assert listed(running) == {}
    mail = running.mails(Outbox.recipient == address_of("Deneb"))[-1]
    assert "under the name Dee" in words(running.reply(mail, "LIST ME AS Dee", sender=address_of("Deneb")))
    assert listed(running) == {"deneb": ("Dee", "listed")}
    running.reply(mail, "LIST ME AS Forged", sender="mallory@elsewhere.test")
    assert listed(running) == {"deneb": ("Dee", "listed")}


def test_what_they_are_sent_does_not_list_them_when_a_machine_returns_it(running: World) -> None:
    visit(running, "LIST ME AS Dee")
    mail = running.mails(Outbox.recipient == address_of("Deneb"))[-1]
    running.reply(mail, body_of(mail), sender=address_of("Deneb"))
    assert listed(running) == {}


def test_they_are_taken_off_without_proof_and_the_answer_is_the_same_whatever_there_was(running: World) -> None:
    before = visit(running, "DO NOT LIST ME")
    visit(running, "LIST ME AS Dee")
    running.reply(running.mails(Outbox.recipient == address_of("Deneb"))[-1], "LIST ME AS Dee", sender=address_of("Deneb"))
    after = visit(running, "\nDO NOT LIST ME")
    assert before == after
    assert listed(running) == {"deneb": ("Dee", "ended")}


def test_a_player_without_proof_is_taken_off_at_once_too(running: World) -> None:
    running.send("Altair", "LIST ME AS Kim")
    running.send("Altair", "DO NOT LIST ME", to=ADDRESS)
    assert listed(running) == {"altair": ("Kim", "ended")}


def test_newcomers_are_asked_when_they_are_welcomed(world: World) -> None:
    world.open("galaxy-8", seats=3)
    world.send("Vega", "JOIN galaxy-8 AS Vega", to=ADDRESS)
    world.confirm(address_of("Vega"))
    [welcome] = world.mails(col(Outbox.recipient) == address_of("Vega"))[-1:]
    assert "LIST ME AS and a name lists yours, and without it you appear nowhere." in words(body_of(welcome))
    assert listed(world) == {}
    world.reply(welcome, "LIST ME AS Lope", sender=address_of("Vega"))
    assert listed(world) == {"vega": ("Lope", "listed")}


# What the game master can do


def test_the_game_master_can_take_a_name_off_for_good(running: World) -> None:
    running.send("Altair", "LIST ME AS Kim")
    with running.work() as work:
        assert bar_name(work, "Kim") == address_of("Altair")
        with pytest.raises(Refused, match="nobody is listed"):
            bar_name(work, "Kim")
    for text in ("LIST ME", "LIST ME AS Jo"):
        assert "the game master has taken your name off the results" in words(running.send("Altair", text))
    assert listed(running) == {"altair": ("Kim", "barred")}


def test_an_address_that_is_forgotten_has_no_name_any_more(running: World) -> None:
    running.send("Altair", "LIST ME AS Kim")
    with running.work() as work:
        assert forget_listing(work, "Altair@players.test") == 1
        assert forget_listing(work, "Altair@players.test") == 0
    assert listed(running) == {}
