"""The GM's acts: games are made, started, extended, paused, resumed and resolved; what is not allowed says why."""

from dataclasses import replace
from datetime import timedelta

import pytest

from pbmd.desk.changes import deadline_changes, new_game, pauses
from pbmd.desk.changes.seats import Holder
from pbmd.desk.questions.seat_offers import offer
from pbmd.ledger.journal import Link, verify
from pbmd.ledger.tables import Game, GameStatus, Report
from pbmd.rules.dice import commitment
from pbmd.rules.options import OptionError
from pbmd.rules.protocol import Refused, Signup, Status
from pbmd.rules.registry import UnknownRuleset
from pbmd.terms.terms import Terms
from tests.desk.due.test_advance import BEGIN, DAY, DEADLINE, HOUR, SECOND, at
from tests.desk.world import NAMES, address_of, body_of, message_of, proof_of


def create(world, name="galaxy-7", ruleset="count", options=None, **terms):
    with world.work() as work:
        new_game.create_game(work, name, ruleset, Terms(**({"second_thought": "0m"} | terms)), options or {})


def seat(world, name, timezone="UTC", address=None):
    return world.act("galaxy-7", new_game.add_seat, Signup(name), new_game.Newcomer(address or address_of(name), "", timezone))


class TestCreate:
    """A new game takes sign-ups."""

    def test_it_waits_for_players(self, world):
        create(world)
        game = world.game()
        assert (game.status, game.deadline, game.due_at) == (GameStatus.SIGNUP, None, None)
        assert world.outbox() == []

    @pytest.mark.parametrize("name", ["", "Galaxy", "galaxy 7", "-galaxy", "galaxy_7", "g" * 32, "galaxy\n", "../x", "[x]"])
    def test_a_name_that_would_not_fit_into_a_subject_or_a_path_is_refused(self, world, name):
        with pytest.raises(Refused, match="is no name for a game"):
            create(world, name)
        assert world.rows(Game) == []

    def test_a_name_is_given_once(self, world):
        create(world)
        with pytest.raises(Refused, match='already a game "galaxy-7"'):
            create(world)

    def test_an_unknown_ruleset_or_option_is_refused(self, world):
        with pytest.raises(UnknownRuleset):
            create(world, ruleset="tiddlywinks")
        with pytest.raises(OptionError):
            create(world, options={"colour": "red"})
        with pytest.raises(OptionError):
            create(world, options={"target": 0})

    @pytest.mark.parametrize("seats", [1, 5])
    def test_a_number_of_seats_that_the_rules_do_not_allow_is_refused(self, world, seats):
        with pytest.raises(Refused, match="2 to 4 players"):
            create(world, seats=seats)


class TestSeats:
    """Seats are given while sign-up is open."""

    def test_a_seat_has_its_number_and_address(self, world):
        create(world)
        seat(world, "Altair", address="Al@Players.TEST")
        assert (world.seat("Altair").number, world.seat("Altair").address) == (1, "al@players.test")

    def test_the_rules_may_refuse_a_name(self, world):
        create(world)
        seat(world, "Altair")
        (verdict,) = seat(world, "Altair")
        assert (verdict.status, verdict.message) == (Status.ERROR, "the name is taken")
        assert len(world.journal("joined")) == 1

    def test_a_full_game_takes_nobody(self, world):
        create(world)
        for name in "ABCD":
            seat(world, name)
        with pytest.raises(Refused, match="galaxy-7 is full"):
            seat(world, "E")

    def test_a_running_game_takes_nobody(self, running):
        with pytest.raises(Refused, match="sign-up for galaxy-7 is over"):
            seat(running, "Deneb")

    def test_an_unknown_time_zone_is_refused(self, world):
        create(world)
        with pytest.raises(Refused, match="no time zone"):
            seat(world, "Altair", timezone="Mars/Olympus")

    def test_the_address_is_not_in_the_public_journal(self, world):
        create(world)
        seat(world, "Altair")
        (entry,) = world.journal("joined")
        assert "players.test" not in entry.public
        assert "Altair" in entry.public


