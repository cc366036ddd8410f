"""Secrecy, proved: change anything in the hidden half of a game and not a byte of what others get is different.

Each test plays the same days in two worlds that differ in what one side, or one player, may keep secret, and compares all that
the others get: answers to letters, views in the middle of a step and after it, of which reports and pictures are made, order
forms. That letters on file show to nobody, all rulesets have promised.
"""

import json
import os
import random
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pbmd.conformance.everything_sent import everybody, told_in, view_and_form
from pbmd.conformance.scenes import play
from pbmd.rules import Document, HmacDice
from rulesets.starship_squadrons import ruleset
from tests.rulesets.starship_squadrons.harness import mail, question, unit, where, world
from tests.rulesets.starship_squadrons.reference import distance
from tests.rulesets.starship_squadrons.strategies import random_world

# More with PBMD_FUZZ=200 pytest -m fuzz
SMALL = settings(
    max_examples=int(os.environ.get("PBMD_FUZZ", "3")),
    deadline=None,
    derandomize="PBMD_FUZZ" not in os.environ,
    database=None,
    phases=(Phase.explicit, Phase.generate),  # a smaller seed is no simpler world
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
Days = list[dict[str, str]]


def told(document: Document, steps: Days, secret: object = "dice") -> dict[str, str]:
    """All that each seat and the public get in these steps. A seat without a letter misses the deadline."""
    state = ruleset.load(document)
    got: dict[str, list[str]] = {seat: [] for seat in everybody(ruleset, state)}
    for number, letters in enumerate(steps):
        if ruleset.outcome(state) is not None:
            break
        mails = [mail(seat, text, arrival) for arrival, (seat, text) in enumerate(letters.items(), start=1)]
        step = play(ruleset, state, mails, f"{secret} {number}")
        assert not any(receipt.events for receipt in step.receipts)
        state, seen = step.resolution.position, told_in(ruleset, mails, step)
        for seat in got:
            # With the letters on file, and after them.
            got[seat] += [view_and_form(ruleset, step.positions[len(mails)], (), seat) if number == 0 else "", seen[seat]]
        got[""].append(json.dumps([ruleset.turn(state), ruleset.awaiting(state)]))
    return {seat: "\n".join(content) for seat, content in got.items()}


def assert_hidden(one: Document, other: Document, steps: Days, *but: str, other_steps: Days | None = None) -> None:
    """Nobody but those excepted can tell the two worlds apart."""
    seen, seen_too = told(one, steps), told(other, steps if other_steps is None else other_steps)
    for seat in seen:
        if seat not in but:
            assert seen[seat] == seen_too[seat], f"{seat or 'the public'} can tell"


# Ben's half. Anna has short sensors and stands in the west; ben lies under "?" in the east and in transit.

HEXES = ("1404", "1606", "1710", "1913")
ANNA = [
    "Iron Duke J4 M6 S1 A9 R9 D30 U4 supplies 3 @0607",
    "Tender J4 M4 S2 U9 supplies 9 D30 @0809",
    "planet Port A5 R9 S2 D9 @0303",
]
OPEN = ["Seen J3 M2 A4 R3 D99 U2 @1208", "Goer J3 M2 @T2"]
MARKS = [*(f"ben Q{n} @{where}" for n, where in enumerate(HEXES, 1)), "ben Q5 @T1", "anna Q1 @0607", "anna Q2 @0205"]
BODIES = [
    "Port planet 0303 limit 1 owner 1 starport stock 3",
    "Rock planet 1404 limit 1 owner 2 starport",
    "Sun star 1008 limit 2",
]
LETTERS = (
    "PASS",
    "FIRE ALL AT ?\nREPAIR ALL",
    "FIRE Port AT ? 1404, Seen\nMOVE Tender TO 0910\nPLACE ? AT Field 0101",
    "FLEET A1: Iron Duke, Q1\nMOVE A1 TO 0506\nFIRE Iron Duke AT STRONGEST\nJUMP Tender TO Near 0303",
    "FIRE Iron Duke AT Ghost1, Ghost2, Nobody, ? 1404, 1404\nTRANSFER 2 SUPPLY FROM Tender TO Iron Duke",
    "FIRE Iron Duke AT WEAKEST\nJUMP Q2 TO Near 0404",
    "WAIT 3\nFIRE ALL AT ?",
)


def ghosts(chance: random.Random) -> list[str]:
    """Units that nobody of side one can know of."""
    places = [*(f"@{where}" for where in HEXES), "@T1"]
    found: list[str] = []
    for number in range(chance.randint(0, 7)):
        drive = chance.randint(0, 6)
        factors = f"J{drive} fuel {chance.randint(0, drive)} " + " ".join(f"{key}{chance.randint(0, 6)}" for key in "MAR")
        supply = chance.randint(0, 6)
        extra = f"supplies {chance.randint(0, supply)} admirals {chance.randint(0, 2)}"
        # Eyes of no more than two hexes, and no shot without orders: covered units hold their fire.
        found.append(f"Ghost{number} {factors} S0 D{chance.randint(40, 90)} U{supply} {extra} {chance.choice(places)}")
    return found


def hidden_world(seed: int, **options: Any) -> Document:
    """The same for anna whatever the seed; ben's hidden half is drawn by it."""
    chance = random.Random(seed)
    marks = [
        *MARKS,
        *(f"ben Q{n} {chance.choice(['reserve', *(f'@{h}' for h in HEXES)])}" for n in range(10, 10 + chance.randint(0, 4))),
    ]
    target = chance.choice(["Near:0303", "Near:1215", "Home_One:0404"])
    seen = f"{OPEN[0]} fuel {chance.randint(0, 3)} supplies {chance.randint(0, 2)}"
    start = world(
        ANNA,
        [seen, f"{OPEN[1]} fuel {chance.randint(1, 3)}", *ghosts(chance)],
        questions=marks,
        bodies=[text + (f" stock {chance.randint(0, 15)}" if "Rock" in text else "") for text in BODIES],
        transits=[f"T1 ben day 1 {target} distance {chance.randint(1, 3)}", f"T2 ben day 2 {target} distance 1"],
        **options,
    )
    for group in start["transits"]:
        group["origin"] = chance.choice(["Field", "Near", "Home Two"])
        group["to_system"] = group["to_system"].replace("_", " ")
    if chance.random() < 0.5:
        ids = [q["id"] for q in start["questions"] if q.get("hex") == HEXES[0] and q["player"] == "ben"]
        start["fleets"] = [{"player": "ben", "name": f"Fleet{seed}", "members": ids[:2]}]
    start["players"][1]["next_question"] = 20 + seed % 7
    start["next_transit"] = 3
    # What is visible of it stands in another order in the lists.
    theirs = [u for u in start["units"] if u["side"] == 2]
    chance.shuffle(theirs)
    start["units"] = [u for u in start["units"] if u["side"] == 1] + theirs
    return start


OPTIONS: list[dict[str, Any]] = [
    {},
    {"turn_mode": "phases"},
    {"fog": "sensors"},
    {"fog": "sensors", "turn_mode": "phases"},
    {"damage_model": "labelled", "fire_removes": "one"},
    {"ambush_half": True, "destruction": "never"},
]


@pytest.mark.fuzz
@pytest.mark.rule("SQ-27", "SQ-25", "SQ-R18", "SQ-R26", "SQ-R32", "SQ-60", "SQ-61", "SQ-R79", "SQ-39", "SQ-44", "SQ-32")
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: ",".join(map(str, options.values())) or "defaults")
@given(st.integers(0, 10**6), st.integers(0, 10**6), st.lists(st.sampled_from(LETTERS), min_size=1, max_size=3))
@SMALL
def test_nothing_of_the_hidden_half_is_in_anything_the_enemy_gets(
    options: dict[str, Any], one: int, other: int, letters: list[str]
) -> None:
    steps = [{"anna": text, "ben": "PASS"} for text in letters]
    if "turn_mode" in options:
        # Lines of another phase are refused, and that, too, must tell nothing.
        steps = (steps * 7)[:8]
    worlds = [hidden_world(seed, default_fire="nearest", max_missed=0, auto_repair=False, **options) for seed in (one, other)]
    assert_hidden(worlds[0], worlds[1], steps, "ben")


