"""A game whose position or ruleset cannot be used hides no other, and what is wrong with it is said without its secrets."""

import json
import logging
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import col, update

from pbmd.desk.books.desk import Positions
from pbmd.desk.changes import pauses
from pbmd.desk.due.outages import end_outage, note_unreadable
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import Game, GameStatus, LetterState, Request, SeatState, SubmissionState
from pbmd.rules.protocol import Resolution, Ruling
from pbmd.rules.troubles import BrokenGame
from tests.desk.relay import GAME, past_turn_0, relay
from tests.desk.world import ADDRESS, BEGIN, NAMES, address_of, body_of, message_of
from tests.rules import count

DAY = timedelta(days=1)
SECRET = "xyzzy"
PLACE = "PositionError in pbmd_ruleset_count._load, line "
AT = "at players[0].score"


def break_position(world, name):
    """The position of a game is one that its ruleset cannot read; no other process has it in mind."""
    document = world.position(name)
    document["players"][0]["score"] = SECRET
    with world.work() as work:
        work.session.exec(update(Game).where(col(Game.name) == name).values(position=json.dumps(document), digests="{}"))
    world.desk = replace(world.desk, positions=Positions())


def take_ruleset_away(world, name):
    """The ruleset of a game is not installed any more."""
    with world.work() as work:
        work.session.exec(update(Game).where(col(Game.name) == name).values(ruleset="gone"))


@pytest.fixture(params=[break_position, take_ruleset_away], ids=["position", "ruleset"])
def shelf(world, request):
    """A desk with a game that cannot go on, "broken", and one that can, "galaxy-7"; the same people play in both."""
    world.count("broken")
    world.count()
    request.param(world, "broken")
    world.said = {break_position: AT, take_ruleset_away: 'there is no ruleset "gone"'}[request.param]
    return world


@pytest.fixture
def unreadable(world):
    """A desk with a game whose position cannot be read, "broken", some turns on."""
    world.count("broken")
    for _ in range(2):
        assert world.pass_time(3 * DAY + timedelta(minutes=1)) == 1
    break_position(world, "broken")
    return world


def words_of(world):
    """Everything that the desk has said, and the log."""
    return "\n".join([*(body_of(mail) for mail in world.outbox()), *(line.detail for line in world.log())])


class TestTheClock:
    def test_the_game_is_paused_and_the_others_are_resolved(self, shelf):
        shelf.now = BEGIN + 3 * DAY
        assert shelf.pass_time(timedelta(minutes=1)) == 1
        assert (shelf.game("broken").status, shelf.game().status) == (GameStatus.PAUSED, GameStatus.RUNNING)
        assert shelf.game().turn == 2

    def test_log_and_game_master_are_told_where_it_is_wrong_and_nothing_of_what_stands_there(self, shelf, caplog):
        with caplog.at_level(logging.INFO):
            shelf.pass_time(3 * DAY + timedelta(minutes=1))
        [line] = shelf.log("defect")
        assert (line.game, shelf.said in line.detail) == ("broken", True)
        [alarm] = shelf.outbox("alarm")
        assert shelf.said in " ".join(body_of(alarm).split())
        assert shelf.said in caplog.text
        assert "broken cannot go on" in caplog.text
        assert SECRET not in words_of(shelf) + caplog.text

    def test_the_place_is_that_in_the_ruleset_and_not_one_in_pbmd(self, unreadable):
        unreadable.pass_time(4 * DAY)
        [line] = unreadable.log("defect")
        assert PLACE in line.detail
        assert line.detail.endswith(AT)

    def test_after_an_outage_the_others_get_their_time_back(self, shelf):
        deadline = shelf.game().deadline
        shelf.now = deadline - timedelta(hours=3)
        note_unreadable(shelf.desk)
        shelf.now = deadline - timedelta(hours=1)
        end_outage(shelf.desk, shelf.now)
        assert shelf.game().deadline > deadline
        assert shelf.game("broken").status is GameStatus.PAUSED


