"""Secrecy, proved: whatever a faction may keep secret can be changed without a byte of difference to anybody else.

Each test plays a random turn twice, in two worlds that differ in something only `Altair` may know, and compares all that
the others get: views, verdicts, order forms. Where a change has an effect that somebody may see (a spy finds something to
stop, say), that reader is left out, and only he.
"""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbmd.archive.write.turns import seen_events
from pbmd.rules import PUBLIC, canonical_json, seat_reader, seen_by
from rulesets.galactic_overlord import ruleset
from tests.rulesets.budgets import LARGE, SMALL, examples_of, one_of_kept
from tests.rulesets.galactic_overlord.harness import Played
from tests.rulesets.galactic_overlord.strategies import Turn, living, nonsense, turns

ACTOR = "Altair"
TURNS = one_of_kept(cache(lambda: examples_of(turns())))
OOBS = st.permutations("LLFFTT").map("".join)


def seen(played: Played, seat: str) -> bytes:
    """Everything that seat gets: its view, the verdicts on its letter, its next order form."""
    answers = [verdict._asdict() for verdict in played.verdicts.get(seat, ())]
    form = ruleset.order_form(played.position, seat)
    return played.bytes_for(seat_reader(seat)) + canonical_json([answers, form, seen_events(played.events, seat_reader(seat))])


def assert_hidden(one: Played, other: Played, but: Iterable[str] = ()) -> None:
    """Nobody but the actor, and those excepted, can tell the two worlds apart, until orders are published at the end."""
    assume(not one.of("orders_revealed"))
    assert one.bytes_for(PUBLIC) == other.bytes_for(PUBLIC)
    assert seen_events(one.events, PUBLIC) == seen_events(other.events, PUBLIC)
    for table in one.before["players"]:
        seat = table["name"]
        if seat != ACTOR and seat not in but:
            assert seen(one, seat) == seen(other, seat), f"{seat} can tell"


def with_letter(turn: Turn, text: str | None) -> Turn:
    """The same turn with another letter of the actor in the same place (the first, if he sent none); None: none."""
    places = [place for place, (seat, _) in enumerate(turn.letters) if seat == ACTOR]
    place = places[0] if places else 0
    letters = [letter for letter in turn.letters if letter[0] != ACTOR]
    if text is not None:
        letters.insert(place, (ACTOR, text))
    return replace(turn, letters=tuple(letters))


def with_stock(turn: Turn, **fields: int) -> Turn:
    """The same turn with other fields in the actor's table."""
    document = deepcopy(turn.document)
    document["players"][0] |= fields
    return replace(turn, document=document)


def letter_of(turn: Turn) -> str:
    return next((text for seat, text in turn.letters if seat == ACTOR), "")


def spies_on_actor(played: Played) -> set[str]:
    """Those who used a spy on the actor: they may see what it stopped."""
    return {e.data["player"] for e in played.of("spy_result") if e.data["target"] == ACTOR}


def fought(played: Played) -> bool:
    """Whether the actor was in a battle or at a shield, on either side."""
    return any(ACTOR in e.data["attackers"] or e.data["defender"] == ACTOR for e in (*played.battles, *played.of("shield_hit")))


def defended(played: Played) -> bool:
    return any(e.data["defender"] == ACTOR for e in (*played.battles, *played.of("shield_hit")))


def stopped(played: Played) -> bool:
    return any(e.data["player"] == ACTOR for e in played.of("order_stopped"))


def statuses(played: Played) -> list[tuple[Any, str]]:
    return [(v.status, v.canonical) for v in played.verdicts.get(ACTOR, ()) if v.line]


# What is in stock


@pytest.mark.rule("GO-R76", "GO-70")
@given(TURNS, st.integers(0, 3), st.integers(0, 3), st.integers(0, 2))
@SMALL
def test_stocks_of_spies_generators_and_counter_espionage(turn: Turn, spies: int, generators: int, options: int) -> None:
    one = turn.played()
    other = with_stock(turn, spies=spies, generators=generators, counter_espionage=options).played()
    assume(statuses(one) == statuses(other))
    assert_hidden(one, other)


