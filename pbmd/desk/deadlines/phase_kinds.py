"""Kinds of phases that terms name and no rules have, because the word is mistyped or the rules are another version: such terms
would count for nothing, without a word."""

import difflib
from collections.abc import Iterable, Mapping

from pbmd.desk.books.desk import Desk
from pbmd.rules import registry
from pbmd.rules.info import RulesetInfo
from pbmd.rules.protocol import Refused
from pbmd.rules.registry import UnknownRuleset
from pbmd.rules.words import listing


def unknown_kinds(info: RulesetInfo, kinds: Iterable[str]) -> list[str]:
    """What is wrong with each of these kinds that the rules do not have."""
    there = f"it has {listing(info.phases)}" if info.phases else "all its steps have the same terms"
    return [f'{info.title} has no phases of the kind "{kind}"; {there}' for kind in kinds if kind not in info.phases]


def unknown_in_settings(desk: Desk) -> list[str]:
    """What is wrong with each kind that the settings have terms for, and none of the rulesets that can be read."""
    wanted = desk.settings.game.phases
    there = _kinds(desk) if wanted else {}
    known = dict.fromkeys(kind for kinds in there.values() for kind in kinds)
    told = "; ".join(f"{title} has {listing(kinds)}" for title, kinds in there.items()) or "no ruleset has any"
    return [
        f"[game.phases.{kind}] in the settings: no ruleset has phases of that kind{_hint(kind, known)}; {told}"
        for kind in wanted
        if kind not in known
    ]


def must_be_kinds_of_rules(desk: Desk) -> None:
    """Raises `Refused` if the settings have terms for a kind of phases that nobody has: the game master means something that
    the game would not get."""
    if wrong := unknown_in_settings(desk):
        raise Refused(wrong[0])


def _hint(kind: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(kind, known, n=1)
    return f' (did you mean "{near[0]}"?)' if near else ""


def _kinds(desk: Desk) -> Mapping[str, tuple[str, ...]]:
    """The kinds of phases of all rulesets that have any, by their titles."""
    found: dict[str, tuple[str, ...]] = {}
    for slug in sorted({*registry.slugs(), *(folder.name for folder in desk.settings.rulesets), *desk.rules}):
        try:
            info = desk.ruleset(slug).info
        except UnknownRuleset:  # that it cannot be read is told elsewhere
            continue
        if info.phases:
            found[info.title] = info.phases
    return found
