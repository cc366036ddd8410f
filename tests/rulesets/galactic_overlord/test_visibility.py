"""Who may know what: what is public changes the public view, what is secret changes no other view by a byte."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from pbmd.rules import GM, PUBLIC, Document, Event, Reader, seat_reader, seen_by
from rulesets.galactic_overlord import ruleset
from tests.rulesets.galactic_overlord.harness import Letters, Played, base, mail, play, player, position

ALTAIR, BOREALIS, CYGNUS, DENEB = (seat_reader(name) for name in ("Altair", "Borealis", "Cygnus", "Deneb"))
PRIVATE = {
    "built",
    "repaired",
    "order_failed",
    "counter_espionage_used",
    "shields_raised",
    "spy_result",
    "order_stopped",
    "generator_built",
    "spy_trained",
    "oob_rolled",
    "oob_used",
    "orders",
}
OPEN = {
    "battle",
    "shield_hit",
    "base_captured",
    "base_transferred",
    "became_independent",
    "supply_loss",
    "eliminated",
    "victory",
    "turn_resolved",
}


def galaxy(**altair: Any) -> Document:
    return position(
        player("Altair", "6 Laserfrigate, 1 Lasertitan", **{"spies": 1, "generators": 1, "bp": 20, **altair}),
        player("Borealis", "3 Carrierfrigate@1, 2 Carriertitan", spies=1, generators=1, bp=20),
        player("Cygnus", "1 Lasertitan", spies=2, generators=1, bp=20),
        player("Deneb", spies=1, generators=1, bp=20),
    )


def still(document: Document) -> Played:
    """The position as it is, before anything happened."""
    return Played(ruleset, document, (), document, (), (), ruleset.load(document))


def same_for(readers: tuple[Reader, ...], one: Played, other: Played) -> None:
    for reader in readers:
        assert one.bytes_for(reader) == other.bytes_for(reader), f"{reader} can tell the difference"


def differ_for(readers: tuple[Reader, ...], one: Played, other: Played) -> None:
    for reader in readers:
        assert one.bytes_for(reader) != other.bytes_for(reader), f"{reader} cannot see it"


EVERYBODY = (PUBLIC, ALTAIR, BOREALIS, CYGNUS, DENEB, GM)


# The status table


def _navy(document: Document) -> None:
    document["players"][0]["ships"][0]["count"] += 1


def _bp(document: Document) -> None:
    document["players"][0]["bp"] += 1


def _owner(document: Document) -> None:
    document["bases"][0]["owner"] = "Borealis"


def _builder(document: Document) -> None:
    document["bases"][0]["builder"] = "Borealis"


def _name(document: Document) -> None:
    document["bases"][0]["name"] = "Rigel"


@pytest.mark.rule("GO-71", "GO-72", "GO-73", "GO-69")
@pytest.mark.parametrize("change", [_navy, _bp, _owner, _builder, _name])
def test_bases_navies_and_bp_are_shown_to_everybody(change: Callable[[Document], None]) -> None:
    changed = deepcopy(galaxy())
    change(changed)
    differ_for(EVERYBODY, still(galaxy()), still(changed))


@pytest.mark.rule("GO-71", "GO-72", "GO-73")
def test_the_public_table_names_every_base_class_and_bp() -> None:
    start = galaxy(bp=4711)
    start["bases"][0]["name"] = "Rigel"
    text = still(start).bytes_for(PUBLIC).decode()
    for word in ("Rigel", "Laserfrigate", "Lasertitan", "Carriertitan", "4711", "Deneb Base 3"):
        assert word in text


@pytest.mark.rule("GO-72", "GO-R48", "GO-R73")
def test_independent_fleets_eliminated_players_and_the_winner_are_shown_to_everybody() -> None:
    fleet = position(player("Altair", "1 Laserfrigate", bases=0, original_ships=1), player("Cygnus"))
    gone = position(player("Altair", bases=0, alive=False, counter_espionage=0), player("Cygnus"))
    won = {**deepcopy(gone), "status": "finished", "winner": "Cygnus"}
    differ_for((PUBLIC, CYGNUS), still(fleet), still(gone))
    differ_for((PUBLIC, CYGNUS), still(gone), still(won))


# What only the owner may know


@pytest.mark.rule("GO-R76", "GO-70", "GO-72")
@pytest.mark.parametrize("field", ["spies", "generators", "counter_espionage"])
def test_stocks_are_shown_to_their_owner_only(field: str) -> None:
    one, other = still(galaxy()), still(galaxy(**{field: 0}))
    differ_for((ALTAIR, GM), one, other)
    same_for((PUBLIC, BOREALIS, CYGNUS, DENEB), one, other)


@pytest.mark.rule("GO-R76", "GO-72")
def test_damage_is_shown_to_the_owner_only() -> None:
    changed = galaxy()
    changed["players"][0]["ships"][1]["damage"] = 3.25
    split = galaxy()
    split["players"][0]["ships"][:1] = [
        {"hull": "frigate", "weapon": "laser", "count": 4, "damage": 0.0},
        {"hull": "frigate", "weapon": "laser", "count": 2, "damage": 1.0},
    ]
    for document in (changed, split):
        differ_for((ALTAIR, GM), still(galaxy()), still(document))
        same_for((PUBLIC, BOREALIS, CYGNUS, DENEB), still(galaxy()), still(document))


@pytest.mark.rule("GO-R49", "GO-R76")
def test_the_original_number_of_ships_is_shown_to_the_owner_only() -> None:
    one, other = (
        still(position(player("Altair", "9 Laserfrigate", bases=0, original_ships=n), player("Cygnus"))) for n in (9, 19)
    )
    differ_for((ALTAIR, GM), one, other)
    same_for((PUBLIC, CYGNUS), one, other)


@pytest.mark.rule("GO-70")
def test_orders_on_file_are_shown_to_nobody_else() -> None:
    before = ruleset.load(galaxy())

    def filed(text: str) -> Played:
        receipt = ruleset.receive(before, mail("Altair", text))
        return Played(ruleset, galaxy(), (), galaxy(), (), (), receipt.position)

    one, other = filed("Train spy\nLFTLFT"), filed("Attack Cygnus with all\nUse CE\nBuild 3 Laserfrigates")
    differ_for((ALTAIR, GM), one, other)
    same_for((PUBLIC, BOREALIS, CYGNUS, DENEB), one, other)


# Secret deeds: two turns that differ in one secret order


SECRET_DEEDS = [
    # (Altair's orders in one world, and in the other)
    pytest.param("Use counter-espionage", "Stockpile", id="counter-espionage"),
    pytest.param("Raise shields", "Stockpile", id="shields nobody attacks"),
    pytest.param("Build generator", "Train spy", id="generator or spy"),
    pytest.param("Train spy", "Stockpile", id="training"),
    pytest.param("Use spy on Deneb", "Stockpile", id="a spy without effect"),
    pytest.param("Use spy on Deneb", "Use spy on Cygnus", id="whom the spy is on"),
    pytest.param("Attack: LFTLFT\nDefence: FFLLTT close in", "TTLLFF", id="OOBs not used"),
    pytest.param("Captured bases to Deneb", "Stockpile", id="a division without an attack"),
    pytest.param("Transfer Deneb Base 1 to Cygnus", "Stockpile", id="a transfer that fails"),
    pytest.param("Build 2 Laserfrigates, 1 Carrierfrigate", "Build 1 Carrierfrigate\nBuild 2 Laserfrigates", id="wording"),
    pytest.param("Build 9 Lasertitans\nfoo", "Stockpile", id="refused lines"),
]


@pytest.mark.rule("GO-70", "GO-R76", "GO-R13")
@pytest.mark.parametrize(("one", "other"), SECRET_DEEDS)
def test_secret_deeds_show_to_nobody_else(one: str, other: str) -> None:
    def turn(text: str) -> Played:
        return play(galaxy(), [("Altair", text), ("Borealis", "Build 1 Lasercruiser")])

    same_for((PUBLIC, BOREALIS, CYGNUS, DENEB), turn(one), turn(other))
    differ_for((ALTAIR,), turn(one), turn(other))


@pytest.mark.rule("GO-R76", "GO-R18")
@pytest.mark.parametrize("cygnus", ["Use CE\nTrain spy", "Raise shields", "Stockpile"])
def test_a_spy_that_failed_is_not_shown_to_its_target(cygnus: str) -> None:
    one = play(galaxy(), [("Altair", "Use spy on Cygnus"), ("Cygnus", cygnus)])
    other = play(galaxy(), [("Altair", "Stockpile"), ("Cygnus", cygnus)])
    same_for((PUBLIC, BOREALIS, CYGNUS, DENEB), one, other)


@pytest.mark.rule("GO-R76", "GO-R18")
def test_a_spys_user_is_not_told_why_it_had_no_effect() -> None:
    spy = ("Altair", "Use spy on Cygnus")
    turns = [play(galaxy(), [spy, ("Cygnus", text)]) for text in ("Use CE\nTrain spy", "Raise shields", "Stockpile")]
    for other in turns[1:]:
        same_for((ALTAIR, PUBLIC, BOREALIS, DENEB), turns[0], other)
    differ_for((ALTAIR,), turns[0], play(galaxy(), [spy, ("Cygnus", "Train spy")]))


@pytest.mark.rule("GO-R76", "GO-35")
def test_whose_order_was_stopped_is_not_told_by_whom() -> None:
    by_altair = play(galaxy(), [("Altair", "Use spy on Cygnus"), ("Deneb", "Stockpile"), ("Cygnus", "Train spy")])
    by_deneb = play(galaxy(), [("Altair", "Stockpile"), ("Deneb", "Use spy on Cygnus"), ("Cygnus", "Train spy")])
    nobody = play(galaxy(), [("Altair", "Stockpile"), ("Deneb", "Stockpile"), ("Cygnus", "Train spy")])
    same_for((PUBLIC, BOREALIS, CYGNUS), by_altair, by_deneb)
    same_for((PUBLIC, BOREALIS), by_altair, nobody)
    differ_for((CYGNUS,), by_altair, nobody)


@pytest.mark.rule("GO-R76", "GO-R20")
def test_a_stopped_attack_is_not_shown_to_the_one_it_was_meant_for() -> None:
    spy = ("Deneb", "Use spy on Altair")
    one = play(galaxy(), [("Altair", "Attack Borealis with all to the death"), spy])
    other = play(galaxy(), [("Altair", "Stockpile"), spy])
    same_for((PUBLIC, BOREALIS, CYGNUS), one, other)
    differ_for((ALTAIR, DENEB), one, other)


# Battles


def raid(oob: str = "LTFLTF", line: str = "", **options: Any) -> Played:
    """Altair's 4 lasers against 5 of Cygnus: hits that depend on the tactics, losses none."""
    start = position(player("Altair", "1 Laserdreadnaught"), player("Cygnus", "1 Lasertitan"), player("Deneb"))
    return play(start, [("Altair", f"Attack Cygnus with all {line}\nAttack: {oob}"), ("Cygnus", "LTFLTF")], **options)


