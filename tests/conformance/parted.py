"""A game of each kind whose Python is parted by subject, as in large rulesets, without `SmallGame`: to plant defects in what
their authors write themselves. The texts stand in ``parted_games``."""

from collections.abc import Iterator
from pathlib import Path

from pbmd.cli.new_ruleset import Kind, written_files

_GAMES = Path(__file__).parent / "parted_games"


def files_of(name: str, kind: Kind) -> Iterator[tuple[Path, str]]:
    """The files of the game of that kind, each with its path within the folder."""
    return written_files(name, kind, _GAMES)
