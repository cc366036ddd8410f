"""Games whose seats are given when they begin, as a newcomer meets them: by lists of those that they would like, or by lot."""

import json

import pytest

from pbmd.desk.changes import new_game
from pbmd.ledger.tables import GameStatus, JournalEntry
from pbmd.rules.protocol import Refused
from tests.desk.world import ADDRESS, body_of

POWERS = {"Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"}


def open_game(world, name="friday", seating="preference", ruleset="diplomacy", **more):
    world.open(name, ruleset=ruleset, seating=seating, **{"reminders": (), **more})


def join(world, who, text="JOIN friday", **more):
    """The answer to a sign-up by a newcomer, and to YES if they are asked whether they mean it."""
    answer = " ".join(world.send(who, text, to=ADDRESS, **more).split())
    asked = [mail for mail in world.outbox("visit") if mail.key.startswith("question") and mail.recipient == sender(who)]
    return " ".join(world.reply(asked[-1], "YES").split()) if asked else answer


def sender(who):
    return f"{who.lower()}@players.test"


def names(world, name="friday"):
    with world.work() as work:
        return {seat.address.partition("@")[0]: seat.name for seat in work.table_named(name).seats}


def entries(world, *kinds):
    return [
        (row.kind, json.loads(row.public), json.loads(row.secret or "{}"))
        for row in world.rows(JournalEntry)
        if row.kind in kinds
    ]


def report_of(world, who):
    return " ".join(body_of(next(mail for mail in world.outbox("report") if mail.recipient == sender(who))).split())


def test_a_list_gives_a_place_and_the_welcome_says_how_it_was_read(world):
    open_game(world)
    answer = join(world, "Ann", "JOIN friday PREFER F [EG] I")
    assert "You hold a place. 1 seat is filled." in answer
    assert "You would like, best first, those in brackets equally: France, [England, Germany], Italy." in answer
    assert "Who gets which power is decided when the game begins, by the lists that players have sent with PREFER" in answer
    assert names(world) == {"ann": "Player 1"}


def test_the_welcome_says_that_letters_amend_where_they_do(world):
    open_game(world)
    answer = join(world, "Ann", "JOIN friday PREFER F [EG] I")
    assert "send a new one in its place. Your other orders stay." in answer
    assert "replaces the one before" not in answer


def test_the_question_says_what_was_asked_for(world):
    open_game(world)
    answer = " ".join(world.send("Ann", "JOIN friday PREFER FEG", to=ADDRESS).split())
    assert "You would like, best first: France, England, Germany" in answer
    assert "A YES signs you up, if there is still room" in answer


@pytest.mark.parametrize("text", ["JOIN friday", "JOIN friday PREFER any", "JOIN friday PREFER none", "join friday prefer *"])
def test_who_names_no_seat_takes_any(world, text):
    open_game(world)
    assert "You have named no power: any will do." in join(world, "Ann", text)


@pytest.mark.parametrize(
    "text",
    [
        "JOIN friday PREFER France, England",
        "JOIN friday PREFERENCE: FE",
        "JOIN friday AS France England",
        "JOIN friday\nPREFER F E",
        "PREFER FE\nJOIN friday",
        "JOIN friday PREFER fra, eng\n\nHello, I would like to play. Ann",
    ],
)
def test_a_list_can_be_written_in_many_ways(world, text):
    open_game(world)
    assert "best first: France, England." in join(world, "Ann", text)


def test_letters_that_are_also_a_name_are_asked_about(world):
    open_game(world)
    answer = " ".join(world.send("Ann", "JOIN friday PREFER GE", to=ADDRESS).split())
    assert "that can be Germany, or, by letters, Germany, England; write more of the names" in answer


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("F E F", "France is in the list twice"),
        ("F [E G", "a bracket has no other that belongs to it"),
        ("F, Germny", "there is no power"),
        ("F" * 401, "a list has at most 400 characters"),
    ],
)
def test_a_list_that_cannot_be_read_is_answered_with_what_would_be_right(world, text, why):
    open_game(world)
    answer = world.send("Ann", f"JOIN friday PREFER {text}", to=ADDRESS)
    assert why in " ".join(answer.split())
    assert "\nJOIN friday PREFER Austria, [England, France]\n" in answer
    assert names(world) == {}
    assert "You hold a place" in join(world, "Ann", "JOIN friday PREFER Austria, [England, France]")


def test_the_answer_to_a_forged_sign_up_has_no_words_of_it(world):
    open_game(world)
    answer = world.send("Victim", "JOIN friday PREFER http://pills.test cheap", to=ADDRESS)
    assert "pills" not in answer
    assert "cheap" not in answer


