"""A substitute: a player asks for one, the seat is theirs for that time, and then it comes back."""

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes import pauses
from pbmd.ledger.tables import Outbox, Substitution, SubstitutionState
from pbmd.post.tags import Tag, make_token, plus_address
from tests.desk.relay import past_turn_0, relay
from tests.desk.world import ADDRESS, BEGIN, World, address_of, body_of, message_of

DORA, EVE = "dora@players.test", "eve@players.test"
CYGNUS = address_of("Cygnus")
DAYS = "SUBSTITUTE FROM 2026-11-23 TO 2026-11-29"
"""The game begins on Friday the 20th at noon."""
FIRST, AFTER = datetime(2026, 11, 23, tzinfo=UTC), datetime(2026, 11, 30, tzinfo=UTC)


def game(world: World, **terms: object) -> World:
    """A game of Count in which Dora stands by."""
    world.count(**{"deadline": "every Friday 18:00", "listed": True} | terms)
    stand_by(world, "Dora")
    return world


def stand_by(world: World, name: str) -> None:
    world.send(name, "STANDBY galaxy-7", to="games@pbmd.test")
    world.confirm(address_of(name))


def asked(world: World, address: str) -> list[Outbox]:
    """What they are asked, but for whether they want to stand by."""
    of = (mail for mail in to(world, address) if mail.key.startswith("question"))
    return [mail for mail in of if b"stand by for" not in mail.raw]


def agree(world: World, address: str = DORA) -> str:
    return " ".join(world.reply(asked(world, address)[-1], "YES").split())


def go_to(world: World, at: datetime) -> None:
    """It is that time, and all that is due by then is done."""
    world.pass_time(at - world.now)
    while (due := world.game().due_at) is not None and due <= world.now:
        world.pass_time()


def to(world: World, address: str) -> list[Outbox]:
    return [mail for mail in world.outbox() if mail.recipient == address]


def said(mail: Outbox) -> str:
    text = body_of(mail)
    assert max(map(len, text.splitlines())) <= 72
    return " ".join(text.split())


def wish(world: World) -> Substitution:
    return world.rows(Substitution)[-1]


def with_substitute(world: World, **terms: object) -> World:
    """Dora plays Cygnus for its player."""
    game(world, **terms)
    world.send("Cygnus", DAYS)
    agree(world)
    go_to(world, FIRST)
    assert world.seat("Cygnus").address == DORA
    return world


def test_the_seat_goes_to_the_first_who_says_yes_for_that_time_and_comes_back(world: World) -> None:
    game(world)
    answer = " ".join(world.send("Cygnus", DAYS).split())
    assert "You want a substitute Mon 23 Nov 2026 to Sun 29 Nov 2026. We ask those who stand by, now" in answer
    assert "Do you want to play Cygnus in galaxy-7" in said(asked(world, DORA)[-1])
    assert "Thank you: you play Cygnus in galaxy-7, Mon 23 Nov 2026 to Sun 29 Nov 2026" in agree(world)
    assert "Somebody has agreed to play Cygnus" in said(to(world, CYGNUS)[-1])
    go_to(world, FIRST - timedelta(minutes=1))
    assert world.seat("Cygnus").address == CYGNUS
    assert world.send("Cygnus", "add 3")
    assert world.sheet("Cygnus") == ["Add 3"]
    go_to(world, FIRST)
    seat = world.seat("Cygnus")
    assert (seat.address, seat.token_generation) == (DORA, 2)
    assert "From now on a substitute plays Cygnus in galaxy-7 for you, until the end of Sun 29 Nov 2026" in said(
        to(world, CYGNUS)[-1]
    )
    welcome = to(world, DORA)[-1]
    assert "From now on you are Cygnus, for a player who is away: until the end of Sun 29 Nov 2026" in said(welcome)
    world.reply(welcome, "add 2")
    assert world.sheet("Cygnus") == ["Add 2"]
    go_to(world, AFTER)
    seat = world.seat("Cygnus")
    assert (seat.address, seat.holder, seat.token_generation) == (CYGNUS, "Cygnus's player", 3)
    assert "Your time as a substitute is over" in said(to(world, DORA)[-1])
    assert "Cygnus in galaxy-7 is yours again" in said(to(world, CYGNUS)[-1])
    world.send("Cygnus", "add 1")
    assert world.sheet("Cygnus") == ["Add 1"]
    assert wish(world).state is SubstitutionState.ENDED
    assert {wish(world).address, wish(world).named, wish(world).holder} == {""}


