"""How often somebody may do something before they have to wait."""

import ipaddress
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

MOST_KEPT = 10_000
"""How many clients are counted; beyond that, those that were quiet longest are forgotten."""


@dataclass
class Brake:
    """Counts for each client how often they did something within the last `seconds`, roughly: from the first time on."""

    most: int
    seconds: float
    clock: Callable[[], float]
    _counts: OrderedDict[str, tuple[float, int]] = field(default_factory=OrderedDict[str, tuple[float, int]])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, who: str) -> int:
        """How often they did it lately."""
        with self._lock:
            return self._count(who)

    def note(self, who: str) -> bool:
        """They do it once more; returns whether they may."""
        with self._lock:
            before = self._count(who)
            began = self._counts[who][0] if before else self.clock()
            self._counts[who] = began, before + 1
            self._counts.move_to_end(who)
            if len(self._counts) > MOST_KEPT:
                self._counts.popitem(last=False)
            return before < self.most

    def _count(self, who: str) -> int:
        began, count = self._counts.get(who, (0.0, 0))
        return count if count and self.clock() - began < self.seconds else 0


_WITH_PORT = re.compile(r"(\d+\.\d+\.\d+\.\d+):\d+|\[([0-9a-fA-F:.]+)\](?::\d+)?", re.ASCII)
ALL = "all"
WRONG_OF_ONE, WRONG_OF_ALL, HOUR = 20, 1000, 3600.0


class Guesses:
    """Clients that ask for pages with invalid tags. Nobody who never did so is kept out, however many others guess."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._of_one = Brake(WRONG_OF_ONE, HOUR, clock)
        self._of_all = Brake(WRONG_OF_ALL, HOUR, clock)

    def must_wait(self, address: str) -> bool:
        """Whether nothing is shown to this address for a while, whatever it asks for."""
        wrong = self._of_one.count(origin(address))
        return wrong >= WRONG_OF_ONE or (wrong > 0 and self._of_all.count(ALL) >= WRONG_OF_ALL)

    def note(self, address: str) -> None:
        """It has asked for something that does not exist."""
        self._of_one.note(origin(address))
        self._of_all.note(ALL)


def origin(address: str) -> str:
    """Whom an address belongs to: in IPv6 one user has a whole network. Some web servers append a port, which is different each
    time."""
    with_port = _WITH_PORT.fullmatch(address.strip())
    try:
        found = ipaddress.ip_address((with_port[1] or with_port[2]) if with_port else address.strip())
    except ValueError:
        return address[:64]
    if isinstance(found, ipaddress.IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped) if mapped else str(ipaddress.ip_network((int(found), 64), strict=False))
    return str(found)
