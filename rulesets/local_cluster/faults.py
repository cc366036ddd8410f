"""What can be wrong with an order line."""


class Fault(Exception):
    """An order that the rules do not allow: the name of the fault for programs, and a sentence for the player."""

    def __init__(self, code: str, problem: str) -> None:
        super().__init__(problem)
        self.code = code
        self.problem = problem
