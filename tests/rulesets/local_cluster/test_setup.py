"""Sign-up and game start (section 5)."""

from collections.abc import Sequence
from typing import Any

import pytest

from pbmd.rules import Line, Refused, ScriptedDice, Signup, Status
from pbmd.rules.options import complete
from rulesets.local_cluster import ruleset
from tests.processor_time import takes_at_most
from tests.rulesets.local_cluster.harness import Document

FORM = """Race Name: Terrans
Leader Name and Title: Ada Moreau, First Speaker
Player Name: Kim
Color: teal
Home Planet: Aquila
Extra Traits: Warlike, Scholars"""
ZORG = """Race: Zorg
Leader: Uth
Home: Garnet
Traits: Swarm and Stalwart"""
OPTIONS = complete(ruleset.info.options, {})
PALETTE = (
    *("teal", "maroon", "navy", "olive", "purple", "sienna"),
    *("steelblue", "darkgreen", "slategray", "chocolate", "indigo", "crimson"),
)


def signup(text: str = FORM, seat: str = "Terrans", holder: str = "Kim K.") -> Signup:
    return Signup(seat, tuple(Line(n, line) for n, line in enumerate(text.splitlines(), start=1)), holder)


def faults(asked: Signup, accepted: Sequence[Signup] = (), **options: object) -> list[str]:
    verdicts = ruleset.check_signup(asked, accepted, complete(ruleset.info.options, options))
    return [verdict.message for verdict in verdicts if verdict.status is Status.ERROR]


def without(field: str, text: str = FORM) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith(field))


def samples(count: int, **options: object) -> list[Signup]:
    found: list[Signup] = []
    assert ruleset.sample_signup is not None
    for _ in range(count):
        found.append(ruleset.sample_signup(found, complete(ruleset.info.options, options)))
    return found


def started(*signups: Signup, dice: Sequence[int] = (1,) * 32, **options: object) -> Document:
    script = ScriptedDice(dice)
    document = ruleset.dump(ruleset.setup(signups, complete(ruleset.info.options, options), script))
    assert script.unused == ()
    return document


def table(document: Document, name: str) -> dict[str, Any]:
    return next(entry for entry in document["states"] if entry["name"] == name)


# --- Sign-up -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-01", "LC-02", "LC-03", "LC-04", "LC-05", "LC-06")
def test_the_nation_form_of_the_specification_is_accepted() -> None:
    assert faults(signup()) == []
    terrans = table(started(signup(), signup(ZORG, "Zorg", "Sam")), "Terrans")
    assert terrans | {"credits": 0} == terrans | {
        "name": "Terrans",
        "kind": "player",
        "leader": "Ada Moreau, First Speaker",
        "player_name": "Kim",
        "color": "teal",
        "home_planet": "Aquila",
        "traits": ["Warlike", "Scholars"],
        "technologies": [],
        "credits": 0,
        "skips": 0,
        "proclaims": "Terrans",
    }


@pytest.mark.rule("LC-R101", "LC-03", "LC-04")
def test_what_is_left_out_takes_its_default() -> None:
    document = started(
        signup(),
        signup(ZORG, "Zorg", holder="Sam"),
        signup(ZORG.replace("Zorg", "Qix").replace("Garnet", "Quill"), "Qix", "Lou"),
        dice=(1,) * 31,
    )
    assert (table(document, "Zorg")["player_name"], table(document, "Qix")["player_name"]) == ("Sam", "Lou")
    assert (table(document, "Zorg")["color"], table(document, "Qix")["color"]) == ("maroon", "navy")


@pytest.mark.parametrize(
    "text",
    [
        "NATION: Terrans\nleader: A\nPLAYER: Kim\ncolour: #A0b1C2\nhome world: aquila\ntraits: Warlike & Scholars",
        "home: Aqu\nTrait: warlike\nrace: Terrans\nTrait: scholars\nLeader: A",
        "Extra Traits: War, Scho\nHome Planet: AQUILA\nRace Name:   Terrans  \nLeader: " + "x" * 64,
        "Race Name: Terrans\nLeader: A\nHome: Aquila\nTraits: Warlike and Scholars",
    ],
)
def test_other_spellings_are_accepted_in_any_order(text: str) -> None:
    assert faults(signup(text)) == []
    terrans = table(started(signup(text), signup(ZORG, "Zorg", "Sam")), "Terrans")
    assert (terrans["home_planet"], terrans["traits"]) == ("Aquila", ["Warlike", "Scholars"])


