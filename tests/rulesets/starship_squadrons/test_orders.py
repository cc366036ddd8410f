"""Order lines of a day: every accepted form, and every line that is refused (sections 6.1, 6.3, 6.4)."""

import pytest

from pbmd.rules import ScriptedDice, Signup, Status
from pbmd.rules.options import complete
from rulesets.starship_squadrons import ruleset
from tests.rulesets.starship_squadrons.example import ANNA, BEN, example
from tests.rulesets.starship_squadrons.harness import canonical, fault, faults, mail, receive, remarks, world

START = world(
    ["Iron Duke J4 M6 A9 R9 U3 supplies 2 @0607", "Iron Lady J4 M6 A9 @0607", "Tender J4 M4 U5 @0607", "1st Line M1 @0101",
     "planet Port A3 R9 @0707", "Away J2 A1 @T1"],
    ["Swift M6 A5 @0909", "Thunder M5 A5 @1010"],
    questions=["anna Q1 @0607", "anna Q2 reserve", "anna Q12 @0101", "ben Q1 @1010"],
    bodies=["Port planet 0707 limit 1 owner 1 starport"],
    transits=["T1 anna day 3 Near:0303"],
    fleets=[{"player": "anna", "name": "Alpha", "members": ["Iron Lady", "Q1"]}],
)  # fmt: skip


