"""How fast a game goes, in words for somebody who begins to play."""

from pbmd.desk.books.transaction import OpenGame
from pbmd.desk.deadlines.forecast import all_in_words, kept_open_words
from pbmd.rules.words import listing
from pbmd.terms.phases import phase_words, rule_in_short
from pbmd.terms.quiet_days import named_days
from pbmd.terms.sleepers import sleeper_rule, step_of
from pbmd.terms.substitutes import substitute_rule
from pbmd.terms.terms import BY_RULES, Terms
from pbmd.terms.times import TimeError, describe_duration, rule_length


def deadlines_in_short(table: OpenGame) -> str:
    """The rule of deadlines in a few words."""
    terms = table.terms
    if terms.phases:
        return "; ".join(f"{kind} {rule_in_short(terms.of_phase(kind).deadline)}" for kind in table.ruleset.info.phases)
    try:
        return f"{describe_duration(rule_length(terms.deadline))} for each {'move' if table.ruleset.sequential else 'turn'}"
    except TimeError:
        return "as the rules recommend" if terms.deadline == BY_RULES else terms.deadline


def pace_words(table: OpenGame) -> str:
    """The rule of deadlines, when a turn ends before its deadline, the days on which none falls, what becomes of a seat that
    misses too much, and who may play it for a while."""
    terms = table.terms
    sleepers = sleeper_rule(terms, step_of(table.ruleset.info.timing))
    return " ".join(filter(None, (_pace(table), _quiet_rule(terms), sleepers, substitute_rule(terms))))


def _quiet_rule(terms: Terms) -> str:
    weekdays, holidays = named_days(terms)
    days = listing([*weekdays, *holidays], "or")
    return f"No deadline falls on {days} ({terms.quiet_zone or 'UTC'})." if days else ""


def _pace(table: OpenGame) -> str:
    terms, what = table.terms, "a move" if table.ruleset.sequential else "the orders of a turn"
    if words := phase_words(terms, table.ruleset.info.phases):
        return f"Each kind of phases has its own time. {words} {kept_open_words(terms)}".rstrip()
    try:
        each = "move" if table.ruleset.sequential else "turn"
        due = f"You have {describe_duration(rule_length(terms.deadline))} for each {each}, counted from its report."
    except TimeError:
        due = (
            f"The time for {what} is what the rules recommend, and each report names the deadline."
            if terms.deadline == BY_RULES
            else f"Deadlines are {terms.deadline}."
        )
    if table.ruleset.sequential:
        return f"Players move one after another. {due} A move counts as soon as it is there, and the next player's time begins."
    return f"{due} {all_in_words(terms)} {kept_open_words(terms)}".rstrip()