@pytest.mark.rule("LC-01", "LC-02", "LC-05", "LC-06")
@pytest.mark.parametrize("field", ["Race Name", "Leader", "Home Planet", "Extra Traits"])
def test_what_is_required_cannot_be_left_out(field: str) -> None:
    (message,) = faults(signup(without(field)))
    assert field.split()[0].casefold() in message.casefold()


@pytest.mark.rule("LC-01", "LC-R98")
@pytest.mark.parametrize(
    "name",
    [
        "x" * 33,
        "123",
        "- -",
        "Ter_rans",
        "A.B",
        "Aquila",
        "aquila",
        "Mines",
        "Ascension",
        "Warlike",
        "F12",
        "a3",
        "nobody",
        "All",
    ],
)
def test_a_race_name_has_rules(name: str) -> None:
    assert faults(signup(FORM.replace("Terrans", name), name))


@pytest.mark.rule("LC-01")
@pytest.mark.parametrize("name", ["x" * 32, "7 of 9", "Ko'Tal", "Jean-Luc", "F12 Pilots", "Z"])
def test_other_race_names_are_free(name: str) -> None:
    assert faults(signup(FORM.replace("Terrans", name), name)) == []


@pytest.mark.rule("LC-06", "LC-R99", "LC-05", "LC-02", "LC-R101")
@pytest.mark.parametrize(
    ("field", "line", "words"),
    [
        ("Extra Traits", "Extra Traits: Warlike", ["two"]),
        ("Extra Traits", "Extra Traits: Warlike, Warlike", ["different"]),
        ("Extra Traits", "Extra Traits: Warlike, Scholars, Swarm", ["two"]),
        ("Extra Traits", "Extra Traits: Warlike, Brave", ["Brave", "Metropolitan"]),
        ("Extra Traits", "Extra Traits: Warlike, S", ["Stalwart", "Swarm"]),
        ("Home Planet", "Home Planet: Terra", ["Terra", "Aquila", "Harrow"]),
        ("Leader", "Leader: " + "x" * 65, ["64"]),
        ("Leader", "Leader:", []),
        ("Color", "Color: mauve", ["mauve", "maroon"]),
        ("Color", "Color: #12345", ["maroon"]),
        ("Motto", "Motto: Onwards", []),
    ],
)
def test_a_wrong_field_is_answered_with_the_valid_choices(field: str, line: str, words: list[str]) -> None:
    messages = faults(signup(f"{without(field)}\n{line}"))
    assert messages
    for word in words:
        assert any(word in message for message in messages), messages


def test_all_faults_are_told_at_once() -> None:
    assert len(faults(signup("Race Name: F1\nHome: Terra\nTraits: Warlike\nColor: mauve\nLeader: A"))) >= 4


@pytest.mark.rule("LC-R98", "LC-R101")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("Home: Aquila", ["Aquila", "Bastion"]),
        ("Color: teal", ["teal", "maroon"]),
        ("Race: Terrans", ["Terrans"]),
        ("Race: TERRANS", []),
        ("Player: Kim", ["Kim"]),
    ],
)
def test_the_first_mail_in_gets_it_and_the_later_is_told_what_is_free(change: str, words: list[str]) -> None:
    field = change.partition(":")[0]
    text = f"{without(field, ZORG)}\n{change}"
    seat = change.partition(": ")[2] if field == "Race" else "Zorg"
    messages = faults(signup(text, seat, "Sam"), [signup()])
    assert len(messages) == 1
    for word in words:
        assert word in messages[0]


@pytest.mark.rule("LC-R98")
@pytest.mark.parametrize("line", ["Home: Aquila", "Color: teal", "Race: Terrans", "Player: Kim"])
def test_the_example_that_comes_with_a_fault_is_right(line: str) -> None:
    field, _, value = line.partition(": ")
    (message,) = faults(signup(f"{without(field, ZORG)}\n{line}", value if field == "Race" else "Zorg", "Sam"), [signup()])
    example = message.partition(". For example: ")[2]
    seat = example.partition(": ")[2] if field == "Race" else "Zorg"
    assert faults(signup(f"{without(field, ZORG)}\n{example}", seat, "Sam"), [signup()]) == []


