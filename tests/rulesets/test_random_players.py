"""The random players of the rulesets that come with pbmd make no mistakes: what is refused of their letters is a defect."""

import pytest

from pbmd.conformance.scenes import dice
from pbmd.rules import Mail, Status
from pbmd.rules.lines import order_lines
from tests.rulesets.contract.scenes import scenes
from tests.rulesets.rule_citations import rulesets


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("slug", rulesets())
def test_random_players_send_right_orders_in_any_position(slug: str) -> None:
    for scene in scenes(slug):
        for seat in scene.rules.awaiting(scene.position):
            text = scene.rules.random_orders(scene.position, seat, dice(scene.name, seat))
            receipt = scene.rules.receive(scene.position, Mail(seat, order_lines(text), (2**40, 0)))
            assert [verdict for verdict in receipt.verdicts if verdict.status is Status.ERROR] == [], text
