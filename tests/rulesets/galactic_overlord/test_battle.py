"""One battle at a time: weapons, OOB, tactics, rounds, tallies, losses and who has won. Numbers are worked out by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rulesets.galactic_overlord import oracle
from tests.rulesets.galactic_overlord.harness import CLASSES, fight, lost, navy, play, player, position

PREFIX = {"L": "Laser", "F": "Carrier", "T": "Torpedo"}
OTHERS = {"L": "FT", "F": "LT", "T": "LF"}


def only_round_one(letter: str) -> str:
    """An OOB whose first tally has that letter in round 1 alone."""
    return (letter + OTHERS[letter]) * 2


@pytest.mark.rule("GO-76", "GO-77", "GO-78", "GO-79", "GO-102", "GO-103", "GO-105", "GO-107")
@pytest.mark.parametrize(
    ("attacking", "defending", "hits"),
    [
        # 5 weapons against 4; the winning weapon counts double, the weaker side takes the difference.
        ("L", "L", (0, 1)),
        ("L", "F", (0, 6)),
        ("L", "T", (3, 0)),
        ("F", "L", (3, 0)),
        ("F", "F", (0, 1)),
        ("F", "T", (0, 6)),
        ("T", "L", (0, 6)),
        ("T", "F", (3, 0)),
        ("T", "T", (0, 1)),
    ],
)
def test_weapons_beat_each_other_in_a_circle(attacking: str, defending: str, hits: tuple[int, int]) -> None:
    played = fight(
        f"1 {PREFIX[attacking]}titan",
        f"1 {PREFIX[defending]}dreadnaught",
        only_round_one(attacking),
        only_round_one(defending),
    )
    assert played.tallies[0] == hits


@pytest.mark.rule("GO-102", "GO-103")
@pytest.mark.parametrize(
    ("defenders", "oob", "hits"), [("10 Carriertitan", "LTLTFF", 4 + 5 + 4), ("10 Lasertitan", "FTFTLL", 3 + 5 + 3)]
)
def test_a_round_counts_all_weapons_of_the_kind_the_oob_names_and_no_others(defenders: str, oob: str, hits: int) -> None:
    # Lasers 2 × 1 + 1 × 2 = 4, fighters 3, torpedoes 5; the same letters on both sides, so nothing is doubled.
    attackers = "2 Laserfrigate, 1 Lasercruiser, 1 Carrierbattleship, 1 Torpedotitan"
    assert fight(attackers, defenders, oob, oob).tallies[0] == (0, hits)


@pytest.mark.rule("GO-R57")
def test_the_letters_decide_the_doubling_even_without_a_weapon_of_the_beaten_letter() -> None:
    # 2 fighters against the letter T, which the defender does not have: 2 × 2 = 4.
    played = fight("2 Carrierfrigate", "2 Lasertitan", "FLTFLT", "TFTLLF")
    assert played.tallies[0] == (0, 4)


@pytest.mark.rule("GO-R57")
def test_a_winning_letter_without_weapons_stays_at_nothing() -> None:
    # The defender's T beats L, but he has no torpedo: 0 × 2 = 0, and the attacker's 2 lasers hit.
    played = fight("2 Laserfrigate", "2 Carriertitan", "LFTLFT", "TLTFFL")
    assert played.tallies[0] == (0, 2)


RANGES = [
    ("", "", 1),
    ("close in", "", 2),
    ("", "close in", 2),
    ("close in", "close in", 4),
    ("back off", "", 0.5),
    ("", "back off", 0.5),
    ("back off", "back off", 0.25),
    ("close in", "back off", 1),
    ("back off", "close in", 1),
    ("default", "default", 1),
]


@pytest.mark.rule("GO-85", "GO-86", "GO-87", "GO-88", "GO-89", "GO-90", "GO-91", "GO-92", "GO-R55", "GO-R56", "GO-R59")
@pytest.mark.parametrize(("attack", "defence", "factor"), RANGES)
def test_range_multiplies_the_lasers_of_both_fleets(attack: str, defence: str, factor: float) -> None:
    # Round 1: 10 lasers against 6, the difference times the factor; no other weapon speaks in the first three rounds.
    played = fight("2 Lasertitan", "3 Lasercruiser, 4 Torpedotitan", f"LFTLFT {attack}", f"LFFLTT {defence}")
    assert played.tallies[0] == (0, 4 * factor)


@pytest.mark.rule("GO-R59", "GO-92")
@pytest.mark.parametrize(("letter", "range_"), [("F", "close in"), ("T", "close in"), ("F", "back off"), ("T", "back off")])
def test_range_does_nothing_to_fighters_and_torpedoes(letter: str, range_: str) -> None:
    played = fight(f"1 {PREFIX[letter]}dreadnaught", "3 Lasertitan", f"{only_round_one(letter)} {range_}", _blind(letter))
    assert played.tallies[0] == (0, 4)


@pytest.mark.rule("GO-R59")
def test_tactics_hold_from_the_first_round_to_the_last() -> None:
    # Rounds 1 and 4: 10 lasers × 2 against none.
    played = fight("2 Lasertitan", "3 Torpedotitan", "LFTLFT close in", "LFFLTT")
    assert played.tallies == [(0, 20), (0, 20)]


def _blind(letter: str) -> str:
    """An OOB that starts with the letter twice, so that a fleet of a weapon not in its first half does nothing there."""
    # Lasers of the fleet speak only in the second half.
    return {"F": "FFTLLT", "T": "TTFLLF", "L": "LLFTFT"}[letter]


FORMATIONS = [
    ("F", "", 1),
    ("F", "bunch", 0.5),
    ("F", "spread", 2),
    ("T", "", 1),
    ("T", "bunch", 2),
    ("T", "spread", 0.5),
    ("L", "bunch", 1),
    ("L", "spread", 1),
    ("F", "default", 1),
    ("T", "default", 1),
]


@pytest.mark.rule("GO-85", "GO-93", "GO-94", "GO-95", "GO-106")
@pytest.mark.parametrize("striker", ["attacker", "defender"])
@pytest.mark.parametrize(("letter", "formation", "factor"), FORMATIONS)
def test_a_formation_changes_the_oppositions_fighters_and_torpedoes(
    letter: str, formation: str, factor: float, striker: str
) -> None:
    # 4 weapons strike in round 1 against the same letter, of which the formed-up fleet has none.
    striking = (f"1 {PREFIX[letter]}dreadnaught", only_round_one(letter))
    formed = ("3 Torpedotitan" if letter == "L" else "3 Lasertitan", f"{_blind(letter)} {formation}")
    if striker == "attacker":
        played = fight(striking[0], formed[0], striking[1], formed[1])
        assert played.tallies[0] == (0, 4 * factor)
    else:
        played = fight(formed[0], striking[0], formed[1], striking[1])
        assert played.tallies[0] == (4 * factor, 0)


@pytest.mark.rule("GO-106")
@pytest.mark.parametrize("formation", ["bunch", "spread"])
def test_a_formation_does_not_change_ones_own_strength(formation: str) -> None:
    played = fight("1 Torpedodreadnaught", "3 Lasertitan", f"{only_round_one('T')} {formation}", _blind("T"))
    assert played.tallies[0] == (0, 4)


@pytest.mark.rule("GO-96", "GO-79")
def test_tactics_may_be_ordered_for_a_single_ship_and_all_modifiers_multiply() -> None:
    # 1 laser × 2 (beats fighters) × 2 (close in) = 4.
    played = fight("1 Laserfrigate", "2 Torpedotitan", "LTFLTF close in, bunch", "FLLTTF")
    assert played.tallies[0] == (0, 4)


@pytest.mark.rule("GO-R55")
def test_hits_and_damage_keep_their_fractions() -> None:
    # 1 laser × ¼ in round 1 and in round 4.
    played = fight("1 Laserfrigate", "2 Carriertitan", "LFTLFT back off", "LTTLFF back off")
    assert played.tallies[0] == (0, 0.25)
    assert played.navy("Cygnus")["Carriertitan@0.5"] == 1


@pytest.mark.rule("GO-R58")
def test_equal_totals_in_a_round_give_no_hits() -> None:
    played = fight("4 Laserfrigate", "2 Lasercruiser")
    assert played.tallies == [(0, 0), (0, 0)]


@pytest.mark.rule("GO-R67", "GO-116", "GO-113")
def test_equal_hits_on_two_surviving_fleets_are_a_draw_after_six_rounds() -> None:
    played = fight("4 Laserfrigate", "2 Lasercruiser")
    assert (played.outcome, played.rounds) == ("draw", 6)
    assert played.battle.data["captured"] == []
    assert len(played.bases("Cygnus")) == 3


@pytest.mark.rule("GO-108", "GO-116", "GO-113", "GO-R68")
def test_hits_are_tallied_every_three_rounds_and_only_then_applied() -> None:
    # Rounds 1 and 2: 9 lasers against 5, both times: 4 + 4. (Were round 1 applied at once, round 2 would give 6.)
    played = fight("5 Laserfrigate", "9 Laserfrigate", "LLFFTT", "LLFFTT")
    assert played.tallies == [(8, 0), (0, 0)]
    assert played.navy("Altair") == navy("1 Laserfrigate")
    assert (played.outcome, played.rounds) == ("defender_won", 6)


@pytest.mark.rule("GO-R68", "GO-116")
@pytest.mark.parametrize(
    ("carrier", "second", "outcome"),
    [("Carrierfrigate", 2, "attacker_won"), ("Carriercruiser", 4, "draw"), ("Carrierbattleship", 6, "defender_won")],
)
def test_the_hits_of_all_tallies_count_for_who_has_lost(carrier: str, second: int, outcome: str) -> None:
    # Rounds 1 and 4: 6 lasers against 4, 2 on the defender each time. Rounds 5 and 6: his fighters on the attacker.
    played = fight("1 Lasertitan, 1 Laserfrigate", f"1 Laserdreadnaught, 1 {carrier}", "LTTLFF", "LTTLFF")
    assert played.tallies == [(0, 2), (second, 2)]
    assert played.outcome == outcome


@pytest.mark.rule("GO-109", "GO-R69", "GO-R70", "GO-108")
def test_ships_go_by_weapon_in_the_order_of_the_oob_the_same_at_every_tally() -> None:
    # Rounds 1–3: 2 + 8 + 2 on the attacker: battleship lost, titan damage 6. Round 4: T 5 against T 8: 3 more.
    # Round 6: T 5 × 2 against L 0: 10 on the defender: the OOB starts with F, so the carriers go first (4), then the
    # torpedo battleship (6) – although rounds 4 to 6 of his OOB (T, L, L) know no F.
    played = fight(
        "1 Torpedobattleship, 1 Torpedotitan",
        "2 Carrierfrigate, 1 Torpedobattleship, 1 Torpedotitan",
        "LFLTFT",
        "FTFTLL",
    )
    assert played.tallies == [(12, 0), (3, 10)]
    assert played.navy("Altair") == navy("1 Torpedotitan@9")
    assert played.navy("Cygnus") == navy("1 Torpedotitan")
    assert lost(played.battle) == {
        ("Altair", "Torpedobattleship"): 1,
        ("Cygnus", "Carrierfrigate"): 2,
        ("Cygnus", "Torpedobattleship"): 1,
    }


@pytest.mark.rule("GO-112", "GO-115", "GO-R65")
def test_a_fleet_with_more_hits_than_hit_points_ends_the_battle_at_once_and_both_sides_are_tallied() -> None:
    # Round 1: T 2 against L letter F: 2 on the attacker. Round 2: L 5 × 2 against F 0: 10 > 4 on the defender.
    played = fight("1 Lasertitan", "1 Torpedocruiser", "FLTFLT", "TFLTFL")
    assert (played.rounds, played.tallies) == (2, [(2, 10)])
    assert played.outcome == "attacker_won"
    assert played.navy("Altair") == navy("1 Lasertitan@2")
    assert played.navy("Cygnus") == {}


@pytest.mark.rule("GO-112", "GO-R64")
def test_hits_that_only_equal_the_hit_points_let_a_fleet_fight_up_to_the_tally() -> None:
    # Round 1: L 2 × 2 on 4 hit points. Round 2: its 2 torpedoes still hit.
    played = fight("1 Lasercruiser", "1 Torpedocruiser", "LFTLFT", "FTLFTL")
    assert (played.rounds, played.tallies) == (3, [(2, 4)])
    assert played.outcome == "attacker_won"
    assert played.navy("Altair") == navy("1 Lasercruiser@2")


@pytest.mark.rule("GO-R66")
def test_if_one_tally_destroys_both_fleets_neither_wins_and_nothing_is_captured() -> None:
    # Round 1: L 1 × 2 on the defender; rounds 2 and 3: 1 torpedo each on the attacker.
    played = fight("1 Laserfrigate", "1 Torpedofrigate", "LFFLTT", "FTTFLL")
    assert played.tallies == [(2, 2)]
    assert played.outcome == "both_destroyed"
    assert (played.navy("Altair"), played.navy("Cygnus")) == ({}, {})
    assert len(played.bases("Cygnus")) == 3


@pytest.mark.rule("GO-R54", "GO-111")
def test_a_damaged_ship_fights_with_all_its_weapons_and_has_only_its_remaining_hit_points() -> None:
    # 5 lasers against 1, although the titan has one hit point left.
    played = fight("1 Lasertitan@9", "1 Laserfrigate, 1 Torpedotitan", "LFTLFT", "LFFLTT")
    assert played.tallies[0] == (0, 4)
    # Round 5: F 0 against T 5: 5 > 1.
    assert played.tallies[1][0] == 5
    assert played.navy("Altair") == {}


@pytest.mark.rule("GO-114", "GO-97", "GO-R71", "GO-R72")
def test_to_the_death_the_oob_starts_again_until_a_fleet_is_destroyed() -> None:
    # 4 lasers against 5 in rounds 1, 4, 7, 10 …: the 8 hit points are used up at the eighth tally.
    endless = fight("1 Laserdreadnaught", "1 Lasertitan", "LTFLTF", "LTFLTF", line="to the death")
    assert endless.tallies == [(1, 0)] * 8
    assert (endless.rounds, endless.outcome) == (24, "defender_won")
    limited = fight("1 Laserdreadnaught", "1 Lasertitan", "LTFLTF", "LTFLTF")
    assert limited.tallies == [(1, 0)] * 2
    assert (limited.rounds, limited.outcome) == (6, "defender_won")


@pytest.mark.rule("GO-R71")
def test_to_the_death_ends_after_a_run_of_the_oob_without_a_hit() -> None:
    # Round 1: T 1 against F 0. Rounds 2, 3: L 6 against L 5. The laser frigate and the torpedo frigate are lost, and
    # 5 lasers stand against 5 for the whole second run. The defender took 2 hits, the attacker 1.
    played = fight(
        "1 Laserfrigate@1, 1 Lasertitan",
        "1 Torpedofrigate, 1 Lasertitan",
        "FLLTFT",
        "TLLFTF",
        line="to the death",
    )
    assert played.tallies == [(1, 2), (0, 0), (0, 0), (0, 0)]
    assert (played.rounds, played.outcome) == (12, "attacker_won")
    assert played.navy("Altair") == played.navy("Cygnus") == navy("1 Lasertitan")
    assert len(played.bases("Altair")) == 4


@pytest.mark.rule("GO-R71", "GO-R67")
def test_to_the_death_without_any_hit_in_the_first_run_is_a_draw() -> None:
    played = fight("1 Lasertitan", "1 Lasertitan", line="to the death")
    assert (played.rounds, played.outcome) == (6, "draw")


@pytest.mark.rule("GO-R72")
@pytest.mark.parametrize(
    ("orders", "rounds"),
    [
        ("Attack Cygnus with all\nAttack: LTFLTF", 6),
        ("Attack Cygnus with all to the death\nAttack: LTFLTF", 24),
        ("Attack Cygnus with all\nAttack: LTFLTF to the death", 24),
        ("Attack Cygnus with all\nAttack vs Cygnus: LTFLTF, to the death", 24),
        # The OOB that does not apply to this attack does not count.
        ("Attack Cygnus with all\nAttack vs Borealis: LTFLTF to the death\nAttack: LTFLTF", 6),
        ("Attack Cygnus with all\nAttack: LTFLTF to the death\nAttack vs Cygnus: LTFLTF", 6),
    ],
)
def test_only_the_attackers_line_or_his_oob_for_this_attack_can_order_a_fight_to_the_death(orders: str, rounds: int) -> None:
    document = position(player("Altair", "1 Laserdreadnaught"), player("Borealis"), player("Cygnus", "1 Lasertitan"))
    assert play(document, [("Altair", orders), ("Cygnus", "LTFLTF")]).rounds == rounds


def fleets() -> st.SearchStrategy[str]:
    """Navies of one to five entries, some ships damaged."""
    entry = st.tuples(st.integers(1, 4), st.sampled_from(sorted(CLASSES)), st.sampled_from(["", "@0.25", "@1", "@1.5"]))
    return st.lists(entry, min_size=1, max_size=5, unique_by=lambda item: item[1:]).map(
        lambda items: ", ".join(f"{count} {name}{damage}" for count, name, damage in items)
    )


OOBS = st.permutations("LLFFTT").map("".join)
TACTICS = st.tuples(st.sampled_from(["", "close in", "back off"]), st.sampled_from(["", "bunch", "spread"]))


@pytest.mark.rule("GO-101", "GO-106", "GO-108", "GO-110", "GO-R59", "GO-R64", "GO-R65", "GO-R70", "GO-R71")
@given(fleets(), fleets(), OOBS, OOBS, TACTICS, TACTICS, st.booleans())
@settings(max_examples=60, deadline=None, derandomize=True, database=None)
def test_battles_go_as_the_specification_spells_out(
    attackers: str,
    defenders: str,
    attack: str,
    defence: str,
    attack_tactics: tuple[str, str],
    defence_tactics: tuple[str, str],
    to_the_death: bool,
) -> None:
    ours = oracle.side(attackers, attack, attack_tactics)
    theirs = oracle.side(defenders, defence, defence_tactics)
    outcome, rounds = oracle.battle(ours, theirs, to_the_death=to_the_death)
    played = fight(
        attackers,
        defenders,
        " ".join((attack, *attack_tactics)),
        " ".join((defence, *defence_tactics)),
        line="to the death" if to_the_death else "",
    )
    assert (played.outcome, played.rounds) == (outcome, rounds)
    assert played.tallies == list(zip(ours.tallies, theirs.tallies, strict=True))
    assert (played.navy("Altair"), played.navy("Cygnus")) == (ours.navy(), theirs.navy())