def test_a_yes_after_the_first_day_has_begun_gives_the_seat_at_once(world: World) -> None:
    game(world)
    world.send("Cygnus", "SUBSTITUTE FROM 2026-11-20 TO 2026-11-22")
    assert agree(world) == ""
    assert world.seat("Cygnus").address == DORA
    go_to(world, datetime(2026, 11, 23, tzinfo=UTC))
    assert world.seat("Cygnus").address == CYGNUS


def test_others_who_were_asked_learn_that_somebody_was_faster(world: World) -> None:
    game(world)
    stand_by(world, "Eve")
    world.send("Cygnus", DAYS)
    agree(world)
    assert "Somebody else was faster" in said(to(world, EVE)[-1])
    assert "This question is not open any more" in agree(world, EVE)
    go_to(world, FIRST)
    assert world.seat("Cygnus").address == DORA


def test_days_are_those_of_the_players_zone(world: World) -> None:
    game(world)
    world.send("Cygnus", "TIMEZONE Pacific/Auckland")
    world.send("Cygnus", DAYS)
    agree(world)
    world.send("Cygnus", "add 1")
    go_to(world, datetime(2026, 11, 22, 10, 59, tzinfo=UTC))
    assert world.seat("Cygnus").address == CYGNUS
    go_to(world, datetime(2026, 11, 22, 11, tzinfo=UTC))
    assert world.seat("Cygnus").address == DORA
    go_to(world, datetime(2026, 11, 29, 11, tzinfo=UTC))
    assert (world.seat("Cygnus").address, world.seat("Cygnus").timezone) == (CYGNUS, "Pacific/Auckland")


def test_one_who_is_named_is_asked_once_and_nobody_else(world: World) -> None:
    game(world)
    answer = " ".join(world.send("Cygnus", f"SUBSTITUTE {EVE} FROM 2026-11-23 TO 2026-11-29").split())
    assert f"We ask {EVE}, once." in answer
    assert asked(world, DORA) == []
    question = said(asked(world, EVE)[-1])
    assert (
        "Its player is away and wants a substitute: Mon 23 Nov 2026 to Sun 29 Nov 2026. They gave us your address." in question
    )
    assert "you need not do anything: this is the only mail about it" in question
    go_to(world, FIRST + timedelta(days=2))
    assert len(to(world, EVE)) == 1
    assert asked(world, DORA) == []


def test_a_no_of_the_one_who_is_named_ends_the_wish(world: World) -> None:
    game(world)
    world.send("Cygnus", f"SUBSTITUTE {EVE} FROM 2026-11-23 TO 2026-11-29")
    world.reply(asked(world, EVE)[-1], "NO")
    assert f"{EVE} does not want to play Cygnus for you" in said(to(world, CYGNUS)[-1])
    assert wish(world).state is SubstitutionState.ENDED


def test_strangers_get_no_more_than_the_limit_of_the_house(world: World) -> None:
    game(world)
    world.settle(limits={"strangers_per_domain": 1})
    world.send("Cygnus", "SUBSTITUTE a@else.test FROM 2026-11-23 TO 2026-11-29")
    answer = world.send("Altair", "SUBSTITUTE b@else.test FROM 2026-11-23 TO 2026-11-29")
    assert "too many people were asked" in " ".join(answer.split())
    assert to(world, "b@else.test") == []
    assert len(world.rows(Substitution)) == 1


def test_a_substitute_may_be_named_as_mail_programs_write_an_address(world: World) -> None:
    game(world)
    answer = world.send("Cygnus", 'SUBSTITUTE "Lee, Ann" <ann@else.test> FROM 2026-11-23 TO 2026-11-29')
    assert "Mon 23 Nov 2026 to Sun 29 Nov 2026" in " ".join(answer.split())
    assert to(world, "ann@else.test")


