"""What an order form offers to whoever fills it in."""

from pbmd.rules.forms import Offered, offered


def test_of_a_form_are_taken_the_lines_that_go_together_and_those_that_stand_alone() -> None:
    form = "## Day 3.\n# MOVE A\n# FIRE B\n\n## Or one of these:\n# HOLD\n# WAIT 2"
    assert offered(form) == Offered(("Day 3.", "Or one of these:"), ("MOVE A", "FIRE B"), ("HOLD", "WAIT 2"))
    assert offered(form).letters == ["MOVE A\nFIRE B", "HOLD", "WAIT 2"]


def test_a_form_without_orders_offers_nothing() -> None:
    assert offered("## Nothing to do.").letters == []
