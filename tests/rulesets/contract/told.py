"""All that anybody gets in a step, as it is sent: answers to letters, what is told at once, views, order forms, events.

Reports and pictures are made of a view and of nothing else (`pbmd.reports`), so that who gets the same view gets the same of
those. The keys stand in the order in which they were put in, which shows in what is sent.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pbmd.archive.write.turns import seen_events
from pbmd.rules import PUBLIC, Event, Mail, Reader, Receipt, Ruleset, seat_reader, seen_by
from tests.rulesets.contract.scenes import Played, Scene, play, played

Told = Mapping[str, str]
"""What each seat gets, and the public (""), as one text."""


def reader_of(seat: str) -> Reader:
    """The public has no name."""
    return seat_reader(seat) if seat else PUBLIC


def everybody(rules: Ruleset[Any], position: Any) -> tuple[str, ...]:
    """All seats and the public."""
    return (*rules.seats(position), "")


def shown(rules: Ruleset[Any], position: Any, events: Sequence[Event], seat: str) -> str:
    """What a reader sees of a position and of the step that led to it."""
    view = rules.view(position, events, reader_of(seat))
    return json.dumps([view.data, view.turn, rules.order_form(position, seat) if seat else ""])


def answer(receipt: Receipt[Any]) -> str:
    """What a letter is answered with."""
    return json.dumps([receipt.verdicts, receipt.defaults, receipt.filed, receipt.granted])


def told(rules: Ruleset[Any], position: Any, letters: Sequence[Mail], name: str) -> Told:
    """What everybody gets of a step."""
    return told_in(rules, letters, play(rules, position, letters, name))


@cache
def told_of(scene: Scene) -> Told:
    """What everybody gets of a scene."""
    return told_in(scene.rules, scene.letters, played(scene))


@cache
def shown_after(scene: Scene) -> Told:
    """What everybody sees of the position after a scene, and of the scene."""
    return _shown(scene.rules, played(scene))


def told_in(rules: Ruleset[Any], letters: Sequence[Mail], step: Played) -> Told:
    """What everybody gets of a step that was played with these letters."""
    got: dict[str, list[str]] = {seat: [sight] for seat, sight in _shown(rules, step).items()}
    for mail, receipt in zip(letters, step.receipts, strict=True):
        got[mail.seat].append(answer(receipt))
    for seat, texts in got.items():
        texts += [rules.tell(event) for event in seen_by(step.at_once, reader_of(seat))] if rules.tell else []
        texts.append(json.dumps(seen_events(step.events, reader_of(seat))))
    return {seat: "\n".join(texts) for seat, texts in got.items()}


def _shown(rules: Ruleset[Any], step: Played) -> Told:
    position = step.resolution.position
    return {seat: shown(rules, position, step.events, seat) for seat in everybody(rules, position)}
