"""Games of random players in a sequential ruleset: what is out of the ordinary happens, too."""

from dataclasses import replace
from typing import Any

from pbmd.rules import Dice, Mail, Receipt, Resolution
from pbmd.simulate import Plan, play
from tests.rules import relay


def test_skips_moves_sent_ahead_and_mails_without_a_move_happen_now_and_then() -> None:
    seen: set[str] = set()

    def receive(position: Any, mail: Mail) -> Receipt[Any]:
        receipt = relay.ruleset.receive(position, mail)
        if receipt.granted:
            seen.add("talk")
        elif mail.seat not in relay.ruleset.awaiting(position):
            seen.add("held")
        return receipt

    def resolve(position: Any, dice: Dice) -> Resolution[Any]:
        seen.update({"skip"} if position.missed else {"move"})
        return relay.ruleset.resolve(position, dice)

    watched = replace(relay.ruleset, receive=receive, resolve=resolve)
    options = {key: spec.default for key, spec in relay.info.options.items()}
    game = play(Plan(lambda: watched, 4, options, 1, 200), 0)
    assert not game.problem, game.trace
    assert seen == {"talk", "held", "skip", "move"}
