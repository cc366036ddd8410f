"""The order of phases and steps, and the ranking by arrival."""

import pytest

from pbmd.rules import Line, Mail, ScriptedDice
from rulesets.societies import ruleset
from tests.rulesets.societies.harness import mail, play, resolve, world


@pytest.mark.rule("SO-13", "SO-53")
def test_all_societies_order_at_the_same_time_and_the_last_orders_count() -> None:
    state = ruleset.load(world("a.b", "Ann gold 9", "Bob gold 9", "Eve eliminated 2"))
    assert ruleset.info.timing == "simultaneous"
    assert ruleset.awaiting(state) == ("Ann", "Bob")
    state = ruleset.receive(state, mail("Bob", "Buy 1 army", 1)).position
    assert ruleset.awaiting(state) == ("Ann",)
    state = ruleset.receive(state, mail("Bob", "Buy 2 armies", 2)).position
    state = ruleset.withdraw(state, "Bob")
    assert ruleset.awaiting(state) == ("Ann", "Bob")


@pytest.mark.rule("SO-14", "SO-15", "SO-R04", "SO-05")
def test_each_step_is_finished_for_all_before_the_next_begins() -> None:
    """Ann is last in, yet her spy works before Bob's trade, her trade before his production, her gift before his war."""
    document = world(
        "aabbc / .....", "Ann tech 4 gold 99 spies 1", "Bob tech 4 gold 8 armies 0", "Cat tech 4", wars="Bob Cat 3"
    )  # fmt: skip
    bob = "Bob: Attack Cat with all armies\nBuy 4 armies"
    played = play(document, bob, "Ann: Give Bob 4 armies\nBuy 4 armies\nTrade with Bob")
    # The caravan's 16 gold bought four armies; with the four given, eight attack.
    assert (played.rows(), played.each("armies")) == ("aabbB", [0, 8, 0])
    spied = play(document, "Bob: Trade with Ann", "Ann: Spy on Bob, target trade")
    assert spied.failed("Bob") == ["phase_negated"]


@pytest.mark.rule("SO-R03", "SO-15")
def test_a_replacement_takes_its_own_later_place() -> None:
    document = world("a.b / ...", "Ann tech 6 gold 40", "Bob tech 6 gold 40")
    bid = "Jihad (40)"
    assert resolve(document, [("Ann", bid), ("Bob", bid)]).wonder("Jihad") == "Ann A1"
    assert resolve(document, [("Ann", bid), ("Bob", bid), ("Ann", bid)]).wonder("Jihad") == "Bob C1"


@pytest.mark.rule("SO-R03")
@pytest.mark.parametrize(
    ("ann", "bob", "winner"),
    [((7, 0), (6, 5), "Bob"), ((6, 5), (7, 0), "Ann"), ((7, 1), (7, 0), "Bob"), ((7, 0), (7, 0), "Ann")],
)
def test_the_time_of_arrival_decides_then_the_order_of_sign_up(ann: tuple[int, int], bob: tuple[int, int], winner: str) -> None:
    """And never the order in which letters are found."""
    document = world("a.b / ...", "Ann tech 6 gold 40", "Bob tech 6 gold 40")
    letters = [Mail(seat, (Line(1, "Jihad (40)"),), arrival) for seat, arrival in (("Ann", ann), ("Bob", bob))]
    for found in (letters, letters[::-1]):
        state = ruleset.load(document)
        for letter in found:
            state = ruleset.receive(state, letter).position
        after = ruleset.dump(ruleset.resolve(state, ScriptedDice(())).position)
        assert after["wonder"][0]["owner"] == winner


@pytest.mark.rule("SO-R03", "SO-R08")
def test_societies_without_orders_come_last() -> None:
    """The armies that Bob, who is silent, gets from nobody do not matter; his spies are trained after Cat's have acted."""
    document = world("a.b.c", "Ann tech 7", "Bob tech 7", "Cat spies 1")
    assert play(document, "Cat: Spy on Bob, target espionage").each("spies") == [1, 0, 0]


@pytest.mark.rule("SO-R05")
def test_levels_count_as_they_are_at_that_moment() -> None:
    """Chart for trade, after research for armies, after aid for war and tax."""
    document = world("aabbb / c....", "Ann tech 3 gold 99 armies 3", "Bob tech 3", "Cat tech 5", wars="Ann Bob 3")
    played = play(document, "Ann: Research 1\nBuy 1 army\nAttack Bob with 3 armies\nTrade with Cat", "Cat: Give Ann 1 tech")
    # Trade 3 + 5 for 15; Architecture 12 × 2/3 = 8; an army for 4; war at level 5: (3/3) × 5/3 = 1; tax at level 5.
    assert played.rows() == "aaAbb/c"
    assert played.society("Ann")["gold"] == 99 - 8 + 15 - 8 - 4 + 2 * 5 * 5


@pytest.mark.rule("SO-R08", "SO-R97")
def test_a_society_without_orders_is_neither_removed_nor_played() -> None:
    document = world("a.b", "Ann gold 9 missed_turns 40", "Bob")
    played = play(document)
    assert played.society("Ann") == {**played.society("Ann"), "gold": 14, "missed_turns": 41, "eliminated_turn": 0}
    assert ruleset.awaiting(played.position) == ("Ann", "Bob")


@pytest.mark.rule("SO-R01", "SO-125")
def test_the_ruleset_names_its_source_and_its_numbers() -> None:
    """Both copies of the source: the tables of one and the revolution's spies of the other are in the rules."""
    info = ruleset.info
    assert (info.slug, info.title, info.prefix) == ("societies", "Societies", "SO")
    assert len(info.tables["wonders"]) == 14
    assert len(info.tables["technologies"]) == 15


OPTIONS = {
    "squares_per_player": 12, "extra_side": 0, "starts": "", "turn_hours": 24, "tech_cost_formula": "discount",
    "tech_cost_rounding": "up", "tech_discount_counts": "start_of_turn", "max_caravans": 15, "silk_road_expires": "anyone",
    "negated_trade_blocks_incoming": True, "spy_stock_max": 5, "spy_cap_when": "after_use", "spy_defence": "one_for_one",
    "mutual_spies": "pairwise", "plain_production": "first_ordered", "espionage_negates_training": True,
    "revolution_collects_tax": False, "new_government_from": "next_turn", "city_list_exhausted": "auto", "aid_gold": True,
    "aid_needs_adjacency": "armies, nukes, sdi", "casualty_rounding": "down", "support_rounding": "up", "spaceship_parts": 4,
    "obsolete_wonders_count": True, "domination_needs_gm": False, "public_chart": "", "reveal_at_end": True,
}  # fmt: skip


@pytest.mark.rule("SO-R02", "SO-R99")
def test_the_options_and_their_defaults_are_those_of_the_specification() -> None:
    assert {key: spec.default for key, spec in ruleset.info.options.items()} == OPTIONS


def test_the_length_of_a_turn_is_set_by_its_option() -> None:
    assert ruleset.info.clock is not None
    assert ruleset.info.clock.turn_hours == "turn_hours"
