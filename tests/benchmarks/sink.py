"""The world's mail servers: one that takes every mail."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiosmtpd.controller import Controller


class _OnAnyPort(Controller):
    """A server on a free port; the library looks whether it answers at the port it asked for, which is 0."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]  # pyright: ignore[reportOptionalMemberAccess]
        super()._trigger_server()


@contextmanager
def running_sink(handler: Any) -> Iterator[int]:
    """A server that gives mails to `handler`, as aiosmtpd wants it; yields its port."""
    controller = _OnAnyPort(handler, hostname="127.0.0.1", port=0)
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()
