"""What each report shows (section 8): the table of 8.1 line by line, the fire log of 8.2, and the fog of sensors."""

import re

import pytest

from pbmd.rendering.render import report_html, report_text
from pbmd.rules import GM, PUBLIC, seat_reader
from rulesets.starship_squadrons import ruleset
from tests.rulesets.starship_squadrons.harness import Played, play, world


def both(done: Played) -> tuple[str, str]:
    return done.told("anna"), done.told("ben")


@pytest.mark.rule("SQ-R33", "SQ-25", "SQ-27")
def test_an_uncovered_unit_is_shown_with_its_printed_factors_and_damage() -> None:
    start = world([], ["Thunder J4 M5 S3 A15 R8 D41 U2 damage 37 @1609"], auto_repair=False)
    done = play(start, anna="PASS", ben="PASS")
    seen = done.told("anna")
    for word in ("Thunder", "1609", "15", "41", "37"):
        assert word in seen, word
    # Public and observers get nothing of it.
    assert "Thunder" not in done.told()


@pytest.mark.rule("SQ-25", "SQ-26", "SQ-27", "SQ-R17")
def test_of_a_covered_unit_nothing_is_shown_but_a_question_in_its_hex() -> None:
    start = world([], ["Thunder J4 M5 A15 @1609"], questions=["ben Q77 @1609", "ben Q78 @1609", "ben Q79 reserve"])
    done = play(start, anna="PASS", ben="PASS")
    seen = done.told("anna")
    assert "1609" in seen
    assert b"Thunder" not in done.seen("anna") + done.seen()
    assert b"Q7" not in done.seen("anna") + done.seen()
    assert "Q78" in done.told("ben")


@pytest.mark.rule("SQ-39", "SQ-45", "SQ-44")
def test_what_a_unit_carries_is_never_shown_to_the_enemy() -> None:
    worlds = [
        world([], [f"Thunder J4 M5 S3 A15 R8 U9 {carried} @1609"], bodies=["Port planet 0303 limit 1 owner 2 starport"])
        for carried in ("", "fuel 1", "supplies 7", "admirals 3")
    ]
    worlds.append(world([], ["Thunder J4 M5 S3 A15 R8 U9 @1609"], bodies=["Port planet 0303 limit 1 owner 2 starport stock 3"]))
    seen = {(done.seen("anna"), done.seen()) for done in (play(start, anna="PASS", ben="PASS") for start in worlds)}
    assert len(seen) == 1


@pytest.mark.rule("SQ-R70", "SQ-60", "SQ-61")
def test_of_a_transit_group_the_enemy_sees_its_day_and_what_is_uncovered() -> None:
    start = world([], ["Thunder J4 @T1", "Ghost J4 @T2"], questions=["ben Q1 @T2"],
                  transits=["T1 ben day 3 Near:0303", "T2 ben day 2 Near:0303"])  # fmt: skip
    done = play(start, anna="PASS", ben="PASS")
    seen = done.told("anna")
    assert "Thunder" in seen
    assert b"Ghost" not in done.seen("anna")
    data = str(done.view(seat_reader("anna")))
    assert "0303" not in data
    assert "0303" in done.told("ben")
    other = world([], ["Thunder J4 @T1", "Ghost J4 @T2"], questions=["ben Q1 @T2"],
                  transits=["T1 ben day 3 Home_One:0505", "T2 ben day 2 Near:1111"])  # fmt: skip
    other["transits"][0] |= {"to_system": "Home One", "origin": "Near", "distance": 5}
    assert play(other, anna="PASS", ben="PASS").seen("anna") == done.seen("anna")
    # With the fog of sensors enemy groups are not shown at all.
    blind = play(start | {"options": start["options"] | {"fog": "sensors"}}, anna="PASS", ben="PASS")
    assert b"Thunder" not in blind.seen("anna")


@pytest.mark.rule("SQ-28", "SQ-R20")
def test_a_question_that_sensors_find_is_told_with_what_lies_there_and_not_how_many() -> None:
    def seen(count: int, *units: str) -> Played:
        marks = [f"ben Q{n} @0607" for n in range(1, count + 1)]
        start = world(["Duke S3 M1 @0605", "Earl S9 M1 @0610"], list(units), questions=marks)
        for table in start["players"]:
            table["next_question"] = 9
        return play(start, anna="PASS", ben="PASS")

    assert "nothing" in seen(1).told("anna").lower()
    assert seen(1).seen("anna") == seen(3).seen("anna")
    assert "Thunder" in seen(1, "Thunder M1 @0607").told("anna")
    assert "Q2" in seen(3).told("ben")
    assert "0607" in seen(1).told("ben")


