"""JOIN by mail: a newcomer asks for a seat."""

import json
import re
from datetime import timedelta

import pytest

from pbmd.desk.changes import gm, new_game
from pbmd.ledger.tables import Confirmation, GameStatus, LetterState
from pbmd.rules.protocol import Signup
from tests.desk.world import ADDRESS, address_of, body_of, message_of


def ask(world, seat, text=None, **more):
    """A letter with JOIN, and its answer: a question, or why not."""
    return world.send(seat, text or f"JOIN galaxy-7 AS {seat}", to=more.pop("to", ADDRESS), **more)


def asked(world):
    return [mail for mail in world.outbox("visit") if mail.key.startswith("question")]


def join(world, seat, text=None, **more):
    """The same, and YES to the question if there is one."""
    before = len(asked(world))
    answer = ask(world, seat, text, **more)
    return world.reply(asked(world)[-1], "YES") if len(asked(world)) > before else answer


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
    assert "sign-up is open" in world.send("Altair", "STATUS", to=welcome["Reply-To"])


def test_the_welcome_says_how_many_seats_are_taken(world):
    world.open("galaxy-7", seats=3)
    assert "1 of 3 seats is filled" in join(world, "Altair")
    world.open("galaxy-8")
    assert "1 seat is filled" in join(world, "Altair", "JOIN galaxy-8 AS Altair")


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
        ("JOIN nebula-9 AS Deneb", "no game of that name takes sign-ups here"),
        ("JOIN galaxy-7 AS Deneb\n" + "colour red\n" * 51, "a sign-up has at most 50 lines, yours has 51"),
        (f"JOIN galaxy-7 AS Deneb\n{'x' * 201}", "a line of a sign-up has at most 200 characters, yours has 201"),
        ("JOIN galaxy-7", "say which counter you want to be"),
        (f"JOIN galaxy-7 AS {'x' * 61}", "say which counter you want to be"),
        ("JOIN galaxy-7 AS Altair", "the name is taken"),
    ],
)
def test_a_refusal_says_why_and_gives_no_seat(world, text, why):
    world.open("galaxy-7", "Altair")
    answer = join(world, "Deneb", text)
    assert why in " ".join(answer.split())
    assert "\nJOIN galaxy-7 AS Borealis\n" in answer
    assert seats(world) == ["Altair"]


def test_a_refusal_carries_no_words_of_a_stranger_to_whoever_the_sender_is_said_to_be(world):
    world.open("nebula-1", ruleset="cosmic_conquest")
    lines = "Colour: Red\nBuy http://pills.test now\nTraits: Conqueror, http://pills.test\nTechnology: cheap-pills"
    answer = join(world, "Victim", f"JOIN nebula-1 AS Pills\n{lines}")
    assert "pills" not in answer.lower()
    assert "Traits: Conqueror, …" in answer
    assert "Line 3: " in answer


def test_one_seat_a_person(world):
    world.open("galaxy-7", "Altair")
    assert "you already have a seat" in join(world, "Altair", "JOIN galaxy-7 AS Deneb")
    assert seats(world) == ["Altair"]


def test_who_has_a_seat_and_replies_with_join_is_told_how_to_join_another_game(running):
    answer = running.send("Altair", "JOIN galaxy-8 AS Altair")
    assert "you already have the seat Altair in galaxy-7" in answer.replace("\n", " ")


def test_a_running_game_takes_nobody_and_looks_like_no_game(running):
    running.open("nebula-1")
    answer = join(running, "Deneb")
    assert "no game of that name takes sign-ups here" in " ".join(answer.split())
    running.now += timedelta(hours=2)
    assert join(running, "Deneb", "JOIN nebula-9 AS Deneb") == answer


@pytest.mark.parametrize("game", ["galaxy-7", "nebula-9"])
def test_where_no_game_takes_sign_ups_that_is_said(running, game):
    answer = join(running, "Deneb", f"JOIN {game} AS Deneb")
    assert "no game of that name takes sign-ups here" in " ".join(answer.split())
    assert "No game takes sign-ups now" in answer


