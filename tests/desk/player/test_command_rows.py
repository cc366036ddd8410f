"""A player's command is one row and one function: one that is handed in from outside is known wherever the others are."""

import inspect
from dataclasses import replace

import pytest

from pbmd.desk.language.commands import beginnings
from pbmd.desk.language.player_commands import FORMS, PLAYERS, ScreenPlace, command
from pbmd.desk.player.commands import act_named
from pbmd.desk.seat_pages.check import check_orders
from pbmd.desk.visitors.ask import answer_visitor
from pbmd.desk.visitors.serve import visitor_act_named
from pbmd.ledger.tables import LetterState
from pbmd.post.tags import SeatNumber
from pbmd.rules.protocol import Line, Refused
from tests.desk.world import ADDRESS, World, address_of, body_of

PLAYING = "These play: Altair, Borealis, Cygnus."


def muster(work, sender, arrived, command, answer):
    """MUSTER in the letter of a seat."""
    answer.remark(f"These play: {', '.join(seat.name for seat in sender.table.seats)}.")


def muster_for_anybody(work, arrived, command, plays):
    """MUSTER of somebody without a seat."""
    answer_visitor(work, arrived.letter, arrived.id, "who plays", "That is told to players.")
    return ""


MUSTER = command(
    "muster",
    "MUSTER",
    "who plays in your game",
    r"muster(?: all)?",
    act=f"{__name__}:muster",
    visitor_act=f"{__name__}:muster_for_anybody",
    strangers_only=True,
    asks=True,
    wordless=True,
    screen=ScreenPlace(150, "MUSTER", "who plays in your game"),
)
WITH_MUSTER = replace(PLAYERS, forms=(*FORMS, MUSTER))


@pytest.fixture
def desk(running: World) -> World:
    """A desk with a running game, and one command more."""
    running.desk = replace(running.desk, commands=WITH_MUSTER)
    return running


def words(text: str) -> str:
    return " ".join(text.split())


def test_without_its_row_it_is_an_order_like_any_other(running: World) -> None:
    answer = running.send("Altair", "MUSTER")
    assert "REFUSED" in answer
    assert PLAYING not in words(answer)


@pytest.mark.parametrize("text", ["MUSTER", "muster all", "> hello\n\nMuster.", "- MUSTER"])
def test_it_is_recognised_and_answered(desk: World, text: str) -> None:
    answer = desk.send("Altair", text)
    assert PLAYING in words(answer)
    assert "REFUSED" not in answer


def test_orders_beside_it_are_filed_and_it_is_answered(desk: World) -> None:
    answer = desk.send("Altair", "MUSTER\nAdd 7")
    assert desk.sheet("Altair") == ["Add 7"]
    assert "your orders for turn 1 are in" in answer
    assert PLAYING in words(answer)


def test_what_it_asks_comes_after_what_changes_something(desk: World) -> None:
    answer = words(desk.send("Altair", "MUSTER\nWAIT"))
    assert answer.index("will wait for its deadline") < answer.index(PLAYING)


def test_it_counts_once_however_often_it_is_written(desk: World) -> None:
    assert words(desk.send("Altair", "\n".join(["MUSTER"] * 30))).count(PLAYING) == 1


def test_help_has_it_on_its_screen_and_explains_it(desk: World) -> None:
    screen = desk.send("Altair", "HELP").splitlines()
    assert "MUSTER                  who plays in your game" in screen
    assert "MUSTER\n    who plays in your game" in desk.send("Altair", "HELP muster")
    assert "MUSTER\n    who plays in your game" in desk.send("Altair", "HELP commands")


def test_what_is_nearly_it_is_told_how_it_is_written(desk: World) -> None:
    assert "If you meant a command: MUSTER" in words(desk.send("Altair", "MUSTERR"))


def test_a_seat_cannot_be_called_like_it(desk: World) -> None:
    desk.open("nova", ruleset="count")
    refused = words(desk.send("Deneb", "JOIN nova AS Muster", to=ADDRESS))
    assert "the name could be taken for a command" in refused
    desk.desk = replace(desk.desk, commands=PLAYERS)
    desk.send("Vega", "JOIN nova AS Muster", to=ADDRESS)
    assert "Do you want to play nova" in body_of(desk.outbox("visit")[-1])


def test_a_game_cannot_be_called_like_it(desk: World) -> None:
    with pytest.raises(Refused, match="a command"):
        desk.open("muster")


def test_a_letter_in_doubt_is_asked_about_by_its_name(desk: World) -> None:
    desk.send("Altair", "MUSTER", to=ADDRESS)
    assert desk.letters()[-1].state is LetterState.HELD
    question = desk.questions(address_of("Altair"))[-1]
    assert "MUSTER" in body_of(question).split()
    assert PLAYING in words(desk.reply(question, "YES"))