@pytest.mark.rule("SQ-R79", "SQ-R74")
def test_who_hears_of_a_destroyed_unit() -> None:
    open_death = play(world(["Gun A9 R9 @0601"], ["Thunder D2 @0605"]), anna="FIRE 1 Gun AT Thunder", ben="PASS")
    for reader in ("anna", "ben", ""):
        assert "Thunder" in open_death.told(reader)
    hidden = world(["Gun A9 R9 @0601"], ["Thunder D2 @0605"], questions=["ben Q1 @0605"])
    done = play(hidden, anna="FIRE 1 Gun AT ?", ben="PASS")
    assert not done.alive("Thunder", 2)
    assert "Thunder" in done.told("ben")
    assert b"Thunder" not in done.seen("anna") + done.seen()
    alive = world(["Gun A9 R9 @0601"], ["Thunder D99 @0605"], questions=["ben Q1 @0605"])
    assert play(alive, anna="FIRE 1 Gun AT ?", ben="PASS").seen("anna") == done.seen("anna")


@pytest.mark.rule("SQ-R73")
def test_everybody_hears_of_a_captured_planet() -> None:
    done = play(world(["Duke A1 @0607"], bodies=["Rockall planet 0607 limit 1"]), anna="PASS", ben="PASS")
    for reader in ("anna", "ben", ""):
        assert "Rockall" in done.told(reader)
        assert "Concord" in done.told(reader)


@pytest.mark.rule("SQ-R75", "SQ-R80")
def test_everybody_hears_who_missed_and_who_waits() -> None:
    done = play(world(), ben="WAIT 5")
    for reader in ("ben", ""):
        assert "anna sent no orders" in done.told(reader)
    for reader in ("anna", "ben", ""):
        assert "ben, waits 4 more days" in done.told(reader)
    assert play(world(), anna="PASS", ben="WAIT 5").seen() != play(world(), anna="PASS", ben="PASS").seen()


@pytest.mark.rule("SQ-33", "SQ-R05")
def test_repairs_transfers_and_failed_orders_are_the_owners_only() -> None:
    units = ["Tender U9 supplies 6 M1 @0607", "Duke M1 U9 admirals 1 @0607"]
    start = world(units, questions=["anna Q1 @0607"])
    plain = play(start, anna="PASS", ben="PASS")
    busy = play(
        start,
        anna="TRANSFER 3 SUPPLY FROM Tender TO Duke\nTRANSFER 1 ADMIRAL FROM Duke TO Tender\nREPAIR Duke\n"
        "FLEET Alpha: Duke, Tender\nHOLD FIRE\nNO REPAIR Tender",
        ben="PASS",
    )
    assert plain.seen("ben") == busy.seen("ben")
    assert plain.seen() == busy.seen()
    assert plain.seen("anna") != busy.seen("anna")


@pytest.mark.rule("SQ-R79", "SQ-36")
def test_the_fire_log_of_the_specification() -> None:
    """Ben's hidden gun, anna's hidden Duke: each side reads its own half."""
    start = world(["Duke A18 R9 D30 @0607"], ["Thunder A15 R9 D30 @0601"], questions=["anna Q1 @0607"])
    done = play(start, anna="PASS", ben="FIRE 1 Thunder AT ?")
    anna, ben = both(done)
    for words in ("Thunder", "0601", "15", "0607", "Duke", "8"):
        assert words in anna
    assert "0607" in ben
    assert b"Duke" not in done.seen("ben")
    # At an uncovered target both read who and how much.
    done = play(world(["Duke A18 R9 D30 @0607"], ["Thunder A15 R9 D30 @0601"]), anna="PASS", ben="FIRE 1 Thunder AT Duke")
    for text in both(done):
        assert "Duke" in text
        assert "15" in text


@pytest.mark.rule("SQ-45")
def test_the_attack_value_of_a_shot_is_seen_admirals_included() -> None:
    done = play(world(["Duke D99 @0607"], ["Thunder A30 admirals 4 R9 @0601"]), anna="PASS", ben="FIRE 1 Thunder AT Duke")
    assert "34" in done.told("anna")


@pytest.mark.rule("SQ-R72")
def test_allies_share_what_they_have_and_see_unless_the_option_forbids_it() -> None:
    units = ["Duke M1 fuel 0 @0607", "Hermit J4 M1 U9 supplies 7 by carl @1111"]
    marks = ["carl Q66 @1111"]
    start = world(units, questions=marks, players="anna ben carl", players_per_side=2)
    done = play(start, anna="PASS", ben="PASS", carl="PASS")
    assert "Hermit" in done.told("anna")
    start["options"]["share_side"] = False
    done = play(start, anna="PASS", ben="PASS", carl="PASS")
    assert b"Hermit" not in done.seen("anna")
    assert b"Q66" not in done.seen("anna")
    assert "1111" in done.told("anna")
    assert "Hermit" in done.told("carl")
    # An ally's uncovered unit is seen as an enemy would see it.
    start["questions"] = []
    assert "Hermit" in play(start, anna="PASS", ben="PASS", carl="PASS").told("anna")