def test_three_refusals_an_hour_of_which_the_last_says_so_then_silence(world):
    world.open("galaxy-7")
    answers = [join(world, "Victim", f"JOIN galaxy-7\nline {number}") for number in range(5)]
    assert [mail.kind for mail in world.outbox()] == ["refusal"] * 3
    assert ["the third sign-up within an hour" in " ".join(answer.split()) for answer in answers[:3]] == [False, False, True]
    assert answers[3:] == ["", ""]
    world.now += timedelta(hours=1)
    assert join(world, "Victim", "JOIN nebula-9 AS Deneb")


def test_a_right_one_counts_after_any_number_of_wrong_ones(world):
    world.open("galaxy-7")
    for number in range(9):
        ask(world, "Deneb", f"JOIN galaxy-7\nline {number}")
    assert "You are Deneb" in join(world, "Deneb")


@pytest.mark.parametrize("batch", [False, True])
def test_mails_to_strangers_have_a_ceiling_for_all_together(world, batch):
    world.settle(limits={"strangers_per_hour": 5})
    world.open("galaxy-7")
    for number in range(9):
        world.arrive(world.letter(f"Victim{number}", f"JOIN nebula-{number} AS Deneb", to=ADDRESS))
        if not batch:
            world.pass_time()
    world.pass_time()
    assert len(world.outbox("refusal")) == 5
    world.now += timedelta(hours=1)
    assert join(world, "Deneb", "JOIN nebula-9 AS Deneb")


def test_who_owns_a_domain_does_not_use_up_what_strangers_of_all_others_have(world):
    world.open("galaxy-7")
    for number in range(25):
        ask(world, "Deneb", f"JOIN nebula-{number} AS Deneb", sender=f"victim{number}@evil.test")
    assert len(world.outbox("refusal")) == 20
    assert join(world, "Deneb", "JOIN nebula-9 AS Deneb")
    assert len(world.outbox("refusal")) == 21


def test_forged_sign_ups_take_no_answers_from_a_player(running):
    running.open("nebula-1", "Deneb")
    for number in range(40):
        join(running, "Altair", f"JOIN nebula-1 AS Deneb\nline {number}")
        running.now += timedelta(minutes=1)
    assert len(running.outbox("refusal")) == 3
    assert "Add 3" in running.send("Altair", "Add 3")


def test_a_sign_up_says_that_other_lines_were_not_read(running):
    running.open("nebula-1")
    answer = ask(running, "Altair", "Add 3\nSTATUS\nJOIN nebula-1 AS Vega\ncolour red")
    assert "the other 2 lines with orders or commands were not" in " ".join(answer.split())


def test_an_order_that_looks_like_a_sign_up_loses_nothing_of_its_letter(running):
    running.send("Altair", "Add 3\nJOIN fleets AS one", to=ADDRESS)
    assert running.letters()[-1].state is LetterState.HELD
    running.reply(running.questions()[-1], "YES")
    assert running.sheet("Altair") == ["Add 3"]


def test_a_full_game_takes_nobody(world):
    world.open("galaxy-7", "Altair", "Borealis", seats=2)
    answer = " ".join(join(world, "Deneb").split())
    assert "galaxy-7 is full; send STANDBY galaxy-7, and we ask you when a seat in it becomes free" in answer
    assert "stand by for a seat?" in message_of(ask_for(world, "Deneb", "STANDBY galaxy-7"))["Subject"]


def ask_for(world, who, text):
    """The mail that answers somebody without a seat."""
    world.send(who, text, to=ADDRESS)
    return world.outbox("visit")[-1]


