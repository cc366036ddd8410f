"""Joint attacks: who is allied, the agreed OOB, casualties."""

from typing import Any

import pytest

from tests.rulesets.galactic_overlord.harness import Played, lost, navy, play, player, position

L_FIRST, F_FIRST, T_FIRST = "LFTLFT", "FTLFTL", "TLFTLF"


def shielded(*allies: str, bases: int = 3) -> dict[str, Any]:
    """Attackers with six frigates of each weapon; Cygnus has a shield, so the first letter of the OOB shows in the losses."""
    fleet = "6 Laserfrigate, 6 Carrierfrigate, 6 Torpedofrigate"
    return position(
        *(player(name, fleet, spies=1) for name in allies),
        player("Cygnus", generators=1, bases=bases),
        player("Deneb", spies=1),
    )


def groups(played: Played) -> list[set[str]]:
    """The attacking groups at Cygnus, in fighting order, by battle or shield."""
    return [set(event.data["attackers"]) for event in (played.of("shield_hit") or played.battles)]


def first_weapon(played: Played, group: int = 0) -> set[str]:
    """The weapons lost at the shield."""
    return {name.removesuffix("frigate") for _, name in lost(played.of("shield_hit")[group])}


def attack(*allies: str, oob: str = "") -> str:
    line = "Attack Cygnus with all" + (f" allied with {', '.join(allies)}" if allies else "")
    return f"{line}\n{oob}" if oob else line


SHIELD = ("Cygnus", "Raise shields")


# Who is allied


@pytest.mark.rule("GO-51", "GO-52", "GO-R37", "GO-53")
def test_allies_who_name_each_other_and_agree_on_an_oob_attack_jointly() -> None:
    orders = [
        ("Altair", attack("Borealis", oob=f"Attack: {F_FIRST}")),
        ("Borealis", attack("Altair", oob=f"Attack: {F_FIRST}")),
        SHIELD,
    ]
    played = play(shielded("Altair", "Borealis"), orders)
    assert groups(played) == [{"Altair", "Borealis"}]
    assert first_weapon(played) == {"Carrier"}
    assert sum(lost(played.of("shield_hit")[0]).values()) == 6


@pytest.mark.rule("GO-R37", "GO-53")
@pytest.mark.parametrize(
    ("altair", "borealis"),
    [
        (attack("Borealis"), attack()),
        (attack(), attack("Altair")),
        (attack("Deneb"), attack("Altair")),
    ],
)
def test_naming_an_ally_counts_for_nothing_unless_he_names_one_too(altair: str, borealis: str) -> None:
    orders = [("Altair", f"{altair}\n{L_FIRST}"), ("Borealis", f"{borealis}\n{L_FIRST}"), SHIELD]
    assert groups(play(shielded("Altair", "Borealis"), orders)) == [{"Borealis"}, {"Altair"}]


@pytest.mark.rule("GO-R37")
def test_allies_must_attack_the_same_target() -> None:
    start = position(player("Altair", "7 Lasertitan"), player("Borealis", "7 Lasertitan"), player("Cygnus"), player("Deneb"))
    orders = [
        ("Altair", f"Attack Cygnus with all allied with Borealis\n{L_FIRST}"),
        ("Borealis", f"Attack Deneb with all allied with Altair\n{L_FIRST}"),
    ]
    played = play(start, orders)
    assert [(list(b.data["attackers"]), b.data["joint"]) for b in played.battles] == [
        (["Altair"], False),
        (["Borealis"], False),
    ]


@pytest.mark.rule("GO-R38")
def test_allies_are_connected_by_mutual_naming() -> None:
    start = shielded("Altair", "Borealis", "Eridani", "Fornax")
    orders = [
        ("Altair", attack("Borealis", "Fornax", oob=L_FIRST)),
        ("Borealis", attack("Altair", "Eridani", oob=L_FIRST)),
        ("Eridani", attack("Borealis", oob=L_FIRST)),
        ("Fornax", attack("Eridani", oob=L_FIRST)),
        SHIELD,
    ]
    assert groups(play(start, orders)) == [{"Fornax"}, {"Altair", "Borealis", "Eridani"}]