class TestStart:
    """The first position, and a report to everybody."""

    def test_everybody_gets_a_report_with_the_deadline_and_a_form(self, running):
        assert [mail.recipient for mail in running.outbox("report")] == [address_of(name) for name in NAMES]
        told = body_of(running.outbox("report", "Altair")[0])
        assert "galaxy-7 begins, and you are Altair." in told
        assert "Mon 23 Nov 2026 12:00 UTC" in told
        assert "ORDER FORM" in told

    def test_the_first_deadline_is_by_the_rule(self, world):
        world.count(deadline="every Sunday 20:00 Europe/Berlin")
        assert world.game().deadline == BEGIN + 9 * DAY + 7 * HOUR, "two days would be less than the week that it promises"

    def test_the_dice_of_the_first_turn_are_committed_to_and_stay_secret(self, running):
        told = proof_of(running.outbox("report", "Altair")[0])
        assert commitment(running.game().secret) in told
        assert running.game().secret.hex() not in told + running.journal("started")[0].public
        assert commitment(running.game().secret) in running.journal("started")[0].public

    def test_too_few_players_are_refused(self, world):
        create(world)
        seat(world, "Altair")
        with pytest.raises(Refused, match="needs at least 2 players, galaxy-7 has 1"):
            world.act("galaxy-7", new_game.start_game)
        assert world.game().status is GameStatus.SIGNUP

    def test_a_ruleset_that_seats_others_than_have_signed_up_is_refused(self, world):
        world.open("galaxy-7", "Borealis", "Altair")

        def start(work, table):
            rules = work.desk.ruleset(table.game.ruleset)
            table.ruleset = replace(rules, seats=lambda position: tuple(sorted(rules.seats(position))))
            new_game.start_game(work, table)

        with pytest.raises(Refused, match="begins with the seats Altair, Borealis, and Borealis, Altair have signed up"):
            world.act("galaxy-7", start)
        assert world.game().status is GameStatus.SIGNUP

    def test_a_game_begins_once(self, running):
        with pytest.raises(Refused, match="already begun"):
            running.act("galaxy-7", new_game.start_game)


class TestExtend:
    """A deadline moves, and all whom it concerns are told."""

    def test_the_deadline_moves_for_everybody(self, running):
        running.act("galaxy-7", deadline_changes.extend, DAY, "the game master", "holidays")
        assert running.game().deadline == DEADLINE + DAY
        assert running.game().due_at == DEADLINE + DAY
        assert [mail.recipient for mail in running.outbox("notice")] == [address_of(name) for name in NAMES]
        told = body_of(running.outbox("notice")[0])
        assert "1 day later" in told
        assert "The game master gave 1 day more.\n\nThe game master gives this reason:\n| holidays\n" in told
        assert "Tue 24 Nov 2026 12:00 UTC" in told

    def test_orders_then_count_until_the_new_deadline(self, running):
        running.act("galaxy-7", deadline_changes.extend, DAY, "the game master")
        running.now = DEADLINE + HOUR
        assert "are in" in running.send("Altair", "Add 1")

    def test_one_seats_deadline_moves_alone_and_all_are_told(self, running):
        with running.work() as work:
            table = work.table_named("galaxy-7")
            deadline_changes.extend(work, table, DAY, "the game master", seat=table.seat("Borealis"))
        assert running.game().deadline == DEADLINE
        own, *others = sorted(running.outbox("notice"), key=lambda mail: mail.recipient != address_of("Borealis"))
        assert (own.recipient, "the deadline is 1 day later" in body_of(own)) == (address_of("Borealis"), True)
        assert {mail.recipient for mail in others} == {address_of(name) for name in NAMES if name != "Borealis"}
        assert all("Borealis has 1 day more." in body_of(mail) for mail in others)
        running.now = DEADLINE + HOUR
        assert "1 h too late" in running.send("Altair", "Add 1", read=True)
        assert "are in" in running.send("Borealis", "Add 1")

    def test_it_is_in_log_and_journal(self, running):
        running.act("galaxy-7", deadline_changes.extend, DAY, "the game master", "holidays")
        assert "1 day more, by the game master" in running.log("extended")[0].detail
        assert '"minutes":1440' in running.journal("extended")[0].public

    def test_two_extensions_are_two_notices(self, running):
        for _ in range(2):
            running.act("galaxy-7", deadline_changes.extend, DAY, "the game master")
        assert running.game().deadline == DEADLINE + 2 * DAY
        assert len(running.outbox("notice")) == 6


