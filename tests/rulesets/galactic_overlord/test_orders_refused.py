"""Every refusal and every warning on arrival."""

import re

import pytest

from pbmd.rules import Status
from rulesets.galactic_overlord import ruleset
from tests.rulesets.galactic_overlord.harness import base, one_verdict, play, player, position, receive, verdicts

FLEET = "3 Laserfrigate, 1 Torpedocruiser@1"


def document(**options: object) -> dict[str, object]:
    """Altair has little of everything; Zeta is eliminated."""
    return position(
        player("Altair", FLEET, bp=20, counter_espionage=1, spies=1, generators=1),
        player("Borealis"),
        player("Cygnus"),
        player("Zeta", bases=0, alive=False, counter_espionage=0),
        bases=[base("Vega", "Altair"), base("Bastion", "Borealis")],
        **options,
    )


REFUSED = [
    # build
    pytest.param("Build 1 Laserwagon", marks=pytest.mark.rule("GO-15")),
    pytest.param("Build 1 Lasertitan", marks=pytest.mark.rule("GO-16")),
    pytest.param("Build 1 Titan 5xLasers", marks=pytest.mark.rule("GO-16", "GO-R07")),
    pytest.param("Build 1 Cruiser 1xLasers", marks=pytest.mark.rule("GO-19", "GO-R08")),
    pytest.param("Build 0 Laserfrigates"),
    pytest.param("Build -1 Laserfrigates"),
    pytest.param("Build"),
    pytest.param("Build 1 laser"),
    pytest.param("Build 1 Laserfrigate, 1 Lasertitan", marks=pytest.mark.rule("GO-16")),
    pytest.param("Build 1 base named Vega", marks=pytest.mark.rule("GO-R13")),
    pytest.param("Build 1 base named bastion", marks=pytest.mark.rule("GO-R13")),
    pytest.param("Build 1 base named " + "x" * 31, marks=pytest.mark.rule("GO-R13")),
    pytest.param("Build 1 base named Rigel/2", marks=pytest.mark.rule("GO-R13")),
    pytest.param("Build 1 base named Out to Sea", marks=pytest.mark.rule("GO-R13")),
    pytest.param("Build 2 bases named Rigel, rigel", marks=pytest.mark.rule("GO-R13")),
    pytest.param("Build 0 bases"),
    # what stands behind a colon may be no name
    *(f"Build base: {said}" for said in ("none", "None", "Not this turn", "if possible", "2", "see below", "Later", "TBD")),
    # what is saved: all behind it was read over, and an attack with it
    pytest.param("Stockpile and attack Cygnus with all"),
    pytest.param("Stockpile unless Cygnus attacks"),
    pytest.param("Save Cygnus"),
    # repair
    pytest.param("Repair 1 Laserfrigate", marks=pytest.mark.rule("GO-R10")),
    pytest.param("Repair 1 Carriertitan"),
    pytest.param("Repair 1 Laserwagon"),
    pytest.param("Repair"),
    # spy
    pytest.param("Use spy on Nobody", marks=pytest.mark.rule("GO-35")),
    pytest.param("Use spy on Altair", marks=pytest.mark.rule("GO-35")),
    pytest.param("Use spy on Zeta", marks=pytest.mark.rule("GO-35")),
    # attack
    pytest.param("Attack Cygnus", marks=pytest.mark.rule("GO-41", "GO-R25")),
    pytest.param("Attack Cygnus with", marks=pytest.mark.rule("GO-41", "GO-R25")),
    pytest.param("Attack Cygnus with 2 Carriertitans", marks=pytest.mark.rule("GO-R25")),
    pytest.param("Attack Cygnus with all except 3 Laserfrigates, 1 Torpedocruiser", marks=pytest.mark.rule("GO-R25")),
    pytest.param("Attack Altair with all", marks=pytest.mark.rule("GO-R36")),
    pytest.param("Attack Zeta with all", marks=pytest.mark.rule("GO-R36")),
    pytest.param("Attack Nobody with all", marks=pytest.mark.rule("GO-R36")),
    pytest.param("Attack Cygnus with all allied with Altair", marks=pytest.mark.rule("GO-R37")),
    pytest.param("Attack Cygnus with all allied with Cygnus", marks=pytest.mark.rule("GO-R37")),
    pytest.param("Attack Cygnus with all allied with Nobody", marks=pytest.mark.rule("GO-R37")),
    pytest.param("Attack Cygnus with all allied with Zeta", marks=pytest.mark.rule("GO-R37")),
    pytest.param("Attack Cygnus with all allied with Borealis, Zeta", marks=pytest.mark.rule("GO-R37")),
    # OOB
    pytest.param("OOB LLLFTT", marks=pytest.mark.rule("GO-82", "GO-83")),
    pytest.param("OOB LLFFT", marks=pytest.mark.rule("GO-82")),
    pytest.param("OOB LLFFTTL", marks=pytest.mark.rule("GO-82")),
    pytest.param("OOB LLFFTX", marks=pytest.mark.rule("GO-83")),
    pytest.param("Attack: FFFFFF", marks=pytest.mark.rule("GO-83")),
    pytest.param("Lasers-Fighters-Torpedoes-Laser-Torpedoes-Fighters (LFTLFT)", marks=pytest.mark.rule("GO-84")),
    pytest.param("Attack: LFTLFT close in, close in"),
    pytest.param("Attack: LFTLFT close in, back off"),
    pytest.param("Attack: LFTLFT bunch, spread out"),
    pytest.param("Attack: LFTLFT ramming speed"),
    pytest.param("Defence: LFTLFT to the death", marks=pytest.mark.rule("GO-R72")),
    pytest.param("Default: LFTLFT to the death", marks=pytest.mark.rule("GO-R72")),
    pytest.param("OOB vs Cygnus: LFTLFT to the death", marks=pytest.mark.rule("GO-R72")),
    pytest.param("Defence vs Cygnus: LFTLFT to the death", marks=pytest.mark.rule("GO-R72")),
    pytest.param("LFTLFT to the death", marks=pytest.mark.rule("GO-R72")),
    pytest.param("OOB attack vs Nobody: LFTLFT"),
    pytest.param("OOB vs Altair: LFTLFT"),
    # transfer
    pytest.param("Transfer Atlantis to Borealis", marks=pytest.mark.rule("GO-63")),
    pytest.param("Transfer Vega to Nobody", marks=pytest.mark.rule("GO-R53")),
    pytest.param("Transfer Vega to Altair", marks=pytest.mark.rule("GO-R53")),
    pytest.param("Transfer Vega to Zeta", marks=pytest.mark.rule("GO-R53")),
    pytest.param("Transfer 3 Laserfrigates to Borealis", marks=pytest.mark.rule("GO-62")),
    pytest.param("Transfer Vega"),
    # division
    pytest.param("Captured bases to Nobody"),
    pytest.param("Captured bases to Zeta"),
    pytest.param("Captured bases to"),
    # anything else
    pytest.param("Fire the main gun"),
    pytest.param("Surrender to Borealis"),
    pytest.param("12"),
    pytest.param("?"),
]


