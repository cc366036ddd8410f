"""The map in words: what borders on what, for readers without the picture, and for programs."""

from functools import lru_cache
from typing import Any

from ..world.board import Province, board


@lru_cache(maxsize=8)
def gazetteer(name: str) -> list[dict[str, Any]]:
    """The provinces of the board of that name by their ids: what each is, and where armies and fleets can go from it. A fleet
    goes from the coast that is named, "" where there is but one."""
    return [_told(province) for province in sorted(board(name).provinces, key=lambda each: each.id)]


def _told(province: Province) -> dict[str, Any]:
    coasts = {"": province.fleet} if isinstance(province.fleet, tuple) else province.fleet
    return {
        "id": province.id,
        "name": province.name,
        "kind": province.kind,
        "centre": province.centre,
        "army": list(province.army),
        "fleet": {coast: list(reach) for coast, reach in coasts.items() if reach},
    }
