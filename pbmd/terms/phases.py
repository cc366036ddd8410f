"""Terms for phases of one kind (retreats, say): as people write them, and in words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal, cast, get_origin

from pydantic import ValidationError

from pbmd.terms.terms import BY_RULES, PHASE_TERMS, Terms
from pbmd.terms.times import calendar_of, describe_duration, rule_length

YES: Mapping[str, bool] = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_OF_PHASE = re.compile(r"\s*(?P<kind>[a-z][a-z-]*)\s*=\s*(?P<value>.*)", re.IGNORECASE | re.DOTALL)


class TermProblem(ValueError):
    """A term that cannot be as it is written: its name, the kind of phases for which it was given (empty: for all), and what
    is wrong."""

    def __init__(self, term: str, kind: str, problem: str) -> None:
        super().__init__(problem)
        self.term = term
        self.kind = kind
        self.problem = problem


def with_changes(usual: Terms, changes: Mapping[str, Any], kinds: Sequence[str]) -> Terms:
    """The usual terms with changes: those of `PHASE_TERMS` may be several texts, also such as ``retreats=24h``. Of what is
    usual for phases only what the rules have stays. Raises `TermProblem`."""
    document = usual.model_dump(exclude_unset=True)
    phases: dict[str, dict[str, Any]] = {kind: dict(said) for kind, said in document.pop("phases", {}).items() if kind in kinds}
    for term, value in changes.items():
        if term not in PHASE_TERMS:
            document[term] = _as_listed(term, value)
            continue
        for kind, said in _parted(term, value).items():
            place = phases.setdefault(kind, {}) if kind else document
            place[term] = said
    try:
        return Terms.model_validate(document | ({"phases": phases} if phases else {}))
    except ValidationError as problem:
        error = problem.errors()[0]
        kind, place = (str(error["loc"][1]), error["loc"][2:]) if error["loc"][0] == "phases" else ("", error["loc"])
        raise TermProblem(str(place[0]), kind, str(error["msg"]).removeprefix("Value error, ")) from None


def _as_listed(term: str, value: Any) -> Any:
    """A value in the small letters in which its choices are listed, if the term has choices."""
    has_choices = get_origin(Terms.model_fields[term].annotation) is Literal
    return value.strip().lower() if has_choices and isinstance(value, str) else value


def _parted(term: str, value: Any) -> dict[str, Any]:
    """A term by the kinds of phases for which it is said; "" is for all. Raises `TermProblem`."""
    if not isinstance(value, list | tuple):
        value = (value,)
    elif not value:
        return {"": ()}
    parted: dict[str, Any] = {}
    for each in cast("Sequence[Any]", value):
        found = _OF_PHASE.fullmatch(each) if isinstance(each, str) else None
        kind, said = (found["kind"].lower(), found["value"].strip()) if found else ("", each)
        if term == "reminders":
            parted[kind] = (*parted.get(kind, ()), *(() if _is_none(said) else (said,)))
        elif kind in parted:
            raise TermProblem(term, kind, "it is given twice")
        else:
            parted[kind] = _flag(term, kind, said) if term == "early" and isinstance(said, str) else said
    return parted


def _is_none(said: Any) -> bool:
    return isinstance(said, str) and said.strip().lower() in ("", "none")


def _flag(term: str, kind: str, text: str) -> bool:
    if text.lower() not in YES:
        raise TermProblem(term, kind, f'{term} is yes or no, not "{text[:40]}"')
    return YES[text.lower()]


def rule_in_short(rule: str) -> str:
    """A deadline rule in a few words."""
    if rule == BY_RULES:
        return "as the rules recommend"
    return rule if calendar_of(rule) else describe_duration(rule_length(rule))


def phase_rows(terms: Terms, kinds: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each kind of phases with its terms, in a sentence; nothing where all have the same."""
    if terms.phases:
        yield from ((kind.capitalize(), _words(terms.of_phase(kind))) for kind in kinds)


def phase_words(terms: Terms, kinds: Sequence[str]) -> str:
    """The same in one line; empty where all phases have the same terms."""
    return " ".join(f"{label}: {words}" for label, words in phase_rows(terms, kinds))


def _words(terms: Terms) -> str:
    rule = rule_in_short(terms.deadline)
    due = f"due {rule}" if terms.deadline == BY_RULES or calendar_of(terms.deadline) else f"due {rule} after the report"
    times = [describe_duration(ahead) for ahead in terms.reminder_times if _comes(terms.deadline, ahead)]
    reminders = f"a reminder {' and '.join(times)} before" if times else "no reminder"
    return f"{due}; {_early(terms)}; {reminders}."


def _comes(rule: str, ahead: timedelta) -> bool:
    """Whether a reminder so long before the deadline comes at all: not in a phase that is no longer than that."""
    return rule == BY_RULES or calendar_of(rule) is not None or ahead < rule_length(rule)


def _early(terms: Terms) -> str:
    if not terms.early:
        return "never resolved before that"
    pause = terms.second_thought_time
    return f"resolved {f'{describe_duration(pause)} after the last orders' if pause else 'at once when all orders are in'}"
