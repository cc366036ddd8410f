"""What the terms say of players who are away, in words."""

from pbmd.terms.terms import Terms


def substitute_rule(terms: Terms) -> str:
    """For how long somebody else may play a seat; empty if nobody may."""
    if not terms.substitute_days:
        return ""
    days = f"{terms.substitute_days} days at a time" if terms.substitute_days > 1 else "a day"
    return f"Whoever is away can have a substitute for up to {days} (HELP SUBSTITUTE)."
