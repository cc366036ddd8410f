"""Votes of the players by mail, from the proposal to what comes of it."""

import json
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from sqlmodel import Session, col

from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.desk.books.transaction import OpenGame, OutOfLane, Transaction
from pbmd.desk.books.votes import out_of_game
from pbmd.desk.changes import pauses
from pbmd.desk.deadlines.evidence import Evidence
from pbmd.desk.upkeep.daily_look import look_at_all
from pbmd.desk.votes.decide import decide
from pbmd.desk.votes.due import decide_before
from pbmd.ledger.tables import GameStatus, Vote, VoteState
from tests.archive.made import examined, export, verified
from tests.desk.world import BEGIN, World, address_of, body_of, message_of
from tests.doubts import doubts_of
from tests.postgresql import about_files

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
OTHERS = ("Borealis", "Cygnus")
ALL = ("Altair", *OTHERS)


@pytest.fixture
def voting(world: World) -> World:
    world.count(votes="all", deadline="240h")
    return world


@pytest.fixture
def openly(world: World) -> World:
    world.count(votes="all", deadline="240h", vote_ballots="open")
    return world


def said(world: World, seat: str, text: str) -> str:
    return " ".join(world.send(seat, text).split())


def vote(world: World, answer: str, *seats: str) -> list[str]:
    return [said(world, seat, f"VOTE {answer}") for seat in seats]


def results(world: World) -> list[str | None]:
    return [json.loads(entry.public).get("result") for entry in world.journal("voted")]


def told(world: World, seat: str) -> str:
    return " ".join(body_of(world.outbox("notice", seat)[-1]).split())


def subject_of(world: World, seat: str) -> str:
    return " ".join(str(message_of(world.outbox("acknowledgement", seat)[-1])["Subject"]).split())


def notices(world: World) -> int:
    return len(world.outbox("notice"))


def status(world: World, seat: str) -> str:
    return said(world, seat, "STATUS")


# How a vote goes


def test_a_vote_is_proposed_to_all_and_passes_when_all_have_said_yes(voting: World) -> None:
    answer = said(voting, "Altair", "PROPOSE PAUSE FOR 14 days")
    assert "Vote 1 has begun, on a pause of 14 days. You have voted yes. The vote ends Mon 23 Nov 2026 12:00 UTC." in answer
    for seat in OTHERS:
        assert "A player proposes a pause of 14 days. To vote, reply with YES or NO on a line of its own" in told(voting, seat)
        assert "All 3 players who may vote must say yes. Nobody learns who votes how." in told(voting, seat)
    vote(voting, "YES", "Borealis")
    assert results(voting) == []
    [last] = vote(voting, "YES", "Cygnus")
    assert "You have voted yes in vote 1, on a pause of 14 days. With that the vote is over." in last
    assert results(voting) == ["passed"]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("propose a pause of two weeks", "a pause of 14 days"),
        ("PROPOSE PAUSE 3 days", "a pause of 3 days"),
        ("PROPOSE PAUSE TILL 4 January", "a pause until Mon 4 Jan 2027 00:00 UTC"),
        ("PROPOSE PAUSE TO 4 January", "a pause until Mon 4 Jan 2027 00:00 UTC"),
        ("PROPOSE PAUSE UNTIL Friday 20:00 Berlin", "a pause until Fri 20 Nov 2026 19:00 UTC"),
        ("PROPOSE EXTENSION BY 48h", "2 days more for the turn"),
        ("PROPOSE EXTEND 48h", "2 days more for the turn"),
        ("PROPOSE MORE TIME: a day", "1 day more for the turn"),
        ("Propose to pause the game for a week", "a pause of 7 days"),
        ("Propose a vote on a pause of 3 days", "a pause of 3 days"),
        ("propose extending the deadline by 48h", "2 days more for the turn"),
        ("Propose: draw", "the end of the game as a draw"),
        ("Propose a vote on a draw", "the end of the game as a draw"),
        ("Propose cancelling the game", "the end of the game without a result"),
    ],
)
def test_a_proposal_is_understood_as_people_write_it(voting: World, line: str, meant: str) -> None:
    assert f"Vote 1 has begun, on {meant}" in said(voting, "Altair", line)


@pytest.mark.parametrize(
    "line",
    [
        *("VOTE NO ON 1", "I vote no on vote 1", "Vote #1: no", "vote no in 1, thanks", "VOTE NO TO #1", "vote no, on no. 1"),
        *("I vote no on proposal 1.", "vote on proposal 1: no", "Vote no on the proposal 1"),
    ],
)
def test_the_number_of_a_vote_may_stand_behind_the_answer(voting: World, line: str) -> None:
    said(voting, "Altair", "PROPOSE DRAW")
    assert "You have voted no in vote 1" in said(voting, "Borealis", line)


def test_a_line_that_names_two_votes_is_no_ballot(voting: World) -> None:
    said(voting, "Altair", "PROPOSE DRAW")
    assert "your line names two votes" in said(voting, "Borealis", "VOTE 1 NO ON 2")


