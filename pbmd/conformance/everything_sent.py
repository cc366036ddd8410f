"""Everything that anybody gets in a step, as it is sent: answers to letters, events with effect at once, views, order forms,
events.

Reports and pictures are made from a view and nothing else (`pbmd.rendering`), so readers with equal views get equal reports.
The keys keep the order in which they were inserted, which is visible in what is sent.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pbmd.conformance.findings import Broken, Wrong
from pbmd.conformance.scenes import Played, Scene, play
from pbmd.conformance.watched_ruleset import named
from pbmd.rules import PUBLIC, Event, Mail, Reader, Receipt, Ruleset, seat_reader, seen_by

Told = Mapping[str, str]
"""What each seat gets, and the public (""), as one text."""


def reader_of(seat: str) -> Reader:
    """The reader; the public has no name."""
    return seat_reader(seat) if seat else PUBLIC


def everybody(rules: Ruleset[Any], position: Any) -> tuple[str, ...]:
    """All seats and the public."""
    return (*rules.seats(position), "")


def view_shown(rules: Ruleset[Any], position: Any, events: Sequence[Event], seat: str) -> str:
    """What a reader sees of a position and of the step that led to it."""
    view = rules.view(position, events, reader_of(seat))
    return _json([view.data, view.turn], "view")


def form_shown(rules: Ruleset[Any], position: Any, seat: str) -> str:
    """The order form of a seat; none for the public."""
    return rules.order_form(position, seat) if seat else ""


def view_and_form(rules: Ruleset[Any], position: Any, events: Sequence[Event], seat: str) -> str:
    """Both of them."""
    return view_shown(rules, position, events, seat) + form_shown(rules, position, seat)


def answer(receipt: Receipt[Any]) -> str:
    """The answer to a letter."""
    return _json([receipt.verdicts, receipt.defaults, receipt.filed, receipt.granted], "receive")


def sent_to_all(rules: Ruleset[Any], position: Any, letters: Sequence[Mail], name: str) -> Told:
    """What everybody gets about a step."""
    return told_in(rules, letters, play(rules, position, letters, name))


def told_of(scene: Scene) -> Told:
    """What everybody gets about a scene."""
    return told_in(scene.rules, scene.letters, scene.played)


def told_in(rules: Ruleset[Any], letters: Sequence[Mail], step: Played) -> Told:
    """What everybody gets about a step that was played with these letters."""
    after = step.resolution.position
    got = {seat: [view_and_form(rules, after, step.events, seat)] for seat in everybody(rules, after)}
    for mail, receipt in zip(letters, step.receipts, strict=True):
        got[mail.seat].append(answer(receipt))
    for seat, texts in got.items():
        texts += [rules.tell(event) for event in seen_by(step.at_once, reader_of(seat))] if rules.tell else []
        texts.append(
            _json(
                [[event.kind, dict(event.data), dict(event.detail)] for event in seen_by(step.events, reader_of(seat))],
                "resolve",
            )
        )
    return {seat: "\n".join(texts) for seat, texts in got.items()}


def _json(value: Any, function: str) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError, RecursionError) as problem:
        promise = "view.json" if function == "view" else "event.json"
        raise Broken(Wrong(promise, f"what {function} gives cannot be JSON: {named(problem)}", function)) from problem