class TestPause:
    """The clock stands, and goes on where it stood."""

    def test_no_deadline_passes_while_it_stands(self, running):
        running.act("galaxy-7", pauses.pause, "server move")
        assert at(running, DEADLINE + 9 * DAY) == 0
        assert running.log("nmr") == []
        assert "server move" in body_of(running.outbox("notice")[0])

    def test_deadlines_move_by_the_time_it_stood(self, running):
        with running.work() as work:
            table = work.table_named("galaxy-7")
            deadline_changes.extend(work, table, DAY, "the game master", seat=table.seat("Borealis"))
        running.act("galaxy-7", pauses.pause)
        running.now += 5 * DAY
        running.act("galaxy-7", pauses.resume)
        assert running.game().deadline == DEADLINE + 5 * DAY
        assert running.seat("Borealis").deadline == DEADLINE + 6 * DAY
        assert at(running, DEADLINE + 5 * DAY) == 0
        assert at(running, DEADLINE + 6 * DAY + SECOND) == 1

    def test_orders_taken_meanwhile_count(self, running):
        running.act("galaxy-7", pauses.pause)
        for name in NAMES:
            running.send(name, "Add 1")
        assert at(running, BEGIN + DAY) == 0
        running.act("galaxy-7", pauses.resume)
        assert at(running, BEGIN + DAY + SECOND) == 1

    def test_pausing_and_resuming_are_each_told_to_all(self, running):
        running.act("galaxy-7", pauses.pause)
        running.act("galaxy-7", pauses.resume)
        subjects = [message_of(mail)["Subject"] for mail in running.outbox("notice", "Altair")]
        goes_on = "[pbmd galaxy-7 t1] the game has resumed, due Mon 23 Nov 12:00 UTC"
        assert subjects == ["[pbmd galaxy-7 t1] the game is paused", goes_on]


class TestRoom:
    """A game whose options leave no room for its seats could never begin."""

    def test_more_seats_than_an_option_allows_are_refused(self, world):
        with pytest.raises(Refused, match=r"cannot have 4 players: .* is for 3 factions and full"):
            create(world, ruleset="galactic_overlord", options={"max_players": 3}, seats=4)

    @pytest.mark.parametrize("seats", [0, 3, 12])
    def test_as_many_as_it_allows_are_not(self, world, seats):
        create(world, ruleset="galactic_overlord", options={"max_players": 3 if seats == 3 else 0}, seats=seats)
        assert world.game().status is GameStatus.SIGNUP


@pytest.mark.parametrize("address", ["j\u00e4n@players.test", "no address", "a@b@c", "a b@players.test", ""])
def test_an_address_that_no_mail_can_be_sent_to_gets_no_seat(world, address):
    create(world)
    with pytest.raises(Refused, match="no mail can be sent to"):
        world.act("galaxy-7", new_game.add_seat, Signup("Altair"), new_game.Newcomer(address, ""))


def test_no_game_begins_with_an_address_that_no_mail_can_be_sent_to(world):
    world.open("galaxy-7", "Altair", "Borealis")
    with world.changed("Altair") as row:
        row.address = "j\u00e4n@players.test"
    with pytest.raises(Refused, match="no mail can be sent to"):
        world.act("galaxy-7", new_game.start_game)


@pytest.mark.parametrize("reason", ["x" * 70 + " #orders g1p2.aaaaaaaaaaaaaaaa", "#orders"])
def test_a_players_reason_stays_behind_its_mark(running, reason):
    running.send("Altair", f"EXTEND 1h because {reason}")
    said = body_of(running.outbox("notice", "Borealis")[0]).partition("Altair gives this reason:\n")[2].partition("\n\n")[0]
    assert said.startswith("| ")
    assert all(line.startswith("| ") and len(line) <= 72 for line in said.splitlines())


class TestResolveNow:
    """The GM may resolve a step without waiting."""

    def test_whoever_is_still_awaited_has_missed_it(self, running):
        running.send("Altair", "Add 5")
        running.act("galaxy-7", deadline_changes.resolve_now)
        assert running.game().turn == 2
        assert [line.seat for line in running.log("nmr")] == ["Borealis", "Cygnus"]
        assert all("before the game master resolved the turn" in line.detail for line in running.log("nmr"))
        assert "the game master decided so" in running.log("resolved")[0].detail
        assert running.position()["players"][0]["score"] == 5

    def test_letters_that_are_in_the_ledger_are_dealt_with_first(self, running):
        running.arrive(running.letter("Altair", "Add 5"))
        with pytest.raises(Refused, match="letters are being dealt with; try again in a moment"):
            running.act("galaxy-7", deadline_changes.resolve_now)
        assert running.log("nmr") == []
        running.pass_time()
        running.act("galaxy-7", deadline_changes.resolve_now)
        assert [line.seat for line in running.log("nmr")] == ["Borealis", "Cygnus"]

    def test_the_next_step_has_its_full_time(self, running):
        running.now += DAY
        running.act("galaxy-7", deadline_changes.resolve_now)
        assert running.game().deadline == BEGIN + 4 * DAY


