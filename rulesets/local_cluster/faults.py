"""What can be wrong with an order line."""


class Fault(Exception):
    """An order that the rules do not allow: the name of the fault for programs, and a sentence for the player.

    `names` are those among which one that was not found may be meant.
    """

    def __init__(self, code: str, problem: str, names: tuple[str, ...] = ()) -> None:
        super().__init__(problem)
        self.code = code
        self.problem = problem
        self.names = names
