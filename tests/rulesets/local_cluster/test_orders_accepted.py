"""Every order form of section 6, as players write it, and the sample mails."""

import pytest

from pbmd.rules import Document, Status
from rulesets.local_cluster import ruleset
from tests.rulesets.local_cluster.example import SAMPLE
from tests.rulesets.local_cluster.harness import canonical, duel, move, receive, state

NPCS = "Terrans war Bastion"


def world(**fields: object) -> Document:
    """Something of everything: a third player, fleets, armies aboard and on the ground, wars."""
    return duel(
        {"player_name": "Kim", "technologies": ["Portal I"]},
        {"player_name": "Sam Beck"},
        [state("Zeta Free", home="Ilium", player_name="Kim2")],
        planets="Aquila Terrans: Farmland, Portal; Ilium Zeta Free; Eridu Terrans: Portal",
        units="F1 Terrans Aquila, F2 Terrans Aquila, F33 Terrans Bastion, A1 Terrans Aquila,A2 Terrans Aquila, A33 Terrans F33",
        relations=NPCS,
        **fields,
    )


MOVE_LINES = [
    ("End move", "End move"),
    ("end turn.", "End move"),
    ("PASS", "End move"),
    ("No actions!", "End move"),
    ("no   orders", "End move"),
    ("End of my move", "End move"),
    ("Disband F1, A2", "Disband F1, A2"),
    ("Disband: F-1, A-2", "Disband F1, A2"),
    ("Movement: Move F1 Aquila -> Bastion", "Move F1 from Aquila to Bastion"),
    ("3. Diplomacy: Declare war on the Vesper", "Declare war on Vesper"),
    ("Fly both fleets from Aquila to planet Bastion", "Move 2 fleets from Aquila to Bastion"),
    ("Research: Administration", "Research Administration"),
    ("Declare war to Vesper", "Declare war on Vesper"),
    *(
        (line, "Move F1 to Bastion")
        for line in ("F1 - Bastion", "F1: Bastion", "F1 => Bastion", "F1 ⇒ Bastion", "Move F1 ➜ Bastion")
    ),
    ("F1 Aquila - Bastion", "Move F1 from Aquila to Bastion"),
    *(
        (line, "Build 2 armies at Aquila")
        for line in (
            "Build army at Aquila x2",
            "Build army x2 at Aquila",
            "Build armies x2 at Aquila",
            "Build x2 army at Aquila",
            "Build 2 armies: Aquila",
            "Build 2 armies at Aquila (6 credits)",
        )
    ),
    ("A33 lands on Bastion", "Land A33 on Bastion"),
    ("Bombard Bastion with everything", "Bombard Bastion with all fleets"),
    ("Capital to Aquila", "Move capital to Aquila"),
    ("Pay Zorg 4 credits", "Gift 4 credits to Zorg"),
    ("disband fleet 1 and 2", "Disband F1, F2"),
    ("disband fleet F1 & army A2", "Disband F1, A2"),
    ("disband army 1, 2", "Disband A1, A2"),
    ("disband f1, fleet 2 and armies A1 and 2", "Disband F1, F2, A1, A2"),
    ("Declare war on Vesper", "Declare war on Vesper"),
    ("war upon vesper", "Declare war on Vesper"),
    ("War against Zorg", "Declare war on Zorg"),
    ("declare war on Sam Beck", "Declare war on Zorg"),
    ("declare war on zet", "Declare war on Zeta Free"),
    ("Cancel trade treaty with Zorg", "Cancel trade treaty with Zorg"),
    ("null the trade with Zorg", "Cancel trade treaty with Zorg"),
    ("end our trade treaty with Fenris", "Cancel trade treaty with Fenris"),
    ("Null military pact with Zorg", "Null military pact with Zorg"),
    ("nullify pact with Zorg", "Null military pact with Zorg"),
    ("break a pact with Zorg", "Null military pact with Zorg"),
    ("Gift 4 credits to Zorg", "Gift 4 credits to Zorg"),
    ("Give 4 credits to the Zeta-Free", "Gift 4 credits to Zeta Free"),
    ("give 4 cr to zorg", "Gift 4 credits to Zorg"),
    ("send 1 credit to Zeta", "Gift 1 credit to Zeta Free"),
    ("send Zorg 4", "Gift 4 credits to Zorg"),
    ("gift Zorg 4 credits", "Gift 4 credits to Zorg"),
    ("Load A1 onto F2", "Load A1 onto F2"),
    ("board a1 and a2 on fleet 2", "Load A1, A2 onto F2"),
    ("embark army 1 into F2", "Load A1 onto F2"),
    ("load A1 aboard F2", "Load A1 onto F2"),
    ("load A1 to fleet F2", "Load A1 onto F2"),
    ("Load 2 armies at Aquila", "Load 2 armies at Aquila"),
    ("load an army in Aquila", "Load 1 army at Aquila"),
    ("load all armies from Aquila", "Load all armies at Aquila"),
    ("board one army on Aquila", "Load 1 army at Aquila"),
    ("Move A1 to F2", "Load A1 onto F2"),
    ("move army 1, 2 aboard fleet 2", "Load A1, A2 onto F2"),
    ("move A1 onto F2", "Load A1 onto F2"),
    ("Move F1 from Aquila to Bastion", "Move F1 from Aquila to Bastion"),
    ("move fleet 1 to Bastion", "Move F1 to Bastion"),
    ("F1 to Bastion", "Move F1 to Bastion"),
    ("F1 Aquila -> Bastion", "Move F1 from Aquila to Bastion"),
    ("Fleet 1 moves to Bastion", "Move F1 to Bastion"),
    ("Send F1 -> Bastion", "Move F1 to Bastion"),
    ("move F1, F2 and 33 from Aquila to Bastion", "Move F1, F2, F33 from Aquila to Bastion"),
    ("move fleets F1 & F2 to bast", "Move F1, F2 to Bastion"),
    ("move F1 from Aquila to Eridu by portal", "Move F1 from Aquila to Eridu by portal"),
    ("move F1 to Eridu via the portals", "Move F1 to Eridu by portal"),
    ("move 2 fleets from Aquila to Bastion", "Move 2 fleets from Aquila to Bastion"),
    ("move a fleet from Aquila to Eridu through portal", "Move 1 fleet from Aquila to Eridu by portal"),
    ("move all fleets from Aquila to Bastion", "Move all fleets from Aquila to Bastion"),
    ("Move A1 from Aquila to Eridu by portal", "Move A1 from Aquila to Eridu by portal"),
    ("teleport A1 to Eridu", "Move A1 to Eridu by portal"),
    ("move A1, A2 onto Eridu via portal", "Move A1, A2 to Eridu by portal"),
    ("teleport 2 armies from Aquila to Eridu", "Move 2 armies from Aquila to Eridu by portal"),
    ("move all armies from Aquila to Eridu", "Move all armies from Aquila to Eridu by portal"),
    ("Land A33 on Bastion", "Land A33 on Bastion"),
    ("unload army 33 at Bastion", "Land A33 on Bastion"),
    ("disembark A33 onto Bastion", "Land A33 on Bastion"),
    ("land A33 to Bastion", "Land A33 on Bastion"),
    ("land all armies on Bastion", "Land all armies on Bastion"),
    ("land 1 army on Bastion", "Land 1 army on Bastion"),
    ("land an army on Bastion", "Land 1 army on Bastion"),
    ("Bombard Bastion with F33", "Bombard Bastion with F33"),
    ("bombard Bastion with F33 and F1", "Bombard Bastion with F33, F1"),
    ("bombard Bastion with all fleets", "Bombard Bastion with all fleets"),
    ("bombard Bastion with 1 fleet", "Bombard Bastion with 1 fleet"),
    ("F33 bombards Bastion", "Bombard Bastion with F33"),
    ("Land all at Bastion", "Land all armies on Bastion"),
    *((line, "Load A33 onto F33") for line in ("Load A33->F33", "A33 -> F33", "A33 boards F33")),
    *((line, "Move F33, F1 to Bastion") for line in ("F33+F1 to Bastion", "F33/F1 -> Bastion")),
    ("Research Commerce", "Research Commerce"),
    ("research portal 2", "Research Portal II"),
    ("research Portal iii", "Research Portal III"),
    ("research Ion", "Research Ion Cannons"),
    ("research Portal", "Research Portal II"),
    ("Build army at Aquila", "Build army at Aquila"),
    ("Build a fleet at Aquila", "Build fleet at Aquila"),
    ("create one army in Aquila", "Build army at Aquila"),
    ("Build fleets at Aquila, Eridu", "Build fleet at Aquila, Eridu"),
    ("Build Mines on Aquila", "Develop Mines on Aquila"),
    ("Build a Refinery on Aquila", "Develop Refinery on Aquila"),
    ("build 2 armies on Aquila", "Build 2 armies at Aquila"),
    ("Build 2x armies at Aquila", "Build 2 armies at Aquila"),
    ("Build 1 x fleet at Aquila", "Build fleet at Aquila"),
    ("Move 2x fleets from Aquila to Bastion", "Move 2 fleets from Aquila to Bastion"),
    ("build 3 fleets at Aquila", "Build 3 fleets at Aquila"),
    *(
        (line, "Build 2 armies at Aquila")
        for line in ("Build 2 armies @ Aquila", "build 2 armies Aquila", "Aquila: build 2 armies", "Aquila - build 2 armies")
    ),
    ("Aquila: develop Mines", "Develop Mines on Aquila"),
    ("Convert Farmland to Mines on Aquila", "Redevelop Farmland into Mines on Aquila"),
    ("Replace Farmland with Mines on Aquila", "Redevelop Farmland into Mines on Aquila"),
    ("build an army at Aquila, Eridu and Bastion", "Build army at Aquila, Eridu, Bastion"),
    ("Develop Mines on Aquila", "Develop Mines on Aquila"),
    ("develop a portal at aquila", "Develop Portal on Aquila"),
    ("develop an orb in Aquila", "Develop Orbital Guns on Aquila"),
    ("Redevelop Farmland into Mines on Aquila", "Redevelop Farmland into Mines on Aquila"),
    ("re-develop Farmland on Aquila into Mines", "Redevelop Farmland into Mines on Aquila"),
    ("redevelop farm at Aquila into ref", "Redevelop Farmland into Refinery on Aquila"),
    ("Move capital to Bastion", "Move capital to Bastion"),
    ("move the capital to Bastion", "Move capital to Bastion"),
    ("move my home planet to Bastion", "Move capital to Bastion"),
    ("move our home world to Bastion", "Move capital to Bastion"),
]

