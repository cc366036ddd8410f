"""Rulesets for the commands with which their authors examine them, and where in them something is made."""

import json
from typing import Any

from pbmd.cli.rulesets import ruleset_named, shown_place
from pbmd.conformance.watched_ruleset import place_of, typed
from pbmd.rendering.map_parts import MapError
from pbmd.rules import Document, Ruleset
from pbmd.rules.troubles import BrokenGame, in_a_line, place_in_files, read_back


def looked_at(name: str) -> Ruleset[Any]:
    """As `ruleset_named`; each function raises `WrongReturnError` for what is not of the type that the protocol asks for."""
    return typed(ruleset_named(name))


def told_of(rules: Ruleset[Any], trouble: BaseException) -> str:
    """What was raised while a ruleset was at work: where in its files, if it was there, and what."""
    cause = trouble.__cause__ if isinstance(trouble, BrokenGame) else None
    if isinstance(cause, Exception):
        trouble = cause
    if isinstance(trouble, MapError):
        return f"{trouble}{made_in(rules, 'view')}"
    place = place_in_files(trouble)
    return f"{shown_place(place)}: {in_a_line(trouble)}" if place else in_a_line(trouble)


def made_in(rules: Ruleset[Any], function: str) -> str:
    """Where that function of a ruleset is, to follow the words about its wrong result."""
    place = place_of(rules, function)
    return f" ({shown_place(place)})" if place else ""


def not_read_back(rules: Ruleset[Any], position: Any, document: Document) -> str:
    """Why pbmd could not store a position: a sentence with the place in the ruleset; empty if it could."""
    try:
        read_back("", rules, position, json.dumps(document))
    except BrokenGame as problem:
        if problem.__cause__:
            return f"load does not read what dump has written: {told_of(rules, problem)}"
        return f"{problem.trouble}{made_in(rules, 'load')}"
    except (TypeError, ValueError) as problem:
        return f"what dump gives cannot be JSON: {problem}{made_in(rules, 'dump')}"
    return ""
