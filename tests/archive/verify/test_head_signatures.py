"""What `verify` finds out about the signatures under a journal: the host's, those of witnesses, and stamps."""

import shutil
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import tomli_w

from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.archive.format.audience import TO_PUBLIC
from pbmd.archive.format.findings import Findings
from pbmd.archive.verify.consistency import heads_of, trouble_between
from pbmd.desk.books.checkpoints import signer_of
from pbmd.desk.changes.witnesses import keep_witnesses
from pbmd.desk.publish.stamps import stamp_due
from pbmd.notes.checkpoint import Checkpoint, cosign, read_checkpoint, sign_checkpoint
from pbmd.notes.notes_in_mail import FoundNote
from pbmd.notes.signed_note import COSIGNATURE, Signer, verifier_of
from tests.archive.made import export, kept, seal_again, verified
from tests.archive.write.test_export import toml
from tests.desk.visitors.test_serve import finish_the_turn
from tests.desk.world import World

ALICE, BOB = (Signer(name, name.encode() * 4, COSIGNATURE) for name in ("w/alice0", "w/bobby0"))
AT = 1_795_176_000
STAMP = (sys.executable, "-S", "-c", "import sys; sys.stdout.buffer.write(b'proof of ' + sys.stdin.buffer.readline())")


@pytest.fixture
def played(world: World) -> World:
    """A game of three turns; Alice vouches for the second report, Bob, too, and Alice for the third."""
    world.as_ever("three turns with witnesses and stamps", lambda: witnessed(world))
    return world


def witnessed(world: World) -> None:
    world.settle(stamp={"command": STAMP})
    world.start(ruleset="count", options={"target": 1000}, reminders=())
    for witnesses in ((ALICE, BOB), (), (ALICE,)):
        finish_the_turn(world)
        found = claims_of_mail(world.outbox("report", "Altair")[-1].raw).checkpoints[0]
        note = found.note.with_signatures([cosign(found.note, each, AT) for each in witnesses])
        if witnesses:
            world.act("galaxy-7", keep_witnesses, FoundNote(note, found.checkpoint), [each.verifier for each in witnesses])
    assert stamp_due(world.desk) == 4


@pytest.fixture
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    def make() -> Path:
        return export(request.getfixturevalue("played"), tmp_path / "made", signed=True)

    return kept("three turns with witnesses and stamps", make, tmp_path / "archive")


def test_it_says_who_has_signed_up_to_where(played: World, archive: Path) -> None:
    findings = verified(archive)
    assert [str(each) for each in findings.problems] == []
    entries = toml(archive / "data" / "game.toml")["journal"]["entries"]
    assert findings.signed == f"up to entry {entries}, with {signer_of(played.desk, 'galaxy-7').verifier}"
    assert [(each.split(":")[0].split()[-1], each.split(" who says")[0].split()[-1]) for each in findings.vouched] == [
        (str(read_checkpoint(path.read_text())[1].size), f"{witness.verifier},")
        for path, witness in zip(sorted((archive / "data" / "witnessed").iterdir()), (BOB, ALICE), strict=True)
    ]
    assert all(each.endswith("2026-11-20 12:00:00 UTC") for each in findings.vouched)
    assert any("openssl ts -verify" in each for each in findings.unchecked)


def test_one_for_the_public_has_the_same(played: World, tmp_path: Path) -> None:
    archive = export(played, tmp_path / "public", audience=TO_PUBLIC, signed=True)
    findings = verified(archive)
    assert (findings.problems, len(findings.vouched), bool(findings.signed)) == ([], 2, True)


def test_one_without_names_has_none_of_it(played: World, tmp_path: Path) -> None:
    archive = export(played, tmp_path / "anonymised", anonymised=True, signed=True)
    assert not [path for path in (archive / "data").iterdir() if path.name in ("checkpoint.txt", "witnessed", "stamps")]
    assert "key" not in toml(archive / "data" / "game.toml")["journal"]
    assert "w/alice0" not in (archive / "data" / "game.toml").read_text()
    assert verified(archive).problems == []
    shutil.copytree(export(played, tmp_path / "all", signed=True) / "data" / "witnessed", archive / "data" / "witnessed")
    seal_again(archive)
    assert any("no such file" in each.problem for each in verified(archive).problems)


