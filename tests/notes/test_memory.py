"""What a witness signs, and what never."""

import json
import stat
from pathlib import Path

import pytest

from pbmd.notes.checkpoint import Checkpoint, cosignature_of, sign_checkpoint
from pbmd.notes.memory import Memory, Refusal, Vouched, locked_memory, new_memory, read_memory, vouch
from pbmd.notes.notes_in_mail import FoundNote
from pbmd.notes.signed_note import NoNote, Signer
from tests.notes.test_checkpoint import HOST, WITNESS

EMPTY = Memory(WITNESS, {})


def seen(size: int, head: str = "ab", signer: Signer = HOST, origin: str = HOST.name) -> FoundNote:
    said = Checkpoint(origin, size, head * 32)
    return FoundNote(sign_checkpoint(said, signer), said)


def sign(memory: Memory, found: FoundNote, signer: Signer = HOST, trouble: str = "") -> tuple[Memory, Vouched]:
    return vouch(memory, found, signer.verifier.named(found.checkpoint.origin), 7, lambda _before, _after: trouble)


def test_what_the_host_has_signed_is_signed_and_remembered() -> None:
    memory, vouched = sign(EMPTY, seen(3))
    assert vouched.is_first
    assert cosignature_of(vouched.note, WITNESS.verifier) is not None
    memory, vouched = sign(memory, seen(9, "cd"))
    assert (vouched.before, vouched.is_first) == (3, False)
    assert sorted(memory.logs[HOST.name].notes) == [3, 9]


def test_no_two_heads_have_one_number_and_both_are_given_as_proof() -> None:
    memory, _ = sign(EMPTY, seen(3))
    with pytest.raises(Refusal, match="two histories") as refusal:
        sign(memory, seen(3, "cd"))
    assert refusal.value.proof == (str(seen(3).note), str(seen(3, "cd").note))


def test_nor_has_an_older_one_after_others() -> None:
    memory, _ = sign(EMPTY, seen(3))
    memory, _ = sign(memory, seen(9))
    with pytest.raises(Refusal, match="two histories"):
        sign(memory, seen(3, "cd"))


def test_no_number_is_lower_than_the_last_but_one_that_was_signed_is_signed_again() -> None:
    memory, _ = sign(EMPTY, seen(9))
    with pytest.raises(Refusal, match="comes before 9"):
        sign(memory, seen(8))
    again, _ = sign(memory, seen(9))
    assert again == memory


def test_no_log_changes_its_key() -> None:
    memory, _ = sign(EMPTY, seen(3))
    other = Signer(HOST.name, b"o" * 32)
    with pytest.raises(Refusal, match="has another key than before"):
        sign(memory, seen(4, signer=other), other)


def test_what_is_not_signed_or_altered_is_not_signed() -> None:
    other = Signer(HOST.name, b"o" * 32)
    with pytest.raises(Refusal, match="not signed with the key"):
        sign(EMPTY, seen(3), other)
    said = Checkpoint(HOST.name, 3, "ab" * 32)
    altered = FoundNote(seen(4).note.__class__(str(said), seen(4).note.signatures), said)
    with pytest.raises(Refusal, match="does not hold"):
        sign(EMPTY, altered)


def test_what_an_archive_shows_not_to_follow_is_a_second_history() -> None:
    memory, _ = sign(EMPTY, seen(3), trouble="only asked about from the second on")
    with pytest.raises(Refusal, match="two histories: it does not") as refusal:
        sign(memory, seen(4), trouble="it does not")
    assert len(refusal.value.proof) == 2


def test_logs_are_told_apart() -> None:
    memory, _ = sign(EMPTY, seen(9))
    elsewhere = Signer("example.org/other/galaxy-7", b"o" * 32)
    memory, _ = sign(memory, seen(3, "cd", elsewhere, elsewhere.name), elsewhere)
    assert len(memory.logs) == 2


class TestTheFile:
    def test_is_the_owners_alone_and_has_all_of_it(self, tmp_path: Path) -> None:
        path = tmp_path / "witness.json"
        memory, _ = sign(new_memory(path, "example.net/alice"), seen(3))
        with locked_memory(path) as keep:
            keep(memory)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert read_memory(path) == memory
        assert [each.name for each in tmp_path.iterdir()] == ["witness.json"]

    def test_is_never_made_over_another(self, tmp_path: Path) -> None:
        path = tmp_path / "witness.json"
        new_memory(path, "alice")
        with pytest.raises(FileExistsError):
            new_memory(path, "alice")

    @pytest.mark.parametrize("text", ["", "[]", "{}", '{"name": "a b", "seed": "", "logs": {}}', '{"name": 1}', "[" * 100_000])
    def test_that_is_another_is_not_used(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "witness.json"
        path.write_text(text)
        with pytest.raises(NoNote):
            read_memory(path)

    def test_with_a_key_that_was_altered_is_not_used(self, tmp_path: Path) -> None:
        path = tmp_path / "witness.json"
        memory, _ = sign(new_memory(path, "alice"), seen(3))
        with locked_memory(path) as keep:
            keep(memory)
        document = json.loads(path.read_text())
        document["logs"][HOST.name]["key"] = str(WITNESS.verifier)[:-4]
        path.write_text(json.dumps(document))
        with pytest.raises(NoNote):
            read_memory(path)
