"""Every order form of the specification and every way it may also be written."""

import pytest

from pbmd.rules import Document, Line, Mail, Status
from rulesets.galactic_overlord import ruleset
from tests.rulesets.galactic_overlord.harness import base, one_verdict, play, player, position, receive, verdicts

FLEET = "5 Laserfrigate, 4 Carrierbattleship, 2 Laserbattleship@1, 1 Torpedocruiser@2"


def document() -> dict[str, object]:
    """A position in which every order of the table is possible for Altair."""
    return position(
        player("Altair", FLEET, bases=5, bp=500, spies=1, generators=1),
        player("Borealis"),
        player("Cygnus"),
        player("Deneb"),
        bases=[base("Vega", "Altair")],
    )


# The canonical form first, then other ways to write the same.
SAME = [
    [
        "Build 4 Laserfrigates",
        "build 4 laserfrigates",
        "BUILD  4   LASERFRIGATES.",
        "Build 4 Laser frigates",
        "Build 4 Laser-Frigates;",
        "Build 4x Laserfrigate",
        "Build 4 laserf",
        "Build 4 Frigates 1xLasers",
        "Build 4 Frigates with 1xLasers (Laserfrigates)",
        "Build 4 Frigates (1xLaser)",
        "Build 4 Frigates 1 x Lasers",
        "Build 4 Frigates with lasers",
        "Build 4 Frigates (Laser)",
        "Build 4 LF",
        "Build 4 LFs",
        "Build: 4 Laserfrigates",
        "Buy 4 Laserfrigates",
        "Build x4 Laserfrigates",
        "Build Laserfrigates x 4",
        "Build Laserfrigates: 4",
        "Build 4 Laserfrigates (4 BP)",
        "Build 4 Laserfrigates = 4 BP",
        "Build 4 Laserfrigates for 4 BP",
        "Build Laserfrigates 4",
        "Build LF x4",
        "Build 4 more LF",
        "Build another 4 Laserfrigates",
        "Build 4 Laserfrigates (1 BP each)",
        "Build 4 Laserfrigates @ 1 BP",
        "Build 4 Laserfrigates for a total of 4 BP",
        "Build 4 Laserfrigates (total: 4)",
        "Purchase 4 Laserfrigates",
        "Produce 4 LF",
    ],
    [
        "Build 1 Laserbattleship",
        "Build a Battleship 3xLasers (Laserbattleship)",
        "Build Laserbattleship",
        "Build one Laserbattleship!",
        "Build an Laserbattleship,",
        "Build laserb",
    ],
    ["Build 2 Torpedocruisers", "Build 2 Cruisers with 2xTorpedoes", "Build 2 Torpcruisers", "Build 2 Cruisers 2xtorps"],
    ["Build 1 Carrierfrigate", "Build a Fighterfrigate", "Build Frigate 1xFighters", "Build a carrier frigate"],
    ["Build 3 Laserdreadnaughts", "Build 3 Laserdreadnoughts", "Build 3 Dreadnoughts 4xLasers"],
    ["Build 1 Torpedotitan", "Build a Torp-Titan", "Build a Titan with 5xTorpedo"],
    [
        "Build 4 Laserfrigates, 1 Torpedocruiser, 1 base",
        "Build 4 Laserfrigates, 1 Torpedocruiser and 1 base",
        "Build 4 Laserfrigates; Torpedocruiser & a base",
        "Build 4 Laserfrigates + 1 Torpedocruiser + base",
    ],
    ["Build 1 base", "Build base", "Build a base", "Build one base"],
    ["Build 2 bases", "Build 2 base", "build 2x bases"],
    ["Build 1 base named Rigel", "Build base named Rigel", "Build a base named Rigel.", "Build a base called Rigel"],
    [
        "Build 2 bases named Rigel, Nova Roma",
        "Build 2 bases  named  Rigel ,Nova Roma",
        "Build 2 bases: Rigel and Nova Roma",
        "Build bases named Rigel, Nova Roma",
    ],
    ["Repair 2 Laserbattleships", "repair 2 laser battleships", "Repair 2 Battleships 3xLasers"],
    ["Repair 1 Torpedocruiser", "Repair a Torpedocruiser", "Repair Torpedocruiser", "Repair torpc"],
    ["Repair all", "repair ALL", "Repair: all", "Repair all my ships", "Repair all damaged ships"],
    ["Repair 1 Laserbattleship, 1 Torpedocruiser", "Repair a Laserbattleship and a Torpedocruiser"],
    [
        "Stockpile",
        "Stockpile BPs",
        "stockpile all I have",
        "Stockpile 13 BP for next turn",
        "Stockpile (13 BP)",
        "Stockpile what is left for later use",
        "Stockpile everything else",
        "Save the rest",
        "Keep remaining BP",
    ],
    [
        "Use counter-espionage",
        "Counter-espionage",
        "Counterespionage",
        "Use CE",
        "CE",
        "Use counterespionage!",
        "Use my counter-espionage option",
        "C.E.",
        "Use: counter espionage",
        "use:CE",
    ],
    [
        "Use spy on Cygnus",
        "Spy on Cygnus",
        "Use spy against Cygnus",
        "Use spies on Cygnus",
        "Spies against cyg",
        "Spy Cygnus",
        "Use 1 spy on the Cygnus.",
        "use spy on CYGNUS.",
        "Use our spy against Cygnus",
        "Send a spy to Cygnus",
        "Use: spy on Cygnus",
        "Send: a spy to Cygnus",
    ],
    [
        "Attack Cygnus with 2 Carrierbattleships, 3 Laserfrigates",
        "Attack! Cygnus with 2 Carrierbattleships, 3 Laserfrigates",
        "ATTACK Cygnus with 2 Carrierbattleships and 3 Laserfrigates",
        "Attack cyg with 2 carrierb; 3 laserf",
        "Attack: Cygnus with 2 Carrierbattleships, 3 Laserfrigates",
        "Attack on Cygnus using 2 CB, 3 LF",
        "Attack Cygnus w/ 2 Carrierbattleships, 3 Laserfrigates",
        "Attack Cygnus with 2 Battleships 3xFighters + 3 Frigates 1xLasers",
        "Attack Cygnus with 2 Fighterbattleships & 3 Laserfrigates!",
        "Attack Cygnus, 2 Carrierbattleships, 3 Laserfrigates",
        "Attack Cygnus w. both Carrierbattleships and 3 of my Laserfrigates",
        "Attack Cygnus with all 2 Carrierbattleships, 3 LF",
    ],
    [
        "Attack Cygnus with all",
        "Attack Cygnus with everything",
        "Attack! Cygnus with all ships",
        "Attack on Cygnus with my fleet",
        "Attack Cygnus! With everything we have!",
        "Attack Cygnus with all my forces",
        "Launch an attack on Cygnus with all",
        "Send all ships against Cygnus",
        "Send my fleet to attack Cygnus",
        "All ships attack Cygnus",
        "My whole fleet attacks Cygnus",
    ],
    [
        "Attack Cygnus with all except 2 Laserfrigates",
        "Attack Cygnus with everything except 2 Laserfrigates",
        "Attack Cygnus with all but 2 LF",
        "Send all except 2 Laserfrigates against Cygnus",
    ],
    [
        "Attack Cygnus with 5 Laserfrigates, 1 Carrierbattleship",
        "Attack Cygnus with all Laserfrigates and 1 Carrierbattleship",
        "Attack Cygnus with all my LF, 1 Carrierbattleship",
    ],
    ["Attack Cygnus with all except 5 Laserfrigates", "Attack Cygnus with all but the Laserfrigates"],
    [
        "Attack Cygnus with all allied with Borealis, Deneb",
        "Attack Cygnus with all, allied with Borealis, Deneb",
        "Attack Cygnus with all jointly with Borealis and Deneb",
        "Attack Cygnus with all, together with Borealis, Deneb",
        "Attack Cygnus with all allied with bor, den",
        "Attack Cygnus with all allied with bor, den, Borealis",
    ],
    [
        "Attack Cygnus with all to the death",
        "Attack Cygnus with all, to the death",
        "Attack Cygnus with everything TO THE DEATH!",
    ],
    [
        "Attack Cygnus with 3 Laserfrigates allied with Borealis to the death",
        "Attack Cygnus with 3 Laserfrigates, to the death, allied with Borealis",
        "Attack Cygnus with 3 Laserfrigates to the death together with Borealis",
        "Attack Cygnus with 3 Laserfrigates, jointly with Borealis, to the death",
    ],
    ["Raise shields", "Raise Shields!", "Shields", "shields!", "Shields up!", "Raise our shields", "Use: shields"],
    [
        "Build generator",
        "Rebuild generator",
        "Build shield generator",
        "Build a generator",
        "Rebuild the shield generator",
        "Build the generator",
    ],
    ["Train spy", "Train a spy", "Build spy", "Build a spy"],
    [
        "OOB attack: TFFLLT back off, bunch",
        "Attack: TFFLLT back off, bunch",
        "OOB attack TFFLLT back off bunch",
        "Order of Battle attack: TFFLLT, bunch, back off",
        "OOB for attack: TFFLLT (back off, bunch)",
        "Attack OOB: TFF/LLT back off, bunch",
        "OOB when attacking = TFFLLT back off, bunch",
        "attack: tfflLt back, bunch together",
        "Attack: T F F L L T back off, bunch",
        "Attack: T-F-F-L-L-T back off, bunch",
        "Attack: Torpedoes-Fighters-Fighters-Lasers-Laser-Torpedo (TFFLLT) back off, bunch",
        "Attack: torps fighter fighters laser lasers torp back off, bunch",
    ],
    [
        "OOB defence: LFTFTL close in",
        "Defence: LFTFTL close in, default",
        "Defense: LFTFTL close",
        "OOB (defence): LFTFTL (close in)",
        "OOB defense LFTFTL close in, none",
        "Order of battle defence LFTFTL default, close in",
    ],
    [
        "OOB default: LFTLTF",
        "Default: LFTLTF",
        "Default OOB = LFTLTF",
        "My OOB is LFTLTF",
        "OOB LFTLTF",
        "LFTLTF",
        "OOB: LFTLTF",
        "L-F-T-L-T-F",
        "Lasers-Fighters-Torpedoes-Laser-Torpedoes-Fighters (LFTLTF)",
        "Lasers-Fighters-Torpedoes-Laser-Torpedoes-Fighters",
        "Order of Battle LFTLTF",
        "OOB default: LFTLTF default",
    ],
    [
        "OOB attack vs Cygnus: LTLTFF spread",
        "Attack vs Cygnus: LTLTFF spread out",
        "OOB attack against Cygnus: LTLTFF spread",
        "Attack versus cyg: LTLTFF, spread",
    ],
    ["OOB defence vs Cygnus: LTLTFF", "Defence against Cygnus: LTLTFF", "Defense vs Cygnus: L T L T F F"],
    ["OOB vs Cygnus: LTLTFF", "OOB against Cygnus: LTLTFF", "Order of Battle versus Cygnus: LTLTFF"],
    ["OOB attack: LTLTFF to the death", "Attack: LTLTFF, to the death"],
    ["OOB attack vs Cygnus: LTLTFF close in, spread, to the death", "Attack vs Cygnus: LTLTFF to the death close spread"],
    [
        "Transfer Vega to Borealis",
        "Transfer the base Vega -> Borealis",
        "Transfer base Vega to Borealis",
        "Give Vega to Borealis",
        "Trade Vega to Borealis",
        "give base veg to bor",
    ],
    ["Transfer Altair Base 2 to Cygnus", "Give Altair Base 2 to Cygnus"],
]
JOINT = [
    [
        "Captured bases to Altair, Borealis",
        "Captured bases go to Altair, Borealis",
        "Captured bases to altair and borealis",
        "Captured bases: Altair, Borealis",
        "Spoils to Altair, Borealis",
        "Spoils go to alt, bor",
    ],
    ["Captured bases to Altair, Borealis, Altair", "Spoils to alt, bor, alt"],
    ["Captured bases to Altair", "Captured base to Altair", "Spoils to Altair"],
]


