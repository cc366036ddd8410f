"""What all rulesets do alike with order sheets."""

import pytest

from pbmd.rules import Line, Mail, Refused, Sheet, SheetPolicy, Status, Verdict
from pbmd.rules.sheets import digest, filed, in_arrival_order, is_outdated, refusal, sheet_of, withdrawn

ALTAIR = Sheet("Altair", (1_000, 0), ("Add 3",))
BOREALIS = Sheet("Borealis", (1_000, 1), ())
CYGNUS = Sheet("Cygnus", (999, 7), ("Add 1", "Add 2"))

REPLACE, FINAL = SheetPolicy(later="replace"), SheetPolicy(later="final")
ALL_OR_NOTHING = SheetPolicy(errors="refuse_mail")


def mail(*lines):
    return Mail("Altair", tuple(Line(number, text) for number, text in enumerate(lines, 1)), (2_000, 0))


def verdicts(*statuses):
    return [Verdict(number, "…", status) for number, status in enumerate(statuses, 1)]


def test_sheets_are_in_order_of_arrival_then_of_place_in_the_mailbox():
    assert in_arrival_order([BOREALIS, ALTAIR, CYGNUS]) == (CYGNUS, ALTAIR, BOREALIS)


def test_a_seat_without_sheet_has_none():
    assert sheet_of([ALTAIR], "Borealis") is None
    assert sheet_of([ALTAIR, BOREALIS], "Borealis") == BOREALIS


def test_a_replacement_takes_its_own_later_place():
    sheets = filed((ALTAIR, BOREALIS), "Altair", (2_000, 0), ["Add 9"])
    assert sheets == (BOREALIS, Sheet("Altair", (2_000, 0), ("Add 9",)))


def test_good_lines_count_and_wrong_ones_are_dropped():
    assert refusal(REPLACE, [], mail("Add 3", "Ad 3"), verdicts(Status.OK, Status.ERROR)) is None


def test_a_warning_is_no_refusal():
    assert refusal(ALL_OR_NOTHING, [], mail("Add 3"), verdicts(Status.WARNING)) is None


def test_a_ruleset_may_refuse_the_whole_mail():
    assert refusal(ALL_OR_NOTHING, [], mail("Add 3", "Ad 3"), verdicts(Status.OK, Status.ERROR)) == (
        "the whole mail is refused because of 1 wrong line"
    )
    assert "2 wrong lines" in str(refusal(ALL_OR_NOTHING, [], mail("x", "y"), verdicts(Status.ERROR, Status.ERROR)))


def test_an_empty_mail_is_a_legal_sheet():
    assert refusal(REPLACE, [], mail(), []) is None


def test_a_mail_of_nonsense_files_nothing():
    assert (
        refusal(REPLACE, [ALTAIR], mail("x", "y"), verdicts(Status.ERROR, Status.ERROR)) == "no line of this mail was accepted"
    )


def test_final_orders_are_not_replaced():
    assert refusal(FINAL, [], mail("Add 3"), verdicts(Status.OK)) is None
    assert "orders are final" in str(refusal(FINAL, [ALTAIR], mail("Add 3"), verdicts(Status.OK)))


@pytest.mark.parametrize("policy", [REPLACE, FINAL])
def test_a_letter_that_arrived_before_the_one_in_force_is_not_filed(policy):
    older = Mail("Altair", (Line(1, "Add 3"),), (999, 9))
    assert refusal(policy, [ALTAIR], older, verdicts(Status.OK)) == "a later mail of yours is in force"
    assert refusal(policy, [BOREALIS], older, verdicts(Status.OK)) is None, "other seats' arrivals do not matter"


def test_only_a_sheet_from_a_later_letter_makes_one_outdated():
    arrivals = [(999, 9), (1_000, 0), (1_000, 1)]
    assert [is_outdated([ALTAIR, BOREALIS], "Altair", arrival) for arrival in arrivals] == [True, False, False]


def test_a_sheet_can_be_withdrawn():
    assert withdrawn(REPLACE, (ALTAIR, BOREALIS), "Altair") == (BOREALIS,)


def test_withdrawing_nothing_or_final_orders_is_refused():
    with pytest.raises(Refused, match="no orders in"):
        withdrawn(REPLACE, (BOREALIS,), "Altair")
    with pytest.raises(Refused, match="orders are final"):
        withdrawn(FINAL, (ALTAIR,), "Altair")


def test_the_digest_binds_seats_lines_and_the_order_of_arrival_and_nothing_else():
    first, second = Sheet("Altair", (1_000, 1), ("Add 3",)), Sheet("Borealis", (2_000, 1), ("Add 4",))
    here = digest([first, second])
    assert len(here) == 32
    assert digest([second, first]) == here
    assert digest([first, Sheet("Borealis", (9_000, 7), ("Add 4",))]) == here, "stamps alone change no roll"
    others = [
        [first],
        [Sheet("Altai", first.arrival, first.lines), second],
        [Sheet("Altair", (3_000, 1), first.lines), second],
        [Sheet("Altair", first.arrival, ("Add 4",)), second],
    ]
    assert len({here, *map(digest, others)}) == 5
