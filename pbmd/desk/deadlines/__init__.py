"""The time of a step: who is awaited, on which evidence it is over, when to look again."""
