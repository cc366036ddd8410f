"""Results as JSON and CSV, for programs."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from pbmd.results.ratings import MEANING
from pbmd.results.table import PlayerResult, RulesetResults

COLUMNS = (
    "ruleset", "player", "games", "first", "second", "third", "lower", "wins", "draws", "missed_steps", "steps", "rating",
    "uncertainty",
)  # fmt: skip


def as_document(results: Sequence[RulesetResults]) -> dict[str, Any]:
    """All of it for JSON: players in the order of their ratings, games the last first."""
    return {
        "rating": MEANING,
        "rulesets": [
            {
                "ruleset": of.ruleset,
                "title": of.title,
                "players": [_row(of.ruleset, player) for player in of.players],
                "games": [
                    {
                        "game": game.name,
                        "ended": game.ended,
                        "seats": [
                            {
                                "seat": seat.seat,
                                "place": seat.place,
                                "won": seat.won,
                                "drew": seat.drew,
                                "player": seat.player or None,
                            }
                            for seat in game.seats
                        ],
                    }
                    for game in of.games
                ],
            }
            for of in results
        ],
    }


def as_csv(results: Sequence[RulesetResults]) -> str:
    """The players, a line each, with a head."""
    text = io.StringIO()
    writer: csv.DictWriter[str] = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_rows(results))
    return text.getvalue()


def _rows(results: Sequence[RulesetResults]) -> Iterator[dict[str, Any]]:
    for of in results:
        for player in of.players:
            yield _row(of.ruleset, player)


def _row(ruleset: str, player: PlayerResult) -> dict[str, Any]:
    values = (
        ruleset,
        player.player,
        player.games,
        *player.places,
        player.wins,
        player.draws,
        player.steps.missed,
        player.steps.all,
        player.rating.strength if player.rating else None,
        player.rating.uncertainty if player.rating else None,
    )
    return dict(zip(COLUMNS, values, strict=True))