def test_a_seat_asks_only_so_often(world: World) -> None:
    game(world)
    for _ in range(5):
        assert "You want a substitute" in " ".join(world.send("Cygnus", DAYS).split())
        world.send("Cygnus", "CANCEL SUBSTITUTE")
        world.now += timedelta(hours=1)
    assert "5 times within 30 days, which is the most" in " ".join(world.send("Cygnus", DAYS).split())


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("SUBSTITUTE FROM 2026-11-23 TO 2026-12-31", "a substitute plays at most 31 days"),
        ("SUBSTITUTE FROM 2026-11-01 TO 2026-11-02", "these days are over"),
        ("SUBSTITUTE FROM 2028-11-01 TO 2028-11-02", "begins within 400"),
        (f"SUBSTITUTE {CYGNUS} FROM 2026-11-23 TO 2026-11-25", "that is the address which the seat has already"),
        ("SUBSTITUTE games@pbmd.test FROM 2026-11-23 TO 2026-11-25", "that is the address of the game itself"),
        ("SUBSTITUTE FROM 2026-11-31", "is no day"),
    ],
)
def test_what_cannot_be_is_said(world: World, line: str, problem: str) -> None:
    game(world)
    assert problem in " ".join(world.send("Cygnus", line).split())
    assert world.rows(Substitution) == []


@pytest.mark.parametrize(("days", "problem"), [(3, "at most 3 days"), (0, "the terms of this game allow no substitutes")])
def test_the_terms_can_forbid_them_or_allow_fewer_days(world: World, days: int, problem: str) -> None:
    game(world, substitute_days=days)
    assert problem in " ".join(world.send("Cygnus", DAYS).split())


def test_a_second_wish_waits_until_the_first_is_taken_back(world: World) -> None:
    game(world)
    world.send("Cygnus", DAYS)
    assert "you want one already, Mon 23 Nov 2026 to Sun 29 Nov 2026" in " ".join(world.send("Cygnus", DAYS).split())
    assert "nobody is asked. The seat stays yours" in " ".join(world.send("Cygnus", "CANCEL SUBSTITUTE").split())
    assert "This question is not open any more" in agree(world)
    assert "you had not asked for one" in " ".join(world.send("Cygnus", "CANCEL SUBSTITUTE").split())
    assert world.game().substitutes_at is None


def test_who_has_agreed_learns_that_nobody_is_needed(world: World) -> None:
    game(world)
    world.send("Cygnus", DAYS)
    agree(world)
    world.send("Cygnus", "CANCEL SUBSTITUTE")
    assert "That is off: no substitute is needed any more" in said(to(world, DORA)[-1])
    go_to(world, FIRST + timedelta(hours=1))
    assert world.seat("Cygnus").address == CYGNUS


# --- Nobody is found ---------------------------------------------------------------------------------------------------------


def test_if_nobody_agrees_the_player_is_told_in_time_plays_on_and_the_wish_stands(world: World) -> None:
    game(world)
    world.send("Cygnus", "SUBSTITUTE FROM 2026-11-26 TO 2026-11-28")
    go_to(world, datetime(2026, 11, 23, tzinfo=UTC))
    assert "Nobody has agreed so far to play Cygnus for you" in said(to(world, CYGNUS)[-1])
    assert "nobody has agreed yet" in world.log("substitute")[-1].detail
    assert "Cygnus: nobody has agreed yet" in " ".join(body_of(world.outbox("digest")[-1]).split())
    go_to(world, datetime(2026, 11, 27, 1, tzinfo=UTC))
    assert world.seat("Cygnus").address == CYGNUS
    assert agree(world) == ""
    assert world.seat("Cygnus").address == DORA
    assert sum("Nobody has agreed" in said(mail) for mail in to(world, CYGNUS)) == 1


def test_a_wish_for_days_that_are_over_ends(world: World) -> None:
    game(world)
    world.send("Cygnus", "SUBSTITUTE FROM 2026-11-26 TO 2026-11-28")
    go_to(world, datetime(2026, 11, 29, tzinfo=UTC))
    assert "Nobody was found who would play Cygnus for you" in said(to(world, CYGNUS)[-1])
    assert wish(world).state is SubstitutionState.ENDED
    assert world.game().substitutes_at is None


def test_who_joins_the_standby_list_later_is_asked_and_nobody_twice(world: World) -> None:
    game(world)
    world.send("Cygnus", DAYS)
    go_to(world, BEGIN + timedelta(days=1))
    stand_by(world, "Eve")
    go_to(world, BEGIN + timedelta(days=2))
    go_to(world, BEGIN + timedelta(days=4))
    assert (len(asked(world, EVE)), len(asked(world, DORA))) == (1, 1)


