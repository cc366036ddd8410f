"""Several orders in a line, among words: none is lost for what stands before, between or behind them, and none is taken that
may depend on it."""

from dataclasses import replace

import pytest

from pbmd.rules import Status
from pbmd.rules.protocol import IN_PART
from tests.rulesets.diplomacy.letters import begun, filed, sent, understood

ALL = ("A BUD - SER", "F TRI - ALB", "A VIE - GAL")


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize(
    "text",
    [
        "My moves are A Bud - Ser. F Tri - Alb. A Vie - Gal. Thanks, Ann",
        "Here are my orders: A Bud - Ser, F Tri - Alb, A Vie - Gal. Good luck everybody!",
        "For this turn I want A Bud - Ser, F Tri - Alb and A Vie - Gal. See you.",
        "Hello, this is Ann. A Bud - Ser. F Tri - Alb. A Vie - Gal. Bye, Ann",
        "Spring 1901: A Bud - Ser, F Tri - Alb, A Vie - Gal",
        "S1901: A Bud - Ser, F Tri - Alb, A Vie - Gal",
        "Orders for turn 1, s01: A Bud - Ser, F Tri - Alb, A Vie - Gal",
        "Hello. My orders for spring 1901 are: army Bud to Ser, fleet Tri to Alb and army Vie to Gal. Thanks!",
        "Austria: A Bud - Ser, F Tri - Alb, A Vie - Gal. No press.",
        "Bonjour. Voici mes ordres. A Bud - Ser ; F Tri - Alb ; A Vie - Gal. Merci.",
        "1. A Bud - Ser 2. F Tri - Alb 3. A Vie - Gal",
        "A Bud - Ser; F Tri - Alb; A Vie - Gal; Ann",
        "A Bud - Ser. F Tri - Alb. A Vie - Gal. P.S. see you",
        "I'd like the army in Budapest to move to Serbia. Fleet Trieste should go to Albania. Finally, Vie goes to Gal.",
        "Hi GM, A Bud - Ser, F Tri - Alb, A Vie - Gal please.",
        "First A Bud - Ser. Then F Tri - Alb. Lastly A Vie - Gal.",
    ],
)
def test_words_around_orders_cost_none(text: str) -> None:
    (verdict,) = sent(begun(), "Austria", text).verdicts
    assert tuple(verdict.canonical.split("; ")) == ALL, verdict
    assert verdict.code != IN_PART


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize(
    ("text", "orders", "wrong"),
    [
        ("A Bud - Ser, F Tri - Lonn, A Vie - Gal", "A BUD - SER; A VIE - GAL", "F Tri - Lonn"),
        ("A Bud - Ser. Fleet stays. A Vie - Gal", "A BUD - SER; A VIE - GAL", "Fleet stays"),
        ("Hello. A Bud - Ser, F Tri - Atlantis. Thanks", "A BUD - SER", "F Tri - Atlantis"),
        ("A Bud - Ser. The army should move. A Vie - Gal", "A BUD - SER; A VIE - GAL", "The army should move"),
        ("A Bud - Ser, but not now. A Vie - Gal", "A BUD - SER; A VIE - GAL", "but not now"),
        ("A Bud - Ser. Trieste holds out. A Vie - Gal", "A BUD - SER; A VIE - GAL", "Trieste holds out"),
        ("A Bud - Ser, good luck Italy, A Vie - Gal", "A BUD - SER; A VIE - GAL", "good luck Italy"),
    ],
)
def test_of_several_orders_a_wrong_one_is_told_apart(text: str, orders: str, wrong: str) -> None:
    (verdict,) = sent(begun(), "Austria", text).verdicts
    assert (verdict.canonical, verdict.status, verdict.code) == (orders, Status.WARNING, IN_PART)
    assert f'not taken is "{wrong}"' in verdict.message


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize(
    "text",
    [
        "If Italy attacks A Bud - Ser, F Tri - Alb", "Wenn Italien kommt A Bud - Ser, F Tri - Alb",
        "Falls der Nachbar angreift, A Bud - Ser. F Tri - Alb", "A Bud - Ser, F Tri - Alb if possible. A Vie - Gal",
        "A Bud - Ser, but not if Italy attacks. F Tri - Alb", "Hello. If he comes: A Bud - Ser. F Tri - Alb",
        "Nicht: A Bud - Ser", "Pas A Bud - Ser. F Tri - Alb", "Si possible : A Bud - Ser, F Tri - Alb",
        "Se lo vedo venire A Bud - Ser. F Tri - Alb", "Wenn Italien angreift: A Bud - Ser, F Tri - Alb. Danke",
    ],
)  # fmt: skip
def test_orders_that_may_depend_on_words_are_refused_with_their_line(text: str) -> None:
    (verdict, *_) = sent(begun(), "Austria", text).verdicts
    assert (verdict.status, verdict.canonical) == (Status.ERROR, ""), verdict
    assert "cannot depend on anything" in verdict.message


