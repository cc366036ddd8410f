"""In mails a sentence that ends by itself gets no second full stop, whoever is answered."""

import pytest

from pbmd.desk.mail.draft import render
from tests.desk.world import ADDRESS, World

ENDS = 'there is no such seat. Did you mean "Altair"?'


@pytest.mark.parametrize(
    ("template", "values"),
    [
        ("told.txt", {"seat": "", "game": None, "sentence": f"You have no seat: {ENDS}.", "left_out": ()}),
        ("refused_signup.txt", {"reason": ENDS, "verdicts": (), "last": False, "to_send": "", "open": False, "our_words": ""}),
    ],
)
def test_who_has_no_seat_is_told_with_one_mark(template: str, values: dict[str, object]) -> None:
    assert render(template, values).rstrip().endswith('Did you mean "Altair"?')


def test_a_visitor_is_answered_with_one_mark(world: World) -> None:
    world.open("galaxy-7")
    answer = " ".join(world.send("Deneb", "UNWATCH galaxi-7", to=ADDRESS).split())
    assert "?." not in answer
    assert ".." not in answer
