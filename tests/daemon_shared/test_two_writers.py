"""Two who deal with one game at once, and one who resolves its turn: each thing is done once, and its chain is whole."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event

from pbmd.desk import mailroom
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.clerk import deal_with
from pbmd.desk.due import advance
from pbmd.desk.due.advance import advance_or_put_aside
from pbmd.desk.letter.lanes import assign_lanes, give_back
from pbmd.desk.mail.pictures import Placed, keep_pictures
from pbmd.desk.mailroom import process_letters, process_letters_of
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.journal import Link, verify
from pbmd.ledger.log_file import write_new_lines
from pbmd.ledger.tables import GameStatus, LetterState, Outbox, Picture, PictureInMail, SubmissionState
from tests.desk.world import NAMES, World

SECOND = timedelta(seconds=1)
OVERLAP_SECONDS = 0.7
"""So long one waits for the other to have read what both are going to write; where one at a time may, it waits in vain."""
NewDesk = Callable[[], World]


class Rendezvous:
    """Holds up each desk at its first statement that has these words, in a transaction that is to write, until the others are
    there or it takes too long."""

    def __init__(self, words: str, *worlds: World) -> None:
        self._all_here = threading.Barrier(len(worlds))
        for world in worlds:
            self._listen(world, words)

    def _listen(self, world: World, words: str) -> None:
        met = threading.Event()

        def wait(connection: Connection, _cursor: object, statement: str, *_: object) -> None:
            writes = not connection.get_execution_options().get("pbmd_reads")
            if writes and words in statement and not met.is_set():
                met.set()
                try:
                    self._all_here.wait(OVERLAP_SECONDS)
                except threading.BrokenBarrierError:
                    return  # the others wait for this one

        event.listen(world.desk.engine, "after_cursor_execute", wait)


def at_once(*jobs: Callable[[], object]) -> None:
    """Do all of it at the same time; raises what any of them raised."""
    with ThreadPoolExecutor(len(jobs)) as pool:
        for job in [pool.submit(job) for job in jobs]:
            job.result()


def put_in_letters(world: World, rounds: int = 3) -> None:
    """Orders of all seats for so many turns, in the game's lane, and a mailbox that was read to its end."""
    for _ in range(rounds):
        for seat in NAMES:
            world.now += SECOND
            world.arrive(world.letter(seat, "Add 2"))
    world.now += SECOND
    world.read_mailbox()
    assert len(assign_lanes(world.desk)) == 1


def the_game(world: World) -> int:
    """The id of the one game."""
    found = world.game().id
    assert found is not None
    return found


def head_of_chain(world: World) -> str:
    return verify(Link(e.number, e.at, e.kind, e.public, e.secret, e.salt, e.hash) for e in world.journal())


def must_be_whole(world: World, rounds: int) -> None:
    """Each letter was dealt with once, each turn resolved once, and the chain ends where the game says."""
    letters = world.letters()
    assert {letter.state for letter in letters} == {LetterState.DONE}
    submissions = world.submissions()
    assert Counter(each.letter_id for each in submissions) == Counter(letter.id for letter in letters)
    assert {each.state for each in submissions} == {SubmissionState.USED}
    assert sorted(each.number for each in submissions) == [each.number for each in submissions]
    assert len(world.outbox("acknowledgement")) == len(letters)
    assert len(world.journal("resolved")) == world.game().step == rounds
    assert [player["score"] for player in world.position()["players"]] == [2 * rounds] * len(NAMES)
    assert head_of_chain(world) == world.game().chain_head


def test_letters_of_a_game_that_two_deal_with_at_once_are_dealt_with_once(new_desk: NewDesk) -> None:
    one, other, third = new_desk(), new_desk(), new_desk()
    one.count()
    put_in_letters(one, 4)
    other.now = third.now = one.now
    game = the_game(one)
    Rendezvous("FROM game", one, other, third)
    jobs = [lambda world=world: process_letters_of(world.desk, game) for world in (one, other)]
    at_once(*jobs, lambda: advance_or_put_aside(third.desk, game, lane=game))
    for world in (one, other):
        process_letters_of(world.desk, game)
        advance_or_put_aside(world.desk, game, lane=game)
    must_be_whole(one, 4)
    assert not one.log("quarantine")


def test_a_turn_that_two_resolve_at_once_is_resolved_once(new_desk: NewDesk) -> None:
    one, other = new_desk(), new_desk()
    one.count()
    game = the_game(one)
    one.send("Altair", "Add 3")
    one.now += timedelta(hours=80)
    one.read_mailbox()
    other.now = one.now
    Rendezvous("FROM game", one, other)
    at_once(*(lambda world=world: advance_or_put_aside(world.desk, game, lane=game) for world in (one, other)))
    assert len(one.journal("resolved")) == one.game().step == 1
    assert one.game().status is GameStatus.RUNNING
    assert [player["score"] for player in one.position()["players"]] == [3, 0, 0]
    assert head_of_chain(one) == one.game().chain_head


def test_who_writes_for_all_games_and_who_writes_for_one_do_nothing_twice(new_desk: NewDesk) -> None:
    one, other = new_desk(), new_desk()
    one.count()
    put_in_letters(one)
    other.now = one.now
    game = the_game(one)
    Rendezvous("FROM letter", one, other)
    at_once(lambda: process_letters(one.desk), lambda: process_letters_of(other.desk, game))
    process_letters(one.desk)
    advance_or_put_aside(one.desk, game, lane=game)
    must_be_whole(one, 3)