@pytest.mark.rule("DI-20", "DI-93")
@pytest.mark.parametrize(
    "text", ["A Bud - Ser, others hold", "The rest holds, A Bud - Ser", "A Bud - Ser. Everything else holds. Thanks!"]
)
def test_the_rest_of_the_units_are_those_without_an_order_in_the_line(text: str) -> None:
    assert set(filed(begun(), "Austria", text)) == {"A BUD - SER", "A VIE H", "F TRI H"}


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize(
    ("text", "talk"),
    [
        ("A Bud - Ser; good luck Italy; F Tri - Alb; A Vie - Gal", "good luck Italy"),
        ("A Bud - Ser; wait for Italy; F Tri - Alb; A Vie - Gal", "wait for Italy"),
        ("Italy! A Bud - Ser, F Tri - Alb, A Vie - Gal", "Italy"),
        ("A Bud - Ser, F Tri - Alb, A Vie - Gal. Italy will not like it.", "Italy will not like it"),
        ("Dear Paul, A Bud - Ser, F Tri - Alb, A Vie - Gal. Yours, Austria", "Austria"),
        ("A Bud - Ser, F Tri - Alb, A Vie - Gal, may the best man win", "may the best man win"),
        ("May the best man win. A Bud - Ser, F Tri - Alb, A Vie - Gal", "May the best man win"),
        ("A Bud - Ser, F Tri - Alb, A Vie - Gal. That is all.", "That is all"),
        ("A Bud - Ser, F Tri - Alb, A Vie - Gal. See you in Vienna next year!", "See you in Vienna next year"),
        ("A Bud - Ser. Italy is to leave me alone. F Tri - Alb. A Vie - Gal", "Italy is to leave me alone"),
        ("Sorry for the delay. A Bud - Ser, F Tri - Alb, A Vie - Gal", "Sorry for the delay"),
        ("A Bud - Ser, F Tri - Alb, A Vie - Gal. Sorry for the delay.", "Sorry for the delay"),
        ("Oops, A Bud - Ser, F Tri - Alb, A Vie - Gal", "Oops"),
        ("I would like A Bud - Ser, F Tri - Alb, A Vie - Gal", "I would like"),
        ("Orders of 29 November 2026: A Bud - Ser, F Tri - Alb, A Vie - Gal", "Orders of 29 November 2026:"),
    ],
)
def test_talk_is_no_part_that_is_refused(text: str, talk: str) -> None:
    (verdict,) = sent(begun(), "Austria", text).verdicts
    assert tuple(verdict.canonical.split("; ")) == ALL, verdict
    assert (verdict.status, verdict.code) == (Status.WARNING, "")
    assert f'not read: "{talk}"' in verdict.message


def _refused(text: str, why: str) -> None:
    receipt = sent(begun(), "Austria", text)
    (verdict,) = [each for each in receipt.verdicts if each.line]
    assert (verdict.status, verdict.canonical) == (Status.ERROR, ""), verdict
    assert why in verdict.message
    assert receipt.position.sheets == ()


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize(
    "text",
    [
        "A Vie - Gal, or A Vie - Tyr", "A Vie - Gal. Or A Vie - Tyr", "A Vie - Gal, A Bud - Ser, or F Tri - Ven",
        "Sooner or later: A Vie - Gal, F Tri - Alb", "A Vie - Gal, F Tri - Alb, or so",
    ],
)  # fmt: skip
def test_a_choice_between_orders_is_no_order(text: str) -> None:
    _refused(text, "cannot depend on a choice")


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize(
    "text",
    [
        "Turn 2: A Vie - Gal, F Tri - Alb", "My orders for turn 9: A Vie - Gal", "F1901: A Vie - Gal, F Tri - Alb",
        "Next turn: A Vie - Gal, F Tri - Alb", "Next season A Vie - Gal, F Tri - Alb", "A Vie - Gal. Next turn A Bud - Ser",
        "In the fall I would like: A Vie - Gal, F Tri - Alb", "My last orders: A Vie - Gal, F Tri - Alb",
        "As last turn: A Vie - Gal, F Tri - Alb", "Fall 1901: A Vie - Gal, F Tri - Alb", "Spring 1902: A Vie - Gal",
        "In the fall. A Vie - Gal, F Tri - Alb", "Winter, A Vie - Gal, F Tri - Alb", "A Vie - Gal, F Tri - Alb, in the fall",
        "A Vie - Gal, F Tri - Alb. These are for next turn.", "A Vie - Gal (next turn)",
    ],
)  # fmt: skip
def test_orders_for_another_time_are_not_taken_for_this_one(text: str) -> None:
    _refused(text, "another time")


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize(
    "text", ["Should I move A Vie - Gal, F Tri - Alb", "May A Vie - Gal, F Tri - Alb", "I would move A Vie - Gal, F Tri - Alb"]
)
def test_what_is_asked_or_only_might_be_is_no_announcement(text: str) -> None:
    _refused(text, "cannot depend on anything")


