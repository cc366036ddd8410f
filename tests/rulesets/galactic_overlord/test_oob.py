"""Which Order of Battle applies, and the random one."""

from itertools import permutations
from typing import Any

import pytest

from pbmd.rules import Mail
from pbmd.rules.lines import order_lines
from rulesets.galactic_overlord import ruleset
from rulesets.galactic_overlord.checking.grammar import parsed
from rulesets.galactic_overlord.checking.reading import clean, read
from tests.rulesets.galactic_overlord.harness import Played, lost, navy, play, player, position, tallies

# Six OOBs that make a difference both for the side that uses them and for the one it meets.
GENERAL, DEFAULT, AGAINST, EXACT, OTHER, WRONG = "TTFLLF", "FFTTLL", "LTTLFF", "TLFFLT", "FTLTFL", "LLTTFF"
ALPHABETICAL = sorted("".join(letters) for letters in set(permutations("LLFFTT")))


def duel(altair_oobs: str, cygnus_oobs: str, dice: tuple[int, ...] = (), **options: Any) -> Played:
    fleet = "4 Lasertitan, 3 Carriertitan, 5 Torpedotitan"
    start = position(player("Altair", fleet), player("Borealis"), player("Cygnus", fleet))
    orders = [("Altair", f"Attack Cygnus with all\n{altair_oobs}"), ("Cygnus", cygnus_oobs)]
    return play(start, orders, dice, **options)


def test_the_oobs_of_these_tests_can_be_told_apart() -> None:
    attacking = {tuple(duel(oob, "LFTLFT").tallies) for oob in (GENERAL, DEFAULT, AGAINST, EXACT, OTHER, WRONG)}
    defending = {tuple(duel("LFTLFT", oob).tallies) for oob in (GENERAL, DEFAULT, AGAINST, EXACT, OTHER, WRONG)}
    assert (len(attacking), len(defending)) == (6, 6)


ATTACKING = [
    (f"Attack vs Cygnus: {EXACT}\nOOB vs Cygnus: {AGAINST}\nAttack: {GENERAL}\nDefault: {DEFAULT}", EXACT),
    (f"OOB vs Cygnus: {AGAINST}\nAttack: {GENERAL}\nDefault: {DEFAULT}", AGAINST),
    (f"Attack: {GENERAL}\nDefault: {DEFAULT}", GENERAL),
    (f"Default: {DEFAULT}", DEFAULT),
    # Those for other situations do not serve.
    (f"Defence: {WRONG}\nDefence vs Cygnus: {WRONG}\nOOB vs Borealis: {WRONG}\nDefault: {DEFAULT}", DEFAULT),
    (f"Attack vs Borealis: {WRONG}\nDefault: {DEFAULT}", DEFAULT),
]


@pytest.mark.rule("GO-80", "GO-98", "GO-99", "GO-R62")
@pytest.mark.parametrize(("sent", "used"), ATTACKING)
def test_the_most_special_oob_for_the_attack_applies(sent: str, used: str) -> None:
    assert duel(sent, "LFTLFT").tallies == duel(used, "LFTLFT").tallies


DEFENDING = [
    (f"Defence vs Altair: {EXACT}\nOOB vs Altair: {AGAINST}\nDefence: {GENERAL}\nDefault: {DEFAULT}", EXACT),
    (f"OOB vs Altair: {AGAINST}\nDefence: {GENERAL}\nDefault: {DEFAULT}", AGAINST),
    (f"Defence: {GENERAL}\nDefault: {DEFAULT}", GENERAL),
    (f"Default: {DEFAULT}", DEFAULT),
    (f"Attack: {WRONG}\nAttack vs Altair: {WRONG}\nOOB vs Borealis: {WRONG}\nDefault: {DEFAULT}", DEFAULT),
]


@pytest.mark.rule("GO-80", "GO-98", "GO-99", "GO-R62", "GO-100")
@pytest.mark.parametrize(("sent", "used"), DEFENDING)
def test_the_most_special_oob_for_the_defence_applies(sent: str, used: str) -> None:
    assert duel("LFTLFT", sent).tallies == duel("LFTLFT", used).tallies


