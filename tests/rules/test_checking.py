"""What becomes of a letter: verdicts on its lines, and a sheet, or a word why not."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from pbmd.rules import Line, Mail, Sheet, SheetPolicy, Status, Verdict, match_name
from pbmd.rules.checking import (
    MOST_EXAMPLES,
    Checked,
    Fault,
    Right,
    Wrong,
    answers_to,
    closed,
    mended,
    not_taken,
    note_missed,
    one_by_one,
    receive_sheet,
    right_example,
    still_awaited,
    unknown,
    unmended,
    verdict,
    with_example,
)


@dataclass(frozen=True)
class Position:
    sheets: tuple[Sheet, ...] = ()
    missed: tuple[str, ...] = ()


LINE = Line(4, "bild 2")
RIGHT, WRONG = Right(Line(1, "a"), "A"), Wrong(Line(2, "b"), "this is no order")
MAIL = Mail("Ann", (Line(1, "a"), Line(2, "b")), (7, 0))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Right(LINE, "Build 2"), Verdict(4, "bild 2", Status.OK, "", "Build 2")),
        (Right(LINE, "Build 2", "too dear"), Verdict(4, "bild 2", Status.WARNING, "too dear", "Build 2")),
        (Right(LINE, "Build 2", "", "as before"), Verdict(4, "bild 2", Status.OK, "as before", "Build 2")),
        (
            Right(LINE, "Build 2", "too dear", "as before"),
            Verdict(4, "bild 2", Status.WARNING, "too dear; as before", "Build 2"),
        ),
        (Wrong(LINE, "this is no order", "syntax"), Verdict(4, "bild 2", Status.ERROR, "this is no order.", "", "syntax")),
        (
            Wrong(LINE, "this is no order", example="Build 1", other=True),
            Verdict(4, "bild 2", Status.ERROR, "this is no order. For example: Build 1"),
        ),
        (
            Wrong(LINE, "this is no order", example="Build 2"),
            Verdict(4, "bild 2", Status.ERROR, "this is no order. Right: Build 2"),
        ),
    ],
)
def test_answers_are_put_into_words(answer: Right | Wrong, expected: Verdict) -> None:
    assert verdict(answer) == expected


@pytest.mark.parametrize("end", ["?", ".", "!"])
def test_a_sentence_that_ends_gets_no_second_full_stop(end: str) -> None:
    assert with_example(f"what{end}", "A") == f"what{end} Right: A"
    assert with_example(f"what{end}", "A", other=True) == f"what{end} For example: A"


def test_the_example_is_the_first_without_a_remark() -> None:
    remarks = {"a": None, "b": "late", "c": "", "d": ""}
    assert right_example("abcd", remarks.__getitem__) == "c"
    assert right_example("ab", remarks.__getitem__) == "b"
    assert right_example("a", remarks.__getitem__, "z") == "z"
    assert right_example("", remarks.__getitem__) == ""


def test_an_example_with_a_name_that_may_be_meant_goes_before_all_others() -> None:
    remarks = {"Dig": "", "Rob Ann": "late", "Rob Bob": "", "Rob Cat": None}
    assert right_example(remarks, remarks.__getitem__, names=("Bob", "Cat")) == "Rob Bob"
    assert right_example(remarks, remarks.__getitem__, names=("ann",)) == "Rob Ann"
    assert right_example(remarks, remarks.__getitem__, names=("Cat",)) == "Dig"
    assert right_example(remarks, remarks.__getitem__, names=("An",)) == "Dig"


def no_name(text: str, *names: str) -> Fault:
    match = match_name(text, names)
    assert match.found is None
    return unknown(match, text, "player", "nobody")


def refusal(text: str, faults: list[Fault], accepted: set[str], *examples: str) -> str:
    """What is said of the line, where those `accepted` would stand."""
    wrong = mended(LINE, text, faults, examples, lambda line: "" if line in accepted else None)
    assert (wrong.line, wrong.code) == (LINE, "nobody")
    return verdict(wrong).message


def test_asked_is_about_names_with_which_the_line_would_stand() -> None:
    fault = no_name("Bobb", "Bob", "Robb")
    assert fault.problem == 'there is no player "Bobb"; did you mean "Bob" or "Robb"?' == str(fault)
    both = {"Fight Bob now", "Fight Robb now", "Dig"}
    assert refusal("Fight Bobb now", [fault], both) == fault.problem
    one = 'there is no player "Bobb"; did you mean "Robb"?'
    assert refusal("Fight Bobb now", [fault], {"Fight Robb now"}) == f"{one} Right: Fight Robb now"
    assert refusal("Fight Bobb now", [fault], set()) == 'there is no player "Bobb".'


def test_an_example_is_about_nothing_but_what_the_line_names() -> None:
    fault = no_name("Bobb", "Bob")
    nobody = 'there is no player "Bobb".'
    assert refusal("Rest with Bobb", [fault], {"Dig"}, "Dig") == nobody
    assert refusal("Rest with Bobb", [fault], {"Rest"}, "Rest") == nobody
    assert refusal("Rest Bobb", [fault], {"Rest"}, "Rest") == f"{nobody} For example: Rest"
    assert refusal("Rest Bobb", [fault], {"Rest with Ann"}, "Rest with Ann") == nobody
    assert refusal("Rest Bobb 9 times", [fault], {"Rest"}, "Rest") == nobody
    assert refusal("Rest Bobb", [fault], set(), "Rest") == nobody
    assert (
        refusal("Hello all", [Fault("this is no order", "nobody")], {"Rest with all"}, "Rest with all") == "this is no order."
    )


def test_several_misspelt_names_are_mended_together() -> None:
    faults = [no_name("Bobb", "Bob", "Ann"), no_name("Anm", "Bob", "Ann")]
    told = 'there is no player "Bobb"; did you mean "Bob"? there is no player "Anm"; did you mean "Ann"?'
    assert refusal("Fight Bobb with Anm", faults, {"Fight Bob with Ann"}) == f"{told} Right: Fight Bob with Ann"


def test_a_name_that_could_be_several_is_no_question() -> None:
    fault = no_name("Bo", "Bob", "Bobby")
    told = '"Bo" could be "Bob" or "Bobby"; write more of the name'
    assert refusal("Fight Bo", [fault], {"Fight Bobby"}, "Dig") == f"{told}. Right: Fight Bobby"
    assert refusal("Fight Bo", [fault], {"Fight Bob", "Fight Bobby"}) == f"{told}."


def test_without_a_right_line_nothing_is_asked() -> None:
    assert unmended(LINE, no_name("Bobb", "Bob")) == Wrong(LINE, 'there is no player "Bobb"', "nobody")


def test_examples_are_looked_for_only_so_long() -> None:
    tried: list[str] = []
    fault = Fault("this is no order", "nobody")
    wrong = mended(LINE, "Dig", (fault,), (f"Dig {number}" for number in range(1000)), tried.append)
    assert (wrong.example, 0 < len(tried) < 100) == ("", True)


def _once(_position: object, _seat: str, text: str, before: tuple[str, ...]) -> str:
    if text in before:
        raise Fault(f"{text} is there already", "twice", "DIG MORE")
    return text


def _upper(text: str) -> str:
    return text.strip().upper()


def test_each_line_is_checked_with_those_that_stand_before_it() -> None:
    checked = one_by_one(_upper, _once)((), "Ann", (Line(1, " a"), Line(2, "A "), Line(3, " "), Line(5, "B")))
    assert checked.verdicts == (
        Verdict(1, " a", Status.OK, "", "A"),
        Verdict(2, "A ", Status.ERROR, "A is there already.", "", "twice"),
        Verdict(5, "B", Status.OK, "", "B"),
    )
    assert checked.sheet == ("A", "B")


def test_an_example_that_would_not_stand_there_is_not_told() -> None:
    checked = one_by_one(_upper, _once)((), "Ann", tuple(Line(1, text) for text in ("dig", "dig", "dig more", "dig")))
    said = [answer.message for answer in checked.verdicts]
    assert said == ["", "DIG is there already. For example: DIG MORE", "", "DIG is there already."]


def _answers(*texts: str, turn: Callable[[str], int] | None = None) -> list[Right | Wrong]:
    """Lines that stand once, with what was understood before them as a remark; the example is how many were refused before."""
    stand: list[str] = []
    refused: list[str] = []

    def understood(line: Line, text: str) -> Right:
        if text in stand:
            refused.append(text)
            raise Fault("twice", "two")
        stand.append(text)
        return Right(line, text, " ".join(stand), order=len(stand))

    said = [(Line(number, text), text.upper()) for number, text in enumerate(texts)]
    return answers_to(said, understood, lambda line, fault: Wrong(line, fault.problem, fault.code, f"{len(refused)}"), turn)


def test_answers_come_in_the_order_written_whatever_is_checked_first() -> None:
    assert [answer.remark for answer in _answers("a", "b") if isinstance(answer, Right)] == ["A", "A B"]
    in_turn = _answers("b", "a", "B", turn=ord)
    assert in_turn[0] == Right(Line(0, "b"), "B", "A B", order=2)
    assert in_turn[1] == Right(Line(1, "a"), "A", "A", order=1)
    assert in_turn[2] == Wrong(Line(2, "B"), "twice", "two", "1")


def test_lines_beyond_the_hundredth_refused_one_get_no_example() -> None:
    *_, last, beyond = _answers(*["a"] * (MOST_EXAMPLES + 2))
    assert isinstance(last, Wrong)
    assert isinstance(beyond, Wrong)
    assert (last.example, beyond.example) == (str(MOST_EXAMPLES), "")


def test_a_refused_line_gets_the_name_that_is_meant_or_an_example_that_would_stand() -> None:
    def understood(_position: object, _seat: str, text: str, before: tuple[str, ...]) -> str:
        if text in before:
            raise Fault("that is there already")
        match = match_name(text.removeprefix("Rob "), ["Ann", "Bob"])
        if match.found is None:
            raise unknown(match, text.removeprefix("Rob "), "player")
        if match.found == "Ann":
            raise Fault("you cannot rob yourself", example="Rob Bob")
        return f"Rob {match.found}"

    def said(*texts: str) -> list[str]:
        lines = [Line(number, text) for number, text in enumerate(texts)]
        return [each.message for each in one_by_one(str.strip, understood)(Position(), "Ann", lines).verdicts]

    assert said(" Rob Bobb") == ['there is no player "Bobb"; did you mean "Bob"? Right: Rob Bob']
    assert said("Rob Ann", "Rob Anm") == ["you cannot rob yourself.", 'there is no player "Anm".']
    assert said("Rob Bob", "Rob Bobb", "Rob Ann")[1:] == ['there is no player "Bobb".', "you cannot rob yourself."]
    assert said(*["Rob Bobb"] * 120)[99:101] == [
        'there is no player "Bobb"; did you mean "Bob"? Right: Rob Bob',
        'there is no player "Bobb".',
    ]


def test_a_letter_that_says_nothing_is_an_empty_sheet() -> None:
    mail = Mail("Ann", (Line(1, "  "),), (7, 0))
    checked = one_by_one(str.strip, _once)(Position(), mail.seat, mail.lines)
    receipt = receive_sheet(Position(), mail, SheetPolicy(errors="refuse_mail"), checked)
    assert (receipt.filed, receipt.verdicts, receipt.position.sheets) == (True, (), (Sheet("Ann", (7, 0), ()),))


def test_what_stands_is_filed_and_the_seat_is_late_no_more() -> None:
    checked = Checked((RIGHT, WRONG), remarks=("mind",), defaults=("Two are left.",))
    receipt = receive_sheet(Position(missed=("Bob", "Ann")), MAIL, SheetPolicy(), checked)
    assert receipt.position == Position((Sheet("Ann", (7, 0), ("A",)),), ("Bob",))
    assert receipt.verdicts == (verdict(RIGHT), verdict(WRONG), Verdict(0, "", Status.WARNING, "mind"))
    assert receipt.filed
    assert receipt.defaults == ("Two are left.",)


def test_a_sheet_can_have_other_lines_than_the_letter() -> None:
    receipt = receive_sheet(Position(), MAIL, SheetPolicy(), Checked((RIGHT,), filed=("A", "to B")))
    assert receipt.position.sheets[0].lines == ("A", "to B")


@pytest.mark.parametrize(
    ("policy", "checked", "why"),
    [
        (SheetPolicy(errors="refuse_mail"), Checked((RIGHT, WRONG)), "the whole mail is refused because of 1 wrong line."),
        (SheetPolicy(), Checked((WRONG,)), "no line of this mail was accepted."),
        (SheetPolicy(), Checked((RIGHT,), why_not="a ship is missing"), "a ship is missing."),
    ],
)
def test_what_is_not_filed_changes_nothing(policy: SheetPolicy, checked: Checked, why: str) -> None:
    receipt = receive_sheet(Position(missed=("Ann",)), MAIL, policy, checked)
    assert (receipt.position, receipt.filed) == (Position(missed=("Ann",)), False)
    assert receipt.verdicts == (*checked.verdicts, Verdict(0, "", Status.ERROR, why))


def test_a_letter_can_be_refused_as_a_whole() -> None:
    position = Position()
    assert not_taken(position, "it is empty", (verdict(RIGHT),), "empty").verdicts == (
        verdict(RIGHT),
        Verdict(0, "", Status.ERROR, "it is empty.", code="empty"),
    )
    assert closed(position, "the game is over").verdicts[0].message == "the game is over; orders are not taken any more."


def test_whoever_has_sent_orders_or_missed_is_not_awaited() -> None:
    position = Position((Sheet("Ann", (7, 0), ()),), ("Bob",))
    assert still_awaited(position, ("Ann", "Bob", "Cid", "Dan")) == ("Cid", "Dan")


def test_a_missed_deadline_is_noted_once() -> None:
    position = Position(missed=("Bob",))
    assert note_missed(position, "Cid", ("Cid",)).position == Position(missed=("Bob", "Cid"))
    assert note_missed(position, "Bob", ("Cid",)).position is position