MAIL_LINES = [
    ("Offer trade treaty to Zorg", "Offer trade treaty to Zorg"),
    ("propose a trade with zorg", "Offer trade treaty to Zorg"),
    ("offer peace to Zorg", "Offer peace to Zorg"),
    ("Offer Zorg peace", "Offer peace to Zorg"),
    ("Offer military pact to Zeta Free", "Offer military pact to Zeta Free"),
    ("offer pact with Sam Beck", "Offer military pact to Zorg"),
    ("Accept trade treaty from Zorg", "Accept trade treaty from Zorg"),
    ("accept the peace offer of Zorg", "Accept peace from Zorg"),
    ("accept our military pact with Zorg", "Accept military pact from Zorg"),
    ("accept trade by Zorg", "Accept trade treaty from Zorg"),
    ("Decline trade treaty from Zorg", "Decline trade treaty from Zorg"),
    ("refuse the pact of Zorg", "Decline military pact from Zorg"),
    ("reject peace offer with Zorg", "Decline peace from Zorg"),
    ("Withdraw trade treaty offer to Zorg", "Withdraw trade treaty offer to Zorg"),
    ("withdraw pact to Zorg", "Withdraw military pact offer to Zorg"),
    ("withdraw the peace offer with Zorg", "Withdraw peace offer to Zorg"),
    ("Proclaim Zorg winner", "Proclaim Zorg winner"),
    ("proclaim Zorg as the winner", "Proclaim Zorg winner"),
    ("Proclaim myself", "Proclaim Terrans winner"),
    ("proclaim zeta", "Proclaim Zeta Free winner"),
    ("proclaim Terrans", "Proclaim Terrans winner"),
    ("Proclaim nobody", "Proclaim nobody"),
]


