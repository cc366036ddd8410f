"""Sign-up and set-up (5.1, 5.2)."""

from collections.abc import Sequence

import pytest

from pbmd.rules import Line, Refused, ScriptedDice, Signup, Status
from pbmd.rules.options import complete
from rulesets.cosmic_conquest import ruleset
from rulesets.cosmic_conquest.world.galaxy import HOMES, MAPS

LINES = "Faction: Crimson Concord\nColour: Red\nAdmiral: Navarch Zel Thuun\nTraits: Conqueror, Diplomat\nTechnology: Tachyon"
OPTIONS = complete(ruleset.info.options, {})


def signup(text: str = LINES, seat: str = "Red") -> Signup:
    return Signup(seat, tuple(Line(n, line) for n, line in enumerate(text.splitlines(), start=1)))


def faults(asked: Signup, accepted: Sequence[Signup] = (), **options: object) -> list[str]:
    verdicts = ruleset.check_signup(asked, accepted, complete(ruleset.info.options, options))
    return [verdict.message for verdict in verdicts if verdict.status is Status.ERROR]


def samples(count: int, **options: object) -> list[Signup]:
    found: list[Signup] = []
    chosen = complete(ruleset.info.options, options)
    assert ruleset.sample_signup is not None
    for _ in range(count):
        found.append(ruleset.sample_signup(found, chosen))
    return found


@pytest.mark.rule("CC-02", "CC-03", "CC-04", "CC-06", "CC-07")
def test_the_sign_up_of_the_specification_is_accepted_and_the_seat_is_the_colour() -> None:
    for seat in ("Red", "red", "Crimson Concord"):
        head, *lines = ruleset.check_signup(signup(seat=seat), (), OPTIONS)
        assert (head.status, head.canonical) == (Status.OK, "Red")
        assert "\n".join(verdict.canonical for verdict in lines) == LINES
    assert faults(signup(seat="Blue")) == ['"Blue": your lines are for Red, the Crimson Concord']


def test_other_spellings_are_accepted_in_any_order() -> None:
    text = "tech: chrono\nTRAITS: resourceful ,  Strategist\ncolor: gray\nname: A  B\nadmiral: X"
    head, *lines = ruleset.check_signup(signup(text, "Grey"), (), OPTIONS)
    assert head.canonical == "Grey"
    assert [verdict.canonical for verdict in lines] == [
        "Technology: ChronoTech", "Traits: Resourceful, Strategist", "Colour: Grey", "Faction: A B", "Admiral: X"
    ]  # fmt: skip


@pytest.mark.rule("CC-06", "CC-07", "CC-04")
@pytest.mark.parametrize("missing", LINES.splitlines())
def test_a_sign_up_is_complete_with_all_five_lines_only(missing: str) -> None:
    (message,) = faults(signup(LINES.replace(missing, "")))
    assert message == f'"Red": a sign-up needs 1 more line, like {missing}'


@pytest.mark.rule("CC-02", "CC-07", "CC-28", "CC-04", "CC-R85")
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Colour: Mauve", 'there is no colour "Mauve"; free are Red, Yellow, Green'),
        ("Traits: Conqueror", "two different traits"),
        ("Traits: Conqueror, Conqueror", "two different traits"),
        ("Traits: Conqueror, Diplomat, Defender", "two different traits"),
        ("Traits: Conqueror, Weak", '"weak" is no trait that can be chosen'),
        ("Technology: Magic", 'there is no technology "Magic"; there are Tachyon, Psionic, BioMech, ChronoTech'),
        ("Admiral: A, B", "a name has no comma"),
        ("Admiral: " + "x" * 41, "40 is the most"),
        ("Faction: Teal", "the name of a faction is not a colour"),
        ("Faction:", "a name is one line"),
        ("Motto: To the stars", "a sign-up can have one line each for Faction, Colour, Admiral, Traits and Technology"),
    ],
)
def test_a_wrong_line_is_answered_with_the_fault_and_an_example(line: str, words: str) -> None:
    key = line.partition(":")[0]
    kept = [other for other in LINES.splitlines() if not other.startswith(key)]
    messages = faults(signup("\n".join([*kept, line])))
    assert any(words in message and " For example: " in message for message in messages)