@pytest.mark.rule("SQ-02")
@pytest.mark.parametrize(
    ("text", "same"),
    [
        # case, blanks, marks, colons
        ("move 1 iron duke to 0505", "MOVE 1 Iron Duke TO 0505"),
        ("  MOVE   1:  Iron Duke  TO  0505 .", "MOVE 1 Iron Duke TO 0505"),
        ("MOVE: 1 Iron Duke TO 0505!", "MOVE 1 Iron Duke TO 0505"),
        ("MOVE 1 Iron D TO 05-05", "MOVE 1 Iron Duke TO 0505"),
        ("MOVE 1 iron d TO 05/05", "MOVE 1 Iron Duke TO 0505"),
        ("MOVE 1 Iron Duke TO 0505 0504", "MOVE 1 Iron Duke TO 0505 THEN 0504"),
        ("MOVE 1 Iron Duke TO 0505 THEN 0504 THEN 0503", "MOVE 1 Iron Duke TO 0505 0504 THEN 0503"),
        # lists
        ("MOVE Iron Duke AND Tender TO 0505", "MOVE Iron Duke, Tender TO 0505"),
        ("MOVE Iron Duke & Tender + Q1 TO 0505", "MOVE Iron Duke, Tender, Q1 TO 0505"),
        ("MOVE q1 TO 0505", "MOVE Q1 TO 0505"),
        ("MOVE FLEET Alpha TO 0505", "MOVE Alpha TO 0505"),
        ("MOVE 1st Line TO 0202", "MOVE 1st TO 0202"),
        # headings
        ("IMPULSE 1\nMOVE Tender TO 0505", "MOVE 1 Tender TO 0505"),
        ("Impulse two:\nMOVE Tender TO 0505", "MOVE 2 Tender TO 0505"),
        ("IMPULSE ONE:\nMOVE 2 Tender TO 0505", "MOVE 2 Tender TO 0505"),
        ("IMPULSE 1\nEND OF DAY\nMOVE Tender TO 0505", "MOVE Tender TO 0505"),
        ("IMPULSE 1\nEND\nMOVE Tender TO 0505", "MOVE Tender TO 0505"),
        ("IMPULSE 1\nOPS\nMOVE Tender TO 0505", "MOVE Tender TO 0505"),
        ("IMPULSE 2\nHOLD FIRE", "HOLD FIRE 2"),
        ("Second impulse:\nMOVE Tender TO 0505", "MOVE 2 Tender TO 0505"),
        ("The 1st impulse\nMOVE Tender TO 0505", "MOVE 1 Tender TO 0505"),
        ("=== IMPULSE II ===\nMOVE Tender TO 0505", "MOVE 2 Tender TO 0505"),
        ("IMPULSE 1: MOVE Tender TO 0505", "MOVE 1 Tender TO 0505"),
        ("In impulse two, move Tender to 0505", "MOVE 2 Tender TO 0505"),
        ("Fire Iron Duke at Swift in impulse 1", "FIRE 1 Iron Duke AT Swift"),
        # hexes
        ("MOVE 1 Iron Duke FROM 0607 TO hex (0505)", "MOVE 1 Iron Duke TO 0505"),
        ("MOVE 1 the Iron-Duke -> 0505", "MOVE 1 Iron Duke TO 0505"),
        ("MOVE all my units TO 0608", "MOVE ALL TO 0608"),
        ("Move Iron Duke to 0505, then to 0504", "MOVE Iron Duke TO 0505 THEN 0504"),
        ("Iron Duke and Tender to 0505", "MOVE Iron Duke, Tender TO 0505"),
        ("First impulse: Iron Duke moves to 0505", "MOVE 1 Iron Duke TO 0505"),
        ("Iron Duke -> 0505", "MOVE Iron Duke TO 0505"),
        ("Iron Duke: 0505, 0606", "MOVE Iron Duke TO 0505 THEN 0606"),
        ("Iron Duke: move to 0505 -> 0606", "MOVE Iron Duke TO 0505 THEN 0606"),
        ("Iron Duke: fire at Swift", "FIRE Iron Duke AT Swift"),
        ("Iron Duke holds fire", "HOLD FIRE Iron Duke"),
        ("Impulse 1: Iron Duke: hold fire", "HOLD FIRE 1 Iron Duke"),
        ("Move admiral from Iron Duke to Tender", "TRANSFER 1 ADMIRAL FROM Iron Duke TO Tender"),
        ("Iron Duke fires at Swift or nearest", "FIRE Iron Duke AT Swift, NEAREST"),
        ("All fire at nearest", "FIRE ALL AT NEAREST"),
        *((line, "FIRE ALL AT NEAREST") for line in ("Fire at will", "Everybody fire at will", "Everyone fires at anything")),
        ("FIRE Iron Duke AT the closest enemy", "FIRE Iron Duke AT NEAREST"),
        *(
            (line, "FIRE Iron Duke AT Swift")
            for line in (
                "Attack Swift with Iron Duke",
                "Shoot at Swift with Iron Duke",
                "Iron Duke attacks Swift",
                "Iron Duke shoots at Swift",
                "Fire Iron Duke @ Swift",
                "Fire Iron Duke: Swift",
                "Fire Iron Duke -> Swift",
            )
        ),
        *((f"Tender{to}", "MOVE Tender TO 0505") for to in (" - 0505", " → 0505", " ⇒ 0505")),
        *(
            (f"Move Tender to 0505{when}", "MOVE 2 Tender TO 0505")
            for when in (" (impulse 2)", ", impulse 2", ", second impulse")
        ),
        ("Imp. 1: Tender to 0505", "MOVE 1 Tender TO 0505"),
        ("2 supplies from Iron Duke to Tender", "TRANSFER 2 SUPPLY FROM Iron Duke TO Tender"),
        ("Iron Duke gives 2 supply to Tender", "TRANSFER 2 SUPPLY FROM Iron Duke TO Tender"),
        ("Fire 1 at Swift, nearest within 4 with Iron Duke", "FIRE 1 Iron Duke AT Swift, NEAREST WITHIN 4"),
        ("Form fleet Beta with Iron Duke and Tender", "FLEET Beta: Iron Duke, Tender"),
        ("Don't repair Tender", "NO REPAIR Tender"),
        ("Move 1 admiral to Tender from Iron Duke", "TRANSFER 1 ADMIRAL FROM Iron Duke TO Tender"),
        ("# a remark\n> quoted\n\nPASS", "PASS"),
        # fire
        ("FIRE 1 Iron Duke AT Swift THEN NEAREST", "FIRE 1 Iron Duke AT Swift, NEAREST"),
        ("FIRE 1: Iron Duke AT ANY", "FIRE 1 Iron Duke AT NEAREST"),
        ("FIRE Iron Duke AT PLANETS, SQUADRONS", "FIRE Iron Duke AT PLANET, SQUADRON"),
        ("FIRE Iron Duke AT ?0909, ?", "FIRE Iron Duke AT ? 0909, ?"),
        ("FIRE Iron Duke AT Swift IF SEEN WITHIN 3", "FIRE Iron Duke AT Swift WITHIN 3 IF SEEN"),
        ("FIRE Port AT 09-09", "FIRE Port AT 0909"),
        ("FIRE Iron Duke ON Swift OR Thunder", "FIRE Iron Duke AT Swift, Thunder"),
        ("FIRE Iron Duke AT the Swift, otherwise the nearest enemy", "FIRE Iron Duke AT Swift, NEAREST"),
        ("FIRE Iron Duke AT Swift only IF SEEN", "FIRE Iron Duke AT Swift IF SEEN"),
        ("FIRE Iron Duke AT NEAREST WITHIN 3 HEXES", "FIRE Iron Duke AT NEAREST WITHIN 3"),
        ("Don't fire with Iron Duke", "HOLD FIRE Iron Duke"),
        ("No fire", "HOLD FIRE"),
        ("HOLD FIRE ALL", "HOLD FIRE"),
        # transfers and repair
        ("LOAD 2 SUPPLIES FROM Iron Duke TO Tender", "TRANSFER 2 SUPPLY FROM Iron Duke TO Tender"),
        ("TRANSFER 2 SUPPLY COUNTERS FROM STARPORT TO Tender", "TRANSFER 2 SUPPLY FROM STARPORT TO Tender"),
        ("TRANSFER 1 ADMIRALS FROM Iron Duke TO Tender", "TRANSFER 1 ADMIRAL FROM Iron Duke TO Tender"),
        ("Transfer an admiral to Tender from Iron Duke", "TRANSFER 1 ADMIRAL FROM Iron Duke TO Tender"),
        ("Transfer supply 2 from the starport to Tender", "TRANSFER 2 SUPPLY FROM STARPORT TO Tender"),
        ("REPAIR 1 HITS OF Tender FROM Iron Duke", "REPAIR 1 HIT ON Tender FROM Iron Duke"),
        ("REPAIR Tender, Iron Lady FROM starport", "REPAIR Tender AND Iron Lady FROM STARPORT"),
        ("REPAIR Away FROM SELF", "repair away from self"),
        # the rest
        ("JUMP Tender TO near 03-03", "JUMP Tender TO Near 0303"),
        ("JUMP Tender TO Near, hex (0303)", "JUMP Tender TO Near 0303"),
        ("PLACE a ? IN Near 0303", "PLACE ? AT Near 0303"),
        ("WAIT FOR 4 DAYS", "WAIT 4"),
        ("PLACE ? AT near 0303", "PLACE ? AT Near 0303"),
        ("PLACE q2 ON Tender", "PLACE Q2 ON Tender"),
        ("FLEET Beta = Tender, Q1", "FLEET Beta: Tender, Q1"),
        ("DISBAND FLEET Alpha", "DISBAND Alpha"),
        ("WAIT 5 DAYS", "WAIT 5"),
        ("NO ORDERS", "PASS"),
    ],
)
def test_forms_of_a_line(text: str, same: str) -> None:
    lines = canonical(START, "anna", text)
    assert lines == canonical(START, "anna", same)
    # The canonical form is itself an order.
    assert canonical(START, "anna", "\n".join(lines)) == lines


