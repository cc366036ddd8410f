"""Checkpoints and cosignatures in the form of the standards."""

import struct

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pbmd.notes.checkpoint import (
    LATEST,
    Checkpoint,
    checkpoint_of,
    cosignature_of,
    is_of_log,
    read_checkpoint,
    sign_checkpoint,
)
from pbmd.notes.signed_note import COSIGNATURE, NoNote, Signature, Signer
from tests.notes.cosigned import cosign, with_lines

STANDARD = """\
example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
{w}jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
""".replace("{w}", "— witness.example.com/w1 ")
"""The example of the standards."""
HOST, WITNESS = Signer("example.org/games/galaxy-7", b"h" * 32), Signer("example.net/alice", b"w" * 32, COSIGNATURE)
SAID = Checkpoint(HOST.name, 17, "ab" * 32)


def test_the_example_of_the_standard_is_read_and_written_the_same() -> None:
    note, checkpoint = read_checkpoint(STANDARD)
    assert str(note) == STANDARD
    assert (checkpoint.origin, checkpoint.size) == ("example.com/behind-the-sofa", 20852163)
    assert str(checkpoint) == note.text
    at = struct.unpack(">Q", note.signatures[1].signed[:8])[0]
    assert at == 1679315147


def test_a_checkpoint_is_of_the_log_whose_key_has_signed_it() -> None:
    note = sign_checkpoint(SAID, HOST)
    assert checkpoint_of(note.text) == SAID
    assert is_of_log(note, HOST.verifier)
    assert not is_of_log(note, WITNESS.verifier)


def test_another_log_is_not_signed_by_it_under_this_name() -> None:
    """The name of the key must be that of the log, else one game's signature would count for another."""
    note = sign_checkpoint(Checkpoint("example.org/games/galaxy-8", 17, "ab" * 32), HOST)
    assert not is_of_log(note, HOST.verifier)


@pytest.mark.parametrize("text", [
    "a\n1\n", "a\n01\n{h}\n", "a\n-1\n{h}\n", "a\n1\nAAAA\n", "a b\n1\n{h}\n", "a\n1\n{h}\nmore\n",
                                  "a\n1\n{h}", "\n1\n{h}\n", "a\n٣\n{h}\n", "a\n1234567890\n{h}\n"])  # fmt: skip
def test_what_is_no_checkpoint_is_said_to_be_none(text: str) -> None:
    with pytest.raises(NoNote):
        checkpoint_of(text.replace("{h}", str(SAID).split("\n")[2]))


@pytest.mark.parametrize(
    ("origin", "game", "place"), [("example.org/games/galaxy-7", "galaxy-7", "entry 17"), ("a/b/g/reports", "g", "report 17")]
)
def test_it_tells_its_game_and_what_it_counts(origin: str, game: str, place: str) -> None:
    said = Checkpoint(origin, 17, "ab" * 32)
    assert (said.game, said.place) == (game, place)


class TestCosignatures:
    def test_sign_what_the_standard_says(self) -> None:
        note = sign_checkpoint(SAID, HOST)
        line = cosign(note, WITNESS, 1679315147)
        assert line.name == WITNESS.name
        message = f"cosignature/v1\ntime 1679315147\n{SAID}".encode()
        assert struct.unpack(">Q", line.signed[:8]) == (1679315147,)
        Ed25519PublicKey.from_public_bytes(WITNESS.verifier.public).verify(line.signed[8:], message)

    def test_are_found_with_their_time(self) -> None:
        note = sign_checkpoint(SAID, HOST)
        assert cosignature_of(note, WITNESS.verifier) is None
        twice = with_lines(note, cosign(note, WITNESS, 5), cosign(note, WITNESS, 3))
        seen = cosignature_of(twice, WITNESS.verifier)
        assert seen is not None
        assert (seen.at, seen.witness) == (5, WITNESS.verifier)
        assert is_of_log(twice, HOST.verifier)

    def test_are_of_one_checkpoint_and_one_time(self) -> None:
        note, other = (sign_checkpoint(Checkpoint(HOST.name, size, "ab" * 32), HOST) for size in (17, 18))
        line = cosign(note, WITNESS, 5)
        later = Signature(line.name, line.key_id, (6).to_bytes(8, "big") + line.signed[8:])
        for wrong in (with_lines(other, line), with_lines(note, later)):
            with pytest.raises(NoNote, match="does not hold"):
                cosignature_of(wrong, WITNESS.verifier)

    @pytest.mark.parametrize("signed", [b"", b"x" * 8, b"x" * 71, b"x" * 73, (LATEST + 1).to_bytes(8, "big") + b"x" * 64])
    def test_of_another_length_do_not_hold(self, signed: bytes) -> None:
        line = Signature(WITNESS.name, WITNESS.verifier.key_id, signed)
        with pytest.raises(NoNote):
            cosignature_of(with_lines(sign_checkpoint(SAID, HOST), line), WITNESS.verifier)

    def test_a_signature_of_the_log_is_none(self) -> None:
        """A host that signs with its own key is no witness, and the key of a witness signs no checkpoint as a log."""
        note = sign_checkpoint(SAID, HOST)
        assert cosignature_of(note, HOST.verifier) is None
