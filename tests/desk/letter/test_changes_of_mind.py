"""Words beside orders that change them: where orders are final once accepted, nothing is, or a slip would cost the turn."""

import pytest

from tests.desk.letter.test_beside_orders import CLUSTER, CONQUEST, DIPLOMACY, OVERLORD, WHOLE, came_of, written
from tests.doses import some_ruleset

CHANGES = (
    "Scrap that.", "Cancel that.", "Oops, I meant the other one instead", "make that 4", "I mean the other one",
    "On second thought, not this one.", "Sorry, typo: it is the other one", "This is only a draft", "Do not carry this out yet",
    "P.S. not 3 but 4", "Please wait with this until Green has moved", "Edit: 4 of them", "Ignore the above",
    "Not Sol but Vega", "Rather 4 units", "Hold on, not yet", "Delete the first line", "More to follow tomorrow.",
    "The rest later", "... to be continued", "I am not finished yet.", "PS: I may change this later.", "All of this is TBC",
    "Sorry Tom, still to be confirmed", "I am as yet undecided.", "The amounts are provisional", "I may change my mind",
    "These are preliminary until Tom writes back.", "I might revise it after a talk with Tom", "Tentative ideas",
    "The rest will follow.", "More orders tomorrow", "First draft, comments are welcome", "Draft 2",
)  # fmt: skip
SMALL_TALK = (
    "Can't wait for the next turn!", "I'd rather be sailing.", "What could go wrong?", "Don't forget the meeting on Friday.",
    "Sorry for the delay, I did not have time.", "I am not sure that I can make it to the meeting", "With best regards,",
    "If you received this in error, please disregard it.", "If you are not the addressee, do not use or forward it.",
    "and good luck to all", "Oops, almost forgot the deadline!", "Can't wait until the next turn!", "Not perfect, but fun!",
    "Don't take it personally.", "You were wrong!", "Sorry I couldn't make it yesterday.", "If you know what I mean ;-)",
    "Rather cold today.", "Let's make it a good game!", "Please ignore my signature.", "Hold on to your hats!",
    "I should have been in bed hours ago.", "By the way, nice fleet!", "With regards, your Admiral", "To all systems:",
    "Forgive and forget!", "More fun tomorrow, I hope.", "We should talk more soon!", "I'm not done with you yet!",
    "Dinner is TBA.", "My holidays are still tbc", "The date of our meeting is to be confirmed.", "The kids are not done yet.",
    "I am undecided about the beer.", "The war is great, my house is unfinished", "Preliminary results of the cup look great.",
    "Baldness may change my life.", "All the best, and the date of the party is t.b.d.", "Regards, Tom Tentative",
    "More soon!", "More later.", "More to come.", "Regards,\nBill Draft", "Best wishes\nBill Draft",
    "See you over a draft beer!",
)  # fmt: skip


@some_ruleset(WHOLE)
@pytest.mark.parametrize("words", CHANGES)
def test_refuse_orders_that_are_final(slug: str, words: str) -> None:
    came = came_of(slug, written(slug, f"{{0}}\n\n{words}"))
    assert (came.orders, "NOT TAKEN" in came.subject) == ((), True), came.text
    assert "may change your orders" in came.text or words.startswith("Cancel")


@some_ruleset(WHOLE)
@pytest.mark.parametrize("words", SMALL_TALK)
def test_are_no_small_talk(slug: str, words: str) -> None:
    came = came_of(slug, written(slug, f"{{0}}\n\n{words}"))
    assert came.orders == (written(slug, "{0}"),), came.text


@pytest.mark.parametrize("words", CHANGES)
def test_are_told_in_the_subject_where_orders_can_be_sent_again(words: str) -> None:
    came = came_of(OVERLORD, written(OVERLORD, f"{{0}}\n\n{words}"))
    assert came.orders == (written(OVERLORD, "{0}"),), came.text
    assert "words not read" in came.subject or "refused" in came.subject


HEADINGS = ("PRELIMINARY", "Tentative orders", "Provisional orders:", "Draft", "TBC:")


@some_ruleset(WHOLE)
@pytest.mark.parametrize("heading", HEADINGS)
def test_above_orders_refuse_those_that_are_final(slug: str, heading: str) -> None:
    came = came_of(slug, written(slug, f"{heading}\n{{0}}"))
    assert (came.orders, "NOT TAKEN" in came.subject) == ((), True), came.text
    assert "may change your orders" in came.text


@some_ruleset([DIPLOMACY, OVERLORD])
@pytest.mark.parametrize("heading", HEADINGS)
def test_above_orders_are_told_in_the_subject_where_they_can_be_sent_again(slug: str, heading: str) -> None:
    came = came_of(slug, written(slug, f"{heading}\n{{0}}"))
    assert (came.orders, "words not read" in came.subject) == ((written(slug, "{0}"),), True), came.text


@some_ruleset([*WHOLE, DIPLOMACY, OVERLORD, "societies"])
@pytest.mark.parametrize(
    "words",
    ["(tbc)", "(T.B.D.)", "(draft)", "(provisional)", "(probably)", "(preliminary)", "(unsure)", "(tentative)"],
)
def test_in_brackets_behind_an_order_refuse_it(slug: str, words: str) -> None:
    order = "Buy 2 armies" if slug == "societies" else written(slug, "{0}")
    assert came_of(slug, order).orders == (order,)
    assert came_of(slug, f"{order} {words}").orders == ()


@pytest.mark.parametrize("words", ["With the admiral!", "and the admiral leads", "PS: with the admiral"])
def test_may_be_the_rest_of_an_order(words: str) -> None:
    assert came_of(CONQUEST, f"Conquer Kapteyn with 3 units\n\n{words}").orders == ()


def test_in_an_order_are_read_as_they_were() -> None:
    assert came_of(CLUSTER, "Build army at Aquila. No, make that a fleet.").orders == ()