@pytest.mark.rule("GO-R47")
def test_there_are_no_alliances_in_defence() -> None:
    start = position(player("Altair", "1 Lasertitan"), player("Borealis", "9 Lasertitan"), player("Cygnus", "1 Carrierfrigate"))
    orders = [
        ("Altair", "Attack Cygnus with all\nLTTLFF"),
        ("Borealis", "Attack Altair with 1 Lasertitan allied with Cygnus\nLTTLFF"),
        ("Cygnus", "FTTLLF"),
    ]
    played = play(start, orders)
    assert {entry["player"] for b in played.battles for entry in b.data["lost"]} == {"Cygnus"}
    assert played.navy("Borealis") == navy("9 Lasertitan")


# The agreed OOB


STATEMENTS = [
    # A statement: attack OOB against the target, else OOB against the target, else attack OOB. A bare default is none.
    ([f"Attack: {F_FIRST}", f"Attack: {F_FIRST}"], {"Carrier"}),
    ([f"Attack: {F_FIRST}", f"Attack vs Cygnus: {F_FIRST}"], {"Carrier"}),
    ([f"OOB vs Cygnus: {T_FIRST}", f"Attack vs Cygnus: {T_FIRST}"], {"Torpedo"}),
    ([f"OOB vs Cygnus: {T_FIRST}\nAttack: {L_FIRST}", f"Attack: {T_FIRST}"], {"Torpedo"}),
    ([f"Attack vs Cygnus: {T_FIRST}\nOOB vs Cygnus: {F_FIRST}", f"Attack: {T_FIRST}"], {"Torpedo"}),
    ([f"Attack: {T_FIRST}", f"Default: {L_FIRST}"], {"Torpedo"}),
    ([f"Default: {L_FIRST}", f"Attack: {T_FIRST}"], {"Torpedo"}),
    ([f"Attack: {T_FIRST}", ""], {"Torpedo"}),
    (["", f"OOB vs Cygnus: {T_FIRST}"], {"Torpedo"}),
    ([f"Default: {F_FIRST}", f"Default: {F_FIRST}"], {"Carrier"}),
    ([f"Default: {F_FIRST}", ""], {"Carrier"}),
    ([f"Attack: {T_FIRST}\nDefence: {L_FIRST}", f"Defence: {F_FIRST}"], {"Torpedo"}),
    ([f"Attack: {T_FIRST} close in, bunch", f"Attack: {T_FIRST} bunch together, close"], {"Torpedo"}),
    # To the death is no part of the agreement.
    ([f"Attack: {T_FIRST} to the death", f"Attack: {T_FIRST}"], {"Torpedo"}),
]


@pytest.mark.rule("GO-52", "GO-R39", "GO-R72")
@pytest.mark.parametrize(("oobs", "weapon"), STATEMENTS)
def test_identical_statements_are_the_groups_oob(oobs: list[str], weapon: set[str]) -> None:
    orders = [("Altair", attack("Borealis", oob=oobs[0])), ("Borealis", attack("Altair", oob=oobs[1])), SHIELD]
    played = play(shielded("Altair", "Borealis"), orders)
    assert groups(played) == [{"Altair", "Borealis"}]
    assert first_weapon(played) == weapon


@pytest.mark.rule("GO-R39", "GO-R40", "GO-52", "GO-53")
@pytest.mark.parametrize(
    "oobs",
    [
        (f"Attack: {F_FIRST}", f"Attack: {T_FIRST}"),
        (f"Attack: {F_FIRST}", f"Attack: {F_FIRST} close in"),
        (f"Attack: {F_FIRST} bunch", f"Attack: {F_FIRST} spread"),
        (f"Attack: {T_FIRST}\nOOB vs Cygnus: {F_FIRST}", f"Attack: {T_FIRST}"),
        (f"Default: {F_FIRST}", f"Default: {T_FIRST}"),
    ],
)
def test_without_agreement_every_member_attacks_on_his_own(oobs: tuple[str, str]) -> None:
    orders = [("Altair", attack("Borealis", oob=oobs[0])), ("Borealis", attack("Altair", oob=oobs[1])), SHIELD]
    played = play(shielded("Altair", "Borealis"), orders)
    assert groups(played) == [{"Borealis"}, {"Altair"}]
    first_in = play(shielded("Altair", "Borealis"), orders, joint_oob_conflict="first_in")
    assert groups(first_in) == [{"Altair", "Borealis"}]
    assert first_weapon(first_in) == {"Carrier"}


