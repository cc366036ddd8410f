"""Checkpoints and keys in mails, whatever became of their lines on the way."""

import textwrap

import pytest

from pbmd.notes.checkpoint import Checkpoint, sign_checkpoint
from pbmd.notes.notes_in_mail import keys_in, notes_in
from pbmd.notes.signed_note import COSIGNATURE, Signer
from tests.notes.cosigned import cosign, with_lines
from tests.notes.test_checkpoint import HOST, SAID, STANDARD, WITNESS
from tests.processor_time import takes_at_most

NOTE = sign_checkpoint(SAID, HOST)
BOTH = with_lines(NOTE, cosign(NOTE, WITNESS, 1_800_000_000))
MAIL = f"CHECKPOINT (keep it)\n{HOST.verifier}\n\n{BOTH}\n--\nHELP on a line of its own.\n"


def wrapped(text: str, width: int) -> str:
    return "\n".join(
        piece for line in text.split("\n") for piece in (textwrap.wrap(line, width, break_on_hyphens=False) or [""])
    )


@pytest.mark.parametrize("note", [str(NOTE), str(BOTH), STANDARD])
@pytest.mark.parametrize(
    "dress",
    [
        str,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "".join(f"> {line}\n" for line in text.split("\n")),
        lambda text: "".join(f">> | {line}\n" for line in text.split("\n")),
        lambda text: wrapped(text, 72),
        lambda text: wrapped(text, 50),
        lambda text: "".join(f"> {line}\n" for line in wrapped(text, 60).split("\n")),
        lambda text: text.replace("\n\n", "\n"),
        lambda text: f"Hello,\nlook at this:\n\n    {text.replace(chr(10), chr(10) + '    ')}\nBye",
        lambda text: " ".join(text.split()),
    ],
)
def test_a_note_is_found_in_any_dress(note: str, dress: object) -> None:
    [found] = notes_in(dress(note))  # pyright: ignore[reportCallIssue]
    assert str(found.note) == note


@pytest.mark.parametrize("width", [200, 72, 60])
def test_a_report_has_the_note_and_the_key(width: int) -> None:
    said = wrapped(MAIL, width)
    assert [str(found.note) for found in notes_in(said)] == [str(BOTH)]
    assert list(keys_in(said)) == [HOST.verifier]


def test_several_are_told_apart() -> None:
    other = sign_checkpoint(
        Checkpoint("example.org/games/galaxy-8", 3, "cd" * 32), Signer("example.org/games/galaxy-8", b"h" * 32)
    )
    assert [str(each.note) for each in notes_in(f"{NOTE}\n{other}\n{BOTH}")] == [str(NOTE), str(other), str(BOTH)]


@pytest.mark.parametrize("said", ["", "a 17 b — c d", str(NOTE).replace("— ", "- "), str(NOTE).partition("—")[0]])
def test_words_that_are_none_are_none(said: str) -> None:
    assert list(notes_in(said)) == []


def test_a_key_that_was_cut_is_none() -> None:
    key = str(WITNESS.verifier)
    assert list(keys_in(f"my key: {key[:-6]} and more")) == []
    assert [each.kind for each in keys_in(f"({key}) {key}")] == [COSIGNATURE]


@pytest.mark.parametrize(
    "said", ["a 1 " + "A" * 400_000, "a 1 " * 100_000, "a+" * 200_000, ("x 1 " + "A" * 43 + "= — n ") * 5000, "— x " * 100_000]
)
def test_what_looks_like_many_takes_no_time(said: str) -> None:
    with takes_at_most(2):
        assert list(notes_in(said)) == []
        assert list(keys_in(said)) == []