@pytest.mark.rule("GO-18", "GO-22", "GO-84", "GO-97", "GO-98", "GO-99", "GO-100", "GO-R14")
@pytest.mark.parametrize(
    ("canonical", "written"), [(group[0], written) for group in SAME for written in group], ids=lambda text: text
)
def test_an_order_is_understood_however_it_is_written(canonical: str, written: str) -> None:
    verdict = one_verdict(document(), "Altair", written)
    assert (verdict.status, verdict.message) == (Status.OK, "")
    assert verdict.canonical == one_verdict(document(), "Altair", canonical).canonical
    assert verdict.text == written


EXACT = {
    "Build 4 Laserfrigates",
    "Build 1 base named Rigel",
    "Repair 2 Laserbattleships",
    "Stockpile",
    "Use counter-espionage",
    "Use spy on Cygnus",
    "Attack Cygnus with 2 Carrierbattleships, 3 Laserfrigates",
    "Raise shields",
    "Build generator",
    "Train spy",
    "OOB attack: TFFLLT back off, bunch",
    "OOB attack vs Cygnus: LTLTFF spread",
    "OOB vs Cygnus: LTLTFF",
    "OOB default: LFTLTF",
    "Transfer Vega to Borealis",
}


@pytest.mark.parametrize("canonical", sorted(EXACT))
def test_the_canonical_form_is_the_one_of_the_table(canonical: str) -> None:
    assert one_verdict(document(), "Altair", canonical).canonical == canonical