@pytest.mark.rule("GO-R76", "GO-69", "GO-70")
def test_hits_rounds_and_tactics_are_for_the_participants_only() -> None:
    plain, near = raid(), raid("LTFLTF close in")
    assert plain.tallies != near.tallies
    assert plain.battle.data == near.battle.data
    same_for((PUBLIC, DENEB), plain, near)
    differ_for((ALTAIR, CYGNUS, GM), plain, near)
    assert set(plain.battle.insiders) == {"Altair", "Cygnus"}
    assert plain.battle.audience is None


@pytest.mark.rule("GO-R76", "GO-70")
def test_an_enemy_sees_the_hits_but_not_the_oob_or_the_words_behind_them() -> None:
    # Without a fighter and a torpedo in the battle the two OOBs are the same to everybody but their owner.
    one, other = raid("LTFLTF bunch"), raid("LTFLTF")
    same_for((PUBLIC, CYGNUS, DENEB), one, other)
    differ_for((ALTAIR,), one, other)
    start = position(player("Altair", "1 Lasertitan"), player("Borealis"), player("Cygnus"), player("Deneb"))
    plain = play(start, [("Altair", "Attack Cygnus with all")])
    worded = play(start, [("Altair", "Attack Cygnus with all, to the death, allied with Deneb\nCaptured bases to Deneb")])
    same_for((PUBLIC, BOREALIS, CYGNUS, DENEB), plain, worded)