@pytest.mark.rule("LC-R07")
@pytest.mark.parametrize(("line", "meant"), MOVE_LINES, ids=[line for line, _ in MOVE_LINES])
def test_a_move_line_is_understood(line: str, meant: str) -> None:
    receipt = receive(world(), "Terrans", line)
    assert receipt.filed, receipt.verdicts
    assert [verdict.canonical for verdict in receipt.verdicts if verdict.line] == [meant]
    assert ruleset.sheets(receipt.position)[0].lines == (meant,)


@pytest.mark.parametrize("meant", sorted({meant for _, meant in MOVE_LINES + MAIL_LINES}))
def test_a_canonical_line_means_itself(meant: str) -> None:
    assert canonical(world(), "Terrans", f"{meant}\nEnd move") == [meant, "End move"]


@pytest.mark.rule("LC-R36")
@pytest.mark.parametrize(("line", "meant"), MAIL_LINES, ids=[line for line, _ in MAIL_LINES])
def test_a_mail_line_is_understood_alone_and_in_a_move(line: str, meant: str) -> None:
    alone = receive(world(), "Terrans", line)
    assert (alone.filed, alone.granted) == (False, True)
    receipt = receive(world(), "Terrans", f"{line}\nEnd move")
    assert receipt.filed, receipt.verdicts
    assert [verdict.canonical for verdict in receipt.verdicts if verdict.line] == [meant, "End move"]


