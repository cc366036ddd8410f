"""People and machines at their keyboards: several connections that pour mail into the mail server at the same time."""

import itertools
import random
import smtplib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage

from tests.acceptance.house import House
from tests.acceptance.players import step_asked, turn_asked
from tests.mailservers import DOMAIN
from tests.torture.evidence import Delivery, Sent
from tests.torture.letters import BESIDES, NOISE, ORDERS, Kind, Occasion, Written, draw

_AGAIN_SHARE = 0.06
"""How many letters come twice, the same bytes."""
_WAIT_FOR_SERVER = 0.2


@dataclass(frozen=True)
class Player:
    """Who holds a seat: what they order, what else they write, and in which part of their turns they order nothing."""

    game: str
    seat: str
    address: str
    orders: Callable[[random.Random], str]
    more: tuple[Kind, ...] = ()
    silent: float = 0

    def kinds(self, report: EmailMessage, *, fresh: bool, chance: random.Random) -> tuple[Kind, ...]:
        """What they may send now, having this report; `fresh` if they have not answered it yet."""
        if random.Random(str(report["Message-ID"])).random() < self.silent:
            return (*self.more, *BESIDES)
        return (*self.more, *(ORDERS if fresh and chance.random() < 0.6 else NOISE))


@dataclass
class Register:
    """All that was sent in, by all connections."""

    sent: list[Sent] = field(default_factory=list[Sent])
    deliveries: list[Delivery] = field(default_factory=list[Delivery])
    lock: threading.Lock = field(default_factory=threading.Lock)
    _serials: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def next_serial(self) -> int:
        """A number that no letter has yet."""
        with self.lock:
            return next(self._serials)

    def note(self, letter: Sent) -> None:
        """A letter is about to be sent."""
        with self.lock:
            self.sent.append(letter)

    def deliver(self, delivery: Delivery) -> None:
        """A copy was handed over, or perhaps not."""
        with self.lock:
            self.deliveries.append(delivery)


class Connection(threading.Thread):
    """One LMTP connection and the players whose mail comes over it: they answer reports, and send all sorts of things."""

    def __init__(
        self, number: int, house: House, players: list[Player], register: Register, *, seed: int, per_second: float
    ) -> None:
        super().__init__(name=f"lmtp-{number}", daemon=True)
        self.number = number
        self.house = house
        self.players = players
        self.register = register
        self.chance = random.Random(f"{seed} connection {number}")
        self.per_second = per_second
        self.trouble: Exception | None = None
        self._stopping = threading.Event()
        self._lmtp: smtplib.LMTP | None = None
        self._answered: set[str] = set()
        self._earlier: dict[str, str] = {}
        self._again: list[tuple[float, int, Written]] = []

    def run(self) -> None:
        """Send until told to stop; what was begun is finished."""
        try:
            while not self._stopping.wait(self.chance.expovariate(self.per_second)):
                self._send_something()
            for _, serial, written in self._again:
                self._hand_over(serial, written)
        except Exception as problem:  # shown by `end`
            self.trouble = problem
        finally:
            self._hang_up()

    def end(self) -> None:
        """Stop and wait for the end. Raises what went wrong in the thread."""
        self._stopping.set()
        self.join()
        if self.trouble is not None:
            raise self.trouble

    def _send_something(self) -> None:
        if self._again and self._again[0][0] <= time.monotonic():
            _, serial, written = self._again.pop(0)
            self._hand_over(serial, written)
            return
        player = self.chance.choice(self.players)
        mails = self.house.sink.of(player.address)
        report = next((mail for mail in reversed(mails) if turn_asked(mail) is not None), None)
        if report is None:
            return
        fresh = str(report["Message-ID"]) not in self._answered
        self._write(player, report, draw(player.kinds(report, fresh=fresh, chance=self.chance), self.chance))

    def _write(self, player: Player, report: EmailMessage, kind: Kind) -> None:
        serial = self.register.next_serial()
        earlier = self._earlier.get(player.address, "")
        occasion = Occasion(report, player.seat, player.address, serial, earlier, self.chance, player.orders)
        written = kind.write(occasion)
        turn = turn_asked(report)
        assert turn is not None
        self.register.note(
            Sent(
                serial,
                kind.name,
                written.message_id,
                answered=kind.answered,
                orders=kind.orders,
                hostile=kind.hostile,
                game=player.game,
                seat=player.seat,
                turn=turn,
                step_name=step_asked(report),
            )
        )
        self._hand_over(serial, written)
        if kind.orders and kind not in player.more:
            self._answered.add(str(report["Message-ID"]))
        if kind.answered:
            self._earlier[player.address] = written.message_id
        if self.chance.random() < _AGAIN_SHARE:
            self._again.append((time.monotonic() + self.chance.uniform(0, 10), serial, written))
            self._again.sort(key=lambda one: one[0])

    def _hand_over(self, serial: int, written: Written) -> None:
        """Try until the mail server has it, as every mail server would."""
        while True:
            began = time.time()
            try:
                if self._lmtp is None:
                    self._lmtp = smtplib.LMTP("127.0.0.1", self.house.dovecot.lmtp_port, timeout=20)
                self._lmtp.sendmail(written.sender, [f"{written.to}@{DOMAIN}"], written.raw)
            except (smtplib.SMTPException, OSError):
                self.register.deliver(Delivery(serial, self.number, began, time.time(), accepted=False))
                self._hang_up()
                time.sleep(_WAIT_FOR_SERVER)
            else:
                self.register.deliver(Delivery(serial, self.number, began, time.time()))
                return

    def _hang_up(self) -> None:
        if self._lmtp is not None:
            self._lmtp.close()
            self._lmtp = None