@pytest.mark.rule("SQ-R05", "SQ-R03", "SQ-R35", "SQ-R46")
@pytest.mark.parametrize(
    "text",
    [
        "FLEET Alpha: Ghost, Q1",
        "NO REPAIR Ghost",
        "REPAIR 1 HIT ON Ghost FROM Tanker",
        "TRANSFER 2 SUPPLY FROM Tanker TO Ghost\nTRANSFER 1 ADMIRAL FROM Ghost TO Tanker",
        "TRANSFER 2 SUPPLY FROM STARPORT TO Tanker",
        "TRANSFER 9 SUPPLY FROM Tanker TO STARPORT",
        "JUMP Dry TO Near 0303",
        "FIRE Ghost AT Iron Duke WITHIN 1, Nobody",
        "FIRE Ghost AT Iron Duke, Nobody IF SEEN",
        "FIRE Seen AT Nobody",
        "HOLD FIRE 1 Ghost",
        "PLACE Q9 ON Ghost",
        "PLACE ? AT Field 1404",
        "MOVE 1 Dry, Q2 TO 0101",
        "MOVE Tanker TO 1404",
        "nonsense",
        "MOVE Seen TO 2001",
    ],
)
@pytest.mark.parametrize("fog", ["counters", "sensors"])
def test_orders_without_a_visible_effect_are_hidden(text: str, fog: str) -> None:
    start = world(
        ANNA,
        [
            "Seen J3 M2 R3 D20 @1208", "Ghost J4 M0 A3 R5 D9 U5 damage 3 admirals 1 @1404", "Tanker M4 U9 supplies 6 @1404",
            "Dry J4 M0 fuel 0 @1606",
        ],
        questions=[*MARKS, "ben Q9 reserve"],
        bodies=BODIES,
        transits=["T1 ben day 1 Near:0303", "T2 ben day 1 Near:0303"],
        fog=fog,
    )  # fmt: skip
    ben = f"PASS\n{text}"
    plain: Days = [{"anna": "FIRE ALL AT Seen", "ben": "PASS"}, {"anna": "PASS", "ben": "PASS"}]
    busy: Days = [{"anna": "FIRE ALL AT Seen", "ben": ben}, {"anna": "PASS", "ben": "PASS"}]
    assert_hidden(start, start, plain, "ben", other_steps=busy)