class TestLetters:
    def test_a_letter_for_another_game_of_the_same_player_is_dealt_with(self, shelf):
        answer = shelf.send("Altair", "Add 3")
        assert "are in" in answer
        assert shelf.game().status is GameStatus.RUNNING

    def test_a_letter_that_only_looks_at_the_broken_game_is_not_held_up_by_it(self, world):
        world.count("broken", trust="open")
        world.count(trust="open")
        break_position(world, "broken")
        # The address alone is proof, and it holds a seat in both.
        world.send("Altair", "Add 3", to=ADDRESS, subject="Re: [pbmd galaxy-7 t1] orders")
        world.send("Borealis", "Add 3", to=ADDRESS)
        assert [letter.state for letter in world.letters()] == [LetterState.DONE, LetterState.HELD]
        [question] = world.questions()
        assert "broken: Borealis" in body_of(question)
        assert world.game().status is GameStatus.RUNNING
        assert world.game("broken").status is GameStatus.PAUSED

    def test_a_letter_for_the_broken_game_is_kept_for_its_seat(self, shelf):
        shelf.send("Altair", "Add 3", game="broken")
        [letter] = shelf.letters()
        assert (letter.state, letter.game_id) == (LetterState.QUARANTINED, shelf.game("broken").id)
        assert letter.seat_id is not None
        assert shelf.game("broken").status is GameStatus.PAUSED
        [notice] = shelf.outbox("notice")
        assert notice.recipient == address_of("Altair")

    def test_letters_of_one_batch_do_not_wait_for_it(self, shelf):
        for game in ("broken", "galaxy-7"):
            shelf.arrive(shelf.letter("Altair", "Add 3", game=game))
        process_letters(shelf.desk)
        assert [letter.state for letter in shelf.letters()] == [LetterState.QUARANTINED, LetterState.DONE]

    def test_a_letter_that_waits_to_be_asked_about_is_kept_with_its_seat(self, running):
        running.settle(limits={"confirmations_per_day": 0})
        running.send("Altair", "Add 3", to=ADDRESS)
        assert [letter.state for letter in running.letters()] == [LetterState.HELD]
        running.settle(limits={"confirmations_per_day": 5})
        break_position(running, "galaxy-7")
        running.arrive(running.letter("", "LIST", sender="somebody@players.test", to=ADDRESS))
        process_letters(running.desk)
        letter = running.letters()[0]
        assert (letter.state, letter.seat_id) == (LetterState.QUARANTINED, running.seat("Altair").id)
        [alarm] = running.outbox("alarm")
        assert "letter 1 in galaxy-7: the ruleset count cannot read" in " ".join(body_of(alarm).split())

    def test_the_list_of_games_has_the_others(self, world):
        world.open("newcomers", "Vega", seats=4)
        world.open("lost", "Vega", seats=4)
        take_ruleset_away(world, "lost")
        answer = world.send("", "LIST", sender="somebody@players.test", to=ADDRESS)
        assert "JOIN newcomers AS" in answer
        assert "lost: this game cannot be shown just now" in answer


class TestTheGameMaster:
    def test_status_by_mail_says_what_is_wrong_and_all_else(self, shelf):
        answer = shelf.master("STATUS", "broken").replace(" | ", " ")
        assert "broken (" in answer
        assert "Altair Borealis Cygnus" in answer
        assert f"the game cannot go on: {'the ruleset count' if AT in shelf.said else shelf.said}" in answer
        assert shelf.said in answer
        assert SECRET not in answer

    def test_what_needs_the_position_is_refused_and_changes_nothing(self, shelf):
        shelf.pass_time(3 * DAY + timedelta(minutes=1))
        before = shelf.game("broken").chain_number
        for command in ("RESUME", "EXTEND 24h", "RESOLVE", "PEEK Altair"):
            answer = shelf.master(command, "broken")
            assert "broken cannot go on: " in answer
            assert shelf.said in answer
        assert (shelf.game("broken").status, shelf.game("broken").chain_number) == (GameStatus.PAUSED, before)

    def test_resume_is_refused_before_anything_is_changed(self, shelf):
        shelf.pass_time(3 * DAY + timedelta(minutes=1))
        with pytest.raises(BrokenGame, match=r"broken: "):
            shelf.act("broken", pauses.resume)
        assert shelf.game("broken").status is GameStatus.PAUSED

    def test_players_can_be_told(self, shelf):
        shelf.pass_time(3 * DAY + timedelta(minutes=1))
        assert "went to 3 players" in shelf.master("ANNOUNCE\nWe mend it.\nEND ANNOUNCE", "broken")

    def test_the_game_can_be_ended(self, shelf):
        shelf.pass_time(3 * DAY + timedelta(minutes=1))
        shelf.master("ABANDON", "broken")
        shelf.reply(shelf.questions("gm@pbmd.test")[-1], "YES")
        assert shelf.game("broken").status is GameStatus.FINISHED

    def test_going_back_to_a_turn_that_can_be_read_mends_it(self, unreadable):
        unreadable.pass_time(4 * DAY)
        unreadable.master("ROLLBACK TO TURN 2", "broken")
        unreadable.reply(unreadable.questions("gm@pbmd.test")[-1], "YES")
        assert unreadable.game("broken").turn == 2
        assert "goes on" in unreadable.master("RESUME", "broken")
        assert "are in" in unreadable.send("Altair", "Add 3", game="broken")


