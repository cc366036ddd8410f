"""Words of the language of the orders with which people say that an order is not surely meant: parts of patterns, for the end
and the beginning of words (``\\b``), in any case."""

LEFT_OPEN = (
    r"tentative(?:ly)?|provisional(?:ly)?|prelim(?:inary|inarily|s)?|undecided|tb[acd]|t\.b\.[acd]|"
    r"to be (?:confirmed|decided|determined|discussed)"
)
"""What is said of orders that may still change, and of hardly anything else."""
UNSURE = rf"maybe|perhaps|possibly|probably|likely|drafts?|unsure|pending|{LEFT_OPEN}"
"""The same, with words that say so beside an order, and of other things elsewhere."""