@pytest.mark.rule("DI-93", "DI-96")
def test_orders_of_a_season_are_announced_in_that_season_only() -> None:
    autumn = replace(begun(), phase="autumn moves")
    for text in ("Fall 1901: A Vie - Gal, F Tri - Alb", "My fall orders: A Vie - Gal, F Tri - Alb"):
        assert filed(autumn, "Austria", text) == ("A VIE - GAL", "F TRI - ALB")
    heading = "My fall orders:\nA Vie - Gal\nF Tri - Alb\n\nMoves:\nA Bud - Ser"
    below = sent(begun(), "Austria", heading)
    assert below.position.sheets[0].lines == ("A BUD - SER",)
    assert [verdict.status for verdict in below.verdicts] == [Status.ERROR, Status.ERROR, Status.OK]
    _refused("My fall orders: A Vie - Gal, F Tri - Alb", "another season")


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize(
    "text",
    [
        "A Vie - Gal, F Tri - Alb. Ignore this order.", "A Vie - Gal, F Tri - Alb, undo the last one",
        "A Vie - Gal. Cancel that. A Vie - Tyr", "A Vie - Gal, sorry, A Vie - Tyr", "A Vie - Gal. No wait, A Vie - Tyr",
        "A Vie - Gal. Scrap that.", "A Vie - Gal, forget it", "Cancel, A Vie - Gal", "Ignore: A Vie - Gal",
        "A Vie - Gal. Oops.", "A Vie - Gal, F Tri - Alb. I meant the other one.", "A Vie - Gal. Sorry, not that.",
    ],
)  # fmt: skip
def test_an_order_that_is_taken_back_in_its_line_is_not_followed(text: str) -> None:
    _refused(text, "may be taken back")


@pytest.mark.rule("DI-93", "DI-97")
@pytest.mark.parametrize("text", ["A Vie - Gal (ignore this)", "A Vie - Gal (scrap that)"])
def test_nor_is_one_that_is_taken_back_in_brackets(text: str) -> None:
    _refused(text, "there is no province")


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize(
    "text",
    [
        "A Vie - Gal, ok?", "A Vie - Gal (ok?)", "A Vie - Gal (okay?)", "A Vie - Gal, right?", "A Vie - Gal, all right?",
        "A Vie - Gal OK?", "A Vie - Gal. Alright?",
    ],
)  # fmt: skip
def test_an_ok_behind_orders_is_no_question(text: str) -> None:
    assert understood(begun(), "Austria", text) == "A VIE - GAL"


@pytest.mark.rule("DI-93")
@pytest.mark.parametrize(
    "text",
    [
        "A Vie-Gal F Tri-Alb A Bud-Ser?", "A Vie - Gal?", "Is A Vie - Gal ok?", "A Vie - Gal, is that right?",
        "A Vie - Gal, not ok?", "Should I A Vie - Gal, ok?",
    ],
)  # fmt: skip
def test_what_is_asked_is_no_order(text: str) -> None:
    _refused(text, "as a question")


@pytest.mark.rule("DI-96")
@pytest.mark.parametrize(
    "condition",
    [
        "If not dislodged", "If Italy is not dislodged", "If Venice is dislodged", "If I am not dislodged",
        "When Italy must retreat", "If I do not have to retreat", "If no retreats are needed",
    ],
)  # fmt: skip
def test_a_condition_is_no_heading_of_retreats(condition: str) -> None:
    """What stands below one the desk keeps from the rules; these must refuse the condition itself for that."""
    first, *_ = sent(begun(), "Austria", f"{condition}:\nA Vie - Tyr").verdicts
    assert first.status is Status.ERROR
    _refused(f"{condition}: A Vie - Tyr, F Tri - Ven", "cannot depend on anything")


@pytest.mark.rule("DI-96")
@pytest.mark.parametrize(
    "heading",
    [
        "If dislodged",
        "When dislodged",
        "If I am dislodged",
        "If my unit is dislodged",
        "If I have to retreat",
        "If they're dislodged",
    ],
)
def test_that_ones_own_units_are_dislodged_is_a_heading_of_retreats(heading: str) -> None:
    assert filed(begun(), "Austria", f"{heading}:\nA Vie - Tyr") == ("A VIE R TYR",)
    assert filed(begun(), "Austria", f"{heading}: A Vie - Tyr") == ("A VIE R TYR",)