def refusing(load):
    """A `load` that refuses every position with a sheet of Altair's, as an author may get it wrong."""

    def refuse(document):
        position = load(document)
        for place, sheet in enumerate(position.sheets):
            if sheet.seat == "Altair":
                raise count.PositionError(f"sheets[{place}].lines[0]", SECRET)
        return position

    return refuse


def forgetting(load):
    """A `load` that leaves out the sheets of Altair."""

    def forget(document):
        position = load(document)
        return replace(position, sheets=tuple(sheet for sheet in position.sheets if sheet.seat != "Altair"))

    return forget


class TestReadBack:
    """A position that a letter brought about is read back before the letter is acknowledged."""

    @pytest.fixture(params=[refusing, forgetting])
    def wrong(self, running, request, monkeypatch):
        rules = running.desk.ruleset("count")
        wrong = replace(rules, load=request.param(rules.load))
        monkeypatch.setattr(type(running.desk), "ruleset", lambda *_: wrong)
        return running

    def test_the_letter_is_kept_and_nothing_is_acknowledged(self, wrong):
        before = wrong.game().position
        assert wrong.send("Altair", "Add 3") == ""
        [letter] = wrong.letters()
        assert letter.state is LetterState.QUARANTINED
        assert wrong.game().position == before
        assert wrong.submissions() == []
        assert wrong.journal("orders") == []
        assert wrong.game().status is GameStatus.PAUSED
        [notice] = wrong.outbox("notice", "Altair")
        assert "your mail waits" in message_of(notice)["Subject"]

    def test_the_game_master_is_told_the_place_in_the_document(self, wrong):
        wrong.send("Altair", "Add 3")
        [alarm] = wrong.outbox("alarm")
        assert "the ruleset count" in " ".join(body_of(alarm).split())
        assert "at sheets[0]" in " ".join(body_of(alarm).split())
        assert SECRET not in words_of(wrong)

    def test_of_a_batch_only_that_letter_is_put_aside(self, wrong):
        for seat in NAMES:
            wrong.arrive(wrong.letter(seat, "Add 3"))
        process_letters(wrong.desk)
        states = [letter.state for letter in wrong.letters()]
        assert states == [LetterState.QUARANTINED, LetterState.DONE, LetterState.DONE]
        assert {mail.recipient for mail in wrong.outbox("acknowledgement")} == {address_of("Borealis"), address_of("Cygnus")}
        assert [submission.state for submission in wrong.submissions()] == [SubmissionState.FILED] * 2

    def test_once_it_is_mended_the_letter_counts_as_of_its_arrival(self, wrong, monkeypatch):
        wrong.send("Altair", "Add 3")
        monkeypatch.undo()
        wrong.now += DAY
        wrong.act("galaxy-7", pauses.resume)
        process_letters(wrong.desk)
        assert wrong.sheet("Altair") == ["Add 3"]
        assert wrong.submissions()[0].arrived_at == BEGIN

    def test_a_resolution_after_which_the_game_could_not_go_on_is_not_told(self, running, monkeypatch):
        rules = running.desk.ruleset("count")

        def refuse(document):
            if document["turn"] == 2:
                raise count.PositionError("turn", SECRET)
            return rules.load(document)

        monkeypatch.setattr(type(running.desk), "ruleset", lambda *_: replace(rules, load=refuse))
        reports = len(running.outbox("report"))
        assert running.pass_time(3 * DAY + timedelta(minutes=1)) == 0
        assert (running.game().status, running.game().turn) == (GameStatus.PAUSED, 1)
        assert len(running.outbox("report")) == reports
        assert "at turn" in running.log("defect")[0].detail


MARK = "quuxly"
"""Stands among those who have missed the step, and no `load` takes it."""


def marked(function, *, of_resolution):
    """A function of the rules after which nobody can read the position."""

    def mark(position, *given):
        found = function(position, *given)
        after = found.position if of_resolution else found
        after = replace(after, missed=(*after.missed, MARK))
        return replace(found, position=after) if of_resolution else after

    return mark


def but_marked(load):
    """A `load` that refuses those."""

    def refuse(document):
        if MARK in document["missed"]:
            raise count.PositionError(f"missed[{document['missed'].index(MARK)}]", SECRET)
        return load(document)

    return refuse


GIVE_RESOLUTIONS = ("receive", "miss", "resolve", "resign")
OTHERS = {
    "resign": lambda position, seat: Resolution(position),
    "take_over": lambda position, seat, holder: position,
    "rule": lambda position, key: position,
    "rulings": lambda position: (Ruling("draw", "May the game be a draw?"),),
}
"""What Count does not have."""