def test_those_who_stand_by_are_asked_two_weeks_before(world: World) -> None:
    game(world)
    answer = world.send("Cygnus", "SUBSTITUTE FROM 2026-12-10 TO 2026-12-20")
    assert "We ask those who stand by, from Thu 26 Nov 2026 on" in " ".join(answer.split())
    go_to(world, datetime(2026, 11, 25, 23, tzinfo=UTC))
    assert asked(world, DORA) == []
    go_to(world, datetime(2026, 11, 26, tzinfo=UTC))
    assert len(asked(world, DORA)) == 1


# --- While the substitute has the seat ----------------------------------------------------------------------------------------


def test_orders_of_the_player_meanwhile_are_answered_and_do_not_count(world: World) -> None:
    game(world)
    world.send("Cygnus", DAYS)
    agree(world)
    old = world.letter("Cygnus", "add 3")
    go_to(world, FIRST)
    world.reply(to(world, DORA)[-1], "add 1")
    world.arrive(old)
    world.pass_time()
    answer = to(world, CYGNUS)[-1]
    assert "A substitute has Cygnus in galaxy-7 for you, until the end of Sun 29 Nov 2026" in said(answer)
    assert "add 3" in said(answer)
    assert world.sheet("Cygnus") == ["Add 1"]
    world.reply(answer, "CANCEL SUBSTITUTE\n\nadd 2")
    assert world.seat("Cygnus").address == CYGNUS
    assert world.sheet("Cygnus") == ["Add 2"]
    assert "Your time as a substitute is over" in said(to(world, DORA)[-1])


def test_the_player_can_ask_for_what_needs_no_seat_and_machines_are_not_answered(world: World) -> None:
    with_substitute(world)
    mail = to(world, CYGNUS)[-1]
    assert "galaxy-7" in world.reply(mail, "LIST")
    before = len(world.outbox())
    world.reply(mail, "I am on holiday", headers={"Auto-Submitted": "auto-replied"})
    assert len(world.outbox()) == before


def test_without_the_secret_nobody_takes_a_seat_back(world: World) -> None:
    with_substitute(world)
    before = len(world.outbox())
    world.send("Cygnus", "CANCEL SUBSTITUTE", to="games@pbmd.test")
    other = to(world, CYGNUS)[-1]
    world.reply(other, "CANCEL SUBSTITUTE", sender="mallory@players.test")
    assert world.seat("Cygnus").address == DORA
    assert not any("yours again" in mail.key for mail in world.outbox()[before:])


@pytest.mark.parametrize(
    ("trust", "vouched", "comes_back"), [("open", False, True), ("strict", False, False), ("strict", True, True)]
)
def test_what_proves_the_player_is_what_the_terms_ask_for(world: World, trust: str, vouched: bool, comes_back: bool) -> None:
    world.settle(mail={"authserv_id": "mx.pbmd.test"})
    sure = {"Authentication-Results": "mx.pbmd.test; dkim=pass header.d=players.test"}
    world.count(deadline="every Friday 18:00", listed=True, trust=trust)
    stand_by(world, "Dora")
    world.send("Cygnus", DAYS, headers=sure)
    agree(world)
    go_to(world, FIRST)
    assert world.seat("Cygnus").address == DORA
    mail = to(world, CYGNUS)[-1]
    headers = sure if vouched else {}
    if trust == "open":
        world.send("Cygnus", "CANCEL SUBSTITUTE", to="games@pbmd.test", subject="[pbmd galaxy-7 t1] hello", headers=headers)
    else:
        world.reply(mail, "CANCEL SUBSTITUTE", headers=headers)
    assert (world.seat("Cygnus").address == CYGNUS) is comes_back


def test_the_player_gets_copies_of_the_reports_and_no_token(world: World) -> None:
    with_substitute(world)
    before = len(world.outbox())
    go_to(world, datetime(2026, 11, 28, tzinfo=UTC))
    copies = [mail for mail in world.outbox()[before:] if mail.recipient == CYGNUS]
    assert [mail.key.startswith("report") and mail.kind == "notice" for mail in copies if "missed" not in mail.key] == [True]
    token = world.reply_address("Cygnus").partition("+")[2].partition("@")[0].partition(".")[2]
    assert all(token.encode() not in mail.raw for mail in world.outbox()[before:] if mail.recipient != DORA)