@pytest.mark.parametrize("group", SAME, ids=lambda group: group[0])
def test_the_canonical_form_means_itself(group: list[str]) -> None:
    canonical = one_verdict(document(), "Altair", group[0]).canonical
    assert one_verdict(document(), "Altair", canonical).canonical == canonical


def test_different_orders_have_different_canonical_forms() -> None:
    forms = [one_verdict(document(), "Altair", group[0]).canonical for group in SAME]
    assert len(set(forms)) == len(forms)


@pytest.mark.rule("GO-56", "GO-R43")
@pytest.mark.parametrize(
    ("canonical", "written"), [(group[0], written) for group in JOINT for written in group], ids=lambda text: text
)
def test_a_division_of_captured_bases_is_understood(canonical: str, written: str) -> None:
    attack = "Attack Cygnus with all allied with Borealis"
    (_, verdict) = verdicts(document(), "Altair", f"{attack}\n{written}")
    (_, expected) = verdicts(document(), "Altair", f"{attack}\n{canonical}")
    assert (verdict.status, verdict.canonical) == (Status.OK, canonical)
    assert expected.canonical == canonical


def test_the_sample_letter_is_accepted_as_it_stands() -> None:
    start = position(
        player("Altair", "3 Laserfrigate, 1 Torpedocruiser@1", bases=4, bp=23, spies=1), player("Borealis"), player("Cygnus")
    )
    letter = """Build 2 Carrierbattleships
Repair 1 Torpedocruiser
Build 1 base named Rigel
Use spy on Cygnus
Attack Cygnus with 2 Carrierbattleships, 3 Laserfrigates
Attack: LFTFLT close in, default
OOB default: LFTLTF
"""
    receipt = receive(start, "Altair", letter)
    assert receipt.filed
    assert [(v.line, v.status) for v in receipt.verdicts if v.line] == [(n, Status.OK) for n in range(1, 8)]