@pytest.mark.rule("GO-R40")
def test_a_disagreement_splits_all_members_of_the_group() -> None:
    orders = [
        ("Altair", attack("Borealis", oob=f"Attack: {F_FIRST}")),
        ("Borealis", attack("Altair", "Eridani", oob=f"Attack: {F_FIRST}")),
        ("Eridani", attack("Borealis", oob=f"Attack: {T_FIRST}")),
        SHIELD,
    ]
    assert groups(play(shielded("Altair", "Borealis", "Eridani"), orders)) == [{"Eridani"}, {"Borealis"}, {"Altair"}]


@pytest.mark.rule("GO-R61", "GO-R39", "GO-81")
def test_a_group_without_any_oob_uses_the_random_one_of_its_first_poster() -> None:
    orders = [("Borealis", attack("Altair")), ("Altair", attack("Borealis")), SHIELD]
    # 90 = TTLLFF
    played = play(shielded("Altair", "Borealis"), orders, dice=[90])
    assert [(e.data["player"], e.data["roll"], e.data["oob"]) for e in played.of("oob_rolled")] == [("Borealis", 90, "TTLLFF")]
    assert first_weapon(played) == {"Torpedo"}
    stopped = play(shielded("Altair", "Borealis"), [*orders, ("Deneb", "Use spy on Borealis")], dice=[90])
    assert [e.data["player"] for e in stopped.of("oob_rolled")] == ["Altair"]


@pytest.mark.rule("GO-R41", "GO-R72")
@pytest.mark.parametrize(
    ("altair", "borealis", "stopped", "rounds"),
    [
        (" to the death", " to the death", False, 24),
        (" to the death", "", False, 6),
        ("", " to the death", False, 6),
        (" to the death", "", True, 24),
        ("", " to the death", True, 6),
    ],
)
def test_a_joint_attack_is_to_the_death_only_if_every_arrived_member_ordered_it(
    altair: str, borealis: str, stopped: bool, rounds: int
) -> None:
    # Altair's 4 lasers (alone, or with Borealis' silent carrier that is lost last) against 5: one hit every third round.
    start = position(
        player("Altair", "1 Laserdreadnaught"),
        player("Borealis", "1 Laserfrigate"),
        player("Cygnus", "1 Lasertitan" if stopped else "1 Lasertitan, 1 Laserfrigate"),
        player("Deneb", spies=1),
    )
    orders = [
        ("Altair", f"Attack Cygnus with all{altair} allied with Borealis\nAttack: LTFLTF"),
        ("Borealis", f"Attack Cygnus with all{borealis} allied with Altair\nAttack: LTFLTF"),
        ("Cygnus", "LTFLTF"),
    ]
    if stopped:
        orders.append(("Deneb", "Use spy on Borealis"))
    played = play(start, orders)
    assert (played.rounds > 6) == (rounds > 6)


# Spies against allies


@pytest.mark.rule("GO-R42", "GO-R20")
def test_the_others_attack_without_a_stopped_member_but_with_the_oob_he_agreed_to() -> None:
    orders = [
        ("Altair", attack("Borealis", oob=f"Attack: {T_FIRST}")),
        ("Borealis", attack("Altair", oob=f"Default: {L_FIRST}")),
        SHIELD,
        ("Deneb", "Use spy on Altair"),
    ]
    played = play(shielded("Altair", "Borealis"), orders)
    assert groups(played) == [{"Borealis"}]
    assert first_weapon(played) == {"Torpedo"}
    assert sum(played.navy("Altair").values()) == 18