@pytest.mark.rule("SQ-R03")
def test_the_order_of_arrival_shows_in_nothing() -> None:
    start = hidden_world(4, default_fire="nearest")
    texts = {"anna": "FIRE ALL AT Seen\nMOVE Tender TO 0910", "ben": "MOVE Seen TO 1308\nFIRE Seen AT NEAREST"}
    assert_hidden(start, start, [texts], other_steps=[dict(reversed(texts.items()))])


@pytest.mark.rule("SQ-R25", "SQ-R26", "SQ-82")
@pytest.mark.parametrize("fog", ["counters", "sensors"])
def test_which_of_several_was_hit_under_a_question_is_hidden(fog: str) -> None:
    units = [f"Ghost{n} J1 D{d} @1404" for n, d in enumerate((1, 3, 90))]
    start = world(ANNA, units, questions=MARKS[:1], bodies=BODIES, fog=fog)
    steps: Days = [{"anna": "FIRE ALL AT ? 1404", "ben": "PASS"}, {"anna": "PASS", "ben": "PASS"}]
    seen = {told(start, steps, n)["anna"] for n in range(8)}
    assert len(seen) == 1
    assert len({told(start, steps, n)["ben"] for n in range(8)}) > 1


@pytest.mark.rule("SQ-27", "SQ-R29")
def test_what_the_other_side_buys_and_where_it_goes_is_hidden_until_it_is_seen() -> None:
    """The set-up: everything under a "?", on a board where anna sees nothing else."""
    base = world(anchors=False)
    base |= {"day": 0, "phase": "setup"}
    for side, system in ((1, "Home One"), (2, "Home Two")):
        next(s for s in base["systems"] if s["name"] == system)["deploy"] = [{"side": side, "min_col": 1, "max_col": 19}]
    anna = "SQUADRON Duke: J4 M3 S9 AT Home One 0404"
    tail = "BUY ? 1\nPLACE Q1 AT Home Two 0505"
    many = "SQUADRON Thunder: A90 D9 U3 AT Home Two 0505\nSQUADRON Two: M1 AT Home Two 0505\nBUY ADMIRAL 3 FOR Two"
    texts = (
        f"SQUADRON Swift: J4 AT Home Two 0505\n{tail}",
        f"{many}\n{tail}\nBUY SUPPLY 2 FOR Thunder\nFLEET Alpha: Two, Thunder\nBUY ? 7",
    )
    steps: list[Days] = [[{"anna": anna, "ben": text}, {"anna": "PASS", "ben": "PASS"}] for text in texts]
    assert_hidden(base, base, steps[0], "ben", other_steps=steps[1])


# Between allies that share nothing


