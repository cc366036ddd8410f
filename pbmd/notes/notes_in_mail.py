"""Checkpoints and keys in the text of a mail, however mail programs have wrapped, indented and quoted it."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from pbmd.notes.checkpoint import Checkpoint, read_checkpoint
from pbmd.notes.signed_note import LONGEST_NAME, NoNote, Note, Verifier, verifier_of

MOST_FOUND = 1000
_QUOTED = re.compile(r"^[ \t>|]+", re.MULTILINE)
_NAME = rf"[^\s+]{{1,{LONGEST_NAME}}}"
_BLANKS = r"\s+"
_HASH = r"(?:[A-Za-z0-9+/]\s*){43}="
_SIGNED = r"(?:[A-Za-z0-9+/]\s?){90,110}={0,2}"
"""A signature with the ID of its key has 92 characters of base64, and one with a time 104."""
_NOTE = re.compile(
    rf"(?<!\S)(?P<origin>{_NAME}){_BLANKS}(?P<size>\d{{1,9}}){_BLANKS}(?P<root>{_HASH})"
    rf"(?P<lines>(?:{_BLANKS}—{_BLANKS}{_NAME}{_BLANKS}{_SIGNED}(?=\s|$))+)"
)
_LINE = re.compile(rf"—{_BLANKS}(?P<name>{_NAME}){_BLANKS}(?P<signed>{_SIGNED})(?=\s|$)")
_KEY = re.compile(
    rf"(?<!\S)(?P<name>{_NAME})\+(?P<id>[0-9a-f]{{8}})\+\s?(?P<key>[AB](?:[A-Za-z0-9+/]\s?){{43}})(?![A-Za-z0-9+/=])"
)


@dataclass(frozen=True, slots=True)
class FoundNote:
    """A note with a checkpoint in it; its signatures have not been checked."""

    note: Note
    checkpoint: Checkpoint


def notes_in(text: str) -> Iterator[FoundNote]:
    """The checkpoints in a text."""
    for match in _NOTE.finditer(_QUOTED.sub("", text)):
        lines = (f"— {line['name']} {_joined(line['signed'])}" for line in _LINE.finditer(match["lines"]))
        said = f"{match['origin']}\n{match['size']}\n{_joined(match['root'])}\n\n" + "".join(f"{line}\n" for line in lines)
        with suppress(NoNote):  # text that only looks like one
            yield FoundNote(*read_checkpoint(said))


def keys_in(text: str) -> Iterator[Verifier]:
    """The keys in a text."""
    for match in _KEY.finditer(_QUOTED.sub("", text)):
        with suppress(NoNote):
            yield verifier_of(f"{match['name']}+{match['id']}+{_joined(match['key'])}")


def _joined(text: str) -> str:
    return "".join(text.split())