def test_what_the_substitute_misses_the_player_is_told_and_each_has_a_record_of_their_own(world: World) -> None:
    with_substitute(world)
    go_to(world, datetime(2026, 11, 28, tzinfo=UTC))
    assert "Your substitute has sent no usable orders for Cygnus" in " ".join(said(mail) for mail in to(world, CYGNUS)[-2:])
    assert "you have met 0 turns here and missed 1" in " ".join(world.reply(to(world, DORA)[-1], "RECORD").split())
    assert "played by a substitute, Mon 23 Nov 2026" in world.master("STATUS")
    world.reply(to(world, CYGNUS)[-1], "CANCEL SUBSTITUTE")
    answer = " ".join(world.send("Cygnus", "RECORD").split())
    assert "No turn of yours is counted here yet" in answer


def test_a_substitute_who_resigns_gives_the_seat_back(world: World) -> None:
    with_substitute(world)
    assert "you are the substitute of this seat yourself" in " ".join(
        world.send("", "CANCEL SUBSTITUTE", to=world.reply_address("Cygnus"), sender=DORA).split()
    )
    assert "RESIGN gives the seat back" in " ".join(
        world.send("", "STATUS", to=world.reply_address("Cygnus"), sender=DORA).split()
    )
    world.send("", "RESIGN", to=world.reply_address("Cygnus"), sender=DORA)
    question = asked(world, DORA)[-1]
    assert "A YES gives the seat back to the player for whom you are the substitute." in said(question)
    world.reply(question, "YES")
    assert world.seat("Cygnus").address == CYGNUS
    assert world.journal("resigned") == []


def test_a_substitute_who_moves_keeps_the_seat_and_it_comes_back(world: World) -> None:
    with_substitute(world)
    new = "dora@new.test"
    world.send("", f"ADDRESS {new}", to=world.reply_address("Cygnus"), sender=DORA)
    world.reply(asked(world, DORA)[-1], "YES")
    world.reply(asked(world, new)[-1], "YES")
    assert world.seat("Cygnus").address == new
    go_to(world, AFTER)
    assert world.seat("Cygnus").address == CYGNUS
    assert "Your time as a substitute is over" in said(to(world, new)[-1])


def test_a_player_who_moves_before_the_first_day_gets_the_seat_back_there(world: World) -> None:
    game(world)
    world.send("Cygnus", DAYS)
    new = "cy@new.test"
    world.send("Cygnus", f"ADDRESS {new}")
    world.reply(asked(world, CYGNUS)[-1], "YES")
    world.reply(asked(world, new)[-1], "YES")
    agree(world)
    go_to(world, FIRST)
    assert world.seat("Cygnus").address == DORA
    go_to(world, AFTER)
    assert world.seat("Cygnus").address == new


# --- Others who have a word in it ---------------------------------------------------------------------------------------------


def test_the_game_master_can_end_it(world: World) -> None:
    with_substitute(world)
    assert "is played by its own player again" in world.master("NO SUBSTITUTE Cygnus because they are well")
    assert world.seat("Cygnus").address == CYGNUS
    assert "they are well" in said(to(world, CYGNUS)[-1])
    assert "has no substitute, and wants none" in world.master("NO SUBSTITUTE Cygnus")
    world.send("Cygnus", "SUBSTITUTE FROM 2026-11-25 TO 2026-11-29")
    assert "wants a substitute, Wed 25 Nov 2026" in world.master("STATUS")
    assert "No substitute is looked for any more" in world.master("NO SUBSTITUTE Cygnus")


@pytest.mark.parametrize("by", ["eject", "replace", "replace by player"])
def test_a_seat_that_the_game_master_gives_away_does_not_come_back(world: World, by: str) -> None:
    with_substitute(world)
    if by == "eject":
        world.sure("EJECT Cygnus")
    else:
        address = EVE if by == "replace" else CYGNUS
        world.sure(f"REPLACE Cygnus BY {address}")
        world.reply(asked(world, address)[-1], "YES")
    lost = any("does not come back to you" in said(mail) for mail in to(world, CYGNUS))
    assert lost is (by != "replace by player")
    assert wish(world).state is SubstitutionState.ENDED
    holder = world.seat("Cygnus").address
    go_to(world, AFTER + timedelta(days=1))
    assert world.seat("Cygnus").address == holder


def test_a_player_who_gives_the_seat_up_wants_no_substitute(world: World) -> None:
    game(world)
    world.send("Cygnus", DAYS)
    agree(world)
    world.resign("Cygnus")
    assert "no substitute is needed any more" in said(to(world, DORA)[-1])
    go_to(world, FIRST + timedelta(hours=1))
    assert world.seat("Cygnus").address == CYGNUS