@pytest.mark.parametrize(
    "text",
    [
        "MOVE ALL TO 0505", "FIRE ALL AT ?", "NO REPAIR Tender", "REPAIR ALL", "FIRE Alpha AT NEAREST", "JUMP ALL TO Near 0303",
        "PLACE Q13 AT Field 0101", "TRANSFER 1 SUPPLY FROM Iron Duke TO STARPORT", "HOLD FIRE Port", "FIRE 2 Away AT NEAREST",
    ],
)  # fmt: skip
def test_more_lines_that_are_accepted(text: str) -> None:
    assert canonical(START, "anna", text)


def test_a_counter_may_be_called_like_what_is_transferred() -> None:
    named = world(["Supply Ship M6 @0607", "Admiral Hood M6 @0607"])
    lines = ("MOVE 1 Supply Ship TO 0505", "MOVE 2 Admiral Hood TO 0505")
    assert canonical(named, "anna", "\n".join(lines)) == lines


@pytest.mark.parametrize("word", ["but not", "unless", "except", "before", "after"])
def test_an_impulse_that_is_taken_back_is_not_meant(word: str) -> None:
    for said in ("in impulse 1", "impulse 1", "the first impulse"):
        assert "a target is a name and nothing else" in fault(START, "anna", f"FIRE Iron Duke AT Swift {word} {said}")


