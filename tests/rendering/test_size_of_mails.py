"""A report mail has 120 kilobytes at most, also late in a game, with the picture as pbmd draws it."""

from datetime import UTC, datetime

import pytest

from pbmd.post.compose import Attachment, Inline, Outgoing, compose
from pbmd.rendering.palette import ROOM
from pbmd.rendering.picture import content_id, inline_image, map_svg, svg_png
from pbmd.rendering.render import report_html, report_text
from pbmd.rules import seat_reader
from pbmd.rules.registry import get, slugs
from tests.rulesets.random_games import steps

MOST = 120_000
AROUND = 8_000
"""More than what the desk writes around a report: what is due, receipts, the foot with its values and the signed head, once as
text and once as HTML."""
TURNS = {"local_cluster": 24, "starship_squadrons": 7, "diplomacy": 6}


@pytest.mark.in_turn(3)
@pytest.mark.usefixtures("full_size_pictures")
@pytest.mark.parametrize("slug", slugs())
def test_late_in_a_game_it_is_no_larger(slug: str) -> None:
    rules = get(slug)
    position, events = [*steps(rules, 1, TURNS.get(slug, 16))][-1]
    seat = rules.seats(position)[0]
    view, form = rules.view(position, events, seat_reader(seat)), rules.order_form(position, seat)
    svg = map_svg(view)
    png = svg_png(svg) if svg else b""
    assert len(png) <= ROOM
    cid = content_id(svg or "")
    mail = Outgoing(
        *("pbmd", "games@pbmd.test", seat, "ann@players.test", "games@pbmd.test", "report", "<1@pbmd.test>"),
        *(datetime(2026, 11, 20, tzinfo=UTC), "", (), "auto-generated", "", "games@pbmd.test"),
        report_text(rules, view) + form,
        html=report_html(rules, view, inline_image(png, cid, svg) if svg else "") + form,
        inline=(Inline(cid, Attachment("map.png", "image/png", png)),) if svg else (),
    )
    assert len(compose(mail)) + AROUND <= MOST