def test_blank_lines_are_skipped_but_counted() -> None:
    letter = Mail("Altair", (Line(1, ""), Line(2, "Train spy"), Line(3, "   "), Line(4, "LFTLTF")), (1, 0))
    receipt = ruleset.receive(ruleset.load(document()), letter)
    assert [(v.line, v.status) for v in receipt.verdicts if v.canonical] == [(2, Status.OK), (4, Status.OK)]
    assert Status.ERROR not in {v.status for v in receipt.verdicts}


@pytest.mark.rule("GO-25", "GO-R14", "GO-R19")
def test_all_three_normal_orders_and_one_special_order_go_together() -> None:
    letter = "Build 1 Laserfrigate\nUse counter-espionage\nUse spy on Cygnus\nBuild generator"
    played = play(document(), [("Altair", letter)])
    assert [v.status for v in played.verdicts["Altair"] if v.line] == [Status.OK] * 4
    assert played.stocks("Altair") == (2, 0, 1)
    assert played.navy("Altair")["Laserfrigate"] == 6


@pytest.mark.rule("GO-R14")
def test_build_repair_and_transfer_lines_can_be_given_several_times() -> None:
    letter = (
        "Build 1 Laserfrigate\nBuild 1 Laserfrigate\nRepair 1 Laserbattleship\nRepair 1 Laserbattleship\n"
        "Transfer Vega to Cygnus\nTransfer Altair Base 1 to Cygnus"
    )
    played = play(document(), [("Altair", letter)])
    assert [v.status for v in played.verdicts["Altair"] if v.line] == [Status.OK] * 6
    assert played.navy("Altair")["Laserfrigate"] == 7
    assert played.navy("Altair")["Laserbattleship"] == 2


