"""Positions that no game need come to: units anywhere, in any phase, on any map."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from pbmd.rules import Document
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.world.board import Board, board

PHASES = ("spring moves", "spring retreats", "autumn moves", "autumn retreats", "winter")


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """A position document that `load` accepts, in which somebody can act."""
    name = draw(st.sampled_from(ruleset.info.options["map"].choices))
    here = board(name)
    phase = draw(st.sampled_from(PHASES))
    powers: list[dict[str, Any]] = [{"name": power, "units": [], "centres": []} for power in here.by_power]
    for province in draw(st.lists(st.sampled_from(sorted(here.by_id)), unique=True, min_size=4, max_size=24)):
        draw(st.sampled_from(powers))["units"].append(_unit(draw, here, province))
    for centre in here.centres:
        owner = draw(st.sampled_from([None, *powers]))
        if owner is not None and len(owner["centres"]) < here.victory_centres - 1:
            owner["centres"].append(centre)
    if phase.endswith("retreats"):
        _dislodge(draw, here, powers)
    seats = draw(st.permutations(list(here.by_power)))[: draw(st.integers(2, len(here.by_power)))]
    left = draw(st.lists(st.sampled_from(seats), unique=True, max_size=len(seats) - 1))
    return {
        "ruleset": "diplomacy",
        "turn": draw(st.integers(1, 30)),
        "phase": phase,
        "options": {"map": name, "votes": draw(st.sampled_from(["secret", "open"]))},
        "seats": seats,
        "left": left,
        "powers": powers,
    }


def _unit(draw: st.DrawFn, here: Board, province: str) -> str:
    """An army or a fleet that can be there."""
    places = [f"F {place}" for place in here.fleet_reach if place[:3] == province]
    if here.by_id[province].kind != "sea":
        places.append(f"A {province}")
    return draw(st.sampled_from(places))


def _dislodge(draw: st.DrawFn, here: Board, powers: list[dict[str, Any]]) -> None:
    """Some units were dislodged by others that stand in their places now."""
    taken = {unit[2:5] for power in powers for unit in power["units"]}
    for province in sorted(taken)[: draw(st.integers(1, 4))]:
        unit = _unit(draw, here, province)
        reach = (here.army_reach if unit[0] == "A" else here.fleet_reach)[unit[2:]]
        free = [place for place in reach if place[:3] not in taken]
        others = [power for power in powers if not any(each[2:5] == province for each in power["units"])]
        if free and others:
            entry = {"unit": unit, "by": draw(st.sampled_from(sorted(here.by_id))), "retreats": free}
            draw(st.sampled_from(others)).setdefault("dislodged", []).append(entry)
