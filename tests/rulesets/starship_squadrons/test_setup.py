"""Sign-up, maps, points, building and deployment (sections 5 and 6.2, SQ-05 to SQ-24)."""

from typing import Any

import pytest

from pbmd.rules import Document, HmacDice, Line, Refused, ScriptedDice, Signup, Status
from pbmd.rules.options import OptionError, complete
from rulesets.starship_squadrons import ruleset
from tests.rulesets.starship_squadrons.example import SETUP
from tests.rulesets.starship_squadrons.harness import Played, canonical, fault, faults, play, receive, where
from tests.rulesets.starship_squadrons.reference import distance

CRUISER = "SQUADRON Cruiser: J4 M6 S7 A20 R7 D6"


def signup(text: str) -> Signup:
    """``"anna"``, or ``"anna side 2"``."""
    name, _, wish = text.partition(" ")
    return Signup(name, (Line(1, wish),) if wish else ())


def begin(*names: str, rolls: tuple[int, ...] = (), **options: Any) -> Document:
    """The position in which the players choose their squadrons."""
    dice = ScriptedDice(rolls)
    seats = [signup(name) for name in names or ("anna", "ben")]
    state = ruleset.setup(seats, complete(ruleset.info.options, options), dice)
    assert dice.unused == ()
    return ruleset.dump(state)


def built(document: Document, **letters: str) -> Played:
    return play(document, **letters)


def left(document: Document, seat: str, text: str) -> str:
    """The whole acknowledgement."""
    receipt = receive(document, seat, text)
    return " ".join([*receipt.defaults, *(verdict.message for verdict in receipt.verdicts)])


# Sign-up


