"""The options of the game: all that the specification lists, with its defaults. What each changes is tested with its rule."""

import ast
from pathlib import Path

import pytest

from pbmd.rules import PositionError
from rulesets.galactic_overlord import ruleset
from tests.rulesets.galactic_overlord.harness import fight, play, player, position

DEFAULTS = {
    "max_players": 0,
    "starting_bases": 3,
    "starting_bp": 32,
    "starting_counter_espionage": 2,
    "starting_generators": 0,
    "starting_spies": 0,
    "income_home": 5,
    "income_captured": 2,
    "base_cost": 16,
    "base_cost_step": 8,
    "base_cost_tier": 6,
    "base_price_count": "held",
    "max_generators": 3,
    "max_spies": 3,
    "spies_per_turn": 1,
    "shield_hits": 12,
    "multi_attack_order": "last_first",
    "late_winner_base": True,
    "capture_pick": "newest",
    "undefended": "all",
    "sack_scope": "home_fleet",
    "joint_oob_conflict": "separate",
    "missing_oob": "random",
    "range_conflict": "cancel",
    "hit_rounding": "exact",
    "destruction": "more_than",
    "removal_order": "weapon",
    "supply_loss_percent": 10,
    "supply_start": "next_turn",
    "turn_zero": False,
    "turn_limit": 0,
    "battle_detail": "tally",
    "reveal_at_end": False,
}
CHOICES = {
    "base_price_count": {"held", "ever"},
    "multi_attack_order": {"last_first", "first_first"},
    "capture_pick": {"newest", "oldest"},
    "undefended": {"all", "one"},
    "sack_scope": {"home_fleet", "whole_navy"},
    "joint_oob_conflict": {"separate", "first_in"},
    "missing_oob": {"random", "destroyed"},
    "range_conflict": {"cancel", "close_in"},
    "hit_rounding": {"exact", "down"},
    "destruction": {"more_than", "reach"},
    "removal_order": {"weapon", "hull"},
    "supply_start": {"next_turn", "same_turn"},
    "battle_detail": {"tally", "rounds"},
}


def test_the_options_are_those_of_the_specification_with_its_defaults() -> None:
    assert {key: spec.default for key, spec in ruleset.info.options.items()} == DEFAULTS
    assert {key: set(spec.choices) for key, spec in ruleset.info.options.items() if spec.choices} == CHOICES
    assert all(spec.help for spec in ruleset.info.options.values())


def test_every_option_is_set_by_some_test() -> None:
    used: set[str] = set()
    for source in Path(__file__).parent.glob("test_*.py"):
        if source.name == Path(__file__).name:
            continue
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg:
                used.add(node.arg)
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                used.add(node.value)
    used |= set(TESTED_HERE)
    assert set(DEFAULTS) - used == set()


TESTED_HERE = ("range_conflict", "hit_rounding", "destruction")


@pytest.mark.rule("GO-R56")
@pytest.mark.parametrize(
    ("attack", "defence", "factor"),
    [
        ("close in", "back off", 2),
        ("back off", "close in", 2),
        ("close in", "close in", 4),
        ("back off", "back off", 0.25),
        ("", "", 1),
        ("back off", "", 0.5),
    ],
)
def test_close_in_can_be_set_to_beat_back_off(attack: str, defence: str, factor: float) -> None:
    fleets = ("2 Lasertitan", "3 Lasercruiser, 4 Torpedotitan")
    played = fight(*fleets, f"LFTLFT {attack}", f"LFFLTT {defence}", range_conflict="close_in")
    assert played.tallies[0] == (0, 4 * factor)


@pytest.mark.rule("GO-R55")
def test_the_hits_of_each_round_can_be_rounded_down() -> None:
    # Round 1: 3 lasers × ½ = 1.5, rounded down 1; round 4 the same.
    fleets = ("1 Laserbattleship", "3 Torpedotitan", "LTFLTF back off", "LFFLTT")
    exact = fight(*fleets)
    assert exact.tallies[0] == (0, 1.5)
    rounded = fight(*fleets, hit_rounding="down")
    assert rounded.tallies[0] == (0, 1)
    quarter = fight("1 Laserfrigate", "3 Torpedotitan", "LTFLTF back off", "LFFLTT back off", hit_rounding="down")
    assert quarter.tallies[0] == (0, 0)


@pytest.mark.rule("GO-R64", "GO-112")
def test_reaching_the_hit_points_can_be_set_to_be_enough() -> None:
    played = fight("1 Lasercruiser", "1 Torpedocruiser", "LFTLFT", "FTLFTL", destruction="reach")
    assert (played.rounds, played.tallies, played.outcome) == (1, [(0, 4)], "attacker_won")


def test_missing_options_have_their_defaults_and_given_ones_stay_in_the_position() -> None:
    start = position(player("Altair"), player("Cygnus"))
    assert play(start, []).player("Altair")["bp"] == 15
    document = play(start, [], income_home=7).document
    assert document["options"]["income_home"] == 7
    assert play(document, []).player("Altair")["bp"] == 42


@pytest.mark.parametrize(
    "options",
    [
        {"shields": 12},
        {"shield_hits": -1},
        {"shield_hits": "twelve"},
        {"shield_hits": True},
        {"undefended": "none"},
        {"late_winner_base": 1},
        {"base_cost_tier": 0},
    ],
)
def test_unknown_options_and_impossible_values_are_refused_with_their_place(options: dict[str, object]) -> None:
    start = position(player("Altair"), player("Cygnus"))
    with pytest.raises(PositionError) as caught:
        ruleset.load({**start, "options": options})
    assert "options" in caught.value.place