class TestReadBackAfter:
    """Whatever brings about a position: it is read back before anybody is told of it."""

    @pytest.fixture
    def desk(self, running, monkeypatch):
        """To make one of the functions wrong."""
        rules = replace(running.desk.ruleset("count"), **OTHERS)

        def make_wrong(name):
            function = marked(getattr(rules, name), of_resolution=name in GIVE_RESOLUTIONS)
            wrong = replace(rules, load=but_marked(rules.load), **{name: function})
            monkeypatch.setattr(type(running.desk), "ruleset", lambda *_: wrong)

        running.make_wrong = make_wrong
        return running

    def is_told(self, world, *, letter):
        """The game waits, and log and game master know the ruleset and the place; nothing has changed."""
        assert world.game().status is GameStatus.PAUSED
        assert MARK not in world.position()["missed"]
        [alarm] = [mail for mail in world.outbox("alarm") if mail.key.startswith("defect")]
        told = " ".join(body_of(alarm).split())
        assert "the ruleset count cannot read the position: PositionError" in told
        assert "at missed[" in told
        assert "at missed[" in world.log("quarantine" if letter else "defect")[-1].detail
        assert SECRET not in words_of(world)
        assert MARK not in words_of(world)

    def is_kept(self, world):
        """The last letter."""
        letter = world.letters()[-1]
        assert letter.state is LetterState.QUARANTINED
        assert "at missed[" in letter.note

    def test_orders(self, desk):
        desk.make_wrong("receive")
        assert desk.send("Altair", "Add 3") == ""
        self.is_kept(desk)
        self.is_told(desk, letter=True)
        assert desk.sheet("Altair") is None

    def test_orders_that_are_taken_back(self, desk):
        desk.send("Altair", "Add 3")
        desk.make_wrong("withdraw")
        assert desk.send("Altair", "CANCEL ORDERS") == ""
        self.is_kept(desk)
        self.is_told(desk, letter=True)
        assert desk.sheet("Altair") == ["Add 3"]

    def test_a_resignation(self, desk):
        desk.make_wrong("resign")
        desk.resign("Altair")
        self.is_kept(desk)
        self.is_told(desk, letter=True)
        assert desk.seat("Altair").state is SeatState.ACTIVE

    def test_a_seat_that_somebody_takes_over(self, desk):
        desk.sure("REPLACE Altair BY dora@players.test")
        desk.make_wrong("take_over")
        desk.reply(desk.questions("dora@players.test")[-1], "YES")
        self.is_kept(desk)
        assert desk.seat("Altair").address == address_of("Altair")
        assert MARK not in desk.position()["missed"]
        assert "at missed[0]" in desk.log("quarantine")[-1].detail

    def test_a_missed_deadline(self, desk):
        desk.make_wrong("miss")
        desk.send("Altair", "Add 3")
        assert desk.pass_time(3 * DAY + timedelta(minutes=1)) == 0
        self.is_told(desk, letter=False)
        assert desk.outbox("report")[-1].key.startswith(f"report {desk.game().id} -1 ")
        assert desk.journal("missed") == []

    def test_a_resolution(self, desk):
        desk.make_wrong("resolve")
        assert desk.pass_time(3 * DAY + timedelta(minutes=1)) == 0
        self.is_told(desk, letter=False)
        assert desk.game().turn == 1

    def test_a_resolution_that_a_letter_sets_off(self, desk):
        for seat in NAMES[1:]:
            desk.send(seat, "Add 3")
        desk.make_wrong("resolve")
        desk.send("Altair", "Add 3")
        desk.pass_time(timedelta(minutes=1))
        self.is_told(desk, letter=False)
        assert desk.game().turn == 1

    def test_a_ruling(self, desk):
        desk.make_wrong("rule")
        desk.pass_time(3 * DAY + timedelta(minutes=1))
        request = desk.rows(Request)[0]
        before = desk.position()
        desk.master(f"APPROVE {request.number}")
        assert desk.position() == before
        assert "at missed[0]" in words_of(desk)

    def test_a_move_that_is_carried_out_at_once(self, world, monkeypatch):
        """What it begins with is kept, too, though nothing of it is left in what it leads to."""
        past_turn_0(relay(world))
        rules = world.desk.ruleset("relay")
        before, chain = world.position(GAME), world.game(GAME).chain_number

        def refuse(document):
            if document["sheets"]:
                raise count.PositionError("sheets[0]", SECRET)
            return rules.load(document)

        monkeypatch.setattr(type(world.desk), "ruleset", lambda *_: replace(rules, load=refuse))
        assert world.send(before["waiting"][0], "Add 3", game=GAME) == ""
        assert world.letters()[-1].state is LetterState.QUARANTINED
        assert (world.position(GAME), world.game(GAME).status) == (before, GameStatus.PAUSED)
        assert world.game(GAME).chain_number == chain + 1
        assert "at sheets[0]" in world.log("quarantine")[-1].detail