def test_while_the_game_is_paused_no_seat_changes_hands(world: World) -> None:
    game(world)
    world.send("Cygnus", DAYS)
    agree(world)
    world.act("galaxy-7", pauses.pause)
    go_to(world, FIRST + timedelta(days=1))
    assert world.seat("Cygnus").address == CYGNUS
    world.act("galaxy-7", pauses.resume)
    world.pass_time(timedelta(minutes=1))
    assert world.seat("Cygnus").address == DORA
    world.act("galaxy-7", pauses.pause)
    world.reply(to(world, CYGNUS)[-1], "CANCEL SUBSTITUTE")
    assert world.seat("Cygnus").address == CYGNUS


def test_a_game_that_ends_leaves_the_seat_as_it_is_and_both_have_the_last_report(world: World) -> None:
    game(world, target=1)
    world.send("Altair", "SUBSTITUTE FROM 2026-11-26 TO 2026-11-29")
    world.send("Cygnus", "SUBSTITUTE FROM 2026-11-20 TO 2026-11-29")
    agree(world)
    for seat in ("Altair", "Borealis"):
        world.send(seat, "add 3")
    world.reply(to(world, DORA)[-1], "add 3")
    world.pass_time(timedelta(minutes=1))
    assert world.game().status == "finished"
    assert world.seat("Cygnus").address == DORA
    assert "copy of the report" in said(to(world, CYGNUS)[-1])
    assert {row.state for row in world.rows(Substitution)} == {SubstitutionState.ENDED, SubstitutionState.PLAYING}
    world.reply(to(world, CYGNUS)[-1], "CANCEL SUBSTITUTE")
    assert "galaxy-7 is over. A substitute had Cygnus for you when it ended" in said(to(world, CYGNUS)[-1])


def test_a_game_that_is_taken_back_gives_the_seat_back_all_the_same(world: World) -> None:
    with_substitute(world)
    go_to(world, datetime(2026, 11, 28, tzinfo=UTC))
    world.sure("ROLLBACK TO TURN 1")
    assert world.seat("Cygnus").address == DORA
    go_to(world, AFTER)
    assert world.seat("Cygnus").address == CYGNUS


def test_nobody_has_two_seats_of_a_game(world: World) -> None:
    with_substitute(world)
    world.send("Borealis", f"SUBSTITUTE {CYGNUS} FROM 2026-11-23 TO 2026-11-29")
    world.send("Altair", f"SUBSTITUTE {address_of('Borealis')} FROM 2026-11-23 TO 2026-11-29")
    assert "You have a seat in galaxy-7 already" in agree(world, CYGNUS)
    assert "You have a seat in galaxy-7 already" in agree(world, address_of("Borealis"))
    assert (world.seat("Borealis").address, world.seat("Altair").address) == (address_of("Borealis"), address_of("Altair"))
    world.send("Cygnus", "STANDBY galaxy-7", to="games@pbmd.test")
    world.confirm(CYGNUS)
    assert "nobody stands by" in world.master("OFFER Borealis")


def test_letters_count_for_who_has_the_seat_when_they_arrive_however_late_they_are_read(world: World) -> None:
    game(world, early=False, deadline="every Sunday 18:00", outage_window="0h", promised_share=1)
    world.send("Cygnus", DAYS)
    agree(world)
    own = world.letter("Cygnus", "add 3")
    late = world.letter("Cygnus", "add 1")
    world.arrive(own, FIRST - timedelta(seconds=1))
    world.arrive(late, FIRST)
    world.pass_time(FIRST + timedelta(hours=1) - world.now)
    assert world.seat("Cygnus").address == DORA
    assert world.sheet("Cygnus") == ["Add 3"]
    assert "A substitute has Cygnus in galaxy-7 for you" in said(to(world, CYGNUS)[-1])
    turns = [entry for entry in world.journal() if entry.kind in ("resolved", "holder")]
    assert [entry.kind for entry in turns] == ["resolved", "holder"]


def test_a_seat_that_is_out_of_the_game_meanwhile_comes_back_all_the_same(world: World) -> None:
    relay(world)
    world.send("Cygnus", f"SUBSTITUTE {EVE} FROM 2026-11-20 TO 2026-11-20")
    agree(world, EVE)
    assert world.seat("Cygnus").address == EVE
    world.act("galaxy-7", out_of_the_game, "Cygnus")
    world.pass_time(timedelta(hours=13))
    assert world.seat("Cygnus").address == CYGNUS
    assert [entry.kind for entry in world.journal() if entry.kind in ("holder", "address")] == ["holder", "address"]


