"""The orders of a letter as they are accepted, one after the other (DI-93)."""

from dataclasses import dataclass, field

from pbmd.rules.checking import MOST_EXAMPLES
from pbmd.rules.words import counted

from ..orders import key_of
from ..resolution.winter import to_build
from ..world.commands import Build, Disband, Order, Waive
from .reader import Reader


@dataclass(slots=True)
class Draft:
    """What has been ordered so far, by what it is about."""

    reader: Reader
    by_key: dict[str, Order] = field(default_factory=dict[str, Order])
    latest: str = ""
    """What the order given last is about."""
    wrong: int = 0
    """The number of rejected orders."""
    untried: int = 0
    """The number of the first line that was read only as it is written, as too much above it was unclear; 0 for none."""

    @property
    def orders(self) -> list[Order]:
        """In the order written."""
        return [*self.by_key.values()]

    def add(self, order: Order) -> str:
        """Accept the order, in place of one for the same unit; but of two builds in one place the first counts (DI-72, DI-93).
        Returns a remark, if there is something to say."""
        waived = sum(isinstance(other, Waive) for other in self.by_key.values()) if isinstance(order, Waive) else 0
        key = key_of(order, waived)
        before, self.latest = self.by_key.get(key), key
        if before == order:
            return ""
        if before and isinstance(order, Build):
            return f"not used: {before.text} stands, and of two builds in one place the first counts"
        self.by_key.pop(key, None)
        self.by_key[key] = order
        return f"in place of {before.text}" if before else self._too_many(order)

    def count_wrong(self, many: int) -> None:
        """This many more orders were rejected: after very many, the rest of a letter is not read."""
        self.wrong += many
        if self.wrong >= MOST_EXAMPLES:
            self.reader = self.reader._replace(asks=False)

    def _too_many(self, order: Order) -> str:
        """Builds and removals beyond the possible number; the first count (DI-72)."""
        if self.reader.about != "winter" or not isinstance(order, Build | Waive | Disband):
            return ""
        many = abs(to_build(self.reader.position, self.reader.power))
        winter = [other for other in self.orders if isinstance(other, Build | Waive | Disband)]
        if len(winter) <= many:
            return ""
        kind = "removal" if isinstance(order, Disband) else "build"
        return f"there can be {counted(many, kind)} only, and the first count"