@pytest.mark.parametrize("order", REFUSED)
def test_an_order_that_cannot_be_is_refused_with_a_message_and_changes_nothing(order: str) -> None:
    verdict = one_verdict(document(), "Altair", order)
    assert (verdict.status, verdict.canonical, verdict.text) == (Status.ERROR, "", order)
    assert verdict.message
    played = play(document(), [("Altair", f"Stockpile\n{order}")])
    nothing = play(document(), [("Altair", "Stockpile")])
    assert played.document == nothing.document


@pytest.mark.rule("GO-R25")
def test_other_lines_of_the_letter_stand() -> None:
    answers = verdicts(document(), "Altair", "Train spy\nBuild 1 Lasertitan\nBuild 1 Laserfrigate")
    assert [v.status for v in answers] == [Status.OK, Status.ERROR, Status.OK]


@pytest.mark.parametrize(
    ("letter", "refused"),
    [
        pytest.param(f"{first}\n{second}", 2, marks=pytest.mark.rule("GO-39", "GO-R14"), id=f"{first} + {second}")
        for first in ("Attack Cygnus with all", "Raise shields", "Build generator", "Train spy")
        for second in ("Attack Borealis with all", "Raise shields", "Build generator", "Train spy")
    ]
    + [
        pytest.param("Use CE\nCounter-espionage", 2, marks=pytest.mark.rule("GO-31", "GO-R14")),
        pytest.param("Use spy on Cygnus\nTrain spy", 2, marks=pytest.mark.rule("GO-38", "GO-R14")),
        pytest.param("Train spy\nUse spy on Cygnus", 2, marks=pytest.mark.rule("GO-38", "GO-R14")),
        pytest.param("LFTLFT\nOOB default: FFLLTT", 2, marks=pytest.mark.rule("GO-R14")),
        pytest.param("Attack: LFTLFT\nOOB attack: FFLLTT", 2, marks=pytest.mark.rule("GO-R14")),
        pytest.param("Defence: LFTLFT\nOOB defense: FFLLTT", 2, marks=pytest.mark.rule("GO-R14")),
        pytest.param("OOB vs Cygnus: LFTLFT\nOOB vs cyg: FFLLTT", 2, marks=pytest.mark.rule("GO-R14")),
        pytest.param("Attack vs Cygnus: LFTLFT\nAttack vs Cygnus: FFLLTT", 2, marks=pytest.mark.rule("GO-R14")),
        pytest.param("Transfer Vega to Cygnus\nGive Vega to Borealis", 2, marks=pytest.mark.rule("GO-R14")),
        pytest.param(
            "Attack Cygnus with all allied with Borealis\nSpoils to Altair\nSpoils to Borealis",
            3,
            marks=pytest.mark.rule("GO-R14", "GO-R43"),
        ),
        pytest.param("Build 1 base named Rigel\nBuild 1 base named Rigel", 2, marks=pytest.mark.rule("GO-R13")),
    ],
)
def test_the_first_of_two_lines_that_exclude_each_other_stands(letter: str, refused: int) -> None:
    start = document()
    start["players"][0]["bp"] = 100  # type: ignore[index]
    answers = verdicts(start, "Altair", letter)
    expected = [Status.ERROR if v.line == refused else Status.OK for v in answers]
    assert [Status.OK if v.status is Status.WARNING else v.status for v in answers] == expected


