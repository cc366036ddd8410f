"""An SMTP server with bad days: by a seeded plan it dawdles, answers 4xx and 5xx, and hangs up after DATA, with or without the
mail. It writes down all that it was given, so that an auditor can tell what should have come of it."""

import asyncio
import random
import time
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from enum import StrEnum
from hashlib import sha256
from typing import Any

from tests.acceptance.house import Sink


class Fate(StrEnum):
    """What the server does with a mail."""

    TAKEN = "taken"
    TAKEN_SLOWLY = "taken slowly"
    TAKEN_AND_HUNG_UP = "taken, then hung up"
    HUNG_UP = "hung up without it"
    LATER = "4xx"
    NEVER = "5xx"


TAKES = (Fate.TAKEN, Fate.TAKEN_SLOWLY, Fate.TAKEN_AND_HUNG_UP)


@dataclass(frozen=True)
class Weather:
    """How often each fate befalls a mail, in percent; the rest is simply taken. `NEVER` only for `refusable` recipients."""

    slow: float = 0
    taken_and_hung_up: float = 0
    hung_up: float = 0
    later: float = 0
    never: float = 0
    seconds: tuple[float, float] = (0.2, 1.5)
    refusable: frozenset[str] = frozenset()

    def fate(self, chance: random.Random, recipient: str) -> Fate:
        """Draw what happens to the next mail."""
        draw = chance.uniform(0, 100)
        for share, fate in (
            (self.slow, Fate.TAKEN_SLOWLY),
            (self.taken_and_hung_up, Fate.TAKEN_AND_HUNG_UP),
            (self.hung_up, Fate.HUNG_UP),
            (self.later, Fate.LATER),
            (self.never, Fate.NEVER),
        ):
            if draw < share:
                return Fate.TAKEN if fate is Fate.NEVER and recipient not in self.refusable else fate
            draw -= share
        return Fate.TAKEN


@dataclass(frozen=True)
class Handed:
    """A mail as it was handed over: to whom, which one, what became of it, and when (of the machine's clock)."""

    recipient: str
    message_id: str
    digest: str
    fate: Fate
    taken_at: float
    answered_at: float


@dataclass
class MoodySink(Sink):
    """The sink of the acceptance tests with the weather of a seeded plan."""

    chance: random.Random = field(default_factory=lambda: random.Random(0))
    weather: Weather = Weather()
    handed: list[Handed] = field(default_factory=list[Handed])

    async def handle_DATA(self, server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        """Do with the mail what the plan says."""
        recipient = str(envelope.rcpt_tos[0])
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        fate = self.weather.fate(self.chance, recipient)
        taken_at = time.time()
        if fate in TAKES:
            with self.lock:
                self.mails.setdefault(recipient, []).append(message)
        try:
            if fate is Fate.TAKEN_SLOWLY:
                await asyncio.sleep(self.chance.uniform(*self.weather.seconds))
            if fate in (Fate.TAKEN_AND_HUNG_UP, Fate.HUNG_UP):
                server.transport.close()
        finally:  # the other end may be killed while it waits, and this is cancelled
            digest = sha256(envelope.content).hexdigest()
            done = Handed(recipient, str(message["Message-ID"]), digest, fate, taken_at, time.time())
            with self.lock:
                self.handed.append(done)
        answers = {Fate.LATER: "451 4.3.2 not just now", Fate.NEVER: "550 5.1.1 there is no such mailbox"}
        return answers.get(fate, "250 2.0.0 taken")