def test_a_refusal_tells_nothing_of_the_players_and_carries_no_token(world):
    world.open("galaxy-7", "Altair")
    answer = join(world, "Deneb", "JOIN galaxy-7 AS Altair")
    raw = world.outbox("refusal")[-1].raw
    assert b"players.test" not in raw.replace(b"deneb@players.test", b"").replace(b"@players.test>", b"")
    assert "altair@" not in answer
    assert not re.search(rb"games\+(?!c0\.)", raw)


def test_a_refusal_goes_to_the_sender_only_and_is_marked_as_automatic(world):
    world.open("galaxy-7")
    join(world, "Deneb", "JOIN nebula-9 AS Deneb", headers={"Reply-To": "victim@elsewhere.test"})
    (mail,) = world.outbox("refusal")
    assert mail.recipient == address_of("Deneb")
    assert message_of(mail)["Auto-Submitted"] == "auto-replied"


def test_a_forged_sign_up_carries_nothing_to_its_victim(world):
    world.open("galaxy-7")
    answer = join(world, "Victim", "JOIN buy-pills-http://evil.test AS cheap\nvery cheap http://evil.test")
    raw = world.outbox()[0].raw
    assert "no game of that name takes sign-ups here" in " ".join(answer.split())
    assert b"pills" not in raw
    assert b"cheap" not in raw
    assert b"evil.test" not in raw


def test_an_address_that_no_mail_can_be_sent_to_gets_no_seat_and_the_log_says_so(world):
    world.open("galaxy-7")
    raw = world.letter("Jan", "JOIN galaxy-7 AS Altair", to=ADDRESS)
    world.arrive(raw.replace(b"From: jan@players.test", "From: jän@players.test".encode()))
    world.pass_time()
    assert world.letters()[0].state is LetterState.DONE
    assert (seats(world), world.outbox()) == ([], [])
    assert "no mail can be sent" in world.log("refused")[0].detail


def test_who_plays_in_an_open_game_can_join_another(world):
    world.count("nebula-9", trust="open")
    world.open("galaxy-7")
    assert "You are Vega" in join(world, "Altair", "JOIN galaxy-7 AS Vega")
    assert seats(world) == ["Vega"]


def test_joining_the_open_game_again_gives_no_second_seat(world):
    world.count(trust="open")
    answer = world.send("Altair", "JOIN galaxy-7 AS Vega", to=ADDRESS)
    assert "you already have the seat Altair in galaxy-7" in answer.replace("\n", " ")


class TestLeaving:
    """RESIGN before the game begins gives the seat back."""

    @pytest.fixture
    def left(self, world):
        world.open("galaxy-7", seats=3, reminders=())
        for name in ("Altair", "Borealis"):
            join(world, name)
        assert "given back the seat Borealis" in world.send("Borealis", "STATUS\nRESIGN\nRESIGN\nSTATUS")
        return world

    def test_the_seat_is_free_for_anybody(self, left):
        assert seats(left) == ["Altair"]
        assert "2 of 3 seats are filled" in join(left, "Deneb", "JOIN galaxy-7 AS Borealis")
        assert left.game().status is GameStatus.SIGNUP
        join(left, "Cygnus")
        assert left.game().status is GameStatus.RUNNING

    def test_who_left_can_come_back(self, left):
        assert "You are Vega" in join(left, "Borealis", "JOIN galaxy-7 AS Vega")

    def test_the_mails_of_who_left_are_of_no_use_for_the_next(self, left):
        tokens = {mail.message_id.split(".")[2] for mail in left.outbox("acknowledgement", "Borealis")}
        join(left, "Borealis", "JOIN galaxy-7 AS Borealis")
        token = left.reply_address("Borealis").partition(".")[2].partition("@")[0]
        assert len(tokens) == 1
        assert token not in tokens

    def test_it_is_in_journal_and_log(self, left):
        assert [entry.kind for entry in left.journal()] == ["created", "joined", "joined", "resigned"]
        assert left.log("resigned")[0].seat == "Borealis"