@pytest.mark.rule("GO-R14")
def test_the_first_valid_line_stands_so_a_refused_one_is_not_in_the_way() -> None:
    answers = verdicts(document(), "Altair", "Attack Nobody with all\nTrain spy\nUse spy on Nobody\nOOB LLL\nLFTLFT")
    assert [v.status for v in answers] == [Status.ERROR, Status.OK, Status.ERROR, Status.ERROR, Status.OK]


@pytest.mark.rule("GO-98", "GO-R14")
def test_oobs_for_different_slots_do_not_exclude_each_other() -> None:
    letter = (
        "LFTLFT\nAttack: LFTLFT\nDefence: LFTLFT\nOOB vs Cygnus: LFTLFT\nAttack vs Cygnus: LFTLFT\n"
        "Defence vs Cygnus: LFTLFT\nAttack vs Borealis: LFTLFT"
    )
    assert {v.status for v in verdicts(document(), "Altair", letter)} == {Status.OK}


@pytest.mark.parametrize("line", ["\u00ad", "\u200b", "\ufeff", "\u00a0", ".", "!", ";;", "#", "²", "\u0663 Laserfrigates"])
def test_invisible_and_odd_characters_are_no_order_and_do_no_harm(line: str) -> None:
    receipt = receive(document(), "Altair", f"{line}\nTrain spy")
    assert receipt.filed
    assert [v.canonical for v in receipt.verdicts if v.canonical] == ["Train spy"]


# What stocks forbid


def _with(**fields: int) -> dict[str, object]:
    return position(player("Altair", FLEET, **fields), player("Borealis"), player("Cygnus"))


