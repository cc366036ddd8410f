"""What happens in the samples besides orders: for every ruleset how its game is made short, and who writes what, when.

Together they have what an old archive can have: press of every kind, a resignation, a seat that changes hands, a turn that is
played again, options changed in mid-game, each at least once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

GM = -1
"""Who masters the game, where a place at the table is asked for."""


@dataclass(frozen=True, slots=True)
class Plot:
    """How a sample is played, with what `options` of the rules and what `terms` unlike the usual.

    `letters`: before which round who writes, by their place in the order of sign-up, and what; who is asked something then
    says yes. From round `tired` on all but the first player put `farewell` before their orders. In what is written
    ``{seats[0]}`` is the first seat. Lines with `left_out` are not sent. `has`: the kinds of journal entries that the game
    must have."""

    players: int = 3
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    terms: Mapping[str, Any] = field(default_factory=dict[str, Any])
    letters: Mapping[int, tuple[tuple[int, str], ...]] = field(default_factory=dict[int, tuple[tuple[int, str], ...]])
    tired: int = 0
    farewell: str = ""
    left_out: str | None = None
    has: frozenset[str] = frozenset()


PLOTS: Mapping[str, Plot] = {
    "cosmic_conquest": Plot(
        letters={
            1: ((0, "PRESS TO {seats[1]}\nThe others are growing. Shall we?\nEND PRESS"),),
            4: ((2, "RESIGN"),),
            2: ((GM, "SET first_overlord_turn 5 because the end is near"),),
        },
        has=frozenset({"press", "resigned", "set"}),
    ),
    "diplomacy": Plot(
        players=7,
        letters={
            1: (
                (0, "PRESS TO {seats[4]}\nA truce in the Adriatic?\nEND PRESS"),
                (4, "PRESS TO {seats[0]}\nAgreed.\nEND PRESS"),
            ),
            5: ((2, "RESIGN"),),
        },
        tired=11,
        farewell="CONCEDE {seats[0]}",
        has=frozenset({"press", "resigned"}),
    ),
    # Where no order of battle is, dice choose one.
    "galactic_overlord": Plot(
        players=6,
        options={"turn_limit": 8, "starting_bp": 70},
        letters={
            2: ((GM, "SET supply_loss_percent 20 because of the drought"),),
            4: ((GM, "ANNOUNCE\nHalf of the game is over.\nEND ANNOUNCE"),),
        },
        left_out=":",
        has=frozenset({"set", "announced"}),
    ),
    "local_cluster": Plot(
        letters={
            2: ((1, "PRESS TO ALL\nWho trades with us?\nEND PRESS"), (GM, "REPLACE {seats[2]} BY newcomer@players.test")),
            7: ((GM, "SET victory_planets 3 because the end is near"),),
        },
        tired=8,
        farewell="Proclaim {seats[0]}",
        has=frozenset({"press", "holder", "set"}),
    ),
    "societies": Plot(
        options={"squares_per_player": 4},
        terms={"anonymous_press": True},
        letters={
            1: ((1, "PRESS TO {seats[0]}\nPeace?\nEND PRESS"), (2, "ANONYMOUS PRESS TO ALL\nBeware of them.\nEND PRESS")),
            3: ((GM, "ROLLBACK TO TURN 2 because of a mistake"), (0, "CANCEL ORDERS")),
            5: ((GM, "SET casualty_rounding up because all asked for it"),),
        },
        tired=9,
        farewell="Concede to {seats[0]}",
        has=frozenset({"press", "rolled-back", "set"}),
    ),
    "starship_squadrons": Plot(
        players=2,
        options={"map": "duel", "day_limit": 4, "damage_model": "labelled"},
        letters={2: ((0, "PRESS TO ALL\nWe shall meet.\nEND PRESS"),)},
        has=frozenset({"press"}),
    ),
}
