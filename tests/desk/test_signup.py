"""JOIN by mail: a newcomer asks for a seat."""

import pytest

from pbmd.desk import games
from pbmd.ledger.tables import GameStatus
from tests.desk.world import ADDRESS, address_of, body_of, message_of


def join(world, seat, text=None, **more):
    return world.send(seat, text or f"JOIN galaxy-7 AS {seat}", to=more.pop("to", ADDRESS), **more)


def seats(world):
    with world.work() as work:
        return [seat.name for seat in work.table_named("galaxy-7").seats]


def test_a_newcomer_gets_the_seat_and_a_welcome(world):
    world.open("galaxy-7")
    answer = join(world, "Altair", sender="Al Tair <altair@players.test>")
    assert "You are Altair" in answer
    assert (world.seat("Altair").address, world.seat("Altair").holder) == (address_of("Altair"), "Al Tair")


def test_the_welcome_can_be_replied_to(world):
    world.open("galaxy-7")
    join(world, "Altair")
    welcome = message_of(world.outbox("acknowledgement")[0])
    assert welcome["Reply-To"] == world.reply_address("Altair")
    assert "signup" in world.send("Altair", "STATUS", to=welcome["Reply-To"])


def test_the_welcome_says_how_many_seats_are_taken(world):
    world.open("galaxy-7", seats=3)
    assert "1 of 3 seats are taken" in join(world, "Altair")


def test_the_set_up_lines_are_kept_for_the_rules(world):
    world.open("galaxy-7")
    join(world, "Altair", "JOIN galaxy-7 AS Altair\ncolour red\n\nhome Vega")
    assert world.seat("Altair").signup == '[[2,"colour red"],[4,"home Vega"]]'


def test_a_name_in_any_case_of_the_game_will_do(world):
    world.open("galaxy-7")
    join(world, "Altair", "join GALAXY-7 as Altair")
    assert seats(world) == ["Altair"]


def test_the_game_begins_when_its_last_seat_is_taken(world):
    world.open("galaxy-7", seats=2, reminders=())
    join(world, "Altair")
    assert world.game().status is GameStatus.SIGNUP
    join(world, "Borealis")
    assert world.game().status is GameStatus.RUNNING
    assert [mail.recipient for mail in world.outbox("report")] == [address_of("Altair"), address_of("Borealis")]
    assert len(world.outbox("acknowledgement")) == 2
    assert world.game().due_at == world.game().deadline


def test_without_a_number_of_seats_it_begins_when_the_game_master_says_so(world):
    world.open("galaxy-7")
    join(world, "Altair")
    join(world, "Borealis")
    assert world.game().status is GameStatus.SIGNUP
    assert "when the game master says so" in body_of(world.outbox("acknowledgement")[0])


def test_seats_that_the_game_master_gave_count_too(world):
    world.open("galaxy-7", "Altair", seats=2)
    join(world, "Borealis")
    assert world.game().status is GameStatus.RUNNING


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("JOIN nebula-9 AS Deneb", 'no game "nebula-9" takes sign-ups here'),
        ("JOIN galaxy-7", "say which counter you want to be, like: JOIN galaxy-7 AS <name of your counter>"),
        (f"JOIN galaxy-7 AS {'x' * 61}", "say which counter you want to be"),
        ("JOIN galaxy-7 AS Altair", "the name is taken"),
    ],
)
def test_a_refusal_says_why_and_gives_no_seat(world, text, why):
    world.open("galaxy-7", "Altair")
    answer = join(world, "Deneb", text)
    assert why in " ".join(answer.split())
    assert "JOIN <game> AS <name>" in answer
    assert seats(world) == ["Altair"]


def test_one_seat_a_person(world):
    world.open("galaxy-7", "Altair")
    assert "you already have a seat" in join(world, "Altair", "JOIN galaxy-7 AS Deneb")
    assert seats(world) == ["Altair"]


def test_who_has_a_seat_and_replies_with_join_is_told_how_to_join_another_game(running):
    answer = running.send("Altair", "JOIN galaxy-8 AS Altair")
    assert "you already have the seat Altair in galaxy-7" in answer.replace("\n", " ")


def test_a_running_game_takes_nobody(running):
    assert "sign-up for galaxy-7 is over" in join(running, "Deneb")


def test_a_full_game_takes_nobody(world):
    world.open("galaxy-7", "Altair", "Borealis", seats=2)
    assert "galaxy-7 is full" in join(world, "Deneb")


def test_a_refusal_tells_nothing_of_the_players_and_carries_no_token(world):
    world.open("galaxy-7", "Altair")
    answer = join(world, "Deneb", "JOIN galaxy-7 AS Altair")
    raw = world.outbox("acknowledgement")[-1].raw
    assert b"players.test" not in raw.replace(b"deneb@players.test", b"").replace(b"@players.test>", b"")
    assert "altair@" not in answer
    assert b"games+" not in raw


def test_a_refusal_goes_to_the_sender_only_and_is_marked_as_automatic(world):
    world.open("galaxy-7")
    join(world, "Deneb", "JOIN nebula-9 AS Deneb", headers={"Reply-To": "victim@elsewhere.test"})
    (mail,) = world.outbox()
    assert mail.recipient == address_of("Deneb")
    assert message_of(mail)["Auto-Submitted"] == "auto-replied"


def test_exactly_one_answer_whatever_becomes_of_it(world):
    world.open("galaxy-7", seats=2)
    for text in ("JOIN galaxy-7 AS Altair\nJOIN galaxy-7 AS Vega", "JOIN nebula-9 AS Altair"):
        join(world, "Altair", text)
    assert len(world.outbox("acknowledgement")) == 2


def test_the_same_letter_twice_gives_one_seat(world):
    world.open("galaxy-7")
    raw = world.letter("Altair", "JOIN galaxy-7 AS Altair", to=ADDRESS)
    for _ in range(2):
        world.arrive(raw)
    world.pass_time()
    assert seats(world) == ["Altair"]
    assert len(world.outbox()) == 1


def test_sign_ups_are_in_log_and_journal_without_the_address(world):
    world.open("galaxy-7")
    join(world, "Altair")
    join(world, "Deneb", "JOIN nebula-9 AS Deneb")
    assert [line.what for line in world.log()] == ["created", "joined", "refused", "letter"]
    assert all("players.test" not in line.detail for line in world.log())
    assert "players.test" not in world.journal("joined")[0].public


def test_a_hostile_name_stays_a_name(world):
    world.open("galaxy-7")
    raw = world.letter("Mallory", "JOIN galaxy-7 AS <b>Bold</b> =?utf-8?q?x?=", to=ADDRESS)
    name = b"=?utf-8?q?a=0D=0ABcc:_x=40evil.test?="
    world.arrive(raw.replace(b"From: ", b"From: " + name + b" <").replace(b"@players.test\r", b"@players.test>\r", 1))
    world.pass_time()
    (mail,) = world.outbox()
    assert message_of(mail)["Bcc"] is None
    assert "<b>Bold</b>" in message_of(mail)["Subject"]
    world.act("galaxy-7", games.add_seat, games.Signup("Altair"), address_of("Altair"), "")
    world.act("galaxy-7", games.start_game)
    html = message_of(world.outbox("report")[0]).get_body(("html",)).get_content()
    assert "<b>Bold</b>" not in html
    assert "&lt;b&gt;Bold&lt;/b&gt;" in html