def test_who_gives_a_letter_back_that_another_has_dealt_with_meanwhile_changes_nothing(new_desk: NewDesk) -> None:
    world = new_desk()
    world.count()
    world.send("Altair", "Add 2")
    (letter,) = world.letters()
    assert letter.id is not None
    give_back(world.desk, letter.id)
    assert [each.state for each in world.letters()] == [LetterState.DONE]
    process_letters(world.desk)
    assert len(world.submissions()) == len(world.outbox("acknowledgement")) == 1


def test_who_lets_letters_wait_that_another_has_dealt_with_meanwhile_changes_nothing(
    new_desk: NewDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two that each think they lead: one has seen that a letter comes after the end of a turn, and lets it wait for a reading
    of the mailbox; the other has heard of that reading already."""
    slow, fast = new_desk(), new_desk()
    slow.count()
    for seat in (*NAMES, "Altair"):
        slow.now += SECOND
        slow.arrive(slow.letter(seat, "Add 2"))
    fast.now = slow.now + SECOND
    put_off = Transaction.put_off

    def put_off_late(work: Transaction, *what: Any) -> None:
        # Before it gets so far the other has done all of it.
        if work.desk.settings.data == slow.folder and not overtaken.is_set():
            overtaken.set()
            fast.read_mailbox()
            process_letters(fast.desk)
        put_off(work, *what)

    overtaken = threading.Event()
    monkeypatch.setattr(Transaction, "put_off", put_off_late)
    process_letters(slow.desk)
    assert overtaken.is_set()
    process_letters(slow.desk)
    assert [letter.state for letter in slow.letters()] == [LetterState.DONE] * 4
    assert len(slow.submissions()) == len(slow.outbox("acknowledgement")) == 4


def test_a_letter_that_troubled_one_and_was_dealt_with_by_another_is_not_put_aside(
    new_desk: NewDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    troubled, calm = new_desk(), new_desk()
    troubled.count()
    troubled.arrive(troubled.letter("Altair", "Add 2"))

    def trouble(_problem: BaseException) -> None:
        process_letters(calm.desk)

    def deal(work: Transaction, *about: Any) -> None:
        if work.desk.settings.data == troubled.folder:
            raise ValueError
        deal_with(work, *about)

    monkeypatch.setattr(mailroom, "deal_with", deal)
    troubled.desk = replace(troubled.desk, troubled=trouble)
    process_letters(troubled.desk)
    assert [letter.state for letter in troubled.letters()] == [LetterState.DONE]
    assert not troubled.log("quarantine")
    assert troubled.game().status is GameStatus.RUNNING


def test_a_turn_that_concerns_more_than_its_game_is_resolved_alone_before_a_letter_of_the_next(
    new_desk: NewDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = new_desk()
    world.count()
    report, lanes = advance.report_all, list[int | None]()

    def for_all(work: Transaction) -> None:
        lanes.append(work.lane)
        work.must_be_alone()
        report(work)

    monkeypatch.setattr(advance, "report_all", for_all)
    for seat in (*NAMES, "Altair"):
        world.now += SECOND
        world.arrive(world.letter(seat, "Add 2"))
    world.now += SECOND
    world.read_mailbox()
    (game,) = assign_lanes(world.desk)
    assert process_letters_of(world.desk, game) == 4
    assert lanes == [game, None]
    assert (world.game().step, world.sheet("Altair")) == (1, ["Add 2"])


def test_a_line_of_the_log_that_is_committed_late_is_not_lost(new_desk: NewDesk, tmp_path: Path) -> None:
    """One has written its line, and has not committed it; if the next could be committed before, whoever writes the file would
    go on after that."""
    late, early = new_desk(), new_desk()
    file = tmp_path / "dashboard.log"
    written, done = threading.Event(), threading.Event()

    @event.listens_for(late.desk.engine, "commit")
    def _wait(_connection: object) -> None:  # pyright: ignore[reportUnusedFunction]
        if not written.is_set():
            written.set()
            done.wait(OVERLAP_SECONDS)

    def log(world: World, detail: str) -> None:
        with Transaction(world.desk, beside=True) as work:
            work.log("outbox", detail=detail)
        write_new_lines(world.desk.engine, file)

    def log_early() -> None:
        written.wait()
        log(early, "the second")
        done.set()

    at_once(lambda: log(late, "the first"), log_early)
    write_new_lines(late.desk.engine, file)
    for each in (file, file.with_suffix(".jsonl")):
        text = each.read_text()
        assert [text.count("the first"), text.count("the second")] == [1, 1]


def test_two_with_the_same_pictures_in_another_order_do_not_wait_for_each_other(new_desk: NewDesk) -> None:
    one, other = new_desk(), new_desk()
    one.count("galaxy-7")
    one.count("galaxy-8")
    assert other.rows(Picture) == []  # both are connected
    Rendezvous("INTO picture ", one, other)

    def queue(world: World, game: str, *pictures: bytes) -> None:
        with changing_games(world.desk, lane=one.game(game).id) as work:
            for number, picture in enumerate(pictures):
                key = f"{game} {number}"
                sent = {"kind": "report", "recipient": "a@players.test", "envelope_from": "", "message_id": f"<{key}>"}
                at = {"queued_at": work.now, "next_try_at": work.now}
                work.add(Outbox, key=key, game_id=work.lane, raw=b"", **sent, **at)
                keep_pictures(work, key, [Placed(0, picture)])
                work.write_rows()  # as a question about the mails does

    at_once(lambda: queue(one, "galaxy-7", b"one", b"two"), lambda: queue(other, "galaxy-8", b"two", b"one"))
    assert sorted(picture.data for picture in one.rows(Picture)) == [b"one", b"two"]
    assert len(one.rows(PictureInMail)) == 4
