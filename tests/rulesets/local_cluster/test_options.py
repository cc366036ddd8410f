"""The options of section 11: all of them, with their defaults, and what each changes."""

import pytest

from pbmd.rules import OptionError
from pbmd.rules.options import complete
from rulesets.local_cluster import ruleset
from tests.rulesets.local_cluster.harness import duel, move, play

DEFAULTS = {
    "start_credits": 30, "victory_planets": 18, "move_hours": 72, "skips_to_npc": 2, "min_players": 2, "max_players": 12,
    "planet_tax": 2, "home_tax": 2, "home_defense": 1, "capital_cost": 50, "slots": 2, "trade_income": 5, "trade_limit": 3,
    "army_cost": 3, "army_upkeep": 1, "fleet_cost": 10, "fleet_upkeep": 3, "fleet_capacity": 1, "die_sides": 10,
    "portal_base_range": 2, "research_per_move": 1, "turn0_order": "any", "early_orders": "hold", "strict_mails": True,
    "army_steps": "one", "casualty": "lowest", "pact_joins_defense": False, "surrender": "removed", "skip_income": True,
    "gift_limit": "tax", "offer_turns": 1, "npc_home_bonus": False, "npc_pays_upkeep": True, "victory_check": "turn",
    "victory_order": "planets_first", "last_player_wins": False, "credits_public": True, "offers_public": False,
}  # fmt: skip


@pytest.mark.rule("LC-08", "LC-91", "LC-92")
def test_the_options_and_their_defaults_are_those_of_the_specification() -> None:
    assert {key: option.default for key, option in ruleset.info.options.items()} == DEFAULTS
    assert dict(complete(ruleset.info.options, {})) == DEFAULTS


@pytest.mark.rule("LC-92")
def test_the_clock_runs_for_move_hours() -> None:
    assert ruleset.info.clock.turn_hours == "move_hours"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("turn0_order", "random"), ("early_orders", "drop"), ("army_steps", "two"), ("casualty", "oldest"),
        ("surrender", "sold"), ("gift_limit", "none"), ("victory_check", "never"), ("victory_order", "alphabetical"),
        ("slots", -1), ("die_sides", 0), ("skips_to_npc", 0), ("strict_mails", "yes"), ("max_players", 35),
    ],
)  # fmt: skip
def test_other_values_are_refused(key: str, value: object) -> None:
    with pytest.raises(OptionError):
        complete(ruleset.info.options, {key: value})


@pytest.mark.rule("LC-14", "LC-17", "LC-30", "LC-66", "LC-69")
@pytest.mark.parametrize(
    ("options", "credits"),
    [
        ({}, 100 + 4 + 5 - 4),
        ({"planet_tax": 7}, 100 + 9 + 5 - 4),
        ({"home_tax": 0}, 100 + 2 + 5 - 4),
        ({"trade_income": 9}, 100 + 4 + 9 - 4),
        ({"army_upkeep": 4}, 100 + 4 + 5 - 7),
        ({"fleet_upkeep": 0}, 100 + 4 + 5 - 1),
    ],
)
def test_amounts_of_income_and_upkeep(options: dict[str, int], credits: int) -> None:  # noqa: A002
    document = duel(units="F1 Terrans Aquila, A1 Terrans Aquila", relations="Terrans trade Zorg")
    assert move(document, "Pass", **options).credits("Terrans") == credits


@pytest.mark.rule("LC-20", "LC-65", "LC-68")
@pytest.mark.parametrize(
    ("line", "options", "spent"),
    [
        ("Build army at Aquila", {"army_cost": 8}, 8),
        ("Build fleet at Aquila", {"fleet_cost": 4}, 4),
        ("Move capital to Eridu", {"capital_cost": 9}, 9),
    ],
)
def test_amounts_of_costs(line: str, options: dict[str, int], spent: int) -> None:
    assert move(duel(planets="Eridu Terrans"), line, **options).credits("Terrans") == 106 - spent


def test_options_are_kept_with_the_position() -> None:
    played = play(duel(options={"slots": 3}), [("Terrans", "Pass")])
    assert played.document["options"] == {"slots": 3}