@pytest.mark.parametrize(
    ("fields", "order"),
    [
        pytest.param({"counter_espionage": 0}, "Use counter-espionage", marks=pytest.mark.rule("GO-32", "GO-34")),
        pytest.param({"spies": 0}, "Use spy on Cygnus", marks=pytest.mark.rule("GO-35")),
        pytest.param({"generators": 0}, "Raise shields", marks=pytest.mark.rule("GO-46", "GO-R21")),
        pytest.param({"generators": 3}, "Build generator", marks=pytest.mark.rule("GO-48", "GO-R22")),
        pytest.param({"spies": 3}, "Train spy", marks=pytest.mark.rule("GO-50", "GO-R22")),
    ],
)
def test_stocks_limit_what_can_be_ordered(fields: dict[str, int], order: str) -> None:
    assert one_verdict(_with(**fields), "Altair", order).status is Status.ERROR
    other = {key: 1 if value == 0 else value - 1 for key, value in fields.items()}
    assert one_verdict(_with(**other), "Altair", order).status is Status.OK


@pytest.mark.rule("GO-R21")
def test_a_generator_ordered_this_turn_cannot_be_raised_this_turn() -> None:
    answers = verdicts(_with(), "Altair", "Build generator\nRaise shields")
    assert [v.status for v in answers] == [Status.OK, Status.ERROR]


@pytest.mark.rule("GO-R15")
def test_one_spy_a_turn_unless_the_game_allows_more_on_different_targets() -> None:
    two = "Use spy on Cygnus\nUse spy on Borealis"
    start = _with(spies=3)
    assert [v.status for v in verdicts(start, "Altair", two)] == [Status.OK, Status.ERROR]
    start["options"] = {"spies_per_turn": 2}
    assert [v.status for v in verdicts(start, "Altair", two)] == [Status.OK, Status.OK]
    same = verdicts(start, "Altair", "Use spy on Cygnus\nUse spy on Cygnus")
    assert [v.status for v in same] == [Status.OK, Status.ERROR]
    scarce = {**_with(spies=1), "options": {"spies_per_turn": 2}}
    assert [v.status for v in verdicts(scarce, "Altair", two)] == [Status.OK, Status.ERROR]


@pytest.mark.rule("GO-R73")
@pytest.mark.parametrize("over", [True, False])
def test_nothing_is_taken_from_an_eliminated_player_or_in_a_finished_game(over: bool) -> None:
    start = document(turn_limit=4)
    seat = "Altair" if over else "Zeta"
    if over:
        start |= {"status": "finished"}
    before = ruleset.load(start)
    receipt = receive(start, seat, "Build 1 Laserfrigate\nLFTLFT")
    assert (receipt.filed, ruleset.dump(receipt.position)) == (False, ruleset.dump(before))
    assert Status.ERROR in {v.status for v in receipt.verdicts}


# Warnings


@pytest.mark.parametrize(
    "letter",
    [
        pytest.param("Build 21 Laserfrigates", marks=pytest.mark.rule("GO-R09")),
        pytest.param("Build 2 bases", marks=pytest.mark.rule("GO-R09", "GO-R06")),
        pytest.param("Repair 2 Torpedocruisers", marks=pytest.mark.rule("GO-R10")),
        pytest.param("Attack Cygnus with 4 Laserfrigates", marks=pytest.mark.rule("GO-R25")),
        pytest.param("Attack Cygnus with 1 Laserfrigate, 1 Lasertitan", marks=pytest.mark.rule("GO-R25")),
        pytest.param("Transfer Bastion to Cygnus", marks=pytest.mark.rule("GO-R52")),
        pytest.param("Captured bases to Altair, Borealis", marks=pytest.mark.rule("GO-R43")),
        pytest.param("Attack Cygnus with all\nCaptured bases to Altair, Borealis", marks=pytest.mark.rule("GO-R43")),
    ],
)
def test_an_order_that_will_be_carried_out_only_in_part_is_accepted_with_a_warning(letter: str) -> None:
    verdict = verdicts(document(), "Altair", letter)[-1]
    assert verdict.status is Status.WARNING
    assert verdict.message
    assert verdict.canonical