@pytest.mark.rule("GO-100", "GO-85")
def test_an_attack_and_a_defence_oob_each_have_their_own_tactics() -> None:
    full = "Attack: TFFLLT back off, bunch\nDefence: LFTFTL close in, default"
    assert duel(full, "LFTLFT").tallies == duel("TFFLLT back off, bunch", "LFTLFT").tallies
    assert duel("LFTLFT", full).tallies == duel("LFTLFT", "LFTFTL close in").tallies
    assert duel("LFTLFT", full).tallies != duel("LFTLFT", "LFTFTL").tallies


@pytest.mark.rule("GO-R62")
@pytest.mark.parametrize(
    ("sent", "used"),
    [
        # The first arrived member for whom there is one; then the second; then the general ones.
        (f"Defence vs Altair: {EXACT}\nDefence vs Borealis: {OTHER}\nDefence: {GENERAL}", EXACT),
        (f"Defence vs Borealis: {OTHER}\nDefence: {GENERAL}", OTHER),
        (f"OOB vs Altair: {AGAINST}\nDefence vs Borealis: {OTHER}", AGAINST),
        (f"OOB vs Borealis: {AGAINST}\nDefence: {GENERAL}\nDefault: {DEFAULT}", AGAINST),
        (f"Defence: {GENERAL}\nDefault: {DEFAULT}", GENERAL),
    ],
)
def test_against_a_joint_fleet_the_members_are_tried_in_order_of_arrival(sent: str, used: str) -> None:
    start = position(
        player("Altair", "4 Lasertitan, 3 Carriertitan"),
        player("Borealis", "5 Torpedotitan"),
        player("Cygnus", "4 Lasertitan, 3 Carriertitan, 5 Torpedotitan"),
    )
    allies = [
        ("Altair", "Attack Cygnus with all allied with Borealis\nAttack: LFTLFT"),
        ("Borealis", "Attack Cygnus with all allied with Altair\nAttack: LFTLFT"),
    ]
    expected = play(start, [*allies, ("Cygnus", used)])
    assert expected.battle.data["joint"] is True
    assert play(start, [*allies, ("Cygnus", sent)]).tallies == expected.tallies


@pytest.mark.rule("GO-98", "GO-R62")
def test_different_enemies_meet_different_oobs_in_the_same_turn() -> None:
    fleet = "4 Lasertitan, 3 Carriertitan, 5 Torpedotitan"
    start = position(
        player("Altair", fleet), player("Borealis", fleet), player("Cygnus", "12 Lasertitan, 9 Carriertitan, 15 Torpedotitan")
    )
    line = "Attack Cygnus with all\nLFTLFT"
    split = f"OOB vs Altair: {AGAINST}\nOOB vs Borealis: {OTHER}"
    both = play(start, [("Altair", line), ("Borealis", line), ("Cygnus", split)])
    only_borealis = play(start, [("Borealis", line), ("Cygnus", OTHER)])
    assert tallies(both.battles[0]) == only_borealis.tallies
    swapped = play(
        start, [("Altair", line), ("Borealis", line), ("Cygnus", f"OOB vs Altair: {OTHER}\nOOB vs Borealis: {AGAINST}")]
    )
    assert tallies(both.battles[0]) != tallies(swapped.battles[0])


# Random OOBs


@pytest.mark.rule("GO-R61", "GO-81")
def test_the_ninety_arrangements_are_numbered_alphabetically() -> None:
    assert len(ALPHABETICAL) == 90
    assert (ALPHABETICAL[0], ALPHABETICAL[1], ALPHABETICAL[89]) == ("FFLLTT", "FFLTLT", "TTLLFF")
    for roll in (1, 2, 23, 45, 46, 77, 88, 90):
        played = duel("LFTLFT", "Stockpile", dice=(roll,))
        (event,) = played.of("oob_rolled")
        assert event.data == {"player": "Cygnus", "roll": roll, "oob": ALPHABETICAL[roll - 1]}
        assert event.audience == ("Cygnus",)
        assert played.drawn == ((90, roll),)
        assert played.tallies == duel("LFTLFT", ALPHABETICAL[roll - 1]).tallies