@pytest.mark.rule("GO-R76", "GO-72")
@given(TURNS, st.data())
@SMALL
def test_damage_of_ships_that_neither_fight_nor_are_repaired(turn: Turn, data: st.DataObject) -> None:
    turn = with_letter(turn, "Build 1 Laserfrigate\nTrain spy\nLFTLFT")
    document = deepcopy(turn.document)
    fleet = document["players"][0]["ships"]
    assume(fleet)
    for entry in fleet:
        # All ships of an entry change alike; entries of a class stay apart by a full point.
        entry["damage"] = 0.0
    sizes = {"frigate": 1, "cruiser": 2, "battleship": 3, "dreadnaught": 4, "titan": 5}
    kept = {(entry["weapon"], entry["hull"]): entry for entry in fleet}
    document["players"][0]["ships"] = list(kept.values())
    other = deepcopy(document)
    for entry in other["players"][0]["ships"]:
        entry["damage"] = data.draw(st.integers(0, 8 * sizes[entry["hull"]] - 1)) / 4
    one_world, other_world = replace(turn, document=document).played(), replace(turn, document=other).played()
    assume(not fought(one_world))
    assume(one_world.bases(ACTOR))
    assert_hidden(one_world, other_world)


@pytest.mark.rule("GO-R49", "GO-R76")
@given(TURNS, st.integers(1, 6), st.integers(0, 9), st.integers(0, 9))
@SMALL
def test_the_original_number_of_an_independent_fleet_as_far_as_the_loss_is_the_same(
    turn: Turn, tens: int, one: int, other: int
) -> None:
    document = deepcopy(turn.document)
    document["options"].pop("supply_loss_percent", None)
    table = document["players"][0]
    assume(table["ships"])
    for entry in document["bases"]:
        entry["owner"] = "Borealis" if entry["owner"] == ACTOR else entry["owner"]
    table |= {"bp": 0, "spies": 0, "generators": 0}
    turn = with_letter(replace(turn, document=document), "LFTLFT")
    worlds = [with_stock(turn, original_ships=10 * tens + units).played() for units in (one, other)]
    assert_hidden(*worlds)


# What is ordered without an effect that others may see


def quiet(turn: Turn) -> Turn:
    """The actor with enough in stock for any secret order."""
    assume(any(entry["owner"] == ACTOR for entry in turn.document["bases"]))
    return with_stock(turn, spies=1, generators=1, counter_espionage=2)


BASIS = st.sampled_from(["", "LFTLFT\n", "Build 1 Laserfrigate\n", "Build 2 Carrierfrigates\nDefence: FFLLTT bunch\n"])


@pytest.mark.rule("GO-70", "GO-R76")
@given(TURNS, st.lists(st.tuples(st.sampled_from(["", "Attack: ", "Defence: ", "OOB vs Borealis: "]), OOBS), max_size=4))
@SMALL
def test_oobs_that_are_not_used(turn: Turn, oobs: list[tuple[str, str]]) -> None:
    one = with_letter(turn, "Stockpile").played()
    assume(not defended(one))
    other = with_letter(turn, "Stockpile\n" + "\n".join(f"{slot}{oob} close in" for slot, oob in oobs)).played()
    assert_hidden(one, other)


@pytest.mark.rule("GO-70", "GO-R76", "GO-43")
@given(
    turns(),
    BASIS,
    st.sampled_from(["Build generator", "Train spy", "Raise shields", ""]),
    st.sampled_from(["Build generator", "Train spy", "Raise shields", ""]),
)
@SMALL
def test_training_generators_and_shields_nobody_attacks(turn: Turn, basis: str, first: str, second: str) -> None:
    turn = quiet(turn)
    one, other = with_letter(turn, basis + first).played(), with_letter(turn, basis + second).played()
    assume(not defended(one))
    assert not defended(other)
    assert_hidden(one, other, but=spies_on_actor(one))


