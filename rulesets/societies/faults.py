"""What can be wrong with an order line."""


class Fault(Exception):
    """An order that the rules do not allow: the code of the specification, a sentence for the player, and a right line."""

    def __init__(self, code: str, problem: str, example: str = "") -> None:
        super().__init__(f"{problem}, for example: {example}" if example else problem)
        self.code = code
