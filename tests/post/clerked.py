"""What has to be true of every letter after the clerk had it, whatever was in it."""

import re

from pbmd.ledger.tables import LetterState
from tests.desk.world import World


def accounted(world: World) -> None:
    """Each letter is done or waits for its player, and was answered or the log has the reason why not."""
    answered = {mail.key.rpartition(" ")[2] for kind in ("acknowledgement", "visit") for mail in world.outbox(kind)}
    logged = {number for line in world.log() for number in re.findall(r"(?:letter|acknowledgement) (\d+)", line.detail)}
    for letter in world.letters():
        assert letter.state in (LetterState.DONE, LetterState.HELD), (letter.id, letter.note)
        assert str(letter.id) in answered | logged, (letter.id, letter.note)