@pytest.mark.parametrize("mark", ["- ", "* ", "• ", "1. ", "2) ", "-", "  - "])
@pytest.mark.parametrize("end", ["", ".", ";", ",", "!", " .", "!!"])
def test_bullets_and_closing_marks_are_ignored(mark: str, end: str) -> None:
    assert canonical(world(), "Terrans", f"{mark}Build  ARMY at   aquila{end}") == ["Build army at Aquila"]


HEADINGS = (
    *("Diplomacy", "Movement", "Movements", "Battles", "War", "Research", "Building", "Development", "Actions", "Orders"),
    *("Economy", "Fleets", "Armies", "Ships", "Resources"),
)


@pytest.mark.parametrize("heading", HEADINGS)
def test_headings_comments_and_blank_lines_are_skipped(heading: str) -> None:
    text = f"{heading}:\n\n# a comment\n{heading.upper()}:\nEnd move"
    assert canonical(world(), "Terrans", text) == ["End move"]


def test_the_sample_mail_is_accepted_line_by_line() -> None:
    document = duel(
        planets="Aquila Terrans: Farmland",
        units="F33 Terrans Bastion, A33 Terrans F33, F34 Terrans Aquila, A34 Terrans Aquila",
        relations="Terrans war Bastion",
    )
    played = move(document, SAMPLE)
    verdicts = [verdict for verdict in played.receipts[0].verdicts if verdict.canonical]
    assert {verdict.status for verdict in verdicts} == {Status.OK}
    assert [(verdict.line, verdict.canonical) for verdict in verdicts] == [
        (2, "Declare war on Vesper"),
        (3, "Offer trade treaty to Zorg"),
        (4, "Gift 4 credits to Zorg"),
        (6, "Land A33 on Bastion"),
        (7, "Load A34 onto F34"),
        (8, "Move F34 from Aquila to Bastion"),
        (9, "Bombard Bastion with F33"),
        (11, "Research Portal I"),
        (13, "Build army at Aquila"),
        (14, "Build fleet at Aquila"),
        (15, "Redevelop Farmland into Refinery on Aquila"),
    ]
    assert played.reasons == ["no_target"]
    assert (played.where("A34"), played.where("F34"), played.owner("Bastion")) == ("F34", "Bastion", "Terrans")
    assert played.resources("Aquila") == ["Refinery"]


@pytest.mark.rule("LC-09", "LC-10", "LC-R03")
def test_the_sample_lines_of_turn_0_are_accepted() -> None:
    text = "Build army at Aquila\nBuild fleet at Aquila\nDevelop Refinery on Aquila\nOffer trade treaty to Zorg"
    played = move(duel({"credits": 30}, turn=0), text)
    assert played.failed == []
    assert played.credits("Terrans") == 30 - 3 - 10 - 14
    assert (played.units("Terrans"), played.offers) == (["F1", "A1"], ["trade Terrans Zorg 0"])


def test_portal_without_a_level_is_the_lowest_not_known() -> None:
    for known, meant in (("", "Portal I"), ("Portal I", "Portal II"), ("Portal I, Portal II", "Portal III")):
        document = duel({"technologies": known.split(", ") if known else []})
        assert canonical(document, "Terrans", "Research Portal") == [f"Research {meant}"]


def test_a_planet_and_the_npc_state_of_its_name_do_not_clash() -> None:
    lines = "Offer trade treaty to Fenris\nMove F1 to Fenris"
    assert canonical(world(), "Terrans", lines) == lines.splitlines()