@pytest.mark.parametrize(
    "days",
    [
        "FROM 2026-12-24 TO 2027-01-03",
        "2026-12-24 to 2027-01-03",
        "24 December - 3 January",
        "FROM Friday",
        "3 days from Friday",
    ],
)
def test_who_wants_a_pause_to_begin_on_a_day_is_told_how_it_is_written(voting: World, days: str) -> None:
    answer = said(voting, "Altair", f"PROPOSE PAUSE {days}")
    assert "PROPOSE: a pause begins when its vote has passed; say only when it ends, like PROPOSE PAUSE UNTIL" in answer
    assert not voting.journal("proposed")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("PROPOSE PAUSE FOR 3 days because of the holidays", "the holidays"),
        ("PROPOSE PAUSE because of Easter", "Easter"),
        ("propose a draw, because nobody can win", "nobody can win"),
        ("PROPOSE EXTENSION 48h because I travel", "I travel"),
        ("PROPOSE REPLACE Cygnus because of 4 missed turns", "4 missed turns"),
    ],
)
@pytest.mark.parametrize(("terms", "who"), [({"anonymous_press": True}, "A player"), ({"vote_ballots": "open"}, "Altair")])
def test_who_may_vote_reads_why(world: World, line: str, reason: str, terms: dict[str, Any], who: str) -> None:
    world.count(votes="all", deadline="240h", **terms)
    said(world, "Altair", line)
    for seat in OTHERS:
        assert f"{who} gives this reason: | {reason} " in told(world, seat)
    assert json.loads(world.journal("proposed")[0].public)["reason"] == reason


@pytest.mark.parametrize("ballots", ["secret", "open"])
def test_the_mail_with_a_reason_is_that_of_the_archive(world: World, tmp_path: Path, ballots: str) -> None:
    world.count(votes="all", deadline="240h", vote_ballots=ballots, anonymous_press=True)
    said(world, "Altair", "PROPOSE DRAW because nobody can win")
    mail = world.outbox("notice", "Borealis")[-1]
    vote(world, "YES", *OTHERS)
    books = books_of_archive(export(world, tmp_path / "archive") / "data")
    found = [finding for finding in examined(claims_of_mail(mail.raw), books) if finding.what == "notice"]
    assert [(finding.holds, finding.words) for finding in found] == [(True, "an entry of the journal says it")]
    forged = mail.raw.replace(b"nobody can win", b"nobody can lose")
    assert any(finding.holds is False for finding in examined(claims_of_mail(forged), books))


def test_an_archive_without_names_has_no_reasons_either(world: World, tmp_path: Path) -> None:
    world.count(votes="all", deadline="240h", anonymous_press=True)
    said(world, "Altair", "PROPOSE DRAW because Nora cannot win")
    vote(world, "YES", *OTHERS)
    for name, has in (("archive", True), ("blank", False)):
        archive = export(world, tmp_path / name, anonymised=not has)
        texts = [path.read_bytes() for path in archive.rglob("*") if path.is_file()]
        assert any(b"Nora cannot win" in text for text in texts) is has
        assert verified(archive).problems == []


def test_players_and_the_game_master_find_the_reason_of_an_open_vote(openly: World) -> None:
    said(openly, "Altair", "PROPOSE PAUSE because of Easter")
    assert 'yes: Altair; no: nobody; the reason given: "Easter"; you have not voted' in status(openly, "Cygnus")
    assert 'no: nobody; the reason given: "Easter" (VETO 1' in " ".join(openly.master("STATUS").replace("|", " ").split())
    openly.send("Altair", "PROPOSE DRAW")
    assert status(openly, "Cygnus").count("the reason given") == 1


def test_without_a_reason_none_is_spoken_of(voting: World) -> None:
    said(voting, "Altair", "PROPOSE DRAW")
    assert "reason" not in told(voting, "Borealis")
    assert "reason" not in json.loads(voting.journal("proposed")[0].public)


def test_a_reason_that_is_too_long_begins_no_vote(voting: World) -> None:
    answer = said(voting, "Altair", f"PROPOSE DRAW because {'x' * 201}")
    assert "PROPOSE: the reason may have 200 characters, yours has 201." in answer
    assert not voting.journal("proposed")


def test_nor_does_one_that_shows_who_plays_where_nobody_may_know(world: World) -> None:
    world.count(votes="all", holders="hidden")
    assert "your reason has your address in it" in said(world, "Altair", f"PROPOSE DRAW because {address_of('Altair')} says so")
    assert not world.journal("proposed")