@pytest.mark.rule("GO-R18", "GO-R76")
@given(TURNS, BASIS, st.sampled_from(["Borealis", "Cygnus", "Deneb", "Eridani"]))
@SMALL
def test_a_spy_without_effect(turn: Turn, basis: str, target: str) -> None:
    turn = quiet(turn)
    assume(target in living(turn.document))
    spied = with_letter(turn, f"{basis}Use spy on {target}").played()
    (result,) = [e for e in spied.of("spy_result") if e.data["player"] == ACTOR]
    also_stopped = [e for e in spied.of("spy_result") if e.data["target"] == target and e.data["stopped"]]
    assume(not result.data["stopped"] or len(also_stopped) > 1)
    assert_hidden(spied, with_letter(turn, basis or "Stockpile").played())


@pytest.mark.rule("GO-R19", "GO-R76", "GO-33")
@given(TURNS, BASIS, st.sampled_from(["", "Use spy on Borealis\n", "Train spy\n"]))
@SMALL
def test_counter_espionage_that_was_not_needed(turn: Turn, basis: str, deed: str) -> None:
    turn = quiet(turn)
    plain = with_letter(turn, f"{basis}{deed}Stockpile").played()
    assume(not stopped(plain))
    assert_hidden(plain, with_letter(turn, f"{basis}{deed}Stockpile\nUse counter-espionage").played())


@pytest.mark.rule("GO-35", "GO-R20", "GO-R76")
@given(TURNS, BASIS, st.sampled_from(["Attack Borealis with all", "Build generator", "Train spy"]), st.booleans())
@SMALL
def test_a_special_order_that_was_stopped_is_known_to_the_spies_only(turn: Turn, basis: str, order: str, death: bool) -> None:
    turn = quiet(turn)
    suffix = " to the death" if death and order.startswith("Attack") else ""
    document = deepcopy(turn.document)
    document["players"][1] |= {"spies": 1}
    assume(any(entry["owner"] == "Borealis" for entry in document["bases"]))
    letters = [(seat, text) for seat, text in turn.letters if seat != "Borealis"]
    turn = replace(turn, document=document, letters=(*letters, ("Borealis", "Use spy on Altair\nLFTLFT")))
    one = with_letter(turn, f"{basis}{order}{suffix}").played()
    assume(stopped(one))
    assert_hidden(one, with_letter(turn, basis or "Stockpile").played(), but=spies_on_actor(one))


@pytest.mark.rule("GO-R37", "GO-R43", "GO-R76")
@given(turns(least=3), st.booleans())
@SMALL
def test_an_alliance_wished_for_in_vain(turn: Turn, division: bool) -> None:
    assume({"Borealis", "Cygnus"} <= set(living(turn.document)))
    assume(turn.document["players"][0]["ships"])
    others = " ".join(text for seat, text in turn.letters if seat != ACTOR).casefold()
    assume("altair" not in others)
    line = "LFTLFT\nAttack Cygnus with all"
    alone = with_letter(turn, line).played()
    wish = f"{line} allied with Borealis" + ("\nCaptured bases to Borealis" if division else "")
    assert_hidden(alone, with_letter(turn, wish).played())


@pytest.mark.rule("GO-R52", "GO-R76")
@given(TURNS, st.sampled_from(["Borealis Base 1", "Cygnus Base 1", "Stray 0"]))
@SMALL
def test_a_transfer_that_fails(turn: Turn, gift: str) -> None:
    assume(gift in {entry["name"] for entry in turn.document["bases"]})
    plain = with_letter(turn, "Stockpile").played()
    assume(next(entry for entry in turn.document["bases"] if entry["name"] == gift)["owner"] != ACTOR)
    receiver = next(name for name in living(turn.document) if name != ACTOR)
    assert_hidden(plain, with_letter(turn, f"Stockpile\nTransfer {gift} to {receiver}").played())