def test_an_exact_name_goes_before_a_prefix() -> None:
    document = duel(others=[state("Zor", home="Ilium")], planets="Ilium Zor")
    assert canonical(document, "Terrans", "Offer peace to Zor\nEnd move")[0] == "Offer peace to Zor"
    assert canonical(document, "Terrans", "Offer peace to Zorg\nEnd move")[0] == "Offer peace to Zorg"


def test_numbers_of_units_are_chosen_by_number() -> None:
    """The sender's units there that can still do it, lowest numbers first."""
    document = duel(
        units="F9 Terrans Aquila, F3 Terrans Aquila, F5 Terrans Aquila, A8 Terrans Aquila, A4 Terrans Aquila, A6 Terrans Aquila"
    )
    document |= {"relations": [{"between": ["Terrans", "Bastion"], "status": "war"}]}
    played = move(document, "Move F3 from Aquila to Bastion\nMove 1 fleet from Aquila to Bastion\nLoad 1 army at Aquila")
    assert [played.where(unit) for unit in ("F3", "F5", "F9")] == ["Bastion", "Bastion", "Aquila"]
    assert [played.where(unit) for unit in ("A4", "A6", "A8")] == ["F9", "Aquila", "Aquila"]


@pytest.mark.parametrize(
    ("line", "gone"),
    [
        ("Load all armies at Aquila", 2),
        ("Load 2 armies at Aquila", 2),
        ("Load 3 armies at Aquila", 0),
        ("Move 3 fleets from Aquila to Bastion", 0),
        ("Move all fleets from Aquila to Bastion", 2),
        ("Move all fleets from Eridu to Bastion", 0),
        ("Move 4 armies from Aquila to Eridu", 0),
        ("Move 3 armies from Aquila to Eridu", 3),
    ],
)
def test_a_number_is_all_or_nothing_and_all_takes_what_there_is(line: str, gone: int) -> None:
    document = duel(
        planets="Aquila Terrans: Portal; Eridu Terrans: Portal",
        units="F1 Terrans Aquila, F2 Terrans Aquila, A1 Terrans Aquila, A2 Terrans Aquila, A3 Terrans Aquila",
        relations="Terrans war Bastion",
    )
    played = move(document, line)
    assert sum(played.where(unit) != "Aquila" for unit in played.units("Terrans")) == gone
    assert played.failed == ([] if gone else [(line, "", "not_enough_units")])


def test_in_a_list_each_unit_succeeds_or_fails_by_itself() -> None:
    document = duel(units="F1 Terrans Aquila, F2 Terrans Eridu, F3 Terrans Aquila", planets="Eridu Terrans", relations=NPCS)
    played = move(document, "move   F1, F2 and F3 from Aquila to Bastion.")
    assert [played.where(unit) for unit in ("F1", "F2", "F3")] == ["Bastion", "Eridu", "Bastion"]
    assert [(unit, reason) for _, unit, reason in played.failed] == [("F2", "not_there")]


def test_move_of_an_army_aboard_without_from_is_a_landing() -> None:
    document = duel(units="F1 Terrans Bastion, A1 Terrans F1, F2 Terrans Bastion, A2 Terrans F2", relations=NPCS)
    played = move(document, "Move A1 to Bastion\nMove A2 from fleet F2 onto Bastion")
    assert played.failed == []
    assert (played.where("A1"), played.where("A2")) == ("Bastion", "Bastion")


def test_move_of_an_army_from_a_fleet_names_the_fleet() -> None:
    document = duel(units="F1 Terrans Bastion, A1 Terrans F1, F2 Terrans Bastion", relations=NPCS)
    assert canonical(document, "Terrans", "Move A1 from fleet 1 to Bastion\nMove army 1 from fleet F1 on Bastion")
    assert move(document, "Move A1 from fleet 2 to Bastion").reasons == ["not_aboard"]
    assert move(document, "Move A1 from fleet 1 to Bastion").reasons == []


def test_portal_levels_of_the_lines_above_count_as_known() -> None:
    assert canonical(duel(), "Terrans", "Research Portal\nResearch Portal") == ["Research Portal I", "Research Portal II"]


def test_a_nation_goes_before_a_player_who_is_called_like_it() -> None:
    document = duel({"player_name": "Zorg"}, {"player_name": "Kim"})
    assert canonical(document, "Terrans", "Offer peace to Zorg\nOffer peace to Kim") == ["Offer peace to Zorg"] * 2