@pytest.mark.rule("GO-69", "GO-R76")
def test_battles_losses_and_captures_are_public() -> None:
    def with_fleet(cygnus: str) -> Played:
        start = position(player("Altair", "3 Lasertitan"), player("Cygnus", cygnus), player("Deneb"))
        return play(start, [("Altair", "Attack Cygnus with all\nLFTLFT"), ("Cygnus", "LFFLTT")])

    lost, won = with_fleet("7 Lasercruiser"), with_fleet("8 Lasercruiser")
    for played, outcome in ((lost, "attacker_won"), (won, "defender_won")):
        (seen,) = [e for e in seen_by(played.events, PUBLIC) if e.kind == "battle"]
        assert (seen.data["outcome"], seen.detail, seen.insiders) == (outcome, {}, ())
    differ_for((PUBLIC, DENEB), lost, won)
    assert "Cygnus Base 3" in str([e.data for e in seen_by(lost.events, PUBLIC)])


@pytest.mark.rule("GO-R76")
def test_details_of_every_round_are_an_option_for_the_participants() -> None:
    tally, rounds = raid(), raid(battle_detail="rounds")
    for reader in (ALTAIR, CYGNUS):
        assert len(rounds.bytes_for(reader)) > len(tally.bytes_for(reader))
    (event,) = rounds.battles
    assert len(str(event.detail)) > len(str(tally.battle.detail))
    assert rounds.battle.data == tally.battle.data
    seen = {e.kind: e for e in seen_by(rounds.events, DENEB)}["battle"]
    assert seen.detail == {}