def out_of_the_game(work: Transaction, table: OpenGame, seat: str) -> None:
    document = table.ruleset.dump(table.position)
    runners = [{**each, "score": -1} if each["name"] == seat else each for each in document["runners"]]
    work.move(table, table.ruleset.load({**document, "runners": runners}))


def test_a_substitute_who_cannot_have_the_seat_any_more_does_not_get_it(world: World) -> None:
    relay(world)
    world.send("Cygnus", f"SUBSTITUTE {EVE} FROM 2026-11-21 TO 2026-11-22")
    assert "you play Cygnus" in agree(world, EVE)
    world.act("galaxy-7", out_of_the_game, "Cygnus")
    world.pass_time(timedelta(hours=13))
    assert world.seat("Cygnus").address == CYGNUS
    assert "it could not go to the substitute who had agreed" in said(to(world, CYGNUS)[-1])
    assert "no substitute is needed any more" in said(to(world, EVE)[-1])


def test_a_move_of_a_substitute_is_carried_out_like_any_other(world: World) -> None:
    relay(world)
    past_turn_0(world)
    world.send("Altair", f"SUBSTITUTE {EVE} FROM 2026-11-20 TO 2026-11-20")
    agree(world, EVE)
    welcome = next(mail for mail in reversed(to(world, EVE)) if mail.key.endswith("yours"))
    world.reply(welcome, "Add 4")
    assert "copy of the report" in said(to(world, address_of("Altair"))[-1])
    assert world.game().step > 1


