"""The parts of a daemon: all of them if it is alone; if several share a ledger, those that no other has."""

import logging
import threading
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from pbmd.daemon.heartbeat import work_pass
from pbmd.daemon.roles import FREE_SECONDS, Role
from pbmd.desk.books.desk import Desk
from pbmd.ledger.database import is_shared
from pbmd.ledger.parts import GAMES, PAGES, SENDING, reading_of

if TYPE_CHECKING:
    from pbmd.daemon.bell import Bell

_log = logging.getLogger("pbmd.daemon")


class Parts:
    """See the module. `mailbox` is the name of the mailbox that is read."""

    def __init__(self, database: str, mailbox: str) -> None:
        self.are_shared = is_shared(database)
        self.mailbox, self.outbox, self.games, self.pages = (
            Role(database, part) for part in (reading_of(mailbox), SENDING, GAMES, PAGES)
        )
        self._database = database
        self._all = (self.mailbox, self.outbox, self.games, self.pages)

    def keep(self, stopping: threading.Event, reader_must_look: Callable[[], object]) -> None:
        """Confirm again and again that the parts are still ours, until the event is set; `reader_must_look` is called when the
        mailbox is ours no longer."""
        while self.are_shared and not stopping.wait(FREE_SECONDS):
            had = self.mailbox.is_held
            for role in self._all:
                role.confirm()
            if had and not self.mailbox.is_held:
                reader_must_look()

    def work_pass(self, desk: Desk, mail_waits: Callable[[], object], letters_wait: Callable[[], bool]) -> None:
        """What the desk has to do now, with the help of workers if there are any."""
        bell = self._bell if self.are_shared else None
        if bell is not None and bell.has_workers():
            from pbmd.daemon.dispatch import shared_pass  # few ledgers are shared

            shared_pass(desk, bell.ring, mail_waits, letters_wait)
        else:
            work_pass(desk, mail_waits, letters_wait)

    def end(self) -> None:
        """Let others have them at once, though something may still be finished here: they find what is undone."""
        for role in self._all:
            role.end()

    def give_back(self) -> None:
        """Let others have them, and close all connections."""
        for role in self._all:
            role.give_back()
        if (bell := self.__dict__.get("_bell")) is not None:
            bell.close()

    @cached_property
    def _bell(self) -> "Bell | None":
        """None if nobody can be woken."""
        try:
            from pbmd.daemon.bell import Bell  # Procrastinate is installed only where it is needed (pbmd-games[postgres])
        except ModuleNotFoundError as problem:
            _log.warning(
                "no workers can help, for there is no %s (pip install 'pbmd-games[postgres]'): all is done here", problem.name
            )
            return None
        return Bell(self._database)