@pytest.mark.rule("GO-70", "GO-R76")
@given(TURNS, st.lists(nonsense(), min_size=1, max_size=4))
@SMALL
def test_lines_that_are_refused(turn: Turn, lines: list[str]) -> None:
    text = f"Stockpile\n{letter_of(turn)}"
    noisy = with_letter(turn, f"{text}\n" + "\n".join(lines)).played()
    plain = with_letter(turn, text).played()
    assume([v for v in statuses(noisy) if v[1]] == [v for v in statuses(plain) if v[1]])
    assert_hidden(plain, noisy)


@pytest.mark.rule("GO-R75", "GO-R76")
@given(TURNS)
@SMALL
def test_whether_orders_were_sent_at_all_or_none_of_any_effect(turn: Turn) -> None:
    # A last letter of no effect leaves everybody else in his place.
    others = tuple(letter for letter in turn.letters if letter[0] != ACTOR)
    silent = replace(turn, letters=others)
    assert_hidden(silent.played(), replace(turn, letters=(*others, (ACTOR, "Stockpile"))).played())


@pytest.mark.rule("GO-70", "GO-R76", "GO-R62")
@given(TURNS, OOBS, st.sampled_from(["", " bunch", " spread", " close in"]))
@SMALL
def test_the_own_oob_of_a_battle_as_far_as_the_enemy_is_hit_alike(turn: Turn, oob: str, tactic: str) -> None:
    one = with_letter(turn, f"Attack Borealis with all\n{oob}{tactic}").played()
    assume(fought(one))
    assert all(event.audience == (event.data["player"],) for event in one.of("oob_used"))
    # A tactic that meets no such weapon: the battle goes the same way.
    other = with_letter(turn, f"Attack Borealis with all\n{oob}").played()
    assume([event.detail for event in one.battles] == [event.detail for event in other.battles])
    assume([event.data for event in one.of("shield_hit")] == [event.data for event in other.of("shield_hit")])
    assume(one.document == other.document)
    assume([event.data for event in one.battles] == [event.data for event in other.battles])
    assert_hidden(one, other)


# Any two letters: what others get follows from what they may know, and from nothing else


@pytest.mark.fuzz
@pytest.mark.rule("GO-69", "GO-70", "GO-R76")
@given(turns(), st.data())
@LARGE
def test_a_view_is_made_of_the_public_table_the_events_it_may_know_and_nothing_else(turn: Turn, data: st.DataObject) -> None:
    """Replace in the new position everything that is secret to one reader: his view must not move."""
    played = turn.played()
    reader = data.draw(st.sampled_from([PUBLIC, *map(seat_reader, living(turn.document))]))
    document = deepcopy(played.document)
    for table in document["players"]:
        if table["name"] == reader.seat or not table["alive"]:
            continue
        if not table["original_ships"]:
            table |= {"spies": data.draw(st.integers(0, 3)), "generators": data.draw(st.integers(0, 3))}
        else:
            table["original_ships"] += data.draw(st.integers(0, 5))
        table["counter_espionage"] = data.draw(st.integers(0, 2))
        _scrape(table["ships"])
    revealed = document["options"].get("reveal_at_end", False)
    assume(not revealed)
    events = seen_by(played.events, reader)
    shown = ruleset.view(ruleset.load(document), events, reader)
    assert canonical_json(shown.data) == played.bytes_for(reader)


def _scrape(fleet: list[dict[str, Any]]) -> None:
    """Damage one ship of the first undamaged entry of two or more, or repair the first damaged one."""
    for entry in fleet:
        others = [e for e in fleet if e is not entry and (e["hull"], e["weapon"]) == (entry["hull"], entry["weapon"])]
        if not others:
            entry["damage"] = 0.0 if entry["damage"] else 0.5
            return