TAKEN = LINES.replace("Crimson Concord", "Other").replace("Red", "Blue")


@pytest.mark.parametrize(
    ("line", "example"),
    [
        ("Faction: Other", "Faction: Crimson Concord"),
        ("Colour: Blue", "Colour: Red"),
        ("Colour: Bleu", "Colour: Red"),
        ("Colour: Yelow", "Colour: Yellow"),
        ("Admiral:", "Admiral: Navarch Zel Thuun"),
        ("Traits: Strategy, Diplomat", "Traits: Strategist, Diplomat"),
        ("Traits: Defender, Defender", "Traits: Defender, Conqueror"),
        ("Technology: Bionic", "Technology: Psionic"),
    ],
)
def test_the_example_is_the_nearest_thing_that_nobody_has_and_would_be_accepted(line: str, example: str) -> None:
    key = line.partition(":")[0]
    lines = [line if other.startswith(key) else other for other in LINES.splitlines()]
    taken = [signup(TAKEN, "Blue")]
    (message,) = [message for message in faults(signup("\n".join(lines)), taken) if "For example: " in message]
    assert message.partition(" For example: ")[2] == example
    mended = "\n".join(example if other == line else other for other in lines)
    assert faults(signup(mended, dict(part.split(": ") for part in mended.splitlines())["Colour"]), taken) == []


@pytest.mark.rule("CC-02", "CC-R85")
def test_a_colour_and_a_name_belong_to_whoever_came_first() -> None:
    (message,) = faults(signup(LINES.replace("Crimson Concord", "Other")), [signup()])
    assert message.startswith("Red is taken; free are Yellow, Green, Cyan")
    other = LINES.replace("Colour: Red", "Colour: Blue").replace("Crimson", "CRIMSON")
    assert any("another faction has this name already" in message for message in faults(signup(other, "Blue"), [signup()]))
    assert any("is there twice" in message for message in faults(signup(f"{LINES}\nColour: Blue")))


@pytest.mark.rule("CC-01", "CC-R86")
def test_two_to_twelve_players_make_a_game() -> None:
    assert (ruleset.info.min_seats, ruleset.info.max_seats) == (2, 12)
    twelve = samples(12)
    assert len({asked.seat for asked in twelve}) == 12
    thirteenth = signup(LINES.replace("Concord", "Horde"))
    assert any("12 players and full" in message for message in faults(thirteenth, twelve))
    with pytest.raises(Refused, match="is for 2 to 12 players here, not for 1"):
        ruleset.setup(samples(1), OPTIONS, ScriptedDice([]))
    with pytest.raises(Refused, match="is for 4 to 12 players here, not for 3"):
        ruleset.setup(samples(3), complete(ruleset.info.options, {"min_players": 4}), ScriptedDice([]))
    assert any("3 players and full" in message for message in faults(samples(4)[3], samples(3), max_players=3))


