"""The desk's fixtures."""

from tests.desk.conftest import ledger, world

__all__ = ["ledger", "world"]
