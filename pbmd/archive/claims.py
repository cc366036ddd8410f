"""What is claimed: by a mail of pbmd that somebody kept, or by one value out of it."""

import email
import email.policy
import re
from dataclasses import dataclass
from typing import Any

LARGEST_MAIL = 25_000_000
"""Bytes; reports come with maps."""
SHORTEST_HEX = 16
"""Digits of a digest or hash that tell which is meant; reports show so many."""

RECEIPT, ARRIVED, DIGEST, HEAD, SECRET, COMMITMENT = "receipt", "arrived", "digest", "chain head", "dice secret", "commitment"
SALT = "salt"
ANY = "value"
_HEX = "([0-9a-f]{64})"
_WHEN = r"(\w{3} \d{1,2} \w{3} \d{4} \d\d:\d\d(?::\d\d)? UTC)"
_PATTERNS = (
    (RECEIPT, re.compile(r"Receipt (\d{1,9}) of game ")),
    (RECEIPT, re.compile(r"Orders used: receipt (\d{1,9}),")),
    (ARRIVED, re.compile(rf"Arrived {_WHEN}")),
    (ARRIVED, re.compile(rf"Orders used: [^,]{{1,40}}, arrived {_WHEN}")),
    (DIGEST, re.compile(rf"Digest {_HEX}")),
    (DIGEST, re.compile(r"Orders used: digest ([0-9a-f]{16}),")),
    (HEAD, re.compile(rf"Chain head {_HEX}")),
    (HEAD, re.compile(rf"Head of the journal(?:, entry \d{{1,9}})?: {_HEX}")),
    (SECRET, re.compile(rf"Dice secret of [^:]{{1,80}}: {_HEX}")),
    (COMMITMENT, re.compile(rf"Commitment to the dice secret of [^:]{{1,80}}: {_HEX}")),
    (SALT, re.compile(r"Your salt for the dice of [^:]{1,80}: ([0-9a-f]{32})")),
)
"""What our mails say, in text whose line breaks have become blanks. Of several of a kind the first counts."""
_GAMES = (re.compile(r"Receipt \d{1,9} of game ([a-z0-9-]{1,64}),"), re.compile(r"\[pbmd ([a-z0-9-]{1,64}) t\d"))


class NoReceipt(ValueError):
    """What was given is no receipt and no value of one; the message says what would be."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What is claimed: (what, value) in the order of a mail, and the name of the game if it is known."""

    values: tuple[tuple[str, str], ...]
    game: str = ""

    def first(self, what: str) -> str:
        """The value of that kind; empty if none is claimed."""
        return next((value for kind, value in self.values if kind == what), "")


def claims_of_code(code: str) -> Claims:
    """The number of a receipt, or a digest, chain head, secret, commitment or salt in hex. Raises `NoReceipt`."""
    text = code.strip().lower().removeprefix("#")
    if re.fullmatch(r"\d{1,9}", text):
        return Claims(((RECEIPT, str(int(text))),))
    if re.fullmatch(rf"[0-9a-f]{{{SHORTEST_HEX},64}}", text):
        return Claims(((ANY, text),))
    raise NoReceipt(
        f'"{code[:80]}" is neither a file, nor the number of a receipt, nor a chain head (at least {SHORTEST_HEX} digits)'
    )


def claims_of_mail(raw: bytes) -> Claims:
    """What a mail of pbmd says, also one that was forwarded or quoted. Raises `NoReceipt`."""
    message = email.message_from_bytes(raw[:LARGEST_MAIL], policy=email.policy.compat32)
    parts = [part for part in message.walk() if part.get_content_type() == "text/plain"]
    texts = [_decoded(part.get_payload(decode=True), str(part.get_content_charset("utf-8"))) for part in parts]
    text = " ".join(re.sub(r"^[ >]+", "", "\n".join(texts), flags=re.MULTILINE).split())
    found: dict[str, str] = {}
    for what, pattern in _PATTERNS:
        if match := pattern.search(text):
            found.setdefault(what, match[1])
    if not found.keys() - {ARRIVED}:
        raise NoReceipt("this mail has no receipt, no chain head and no dice secret in it; take an acknowledgement or a report")
    game = next((match[1] for pattern in _GAMES if (match := pattern.search(f"{message['Subject'] or ''} {text}"))), "")
    return Claims(tuple(found.items()), game)


def _decoded(payload: Any, charset: str) -> str:
    try:
        return payload.decode(charset, "replace") if isinstance(payload, bytes) else ""
    except LookupError:
        return payload.decode("utf-8", "replace")