@pytest.mark.rule("SQ-R06")
@pytest.mark.parametrize("target", ["Swift not Thunder", "NEAREST, not Swift", "Swift except Tender", "nothing"])
def test_what_says_at_what_not_to_fire_is_no_name_of_a_target(target: str) -> None:
    assert "a target is a name and nothing else" in fault(START, "anna", f"FIRE Iron Duke AT {target}")


@pytest.mark.rule("SQ-R06")
def test_an_enemy_in_view_may_be_called_so() -> None:
    there = world(["Iron Duke J4 M6 S9 A9 R9 @0607"], ["Not Me M6 A5 @0609", "Why Not Us M6 A5 @0609"])
    for name in ("Not Me", "Why Not Us"):
        assert canonical(there, "anna", f"FIRE Iron Duke AT {name}") == (f"FIRE Iron Duke AT {name}",)


@pytest.mark.rule("SQ-02")
@pytest.mark.parametrize("heading", ["IMPULSE 1 or 2", "Impulse 3:", "Not in impulse 1:", "Third impulse", "IMPULSE 1 (maybe)"])
def test_lines_below_an_impulse_that_is_not_understood_are_refused_up_to_the_next(heading: str) -> None:
    letter = f"{heading}\nMOVE Tender TO 0505\nFIRE 1 Iron Duke AT Swift\nIMPULSE 2\nMOVE Iron Duke TO 0505"
    receipt = receive(START, "anna", letter)
    assert faults(receipt) == [1, 2]
    (sheet,) = ruleset.sheets(receipt.position)
    assert sheet.lines == ("FIRE 1 Iron Duke AT Swift", "MOVE 2 Iron Duke TO 0505")


def test_an_order_with_a_slip_that_names_its_impulse_is_no_heading() -> None:
    receipt = receive(START, "anna", "Impulse 1: MVOE Tender TO 0505\nMOVE Iron Duke TO 0505")
    assert faults(receipt) == [1]