def test_nothing_depends_on_how_many_letters_are_read_at_once(world: World, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with closing(World(tmp_path / "other")) as other:
        one, all_at_once = (as_read(each, at_once=each is other) for each in (world, other))
    assert one == all_at_once
    assert [kind for kind, *_ in one] == ["resolved", "holder", "orders", "resolved", "orders", "holder"]
    assert [lines for *_, lines in one if lines] == [["Add 2"], ["Add 4"]]


def as_read(world: World, *, at_once: bool) -> list[tuple[str, str, list[str]]]:
    """What the journal has of hands and orders when letters of the substitute's time and of afterwards were read one by one, or
    all on the last day; each shows the token that its writer has then."""
    with_substitute(world, early=False, deadline="every Saturday 18:00", promised_share=1, outage_window="0h")
    id_ = world.game().id or 0
    for at, address, generation, text in (
        (FIRST + timedelta(hours=1), DORA, 2, "Add 2"),
        (FIRST + timedelta(hours=2), CYGNUS, 1, "Add 3"),
        (AFTER - timedelta(seconds=1), DORA, 2, "Add 4"),
        (AFTER, DORA, 2, "Add 5"),
    ):
        tag = Tag(id_, 3, make_token(world.desk.key, id_, 3, generation))
        raw = world.letter("Cygnus", text, sender=address, to=plus_address(ADDRESS, tag))
        if not at_once:
            go_to(world, at)
        world.arrive(raw, at)
    go_to(world, AFTER + timedelta(hours=2))
    of = [entry for entry in world.journal() if entry.kind in ("holder", "orders", "resolved")]
    lines = [[text for _, text in json.loads(entry.secret).get("lines", [])] for entry in of]
    return [(entry.kind, json.loads(entry.public).get("seat", ""), each) for entry, each in zip(of, lines, strict=True)]


@pytest.mark.parametrize(
    ("line", "days"),
    [
        ("substitute from 23 november to 29 november", "Mon 23 Nov 2026 to Sun 29 Nov 2026"),
        ("SUBSTITUTE 2026-11-23 - 2026-11-29", "Mon 23 Nov 2026 to Sun 29 Nov 2026"),
        ("SUBSTITUTE FROM tomorrow TO Friday", "Sat 21 Nov 2026 to Fri 27 Nov 2026"),
        ("SUBSTITUTE UNTIL Nov 25th", "Fri 20 Nov 2026 to Wed 25 Nov 2026"),
        ("SUBSTITUTE FOR 14 days", "Fri 20 Nov 2026 to Thu 3 Dec 2026"),
        ("SUBSTITUTE two weeks", "Fri 20 Nov 2026 to Thu 3 Dec 2026"),
        ("SUBSTITUTE FROM 24 December 2026 FOR a week", "Thu 24 Dec 2026 to Wed 30 Dec 2026"),
    ],
)
def test_days_are_understood_as_people_write_them(world, line, days):
    world.count()
    assert f"You want a substitute {days}." in " ".join(world.send("Cygnus", line).split())
    assert f"You are away {days}." in " ".join(world.send("Cygnus", line.lower().replace("substitute", "absent")).split())


@pytest.mark.parametrize(
    "line",
    [
        f"SUBSTITUTE FROM 2026-11-23 TO 2026-11-29 {EVE}",
        f"SUBSTITUTE FROM 2026-11-23 TO 2026-11-29, by <{EVE}>",
        f"substitute 2026-11-23 for 7 days with {EVE}",
        f"SUBSTITUTE BY {EVE} 2026-11-23 for 7 days",
    ],
)
def test_whom_to_ask_may_stand_before_the_days_or_behind_them(world: World, line: str) -> None:
    game(world)
    answer = " ".join(world.send("Cygnus", line).split())
    assert f"You want a substitute Mon 23 Nov 2026 to Sun 29 Nov 2026. We ask {EVE}, once." in answer
    assert asked(world, EVE)
    assert not asked(world, DORA)


def test_nobody_is_asked_if_two_are_named(world: World) -> None:
    game(world)
    answer = " ".join(world.send("Cygnus", f"SUBSTITUTE {EVE} FROM 2026-11-23 TO 2026-11-29 {DORA}").split())
    assert "SUBSTITUTE: only one address can be asked" in answer
    assert not world.rows(Substitution)


@pytest.mark.parametrize(
    "line",
    [
        "SUBSTITUTE FROM 2026-12-01 TO 2026-12-14 by Ann Lee <ann@x.test>",
        'SUBSTITUTE 1 Dec to 14 Dec by "Lee, Ann" <ann@x.test>',
        "SUBSTITUTE 1 to 14 December: ann@x.test",
        "Substitute from 1 December to 14 December, Ann <ann@x.test>",
        "SUBSTITUTE Ann Lee <ann@x.test> FROM 2026-12-01 TO 2026-12-14",
    ],
)
def test_who_is_named_may_stand_behind_the_days_with_a_name(world: World, line: str) -> None:
    world.count()
    answer = " ".join(world.send("Altair", line).split())
    assert "Tue 1 Dec 2026 to Mon 14 Dec 2026. We ask ann@x.test, once." in answer
    assert [mail for mail in world.mails() if mail.recipient == "ann@x.test"]


def test_of_a_yes_from_another_address_only_who_was_asked_is_told_once(world: World) -> None:
    world.count()
    world.send("Altair", "SUBSTITUTE FROM 2026-12-01 TO 2026-12-14 by ann@x.test")
    (question,) = [mail for mail in world.mails() if mail.recipient == "ann@x.test"]
    world.reply(question, "YES", sender="ann@home.test", headers={"Auto-Submitted": "auto-replied"})
    assert len([mail for mail in world.mails() if mail.recipient == "ann@x.test"]) == 1
    for text in ("YES", "YES!", "NO"):
        world.reply(question, text, sender="ann@home.test")
    assert not [mail for mail in world.mails() if mail.recipient == "ann@home.test"]
    _, told = [mail for mail in world.mails() if mail.recipient == "ann@x.test"]
    assert "It does not count, and nothing was done." in " ".join(body_of(told).split())
    assert "you play Altair" in " ".join(world.reply(told, "YES").split())


def test_whoever_writes_from_elsewhere_does_not_learn_whether_the_code_is_right(world: World) -> None:
    world.count()
    world.settle(mail={"hint_strangers": True})
    world.send("Altair", "SUBSTITUTE FROM 2026-12-01 TO 2026-12-14 by ann@x.test")
    (question,) = [mail for mail in world.mails() if mail.recipient == "ann@x.test"]
    answered = str(message_of(question)["Reply-To"])
    code = answered.partition("+")[2].partition("@")[0]
    for sender, to in (("one@x.test", answered), ("two@x.test", answered.replace(code, f"{code[:-4]}aaaa"))):
        world.send("", "YES", sender=sender, to=to, subject="Re: your mail")
    one, two = ([mail for mail in world.mails() if mail.recipient == f"{who}@x.test"] for who in ("one", "two"))
    assert [mail.kind for mail in one] == [mail.kind for mail in two] == ["hint"]
    assert body_of(one[0]) == body_of(two[0])