def test_exactly_one_answer_whatever_becomes_of_it(world):
    world.open("galaxy-7", seats=2)
    for text in ("JOIN galaxy-7 AS Altair\nJOIN galaxy-7 AS Vega", "JOIN nebula-9 AS Altair"):
        ask(world, "Altair", text)
    assert [mail.kind for mail in world.outbox()] == ["visit", "refusal"]


def test_the_same_letter_twice_gives_one_seat(world):
    world.open("galaxy-7")
    raw = world.letter("Altair", "JOIN galaxy-7 AS Altair", to=ADDRESS)
    for _ in range(2):
        world.arrive(raw)
    world.pass_time()
    assert len(world.outbox()) == 1
    world.confirm(address_of("Altair"))
    assert seats(world) == ["Altair"]


def test_sign_ups_are_in_log_and_journal_without_the_address(world):
    world.open("galaxy-7")
    join(world, "Altair")
    join(world, "Deneb", "JOIN nebula-9 AS Deneb")
    assert [line.what for line in world.log()] == [
        "created", "asked", "confirmed", "joined", "refused", "letter",
    ]  # fmt: skip
    assert all("players.test" not in line.detail for line in world.log())
    assert "players.test" not in world.journal("joined")[0].public


def test_a_hostile_name_stays_a_name(world):
    world.open("galaxy-7")
    raw = world.letter("Mallory", "JOIN galaxy-7 AS <b>Bold</b> %0D%0A", to=ADDRESS)
    name = b"=?utf-8?q?a=0D=0ABcc:_x=40evil.test?="
    world.arrive(raw.replace(b"From: ", b"From: " + name + b" <").replace(b"@players.test\r", b"@players.test>\r", 1))
    world.pass_time()
    (question,) = world.outbox()
    assert "Bold" not in message_of(question).as_string()
    world.reply(question, "YES")
    mail = world.outbox("acknowledgement")[-1]
    assert message_of(mail)["Bcc"] is None
    assert message_of(question)["Bcc"] is None
    assert "<b>Bold</b>" in message_of(mail)["Subject"]
    world.act("galaxy-7", new_game.add_seat, new_game.Signup("Altair"), new_game.Newcomer(address_of("Altair"), ""))
    world.act("galaxy-7", new_game.start_game)
    html = message_of(world.outbox("report")[0]).get_body(("html",)).get_content()
    assert "<b>Bold</b>" not in html
    assert "&lt;b&gt;Bold&lt;/b&gt;" in html


