"""What can be wrong with an order line."""

from typing import NamedTuple

from pbmd.rules import Line

from ..orders import Order


class Fault(Exception):
    """An order that the rules do not allow: a sentence for the player, without full stop."""


class Right(NamedTuple):
    """An accepted line with full names; `remark` is a warning, `note` mere information; both may be ""."""

    line: Line
    order: Order
    remark: str = ""
    note: str = ""


class Wrong(NamedTuple):
    """A refused line, with a right example, of its kind if there is one; "" if there is none at all."""

    line: Line
    problem: str
    example: str = ""


Answer = Right | Wrong