def test_another_list_takes_the_place_of_the_first_until_the_game_begins(world):
    open_game(world)
    join(world, "Ann", "JOIN friday PREFER FEG")
    assert "best first: Russia, Turkey." in " ".join(
        world.send("Player 1", "PREFER RT", game="friday", sender=sender("Ann")).split()
    )
    again = world.send("Player 1", "JOIN friday PREFER I", game="friday", sender=sender("Ann"))
    assert "best first: Italy." in " ".join(again.split())
    assert "there is no power" in world.send("Player 1", "PREFER Narnia", game="friday", sender=sender("Ann"))
    assert "best first: Italy." in " ".join(world.send("Player 1", "STATUS", game="friday", sender=sender("Ann")).split())
    join(world, "Bob", "JOIN friday PREFER I")
    world.act("friday", new_game.start_game)
    assert "have been given" in " ".join(
        world.send(names(world)["ann"], "PREFER F", game="friday", sender=sender("Ann")).split()
    )


def test_everybody_gets_a_seat_by_the_lists_when_the_last_has_come(world):
    open_game(world, seats=3)
    join(world, "Ann", "JOIN friday PREFER FEG")
    join(world, "Bob", "JOIN friday PREFER FG")
    assert world.game("friday").status is GameStatus.SIGNUP
    join(world, "Cid", "JOIN friday PREFER E")
    assert world.game("friday").status is GameStatus.RUNNING
    found = names(world)
    assert found["cid"] == "England"
    assert {found["ann"], found["bob"]} == {"France", "Germany"}


def test_the_first_report_says_which_choice_it_was_and_that_it_can_be_checked(world):
    open_game(world, seats=3)
    join(world, "Ann", "JOIN friday PREFER T [EG]")
    join(world, "Bob", "JOIN friday PREFER [TF]")
    join(world, "Cid")
    assert "You play Turkey, number 1 on your list." in report_of(world, "Ann")
    assert "You play France, number 1 on your list." in report_of(world, "Bob")
    assert f"You play {names(world)['cid']}: you had named no power." in report_of(world, "Cid")
    assert "anybody can give the seats again from them: pbmd verify does" in report_of(world, "Cid")


def test_by_lot_nobody_asks_for_a_seat(world):
    open_game(world, seating="lot", seats=2)
    answer = world.send("Ann", "JOIN friday PREFER F", to=ADDRESS)
    assert "each power of friday is drawn by lot when it begins" in " ".join(answer.split())
    assert "\nJOIN friday\n" in answer
    assert "is drawn by lot when the game begins" in join(world, "Ann")
    join(world, "Bob")
    found = names(world)
    assert set(found.values()) <= POWERS
    assert f"You play {found['ann']}, which was drawn by lot." in report_of(world, "Ann")


def test_a_place_can_be_given_back(world):
    open_game(world, seats=2)
    join(world, "Ann", "JOIN friday PREFER FEG")
    assert "You have given back your place in friday." in world.send("Player 1", "RESIGN", game="friday", sender=sender("Ann"))
    assert names(world) == {}
    join(world, "Bob")
    join(world, "Ann", "JOIN friday PREFER T")
    assert names(world)["ann"] == "Turkey"


def test_one_place_a_person(world):
    open_game(world)
    join(world, "Ann", "JOIN friday PREFER FEG")
    assert "you already have a seat" in world.send("Ann", "JOIN friday PREFER R", to=ADDRESS)
    assert names(world) == {"ann": "Player 1"}


def test_a_full_game_takes_nobody(world):
    open_game(world, name="spring", options={"map": "france_austria"}, seating="lot")
    join(world, "Ann", "JOIN spring")
    join(world, "Bob", "JOIN spring")
    assert "spring is full" in join(world, "Cid", "JOIN spring")


def test_list_and_the_outlook_say_how_seats_are_given(world):
    open_game(world)
    listed = world.send("Ann", "LIST", to=ADDRESS)
    assert "by the lists that players have sent with PREFER" in " ".join(listed.split())
    assert "JOIN friday PREFER Austria, [England, France]" in listed


def test_rules_and_the_game_master_are_told_how_seats_are_given(world):
    open_game(world)
    told = "by the lists that players have sent with PREFER"
    assert told in " ".join(world.send("Ann", "RULES friday", to=ADDRESS).split())
    join(world, "Ann", "JOIN friday PREFER TIR", sender="Ann Archer <ann@players.test>")
    answer = world.master("STATUS", "friday").replace(" | ", " ")
    assert told in answer
    assert "Player 1" in answer
    assert "Ann Archer <ann@players.test>" in answer
    assert "Turkey" not in answer
    assert told in " ".join(world.send("Player 1", "RULES", game="friday", sender=sender("Ann")).split())