@pytest.mark.parametrize(
    "act", [pauses.pause, deadline_changes.resolve_now, lambda work, table: deadline_changes.extend(work, table, HOUR, "GM")]
)
@pytest.mark.parametrize(("state", "why"), [("signup", "has not begun"), ("paused", "is paused"), ("finished", "is over")])
def test_a_game_that_does_not_run_refuses_what_only_a_running_one_can(world, act, state, why):
    if state == "signup":
        create(world)
    else:
        world.count(target=1)
        world.act("galaxy-7", pauses.pause) if state == "paused" else world.send("Altair", "Add 1")
        at(world, DEADLINE + SECOND)
    before = world.game().model_dump()
    with pytest.raises(Refused, match=why):
        world.act("galaxy-7", act)
    assert world.game().model_dump() == before


@pytest.mark.parametrize("state", ["signup", "running"])
def test_only_what_is_paused_can_be_resumed(world, state):
    create(world) if state == "signup" else world.count()
    with pytest.raises(Refused, match="is not paused"):
        world.act("galaxy-7", pauses.resume)


def test_what_is_refused_leaves_no_trace(running):
    before = (len(running.journal()), len(running.outbox()), len(running.log()), len(running.rows(Report)))
    with pytest.raises(Refused):
        running.act("galaxy-7", pauses.resume)
    assert (len(running.journal()), len(running.outbox()), len(running.log()), len(running.rows(Report))) == before


def test_the_journal_of_a_whole_life_holds(world):
    world.count(target=9)
    world.send("Altair", "Add 3\nWAIT\nPRESS TO ALL\nhello\nEND PRESS")
    world.send("Borealis", "nonsense\nEXTEND 2h because of rain")
    world.act("galaxy-7", pauses.pause)
    world.now += HOUR
    world.act("galaxy-7", pauses.resume)
    world.send("Cygnus", "Add 1\nCANCEL ORDERS")
    world.resign("Cygnus")
    world.send("Borealis", "NEW TOKEN\nADDRESS bo@elsewhere.test")
    for address in (address_of("Borealis"), "bo@elsewhere.test"):
        world.reply(world.questions(address)[-1], "YES")
    world.act("galaxy-7", offer, "Cygnus", "dora@players.test", Holder("Dora", "UTC"))
    world.reply(world.questions("dora@players.test")[-1], "YES")
    world.pass_time(timedelta(days=5))
    world.send("Altair", "Add 9")
    world.pass_time(timedelta(days=5))
    fields = ("number", "at", "kind", "public", "secret", "salt", "hash")
    links = [Link(**{name: getattr(entry, name) for name in fields}) for entry in world.journal()]
    assert verify(links) == world.game().chain_head
    assert len(links) == world.game().chain_number
    assert {link.kind for link in links} == {
        "created", "joined", "started", "orders", "wait", "press", "extended", "paused", "resumed", "cancelled", "resigned",
        "missed", "resolved", "finished", "token", "address", "holder",
    }  # fmt: skip


def test_a_transaction_that_fails_leaves_nothing(running):
    def fails(work, table):
        deadline_changes.extend(work, table, DAY, "the game master")
        work.write()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        running.act("galaxy-7", fails)
    assert running.game().deadline == DEADLINE
    assert running.journal("extended") == []
    assert running.outbox("notice") == []


def test_players_are_told_the_options_that_are_not_as_in_the_handbook(world):
    world.start(options={"turn_limit": 40, "undefended": "one", "shield_hits": 12})
    said = "turn_limit = 40, undefended = one"
    (report, *_) = world.outbox("report", "Altair")
    assert f"House rules: {said}." in " ".join(body_of(report).split())
    assert f"Options   {said}" in world.send("Altair", "STATUS")


def test_of_options_as_in_the_handbook_nothing_is_said(world):
    world.start()
    assert "Options" not in body_of(world.outbox("report", "Altair")[0])
    assert "Options" not in world.send("Altair", "STATUS")