@pytest.mark.rule("GO-R09")
def test_a_repair_that_cannot_be_paid_is_announced() -> None:
    start = position(player("Altair", "1 Laserfrigate@1"), player("Cygnus"))
    assert one_verdict(start, "Altair", "Repair 1 Laserfrigate").status is Status.WARNING


@pytest.mark.rule("GO-R09")
def test_bp_are_counted_over_all_lines_of_the_letter() -> None:
    answers = verdicts(document(), "Altair", "Build 15 Laserfrigates\nRepair all\nBuild 5 Carrierfrigates")
    assert [v.status for v in answers] == [Status.OK, Status.OK, Status.WARNING]


@pytest.mark.rule("GO-63")
def test_a_base_of_an_own_build_line_can_be_given_away() -> None:
    answers = verdicts(document(), "Altair", "Build 1 base named Rigel\nTransfer Rigel to Cygnus")
    assert answers[1].status in {Status.OK, Status.WARNING}


# The letter as a whole: an OOB that would be missing


def _general(letter: str) -> list[Status]:
    receipt = receive(document(), "Altair", letter)
    return [v.status for v in receipt.verdicts if v.line == 0]


@pytest.mark.rule("GO-81", "GO-99", "GO-R61", "GO-R62")
@pytest.mark.parametrize(
    ("letter", "warned"),
    [
        ("Stockpile", True),
        ("LFTLFT", False),
        ("Defence: LFTLFT", False),
        ("Attack: LFTLFT", True),
        ("Defence vs Cygnus: LFTLFT", True),
        ("Defence vs Cygnus: LFTLFT\nOOB vs Borealis: LFTLFT", False),
        ("Attack Cygnus with all\nDefence: LFTLFT", True),
        ("Attack Cygnus with all\nDefence: LFTLFT\nAttack vs Borealis: LFTLFT", True),
        ("Attack Cygnus with all\nDefence: LFTLFT\nAttack vs Cygnus: LFTLFT", False),
        ("Attack Cygnus with all\nLFTLFT", False),
    ],
)
def test_the_acknowledgement_warns_when_a_random_oob_would_be_used(letter: str, warned: bool) -> None:
    assert set(_general(letter)) == ({Status.WARNING} if warned else set())


def test_a_message_says_what_is_wrong() -> None:
    message = one_verdict(document(), "Altair", "Build 1 Lasertitan").message
    assert "Titan" in message
    assert "5" in message
    second = verdicts(document(), "Altair", "Attack Cygnus with all\nTrain spy")[1].message
    assert "special order" in second
    assert "2" in second or "1" in second


# What is said