@pytest.mark.rule("SQ-R79", "SQ-R72")
@pytest.mark.parametrize("shared", [True, False])
def test_a_loss_under_a_question_is_on_the_list_of_those_who_may_know(shared: bool) -> None:
    units = ["Hermit J1 by carl @1111", "Open J1 by carl @1212"]
    marks = ["carl Q1 @1111"]
    start = world(
        units, ["Thunder A9 R9 @1010", "Storm A9 R9 @1010"], questions=marks, players="anna ben carl", share_side=shared
    )
    done = play(start, anna="PASS", carl="PASS", ben="FIRE 1 Thunder AT ? 1111\nFIRE 1 Storm AT Open")
    lists = {seat: {row["name"] for row in done.view(seat_reader(seat))["own"]["losses"]} for seat in ("anna", "carl")}
    assert lists == {"anna": {"Hermit", "Open"} if shared else {"Open"}, "carl": {"Hermit", "Open"}}
    assert [row["name"] for row in done.view(seat_reader("ben"))["own"]["kills"]] == ["Open"]
    gm = done.view(GM)["all"]["sides"][0]["losses"]
    assert {row["name"] for row in gm} == {"Hermit", "Open"}
    assert ruleset.load(done.document) == done.position


def test_the_game_master_sees_everything() -> None:
    start = world([], ["Ghost J4 @T2"], questions=["ben Q7 @T2"], transits=["T2 ben day 2 Near:0311"])
    done = play(start, anna="PASS", ben="PASS")
    text = str(ruleset.view(done.position, done.events, GM).data)
    for word in ("Ghost", "0311", "Q7"):
        assert word in text


def test_sightings_have_an_age() -> None:
    """Seen on day 6 before it slips under a "?"; on day 7 anna still knows where and when that was."""
    start = world([], ["Thunder M3 A5 @1609"], questions=["ben Q1 @1613"])
    done = play(start, anna="PASS", ben="PASS")
    done = play(done.document, anna="PASS", ben="MOVE Thunder TO 1613")
    done = play(done.document, anna="PASS", ben="PASS")
    text = done.told("anna")
    assert "Thunder" in text
    assert "1612 on day 6" in text
    assert "Thunder" not in done.told()


# The fog of sensors


SENSORS = {"fog": "sensors"}


@pytest.mark.rule("SQ-R33")
def test_with_the_fog_of_sensors_a_board_without_own_units_is_dark() -> None:
    start = world([], ["Thunder M1 @1609"], questions=["ben Q1 @0101"], **SENSORS)
    done = play(start, anna="PASS", ben="PASS")
    assert b"Thunder" not in done.seen("anna")
    assert "1609" not in str(done.view(seat_reader("anna")))
    # A "?" of hers is no unit.
    start["questions"].append({"id": "Q1", "side": 1, "player": "anna", "system": "Field", "hex": "0303"})
    assert "1609" not in str(play(start, anna="PASS", ben="PASS").view(seat_reader("anna")))


@pytest.mark.rule("SQ-R33")
def test_beyond_the_sensors_there_is_but_a_question() -> None:
    start = world(["Duke S2 M1 @0607"], ["Thunder M1 @0610", "Lightning M1 @0609"], **SENSORS)
    done = play(start, anna="PASS", ben="PASS")
    assert b"Thunder" not in done.seen("anna")
    assert "0610" in done.told("anna")
    assert "Lightning" in done.told("anna")
    decoy = world(["Duke S2 M1 @0607"], ["Lightning M1 @0609"], questions=["ben Q1 @0610"], **SENSORS)
    assert play(decoy, anna="PASS", ben="PASS").seen("anna") == done.seen("anna")


@pytest.mark.rule("SQ-R33", "SQ-R39", "SQ-R25")
def test_what_is_beyond_the_sensors_can_be_fired_at_only_as_a_question_and_takes_full_damage() -> None:
    start = world(["Gun S2 A5 R9 @0601"], ["Thunder D99 @0606"], **SENSORS)
    for order, damage in (("Thunder", 0), ("NEAREST", 0), ("0606", 0), ("?", 5), ("? 0606", 5)):
        assert play(start, anna=f"FIRE 1 Gun AT {order}").damage("Thunder", 2) == damage, order
    covered = world(["Gun S2 A5 R9 @0601"], ["Thunder D99 @0606"], questions=["ben Q1 @0606"], **SENSORS)
    assert play(covered, anna="FIRE 1 Gun AT ?").damage("Thunder", 2) == 3