@pytest.mark.rule("SQ-R71", "SQ-R76", "SQ-24", "SQ-R70", "SQ-R82")
@pytest.mark.parametrize(
    "line",
    [
        "DANCE", "IMPULSE 1: MOVE 2 Tender TO 0505", "MOVE Tender FROM 0101 TO 0505", "FIRE Iron Duke AT Swift - I hope",
        "No, to 0505", "Not Tender to 0505", "Tender not to 0505", "Tender or Iron Duke to 0505",
        "If Swift fires, Tender to 0505",
        "Tender to 0505 if Swift fires", "Iron Duke does not fire at Swift", "Fire at Swift", "Nobody fires at Swift",
        "Fire at Swift, not with Iron Duke",
        "Move Tender to 0505 and 0504", "rather Tender to 0505", "Tender should move to 0505",
        "MOVE", "MOVE Tender", "MOVE Tender TO", "MOVE 3 Tender TO 0505",
        "MOVE Nobody TO 0505", "MOVE Swift TO 0505", "MOVE Iron TO 0505", "MOVE Port TO 0505", "MOVE Away TO 0505",
        "MOVE Q2 TO 0505", "MOVE Q9 TO 0505", "MOVE Tender TO 2001", "MOVE Tender TO 0116", "MOVE Tender TO 0000",
        "MOVE Tender TO 0505 THEN 2001", "MOVE Tender TO Near 0505",
        "FIRE Tender AT NEAREST", "FIRE Swift AT Tender", "FIRE Q1 AT NEAREST", "FIRE Iron Duke AT", "FIRE Iron Duke",
        "FIRE Iron Duke AT 2020", "FIRE Iron Duke AT ? 2020", "FIRE Iron Duke AT Swift WITHIN", "HOLD FIRE Swift",
        "HOLD FIRE Q1",
        "TRANSFER 0 SUPPLY FROM Iron Duke TO Tender", "TRANSFER 1 SUPPLY FROM STARPORT TO STARPORT",
        "TRANSFER 1 SUPPLY FROM Swift TO Tender", "TRANSFER 1 SUPPLY FROM Tender TO Swift",
        "TRANSFER 1 ADMIRAL FROM STARPORT TO Tender", "TRANSFER SUPPLY FROM Iron Duke TO Tender", "TRANSFER 1 SUPPLY TO Tender",
        "REPAIR", "REPAIR Swift", "REPAIR 0 HITS ON Tender", "REPAIR Tender FROM Swift", "NO REPAIR", "REPAIR Q1",
        "JUMP Tender TO Near", "JUMP Port TO Near 0303", "JUMP Tender TO Near 1008", "JUMP Q2 TO Near 0303",
        "PLACE ? AT Near 2001", "PLACE ? AT Nowhere 0101", "PLACE Q1 ON Tender", "PLACE ? ON Swift", "PLACE ?",
        "FLEET Beta: 1st Line, Tender", "FLEET Tender: Iron Duke", "FLEET Near: Tender", "FLEET Beta:", "DISBAND Omega",
        "WAIT 1", "WAIT 29", "WAIT", "WAIT 0", "WAIT -3", "BUY ? 1", "SQUADRON Zed: A1",
    ],
)  # fmt: skip
def test_lines_that_are_refused_with_a_reason(line: str) -> None:
    receipt = receive(START, "anna", f"HOLD FIRE\n{line}")
    assert faults(receipt) == [2]
    assert receipt.filed
    (verdict,) = (v for v in receipt.verdicts if v.status is Status.ERROR)
    assert len(verdict.message) > 10
    assert verdict.text == line


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("MOVE Iron Dukk, Tender TO 0608", "MOVE Iron Duke, Tender TO 0608"),
        ("TRANSFER 1 SUPPLY FROM Tender TO Iron Duek", "TRANSFER 1 SUPPLY FROM Tender TO Iron Duke"),
        ("JUMP Tender TO Naer 0303", "JUMP Tender TO Near 0303"),
        ("TRANSFER 1 SUPPLY FROM Tendre TO Iron Duke", "TRANSFER 1 SUPPLY FROM Tender TO Iron Duke"),
        ("DISBAND Betta", "DISBAND Beta"),
    ],
)
def test_the_line_set_right_has_the_name_that_was_meant(line: str, right: str) -> None:
    letter = f"FLEET Beta: Tender\n{line}" if right.endswith("Beta") else line
    assert fault(START, "anna", letter).endswith(f" Right: {right}")


def test_a_unit_that_was_built_above_is_the_one_meant() -> None:
    start = ruleset.dump(ruleset.setup([Signup("anna"), Signup("ben")], complete(ruleset.info.options, {}), ScriptedDice(())))
    letter = "SQUADRON Cruiser: M1\nSQUADRON Boat: M1\nPLACE ? ON Boot\nSQUADRON Cruiser: M1\nBUY ADMIRAL FOR Bota"
    rights = [verdict.message.partition(" Right: ")[2] for verdict in receive(start, "anna", letter).verdicts if verdict.line]
    assert rights == ["", "", "", "", "BUY ADMIRAL FOR Boat"]


def test_the_answer_of_the_specification() -> None:
    start = example()
    message = fault(start, "anna", "PASS\nMOVE Iron Duke TO 2507")
    for words in ("2507", "Halfway", "0101", "1915"):
        assert words in message
    assert "Right" not in message


