"""The orders of a sheet on file, read back from its canonical lines."""

from collections.abc import Iterable

from .grammar import Misread, read
from .orders import Order


def orders_in(lines: Iterable[str]) -> tuple[Order, ...]:
    """The orders in canonical lines, in their order. Raises `ValueError` for lines that no sheet on file has."""
    return tuple(_order_in(line) for line in lines)


def _order_in(line: str) -> Order:
    order = read(line)
    if order is None or isinstance(order, Misread):
        raise ValueError(f"no order: {line}")
    return order
