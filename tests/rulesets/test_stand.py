"""Where everybody stands, in every game: two sentences in each view, with numbers of the position."""

import re
from functools import cache

import pytest

from pbmd.reports.render import report_html, report_text
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
def test_each_report_begins_with_how_its_reader_stands(slug: str) -> None:
    rules = get(slug)
    for position, events in game(slug):
        for reader in (PUBLIC, *map(seat_reader, rules.seats(position))):
            view = rules.view(position, events, reader)
            stand, heading = view.data["stand"], "How you stand" if reader.seat else "How it stands"
            told = f"{stand['aim']} {stand['place']}"
            assert words(report_text(rules, view)).startswith(f"{heading.upper()} {told}")
            assert report_html(rules, view).partition("</h2>")[0].endswith(f">{heading}")
            assert re.search(r"\d", told)
            assert not YOU.search(stand["aim"])
            assert reader.seat or not YOU.search(stand["place"])


@pytest.mark.parametrize("slug", SLUGS)
def test_whoever_plays_is_told_where_they_stand(slug: str) -> None:
    rules = get(slug)
    position, events = game(slug)[0]
    for seat in rules.seats(position):
        assert YOU.search(rules.view(position, events, seat_reader(seat)).data["stand"]["place"])