def test_a_wrong_line_leaves_the_others_and_nothing_but_wrong_lines_files_nothing() -> None:
    receipt = receive(START, "anna", "MOVE Nobody TO 0505\nWAIT 2\nFIRE Nobody AT NEAREST")
    assert faults(receipt) == [1, 3]
    assert [sheet.lines for sheet in ruleset.sheets(receipt.position)] == [("WAIT 2",)]
    assert not receive(START, "anna", "MOVE Nobody TO 0505").filed
    assert receive(START, "anna", "").filed


@pytest.mark.rule("SQ-R35", "SQ-R64")
def test_far_destinations_and_short_fuel_are_warnings() -> None:
    assert remarks(START, "anna", "MOVE 1 1st Line TO 0104")
    assert remarks(START, "anna", "MOVE 1 1st Line TO 0102") == []
    assert remarks(START, "anna", "MOVE 1st Line TO 0103") == []
    assert remarks(START, "anna", "MOVE 1st Line TO 0104")
    dry = world(["Duke J4 fuel 0 @0607"])
    assert remarks(dry, "anna", "JUMP Duke TO Near 0303")


@pytest.mark.rule("SQ-R82")
def test_all_and_fleets_skip_what_cannot_take_the_order_silently() -> None:
    for line in ("FIRE ALL AT NEAREST", "MOVE ALL TO 0505", "JUMP ALL TO Near 0303"):
        assert faults(receive(START, "anna", line)) == []


@pytest.mark.rule("SQ-R06", "SQ-R33")
def test_a_target_that_is_not_in_view_is_accepted_with_the_same_note_whether_or_not_it_exists() -> None:
    covered = world(["Duke M1 A3 R9 @0607"], ["Swift M6 @0909", "Seen M1 @0808"], questions=["ben Q1 @0909"])

    def note(name: str) -> list[str]:
        return [remark.replace(name, "X") for remark in remarks(covered, "anna", f"FIRE Duke AT {name}")]

    assert note("Swift") == note("Nobody")
    assert "not in view now" in note("Swift")[0]
    assert note("Seen") == []
    assert "not in view now" in note("? 1212")[0] if note("? 1212") else True


@pytest.mark.rule("SQ-R06")
def test_acknowledgements_are_the_same_whatever_is_hidden() -> None:
    units = ["Duke M3 J4 A3 R9 @0607"]
    text = (
        "MOVE Duke TO 0909\nFIRE Duke AT Swift, Thunder, ?, ? 0909, 0909, 0910\nJUMP Duke TO Near 0303\nPLACE ? AT Field 0909\n"
        "FIRE Duke AT S WITHIN 2\nFIRE Swift AT Duke\nREPAIR Swift"
    )
    worlds = [
        world(units, foes, questions=["ben Q1 @0909"])
        for foes in ([], ["Swift M6 A9 @0909"], ["Swift M6 @Near:0303"], ["Thunder M1 @0909", "Sw M2 @0909"])
    ]
    worlds[2]["questions"].append({"id": "Q2", "side": 2, "player": "ben", "system": "Near", "hex": "0303"})
    # A "?" on Near is seen, but is no answer to anything here.
    answers = [receive(document, "anna", text) for document in worlds]
    for answer in answers[1:]:
        assert answer.verdicts == answers[0].verdicts
        assert answer.defaults == answers[0].defaults


@pytest.mark.rule("SQ-R03")
def test_a_letter_may_be_replaced_and_an_older_one_found_later_is_not_used() -> None:
    first = receive(START, "anna", "WAIT 3")
    again = ruleset.receive(first.position, mail("anna", "WAIT 4", 9))
    assert [sheet.lines for sheet in ruleset.sheets(again.position)] == [("WAIT 4",)]
    old = ruleset.receive(again.position, mail("anna", "WAIT 5", 0))
    assert not old.filed
    withdrawn = ruleset.withdraw(again.position, "anna")
    assert ruleset.sheets(withdrawn) == ()


@pytest.mark.parametrize(("text", "day"), [(ANNA, "anna"), (BEN, "ben")])
def test_the_samples_of_the_specification_are_accepted(text: str, day: str) -> None:
    assert faults(receive(example(), day, text)) == []