@pytest.mark.rule("SQ-R72")
@pytest.mark.parametrize("mode", ["plotted", "phases"])
@pytest.mark.parametrize("fog", ["counters", "sensors"])
@given(st.integers(0, 10**6), st.integers(0, 10**6), st.sampled_from(LETTERS))
@SMALL
def test_with_share_side_false_an_ally_gets_no_more_than_an_enemy(mode: str, fog: str, one: int, other: int, text: str) -> None:
    """Carl lies hidden in the far east; what he has there, and carries, changes nothing for anna, ben and the public."""

    def drawn(seed: int) -> Document:
        chance = random.Random(seed)
        start = hidden_world(3, players="anna ben carl", players_per_side=2, share_side=False, turn_mode=mode, fog=fog)
        found: list[dict[str, Any]] = []
        for n in range(chance.randint(0, 4)):
            u = chance.randint(0, 5)
            spot = chance.choice(["@1901", "@1902"])
            found.append(unit(f"Kin{n} J{chance.randint(0, 4)} A{chance.randint(0, 9)} D9 U{u} supplies {u} by carl {spot}", 1))
        found.append(unit(f"Open J4 M2 U4 supplies {chance.randint(0, 4)} fuel {chance.randint(0, 4)} by carl @1903", 1))
        if fog == "sensors":  # ben would see an ally beyond his sensors as a "?"
            found[-1]["hex"] = "1902"
        start["units"] = [*start["units"][:3], *found, *start["units"][3:]]
        marks = ["carl Q1 @1901", "carl Q2 @1902", *(f"carl Q{n} @1902" for n in range(3, 3 + chance.randint(0, 3)))]
        start["questions"] += [question(mark) for mark in marks]
        start["players"][2]["next_question"] = 9
        return start

    steps: Days = [{"anna": text, "ben": "PASS", "carl": "PASS"}] * (2 if mode == "plotted" else 7)
    assert_hidden(drawn(one), drawn(other), steps, "carl")


@pytest.mark.rule("SQ-R72")
def test_with_share_side_false_an_allys_mail_results_are_not_told() -> None:
    start = world(
        ["Duke M1 @0607", "Kin J4 M3 A3 R9 U9 supplies 3 damage 2 D9 by carl @1903"], players="anna ben carl", share_side=False
    )
    steps: list[Days] = [
        [{"anna": "PASS", "ben": "PASS", "carl": text}, {"anna": "PASS", "ben": "PASS", "carl": "PASS"}]
        for text in (
            "NO REPAIR Kin",
            "NO REPAIR Kin\nFLEET Alpha: Kin\nFIRE Kin AT Nobody\nJUMP Kin TO Near 2001\nPLACE Q9 ON Kin",
        )
    ]
    assert_hidden(start, deepcopy(start), steps[0], "carl", other_steps=steps[1])


@pytest.mark.rule("SQ-R72", "SQ-R79", "SQ-R26")
@pytest.mark.parametrize(
    "text",
    [
        "REPAIR Kin",
        "TRANSFER 1 SUPPLY FROM Kin TO Kith",
        "TRANSFER 1 ADMIRAL FROM Kith TO Kin",
        "MOVE Kin TO 1903",
        "JUMP Kin TO Near 1008",
    ],
)
def test_with_share_side_false_what_an_ally_does_under_cover_is_not_told(text: str) -> None:
    units = ["Duke M1 @0607", "Kin M4 U9 supplies 3 damage 2 D9 by carl @1903", "Kith M1 U4 D9 admirals 1 by carl @1903"]
    start = world(units, questions=["carl Q1 @1903"], players="anna ben carl", players_per_side=2, share_side=False)
    steps: list[Days] = [[{"anna": "PASS", "ben": "PASS", "carl": f"NO REPAIR Kin\n{line}"}] for line in ("PASS", text)]
    assert_hidden(start, start, steps[0], "carl", other_steps=steps[1])


@pytest.mark.rule("SQ-R72", "SQ-R79", "SQ-R26")
def test_with_share_side_false_which_of_an_allys_hidden_units_was_hit_is_not_told() -> None:
    units = ["Duke M1 @0607", "Kin D9 J2 by carl @1903", "Kith D90 by carl @1903", "Last D2 by carl @1903"]
    start = world(units, ["Gun A5 R9 @1901"], questions=["carl Q1 @1903"], players="anna ben carl", share_side=False)
    steps: Days = [{"anna": "PASS", "ben": "FIRE Gun AT ?", "carl": "PASS"}]
    seen = [told(start, steps, number) for number in range(8)]
    assert len({each["anna"] for each in seen}) == 1
    assert len({each["carl"] for each in seen}) > 1