@pytest.mark.rule("LC-R98")
@pytest.mark.parametrize(
    ("line", "example"),
    [
        ("Home: Aqila", "Home Planet: Aquila"),
        ("Home: H", "Home Planet: Hesper"),
        ("Extra Traits: Warlike, Scholarz", "Extra Traits: Warlike, Scholars"),
        ("Extra Traits: Scholarz", "Extra Traits: Scholars, Warlike"),
        ("Color: oliv", "Color: olive"),
        ("Color: maroonn", "Color: maroon"),
    ],
)
def test_the_example_is_what_is_spelt_most_like_what_was_written(line: str, example: str) -> None:
    messages = faults(signup(f"{without(line.partition(':')[0])}\n{line}"))
    assert [message.partition(" For example: ")[2] for message in messages] == [example]


@pytest.mark.rule("LC-R98", "LC-R99")
def test_a_second_trait_on_a_line_of_its_own_gets_an_example_that_fits_the_first() -> None:
    text = f"{without('Extra')}\nTraits: Warlike\nScholarz"
    (*_, message) = faults(signup(text))
    example = message.partition(" For example: ")[2]
    assert example == "Extra Traits: Scholars"
    assert faults(signup(text.replace("Scholarz", example))) == []


def test_a_line_of_many_words_that_mean_several_traits_costs_nothing() -> None:
    with takes_at_most(10):
        (message,) = faults(signup(f"{without('Extra')}\nTraits: {', '.join(['S'] * 150)}"))
        assert message.startswith('"S" could be "Stalwart"')


@pytest.mark.rule("LC-R98")
def test_no_example_is_given_for_a_field_that_is_there_already() -> None:
    assert faults(signup(f"{FORM}\nHome: Bastion")) == ["Home Planet is there twice."]
    (message,) = faults(signup(f"{without('Color')}\nMotto: Onwards"))
    assert message.endswith("For example: Color: teal")
    (message,) = faults(signup(f"{FORM}\nMotto: Onwards"))
    assert "For example:" not in message


def test_a_stranger_is_not_told_who_plays() -> None:
    others = [signup(), signup(ZORG, "Zorg", "Sam")]
    text = "\n".join(faults(signup(f"{ZORG}\nPlayer Name: Kim", "Zorg"), others))
    assert ("Kim" in text, "Sam" in text) == (True, False)


@pytest.mark.rule("LC-R98")
def test_nothing_is_reserved_by_a_refused_sign_up() -> None:
    assert faults(signup(f"{ZORG}\nMotto: x\nColor: teal", "Zorg")) != []
    assert faults(signup(), []) == []


@pytest.mark.rule("LC-R101")
def test_the_palette_is_that_of_the_specification_and_any_other_code_is_allowed() -> None:
    document = started(*samples(12), dice=(1,) * 22)
    assert tuple(entry["color"] for entry in document["states"][:12]) == PALETTE
    assert faults(signup(FORM.replace("teal", "#123456"))) == []
    other = f"{ZORG}\nColor: #123456"
    assert faults(signup(other, "Zorg"), [signup(FORM.replace("teal", "#123456"))]) != []


def test_two_to_twelve_players_make_a_game() -> None:
    assert (ruleset.info.min_seats, ruleset.info.max_seats) == (2, 12)
    with pytest.raises(Refused):
        ruleset.setup(samples(1), OPTIONS, ScriptedDice([1] * 40))
    with pytest.raises(Refused):
        ruleset.setup(samples(3), complete(ruleset.info.options, {"min_players": 4}), ScriptedDice([1] * 40))
    assert faults(samples(4)[3], samples(3), max_players=3) != []
    assert faults(samples(4)[3], samples(3), max_players=4) == []
    twelve = samples(12)
    assert len({asked.seat for asked in twelve}) == 12
    assert faults(signup(), twelve) != []


