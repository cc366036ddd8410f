"""Mails of several journals of one name are not held against each other, and each seat's are its own, whoever has them."""

import re
from collections.abc import Callable, Iterator
from operator import attrgetter
from pathlib import Path
from unittest.mock import patch

import pytest
from sqlalchemy import text

from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.archive.evidence.mailbox import StoredMail
from pbmd.archive.evidence.witness import OTHER_GAME, Judged, judge
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.archive.format.entries import read_entries
from pbmd.desk.imports.game import go_on
from tests.archive.evidence.test_forks import DAY, Rewrite, as_it_came, begun, box, from_a_relay, held, turn, without_steps
from tests.archive.made import export, fitted, verified
from tests.desk.world import NAMES, World, opened


@pytest.fixture
def new_world(tmp_path: Path) -> Iterator[Callable[[], World]]:
    """Hosts with one server key, each of which draws other secrets."""
    worlds: list[World] = []

    def new() -> World:
        folder = tmp_path / f"world-{len(worlds)}"
        folder.mkdir()
        worlds.append(World(folder))
        worlds[-1].desk.entropy.drawn += 1000 * len(worlds)  # pyright: ignore[reportFunctionMemberAccess, reportAttributeAccessIssue]
        return worlds[-1]

    yield new
    for world in worlds:
        world.close()


@pytest.fixture
def moved(new_world: Callable[[], World], tmp_path: Path) -> tuple[World, World, Path]:
    return move(new_world, tmp_path)


def move(new_world: Callable[[], World], tmp_path: Path) -> tuple[World, World, Path]:
    """A game that goes on under its old name, with the old server key, since the ledger was lost; and its new archive."""
    old, new = begun(new_world()), new_world()
    turn(old)
    turn(old)
    archive = export(old, tmp_path / "old")
    with new.work() as work:
        go_on(work, lambda: read_entries(archive / "data" / "journal.jsonl"), 3)
    turn(new)
    return old, new, export(new, tmp_path / "new", signed=True)


def judged(mails: list[bytes], archive: Path) -> Judged:
    stored = [(StoredMail(f"mail {place}"), claims_of_mail(raw)) for place, raw in enumerate(mails, 1)]
    return judge(stored, books_of_archive(archive / "data"))


class TestAGameThatGoesOnFromAnArchive:
    def test_under_its_old_name_is_no_second_history(self, moved: tuple[World, World, Path]) -> None:
        old, new, _ = moved
        agreement = held(*([*box(old, seat), *box(new, seat)] for seat in NAMES))
        assert agreement.disagreements == ()
        assert agreement.between > 10

    def test_behind_a_relay_is_none_either(self, moved: tuple[World, World, Path]) -> None:
        old, new, _ = moved
        assert held(*([*box(old, seat, from_a_relay), *box(new, seat, from_a_relay)] for seat in NAMES)).disagreements == ()

    def test_is_that_of_its_own_mails_only(self, moved: tuple[World, World, Path]) -> None:
        old, new, archive = moved
        before, since = box(old, "Altair"), box(new, "Altair")
        came = judged([*before, *since], archive)
        assert came.holds, [each for each in came.findings if not each.holds]
        left = [each for each in came.left_out if each.left_out == OTHER_GAME]
        assert (len(left), {each.why for each in left}) == (len(before), {"another journal of the name galaxy-7"})
        assert came.absent == ()

    def test_signs_under_a_name_of_its_own(self, moved: tuple[World, World, Path]) -> None:
        """So two honest notes that somebody hands on are no proof against the host."""
        old, new, archive = moved
        logs = [
            {found.checkpoint for mail in world.outbox("report") for found in claims_of_mail(mail.raw).checkpoints}
            for world in (old, new)
        ]
        ((first, _),), ((origin, game),) = ({(said.origin, said.game) for said in log} for log in logs)
        assert (re.fullmatch(r"pbmd\.test/games/galaxy-7~[0-9a-f]{12}", origin) is not None, game) == (True, "galaxy-7")
        assert first != origin
        findings = verified(archive)
        assert (findings.problems, origin in findings.signed) == ([], True)

    @pytest.mark.parametrize("rewrite", [as_it_came, from_a_relay])
    def test_of_an_older_pbmd_had_the_name_of_before(
        self, new_world: Callable[[], World], tmp_path: Path, rewrite: Rewrite
    ) -> None:
        """Its mails are parted by what they tell, and a note alone by nothing."""
        with patch("pbmd.desk.books.checkpoints.journal_name", attrgetter("name")):
            old, new, _ = move(new_world, tmp_path)
        mails = [[*box(old, seat, rewrite), *box(new, seat, rewrite)] for seat in NAMES]
        assert {found.checkpoint.origin for raw in mails[0] for found in claims_of_mail(raw).checkpoints} == {
            "pbmd.test/games/galaxy-7"
        }
        agreement = held(*mails)
        assert (agreement.disagreements, agreement.between > 10) == ((), True)

    def test_can_be_forked_as_any_other(self, moved: tuple[World, World, Path]) -> None:
        """That a mail tells of a new beginning does not excuse two of them."""
        old, new, _ = moved
        turn(new, letters=3)
        one = [*box(old, "Altair"), *box(new, "Altair")]
        report = opened(new.outbox("report", "Borealis")[-1].raw)
        head = claims_of_mail(report).checkpoints[0].checkpoint.head.encode()
        other = [without_steps(raw.replace(head, b"ab" * 32)) for raw in [*box(old, "Borealis"), *box(new, "Borealis")]]
        assert "chain head in the reports of turn 4" in {each.about for each in held(one, other).disagreements}


