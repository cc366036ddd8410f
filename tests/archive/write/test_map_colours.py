"""The colours of seats, read off the maps in an archive."""

from functools import partial

import pytest

from pbmd import simulate
from pbmd.archive.write.map_colours import colours_on
from pbmd.rendering.picture import map_svg
from pbmd.rules import PUBLIC
from pbmd.rules.options import complete
from pbmd.rules.registry import get


@pytest.mark.parametrize("slug", ["cosmic_conquest", "galactic_overlord", "local_cluster", "societies"])
def test_they_are_those_that_the_rules_give_them(slug: str) -> None:
    load = partial(get, slug)
    rules = load()
    options = complete(rules.info.options, {})
    plan = simulate.Plan(load, simulate.usual_players(rules, options), options, seed=1, max_turns=1)
    view = rules.view(simulate.set_up(plan, 0), (), PUBLIC)
    owners = {owner["name"]: owner["colour"] for owner in view.data["map"]["owners"]}
    svg = map_svg(view)
    assert svg
    assert owners
    assert colours_on(svg, [*owners, "Zaphod"]) == owners


LEGEND = (
    '<circle r="5" fill="#111a2e"/><circle r="4" fill="#ee0000"/><text font-weight="bold">R</text><text>Red Giants 3</text>'
)


def svg(inside: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>'


def test_a_name_that_begins_another_is_not_taken_for_it() -> None:
    assert colours_on(svg(LEGEND), ["Red", "Red Giants"]) == {"Red Giants": "#ee0000"}
    assert colours_on(svg(LEGEND), ["Red G", "Giants"]) == {}


@pytest.mark.parametrize(
    "other",
    [
        f"<g>{LEGEND}</g>",  # a place of that name
        "<text>Red Giants 3</text>",
        '<circle fill="#ee0000"/><g/><text>Red Giants</text>',
        '<circle fill="url(#x)"/><text>Red Giants</text>',
    ],
)
def test_what_is_no_legend_has_none(other: str) -> None:
    assert colours_on(svg(other), ["Red Giants"]) == {}


@pytest.mark.parametrize(
    "hostile",
    ["<svg", "", '<!DOCTYPE svg [<!ENTITY a "b">]>' + svg(LEGEND), "<?a b?>" + svg(LEGEND), svg(LEGEND + " " * 5_000_000)],
)
def test_what_is_no_map_has_none(hostile: str) -> None:
    assert colours_on(hostile, ["Red Giants"]) == {}
