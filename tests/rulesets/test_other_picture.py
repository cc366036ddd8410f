"""The page of a mail is made of the kept one, in every game: only the picture is another."""

import pytest
from markupsafe import Markup

from pbmd.rendering.render import html_parts, with_other_picture
from pbmd.rules import PUBLIC, seat_reader
from pbmd.rules.registry import get
from tests.rulesets.random_games import SLUGS, steps

KEPT, SHOWN = Markup('<div style="max-width:1px"><svg><!-- & --></svg></div>'), Markup('<img src="cid:map" alt="">')


@pytest.mark.parametrize("slug", SLUGS)
def test_it_is_the_page_that_would_be_rendered_with_it(slug: str) -> None:
    rules, shown = get(slug), 0
    for position, events in steps(rules, 3, 2):
        for reader in (PUBLIC, *map(seat_reader, rules.seats(position))):
            view = rules.view(position, events, reader)
            kept = html_parts(rules, view, KEPT)
            if made := with_other_picture(kept, KEPT, SHOWN):
                assert made == html_parts(rules, view, SHOWN)
                shown += 1
    assert bool(shown) is rules.info.map


@pytest.mark.parametrize(("before", "after"), [("", SHOWN), (KEPT, ""), (Markup("<svg/>"), SHOWN)])
def test_what_a_template_may_say_otherwise_is_rendered_again(before: Markup, after: Markup) -> None:
    rules = get("cosmic_conquest")
    position, events = next(iter(steps(rules, 3, 1)))
    kept = html_parts(rules, rules.view(position, events, PUBLIC), KEPT)
    assert with_other_picture(kept, before, after) is None


def test_the_same_picture_changes_nothing() -> None:
    rules = get("cosmic_conquest")
    position, events = next(iter(steps(rules, 3, 1)))
    kept = html_parts(rules, rules.view(position, events, PUBLIC), KEPT)
    assert with_other_picture(kept, KEPT, KEPT) is kept