class TestTwoHosts:
    def test_with_games_of_one_name_are_two_games(self, new_world: Callable[[], World]) -> None:
        here, there = begun(new_world()), new_world()
        there.now += DAY
        begun(there)
        turn(here)
        turn(there, 2)
        elsewhere = [raw.replace(b"pbmd.test", b"club.test") for raw in box(there, "Altair")]
        assert held([*box(here, "Altair"), *elsewhere]).disagreements == ()

    def test_an_answer_of_one_is_not_held_against_the_books_of_the_other(
        self, new_world: Callable[[], World], tmp_path: Path
    ) -> None:
        here, there = begun(new_world()), new_world()
        there.now += DAY
        begun(there)
        turn(here)
        turn(there, 2)
        there.send("Altair", "HELP")
        assert not claims_of_mail(opened(there.outbox("acknowledgement", "Altair")[-1].raw)).says_anything
        elsewhere = [raw.replace(b"pbmd.test", b"club.test") for raw in box(there, "Altair")]
        came = judged([*box(here, "Altair"), *elsewhere], export(here, tmp_path / "here"))
        assert [each.left_out for each in came.looked][-len(elsewhere) :] == [OTHER_GAME] * len(elsewhere)
        assert came.unheld == []

    def test_who_are_one_are_found(self, new_world: Callable[[], World]) -> None:
        """A host who goes on from another address with one player shares the past with itself."""
        here = begun(new_world())
        turn(here)
        turn(here)
        report = opened(here.outbox("report", "Borealis")[-1].raw)
        head = claims_of_mail(report).checkpoints[0].checkpoint.head.encode()
        other = [*box(here, "Borealis")[:-1], report.replace(b"pbmd.test", b"club.test").replace(head, b"ab" * 32)]
        assert "chain head in the reports of turn 2" in {each.about for each in held(box(here, "Altair"), other).disagreements}


class TestOneAddress:
    def test_with_two_seats_has_the_reports_of_both(self, new_world: Callable[[], World]) -> None:
        world = begun(new_world())
        with world.desk.engine.begin() as connection:
            connection.execute(text("UPDATE seat SET address = 'altair@players.test' WHERE name = 'Borealis'"))
            connection.execute(text("UPDATE game SET digests = '{}'"))
        turn(world)
        turn(world)
        agreement = held(box(world, "Altair"))
        assert agreement.disagreements == ()
        assert agreement.compared > 0

    def test_that_got_a_report_twice_with_other_words_shows_it(self, new_world: Callable[[], World]) -> None:
        world = begun(new_world())
        turn(world)
        report = opened(world.outbox("report", "Altair")[-1].raw)
        other = report.replace(b"added Altair", b"added Altaix")
        (found,) = held([report, fitted(other)]).disagreements
        assert found.about == "report of turn 1 for altair@players.test"
        both = {found.about, "words of the report of turn 1"}
        assert {each.about for each in held([report, other]).disagreements} == both, "nor does its file fit it"