@pytest.mark.parametrize("press", [{"press": False}, {"press": False, "anonymous_press": True}])
@pytest.mark.parametrize("ballots", ["secret", "open"])
def test_where_there_is_no_press_a_vote_has_no_reason(world: World, ballots: str, press: dict[str, bool]) -> None:
    world.count(votes="all", deadline="240h", vote_ballots=ballots, **press)
    answer = said(world, "Altair", "PROPOSE PAUSE because Cygnus will stab you")
    assert "PROPOSE: this game has no press, so a vote has no reason; send the same without one." in answer
    assert not world.journal("proposed")
    assert "Vote 1 has begun" in said(world, "Altair", "PROPOSE PAUSE")


def test_nor_does_one_of_nobody_knows_whom_without_anonymous_press(voting: World) -> None:
    answer = said(voting, "Altair", "PROPOSE PAUSE because Cygnus will stab you")
    assert "PROPOSE: nobody learns who proposes a vote in this game, and it has no anonymous press, so a vote has no" in answer
    assert "a vote has no reason; send the same without one, and the reason, if you like, as PRESS TO ALL." in answer
    assert not voting.journal("proposed")
    assert "Vote 1 has begun" in said(voting, "Altair", "PROPOSE PAUSE")


def test_a_secret_in_a_reason_is_passed_on_to_nobody(world: World) -> None:
    world.count(votes="all", deadline="240h", anonymous_press=True)
    secret = world.reply_address("Altair").partition("+")[2].partition("@")[0].partition(".")[2]
    said(world, "Altair", f"PROPOSE DRAW because {secret}")
    assert "gives this reason" in told(world, "Borealis")
    assert secret not in "".join(body_of(mail) for mail in world.outbox("notice", "Borealis"))


def test_a_reply_to_the_mail_about_a_vote_is_enough(voting: World) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    mail = voting.outbox("notice", "Borealis")[-1]
    assert message_of(mail)["Subject"] == "[pbmd galaxy-7 t1] vote 1 has begun: draw"
    assert "You have voted no in vote 1" in " ".join(voting.reply(mail, "VOTE 1 NO").split())


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Yes!", "yes"),
        ("no", "no"),
        ("Hello,\n\nNO\n\nCheers, Bert", "no"),
        ("yes\nno", None),
        ("Add 3\nyes", None),
        ("Add 3\nEND\nyes", None),
    ],
)
def test_a_plain_answer_to_the_mail_about_a_vote_is_a_ballot(voting: World, text: str, answer: str | None) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    voting.send("Altair", "PROPOSE CANCEL")
    [mail] = [each for each in voting.outbox("notice", "Borealis") if each.key == "vote 1 1 2"]
    voting.reply(mail, text)
    assert [json.loads(entry.secret)["answer"] for entry in voting.journal("ballot")] == ([answer] if answer else [])


@pytest.mark.parametrize(
    "text", ["YES\n\nAdd 3", "Yes\nAdd 3", "Yes, fine with me.\n\nAdd 3\n\nBert", "Hi all,\n\nyes\n\nAdd 3"]
)
def test_a_plain_answer_above_orders_is_a_ballot_and_no_order(voting: World, text: str) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    answer = " ".join(voting.reply(voting.outbox("notice", "Borealis")[-1], text).split())
    assert "You have voted yes in vote 1" in answer
    assert "Not an order: Y" not in answer
    assert voting.sheet("Borealis") == ["Add 3"]
    assert subject_of(voting, "Borealis").endswith("Borealis: orders in")


@pytest.mark.parametrize(
    ("text", "answer"), [("Vote: yes", "yes"), ("I vote no.", "no"), ("VOTE 1 YES please", "yes"), ("Vote: 1 no, thanks", "no")]
)
def test_a_ballot_is_understood_as_people_write_it(voting: World, text: str, answer: str) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    assert f"You have voted {answer} in vote 1" in said(voting, "Borealis", text)


def test_a_plain_answer_above_a_command_is_a_ballot(voting: World) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    answer = " ".join(voting.reply(voting.outbox("notice", "Borealis")[-1], "No\n\nSTATUS").split())
    assert doubts_of(voting.outbox("acknowledgement", "Borealis")[-1].raw) == []
    assert "You have voted no in vote 1" in answer
    assert "STATUS" in answer


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("yes\nno", "Borealis: NOT TAKEN, vote not counted"),
        ("Add 3\n\nyes", "Borealis: orders in, vote not counted"),
        ("Add 3\n\nI will vote for it.", "Borealis: orders in, vote not counted"),
        ("Yes if Altair does\n\nAdd 3", "vote not counted"),
    ],
)
def test_where_a_reply_could_be_a_ballot_and_is_none_its_subject_says_so(voting: World, text: str, subject: str) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    answer = " ".join(voting.reply(voting.outbox("notice", "Borealis")[-1], text).split())
    assert not voting.journal("ballot")
    assert subject_of(voting, "Borealis").endswith(subject)
    assert "VOTE 1 YES" in answer


def test_so_does_that_of_a_ballot_that_is_refused_beside_orders(voting: World) -> None:
    voting.send("Borealis", "VOTE YES\n\nAdd 3")
    assert subject_of(voting, "Borealis").endswith("Borealis: orders in, vote not counted")


