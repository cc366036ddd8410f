"""Signed notes (c2sp.org/signed-note): a text, a blank line, and a line for each signature.

A signature line is an em dash, the name of the key, and the base64 of the key's ID (four bytes) and the signature. Signatures
of unknown keys mean nothing; an invalid one of a known key makes the note worthless.
"""

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass, field

ED25519, COSIGNATURE = 0x01, 0x04
"""Kinds of signatures: by the owner of a log, and by a witness with the time (c2sp.org/tlog-cosignature)."""
ID_BYTES, KEY_BYTES, SIGNATURE_BYTES = 4, 32, 64
LONGEST_NOTE = 20_000
MOST_SIGNATURES = 64
LONGEST_NAME = 200
_NAME = re.compile(rf"[^\s+\x00-\x1f\x7f]{{1,{LONGEST_NAME}}}")
_LINE = re.compile(rf"— (?P<name>[^\s+]{{1,{LONGEST_NAME}}}) (?P<signature>[A-Za-z0-9+/]+={{0,2}})")
_VKEY = re.compile(rf"(?P<name>[^\s+]{{1,{LONGEST_NAME}}})\+(?P<id>[0-9a-f]{{8}})\+(?P<key>[A-Za-z0-9+/]+={{0,2}})")


class NoNote(ValueError):
    """It is not such a note or key, or its signature is invalid; the message says why."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature line: the name of the key that it claims, and what follows the ID of the key."""

    name: str
    key_id: bytes
    signed: bytes

    def __str__(self) -> str:
        return f"— {self.name} {encoded(self.key_id + self.signed)}"


@dataclass(frozen=True, slots=True)
class Note:
    """A text, with its final line end, and its signatures."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return f"{self.text}\n" + "".join(f"{line}\n" for line in self.signatures)


@dataclass(frozen=True, slots=True)
class Verifier:
    """A key with which signatures of one kind are checked. In text form, for others: name, ID and key."""

    name: str
    public: bytes
    kind: int = ED25519

    @property
    def key_id(self) -> bytes:
        """Distinguishes keys of one name."""
        hashed = self.name.encode() + b"\n" + bytes((self.kind,)) + self.public
        return hashlib.sha256(hashed).digest()[:ID_BYTES]

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{encoded(bytes((self.kind,)) + self.public)}"

    def owns(self, line: Signature) -> bool:
        """Whether a signature claims to be by this key."""
        return (line.name, line.key_id) == (self.name, self.key_id)


@dataclass(frozen=True, slots=True)
class Signer:
    """A key that signs notes; anybody who has the `seed` can sign."""

    name: str
    seed: bytes = field(repr=False)
    kind: int = ED25519

    @property
    def verifier(self) -> Verifier:
        """The key with which others check its signatures."""
        return Verifier(self.name, public_key(self.seed), self.kind)


def signed(text: str, signer: Signer) -> Note:
    """A note signed by one key of the kind `ED25519`."""
    return Note(text, (Signature(signer.name, signer.verifier.key_id, signature(signer.seed, text.encode())),))


def note_of(said: str) -> Note:
    """A note from its text. Raises `NoNote`."""
    if len(said) > LONGEST_NOTE:
        raise NoNote(f"it is longer than {LONGEST_NOTE} characters")
    if any(ord(sign) < 32 and sign != "\n" for sign in said):
        raise NoNote("it has control characters")
    text, blank, lines = said.rpartition("\n\n")
    if not blank or not text or not lines.endswith("\n"):
        raise NoNote("it is no text with signatures below a blank line")
    signatures = tuple(_signature(line) for line in lines[:-1].split("\n"))
    if len(signatures) > MOST_SIGNATURES:
        raise NoNote(f"it has more than {MOST_SIGNATURES} signatures")
    return Note(f"{text}\n", signatures)


def is_signed(note: Note, verifier: Verifier) -> bool:
    """Whether the key has signed the note; False if the note does not claim so. Raises `NoNote` if it claims so and the
    signature is invalid."""
    lines = [line for line in note.signatures if verifier.owns(line)]
    if any(not verifies(verifier.public, note.text.encode(), line.signed) for line in lines):
        raise NoNote(f"the signature of {verifier.name} does not hold: the note was altered, or is not theirs")
    return bool(lines)


def verifier_of(text: str) -> Verifier:
    """A key from its text, such as `name+id+key`. Raises `NoNote`."""
    match = _VKEY.fullmatch(text.strip())
    if match is None:
        raise NoNote(f'"{text.strip()[:80]}" is no key such as example.org/games/galaxy-7+0123abcd+AQ…')
    raw = decoded(match["key"])
    if len(raw) != 1 + KEY_BYTES or raw[0] not in (ED25519, COSIGNATURE):
        raise NoNote(f"the key of {match['name']} is not of a kind that pbmd knows (Ed25519)")
    verifier = Verifier(match["name"], raw[1:], raw[0])
    if verifier.key_id.hex() != match["id"]:
        raise NoNote(f"the key of {match['name']} was altered: its ID would be {verifier.key_id.hex()}")
    return verifier


def name_problem(name: str) -> str:
    """Why a key cannot have that name; empty if it can."""
    if _NAME.fullmatch(name):
        return ""
    return f'"{name[:80]}" cannot be the name of a key: it is one word without +, such as example.net/alice'


def encoded(raw: bytes) -> str:
    """Base64, as in notes."""
    return base64.b64encode(raw).decode("ascii")


def decoded(text: str) -> bytes:
    """Bytes from their only valid base64. Raises `NoNote`."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise NoNote(f'"{text[:20]}…" is no base64') from None
    if encoded(raw) != text:
        raise NoNote(f'"{text[:20]}…" is not how base64 is written')
    return raw


def _signature(line: str) -> Signature:
    match = _LINE.fullmatch(line)
    raw = decoded(match["signature"]) if match else b""
    if match is None or len(raw) <= ID_BYTES:
        raise NoNote(f'"{line[:40]}" is no line with a signature')
    return Signature(match["name"], raw[:ID_BYTES], raw[ID_BYTES:])


# Ed25519 (RFC 8032). The library is loaded when a key is first used: few commands need one.


def public_key(seed: bytes) -> bytes:
    """The 32 bytes with which others check what this key has signed."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


def signature(seed: bytes, message: bytes) -> bytes:
    """The signature, the same each time."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(seed).sign(message)


def verifies(public: bytes, message: bytes, signed: bytes) -> bool:
    """Whether it is this key's signature of this message."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signed, message)
    except (InvalidSignature, ValueError):  # the second for bytes that are no point of the curve
        return False
    return True