@pytest.mark.rule("CC-66", "CC-67", "CC-85", "CC-15", "CC-16", "CC-17", "CC-R42", "CC-R87", "CC-08")
def test_the_balanced_list_is_shuffled_from_its_end_and_then_admirals_roll() -> None:
    dice = ScriptedDice([1, 3, 1, 1, 2, 3, 1])
    written = ruleset.dump(ruleset.setup(samples(4), OPTIONS, dice))
    assert [sides for sides, _ in dice.drawn] == [4, 3, 2, 3, 3, 3, 3]
    # Sol, Altair, Polaris, Canopus: 4 and 1 change places, then 3 stays, then 2 and 1.
    homes = {table["owner"]: table["name"] for table in written["systems"] if table["owner"]}
    assert homes == {"Red": "Altair", "Yellow": "Canopus", "Green": "Polaris", "Cyan": "Sol"}
    assert [table["admiral"]["cv"] for table in written["factions"]] == [5, 6, 7, 5]
    assert {(table["output"], table["penalty"]) for table in written["systems"]} == {(10, 0)}
    assert (written["turn"], written["phase"], written["options"]) == (1, "orders", {})
    red = written["factions"][0]
    assert red["admiral"]["rank"] == "supreme"
    assert len(red["admiral"]["traits"]) == 2
    assert (red["drones"], red["empire_turn"], red["deaths"]) == (0, 0, 0)


@pytest.mark.rule("CC-R87")
def test_homes_can_be_drawn_from_all_systems() -> None:
    options = complete(ruleset.info.options, {"home_choice": "random"})
    dice = ScriptedDice([*range(33, 1, -1), 1, 1])
    position = ruleset.setup(samples(2), options, dice)
    assert [sides for sides, _ in dice.drawn] == [*range(33, 1, -1), 3, 3]
    assert [position.system(star.name).owner for star in MAPS["standard33"].stars[:3]] == ["Red", "Yellow", ""]


@pytest.mark.rule("CC-R87")
def test_homes_can_be_chosen_first_come_first_served() -> None:
    asked = signup(f"{LINES}\nHome: fomalhaut")
    assert faults(asked, home_choice="first_in") == []
    assert faults(signup(), home_choice="first_in") == ['"Red": a sign-up needs 1 more line, like Home: Sol']
    assert any("no free home" in message for message in faults(signup(f"{LINES}\nHome: Sirius"), home_choice="first_in"))
    other = signup(LINES.replace("Red", "Blue").replace("Concord", "Horde") + "\nHome: Fomalhaut", "Blue")
    assert any('"Fomalhaut" is no free home' in message for message in faults(other, [asked], home_choice="first_in"))
    assert any("one line each for" in message for message in faults(asked))
    dice = ScriptedDice([1, 1])
    options = complete(ruleset.info.options, {"home_choice": "first_in"})
    position = ruleset.setup([asked, *samples(2, home_choice="first_in")[1:]], options, dice)
    assert position.system("Fomalhaut").owner == "Red"
    assert position.system(HOMES["standard33"][12][1]).owner == "Yellow"


@pytest.mark.rule("CC-67", "CC-85")
def test_the_output_at_the_start_is_an_option() -> None:
    options = complete(ruleset.info.options, {"start_output": 12})
    position = ruleset.setup(samples(2), options, ScriptedDice([2, 1, 1]))
    assert {system.output for system in position.systems} == {12}


def test_the_options_are_those_of_the_specification_with_their_defaults() -> None:
    defaults = {key: spec.default for key, spec in ruleset.info.options.items()}
    assert defaults == {
        "turn_hours": 72, "insight_hours": 24, "extension_hours": 24, "extension_gap": 3, "min_players": 2,
        "max_players": 12, "map": "standard33", "home_choice": "balanced", "start_output": 10, "independent_units": 10,
        "output_cap": 30, "output_cap_biomech": 35, "empire_size": 4, "empire_bonus": 5, "empire_bonus_tachyon": 10,
        "empire_from": "next", "first_overlord_turn": 10, "overlord_needs_empire": False, "last_survivor_wins": True,
        "defense_roll": "each", "halve": "down", "halve_undefended": True, "conquered_investment": "halved",
        "drone_uses_pool": True, "regen_delay": 1, "stasis_blocks_launch": True, "stasis_is_failure": False,
        "time_skip_lifts": False, "assault_independents": True, "borders": "players", "stall_limit": 0,
        "on_error": "refuse", "bold": "auto", "public_factions": True, "battle_detail": "totals",
    }  # fmt: skip
