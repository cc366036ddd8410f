"""What fuzzing throws bytes at: a desk with two running games, to which each input comes as it is and as from a player: with
the secret of a seat, without any, and as the answer to a question."""

from pathlib import Path
from tempfile import mkdtemp

from pbmd.desk.mailroom import process_letters
from tests.desk.world import ADDRESS, World, message_of
from tests.post.clerked import accounted
from tests.post.samples import from_player


class Desk:
    """Deals with one letter after the other; a new one is set up after some, so that the brakes do not hide what is read."""

    EACH = 50

    def __init__(self) -> None:
        self._count = 0
        self._world: World | None = None
        self._question = ""

    def take(self, raw: bytes) -> None:
        """Let the bytes arrive, be dealt with, and be accounted for. Fails if one is put aside or ignored."""
        if self._world is None or self._count % self.EACH == 0:
            self.close()
            self._world = World(Path(mkdtemp(prefix="pbmd-fuzz-")))
            self._world.settle(limits={"confirmations_per_day": 1000})
            self._world.count()
            self._world.count("galaxy-8")
            self._world.send("Altair", "RESIGN")
            self._question = str(message_of(self._world.questions()[0])["Reply-To"])
        self._count += 1
        self._world.arrive(raw)
        self._world.arrive(from_player(raw, "altair@players.test", self._world.reply_address("Altair")))
        for name, to in (("new", ADDRESS), ("answer", self._question)):
            # With an id of its own, lest it be taken for the same letter once more.
            named = f"Message-ID: <{name}{self._count}@players.test>\n".encode()
            self._world.arrive(named + from_player(raw, "altair@players.test", to))
        process_letters(self._world.desk)
        accounted(self._world)

    def close(self) -> None:
        """Give the files of the desk back."""
        if self._world is not None:
            self._world.close()
            for path in self._world.folder.iterdir():
                path.unlink()
            self._world.folder.rmdir()
            self._world = None
