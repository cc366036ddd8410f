"""The options of a game, read from ``ruleset.toml``."""

import importlib.resources
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pbmd.rules import OptionError, RulesetInfo, read_info
from pbmd.rules.codec import Given
from pbmd.rules.options import is_file_text, options_of

from .world.board import Board, board
from .world.map_faults import map_faults

INFO: RulesetInfo = read_info(importlib.resources.files(__package__ or __name__))


@dataclass(frozen=True, slots=True)
class GameOptions:
    """All options of a game, checked and complete."""

    map: str
    land_fallback: bool
    removal_distance: Literal["owned", "home"]
    votes: Literal["secret", "open"]
    last_year: int

    @property
    def board(self) -> Board:
        """The map itself."""
        return board(self.map)


@lru_cache(maxsize=64)
def game_options(given: Given) -> GameOptions:
    """The chosen options, with defaults for the others. Raises `OptionError`."""
    options = options_of(INFO.options, GameOptions, given)
    if is_file_text(options.map) and (faults := map_faults(options.map)):
        raise OptionError(f'option "map": {"; ".join(faults)}')
    if 0 < options.last_year < options.board.year:
        raise OptionError(f'option "last_year" is 0, or a year from {options.board.year} on, not {options.last_year}')
    return options