def test_an_attack_may_come_before_the_lines_that_build_its_ships() -> None:
    start = position(player("Altair", bp=5), player("Cygnus"))
    answers = verdicts(start, "Altair", "Attack Cygnus with 2 Laserfrigates\nBuild 2 Laserfrigates")
    assert [v.status for v in answers] == [Status.OK, Status.OK]


def test_an_exact_name_beats_a_longer_one_and_a_beginning_must_be_unambiguous() -> None:
    start = position(player("Altair", spies=1), player("Sol"), player("Solaris"), player("Cygnus"))
    assert one_verdict(start, "Altair", "Use spy on sol").canonical == "Use spy on Sol"
    assert one_verdict(start, "Altair", "Use spy on sola").canonical == "Use spy on Solaris"
    assert one_verdict(start, "Altair", "Use spy on so").status is Status.ERROR


@pytest.mark.rule("GO-R63", "GO-80")
def test_a_replacement_replaces_the_whole_sheet_and_takes_its_own_place() -> None:
    state = ruleset.load(document())
    for seat, text, place in (("Altair", "Train spy\nLFTLTF", 1), ("Cygnus", "Stockpile", 2), ("Altair", "Build 1 base", 3)):
        lines = tuple(Line(n, line) for n, line in enumerate(text.splitlines(), start=1))
        state = ruleset.receive(state, Mail(seat, lines, (place, 0))).position
    assert [(sheet.seat, sheet.lines) for sheet in ruleset.sheets(state)] == [
        ("Cygnus", ("Stockpile",)),
        ("Altair", ("Build 1 base",)),
    ]


def test_orders_can_be_taken_back() -> None:
    state = ruleset.withdraw(receive(document(), "Altair", "Train spy").position, "Altair")
    assert ruleset.sheets(state) == ()
    assert "Altair" in ruleset.awaiting(state)


@pytest.mark.rule("GO-40")
@pytest.mark.parametrize("line", ["Attack Cygnus, with all", "Attack Cygnus , with 2 Laserfrigates", "attack! cygnus,with all"])
def test_a_comma_may_stand_before_the_ships_of_an_attack(line: str) -> None:
    verdict = one_verdict(document(), "Altair", line)
    assert (verdict.status, verdict.canonical[:18]) == (Status.OK, "Attack Cygnus with")