@pytest.mark.rule("GO-81", "GO-R61", "GO-R60", "GO-104")
def test_both_sides_without_an_oob_roll_first_the_attacker_then_the_defender() -> None:
    played = duel("Stockpile", "Stockpile", dice=(7, 77))
    assert [(e.data["player"], e.data["roll"]) for e in played.of("oob_rolled")] == [("Altair", 7), ("Cygnus", 77)]
    assert played.tallies == duel(ALPHABETICAL[6], ALPHABETICAL[76]).tallies


@pytest.mark.rule("GO-R61")
def test_a_random_oob_is_rolled_once_a_turn_and_serves_for_everything() -> None:
    fleet = "4 Lasertitan, 3 Carriertitan, 5 Torpedotitan"
    start = position(player("Altair", f"{fleet}, 1 Laserfrigate"), player("Borealis", fleet), player("Cygnus", fleet))
    orders = [
        ("Altair", "Attack Cygnus with 4 Lasertitan, 3 Carriertitan, 5 Torpedotitan"),
        ("Borealis", "Attack Altair with all\nLFTLFT"),
        ("Cygnus", "LFTLFT"),
    ]
    played = play(start, orders, dice=[31])
    assert len(played.battles) == 2
    assert tallies(played.battles[1]) == duel(ALPHABETICAL[30], "LFTLFT").tallies


@pytest.mark.rule("GO-R61", "GO-81")
def test_no_die_is_rolled_for_an_oob_that_nobody_needs() -> None:
    start = position(player("Altair", "1 Laserfrigate"), player("Cygnus"), player("Deneb", "2 Lasertitan"))
    assert play(start, [("Altair", "Attack Cygnus with all")]).drawn == ()
    assert play(start, []).drawn == ()


@pytest.mark.rule("GO-R61", "GO-R23")
def test_against_shields_only_the_group_rolls() -> None:
    start = position(player("Altair", "6 Laserfrigate, 6 Torpedofrigate"), player("Cygnus", "1 Lasertitan", generators=1))
    played = play(start, [("Altair", "Attack Cygnus with all"), ("Cygnus", "Raise shields")], dice=[90])
    assert played.navy("Altair") == navy("6 Laserfrigate")


@pytest.mark.rule("GO-R60", "GO-104")
def test_fleets_with_no_oob_can_be_destroyed_instead() -> None:
    option = {"missing_oob": "destroyed"}
    attacker = duel("Stockpile", "LFTLFT", **option)
    assert (attacker.outcome, attacker.navy("Altair")) == ("defender_won", {})
    assert sum(attacker.navy("Cygnus").values()) == 12
    defender = duel("LFTLFT", "Stockpile", **option)
    assert (defender.outcome, defender.navy("Cygnus"), len(defender.bases("Altair"))) == ("attacker_won", {}, 6)
    both = duel("Stockpile", "Stockpile", **option)
    assert (both.outcome, both.navy("Altair"), both.navy("Cygnus")) == ("both_destroyed", {}, {})
    start = position(player("Altair", "9 Lasertitan"), player("Cygnus", generators=1))
    shield = play(start, [("Altair", "Attack Cygnus with all"), ("Cygnus", "Raise shields")], **option)
    assert shield.navy("Altair") == {}
    assert lost(shield.of("shield_hit")[0]) == {("Altair", "Lasertitan"): 9}
    # Where no OOB is needed, nothing happens to the fleet.
    walk = play(position(player("Altair", "1 Lasertitan"), player("Cygnus")), [("Altair", "Attack Cygnus with all")], **option)
    assert walk.navy("Altair") == navy("1 Lasertitan")


@pytest.mark.rule("GO-R63", "GO-80", "GO-81")
def test_oobs_do_not_carry_over_to_the_next_turn() -> None:
    fleet = "4 Lasertitan, 3 Carriertitan, 5 Torpedotitan"
    start = position(player("Altair", fleet), player("Cygnus", fleet))
    played = play(start, [("Altair", "LFTLFT"), ("Cygnus", f"Defence: {GENERAL}")])
    again = play(played.document, [("Altair", "Attack Cygnus with all"), ("Cygnus", "Stockpile")], dice=[3, 4])
    assert again.tallies == duel(ALPHABETICAL[2], ALPHABETICAL[3]).tallies