# --- Game start ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-07", "LC-08", "LC-11", "LC-16", "LC-28", "LC-R100", "LC-R51")
def test_the_game_starts_at_turn_0_with_30_credits_one_planet_and_peace() -> None:
    document = started(signup(ZORG, "Zorg", "Sam"), signup(FORM.replace("teal", "navy")))
    assert (document["turn"], document["phase"], document["waiting"]) == (0, "moves", ["Zorg", "Terrans"])
    for name, home in (("Zorg", "Garnet"), ("Terrans", "Aquila")):
        entry = table(document, name)
        assert (entry["credits"], entry["home_planet"], entry["kind"]) == (30, home, "player")
        assert [p["name"] for p in document["planets"] if p["owner"] == name] == [home]
        assert [p["resources"] for p in document["planets"] if p["owner"] == name] == [[]]
        assert not [unit for unit in (*document["fleets"], *document["armies"]) if unit["owner"] == name]
    assert document["relations"] == document["offers"] == document["held"] == []
    assert [entry["name"] for entry in document["states"][:2]] == ["Zorg", "Terrans"]


@pytest.mark.rule("LC-40", "LC-R51", "LC-R27", "LC-R57")
def test_every_other_planet_is_an_npc_state_with_one_army_one_fleet_and_one_resource() -> None:
    document = started(signup(), signup(ZORG, "Zorg", "Sam"))
    npcs = [entry for entry in document["states"] if entry["kind"] == "npc"]
    names = [p["name"] for p in document["planets"] if p["name"] not in ("Aquila", "Garnet")]
    assert [entry["name"] for entry in npcs] == names
    assert names[:6] == ["Bastion", "Calyx", "Dorado", "Eridu", "Fenris", "Hesper"]
    for number, entry in enumerate(npcs, start=1):
        assert (entry["credits"], entry["home_planet"], entry["proclaims"]) == (0, "", "")
        assert (entry["establishment_armies"], entry["establishment_fleets"]) == (1, 1)
        assert {"id": f"F{number}", "owner": entry["name"], "planet": entry["name"]} in document["fleets"]
        assert {"id": f"A{number}", "owner": entry["name"], "planet": entry["name"]} in document["armies"]
    assert (len(document["fleets"]), len(document["armies"])) == (32, 32)
    assert (document["next_fleet"], document["next_army"]) == (33, 33)


WEIGHTS = (
    *(("Farmland", 1, 10), ("Barracks", 11, 17), ("Mines", 18, 23), ("Orbital Guns", 24, 27), ("Shield Generator", 28, 30)),
    *(("Shipyard", 31, 32), ("Laboratory", 33, 34), ("Refinery", 35, 36), ("Portal", 37, 37), ("Trade Port", 38, 38)),
    *(("Habitat", 39, 39), ("Arcology", 40, 40)),
)


@pytest.mark.rule("LC-40", "LC-41", "LC-R52")
def test_the_resource_is_drawn_with_a_d40_in_planet_number_order() -> None:
    rolls = [roll for _, low, high in WEIGHTS for roll in {low, high}]
    dice = ScriptedDice([*rolls, *[1] * (32 - len(rolls))])
    document = ruleset.dump(ruleset.setup((signup(), signup(ZORG, "Zorg", "Sam")), OPTIONS, dice))
    assert {sides for sides, _ in dice.drawn} == {40}
    assert len(dice.drawn) == 32
    found = [p["resources"] for p in document["planets"] if p["name"] not in ("Aquila", "Garnet")]
    expected = [[name] for name, low, high in WEIGHTS for roll in {low, high}]
    assert found[: len(expected)] == expected


@pytest.mark.rule("LC-08")
def test_starting_credits_can_be_changed_and_the_wealthy_have_more() -> None:
    wealthy = signup(FORM.replace("Scholars", "Wealthy"))
    document = started(wealthy, signup(ZORG, "Zorg", "Sam"), start_credits=7)
    assert (table(document, "Terrans")["credits"], table(document, "Zorg")["credits"]) == (22, 7)


@pytest.mark.rule("LC-05")
def test_every_planet_of_the_map_can_be_a_home() -> None:
    names = [p["name"] for p in started(signup(), signup(ZORG, "Zorg", "Sam"))["planets"]]
    assert len(names) == 34
    for name in names:
        assert faults(signup(FORM.replace("Home Planet: Aquila", f"Home Planet: {name}"))) == []