@pytest.mark.rule("GO-R76", "GO-70")
def test_each_side_is_told_the_oob_that_it_used_and_not_the_enemys() -> None:
    start = position(player("Altair", "1 Lasertitan"), player("Cygnus", "1 Lasertitan"), player("Deneb"))
    orders: Letters = [("Altair", "Attack Cygnus with all\nAttack: LTFLTF close in"), ("Cygnus", "Defence: LFTLFT spread")]
    played = play(start, orders)
    assert oobs_used(played) == [("Altair", "LTFLTF close in"), ("Cygnus", "LFTLFT spread")]
    for reader, own, enemys in ((ALTAIR, b"LTFLTF close in", b"LFTLFT"), (CYGNUS, b"LFTLFT spread", b"LTFLTF")):
        assert own in played.bytes_for(reader)
        assert enemys not in played.bytes_for(reader)
    assert b"LTFLTF" not in played.bytes_for(DENEB) + played.bytes_for(PUBLIC)


@pytest.mark.rule("GO-R39", "GO-R61", "GO-R76")
def test_allies_are_told_the_joint_oob_but_a_rolled_one_only_to_him_whose_it_is() -> None:
    start = position(player("Altair", "1 Lasertitan"), player("Borealis", "1 Lasertitan"), player("Cygnus", "1 Lasertitan"))

    def raid_with(oob: str, dice: tuple[int, ...]) -> Played:
        altair = f"Attack Cygnus with all allied with Borealis\n{oob}"
        borealis = "Attack Cygnus with all allied with Altair"
        return play(start, [("Altair", altair), ("Borealis", borealis), ("Cygnus", "LFTLFT")], dice)

    agreed = raid_with("Attack: LTFLTF bunch", ())
    assert oobs_used(agreed) == [("Altair", "LTFLTF bunch"), ("Borealis", "LTFLTF bunch"), ("Cygnus", "LFTLFT")]
    assert oobs_used(raid_with("", (1,))) == [("Altair", "FFLLTT"), ("Cygnus", "LFTLFT")]


@pytest.mark.rule("GO-R23", "GO-R76")
def test_at_a_shield_the_attacker_is_told_his_oob_and_the_hits() -> None:
    start = position(player("Altair", "2 Lasertitan"), player("Cygnus", generators=1))
    played = play(start, [("Altair", "Attack Cygnus with all\nLTFLTF"), ("Cygnus", "Raise shields\nLFTLFT")])
    assert oobs_used(played) == [("Altair", "LTFLTF")]
    assert (played.rounds, played.tallies) == (0, [(12, 0)])


def oobs_used(played: Played) -> list[tuple[str, str]]:
    return [(event.data["player"], event.data["oob"]) for event in played.of("oob_used")]


# Audiences and reports


