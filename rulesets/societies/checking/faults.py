"""What can be wrong with an order line."""


class Fault(Exception):
    """An order that the rules do not allow: the code of the specification, and a sentence for the player.

    `example` is a right line where it is not simply one of the same kind.
    """

    def __init__(self, code: str, problem: str, example: str = "") -> None:
        super().__init__(problem)
        self.code = code
        self.problem = problem
        self.example = example