def test_the_pages_of_a_seat_say_what_it_does(desk: World) -> None:
    seat = desk.seat("Altair")
    [line] = check_orders(desk.desk, SeatNumber(seat.game_id, seat.number), "MUSTER").lines
    assert (line.state, line.message) == ("command", "who plays in your game")


def test_people_without_a_seat_are_answered_by_their_own_act(desk: World) -> None:
    assert "That is told to players." in desk.send("Deneb", "MUSTER", to=ADDRESS)


def test_it_is_read_in_an_attached_file_and_beside_a_list_of_orders(desk: World) -> None:
    answer = desk.send("Altair", "Add 7")
    sheet = answer[answer.index("#orders -") : answer.index("#end") + len("#end")]
    again = desk.send("Altair", f"MUSTER\n\n{sheet.replace('Add 7', 'Add 8')}")
    assert desk.sheet("Altair") == ["Add 8"]
    assert PLAYING in words(again)


# What holds of every row


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.kind)
def test_every_act_that_a_row_names_is_there_and_takes_what_it_is_given(form) -> None:
    acts = [(act_named, form.act, 5), (visitor_act_named, form.visitor_act, 4)]
    for named, act, given in acts:
        if act:
            assert len(inspect.signature(named(act)).parameters) == given, act


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.kind)
def test_a_row_says_something_of_orders_or_does_something(form) -> None:
    assert bool(form.act) != (form.kind in ("orders", "add", "only", "use"))
    assert form.visitor_act or not form.strangers_only


def test_no_two_commands_share_their_place_on_the_screen_and_none_is_wider_than_a_mail() -> None:
    places = [form.screen.number for form in FORMS if form.screen]
    assert len({*places}) == len(places)
    assert all(line[23] == " " for line in PLAYERS.screen)
    assert max(map(len, PLAYERS.screen)) <= 72


@pytest.mark.parametrize(
    ("pattern", "begins"),
    [
        ("who", {"wh"}),
        (r"(?:send )?rules(?: .+)?", {"se", "ru"}),
        (r"(?P<anonymous>anonymous(?:ly)? )?press to (?P<to>.+?):?", {"an", "pr"}),
        (r"new (?:token|secret)", {"ne"}),
        ("(?:who|some) plays", {"wh", "so"}),
        ("(?:i'm|i am) back", {"i'", "i "}),
    ],
)
def test_how_a_command_begins_follows_from_its_pattern(pattern: str, begins: set[str]) -> None:
    assert beginnings(pattern) == begins


@pytest.mark.parametrize(
    "pattern", ["wh?o", "who|whom", "(?:who|.hom) plays", "(?:who|wh?om) plays", r"\w+ plays", "w-ho", ".*who", "(?:the |who"]
)
def test_a_pattern_that_does_not_show_how_it_begins_is_none(pattern: str) -> None:
    with pytest.raises(ValueError, match="two letters"):
        beginnings(pattern)


def test_what_begins_otherwise_is_no_command_without_a_closer_look() -> None:
    assert WITH_MUSTER.starts - PLAYERS.starts == {"mu"}
    script = PLAYERS.read([Line(1, "MUSTER"), Line(2, "STATUS")])
    assert [command.kind for command in script.commands] == ["status"]


# Of what counts each time there are not too many


def test_a_letter_is_no_flood_of_messages(running: World) -> None:
    answer = running.send("Altair", "\n".join(f"PRESS TO Borealis\nnumber {place}\nEND PRESS" for place in range(12)))
    assert "Of your 12 PRESS commands only the first 10 count." in words(answer)
    assert len(running.journal("press")) == 10


@pytest.mark.parametrize("text", ["JOIN nova AS Vega", "PREVIEW\nAdd 1\nEND PREVIEW"])
def test_of_all_that_counts_each_time_only_some_does(running: World, text: str) -> None:
    many = words(running.send("Altair", "\n".join([text] * 11)))
    assert f"Of your 11 {text.split()[0]} commands only the first 10 count." in many


def test_orders_that_say_for_when_they_are_count_once(running: World) -> None:
    answer = words(running.send("Altair", "\n".join([*(f"ORDERS FOR TURN {turn}" for turn in range(1, 31)), "Add 7"])))
    assert answer.count("only the first counts") == 1
    assert running.sheet("Altair") == ["Add 7"]


def test_a_record_asked_for_thirty_times_is_told_once(running: World) -> None:
    answer = running.send("Altair", "\n".join(["RECORD"] * 30))
    assert words(answer).count("No turn of yours is counted here yet") == 1