def test_orders_in_reply_to_the_mail_about_a_vote_are_no_ballot(voting: World) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    voting.reply(voting.outbox("notice", "Borealis")[-1], "Add 3\n\nNo orders besides.\n\nBert")
    voting.reply(voting.outbox("notice", "Borealis")[-1], "No orders.")
    assert "vote" not in subject_of(voting, "Borealis")


def test_a_plain_yes_to_another_mail_is_none(voting: World) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    voting.reply(voting.outbox("report", "Borealis")[-1], "YES")
    assert not voting.journal("ballot")


def test_the_last_ballot_counts_and_can_be_taken_back(openly: World) -> None:
    openly.send("Altair", "PROPOSE DRAW")
    vote(openly, "YES", "Borealis")
    assert "You have no ballot in vote 1" in vote(openly, "NOTHING", "Borealis")[0]
    vote(openly, "YES", "Cygnus")
    assert results(openly) == []
    vote(openly, "YES", "Borealis")
    assert results(openly) == ["passed"]


def test_of_two_ballots_the_one_that_arrived_later_counts(openly: World) -> None:
    openly.send("Altair", "PROPOSE DRAW")
    openly.now += HOUR
    vote(openly, "YES", "Borealis")
    late = " ".join(openly.send("Borealis", "VOTE NO", at=openly.now - HOUR / 2).split())
    assert "VOTE: a later mail of yours counts." in late
    assert "yes: Altair and Borealis; no: nobody" in status(openly, "Cygnus")


def test_a_vote_that_has_not_passed_when_its_time_is_over_has_failed(voting: World) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    vote(voting, "YES", "Borealis")
    voting.pass_time(3 * DAY - HOUR)
    assert results(voting) == []
    voting.pass_time(2 * HOUR)
    assert results(voting) == ["failed"]
    assert "vote 1 has failed" in told(voting, "Cygnus")
    assert voting.game().status is GameStatus.RUNNING
    assert "VOTE: there is no open vote." in vote(voting, "YES", "Cygnus")[0]


def test_a_failed_vote_is_not_told_if_the_terms_say_so(world: World) -> None:
    world.count(votes="all", deadline="240h", failed_votes="untold")
    world.send("Altair", "PROPOSE DRAW")
    vote(world, "NO", *OTHERS)
    before = notices(world)
    assert "until Mon 23 Nov 2026 12:00 UTC; you have voted yes" in status(world, "Altair"), "all have voted"
    world.pass_time(3 * DAY + HOUR)
    assert notices(world) == before
    assert results(world) == [None]
    assert "failed" not in "".join(line.detail for line in world.log())


def test_a_secret_vote_ends_early_only_when_all_have_voted(world: World) -> None:
    """Else the moment would tell how the last one voted."""
    world.count(votes="all", deadline="240h", vote_quorum=50)
    world.send("Altair", "PROPOSE DRAW")
    vote(world, "YES", "Borealis")
    assert results(world) == []
    vote(world, "NO", "Cygnus")
    assert results(world) == ["passed"]


def test_an_open_vote_ends_as_soon_as_no_other_ballot_can_matter(openly: World) -> None:
    openly.send("Altair", "PROPOSE DRAW")
    vote(openly, "NO", "Borealis")
    assert results(openly) == ["failed"]
    assert "Yes: Altair. No: Borealis." in told(openly, "Cygnus")


def test_a_letter_that_came_in_time_counts_however_late_it_is_read(voting: World) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    vote(voting, "YES", "Borealis")
    in_time = voting.now + 3 * DAY
    voting.now += 3 * DAY + HOUR
    voting.pass_time(reading=False)
    assert results(voting) == [], "nobody knows yet what has come"
    voting.arrive(voting.letter("Cygnus", "VOTE YES"), at=in_time)
    voting.pass_time()
    assert results(voting) == ["passed"]


def test_a_letter_that_came_too_late_comes_after_the_end(voting: World) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    vote(voting, "YES", "Borealis")
    voting.now += 3 * DAY + HOUR
    voting.arrive(voting.letter("Cygnus", "VOTE YES"))
    voting.pass_time()
    assert results(voting) == ["failed"]
    assert "there is no open vote" in body_of(voting.outbox("acknowledgement", "Cygnus")[-1])


def test_more_time_that_was_voted_for_comes_before_the_deadline_that_it_moves(world: World) -> None:
    """Nobody looked at the clock for a day: the vote was over before the deadline."""
    world.count(votes="all", deadline="73h", vote_quorum=60)
    world.send("Altair", "PROPOSE EXTENSION 48h")
    vote(world, "YES", "Borealis")
    world.now += 4 * DAY
    world.arrive(world.letter("Cygnus", "Add 3"))
    world.pass_time()
    assert results(world) == ["passed"]
    assert world.game().step == 0, "the deadline is 121 hours after the beginning"
    assert world.sheet("Cygnus") == ["Add 3"]