def test_a_key_that_is_known_must_be_the_one(played: World, archive: Path) -> None:
    key = signer_of(played.desk, "galaxy-7").verifier
    assert verified(archive, [key]).problems == []
    [problem] = verified(archive, [Signer(key.name, b"o" * 32).verifier]).problems
    assert "not the one that was given" in problem.problem
    unsigned = verified(export(played, archive.parent / "unsigned"), [key])
    assert "no signed checkpoint" in unsigned.problems[0].problem


def test_a_head_that_comes_later_than_the_archive_is_not_in_it(played: World, tmp_path: Path) -> None:
    """That of a running game ends with its last turn."""
    played.send("Altair", "Add 3")
    found = claims_of_mail(played.outbox("report", "Altair")[-1].raw).checkpoints[0].checkpoint
    game = played.game()
    assert game.chain_number > found.size
    signer = signer_of(played.desk, "galaxy-7")
    said = Checkpoint(signer.name, game.chain_number, game.chain_head)
    note = sign_checkpoint(said, signer)
    played.act("galaxy-7", keep_witnesses, FoundNote(note.with_signatures([cosign(note, BOB, AT)]), said), [BOB.verifier])
    archive = export(played, tmp_path / "archive", signed=True)
    assert str(BOB.verifier) not in (archive / "data" / "game.toml").read_text()
    assert verified(archive).problems == []


def changed(archive: Path, path: str, change: Callable[[str], str]) -> Findings:
    file = archive / "data" / path
    file.write_text(change(file.read_text()))
    seal_again(archive)
    return verified(archive)


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
        [problem] = changed(archive, "checkpoint.txt", other_head(signer_of(played.desk, "galaxy-7"))).problems
        assert "not that of the end of this journal" in problem.problem

    def test_one_that_is_gone_is_missed(self, archive: Path) -> None:
        (archive / "data" / "checkpoint.txt").unlink()
        seal_again(archive)
        assert [(each.file, each.problem) for each in verified(archive).problems] == [("data/checkpoint.txt", "it is missing")]

    @pytest.mark.parametrize("path", ["witnessed/001.txt", "stamps/000005.txt"])
    def test_a_second_history_is_found_by_what_witnesses_have_signed(self, played: World, archive: Path, path: str) -> None:
        """The host has the key, and writes everything anew; what others have signed it cannot."""
        problems = changed(archive, path, other_head(signer_of(played.desk, "galaxy-7"))).problems
        assert [each.problem.partition(",")[0] for each in problems] == ["two histories"]
        assert "cd" * 32 in problems[0].found

    def test_a_cosignature_that_was_altered_is_found(self, archive: Path) -> None:
        def change(said: str) -> str:
            text, mark, line = said.rpartition("— ")
            return f"{text}{mark}{line[:-12]}{'AAAA' if line[-12:-8] != 'AAAA' else 'BBBB'}{line[-8:]}"

        [problem] = changed(archive, "witnessed/002.txt", change).problems
        assert "cosignature of w/alice0 does not hold" in problem.problem

    def test_a_witness_whose_key_is_not_there_is_not_believed(self, archive: Path) -> None:
        game = archive / "data" / "game.toml"
        document = tomllib.loads(game.read_text())
        document["journal"]["witnesses"].remove(str(BOB.verifier))
        game.write_text(tomli_w.dumps(document))
        seal_again(archive)
        findings = verified(archive)
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

    def test_a_proof_of_nothing_is_found(self, archive: Path) -> None:
        next((archive / "data" / "stamps").glob("*.txt")).unlink()
        seal_again(archive)
        assert any("missing" in each.problem for each in verified(archive).problems)


def test_an_archive_shows_whether_a_head_follows_from_another(archive: Path) -> None:
    heads = heads_of(archive)
    first, *_, last = heads
    assert trouble_between(heads, first, last) == ""
    assert "before the one" in trouble_between(heads, last, first)
    assert "has not this head" in trouble_between(heads, first, "ab" * 32)
    assert "signed before" in trouble_between(heads, "ab" * 32, last)


def test_the_proofs_are_there_as_they_came(archive: Path) -> None:
    proofs = sorted((archive / "data" / "stamps").glob("*.proof"))
    assert [path.read_bytes() for path in proofs] == [b"proof of pbmd.test/games/galaxy-7\n"] * 4
    key = verifier_of(toml(archive / "data" / "game.toml")["journal"]["key"])
    assert [read_checkpoint(path.with_suffix(".txt").read_text())[1].origin for path in proofs] == [key.name] * 4