SAID = [
    pytest.param(
        "Attack Cygnus with all except 3 Laserfrigates, 1 Torpedocruiser",
        "that leaves no ship to send.",
        marks=pytest.mark.rule("GO-41"),
    ),
    pytest.param("Attack Cygnus with 2 Carriertitans", "you have none of the ships named.", marks=pytest.mark.rule("GO-R25")),
    ("Attack Cygnus with 2 Titans", '"Titans" does not say which weapon: Lasertitan, Carriertitan, Torpedotitan.'),
    ("Attack Cygnus with 0 Laserfrigates", "0 is no number of ships or bases; 1 to 999999 can be ordered."),
    ("Attack Cygnus with all except 1 Laser", '"Laser" does not say which hull.'),
    ("Repair 2 Titans", '"Titans" does not say which weapon: Lasertitan, Carriertitan, Torpedotitan.'),
    ("Repair 0 Torpedocruisers", "0 is no number of ships or bases; 1 to 999999 can be ordered."),
    ("Build 2 Titans", '"Titans" does not say which weapon: Lasertitan, Carriertitan, Torpedotitan.'),
    ("Build 2 Frigates", '"Frigates" does not say which weapon: Laserfrigate, Carrierfrigate, Torpedofrigate.'),
    ("Build Laserfrigates", "write how many Laserfrigates you mean."),
    ("Build bases", "write how many bases you mean. For example: Build 1 base"),
    ("Attack Cygnus with Laserfrigates", "write how many Laserfrigates you mean, 99 for all that you have."),
    ("Attack Cygnus with all Lasertitans", "you have none of the ships named."),
    ("Build all Laserfrigates", "write how many Laserfrigates you mean."),
    ("Build 2 Battleships with 2 torpedoes", "a battleship carries exactly 3 weapons, not 2."),
    ("All ships attack Cygnus or Borealis", 'there is no faction "Cygnus or Borealis"; an order leaves no choice ("or").'),
    (
        "Send all ships against Cygnus if it attacks",
        'there is no faction "Cygnus if it attacks"; an order cannot depend on anything ("if").',
    ),
    ("Send my fleet to Cygnus", "this is no order."),
    ("Repair all Laserbattleships", "write how many Laserbattleships you mean, 99 for all that you have."),
    ("Use spy", "the line ends too early; a spy is used on a faction."),
    ("Build 1 base named Vega", '"Vega" cannot be the name of a base: a base has this name already.'),
    ("Use spy on Boreals", 'did you mean "Borealis"? Right: Use spy on Borealis'),
    ("Attack Cygnas with all allied with Boreals", 'there is no faction "Cygnas".'),
    ("Attack Cygnus with all allied with Borealis, Zeta", "Zeta is eliminated."),
    ("Attack Cygnus with all allied with Cygnus", "Cygnus cannot be both your ally and your target."),
    ("Transfer Vegga to Cygnas", 'there is no faction "Cygnas".'),
    ("Transfer Vega to Zeta", "Zeta is eliminated."),
    ("Captured bases to Altair, Cygnis", 'did you mean "Cygnus"? Right: Captured bases to Altair, Cygnus'),
    ("OOB defence vs Cygnas: LFTLTF bunch", 'did you mean "Cygnus"? Right: OOB defence vs Cygnus: LFTLTF bunch'),
    ("Defence vs Cygnus: LFTLFT to the death", '"to the death" is for attacks only.'),
    (
        "Default: LFTLFT ramming speed",
        '"ramming speed" is no tactic; there are close in, back off, bunch, spread, and for attacks to the death.',
    ),
    ("Train 3", '"Train 3" is not understood; one spy is trained.'),
    ("Fire the main gun", "this is no order."),
    (
        "Build 4 Laserfrigates if there's enough BP",
        'an order cannot depend on anything, and leaves no choice ("if"); build so many ships of a class, or bases.',
    ),
    ("Build no Laserfrigates", 'there is no ship "no Laserfrigates". For example: Build 1 Laserfrigate'),
]


@pytest.mark.parametrize(("line", "words"), SAID)
def test_advised_is_what_was_written_or_nothing(line: str, words: str) -> None:
    verdict = one_verdict(document(), "Altair", line)
    assert verdict.status is Status.ERROR
    assert verdict.message.endswith(words)


@pytest.mark.parametrize("order", REFUSED)
def test_what_is_advised_would_be_taken(order: str) -> None:
    message = one_verdict(document(), "Altair", order).message
    for advice in re.split(" Right: | For example: ", message)[1:]:
        assert one_verdict(document(), "Altair", advice).status is not Status.ERROR


@pytest.mark.parametrize(
    "letter",
    [
        "Train spy\nBuild generator",
        "Use CE\nUse CE",
        "Train spy\nUse spy on Cygnus",
        "Use spy on Cygnus\nUse spy on Borealis",
        "LFTLTF\nOOB default: FFLLTT",
        "Transfer Vega to Cygnus\nTransfer Vega to Borealis",
        "Attack Cygnus with all allied with Borealis\nSpoils to Altair\nSpoils to Borealis",
    ],
)
def test_a_line_that_is_one_too_many_is_answered_with_what_stands_and_no_other(letter: str) -> None:
    verdict = verdicts(document(), "Altair", letter)[-1]
    assert verdict.status is Status.ERROR
    assert "Right: " not in verdict.message
    assert "For example: " not in verdict.message