@pytest.mark.rule("SQ-01", "SQ-R02", "SQ-R72")
@pytest.mark.parametrize(
    ("names", "sides"),
    [
        (("anna", "ben"), [1, 2]),
        (("anna side 2", "ben"), [2, 1]),
        (("anna side 2", "ben side 2"), [2, 1]),
        (("anna", "ben side 1"), [1, 2]),
        (("anna Side: 2", "ben side two", "carl", "dora"), [2, 2, 1, 1]),
        (("anna side 2", "ben side 2", "carl side 2", "dora"), [2, 2, 1, 1]),
        (("anna", "ben", "carl", "dora"), [1, 2, 1, 2]),
    ],
)
def test_sides_are_granted_first_come_first_served(names: tuple[str, ...], sides: list[int]) -> None:
    document = begin(*names, players_per_side=len(names) // 2)
    assert [table["side"] for table in document["players"]] == sides


@pytest.mark.rule("SQ-R02")
def test_who_can_sign_up() -> None:
    options = complete(ruleset.info.options, {})
    for names, status in ((["anna"], Status.OK), (["anna", "ANNA"], Status.ERROR), (["a", "b", "c"], Status.ERROR)):
        seats = [Signup(name) for name in names]
        head = ruleset.check_signup(seats[-1], seats[:-1], options)[0]
        assert (head.line, head.status) == (0, status)
    wrong = ruleset.check_signup(Signup("anna", (Line(3, "Colour: red"),)), (), options)
    assert [(v.line, v.status) for v in wrong if v.line] == [(3, Status.ERROR)]
    assert (ruleset.info.min_seats, ruleset.info.max_seats) == (2, 8)
    with pytest.raises(Refused):
        begin("anna")
    with pytest.raises(Refused):
        begin("anna", "ben", "carl")


def test_the_game_begins_with_everybody_choosing() -> None:
    document = begin()
    assert (document["day"], document["phase"]) == (0, "setup")
    assert document["units"] == []
    assert ruleset.awaiting(ruleset.load(document)) == ("anna", "ben")
    assert ruleset.turn(ruleset.load(document)) == 0


# Maps


@pytest.mark.rule("SQ-88", "SQ-R78", "SQ-57", "SQ-58")
def test_the_border_map_has_the_distances_of_the_specification() -> None:
    systems = {table["name"]: table for table in begin()["systems"]}
    assert list(systems) == ["Aldane", "Brisk", "Halfway", "Corrin", "Dorrit", "Xanthe", "Zenith"]
    wanted = {
        "Aldane": {"Brisk": 2, "Halfway": 4, "Corrin": 4, "Dorrit": 4, "Xanthe": 6, "Zenith": 8},
        "Brisk": {"Halfway": 2, "Corrin": 2, "Dorrit": 4, "Xanthe": 4},
        "Halfway": {"Corrin": 2, "Dorrit": 2},
        "Corrin": {"Dorrit": 4},
    }
    for name, others in wanted.items():
        for other, jumps in others.items():
            assert distance(systems[name]["hex"], systems[other]["hex"]) == jumps, (name, other)
    for table in systems.values():
        assert (table.get("columns", 19), table.get("rows", 15)) == (19, 15)
    home = {body["name"]: body for body in systems["Aldane"]["bodies"]}
    assert list(home) == ["Aldane Star", "Aldane Prime", "Aldane Minor", "Aldane Giant"]
    prime = home["Aldane Prime"]
    assert {key: prime[key] for key in ("kind", "hex", "limit", "owner", "starport", "capital", "value", "stock")} == {
        "kind": "planet", "hex": "0606", "limit": 1, "owner": 1, "starport": True, "capital": True, "value": 40, "stock": 6,
    }  # fmt: skip
    assert (home["Aldane Star"].get("owner", 0), home["Aldane Giant"].get("owner", 0)) == (0, 0)
    assert (home["Aldane Giant"]["kind"], home["Aldane Giant"]["hex"], home["Aldane Giant"]["limit"]) == (
        "gas_giant",
        "1604",
        2,
    )
    owners = {name: [b.get("owner", 0) for b in t["bodies"] if b["kind"] == "planet"] for name, t in systems.items()}
    assert owners == {
        "Aldane": [1, 1], "Brisk": [1], "Halfway": [0, 0], "Corrin": [0], "Dorrit": [0], "Xanthe": [2], "Zenith": [2, 2],
    }  # fmt: skip
    deploy = {name: {(d["side"], d["min_col"], d["max_col"]) for d in t.get("deploy", ())} for name, t in systems.items()}
    assert deploy == {
        "Aldane": {(1, 1, 19)}, "Brisk": {(1, 1, 19)}, "Halfway": set(), "Corrin": set(), "Dorrit": set(),
        "Xanthe": {(2, 1, 19)}, "Zenith": {(2, 1, 19)},
    }  # fmt: skip


@pytest.mark.rule("SQ-R78", "SQ-88")
def test_the_duel_map() -> None:
    (tarn,) = begin(map="duel")["systems"]
    assert (tarn["name"], tarn["hex"]) == ("Tarn", "0504")
    assert [(b["name"], b["kind"], b["hex"], b["limit"], b.get("owner", 0), b.get("stock", 0)) for b in tarn["bodies"]] == [
        ("Tarn Star", "star", "1008", 3, 0, 0),
        ("Westport", "planet", "0308", 1, 1, 6),
        ("Eastport", "planet", "1708", 1, 2, 6),
        ("North Giant", "gas_giant", "1003", 2, 0, 0),
        ("South Giant", "gas_giant", "1013", 2, 0, 0),
    ]
    assert tarn["deploy"] == [{"side": 1, "min_col": 1, "max_col": 5}, {"side": 2, "min_col": 15, "max_col": 19}]


@pytest.mark.rule("SQ-R78", "SQ-R74")
@pytest.mark.parametrize(("name", "last"), [("border", 28), ("duel", 12)])
def test_each_map_has_its_last_day(name: str, last: int) -> None:
    start = play(begin(map=name)).document
    for day, over in ((last - 1, False), (last, True)):
        done = play(start | {"day": day})
        assert (ruleset.outcome(done.position) is not None) is over


@pytest.mark.rule("SQ-R78")
def test_a_random_map_of_three_systems() -> None:
    # Aldane at column 1 or 2, then a row; (2, 3) is accepted.
    document = begin(map="random", systems=3, rolls=(2, 3))
    assert [(s["name"], s["hex"]) for s in document["systems"]] == [("Halfway", "0504"), ("Aldane", "0203"), ("Zenith", "0803")]


@pytest.mark.rule("SQ-R78")
def test_a_random_place_too_near_is_rolled_again() -> None:
    # Brisk beside Aldane, then beside Halfway, then far enough; Corrin on the same hex is refused, too.
    rolls = (1, 1, 1, 2, 4, 4, 3, 3, 3, 3, 4, 6)
    document = begin(map="random", systems=7, rolls=rolls)
    assert [(s["name"], s["hex"]) for s in document["systems"]] == [
        ("Halfway", "0504"), ("Aldane", "0101"), ("Zenith", "0901"), ("Brisk", "0303"), ("Xanthe", "0703"),
        ("Corrin", "0406"), ("Vesper", "0606"),
    ]  # fmt: skip
    owners = {s["name"]: {b.get("owner", 0) for b in s["bodies"] if b["kind"] == "planet"} for s in document["systems"]}
    assert owners == {
        "Halfway": {0}, "Aldane": {1}, "Zenith": {2}, "Brisk": {1}, "Xanthe": {2}, "Corrin": {0}, "Vesper": {0}
    }  # fmt: skip


@pytest.mark.rule("SQ-R78")
def test_after_fifty_refusals_the_lowest_hex_is_taken_without_a_roll() -> None:
    rolls = (1, 1, *((1, 1) * 50))
    document = begin(map="random", systems=5, rolls=rolls)
    # 0101 itself and 0102 are too near; 0103 is the lowest two hexes off.
    assert [s["hex"] for s in document["systems"]][3:] == ["0103", "0903"]


@pytest.mark.rule("SQ-R78")
@pytest.mark.parametrize("systems", [3, 5, 7, 9])
def test_random_maps_are_mirrored_and_nothing_is_next_to_anything(systems: int) -> None:
    for seed in range(8):
        seats = [Signup("anna"), Signup("ben")]
        options = complete(ruleset.info.options, {"map": "random", "systems": systems})
        document = ruleset.dump(ruleset.setup(seats, options, HmacDice(b"map", bytes([seed]))))
        hexes = [s["hex"] for s in document["systems"]]
        assert len(hexes) == systems
        assert min(distance(a, b) for a in hexes for b in hexes if a != b) >= 2
        for one, other in zip(hexes[1::2], hexes[2::2], strict=True):
            assert (10 - int(one[:2]), one[2:]) == (int(other[:2]), other[2:])


@pytest.mark.rule("SQ-R78")
@pytest.mark.parametrize("options", [{"systems": 4, "map": "random"}, {"systems": 11}, {"map": "sphere"}])
def test_a_map_that_cannot_be_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises((Refused, OptionError)):
        begin(**options)


# Points


@pytest.mark.rule("SQ-08", "SQ-10", "SQ-11", "SQ-12", "SQ-R07", "SQ-R08", "SQ-R09", "SQ-13", "SQ-06")
@pytest.mark.parametrize(
    ("tech", "line", "cost"),
    [
        (15, "SQUADRON A1: S7", 7),
        (14, "SQUADRON A1: S7", 8),
        (13, "SQUADRON A1: S7", 9),
        (15, "SQUADRON A1: J4 M6 S7 A20 R7 D6", 50),
        (13, "SQUADRON A1: J4 M6 S7 A20 R7 D6 U0", 62),
        (11, "SQUADRON A1: A1", 5),
    ],
)
def test_what_a_squadron_costs(tech: int, line: str, cost: int) -> None:
    done = built(begin(tech_1=tech), anna=line)
    assert done.unit("A1")["cost"] == cost


@pytest.mark.rule("SQ-13", "SQ-R07", "SQ-R08")
def test_the_other_scheme_takes_the_surcharge_for_each_level() -> None:
    done = built(begin(tech_1=13, cost_scheme="per_level"), anna="SQUADRON A1: S7 A2")
    assert done.unit("A1")["cost"] == 27


@pytest.mark.rule("SQ-05", "SQ-10", "SQ-R15")
def test_a_line_that_exceeds_the_points_is_an_error_and_later_ones_may_still_count() -> None:
    start = begin(points=60)
    mail = "SQUADRON A1: A50\nSQUADRON B1: A11\nSQUADRON C1: A10"
    assert faults(receive(start, "anna", mail)) == [2]
    state = receive(start, "anna", mail).position
    done = play(ruleset.dump(state))
    assert [u["name"] for u in done.document["units"] if u["side"] == 1] == ["A1", "C1"]


@pytest.mark.rule("SQ-05", "SQ-R72")
@pytest.mark.parametrize(
    ("options", "seat", "points"),
    [
        ({"points": 70}, "anna", 70),
        ({"points_1": 30}, "anna", 30),
        ({"points_1": 30, "points": 80}, "ben", 80),
        ({"points_2": 41, "players_per_side": 2}, "ben", 20),
    ],
)
def test_the_points_of_a_player(options: dict[str, Any], seat: str, points: int) -> None:
    start = begin(*("anna", "ben", "carl", "dora")[: 2 * options.get("players_per_side", 1)], **options)
    assert not faults(receive(start, seat, f"SQUADRON A1: A{points}"))
    assert faults(receive(start, seat, f"SQUADRON A1: A1\nSQUADRON B1: A{points}")) == [2]


@pytest.mark.rule("SQ-29", "SQ-34", "SQ-46")
def test_prices_of_the_other_counters() -> None:
    def affordable(line: str, points: int, **options: Any) -> bool:
        start = begin(points=points + 10, **options)
        return not faults(receive(start, "anna", f"SQUADRON A1: U9 A1\n{line}"))

    for line, price in (("BUY ? 6", 6), ("BUY SUPPLY 5 FOR A1", 5), ("BUY ADMIRAL 2 FOR A1", 8), ("BUY ADMIRAL FOR A1", 4)):
        assert affordable(line, price), line
        assert not affordable(line, price - 1), line
    assert affordable("BUY ? 6", 12, question_cost=2)
    assert not affordable("BUY ? 6", 11, question_cost=2)
    assert not affordable("BUY SUPPLY 5 FOR A1", 14, supply_cost=3)
    assert not affordable("BUY ADMIRAL FOR A1", 4, admiral_cost=5)


@pytest.mark.rule("SQ-05", "SQ-R15")
def test_the_acknowledgement_tells_the_cost_of_each_line_and_the_points_left() -> None:
    text = left(begin(), "anna", f"{CRUISER}\nBUY ? 7")
    for number in ("50", "7", "243"):
        assert number in text


@pytest.mark.rule("SQ-R14")
def test_points_not_spent_are_lost() -> None:
    done = built(begin(points=300), anna="SQUADRON A1: A1")
    assert fault(done.document, "anna", "PASS\nBUY ? 1")
    assert fault(done.document, "anna", "PASS\nSQUADRON B1: A1")


# Building


@pytest.mark.rule("SQ-15", "SQ-16", "SQ-17", "SQ-18", "SQ-19", "SQ-20", "SQ-21", "SQ-R10")
@pytest.mark.parametrize("tech", [15, 14, 13, 12, 11])
def test_the_limits_of_tech_levels(tech: int) -> None:
    below = 15 - tech
    start = begin(tech_1=tech, points=9000)
    limits = {"JUMP": 6 - below, "MANEUVER": 6, "SENSOR": 9 - below, "ATTACK RANGE": 9 - below}
    for word, limit in limits.items():
        assert not faults(receive(start, "anna", f"SQUADRON A1: {word} {limit}"))
        assert faults(receive(start, "anna", f"SQUADRON B1: A1\nSQUADRON A1: {word} {limit + 1}")) == [2], word
    for word in ("ATTACK", "DEFENSE", "SUPPLY"):
        assert not faults(receive(start, "anna", f"SQUADRON A1: {word} 999"))


@pytest.mark.rule("SQ-15", "SQ-R09")
def test_each_side_has_a_tech_level_of_its_own() -> None:
    start = begin(tech_1=15, tech_2=11)
    assert [side["tech"] for side in start["sides"]] == [15, 11]
    assert not faults(receive(start, "anna", "SQUADRON A1: J6"))
    assert faults(receive(start, "ben", "SQUADRON B1: A1\nSQUADRON A1: J6")) == [2]
    for tech in (10, 16):
        with pytest.raises(OptionError):
            begin(tech_1=tech)


@pytest.mark.rule("SQ-R11", "SQ-44", "SQ-45")
def test_admirals_are_not_capped_by_the_tech_limit() -> None:
    done = built(begin(), anna="SQUADRON A1: S9 R9\nBUY 3 ADMIRALS FOR A1\nBUY ADMIRAL FOR A1")
    assert done.unit("A1")["admiral_counters"] == 4


@pytest.mark.rule("SQ-07", "SQ-14", "SQ-R12")
def test_a_squadron_has_seven_factors_and_at_least_one_of_them() -> None:
    done = built(begin(), anna="SQUADRON A1: J1 M2 S3 A4 R5 D6 U7")
    table = done.unit("A1")
    keys = ("jump", "maneuver", "sensor_range", "attack", "attack_range", "defense", "supply")
    assert [table[key] for key in keys] == [1, 2, 3, 4, 5, 6, 7]
    assert faults(receive(begin(), "anna", f"{CRUISER}\nSQUADRON B1: J0 A0")) == [2]
    assert not receive(begin(), "anna", "BUY ? 3").filed


@pytest.mark.rule("SQ-R12")
def test_any_number_of_squadrons() -> None:
    text = "\n".join(f"SQUADRON A{n}: A1" for n in range(300))
    done = built(begin(), anna=text)
    assert sum(u["side"] == 1 for u in done.document["units"]) == 300


@pytest.mark.rule("SQ-24", "SQ-23", "SQ-R13", "SQ-22")
def test_planet_counters() -> None:
    start = begin()
    done = built(start, anna=f"{CRUISER}\nPLANET Aldane Prime: S6 A15 R6 D12 U4\nBUY SUPPLY 4 FOR Aldane Prime")
    table = done.unit("Aldane Prime")
    assert (table["kind"], table["jump"], table["maneuver"], done.at("Aldane Prime")) == ("planet", 0, 0, "Aldane 0606")
    assert (table["cost"], table["supply_counters"]) == (43, 4)
    for line in (
        "PLANET Aldane Prime: S6 M1", "PLANET Aldane Prime: J1 A1", "PLANET Xanthe Prime: S6", "PLANET Halfway Prime: S6",
        "PLANET Aldane Star: S6", "PLANET Aldane Giant: S6", "PLANET Aldane Prime: R10", "PLANET Nowhere: S6",
    ):  # fmt: skip
        assert faults(receive(start, "anna", f"{CRUISER}\n{line}")) == [2], line
    twice = f"{CRUISER}\nPLANET Aldane Prime: S6\nPLANET Aldane Prime: A6"
    assert faults(receive(start, "anna", twice)) == [3]


@pytest.mark.rule("SQ-R13", "SQ-R72")
def test_planets_are_dealt_to_the_players_of_their_side() -> None:
    start = begin("anna", "ben", "carl", "dora", players_per_side=2)
    bodies = [b for s in start["systems"] for b in s["bodies"] if b.get("owner")]
    assert [(b["name"], b["commander"]) for b in bodies] == [
        ("Aldane Prime", "anna"), ("Aldane Minor", "carl"), ("Brisk Prime", "anna"),
        ("Xanthe Prime", "ben"), ("Zenith Prime", "dora"), ("Zenith Minor", "ben"),
    ]  # fmt: skip
    assert faults(receive(start, "carl", f"{CRUISER}\nPLANET Aldane Minor: A1\nPLANET Aldane Prime: A1")) == [3]


@pytest.mark.rule("SQ-R51", "SQ-R49")
def test_supply_must_find_room_aboard() -> None:
    start = begin()
    tender = "SQUADRON Tender: U5 J1"
    assert faults(receive(start, "anna", f"{tender}\nBUY SUPPLY 6 FOR Tender")) == [2]
    assert faults(receive(start, "anna", f"{tender}\nBUY SUPPLY 3 FOR Tender\nBUY 3 SUPPLY FOR Tender")) == [3]
    assert faults(receive(start, "anna", f"{tender}\nBUY SUPPLY 1 FOR Other")) == [2]
    assert faults(receive(begin(supply_per_factor=2), "anna", f"{tender}\nBUY SUPPLY 10 FOR Tender")) == []
    assert built(start, anna=f"{tender}\nBUY SUPPLY 5 FOR Tender").unit("Tender")["supply_counters"] == 5


@pytest.mark.rule("SQ-29", "SQ-R29")
def test_questions_bought_are_placed_in_the_zone_on_a_unit_or_kept() -> None:
    text = f"{CRUISER} AT Brisk 0303\nBUY ? 2\nBUY 2 QUESTION COUNTERS\nPLACE Q2 ON Cruiser\nPLACE ? AT Aldane 1901"
    done = built(begin(), anna=text)
    assert done.questions("anna") == {"Q1": "Aldane 1901", "Q2": "Brisk 0303", "Q3": "reserve", "Q4": "reserve"}
    assert done.player("anna")["next_question"] == 5
    bad = f"{CRUISER}\nBUY ? 2\n"
    for line in ("PLACE Q1 AT Halfway 0101", "PLACE Q3 ON Cruiser", "PLACE Q1 AT Aldane 2001", "PLACE Q1 ON Nobody"):
        assert faults(receive(begin(), "anna", bad + line)) == [3], line


@pytest.mark.rule("SQ-R34")
def test_where_squadrons_may_stand() -> None:
    start = begin()
    for place in ("Aldane 0101", "Brisk 1915", "Aldane 1008", "brisk 07-10"):
        assert not faults(receive(start, "anna", f"{CRUISER} AT {place}")), place
    for place in ("Halfway 0101", "Xanthe 0101", "Aldane 2001", "Aldane 0116", "Nowhere 0101"):
        assert faults(receive(start, "anna", f"SQUADRON B1: A1\n{CRUISER} AT {place}")) == [2], place
    duel = begin(map="duel")
    assert not faults(receive(duel, "anna", f"{CRUISER} AT 0508"))
    assert faults(receive(duel, "anna", f"SQUADRON B1: A1\n{CRUISER} AT Tarn 0608")) == [2]
    assert faults(receive(duel, "ben", f"SQUADRON B1: A1\n{CRUISER} AT Tarn 1408")) == [2]


@pytest.mark.rule("SQ-R59", "SQ-39")
def test_without_a_place_they_stand_on_the_capital_and_fuel_is_full() -> None:
    done = built(begin(), anna=CRUISER, ben=CRUISER)
    assert (done.at("Cruiser"), done.at("Cruiser", 2)) == ("Aldane 0606", "Zenith 0606")
    assert done.unit("Cruiser")["fuel_counters"] == 4


def test_the_sample_of_the_specification_is_accepted() -> None:
    done = built(begin(), anna=SETUP)
    assert done.at("Iron Duke") == "Aldane 0606"
    assert done.unit("Iron Duke")["admiral_counters"] == 1
    assert done.questions("anna")["Q2"] == "Brisk 1203"


@pytest.mark.rule("SQ-14", "SQ-79")
@pytest.mark.parametrize(
    "line",
    [
        "SQUADRON Cruiser WITH Jump 4, Maneuver 6, Sensors 7, Attack 20, Attack Range 7, and Defense 6",
        "Cruiser Squadron with Jump 4, Maneuver 6, Sensors 7, Attack 20, Attack Range 7, and Defense 6",
        "squadron Cruiser: d6 r7 a20 s7 m6 j4",
        "squadron Cruiser - d6 r7 a20 s7 m6 j4",
        "SQUADRON Cruiser J4 M6 S7 A20 R7 D6 U0.",
        "SQUADRON Cruiser: JUMP FACTOR 4 MANOEUVRE 6 SENSOR RANGE 7 ATTACK FACTOR 20 RANGE 7 DEFENCE 6",
        "SQUADRON  Cruiser :  Jump 4;",
    ],
)
def test_ways_to_write_a_squadron(line: str) -> None:
    plain = "SQUADRON Cruiser: JUMP 4" if line.endswith("4;") else CRUISER
    assert canonical(begin(), "anna", line) == canonical(begin(), "anna", plain)


@pytest.mark.parametrize("line", ["SQUADRON Red - Star: J4 M6", "SQUADRON Red - Star with J4 M6", "SQUADRON Red - Star J4 M6"])
def test_a_name_may_have_a_dash(line: str) -> None:
    assert canonical(begin(), "anna", line) == canonical(begin(), "anna", "SQUADRON Red - Star: J4 M6")


@pytest.mark.parametrize(
    "line",
    [
        "SQUADRON B1: J4 J5", "SQUADRON B1: SENSOR 3 SENSORS 4", "SQUADRON B1: A1000", "SQUADRON B1: A-1",
        "SQUADRON B1: WARP 9",
        "SQUADRON Cruiser: A1", "SQUADRON cruiser: A1", "SQUADRON B1: A1 AT", "SQUADRON B1: 5",
    ],
)  # fmt: skip
def test_squadrons_that_are_refused(line: str) -> None:
    assert faults(receive(begin(), "anna", f"{CRUISER}\n{line}")) == [2]


@pytest.mark.rule("SQ-R76")
@pytest.mark.parametrize(
    ("name", "legal"),
    [
        *((name, True) for name in ("Iron Duke", "1st Cruiser", "H.M.S. O'Hara-2", "X" * 24, "Quick", "Towing", "Andes")),
        *((name, False) for name in ("Q1", "q22", "1234", "X" * 25, "Duke TO Rome", "Fire AND Ice", "Within", "ALL", "Any")),
        *((name, False) for name in ("Nearest", "strongest", "PLANETS", "Squadron", "Starport", "Self", "Fleet", "Aldane")),
        *((name, False) for name in ("Xanthe Prime", "-Duke", "Duke_1", "Duke!x")),
    ],
)
def test_names_of_units(name: str, legal: bool) -> None:
    assert (faults(receive(begin(), "anna", f"SQUADRON B1: A1\nSQUADRON {name}: A1")) == []) is legal


@pytest.mark.rule("SQ-R03", "SQ-R76")
def test_an_allys_name_that_is_taken_already_gets_a_number() -> None:
    start = begin("anna", "ben", "carl", "dora", players_per_side=2)
    done = built(start, carl=f"{CRUISER}\nSQUADRON Cruiser 2: A1", anna=f"{CRUISER}\nBUY ? 1\nPLACE Q1 ON Cruiser", ben=CRUISER)
    names = [(u["name"], u["player"]) for u in done.document["units"]]
    assert names[:3] == [("Cruiser", "carl"), ("Cruiser 2", "carl"), ("Cruiser 3", "anna")]
    assert ("Cruiser", "ben") in names
    assert "Cruiser 3" in done.told("anna")
    assert done.questions("anna")["Q1"] == "Aldane 0606"


@pytest.mark.rule("SQ-R03")
@pytest.mark.parametrize(
    ("name", "number_two"),
    [
        ("Duke", "Duke 2"),
        ("Aaaaaaaaaaaaaaaaaaaaaaaa", "Aaaaaaaaaaaaaaaaaaaaaa 2"),
        # as it would be shortened, it has a word of orders in it
        ("Aaaaaaaaaaaaaaaaaaa toad", "Aaaaaaaaaaaaaaaaaaa t 2"),
        # and here it would be a "?"
        ("Q", "Q-2"),
    ],
)
def test_a_name_with_a_number_is_a_name(name: str, number_two: str) -> None:
    start = begin("anna", "ben", "carl", "dora", players_per_side=2)
    done = built(start, anna=f"SQUADRON {name}: A5", carl=f"SQUADRON {name}: A5")
    assert [u["name"] for u in done.document["units"] if u["player"] in ("anna", "carl")] == [name, number_two]
    assert ruleset.load(done.document) == done.position


@pytest.mark.rule("SQ-R03", "SQ-R02")
def test_units_are_listed_by_side_then_in_order_of_arrival_and_defaults_last() -> None:
    start = begin("anna", "ben", "carl", "dora", players_per_side=2, points=100)
    done = built(start, dora="SQUADRON D1: A1\nSQUADRON D2: A1", carl="SQUADRON C1: A1")
    assert [(u["side"], u["player"]) for u in done.document["units"]] == [
        (1, "carl"), (1, "anna"), (2, "dora"), (2, "dora"), (2, "ben"),
    ]  # fmt: skip


@pytest.mark.rule("SQ-R75", "SQ-R03", "SQ-R76")
def test_default_set_ups_are_in_sign_up_order() -> None:
    done = built(begin("anna", "ben", "carl", "dora", players_per_side=2, points=100))
    assert [(u["name"], u["player"]) for u in done.document["units"]] == [
        ("Cruiser 1", "anna"), ("Cruiser 1 2", "carl"), ("Cruiser 1", "ben"), ("Cruiser 1 2", "dora"),
    ]  # fmt: skip


@pytest.mark.rule("SQ-R75", "SQ-R71")
def test_the_set_up_mail_may_be_replaced_and_leads_to_day_one() -> None:
    state = ruleset.load(begin())
    first = receive(ruleset.dump(state), "anna", CRUISER)
    done = play(ruleset.dump(first.position), anna="SQUADRON Other: A3 M2\nFLEET Alpha = Other", ben=CRUISER)
    assert [u["name"] for u in done.document["units"]] == ["Other", "Cruiser"]
    assert done.fleets("anna") == {"Alpha": ["Other"]}
    assert (done.document["day"], done.document["phase"]) == (1, "day")
    assert (done.player("anna")["missed"], done.player("ben")["missed"]) == (0, 0)


@pytest.mark.rule("SQ-R75", "SQ-30")
def test_the_default_set_up_is_the_cruiser_of_the_seed() -> None:
    done = built(begin(points=113))
    assert [u["name"] for u in done.document["units"]] == ["Cruiser 1", "Cruiser 2"] * 2
    table = done.unit("Cruiser 1")
    keys = ("jump", "maneuver", "sensor_range", "attack", "attack_range", "defense", "supply")
    assert [table[key] for key in keys] == [4, 6, 7, 20, 7, 6, 0]
    assert done.at("Cruiser 2", 2) == "Zenith 0606"
    assert len(done.questions("anna")) == 13
    assert done.player("anna")["missed"] == 1


@pytest.mark.rule("SQ-R75", "SQ-R17", "SQ-82")
def test_the_questions_of_a_default_set_up_lie_on_its_cruisers() -> None:
    """Section 5.2: all stand on the default hex, the "?" among them."""
    done = built(begin(points=113), ben=CRUISER)
    assert set(done.questions("anna").values()) == {"Aldane 0606"} == {done.at("Cruiser 1"), done.at("Cruiser 2")}
    assert "Cruiser 1" not in done.told("ben")
    assert "under Q1, Q2" in done.told("anna")


@pytest.mark.rule("SQ-R75", "SQ-16", "SQ-18", "SQ-19")
def test_the_default_set_up_keeps_to_the_tech_limits() -> None:
    table = built(begin(tech_1=12)).unit("Cruiser 1")
    assert [table[key] for key in ("jump", "maneuver", "sensor_range", "attack_range")] == [3, 6, 6, 6]


@pytest.mark.rule("SQ-R75")
@pytest.mark.parametrize(("points", "tech", "attack"), [(20, 15, 19), (20, 13, 15), (1, 15, 1)])
def test_a_poor_player_gets_one_small_cruiser(points: int, tech: int, attack: int) -> None:
    done = built(begin(points=points, tech_1=tech))
    table = done.unit("Cruiser 1")
    assert (table["maneuver"], table["attack"], table["defense"]) == (1, attack, 0)
    assert done.questions("anna") == {}


def test_no_dice_are_rolled_in_set_up_but_for_the_random_map() -> None:
    dice = HmacDice(b"1", b"")
    ruleset.setup([Signup("anna"), Signup("ben")], complete(ruleset.info.options, {}), dice)
    assert dice.drawn == ()
    assert where({"hex": "0101", "system": "Tarn"}) == "Tarn 0101"


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ("BUY SUPPLY 2", "BUY SUPPLY <number> FOR <squadron>"),
        ("Buy an admiral for Cruiser", "BUY ADMIRAL <number> FOR <squadron>"),
        ("Buy two question marks", "BUY ? <number>"),
    ],
)
def test_a_line_of_a_set_up_in_which_something_is_missing_is_told_how_it_is_written(line: str, shape: str) -> None:
    assert f'write it as "{shape}"' in left(begin(), "anna", f"{CRUISER} AT Tarn 0308\n{line}")