def test_a_target_named_twice_in_other_letters_is_one() -> None:
    assert canonical(START, "anna", "FIRE 1 Iron Duke AT Swift, swift, NEAREST, ANY") == ("FIRE 1 Iron Duke AT Swift, NEAREST",)
    receipt = receive(START, "anna", "FIRE 1 Iron Duke AT Swift, swift")
    assert ruleset.load(ruleset.dump(receipt.position)) == receipt.position


INSTEAD = "a line below counts instead"


@pytest.mark.rule("SQ-R04")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("MOVE Tender TO 0608\nMOVE Tender TO 0708", [INSTEAD, ""]),
        ("MOVE Tender TO 0608\nMOVE 2 Tender TO 0708", [f"{INSTEAD} for Tender in impulse 2", ""]),
        ("MOVE Tender, Iron Duke TO 0608\nMOVE Iron Duke TO 0708", [f"{INSTEAD} for Iron Duke", ""]),
        ("MOVE 1 Tender TO 0608\nMOVE 2 Tender TO 0708", ["", ""]),
        ("MOVE Alpha TO 0608\nMOVE 2 Q1 TO 0708", [f"{INSTEAD} for Q1 in impulse 2", ""]),
        ("MOVE Iron Lady TO 0608\nMOVE Alpha TO 0708", [INSTEAD, ""]),
        ("FIRE Iron Duke, Port AT ANY\nHOLD FIRE 1 Iron Duke", [f"{INSTEAD} for Iron Duke in impulse 1", ""]),
        ("FIRE 1 Alpha AT ANY\nHOLD FIRE", [INSTEAD, ""]),
        ("JUMP Tender TO Near 0303\nJUMP Tender TO Near 0304", [INSTEAD, ""]),
        ("WAIT 3\nWAIT 4", [INSTEAD, ""]),
        ("REPAIR Tender\nREPAIR Tender FROM SELF", ["", ""]),
        ("REPAIR Tender\nNO REPAIR ALL\nREPAIR Tender", [INSTEAD, f"{INSTEAD} for Tender", ""]),
        ("MOVE Tender TO 0608\nREPAIR Tender\nJUMP Tender TO Near 0303", ["", "", ""]),
    ],
)
def test_the_answer_marks_lines_that_later_ones_take_the_place_of(text: str, said: list[str]) -> None:
    verdicts = receive(START, "anna", text).verdicts
    assert [verdict.message for verdict in verdicts] == said
    # Of a line that counts for nothing the player is warned.
    assert [verdict.status is Status.WARNING for verdict in verdicts] == [words == INSTEAD for words in said]


@pytest.mark.rule("SQ-R04")
def test_refused_lines_take_no_place_and_in_phases_numbers_of_impulses_do_not_count() -> None:
    assert receive(START, "anna", "MOVE Tender TO 0608\nMOVE Tender TO 9999").verdicts[0].message == ""
    phase = START | {"phase": "1a", "options": START["options"] | {"turn_mode": "phases"}}
    assert receive(phase, "anna", "MOVE 1 Tender TO 0608\nMOVE 2 Tender TO 0708").verdicts[0].message == INSTEAD


@pytest.mark.rule("SQ-69", "SQ-59")
def test_the_form_offers_nothing_that_a_crippled_squadron_cannot_do() -> None:
    able = world(["Duke J4 M4 D1 A9 @0607"], questions=["anna Q1 @0607"], anchors=False)
    crippled = world(["Duke J4 M4 D1 A9 damage 5 @0607"], questions=["anna Q1 @0607"], anchors=False)
    forms = [ruleset.order_form(ruleset.load(each), "anna") for each in (able, crippled)]
    assert "MOVE Duke, Q1 TO" in forms[0]
    assert "JUMP Duke TO" in forms[0]
    assert "MOVE Q1 TO" in forms[1]
    assert "MOVE Duke" not in forms[1]
    assert "# JUMP" not in forms[1].replace("## JUMP", "")