def test_no_example_is_given_that_could_not_be_paid_beside_the_lines_before_it() -> None:
    assert one_verdict(document(), "Altair", "Build").message.endswith("For example: Build 1 Laserfrigate")
    answers = verdicts(document(), "Altair", "Build 20 Laserfrigates\nBuild")
    assert "For example" not in answers[-1].message


@pytest.mark.parametrize(
    ("letter", "wrong"),
    [
        ("Captured bases to Cygnis\nCaptured bases to Altair", 1),
        ("Atack Cygnus with all\nTrain spy", 1),
        ("Attack Cygnos with all\nRaise shields", 1),
        ("Use spy on Boreals\nUse spy on Cygnus", 1),
        ("Transfer Vegga to Cygnus\nTransfer Vega to Borealis", 1),
        ("Atack: LTFLTF\nAttack Cygnus with all", 1),
    ],
)
def test_advice_goes_with_the_lines_behind_it_or_is_not_given(letter: str, wrong: int) -> None:
    document_ = document(turn=3)
    lines, answers = letter.splitlines(), verdicts(document_, "Altair", letter)
    assert [verdict.line for verdict in answers if verdict.status is Status.ERROR] == [wrong]
    _, *advice = answers[wrong - 1].message.split(" Right: ")
    if advice:
        lines[wrong - 1] = advice[0]
        again = verdicts(document_, "Altair", "\n".join(lines))
        assert Status.ERROR not in [verdict.status for verdict in again], (lines, again)


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("Atack: LTFLTF close in, bunch", "OOB attack: LTFLTF close in, bunch"),
        ("Atack LTFLTF", "OOB attack LTFLTF"),
        ("Defnce vs Cygnus: LTFLTF", "OOB defence vs Cygnus: LTFLTF"),
        ("Defualt: LLFFTT", "OOB default: LLFFTT"),
        ("Atack Cygnus with all", "Attack Cygnus with all"),
        ("Biuld 1 Laserfrigate", "Build 1 Laserfrigate"),
    ],
)
def test_an_order_that_begins_with_a_misspelt_word_is_shown_with_the_right_one(line: str, right: str) -> None:
    verdict = one_verdict(document(), "Altair", line)
    (meant,) = [start for start in ("OOB attack", "OOB defence", "OOB default", "OOB", "Attack", "Build") if start in right][:1]
    assert verdict.message == f'this is no order; did you mean "{meant}"? Right: {right}'


def test_the_examples_of_a_long_letter_end_some_time() -> None:
    answers = verdicts(document(), "Altair", "Attack Cygnos with all\n" * 120)
    assert [" Right: " in verdict.message for verdict in answers] == [True] * 100 + [False] * 20


def test_where_no_spies_are_used_that_is_said() -> None:
    verdict = one_verdict(document(spies_per_turn=0), "Altair", "Use spy on Cygnus")
    assert (verdict.status, verdict.message.split(".")[0]) == (Status.ERROR, "spies are not used in this game")


@pytest.mark.rule("GO-42", "GO-80")
def test_a_shielded_faction_is_not_warned_that_it_has_no_oob_for_its_defence() -> None:
    def warned(text: str) -> bool:
        return any("if you are attacked" in verdict.message for verdict in receive(document(), "Altair", text).verdicts)

    assert warned("Build generator")
    assert not warned("Raise shields")


@pytest.mark.rule("GO-R52", "GO-R09")
def test_a_base_that_the_bp_do_not_reach_may_be_given_away_with_a_warning() -> None:
    # 20 BP: the first base costs 16.
    text = "Build 2 bases named Rigel, Spica\nTransfer Rigel to Cygnus\nTransfer Spica to Cygnus"
    rigel, spica = verdicts(document(), "Altair", text)[1:]
    assert (rigel.status, spica.status) == (Status.OK, Status.WARNING)
    assert spica.canonical == "Transfer Spica to Cygnus"
    played = play(document(), [("Altair", text)])
    assert played.base("Rigel")["owner"] == "Cygnus"
    assert [event.data["order"] for event in played.of("order_failed")][-1] == "Transfer Spica to Cygnus"