def test_a_deadline_comes_before_a_vote_that_is_over_after_it(world: World) -> None:
    world.count(votes="all", deadline="71h", vote_quorum=60)
    world.send("Altair", "PROPOSE EXTENSION 48h")
    vote(world, "YES", "Borealis")
    world.pass_time(4 * DAY)
    world.pass_time()
    assert (world.game().turn, results(world)) == (2, ["passed"])
    kinds = [entry.kind for entry in world.journal()]
    assert kinds.index("resolved") < kinds.index("voted") < kinds.index("extended")


def test_voting_goes_on_while_the_game_is_paused(voting: World) -> None:
    voting.send("Altair", "PROPOSE CANCEL")
    voting.act("galaxy-7", pauses.pause)
    vote(voting, "YES", "Borealis")
    voting.pass_time(4 * DAY)
    assert results(voting) == ["failed"]


# What comes of it


def test_a_pause_ends_by_itself_after_the_time_for_which_they_voted(voting: World) -> None:
    voting.send("Altair", "PROPOSE PAUSE FOR 14 days")
    vote(voting, "YES", *OTHERS)
    assert voting.game().status is GameStatus.PAUSED
    assert "The game goes on by itself Fri 4 Dec 2026 12:00 UTC." in told(voting, "Altair")
    voting.pass_time(13 * DAY)
    assert voting.game().status is GameStatus.PAUSED
    voting.pass_time(DAY)
    assert voting.game().status is GameStatus.RUNNING
    assert voting.game().deadline == BEGIN + 24 * DAY


def test_a_pause_can_have_a_date_as_its_end(voting: World) -> None:
    voting.send("Altair", "PROPOSE PAUSE UNTIL 2027-01-04")
    vote(voting, "YES", *OTHERS)
    [row] = voting.rows(Vote)
    assert row.due_at == datetime(2027, 1, 4, tzinfo=UTC)


def test_a_pause_that_the_game_master_has_ended_does_not_end_another(voting: World) -> None:
    voting.send("Altair", "PROPOSE PAUSE FOR 2 days")
    vote(voting, "YES", *OTHERS)
    voting.now += HOUR
    voting.act("galaxy-7", pauses.resume)
    voting.now += HOUR
    voting.act("galaxy-7", pauses.pause, "something else")
    voting.pass_time(5 * DAY)
    assert voting.game().status is GameStatus.PAUSED


def test_more_time_moves_the_deadline(voting: World) -> None:
    voting.send("Altair", "PROPOSE EXTENSION 48h")
    vote(voting, "YES", *OTHERS)
    assert voting.game().deadline == BEGIN + 12 * DAY
    assert "A vote of the players gave 2 days more." in told(voting, "Cygnus")
    assert [json.loads(entry.public)["by"] for entry in voting.journal("extended")] == ["a vote of the players"]


def test_an_absentee_is_offered_to_the_standby_list_and_has_no_vote(voting: World) -> None:
    voting.send("", "STANDBY ALL", sender="dora@players.test", to="games@pbmd.test")
    voting.confirm("dora@players.test")
    voting.send("Altair", "PROPOSE REPLACE Cyg")
    assert "You have no vote on this." in told(voting, "Cygnus")
    assert "VOTE: you have no vote in vote 1: it is about your seat." in vote(voting, "NO", "Cygnus")[0]
    vote(voting, "YES", "Borealis")
    assert results(voting) == ["passed"]
    assert "A vote of the players has offered your seat to somebody else." in told(voting, "Cygnus")
    assert "Cygnus is offered to 1 on the standby list." in told(voting, "Altair")
    [asked] = voting.questions("dora@players.test")
    voting.reply(asked, "YES")
    assert voting.seat("Cygnus").address == "dora@players.test"


def test_nobody_stands_by_for_whom_they_voted(voting: World) -> None:
    voting.send("Altair", "PROPOSE REPLACE Cygnus")
    vote(voting, "YES", "Borealis")
    why = "has passed. But nothing could be done: nobody stands by for galaxy-7."
    assert why in told(voting, "Altair")
    assert why in " ".join(body_of(voting.outbox("alarm")[-1]).split())
    [entry] = voting.journal("voted")
    assert json.loads(entry.public)["impossible"] == "nobody stands by for galaxy-7"


@pytest.mark.parametrize(
    ("what", "headline", "reason"),
    [
        ("DRAW", "the game is a draw", "the players have agreed on a draw"),
        ("CANCEL", "the game is cancelled", "the players have agreed to end the game without a result"),
    ],
)
def test_the_end_that_they_voted_for_is_the_end_of_the_game(voting: World, what: str, headline: str, reason: str) -> None:
    voting.send("Altair", f"PROPOSE {what}")
    vote(voting, "YES", *OTHERS)
    assert voting.game().status is GameStatus.FINISHED
    assert headline in told(voting, "Cygnus")
    [end] = voting.journal("finished")
    public = json.loads(end.public)
    assert (public["reason"], public["winners"]) == (reason, [])
    assert public.get("draw") == (["Altair", "Borealis", "Cygnus"] if what == "DRAW" else None)
    assert "PROPOSE: galaxy-7 is over." in said(voting, "Altair", "PROPOSE DRAW")


