"""Signed notes, against notes that other programs have signed."""

import base64
import hashlib

import pytest

from pbmd.notes.signed_note import (
    COSIGNATURE,
    MOST_SIGNATURES,
    NoNote,
    Signer,
    Verifier,
    decoded,
    is_signed,
    name_problem,
    note_of,
    signed,
    verifier_of,
)
from tests.notes.cosigned import with_lines

FOREIGN = {
    "go": (
        "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        """If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
""",
    ),
    "elixir": (
        "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        """This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
""",
    ),
}
"""Key and note of other programs' own tests."""
SIGNER = Signer("example.org/games/galaxy-7", bytes(range(32)))
LINE = "— x " + base64.b64encode(b"k" * 68).decode()


@pytest.mark.parametrize("made_by", FOREIGN)
def test_a_note_that_another_program_has_signed_is_signed(made_by: str) -> None:
    key, said = FOREIGN[made_by]
    note = note_of(said)
    assert str(note) == said
    assert str(verifier_of(key)) == key
    assert is_signed(note, verifier_of(key))


def test_this_program_signs_as_the_other_does() -> None:
    """The secret key stands beside that note in the same tests."""
    key, said = FOREIGN["go"]
    secret = base64.b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")
    made = Signer("PeterNeumann", secret[1:])
    assert str(made.verifier) == key
    assert str(signed(note_of(said).text, made)) == said


def test_a_key_and_its_note_have_the_form_of_the_standard() -> None:
    note, key = str(signed("a\n", SIGNER)), SIGNER.verifier
    public = key.public
    key_id = hashlib.sha256(SIGNER.name.encode() + b"\n\x01" + public).digest()[:4]
    text, _, line = note.partition("\n\n")
    assert text == "a"
    raw = base64.b64decode(line.removeprefix(f"— {SIGNER.name} ").rstrip("\n"))
    assert (raw[:4], len(raw)) == (key_id, 68)
    assert str(key) == f"{SIGNER.name}+{key_id.hex()}+{base64.b64encode(bytes([1]) + public).decode()}"


def test_what_was_altered_is_not_signed() -> None:
    note = note_of(str(signed("10\n", SIGNER)).replace("10", "11"))
    with pytest.raises(NoNote, match="does not hold"):
        is_signed(note, SIGNER.verifier)


@pytest.mark.parametrize("key", [Verifier("another", SIGNER.verifier.public), Verifier(SIGNER.name, b"k" * 32)])
def test_signatures_of_keys_that_are_not_known_say_nothing(key: Verifier) -> None:
    assert not is_signed(signed("a\n", SIGNER), key)


def test_a_note_has_several_signatures() -> None:
    other = Signer("other", b"s" * 32)
    both = with_lines(signed("a\n", SIGNER), *signed("a\n", other).signatures)
    assert note_of(str(both)) == both
    assert len(both.signatures) == 2
    assert is_signed(both, SIGNER.verifier)
    assert is_signed(both, other.verifier)


@pytest.mark.parametrize(
    "said",
    ["", "a", "a\n", "a\n\n", "\n\n" + LINE, f"a\n\n{LINE}", f"a\r\n\n{LINE}\n", f"a\n\n{LINE}\nx\n", f"a\n\n{LINE[:-4]}*===\n",
     "a\n\n— x AAAA\n", "a\n\n- x " + LINE[4:] + "\n", "a\n\n" + f"{LINE}\n" * (MOST_SIGNATURES + 1),
     "a" * 20_000 + f"\n\n{LINE}\n"],
)  # fmt: skip
def test_what_is_no_note_is_said_to_be_none(said: str) -> None:
    with pytest.raises(NoNote):
        note_of(said)


@pytest.mark.parametrize("text", ["AA=", "AB==", "A A=", "AAAA\n", "é"])
def test_bytes_are_written_in_one_way_only(text: str) -> None:
    with pytest.raises(NoNote):
        decoded(text)


def test_a_key_that_was_altered_is_found_by_its_id() -> None:
    key = str(SIGNER.verifier)
    for wrong in (key.replace("galaxy-7", "galaxy-8"), key[:-2] + ("A=" if key[-2] != "A" else "E="), key[:-8], "x+y", ""):
        with pytest.raises(NoNote):
            verifier_of(wrong)
    odd = Verifier("x", b"k" * 32, 9)
    with pytest.raises(NoNote, match="not of a kind"):
        verifier_of(str(odd))
    assert verifier_of(str(Verifier("x", b"k" * 32, COSIGNATURE))).kind == COSIGNATURE


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\nb", "a\u2003b", "a" * 201])
def test_a_name_that_no_key_can_have_is_refused(name: str) -> None:
    assert name_problem(name)


def test_no_key_that_can_sign_is_shown() -> None:
    assert repr(SIGNER.seed) not in repr(SIGNER)