@pytest.mark.rule("GO-R42", "GO-R38")
def test_groups_are_made_from_the_orders_as_sent() -> None:
    # Borealis links the two others; he is stopped, they still are one group.
    orders = [
        ("Altair", attack("Borealis", oob=L_FIRST)),
        ("Borealis", attack("Altair", "Eridani", oob=L_FIRST)),
        ("Eridani", attack("Borealis", oob=L_FIRST)),
        SHIELD,
        ("Deneb", "Use spy on Borealis"),
    ]
    assert groups(play(shielded("Altair", "Borealis", "Eridani"), orders)) == [{"Altair", "Eridani"}]


@pytest.mark.rule("GO-R42", "GO-R31")
def test_a_groups_posting_time_is_that_of_its_last_poster_whose_fleet_arrives() -> None:
    start = shielded("Altair", "Borealis", "Eridani")
    orders = [
        ("Altair", attack("Borealis", oob=L_FIRST)),
        ("Eridani", attack(oob=L_FIRST)),
        ("Borealis", attack("Altair", oob=L_FIRST)),
        SHIELD,
    ]
    assert groups(play(start, orders)) == [{"Altair", "Borealis"}, {"Eridani"}]
    assert groups(play(start, [*orders, ("Deneb", "Use spy on Borealis")])) == [{"Eridani"}, {"Altair"}]


# Casualties


@pytest.mark.rule("GO-57", "GO-58", "GO-110")
def test_hits_on_a_joint_fleet_fall_on_the_smaller_ships_whoever_owns_them() -> None:
    start = position(
        player("Altair", "8 Laserfrigate"), player("Borealis", "2 Lasertitan"), player("Cygnus", generators=1), player("Deneb")
    )
    orders = [
        ("Altair", attack("Borealis", oob=f"Attack: {L_FIRST}")),
        ("Borealis", attack("Altair", oob=f"Attack: {L_FIRST}")),
        SHIELD,
    ]
    played = play(start, orders)
    assert (played.navy("Altair"), played.navy("Borealis")) == (navy("2 Laserfrigate"), navy("2 Lasertitan"))


@pytest.mark.rule("GO-R46", "GO-57")
@pytest.mark.parametrize(
    ("hits", "altair", "borealis", "eridani"),
    [
        (2, "3 Laserfrigate", "3 Laserfrigate", "2 Laserfrigate"),
        (4, "3 Laserfrigate", "2 Laserfrigate", "2 Laserfrigate"),
        (6, "2 Laserfrigate", "2 Laserfrigate", "2 Laserfrigate"),
        (9, "2 Laserfrigate", "1 Laserfrigate, 1 Laserfrigate@1", "1 Laserfrigate"),
    ],
)
def test_equal_ships_of_allies_are_lost_in_turn_beginning_with_the_last_poster(
    hits: int, altair: str, borealis: str, eridani: str
) -> None:
    fleet = "3 Laserfrigate"
    start = position(
        player("Eridani", fleet), player("Altair", fleet), player("Borealis", fleet), player("Cygnus", generators=1)
    )
    oob = f"Attack: {L_FIRST}"
    orders = [
        ("Altair", attack("Borealis", "Eridani", oob=oob)),
        ("Borealis", attack("Altair", "Eridani", oob=oob)),
        ("Eridani", attack("Altair", "Borealis", oob=oob)),
        SHIELD,
    ]
    played = play(start, orders, shield_hits=hits)
    assert [played.navy(name) for name in ("Altair", "Borealis", "Eridani")] == [navy(altair), navy(borealis), navy(eridani)]


@pytest.mark.rule("GO-R46", "GO-R70")
def test_a_damaged_ship_of_an_ally_goes_before_the_undamaged_of_its_hull() -> None:
    start = position(
        player("Altair", "1 Laserfrigate@1, 1 Laserfrigate"),
        player("Borealis", "2 Laserfrigate"),
        player("Cygnus", generators=1),
    )
    orders = [("Altair", attack("Borealis", oob=L_FIRST)), ("Borealis", attack("Altair", oob=L_FIRST)), SHIELD]
    played = play(start, orders, shield_hits=1)
    assert (played.navy("Altair"), played.navy("Borealis")) == (navy("1 Laserfrigate"), navy("2 Laserfrigate"))