# Who may vote, and how much


def test_a_seat_that_was_given_up_has_no_vote_and_its_ballot_no_weight(voting: World) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    vote(voting, "NO", "Borealis")
    voting.resign("Borealis")
    vote(voting, "YES", "Cygnus")
    assert results(voting) == ["passed"]


def test_the_ballot_of_a_seat_that_changes_hands_counts_no_more(voting: World) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    vote(voting, "YES", "Borealis")
    voting.sure("REPLACE Borealis BY dora@players.test")
    voting.reply(voting.questions("dora@players.test")[-1], "YES")
    assert "you have not voted" in " ".join(voting.send("Borealis", "STATUS", sender="dora@players.test").split())
    vote(voting, "YES", "Cygnus")
    assert results(voting) == []


def test_a_ballot_stays_when_its_voter_plays_on_from_another_address(voting: World) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    vote(voting, "YES", "Borealis")
    voting.send("Borealis", "ADDRESS new@players.test")
    voting.reply(voting.questions(address_of("Borealis"))[-1], "YES")
    voting.reply(voting.questions("new@players.test")[-1], "YES")
    vote(voting, "YES", "Cygnus")
    assert results(voting) == ["passed"]


def test_who_is_out_of_the_game_has_no_vote(voting: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbmd.desk.books.votes.is_out", lambda view: view.reader.seat == "Cygnus")
    assert "PROPOSE: you are out of the game, so you have no vote." in said(voting, "Cygnus", "PROPOSE DRAW")
    assert "All 2 players who may vote must say yes" in said(voting, "Altair", "PROPOSE DRAW")
    assert "you have no vote in vote 1: you are out of the game" in vote(voting, "NO", "Cygnus")[0]
    vote(voting, "YES", "Borealis")
    assert results(voting) == ["passed"]
    assert json.loads(voting.journal("finished")[0].public)["draw"] == ["Altair", "Borealis"]


def test_there_is_one_open_vote_of_a_kind_and_a_seat_can_propose_few_in_a_step(voting: World) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    assert "there is a vote on that already: VOTE 1 YES or VOTE 1 NO" in said(voting, "Borealis", "PROPOSE DRAW")
    voting.send("Altair", "PROPOSE CANCEL")
    voting.send("Altair", "PROPOSE PAUSE")
    before = len(voting.outbox())
    assert "you have proposed 3 votes in turn 1, which is enough" in said(voting, "Altair", "PROPOSE EXTENSION 24h")
    assert len(voting.outbox()) == before + 1, "the answer"
    assert "say which vote: open are 1, 2 and 3; like VOTE 1 YES" in vote(voting, "YES", "Borealis")[0]
    assert "You have voted yes in vote 3" in said(voting, "Borealis", "VOTE 3 YES")


@pytest.mark.parametrize(
    ("terms", "text", "problem"),
    [
        ({}, "PROPOSE DRAW", "in this game players have no votes; the game master may allow them"),
        ({"votes": ["pause"]}, "PROPOSE DRAW", "in this game players vote on pause, and on nothing else"),
        ({"votes": "all"}, "PROPOSE PAUSE FOR 93 days", "it may be as long as 92 days, and not nothing"),
        ({"votes": "all"}, "PROPOSE EXTENSION 0h", "it may be as long as 92 days"),
        ({"votes": "all"}, "PROPOSE PAUSE UNTIL 2026-01-04", "Sun 4 Jan 2026 00:00 UTC is over"),
        ({"votes": "all"}, "PROPOSE PAUSE UNTIL 2027-11-04", "it may be as long as 92 days"),
        ({"votes": "all"}, "PROPOSE REPLACE Xyz", 'there is no counter "Xyz"'),
        ({"votes": "all"}, "PROPOSE REPLACE Altair", "Altair is your own; RESIGN gives it up"),
        ({"votes": "all"}, "PROPOSE EXTENSION", "nobody can vote on that; you can write PROPOSE PAUSE"),
        ({"votes": "all"}, "PROPOSE DRAW\nAdd 3", "send PROPOSE in a mail of its own"),
        ({"votes": "all"}, "VOTE YES", "there is no open vote"),
    ],
)
def test_what_cannot_be_voted_on_is_refused_with_the_reason(world: World, terms: dict, text: str, problem: str) -> None:
    world.count(**terms)
    assert problem in said(world, "Altair", text)
    assert not world.journal("proposed")


def test_a_rollback_ends_the_votes_of_the_time_that_is_undone(voting: World) -> None:
    for seat in ALL:
        voting.send(seat, "Add 1")
    voting.pass_time(HOUR)
    voting.send("Altair", "PROPOSE DRAW")
    voting.sure("ROLLBACK TO TURN 1")
    assert results(voting) == ["ended"]
    assert [row.state for row in voting.rows(Vote)] == [VoteState.ENDED]
    assert "VOTE: there is no open vote." in vote(voting, "YES", "Borealis")[0]


# Open ballots


def test_open_ballots_are_seen_by_all(openly: World) -> None:
    openly.send("Altair", "PROPOSE PAUSE\nAdd 1")
    assert "Altair proposes a pause until the game master resumes the game." in told(openly, "Cygnus")
    vote(openly, "YES", "Borealis")
    assert "proposed by Altair; yes: Altair and Borealis; no: nobody; you have not voted" in status(openly, "Cygnus")


# The game master


def test_the_game_master_sees_votes_and_not_how_secret_ones_go(voting: World) -> None:
    voting.send("Altair", "PROPOSE PAUSE")
    vote(voting, "NO", "Borealis")
    answer = " ".join(voting.master("STATUS").replace("|", " ").split())
    assert "players may vote on pause, extension, replace, draw and cancel (VOTES NONE ends that)" in answer
    assert "vote 1, on a pause until the game master resumes the game, until Mon 23 Nov 2026 12:00 UTC (VETO 1" in answer
    voting.pass_time(DAY)
    assert "vote begun vote 1: pause" in " ".join(body_of(voting.outbox("digest")[-1]).split())


def test_the_game_master_can_stop_a_vote_and_says_why(voting: World) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    assert "Vote 1 is over; all players are told that you have stopped it." in voting.master("VETO 1 because of the final")
    assert "The game master has stopped the vote on the end of the game as a draw" in told(voting, "Cygnus")
    assert "gives this reason: | the final" in told(voting, "Cygnus")
    assert results(voting) == ["vetoed"]
    assert "there is no open vote 1 in galaxy-7" in voting.master("VETO 1")


def test_the_game_master_can_switch_votes_off_and_on(voting: World) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    assert "Players may vote on pause from now on; they are told." in voting.master("VOTES pause because we play it out")
    assert results(voting) == ["vetoed"]
    assert "players vote on pause, and on nothing else" in said(voting, "Borealis", "PROPOSE DRAW")
    assert "players may vote on pause already" in voting.master("VOTES pause")
    voting.master("VOTES NONE")
    assert "players have no votes" in said(voting, "Borealis", "PROPOSE PAUSE")
    voting.master("VOTES ALL")
    assert "Vote 2 has begun" in said(voting, "Borealis", "PROPOSE DRAW")


def test_a_word_that_is_nothing_to_vote_on_is_refused(voting: World) -> None:
    assert 'votes are on pause, extension, replace, draw and cancel; or write ALL or NONE, not "war"' in voting.master(
        "VOTES war"
    )


# In order of arrival


@pytest.mark.parametrize("at_once", [True, False], ids=["in one pass", "one by one"])
def test_letters_read_at_once_are_dealt_with_as_one_by_one(world: World, at_once: bool) -> None:
    """Before, at and after the end of a vote; what it leads to comes between them."""
    world.count(votes="all", deadline="80h", vote_quorum=60, vote_time="48h")
    world.send("Altair", "PROPOSE EXTENSION 24h")
    over = BEGIN + 2 * DAY
    letters = [
        (over - HOUR, "Borealis", "VOTE YES"),
        (over - HOUR / 2, "Cygnus", "Add 1"),
        (over + HOUR, "Altair", "VOTE NO"),
        (over + 40 * HOUR, "Cygnus", "Add 2"),
    ]
    for at, seat, text in letters:
        raw = world.letter(seat, text)
        if at_once:
            world.arrive(raw, at=at)
        else:
            world.now = at
            world.arrive(raw, at=at)
            world.pass_time(timedelta(seconds=1))
    world.now = over + 41 * HOUR
    world.pass_time()
    assert results(world) == ["passed"]
    assert world.game().deadline == BEGIN + 104 * HOUR
    assert world.sheet("Cygnus") == ["Add 2"]
    assert "there is no open vote" in body_of(world.outbox("acknowledgement", "Altair")[-1])


@pytest.mark.parametrize("defect", [ZeroDivisionError, SystemExit])
def test_a_vote_that_meets_a_defect_holds_up_no_other(
    world: World, monkeypatch: pytest.MonkeyPatch, defect: type[BaseException]
) -> None:
    for name in ("one-1", "two-2"):
        world.count(name, votes="all", deadline="240h")
        world.send("Altair", "PROPOSE DRAW", game=name)
    broken = world.game("one-1").id

    def breaks(work, table, vote, **more):
        if table.id == broken:
            raise defect
        return decide(work, table, vote, **more)

    monkeypatch.setattr("pbmd.desk.votes.due.decide", breaks)
    world.pass_time(4 * DAY)
    assert results(world) == ["failed", "ended"] or results(world) == ["ended", "failed"]
    assert [line.game for line in world.log("no-vote")] == ["one-1"]
    before = len(world.log())
    world.pass_time(HOUR)
    assert len(world.log()) == before, "it is looked at once"


def test_neither_does_one_whose_rules_cannot_tell_who_may_vote(
    world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("one-1", "two-2"):
        world.count(name, votes="all", deadline="240h")
        world.send("Altair", "PROPOSE DRAW", game=name)
    broken = world.game("one-1").id

    def breaks(table: OpenGame, names: list[str]) -> set[str]:
        if table.id == broken:
            raise ZeroDivisionError
        return out_of_game(table, names)

    monkeypatch.setattr("pbmd.desk.books.votes.out_of_game", breaks)
    world.pass_time(4 * DAY)
    assert sorted(map(str, results(world))) == ["ended", "failed"]
    monkeypatch.undo()
    assert verified(export(world, tmp_path / "archive", "one-1")).problems == []


def test_nor_one_that_is_not_in_the_journal_where_it_should_be(world: World) -> None:
    for name in ("one-1", "two-2"):
        world.count(name, votes="all", deadline="240h")
        world.send("Altair", "PROPOSE DRAW", game=name)
    with Session(world.desk.engine) as session:
        lost = update(Vote).where(col(Vote.game_id) == world.game("one-1").id).values(entry=99)
        session.connection().execute(lost)
        session.commit()
    world.pass_time(4 * DAY)
    assert sorted(map(str, results(world))) == ["ended", "failed"]
    assert {vote.state for vote in world.rows(Vote)} == {VoteState.ENDED, VoteState.FAILED}


@about_files
@pytest.mark.parametrize("over", [True, False])
def test_a_vote_of_which_nobody_can_read_whether_it_is_open_is_what_the_journal_says(voting: World, over: bool) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    if over:
        voting.master("VETO 1")
    with Session(voting.desk.engine) as session:
        session.connection().exec_driver_sql("UPDATE vote SET state = 'no such state'")
        session.commit()
    look_at_all(voting.desk)
    assert [vote.state for vote in voting.rows(Vote)] == [VoteState.ENDED if over else VoteState.OPEN]
    answer = said(voting, "Borealis", "VOTE YES")
    assert answer.startswith("VOTE: there is no open vote" if over else "You have voted yes")


def test_a_vote_that_has_to_do_with_more_than_its_game_is_decided_outside_its_lane(
    voting: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    lanes: list[int | None] = []

    def leaves(work: Transaction, table: OpenGame, vote: Vote, *, over: bool = False) -> bool:
        lanes.append(work.lane)
        if work.lane is not None:
            raise OutOfLane
        return decide(work, table, vote, over=over)

    voting.send("Altair", "PROPOSE DRAW")
    game = voting.game().id
    assert game is not None
    voting.now += 4 * DAY
    monkeypatch.setattr("pbmd.desk.votes.due.decide", leaves)
    assert decide_before(voting.desk, game, Evidence(voting.now), lane=game)
    assert (lanes, results(voting)) == ([game, None], ["failed"])


def test_a_vote_in_a_game_whose_rules_another_host_may_have_waits_for_that_host(
    voting: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    voting.send("Altair", "PROPOSE DRAW")
    tried: list[str] = []

    def lacks(table: OpenGame) -> bool:
        tried.append(table.game.name)
        return True

    with monkeypatch.context() as patch:
        patch.setattr("pbmd.desk.votes.due.lacks_rules", lacks)
        patch.setattr(voting, "desk", replace(voting.desk, host="here"))
        voting.pass_time(4 * DAY)
    assert (tried, results(voting)) == (["galaxy-7"], [])
    voting.pass_time(HOUR)
    assert results(voting) == ["failed"]


@about_files
@pytest.mark.parametrize("wrong", ["number = 9223372036854775807", "game_id = 999"])
def test_a_vote_that_can_neither_be_decided_nor_ended_keeps_no_other_from_its_end(world: World, wrong: str) -> None:
    for name in ("hurt", "galaxy-7"):
        world.count(name, votes="all", deadline="240h")
        world.send("Altair", "PROPOSE DRAW", game=name)
    with closing(world.desk.engine.raw_connection()) as raw:
        connection: Any = raw
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(f"UPDATE vote SET {wrong} WHERE id = 1")
        connection.commit()
        connection.execute("PRAGMA foreign_keys = ON")
    for length in (4 * DAY, HOUR, HOUR, HOUR):
        world.pass_time(length)
    assert world.rows(Vote)[1].state is VoteState.FAILED
    assert world.game().status is GameStatus.RUNNING
    alarms = [mail.key for mail in world.outbox("alarm")]
    assert len(alarms) == len({*alarms}) <= 2, "it is told, and not each time"
    assert alarms
