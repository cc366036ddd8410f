"""Where everybody stands, in every game: two sentences in each view, with numbers of the position."""

import re
from functools import cache

import pytest

from pbmd.rendering.render import html_parts, text_parts
from pbmd.rules import PUBLIC, seat_reader
from pbmd.rules.registry import get
from tests.rulesets.random_games import SLUGS, Step, steps

YOU = re.compile(r"\byour?\b", re.IGNORECASE)


@cache
def game(slug: str) -> list[Step]:
    rules = get(slug)
    return [step for step in steps(rules, 7, 4) if rules.outcome(step.position) is None]


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("slug", SLUGS)
def test_each_report_says_how_its_reader_stands_before_it_tells_of_the_world(slug: str) -> None:
    rules = get(slug)
    for position, events in game(slug):
        for reader in (PUBLIC, *map(seat_reader, rules.seats(position))):
            view = rules.view(position, events, reader)
            stand = view.data["stand"]
            still = "How the others stand" if view.data.get("out") else "How you stand"
            heading = still if reader.seat else "How it stands"
            told = f"{stand['aim']} {stand['place']}"
            assert words(text_parts(rules, view).rest).startswith(f"{heading.upper()} {told}")
            assert html_parts(rules, view).rest.partition("</h2>")[0].endswith(f">{heading}")
            assert re.search(r"\d", told)
            assert not YOU.search(stand["aim"])
            assert reader.seat or not YOU.search(stand["place"])


@pytest.mark.parametrize("slug", SLUGS)
def test_whoever_plays_is_told_where_they_stand(slug: str) -> None:
    rules = get(slug)
    position, events = game(slug)[0]
    for seat in rules.seats(position):
        assert YOU.search(rules.view(position, events, seat_reader(seat)).data["stand"]["place"])