@pytest.mark.parametrize("name", ["'t Hooft", ".Net", "..Jr", "-X-"])
def test_names_may_begin_with_a_mark(name: str) -> None:
    start = position(player("Altair", "1 Laserfrigate", bp=99, spies=1), player(name, bases=1), player("Cygnus"))
    again = [
        f"Build 2 bases named {name}a, {name}b",
        f"Use spy on {name}",
        f"Attack Cygnus with all allied with {name}",
        f"OOB vs {name}: LFTLTF",
        f"Transfer {name}a to {name}",
        f"Captured bases to {name}",
    ]
    answers = verdicts(start, "Altair", "\n".join(again))
    assert [(verdict.status, verdict.canonical) for verdict in answers] == [(Status.OK, line) for line in again]
    assert one_verdict(start, "Altair", f"Attack {name} with all").canonical == f"Attack {name} with all"


LONG = "The Long-Lived Lords of Lyra"
FORMS = {
    "start": position(player("Altair", bp=32), player("Cygnus")),
    "rich": position(player("Altair", "9 Laserfrigate@1", bp=9, generators=1, spies=1), player("Cygnus")),
    "full stock": position(player("Altair", generators=3, spies=3), player("Cygnus"), bases=[base("Rigel", "Cygnus")]),
    "turn 0": position(player("Altair", "9 Laserfrigate"), player("Cygnus"), turn=0, turn_zero=True),
    "independent": position(player("Altair", "12 Laserfrigate", bases=0, original_ships=12), player("Cygnus")),
    "huge": position(player("Altair", "2000000 Laserfrigate", bp=9_000_000_000), player("Cygnus")),
    "no spies": position(player("Altair", spies=1, counter_espionage=0), player("Cygnus"), spies_per_turn=0),
    "alone": position(player("Altair", "1 Laserfrigate", spies=1)),
    "long names": position(*(player(f"{LONG} {n}", "999999 Torpedodreadnaught", generators=1, spies=1) for n in range(1, 9))),
}


@pytest.mark.parametrize("start", FORMS.values(), ids=FORMS)
def test_every_suggestion_of_the_order_form_is_accepted_when_its_mark_is_taken_away(start: Document) -> None:
    seat = start["players"][0]["name"]
    suggestions = [line for line in ruleset.order_form(ruleset.load(start), seat).splitlines() if not line.startswith("##")]
    assert suggestions
    for line in suggestions:
        assert one_verdict(start, seat, line.removeprefix("# ")).status is not Status.ERROR, line


def test_the_order_form_says_of_which_orders_only_one_can_be_given() -> None:
    lines = ruleset.order_form(ruleset.load(FORMS["rich"]), "Altair").splitlines()
    assert lines[lines.index("## Only one of the next lines:") + 1 :] == [
        "# Attack Cygnus with 9 Laserfrigates",
        "# Train spy",
        "# Build generator",
        "# Raise shields",
    ]


@pytest.mark.parametrize("start", FORMS.values(), ids=FORMS)
def test_no_line_of_the_order_form_is_so_long_that_a_mail_program_would_wrap_it(start: Document) -> None:
    """What is wrapped loses its # and would be read as an order."""
    for line in ruleset.order_form(ruleset.load(start), start["players"][0]["name"]).splitlines():
        assert line.startswith(("# ", "## "))
        assert len(line) <= 68


def test_a_name_that_begins_with_on_is_read_as_it_is_written_on_file() -> None:
    here = position(player("Altair", FLEET), player("On Fire"), player("Cygnus"))
    for line in ("Attack On Fire with all", "Attack on On Fire with all"):
        assert one_verdict(here, "Altair", line).canonical == "Attack On Fire with all"
    assert one_verdict(here, "Altair", "Attack on Cygnus with all").canonical == "Attack Cygnus with all"