class TestConfirmation:
    """Nobody has a seat before a reply from the address has said so."""

    def test_the_question_has_no_word_of_the_letter_and_no_token(self, world):
        world.open("galaxy-7")
        ask(world, "Deneb", "JOIN galaxy-7 AS cheap-pills\nhttp://evil.test now")
        (question,) = asked(world)
        assert b"pills" not in question.raw
        assert b"evil" not in question.raw
        assert b"games+g" not in question.raw
        assert message_of(question)["Auto-Submitted"] == "auto-replied"
        assert "A mail from this address asked for a seat (Fri 20 Nov 2026 12:00:00 UTC)" in " ".join(body_of(question).split())

    def test_forged_sign_ups_do_not_fill_a_game(self, world):
        world.open("galaxy-7", seats=2, reminders=())
        for name in ("Deneb", "Vega", "Rigel"):
            ask(world, name)
        assert seats(world) == []
        join(world, "Altair")
        join(world, "Borealis")
        assert world.game().status is GameStatus.RUNNING
        assert seats(world) == ["Altair", "Borealis"]

    def test_whose_join_arrived_first_is_first_in_the_game_whoever_confirms_first(self, world):
        world.open("galaxy-7", seats=2, reminders=())
        for name in ("Altair", "Borealis"):
            ask(world, name)
            world.now += timedelta(minutes=1)
        for name in ("Borealis", "Altair"):
            world.confirm(address_of(name))
        assert world.act("galaxy-7", lambda _, table: table.ruleset.seats(table.position)) == ("Altair", "Borealis")

    def test_who_confirms_when_the_game_has_begun_has_no_seat(self, world):
        world.open("galaxy-7", "Borealis", seats=2, reminders=())
        ask(world, "Deneb")
        join(world, "Altair")
        answer = " ".join(world.confirm(address_of("Deneb")).split())
        assert "galaxy-7 has begun without you" in answer
        assert seats(world) == ["Borealis", "Altair"]

    def test_nor_when_it_is_full_and_waits_for_the_game_master(self, world):
        world.open("galaxy-7", "Borealis", ruleset="count")
        ask(world, "Deneb")
        with world.work() as work:
            table = work.table_named("galaxy-7")
            for name in range(table.ruleset.info.max_seats - 1):
                new_game.add_seat(work, table, Signup(f"Seat {name}"), new_game.Newcomer(f"{name}@elsewhere.test", "somebody"))
        answer = " ".join(world.confirm(address_of("Deneb")).split())
        assert "You have no seat: galaxy-7 is full; send STANDBY galaxy-7, and we ask you" in answer

    def test_nor_when_the_game_was_given_up_before_it_began(self, world):
        world.open("galaxy-7", "Borealis")
        ask(world, "Deneb")
        world.act("galaxy-7", gm.abandon)
        assert "galaxy-7 is over, so you have no seat" in " ".join(world.confirm(address_of("Deneb")).split())

    def test_nor_when_the_name_is_taken_meanwhile(self, world):
        world.open("galaxy-7")
        ask(world, "Deneb", "JOIN galaxy-7 AS Altair")
        join(world, "Altair")
        assert "You have no seat: the name is taken" in " ".join(world.confirm(address_of("Deneb")).split())
        assert seats(world) == ["Altair"]

    def test_a_second_confirmed_sign_up_gives_no_second_seat(self, world):
        world.open("galaxy-7")
        ask(world, "Deneb")
        world.now += timedelta(minutes=1)
        ask(world, "Deneb", "JOIN galaxy-7 AS Vega")
        for question in asked(world):
            answer = world.reply(question, "YES")
        assert "you already have a seat in galaxy-7" in " ".join(answer.split())
        assert seats(world) == ["Deneb"]

    @pytest.mark.parametrize("text", ["NO", "no thanks", "", "YES\nNO"])
    def test_all_but_yes_gives_none(self, world, text):
        world.open("galaxy-7")
        ask(world, "Deneb")
        world.reply(asked(world)[0], text)
        assert seats(world) == []

    def test_an_unclear_answer_can_be_mended(self, world):
        world.open("galaxy-7")
        ask(world, "Deneb")
        answer = world.reply(asked(world)[0], "well, why not")
        assert "could not be read" in answer
        assert "You are Deneb" in world.reply(world.outbox("acknowledgement")[-1], "YES")

    def test_yes_from_elsewhere_or_from_a_machine_or_too_late_gives_none(self, world):
        world.open("galaxy-7")
        ask(world, "Deneb")
        (question,) = asked(world)
        world.reply(question, "YES", sender="mallory@evil.test")
        world.reply(question, "YES", headers={"Auto-Submitted": "auto-replied"})
        assert seats(world) == []
        world.now += timedelta(days=8)
        assert "not open any more" in world.reply(question, "YES")
        assert seats(world) == []

    def test_yes_twice_is_one_seat(self, world):
        world.open("galaxy-7")
        ask(world, "Deneb")
        (question,) = asked(world)
        world.reply(question, "YES")
        assert "not open any more" in world.reply(question, "YES, again\nYES")
        assert seats(world) == ["Deneb"]

    def test_a_question_that_the_brakes_stop_is_none(self, world):
        world.settle(limits={"strangers_per_hour": 1})
        world.open("galaxy-7")
        ask(world, "Deneb")
        assert ask(world, "Vega") == ""
        assert [row.state.value for row in world.rows(Confirmation)] == ["open", "expired"]

    def test_an_address_is_asked_only_so_often_a_day(self, world):
        world.open("galaxy-7")
        for number in range(8):
            ask(world, "Victim", f"JOIN galaxy-7 AS Deneb {number}")
        assert len(asked(world)) == 5

    def test_questions_that_nobody_answers_expire(self, world):
        world.open("galaxy-7")
        ask(world, "Deneb")
        world.now += timedelta(days=8)
        ask(world, "Vega")
        assert [line.detail for line in world.log("expired")] == ["galaxy-7, -: play this game?"]


