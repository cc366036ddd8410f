"""Answers that were given, by which it is known whether somebody is told the same again."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256


@dataclass(frozen=True, slots=True)
class RecentAnswer:
    """An answer that an address was given: when, on what and with what (a digest of both), and which kind of mail."""

    at: datetime
    digest: str
    kind: str


def digest(question: str, answer: str) -> str:
    """What an answer is compared by: the text answered and what is said to it."""
    return sha256(f"{len(question)} {question} {answer}".encode("utf-8", "replace")).hexdigest()[:32]