@pytest.mark.rule("GO-R75", "GO-81", "GO-23")
def test_without_orders_bp_and_stocks_are_kept_and_the_defence_has_a_random_oob() -> None:
    start = position(
        player("Altair", "1 Lasertitan"), player("Cygnus", "3 Laserfrigate", bp=7, spies=1, generators=1, counter_espionage=1)
    )
    played = play(start, [("Altair", "Attack Cygnus with all\nLFTLFT")], dice=[1])
    assert [(e.data["player"], e.data["oob"]) for e in played.of("oob_rolled")] == [("Cygnus", "FFLLTT")]
    quiet = play(start, [("Altair", "Stockpile")])
    assert (quiet.player("Cygnus")["bp"], quiet.stocks("Cygnus"), quiet.player("Cygnus")["alive"]) == (22, (1, 1, 1), True)


LABELS = ["OOB", "oob attack", "Order of Battle defence", "Attack", "Defense", "default", "vs Cygnus", "", "Attack vs Cygnus"]
LABELS += [
    "OOB default vs Cygnus",
    "OOB vs Cygnus to",
    "attack with",
    "Defence versus Altair Prime",
    "oob  against  the X",
    "Build",
]
TAILS = ["LFTLTF", "TFFLLT back off, bunch", "lftltf close", "LLFFTT default, spread out.", "LFTLTF to the death", "LLLFTT", ""]
TAILS += ["LFTLTF close, close", "Lasers-Fighters-Torpedoes-Laser-Torpedoes-Fighters (LFTLTF)", "OOB LFTLTF", "LFTLTF: bunch"]


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("tail", TAILS)
def test_an_order_of_battle_taken_apart_at_its_colon_is_what_the_grammar_makes_of_it(label: str, tail: str) -> None:
    for line in (clean(f"{label}: {tail}"), clean(f"{label} :{tail}")):
        assert read(line) == parsed(line)


@pytest.mark.rule("GO-98", "GO-99", "GO-R63")
@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("OOB attack:\nTFFLLT\nOOB defence:\nLFTFTL", ("OOB attack: TFFLLT", "OOB defence: LFTFTL")),
        ("Attack OOB:\nTFFLLT back off\nDefault OOB:\nL-F-T-L-T-F", ("OOB attack: TFFLLT back off", "OOB default: LFTLTF")),
        ("OOB defence\nLFTFTL", ("OOB defence: LFTFTL",)),
        ("vs Cygnus:\nLFTFTL", ("OOB vs Cygnus: LFTFTL",)),
        ("ORDER OF BATTLE\nLFTLTF", ("OOB default: LFTLTF",)),
        ("OOB:\ndefault: LFTLTF\nattack: TFFLLT", ("OOB default: LFTLTF", "OOB attack: TFFLLT")),
        ("Build 1 base\nWhen they come with fighters:\nLFTFTL", ("Build 1 base",)),
        ("Build 1 base\nOOB for attak\nLFTFTL", ("Build 1 base",)),
        ("OOB attack:\nTFFLLT\nLFTFTL", ("OOB attack: TFFLLT",)),
        ("OOB attack:\nTFFLLT\n\nLFTFTL", ("OOB attack: TFFLLT",)),
        ("Build 1 base\nTrian spy\nLFTFTL", ("Build 1 base", "OOB default: LFTFTL")),
    ],
)
def test_six_weapons_below_a_heading_are_for_what_it_says(text: str, orders: tuple[str, ...]) -> None:
    """Alone they would be for everything. Below what is not understood they are for nothing."""
    here = ruleset.load(position(player("Altair", "4 Lasertitan"), player("Borealis"), player("Cygnus")))
    receipt = ruleset.receive(here, Mail("Altair", order_lines(text), (1, 0)))
    assert receipt.position.sheets[0].lines == orders, receipt.verdicts