def eventful() -> Played:
    """A turn in which nearly everything happens."""
    start = position(
        player("Altair", "9 Lasertitan, 1 Torpedofrigate@1", bp=20, spies=1),
        player("Borealis", "12 Laserfrigate", bp=3, spies=1),
        player("Cygnus", "1 Carrierfrigate", bases=1, counter_espionage=1),
        player("Deneb", generators=2, spies=1, bp=9),
        player("Eridani", "20 Lasercruiser", bases=0, original_ships=20),
        player("Fornax", "1 Laserfrigate"),
        player("Gemini", "1 Lasercruiser", bases=1),
        bases=[base("Vega", "Altair")],
    )
    orders: Letters = [
        (
            "Altair",
            "Repair all\nBuild 1 base\nAttack Cygnus with all\nTransfer Vega to Borealis\nTransfer Altair Base 1 to Gemini",
        ),
        (
            "Borealis",
            "Build 9 Laserfrigates\nAttack Deneb with all\nLFTLFT\nUse spy on Fornax\nTransfer Deneb Base 1 to Altair",
        ),
        ("Cygnus", "Use CE"),
        ("Deneb", "Raise shields"),
        ("Fornax", "Train spy"),
        ("Gemini", "Build generator\nTransfer Gemini Base 1 to Fornax"),
    ]
    return play(start, orders, dice=[1, 2])


@pytest.mark.rule("GO-69", "GO-70", "GO-R76")
def test_every_kind_of_event_has_the_audience_of_the_specification() -> None:
    played = eventful()
    kinds = {event.kind for event in played.events}
    assert kinds >= {
        "built",
        "repaired",
        "order_failed",
        "counter_espionage_used",
        "shields_raised",
        "spy_result",
        "order_stopped",
        "generator_built",
        "oob_rolled",
        "battle",
        "shield_hit",
        "base_captured",
        "base_transferred",
        "supply_loss",
        "eliminated",
    }
    for event in played.events:
        _check_audience(event)


def _check_audience(event: Event) -> None:
    if event.kind in PRIVATE:
        assert event.audience == (event.data["player"],)
    elif event.kind in OPEN:
        assert event.audience is None
        assert event.kind == "battle" or not event.detail
    else:
        assert (event.kind, event.audience) == ("gm_note", ())


@pytest.mark.rule("GO-69")
def test_the_gm_sees_everything_and_everybody_gets_a_report() -> None:
    played = eventful()
    assert len(seen_by(played.events, GM)) == len(played.events)
    reports = {reader.seat: played.bytes_for(reader) for reader in (ALTAIR, BOREALIS, CYGNUS, DENEB)}
    assert len(set(reports.values())) == 4
    for name in ("Altair", "Borealis", "Deneb", "Fornax"):
        (event,) = [e for e in played.of("orders") if e.data["player"] == name]
        assert event.audience == (name,)


@pytest.mark.rule("GO-69", "GO-R75")
def test_a_player_is_told_that_no_orders_were_received_and_nobody_else_is() -> None:
    missed = play(galaxy(), [("Borealis", "Stockpile")])
    empty = play(galaxy(), [("Borealis", "Stockpile"), ("Altair", "Stockpile")])
    differ_for((ALTAIR,), missed, empty)
    same_for((PUBLIC, BOREALIS, CYGNUS, DENEB), missed, empty)


@pytest.mark.rule("GO-70")
def test_orders_stay_secret_after_the_game_unless_it_was_agreed_to_reveal_them() -> None:
    start = position(player("Altair", "1 Laserfrigate", spies=1), player("Cygnus", spies=1))
    first_turn = [("Altair", "Defence: LTFFTL close in"), ("Cygnus", "Defence: TFLLFT bunch")]
    last_turn = [("Altair", "Attack Cygnus with all\nDefence: FTLTLF"), ("Cygnus", "Defence: LFTTFL")]
    secrets = (b"LTFFTL", b"TFLLFT", b"FTLTLF", b"LFTTFL")

    def game(**options: Any) -> tuple[bytes, bytes]:
        first = play({**start, "options": options}, first_turn)
        last = play(first.document, last_turn).at_the_end(first)
        assert "past" not in last.document
        assert last.document["status"] == "finished"
        return first.bytes_for(PUBLIC), last.bytes_for(PUBLIC)

    secret_during, secret_end = game()
    open_during, open_end = game(reveal_at_end=True)
    assert not any(secret in text for secret in secrets for text in (secret_during, open_during))
    assert not any(secret in secret_end for secret in secrets)
    assert all(secret in open_end for secret in secrets)