@pytest.mark.rule("SQ-R33", "SQ-R48")
def test_default_fire_is_at_what_can_be_seen() -> None:
    start = world(["Gun S2 A5 R9 @0601"], ["Thunder D99 @0606", "Close D99 @0603"], **SENSORS, default_fire="nearest")
    done = play(start, anna="PASS", ben="PASS")
    assert (done.damage("Thunder", 2), done.damage("Close", 2)) == (0, 10)
    far = world(["Gun S2 A5 R9 @0601"], ["Thunder D99 @0606"], **SENSORS, default_fire="nearest")
    assert play(far, anna="PASS", ben="PASS").damage("Thunder", 2) == 0


@pytest.mark.rule("SQ-R33", "SQ-R26")
def test_beyond_the_sensors_no_result_is_told_but_who_fires_is_named_to_those_fired_at() -> None:
    start = world(["Gun S2 A5 R9 D99 @0601"], ["Thunder D99 A7 R9 S9 @0606"], **SENSORS)
    done = play(start, anna="FIRE 1 Gun AT ?", ben="PASS")
    assert b"Thunder" not in done.seen("anna")
    other = world(["Gun S2 A5 R9 D99 @0601"], ["Lightning D3 A7 M9 R9 S9 @0606"], **SENSORS)
    assert play(other, anna="FIRE 1 Gun AT ?", ben="PASS").seen("anna") == done.seen("anna")
    done = play(start, anna="PASS", ben="FIRE 1 Thunder AT Gun")
    assert "Thunder" in done.told("anna")


@pytest.mark.rule("SQ-R33")
def test_the_public_and_mid_turn_views_tell_no_more() -> None:
    start = world(["Duke S2 M1 @0607"], ["Thunder M1 @0610"], **SENSORS)
    state = ruleset.load(start)
    assert "Thunder" not in str(ruleset.view(state, (), seat_reader("anna")).data)
    assert "Thunder" not in str(ruleset.view(state, (), PUBLIC).data)
    assert "Thunder" in str(ruleset.view(state, (), seat_reader("ben")).data)


@pytest.mark.rule("SQ-82", "SQ-R24", "SQ-R26")
@pytest.mark.parametrize(
    ("questions", "orders", "is_told"),
    [
        ([], "PASS", True),
        (["ben Q1 @0609"], "PASS", False),
        # it fires in the phase in which it is hit, and lies open at its end
        (["ben Q1 @0609"], "FIRE 1 Duke AT Gun", True),
    ],
)
def test_the_damage_of_who_lies_open_after_the_fire_is_told_to_the_enemy(
    questions: list[str], orders: str, is_told: bool
) -> None:
    start = world(["Gun A5 R9 D99 @0607"], ["Duke A4 R9 D99 @0609"], questions=questions, auto_repair=False)
    done = play(start, anna="FIRE 1 Gun AT ?, Duke", ben=orders)
    assert ("Enemy Duke: damage now" in done.told("anna")) is is_told


def test_the_damage_told_is_that_of_the_phase_even_if_the_unit_hides_afterwards() -> None:
    start = world(["Gun A5 R9 D99 @0607"], ["Duke M2 D99 @0609"], questions=["ben Q1 @0611"], auto_repair=False)
    done = play(start, anna="FIRE 1 Gun AT Duke", ben="MOVE 2 Duke TO 0611")
    assert "Enemy Duke: damage now 5." in done.told("anna")


def test_a_question_known_to_be_gone_is_not_remembered() -> None:
    start = world([], [], questions=["ben Q1 @1613"])
    done = play(start, anna="PASS", ben="PASS")
    done = play(done.document, anna="PASS", ben="MOVE 1 Q1 TO 1611")
    assert [row["place"] for row in done.view(seat_reader("anna"))["own"]["remembered"]] == []


@pytest.mark.rule("SQ-54", "SQ-62")
def test_what_is_in_jump_stands_under_a_heading_of_its_own() -> None:
    """Right below the last board it would seem to have left from there; where it came from is never told (section 8.1)."""
    start = world(["Duke M1 @0607"], ["Swift J1 M1 @T1", "Slow J1 @0101"], transits=["T1 ben day 3 Field:1515"])
    done = play(start, anna="PASS", ben="PASS")
    view = ruleset.view(done.position, done.events, seat_reader("anna"))
    text = report_text(ruleset, view).splitlines()
    place = text.index("In jump")
    assert text[place + 1].strip() == "Day 4 of the jump: Swift"
    assert text[place - 1].startswith("  ")
    assert re.search(r"<h3[^>]*>In jump</h3>\s*<p[^>]*>Day 4 of the jump: Swift</p>", report_html(ruleset, view))