@pytest.mark.rule("SQ-R72", "SQ-R06")
@pytest.mark.parametrize("name", ["Kin", "Ki", "kin"])
@pytest.mark.parametrize(
    "order", ["TRANSFER 1 SUPPLY FROM Duke TO {}", "REPAIR Duke FROM {}", "PLACE ? ON {}", "FIRE Duke AT {}"]
)
def test_with_share_side_false_no_answer_tells_of_an_allys_hidden_unit(order: str, name: str) -> None:
    own = "Duke M1 A1 U2 supplies 1 damage 1 D9 @0607"
    worlds = [
        world([own, *kin], questions=["carl Q1 @1903"], players="anna ben carl", players_per_side=2, share_side=False)
        for kin in ([], ["Kin M1 by carl @1903"], ["Kin M1 by carl @1903", "Kiosk M1 by carl @1903"])
    ]
    answers = [ruleset.receive(ruleset.load(each), mail("anna", f"PASS\n{order.format(name)}")).verdicts for each in worlds]
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.rule("SQ-R72", "SQ-R28", "SQ-R58")
@pytest.mark.parametrize("order", ["TRANSFER 1 SUPPLY FROM Duke TO Kin", "REPAIR Duke FROM Kin", "PLACE ? ON Kin"])
def test_with_share_side_false_no_failed_order_tells_where_an_ally_hides(order: str) -> None:
    own = "Duke M1 A1 U2 supplies 1 damage 1 D9 @0607"
    marks = ["carl Q1 @1903", "carl Q2 @T1", "carl Q3 @0202", "anna Q1 reserve"]
    worlds = [
        world(
            [own, *kin], questions=marks, transits=["T1 carl day 2 Near:0303"],
            players="anna ben carl", players_per_side=2, share_side=False,
        )
        for kin in ([], ["Kin U5 J4 by carl @1903"], ["Kin U5 J4 by carl @T1"], ["Kin J4 by carl @0202"])
    ]  # fmt: skip
    steps: Days = [{"anna": order, "ben": "PASS", "carl": "PASS"}]
    for other in worlds[1:]:
        assert_hidden(worlds[0], other, steps, "carl")


@pytest.mark.fuzz
@pytest.mark.rule("SQ-25", "SQ-27", "SQ-R18", "SQ-R33", "SQ-R79")
@pytest.mark.parametrize("fog", ["counters", "sensors"])
@given(seed=st.integers(0, 10**6))
@settings(SMALL, max_examples=2 * SMALL.max_examples)
def test_no_name_is_told_before_its_unit_was_seen(fog: str, seed: int) -> None:
    """Random battles phase by phase, so that all that is ever in view is so at the end of a step."""
    document = random_world(seed)
    document["options"] |= {"turn_mode": "phases", "fog": fog, "max_missed": 0, "day_limit": 28}
    document["phase"] = "1a"
    for number, table in enumerate(u for u in document["units"] if u["side"] == 2 and u.get("kind") != "planet"):
        table["name"] = f"Ghost{chr(97 + number)}"
    state, known = ruleset.load(document), set[str]()
    for number in range(14):
        if ruleset.outcome(state) is not None:
            break
        known |= _in_view(state, fog)
        for arrival, seat in enumerate(ruleset.awaiting(state), start=1):
            orders = ruleset.random_orders(state, seat, HmacDice(b"players", bytes([number, arrival])))
            state = ruleset.receive(state, mail(seat, orders, arrival)).position
        resolution = ruleset.resolve(state, HmacDice(seed.to_bytes(4, "big"), bytes([number])))
        state = resolution.position
        known |= _in_view(state, fog) | {event.data["shooter"] for event in resolution.events if event.kind == "shot"}
        known |= {event.data["name"] for event in resolution.events if event.kind == "destroyed"}
        if ruleset.outcome(state) is None:
            got = view_and_form(ruleset, state, resolution.events, "anna")
            assert {name for name in _ghosts(state) if name in got} <= known
            assert not any(name in view_and_form(ruleset, state, resolution.events, "") for name in _ghosts(state))


def _ghosts(state: Any) -> set[str]:
    return {table["name"] for table in ruleset.dump(state)["units"] if table["name"].startswith("Ghost")}


def _in_view(state: Any, fog: str) -> set[str]:
    """Ben's units that lie open: on boards for all to see, or for sensors; in transit with the fog of counters only."""
    document = ruleset.dump(state)
    covers = {where(table) for table in document.get("questions", ()) if table["side"] == 2}
    found: set[str] = set()
    for table in document["units"]:
        place = where(table)
        if table["side"] == 2 and place not in covers and (fog == "counters" or _sensed(document, place)):
            found.add(table["name"])
    return found


def _sensed(document: Document, place: str) -> bool:
    system, _, hexagon = place.rpartition(" ")
    for table in document["units"]:
        if table["side"] == 1 and system and where(table).rpartition(" ")[0] == system:
            lost = table.get("hits", {}).get("sensor_range", max(0, table.get("damage", 0) - table.get("defense", 0)))
            reach = table.get("sensor_range", 0) + table.get("admiral_counters", 0) - lost
            if distance(hexagon, table["hex"]) <= max(0, reach):
                return True
    return False
