"""A sheet in the making."""

from dataclasses import dataclass, field

from .lookup import Own
from .state import Player, Position


@dataclass(slots=True)
class Draft:
    """A sheet in the making: what the lines above the next one have ordered. `own` has the fleets of the whole letter."""

    position: Position
    player: Player
    own: Own
    in_view: tuple[str, ...]
    on_file: bool
    placed: int = 0
    placed_ids: set[str] = field(default_factory=set[str])
    remark: list[str] = field(default_factory=list[str])
    refused: int = 0

    @property
    def due(self) -> tuple[str, ...]:
        """The ids of the "?" that the player gets at the end of the day."""
        first = self.player.next_question
        return tuple(f"Q{first + more}" for more in range(self.position.questions_due(self.player.name)))

    @property
    def reserve(self) -> tuple[str, ...]:
        """The ids of the player's "?" in reserve."""
        return tuple(question.id for question in self.own.questions.values() if question.in_reserve)
