"""What `verify` finds out about the signatures under a journal: the host's, and in archives of pbmd 1.0 those of witnesses and
stamps of outside services. ``old/witnessed.tar.xz`` is such an archive: Bob vouches for the second report, Alice for the third.
"""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import tomli_w

from pbmd.archive.format.audience import TO_PUBLIC
from pbmd.archive.format.findings import Findings
from pbmd.desk.books.checkpoints import journal_name, signer_of
from pbmd.desk.books.transaction import Transaction
from pbmd.notes.checkpoint import Checkpoint, read_checkpoint, sign_checkpoint
from pbmd.notes.signed_note import Signer
from tests.archive.made import export, kept, seal_again, verified
from tests.archive.samples import unpack
from tests.archive.write.test_export import toml
from tests.desk.visitors.test_serve import finish_the_turn
from tests.desk.world import World

OLD = Path(__file__).parents[1] / "old" / "witnessed.tar.xz"
ALICE, BOB = "w/alice0+69b8f78d+", "w/bobby0+7c4511c8+"


@pytest.fixture
def played(world: World) -> World:
    """A game of three turns."""
    world.as_ever("three turns", lambda: three_turns(world))
    return world


def three_turns(world: World) -> None:
    world.start(ruleset="count", options={"target": 1000}, reminders=())
    for _ in range(3):
        finish_the_turn(world)


@pytest.fixture
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    def make() -> Path:
        return export(request.getfixturevalue("played"), tmp_path / "made", signed=True)

    return kept("three turns, signed", make, tmp_path / "archive")


@pytest.fixture
def witnessed(tmp_path: Path) -> Path:
    return unpack(OLD, tmp_path)


def test_it_says_who_has_signed_up_to_where(played: World, archive: Path) -> None:
    findings = verified(archive)
    assert [str(each) for each in findings.problems] == []
    entries = toml(archive / "data" / "game.toml")["journal"]["entries"]
    assert findings.signed == f"up to entry {entries}, with {signer_in(played).verifier}"


def test_one_for_the_public_has_the_same(played: World, tmp_path: Path) -> None:
    findings = verified(export(played, tmp_path / "public", audience=TO_PUBLIC, signed=True))
    assert (findings.problems, bool(findings.signed)) == ([], True)


def test_one_without_names_has_none_of_it(played: World, tmp_path: Path) -> None:
    archive = export(played, tmp_path / "anonymised", anonymised=True, signed=True)
    assert not (archive / "data" / "checkpoint.txt").exists()
    assert "key" not in toml(archive / "data" / "game.toml")["journal"]
    assert verified(archive).problems == []


def test_one_of_before_says_who_vouches_up_to_where(witnessed: Path) -> None:
    findings = verified(witnessed)
    assert [str(each) for each in findings.problems] == []
    assert [each.split(": ")[0] for each in findings.vouched] == ["up to entry 9", "up to entry 17"]
    assert [each.split(": ")[1].startswith(key) for each, key in zip(findings.vouched, (BOB, ALICE), strict=True)] == [
        True,
        True,
    ]
    assert all(each.endswith("2026-11-20 12:00:00 UTC") for each in findings.vouched)
    assert any("openssl ts -verify" in each for each in findings.unchecked)


def test_a_key_that_is_known_must_be_the_one(played: World, archive: Path) -> None:
    key = signer_of(played.desk, "galaxy-7").verifier
    assert verified(archive, [key]).problems == []
    [problem] = verified(archive, [Signer(key.name, b"o" * 32).verifier]).problems
    assert "not the one that was given" in problem.problem
    unsigned = verified(export(played, archive.parent / "unsigned"), [key])
    assert "no signed checkpoint" in unsigned.problems[0].problem


def changed(archive: Path, path: str, change: Callable[[str], str]) -> Findings:
    file = archive / "data" / path
    file.write_text(change(file.read_text()))
    seal_again(archive)
    return verified(archive)


def signer_in(world: World) -> Signer:
    """Who signs the journal of the game there."""
    with Transaction(world.desk, reads=True) as work:
        table = work.table_named("galaxy-7")
        assert table is not None
        return signer_of(world.desk, journal_name(table.game))


def other_head(signer: Signer) -> Callable[[str], str]:
    def change(said: str) -> str:
        checkpoint = read_checkpoint(said)[1]
        return str(sign_checkpoint(Checkpoint(checkpoint.origin, checkpoint.size, "cd" * 32), signer))

    return change


class TestForgeries:
    def test_a_checkpoint_of_another_key_is_found(self, archive: Path) -> None:
        mallory = Signer("pbmd.test/games/galaxy-7", b"m" * 32)
        [problem] = changed(archive, "checkpoint.txt", other_head(mallory)).problems
        assert "not signed with the key of this archive" in problem.problem

    def test_one_of_another_end_is_found(self, played: World, archive: Path) -> None:
        [problem] = changed(archive, "checkpoint.txt", other_head(signer_in(played))).problems
        assert "not that of the end of this journal" in problem.problem

    def test_one_that_is_gone_is_missed(self, archive: Path) -> None:
        (archive / "data" / "checkpoint.txt").unlink()
        seal_again(archive)
        assert [(each.file, each.problem) for each in verified(archive).problems] == [("data/checkpoint.txt", "it is missing")]

    @pytest.mark.parametrize("path", ["witnessed/001.txt", "stamps/000005.txt"])
    def test_a_second_history_is_found_by_what_witnesses_have_signed(self, world: World, witnessed: Path, path: str) -> None:
        """The host has the key, and writes everything anew; what others have signed it cannot."""
        problems = changed(witnessed, path, other_head(signer_of(world.desk, "galaxy-7"))).problems
        assert [each.problem.partition(",")[0] for each in problems] == ["two histories"]
        assert "cd" * 32 in problems[0].found

    def test_a_cosignature_that_was_altered_is_found(self, witnessed: Path) -> None:
        def change(said: str) -> str:
            text, mark, line = said.rpartition("— ")
            return f"{text}{mark}{line[:-12]}{'AAAA' if line[-12:-8] != 'AAAA' else 'BBBB'}{line[-8:]}"

        [problem] = changed(witnessed, "witnessed/002.txt", change).problems
        assert "cosignature of w/alice0 does not hold" in problem.problem

    def test_a_witness_whose_key_is_not_there_is_not_believed(self, witnessed: Path) -> None:
        game = witnessed / "data" / "game.toml"
        document = tomllib.loads(game.read_text())
        document["journal"]["witnesses"].pop(1)
        game.write_text(tomli_w.dumps(document))
        seal_again(witnessed)
        findings = verified(witnessed)
        assert len(findings.vouched) == 1
        assert any("of keys that game.toml does not have" in each for each in findings.unchecked)

    @pytest.mark.parametrize(
        ("key", "value"), [("key", "x"), ("key", 7), ("witnesses", "x"), ("witnesses", [7]), ("witnesses", ["x"] * 200)]
    )
    def test_a_key_that_is_none_stops_nothing(self, archive: Path, key: str, value: object) -> None:
        game = archive / "data" / "game.toml"
        document = tomllib.loads(game.read_text())
        document["journal"][key] = value
        game.write_text(tomli_w.dumps(document))
        seal_again(archive)
        assert "data/game.toml" in {each.file for each in verified(archive).problems}

    def test_a_proof_of_nothing_is_found(self, witnessed: Path) -> None:
        next((witnessed / "data" / "stamps").glob("*.txt")).unlink()
        seal_again(witnessed)
        assert any("missing" in each.problem for each in verified(witnessed).problems)
