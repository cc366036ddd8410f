"""Order forms as a ruleset writes them: what their lines offer to whoever fills them in."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Offered:
    """What an order form offers: remarks, orders that go together into one letter, and orders that go into a letter each, in
    place of those."""

    remarks: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()

    @property
    def letters(self) -> list[str]:
        """The letters that it offers."""
        return ["\n".join(self.together), *self.instead] if self.together else []


def offered(form: str) -> Offered:
    """What a form offers: the orders above its second remark go together, each below it stands alone."""
    remarks, together, instead = list[str](), list[str](), list[str]()
    chosen = together
    for line in form.splitlines():
        if line.startswith("# "):
            chosen.append(line.removeprefix("# "))
            continue
        if line.startswith("## "):
            remarks.append(line.removeprefix("## "))
        if together:
            chosen = instead
    return Offered(tuple(remarks), tuple(together), tuple(instead))