def test_the_welcome_says_what_the_terms_mean(world):
    world.open(
        "friday",
        ruleset="diplomacy",
        deadline="every Friday 20:00 Europe/Berlin",
        phases={"retreats": {"deadline": "24h"}},
        missed_in_a_row=2,
        sleeper="offer",
        quiet_days=("saturday", "sunday"),
        substitute_days=14,
        votes=("pause", "draw"),
        vote_quorum=60,
    )
    world.send("Ann", "JOIN friday AS France", to=ADDRESS)
    welcome = " ".join(world.confirm("ann@players.test").split())
    for words in (
        "Moves: due every Friday 20:00 Europe/Berlin;",
        "Retreats: due 1 day after the report;",
        "No deadline falls on Saturday or Sunday (Europe/Berlin).",
        "Whoever misses 2 phases in a row is asleep:",
        "Whoever is away can have a substitute for up to 14 days at a time (HELP SUBSTITUTE).",
        "Players can vote on a pause (HELP PROPOSE): 60 % of the players must say yes within 3 days.",
        "On a draw players vote with the order DRAW, as the handbook says.",
        "LIST ME AS",
    ):
        assert words in welcome
    handbook = " ".join(world.send("France", "RULES", game="friday", sender="ann@players.test").split())
    assert "Whoever is away can have a substitute for up to 14 days at a time" in handbook


def test_the_welcome_promises_nothing_that_the_terms_do_not(world):
    world.open("galaxy-7", substitute_days=0)
    world.send("Ann", "JOIN galaxy-7 AS Altair", to=ADDRESS)
    welcome = world.confirm("ann@players.test")
    assert not any(word in welcome for word in ("substitute", "asleep", "vote", "No deadline"))


@pytest.mark.parametrize("name", ["galaxy7", "Galaxy_7", '"galaxy-7"', "GALAXY.7"])
def test_the_name_of_an_open_game_may_lack_its_marks(world, name):
    world.open("galaxy-7")
    assert "You are Altair" in join(world, "Altair", f"JOIN: {name} AS Altair")


def test_of_several_games_with_such_a_name_none_is_taken_for_another(world):
    world.open("galaxy-7")
    world.open("galaxy7x-a")
    world.open("galaxy-7xa")
    assert "no game of that name takes sign-ups here" in ask(world, "Altair", "JOIN galaxy7xa AS Altair")
    assert "no game of that name takes sign-ups here" in ask(world, "Altair", "JOIN galaxy AS Altair")


def test_what_would_be_accepted_is_no_name_that_was_just_refused(world):
    world.open("galaxy-7", "Altair", ruleset="galactic_overlord")
    answer = ask(world, "Dora", "JOIN galaxy-7 AS GM")
    assert "the name could be taken for the game master" in " ".join(answer.split())
    assert "JOIN galaxy-7 AS GM" not in answer
    assert re.search(r"(?m)^JOIN galaxy-7 AS \w+", answer)


@pytest.mark.parametrize("prose", ["Join me!", "Please join us", "Join forces, all of you"])
def test_prose_takes_no_orders_of_who_plays(running, prose):
    running.send("Altair", f"{prose}\nAdd 5")
    assert [json.loads(each.orders) for each in running.submissions()] == [["Add 5"]]
