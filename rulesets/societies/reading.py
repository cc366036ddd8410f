"""The orders of a sheet on file, read back from its canonical lines."""

from dataclasses import replace
from functools import lru_cache

from .grammar import read
from .orders import Attack, Launch, Order, Targets


@lru_cache(maxsize=4096)
def orders_in(lines: tuple[str, ...]) -> tuple[Order, ...]:
    """The orders in canonical lines, in their order; targets are part of the attack or launch above them.

    Raises `ValueError` for lines that no sheet on file has.
    """
    orders: list[Order] = []
    for line in lines:
        order = read(line)
        above = orders[-1] if orders else None
        if order is None:
            raise ValueError(f"no order: {line}")
        if isinstance(order, Targets):
            if not isinstance(above, Attack | Launch):
                raise ValueError(f"nothing to have targets: {line}")
            orders[-1] = replace(above, targets=order.squares)
        else:
            orders.append(order)
    return tuple(orders)
