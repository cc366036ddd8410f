"""What `pbmd verify` says of votes: an honest one comes out again, and one that was counted wrongly is found."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbmd.archive.format.audience import ALL, audience_of
from tests.archive.made import derive_again, export, forge, kept, verified
from tests.desk.world import NAMES, World

Entries = list[dict[str, Any]]
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def play(world: World, **terms: Any) -> None:
    """A vote that passes, one that fails, one that is stopped; then a turn, and a draw."""
    world.count(votes="all", deadline="240h", **terms)
    world.send("Altair", "PROPOSE EXTENSION 24h")
    for seat in ("Borealis", "Cygnus"):
        world.send(seat, "VOTE YES")
    world.now += HOUR
    world.send("Borealis", "PROPOSE CANCEL")
    world.send("Altair", "VOTE NO")
    world.pass_time(4 * DAY)
    world.send("Cygnus", "PROPOSE REPLACE Altair")
    world.master("VETO 3")
    world.send("Cygnus", "PROPOSE PAUSE FOR 5 days")
    for seat in ("Altair", "Borealis"):
        world.send(seat, "VOTE YES")
    world.pass_time(5 * DAY)
    for seat in NAMES:
        world.send(seat, "Add 1")
    world.pass_time(HOUR)
    world.send("Altair", "PROPOSE DRAW")
    for seat in ("Cygnus", "Borealis"):
        world.send(seat, "VOTE YES")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    (tmp_path / "desk").mkdir()
    with closing(World(tmp_path / "desk")) as world:
        yield world


@pytest.fixture
def archive(world: World, tmp_path: Path) -> Path:
    def make() -> Path:
        play(world)
        return export(world, tmp_path / "made")

    return kept("votes", make, tmp_path / "archive")


def problems(archive: Path) -> list[str]:
    return [problem.problem for problem in verified(archive).problems]


def of_kind(entries: Entries, kind: str, vote: int) -> list[dict[str, Any]]:
    return [entry for entry in entries if entry["kind"] == kind and entry["public"].get("vote") == vote]


def forged(archive: Path, change: Callable[[Entries], Any]) -> list[str]:
    forge(archive, lambda entries: change(entries) and None)
    derive_again(archive)
    return problems(archive)


@pytest.mark.parametrize("ballots", ["secret", "open"])
@pytest.mark.parametrize("failed", ["told", "untold"])
def test_honest_votes_come_out_again(world: World, tmp_path: Path, ballots: str, failed: str) -> None:
    play(world, vote_ballots=ballots, failed_votes=failed)
    found = verified(export(world, tmp_path / "archive"))
    assert found.problems == []
    assert found.checked["votes of players"] == 4


@pytest.mark.parametrize("view", ["public", "seat:Borealis"])
def test_who_sees_not_all_ballots_is_told_that_they_were_not_counted(world: World, tmp_path: Path, view: str) -> None:
    play(world)
    found = verified(export(world, tmp_path / "archive", audience=audience_of(view, NAMES)))
    assert found.problems == []
    assert "4 votes of players were not counted again, since not all ballots are shown." in found.unchecked


def test_open_votes_are_counted_by_anybody(world: World, tmp_path: Path) -> None:
    play(world, vote_ballots="open")
    found = verified(export(world, tmp_path / "archive", audience=audience_of("public", NAMES)))
    assert (found.problems, found.checked["votes of players"]) == ([], 4)


def test_the_archive_of_an_anonymised_game_holds(world: World, tmp_path: Path) -> None:
    play(world)
    found = verified(export(world, tmp_path / "archive", audience=ALL, anonymised=True))
    assert found.problems == []


def _without_a_ballot(entries: Entries) -> None:
    entries.remove(of_kind(entries, "ballot", 1)[0])


def _other_ballot(entries: Entries) -> None:
    of_kind(entries, "ballot", 1)[0]["secret"]["answer"] = "no"


def _called_failed(entries: Entries) -> None:
    """And so nothing was done."""
    of_kind(entries, "voted", 1)[0]["public"]["result"] = "failed"
    entries.remove(next(entry for entry in entries if entry["kind"] == "extended"))


def _called_passed(entries: Entries) -> None:
    of_kind(entries, "voted", 2)[0]["public"]["result"] = "passed"


def _not_done(entries: Entries) -> None:
    entries.remove(next(entry for entry in entries if entry["kind"] == "extended"))


def _less_done(entries: Entries) -> None:
    next(entry for entry in entries if entry["kind"] == "extended")["public"]["minutes"] = 60


def _fewer_voters(entries: Entries) -> None:
    of_kind(entries, "voted", 2)[0]["public"] |= {"voters": ["Borealis"], "result": "passed"}


def _other_quorum(entries: Entries) -> None:
    of_kind(entries, "proposed", 2)[0]["public"]["quorum"] = 30


def _too_late(entries: Entries) -> None:
    of_kind(entries, "ballot", 1)[0]["secret"]["arrived"] = "2026-11-30T12:00:00.000000Z"


def _never_over(entries: Entries) -> None:
    entries.remove(of_kind(entries, "voted", 2)[0])


def _ended(entries: Entries) -> None:
    of_kind(entries, "voted", 2)[0]["public"]["result"] = "ended"


def _another_end(entries: Entries) -> None:
    end = next(entry for entry in entries if entry["kind"] == "finished")
    del end["public"]["draw"]


@pytest.mark.parametrize(
    ("cheat", "words"),
    [
        (_without_a_ballot, "vote 1 is called passed, and by its ballots it was not decided yet"),
        (_other_ballot, "vote 1 is called passed, and by its ballots it had failed"),
        (_called_failed, "vote 1 is called failed, and by its ballots it had passed"),
        (_called_passed, "vote 2 is called passed, and by its ballots it had failed"),
        (_not_done, "vote 1 has passed, and what it was about was not done"),
        (_less_done, "vote 1 has passed, and what it was about was not done"),
        (_fewer_voters, "those who could vote in vote 2 are not those who played then"),
        (_other_quorum, "vote 2 has not the time, the quorum or the secrecy that the terms promise"),
        (_too_late, "a ballot that came too late was counted in vote 1"),
        (_never_over, "vote 2 was never decided, though its time was over"),
        (_ended, "vote 2 was ended, and the game went on"),
        (_another_end, "vote 5 has passed, and what it was about was not done"),
    ],
    ids=lambda value: value.__name__.strip("_") if callable(value) else "",
)
def test_a_vote_that_was_tampered_with_is_found(archive: Path, cheat: Callable[[Entries], None], words: str) -> None:
    assert words in forged(archive, cheat)
