"""Chance, from the outside: a ruleset asks for rolls and never knows where they come from.

`HmacDice` is what games use: a secret that was committed to beforehand, the digest of the sheets in force, and a counter.
`ScriptedDice` takes given rolls in the order in which the rules draw them; `RecordedDice` repeats rolls that were drawn.
"""

import hashlib
import hmac
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

Roll = tuple[int, int]
"""(sides, roll) with 1 ≤ roll ≤ sides."""

_WORD_BYTES = 8
_WORDS = 1 << (8 * _WORD_BYTES)


class DiceError(ValueError):
    """The given rolls do not fit what the rules draw; the message says which roll and why."""


class Dice(ABC):
    """A source of rolls that remembers what was drawn, in order."""

    def __init__(self) -> None:
        self._drawn: list[Roll] = []

    @property
    def drawn(self) -> tuple[Roll, ...]:
        """The rolls drawn so far, as (sides, roll)."""
        return tuple(self._drawn)

    def roll(self, sides: int) -> int:
        """One roll from 1 to `sides`, each as likely as the others.

        Raises `ValueError` if `sides` is below 1 and `DiceError` if given rolls do not fit.
        """
        if sides < 1:
            raise ValueError(f"a die has at least one side, not {sides}")
        value = self._next(sides)
        self._drawn.append((sides, value))
        return value

    @abstractmethod
    def _next(self, sides: int) -> int: ...


def commitment(secret: bytes) -> str:
    """What is published before the step: the SHA-256 of the secret, in hex."""
    return hashlib.sha256(secret).hexdigest()


class HmacDice(Dice):
    """Rolls from HMAC-SHA-256 keyed with the step's secret over `context` and a 64-bit big-endian counter.

    The first eight bytes of each HMAC are a number below 2^64; numbers in the last, incomplete run of `sides` are discarded
    (rejection sampling), so every face is exactly as likely as any other.
    """

    def __init__(self, secret: bytes, context: bytes) -> None:
        super().__init__()
        self._secret = secret
        self._context = context
        self._counter = 0

    def _next(self, sides: int) -> int:
        fair = _WORDS - _WORDS % sides
        while True:
            message = self._context + self._counter.to_bytes(8, "big")
            self._counter += 1
            word = int.from_bytes(hmac.digest(self._secret, message, "sha256")[:_WORD_BYTES], "big")
            if word < fair:
                return word % sides + 1


class ScriptedDice(Dice):
    """Given rolls, in the order in which the rules say they are drawn."""

    def __init__(self, rolls: Iterable[int]) -> None:
        super().__init__()
        self._script: Sequence[int] = tuple(rolls)

    @property
    def unused(self) -> tuple[int, ...]:
        """Rolls of the script that nothing asked for."""
        return tuple(self._script[len(self._drawn) :])

    def _next(self, sides: int) -> int:
        place = len(self._drawn)
        if place >= len(self._script):
            raise DiceError(f"roll {place + 1} (a d{sides}) was needed, but the dice script has only {len(self._script)}")
        value = self._script[place]
        if not 1 <= value <= sides:
            raise DiceError(f"roll {place + 1} of the dice script is {value}, but a d{sides} was needed")
        return value


class RecordedDice(Dice):
    """Repeats recorded rolls, and insists on being asked for the same dice."""

    def __init__(self, rolls: Iterable[Roll]) -> None:
        super().__init__()
        self._record: Sequence[Roll] = tuple(rolls)

    def _next(self, sides: int) -> int:
        place = len(self._drawn)
        if place >= len(self._record):
            raise DiceError(f"roll {place + 1} (a d{sides}) was asked for, but only {len(self._record)} were recorded")
        recorded_sides, value = self._record[place]
        if recorded_sides != sides:
            raise DiceError(f"roll {place + 1}: a d{sides} was asked for, but a d{recorded_sides} was recorded")
        return value
