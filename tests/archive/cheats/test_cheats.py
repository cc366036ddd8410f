"""Each way to cheat, and what the commands say of it, held against the table."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbmd.archive.ground.books import books_of_archive
from pbmd.archive.receipt.claims import claims_of_mail
from pbmd.archive.receipt.mailbox import Kept
from pbmd.archive.receipt.witness import Judged, Mail, judge
from pbmd.cli import app
from tests.archive.cheats.played import CHEATED, LOOKS_ON, Evidence, Played
from tests.archive.cheats.table import CHEATS, Cheat
from tests.archive.made import verified

ALL = [cheat for _, cheats in CHEATS for cheat in cheats]
_claims = cache(claims_of_mail)


@dataclass(frozen=True)
class Said:
    """What was found wrong with some mails, in words, what they were `told` besides, and whether they disagree with each
    other."""

    wrong: Sequence[str]
    told: Sequence[str]
    disagree: bool


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    with closing(Played(tmp_path_factory.mktemp("cheats"))) as played:
        yield played


def compared(evidence: Evidence, *seats: str) -> Said:
    """What `pbmd compare` finds with the mails of these seats, and the archive that the first was given."""
    archive = evidence.theirs.get(seats[0], evidence.archive)
    mails: list[Mail] = [
        (Kept(f"{seat}, mail {place}"), _claims(raw)) for seat in seats for place, raw in enumerate(evidence.mails[seat], 1)
    ]
    return _said(judge(mails, books_of_archive(archive / "data")))


def _said(judged: Judged) -> Said:
    disagree = [f"two histories: {each.about}: {each.words}" for each in judged.agreement.disagreements]
    found = [f"{each.what}: {each.words}" for each in judged.findings if each.holds is False]
    unsure = [f"{each.what}: {each.words}" for each in judged.findings if each.holds is None]
    return Said([*disagree, *found], [*unsure, *judged.absent], bool(disagree))


def test_the_honest_game_is_sound_for_all(played: Played) -> None:
    evidence = Evidence(played.archive, played.mails)
    assert verified(played.archive).problems == []
    for seats in ((LOOKS_ON,), (CHEATED,), (LOOKS_ON, CHEATED)):
        assert compared(evidence, *seats) == Said([], [], disagree=False)


def test_a_game_played_again_without_a_cheat_is_the_same(played: Played) -> None:
    """So it is the cheat that is found, and not that the game was played again."""
    again = played.again("b2")
    assert again.mails == played.mails
    assert (again.archive / "data" / "journal.jsonl").read_bytes() == (played.archive / "data" / "journal.jsonl").read_bytes()


@pytest.mark.parametrize("cheat", ALL, ids=lambda cheat: cheat.host.__name__)
def test_a_cheat_is_found_by_whom_the_table_says(played: Played, cheat: Cheat) -> None:
    evidence = cheat.host(played)
    findings = verified(evidence.archive)
    problems = [f"{problem.file}: {problem.problem}" for problem in findings.problems]
    assert bool(problems) == bool(cheat.verify), problems
    assert any(cheat.verify in problem for problem in problems) or not cheat.verify, problems
    looks_on, cheated, both = (compared(evidence, *seats) for seats in ((LOOKS_ON,), (CHEATED,), (LOOKS_ON, CHEATED)))
    found = {"any": (True, True, True), "cheated": (False, True, True), "two": (False, False, True)}[cheat.whose]
    assert [bool(said.wrong) for said in (looks_on, cheated, both)] == [each and bool(cheat.mails) for each in found]
    assert any(cheat.mails in words for words in both.wrong) or not cheat.mails, both.wrong
    assert (cheated.disagree, both.disagree) == (cheat.without == "one", cheat.without in ("one", "two"))
    said = cheated.told if cheat.told_by == "compare" else [*findings.unchecked, *findings.unbound]
    assert not cheat.told or any(cheat.told in words for words in said), said


def test_what_nobody_finds_is_named_as_such() -> None:
    for cheat in ALL:
        assert bool(cheat.left) == (not cheat.verify and not cheat.mails), cheat.does


def test_there_are_many_and_no_two_are_the_same() -> None:
    assert len(ALL) >= 25
    assert len({cheat.does for cheat in ALL}) == len({cheat.host for cheat in ALL}) == len(ALL)


def test_a_fork_is_found_by_the_command_and_both_mails_are_named(played: Played, tmp_path: Path) -> None:
    """The table is about what the command finds, so once through its door."""
    evidence = next(cheat for cheat in ALL if cheat.whose == "two").host(played)
    for seat in (LOOKS_ON, CHEATED):
        (tmp_path / seat).mkdir()
        for place, raw in enumerate(evidence.mails[seat]):
            (tmp_path / seat / f"{place}.eml").write_bytes(raw)
    done = CliRunner().invoke(app, ["compare", str(tmp_path / LOOKS_ON), str(tmp_path / CHEATED)])
    last = done.stdout.splitlines()[-1]
    assert (done.exit_code, last.startswith("These mails tell two histories.")) == (1, True)
    assert str(tmp_path / LOOKS_ON) in last
    assert str(tmp_path / CHEATED) in last