def test_where_seats_go_to_who_asks_first_a_seat_that_one_has_is_not_changed_by_a_list(world):
    open_game(world, seating="asked")
    join(world, "Ann", "JOIN friday AS France")
    assert "seats go to who asks for them first" in " ".join(
        world.send("France", "PREFER E", game="friday", sender=sender("Ann")).split()
    )


@pytest.mark.parametrize(
    "ruleset", ["galactic_overlord", "cosmic_conquest", "local_cluster", "societies", "starship_squadrons"]
)
@pytest.mark.parametrize("seating", ["preference", "lot"])
def test_where_players_name_their_seats_none_are_given(world, ruleset, seating):
    with pytest.raises(Refused, match="players choose the name of their"):
        open_game(world, ruleset=ruleset, seating=seating)


def test_no_more_players_than_seats_can_be_waited_for(world):
    with pytest.raises(Refused, match="there is a power for 3 players, not for 7"):
        open_game(world, seats=7, options={"map": "hundred"})


def test_seats_of_a_game_that_cannot_begin_are_not_given(world):
    open_game(world)
    join(world, "Ann")
    with pytest.raises(Refused, match="needs at least 2 players"):
        world.act("friday", new_game.start_game)
    assert names(world) == {"ann": "Player 1"}


def test_the_journal_has_lists_sealed_and_seats_open(world):
    open_game(world, seats=2)
    join(world, "Ann", "JOIN friday PREFER F [EG]")
    world.send("Player 1", "PREFER T", game="friday", sender=sender("Ann"))
    join(world, "Bob", "JOIN friday PREFER R")
    signed, other, second, seated, first, last = entries(world, "signed-up", "preferred", "seated", "joined")
    assert signed[1] == {"seat": "Player 1", "number": 1}
    assert signed[2]["setup"] == '[[1,"France"],[2,"England = Germany"]]'
    assert other[1:] == ({}, {"seat": "Player 1", "setup": '[[1,"Turkey"]]'})
    assert second[1] == {"seat": "Player 2", "number": 2}
    assert seated[1] == {"seating": "preference", "seats": {"Player 1": "Turkey", "Player 2": "Russia"}}
    assert [sides for sides, _ in seated[2]["dice"]] == [2, 7, 6, 5, 4, 3, 2]
    assert [first[1]["seat"], last[1]["seat"]] == ["Turkey", "Russia"]
    assert first[2]["setup"] == "[]"


def test_standing_games_give_their_seats_the_same_way(world):
    open_game(world, name="chance-1", seating="lot", seats=2)
    with world.work() as work:
        work.table_named("chance-1").game.standing = True
    join(world, "Ann", "JOIN chance-1")
    join(world, "Bob", "JOIN chance-1")
    assert set(names(world, "chance-1").values()) <= POWERS
    assert "You hold a place" in join(world, "Cid", "JOIN chance-2")


@pytest.mark.parametrize(
    ("text", "power"),
    [
        ("JOIN friday PREFER F E G", "England"),
        ("JOIN friday PREFER F E or G", "England"),
        ("JOIN friday\nPREFER [FR]T", "Russia"),
        ("JOIN friday PREFER any", "Austria"),
        ("join friday as turkey", "Turkey"),
    ],
)
def test_where_seats_go_to_who_asks_first_a_list_gives_the_best_that_is_free(world, text, power):
    open_game(world, seating="asked")
    assert "You are France." in join(world, "Ann", "JOIN friday PREFER F")
    asked = " ".join(world.send("Ben", text, to=ADDRESS).split())
    assert f"You {power} A YES gives you the seat" in asked
    assert f"You are {power}." in join(world, "Cy", text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("JOIN friday PREFER F", "You have no seat yet: of France none is free."),
        ("JOIN friday PREFER England Narnia", "You have no seat yet: there is no power"),
        ("JOIN friday", "You have no seat yet: say which power you want to be."),
    ],
)
def test_where_seats_go_to_who_asks_first_a_list_that_gives_none_is_refused(world, text, problem):
    open_game(world, seating="asked")
    join(world, "Ann", "JOIN friday AS France")
    answer = join(world, "Ben", text)
    assert problem in answer
    assert "JOIN friday AS Austria" in answer
    assert "ben" not in names(world)
