"""What became of the reader, in every game that tells it: first in the report, to the seat alone, and nothing of mails."""

import re

import pytest

from pbmd.rendering.render import html_parts, text_parts
from pbmd.rules import PUBLIC, View, seat_reader
from pbmd.rules.registry import get
from tests.rulesets.random_games import SLUGS, steps

MAIL = re.compile(r"\b(sent no orders|no orders of yours|receipt \d)", re.IGNORECASE)


def views(slug: str) -> list[View]:
    rules = get(slug)
    return [
        rules.view(position, events, reader)
        for position, events in steps(rules, 3, 4)
        for reader in (PUBLIC, *map(seat_reader, rules.seats(position)))
    ]


def words(text: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


@pytest.mark.parametrize("slug", SLUGS)
def test_each_order_stands_first_with_its_result(slug: str) -> None:
    told = [view for view in views(slug) if view.data["you"]]
    assert told
    for view in told:
        assert view.reader.kind == "seat"
        text = words(text_parts(get(slug), view).you)
        for line, result in view.data["you"]["orders"]:
            assert f"{words(line)} {words(result)}".strip() in text


@pytest.mark.parametrize("slug", SLUGS)
def test_what_became_of_a_mail_the_desk_tells_alone(slug: str) -> None:
    for view in views(slug):
        if view.reader.kind == "seat" and view.data.get("you"):
            assert not MAIL.search(text_parts(get(slug), view).you)
            assert not MAIL.search(words(html_parts(get(slug), view).you))
