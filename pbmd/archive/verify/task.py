"""The task of one of several processes that play a game of an archive again, as it gets it on standard input."""

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Task:
    """The `folder` of the archive, the `rules` by which it is played (the name of a ruleset, or the path of its folder, with a
    slash), and the `share` of the reports to check: its number, and out of how many. One that is `caged` is locked up before
    the rules run; if that fails, it runs them only if it is `uncaged`, too."""

    folder: str
    rules: str
    share: tuple[int, int]
    caged: bool = False
    uncaged: bool = False

    @property
    def written(self) -> bytes:
        """As JSON."""
        return json.dumps(asdict(self)).encode()


def task_in(written: bytes) -> Task:
    """The task in such a text."""
    fields = json.loads(written)
    number, shares = fields.pop("share")
    return Task(share=(number, shares), **fields)
