"""Each way to cheat, and what the commands say of it, held against the table."""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbmd.archive.evidence.claims import claims_of_note
from pbmd.archive.evidence.mailbox import StoredMail
from pbmd.archive.evidence.witness import Judged, Mail, judge
from pbmd.cli import app
from pbmd.cli.kept_mails import skipped_lines
from tests.archive.cheats import hosts, judged
from tests.archive.cheats.played import CHEATED, LOOKS_ON, Evidence, Played, go_on
from tests.archive.cheats.table import CHEATS, Cheat, Limit
from tests.archive.made import export, verified
from tests.deploy.test_verify_dice import run
from tests.docs.cheats_table import FILE

ALL = [cheat for _, cheats in CHEATS for cheat in cheats]


@dataclass(frozen=True)
class Said:
    """What was found wrong with some mails, in words, what they were `told` besides, whether they disagree with each other, and
    whether that is signed."""

    wrong: Sequence[str]
    told: Sequence[str]
    disagree: bool
    proved: bool = False


@pytest.fixture(scope="module", autouse=True)
def _each_is_examined_once() -> Iterator[None]:
    with judged.each_examined_once():
        yield


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    with closing(Played(tmp_path_factory.mktemp("cheats"))) as played:
        yield played


def compared(evidence: Evidence, *seats: str) -> Said:
    """What `pbmd compare` finds with the mails of these seats, and the archive that the first was given."""
    archive = evidence.theirs.get(seats[0], evidence.archive)
    mails: list[Mail] = [
        (StoredMail(f"{seat}, mail {place}"), judged.claims(raw))
        for seat in seats
        for place, raw in enumerate(evidence.mails[seat], 1)
    ]
    return _said(judge(mails, judged.books(archive / "data")))


def _said(found: Judged) -> Said:
    disagree = [f"two histories: {each.about}: {each.words}" for each in found.agreement.disagreements]
    wrong = [f"{each.what}: {each.words}" for each in found.findings if each.holds is False]
    unsure = [f"{each.what}: {each.words}" for each in found.findings if each.holds is None]
    proved = any(each.notes for each in found.agreement.disagreements)
    skipped = [line for line in skipped_lines(found) if "no answers come" in line or "further words" in line]
    return Said([*disagree, *wrong], [*unsure, *found.absent, *skipped, *found.unheld], bool(disagree), proved)


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


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("cheat", ALL, ids=lambda cheat: cheat.host.__name__)
def test_a_cheat_is_found_by_whom_the_table_says(played: Played, cheat: Cheat) -> None:
    evidence = cheat.host(played)
    findings = verified(evidence.archive, trusting=cheat.trusting)
    problems = [f"{problem.file}: {problem.problem}" for problem in findings.problems]
    assert bool(problems) == bool(cheat.verify), problems
    assert any(cheat.verify in problem for problem in problems) or not cheat.verify, problems
    assert (run(evidence.archive)[0] == 1) == cheat.alone
    looks_on, cheated, both = (compared(evidence, *seats) for seats in ((LOOKS_ON,), (CHEATED,), (LOOKS_ON, CHEATED)))
    found = {"any": (True, True, True), "cheated": (False, True, True), "two": (False, False, True)}[cheat.whose]
    assert [bool(said.wrong) for said in (looks_on, cheated, both)] == [each and bool(cheat.mails) for each in found]
    assert any(cheat.mails in words for words in both.wrong) or not cheat.mails, both.wrong
    assert (cheated.disagree, both.disagree) == (cheat.without == "one", cheat.without in ("one", "two"))
    assert both.proved == cheat.proved
    said = cheated.told if cheat.told_by == "compare" else [*findings.remarks, findings.changed]
    assert not cheat.told or any(cheat.told in words for words in said), said


def test_the_signed_end_of_an_archive_and_the_mails_of_who_was_cheated_are_a_proof(played: Played) -> None:
    """So one player needs no other: pbmd compare takes the checkpoint of the archive beside the mails."""
    mails = hosts.forks(played).mails[CHEATED]
    with played.gone_back("turn 3") as world:
        go_on(world, "turn 3", {})
        archive = export(world, played.room() / "archive", signed=True)
    note = claims_of_note((archive / "data" / "checkpoint.txt").read_text())
    found = judge([(StoredMail("the archive"), note), *((StoredMail("a mail"), judged.claims(raw)) for raw in mails)])
    assert any(each.notes and {*each.mails} == {"the archive", "a mail"} for each in found.agreement.disagreements)


def test_what_nobody_finds_is_named_as_such() -> None:
    for cheat in ALL:
        assert bool(cheat.left) == (not cheat.verify and not cheat.mails), cheat.does
        assert (cheat.limit is not None) == (bool(cheat.left) and not cheat.told), cheat.does


def test_each_limit_of_a_cheat_stands_on_the_page_of_fairness_as_what_is_not_proved() -> None:
    _, _, behind = FILE.read_text(encoding="utf-8").partition("## What is not proved\n")
    bullets = re.findall(r"^- \*\*(.+?)\.?\*\*", behind.partition("\n## ")[0], re.MULTILINE)
    assert {limit.value for limit in Limit} <= {*bullets}
    assert {cheat.limit for cheat in ALL} - {None} == {*Limit}, "none is named in vain"


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
