"""Games go on: seats stay, a seat that has written or missed the deadline is no longer awaited, steps end, turns are
counted."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from pbmd.conformance.documents import a_position_comes_back
from pbmd.conformance.findings import Wrong
from pbmd.conformance.order_checks import LATER, NONSENSE
from pbmd.conformance.scenes import Scene, dice, is_due, play, random_lines
from pbmd.conformance.watched_ruleset import is_own
from pbmd.rules import Mail, Receipt, Refused, Ruleset
from pbmd.rules.lines import order_lines
from pbmd.rules.options import complete
from pbmd.rules.sheets import to_be_used

_STEP_NAME = re.compile(r"[a-z0-9 -]*")
_ENOUGH_MOVES = 5
"""If this many were sent ahead, they must not all be struck off one by one."""
_MOVES_A_TURN = 25
"""With more steps than this for a seat in one turn, turns are not counted."""


def everybody_plays_on(scene: Scene) -> Iterator[Wrong]:
    """Seats stay as they are; no two seats wait for each other."""
    rules, step = scene.rules, scene.played
    seats = rules.seats(scene.position)
    for position in step.positions:
        if rules.seats(position) != seats:
            yield Wrong("seats.stay", f"the seats were {listed(seats)}, and are {listed(rules.seats(position))}", "seats")
        awaited = rules.awaiting(position)
        if strangers := {*awaited} - {*seats}:
            yield Wrong("awaiting.seats", f"{listed(sorted(strangers))} is awaited, and there is no such seat", "awaiting")
        if len({*awaited}) != len(awaited):
            yield Wrong("awaiting.seats", f"a seat is awaited twice: {listed(awaited)}", "awaiting")
        yield from _waits(rules, position, {*seats})
    if (late := rules.awaiting(step.positions[-2])) and not is_due(rules, step.positions[-2]):
        yield Wrong("miss.done", f"all have written or missed the deadline, and {listed(late)} is still awaited", "awaiting")


def _waits(rules: Ruleset[Any], position: Any, seats: set[str]) -> Iterator[Wrong]:
    waits = rules.waits(position) if rules.waits else ()
    pairs = {(wait.seat, wait.on) for wait in waits}
    if strangers := {name for pair in pairs for name in pair} - seats:
        yield Wrong("waits.seats", f"waits names {listed(sorted(strangers))}, and there is no such seat", "waits")
    if mutual := pairs & {(on, seat) for seat, on in pairs}:
        yield Wrong("waits.seats", f"two seats wait for each other: {' and '.join(sorted(mutual)[0])}", "waits")
    if any(wait.hours < 0 for wait in waits):
        yield Wrong("waits.seats", "a seat waits for less than no hours", "waits")


def listed(names: Any) -> str:
    """Names for a sentence."""
    return ", ".join(map(str, names)) or "none"


def who_has_written_is_awaited_no_more(scene: Scene) -> Iterator[Wrong]:
    """Except for a move, which is awaited until it is resolved, and seats that have only written for later steps. A refused
    letter does not change who is awaited."""
    rules = scene.rules
    for before, mail, receipt in zip(scene.played.positions, scene.letters, scene.played.receipts, strict=False):
        is_done = receipt.filed and not receipt.later and not rules.sequential
        if is_done and mail.seat in rules.awaiting(receipt.position):
            yield Wrong("awaiting.done", f"the orders of {mail.seat} are filed, and it is still awaited", "awaiting")
        yield from _awaited_otherwise(rules, before, receipt)
    nonsense = order_lines("\n".join(NONSENSE))
    for seat in rules.awaiting(scene.position)[:2] if not is_due(rules, scene.position) else ():
        yield from _awaited_otherwise(rules, scene.position, rules.receive(scene.position, Mail(seat, nonsense, LATER)))


def _awaited_otherwise(rules: Ruleset[Any], before: Any, receipt: Receipt[Any]) -> Iterator[Wrong]:
    awaited, still = {*rules.awaiting(before)}, {*rules.awaiting(receipt.position)}
    if not receipt.filed and not receipt.granted and awaited != still:
        words = f"a letter is refused, and {listed(sorted(awaited ^ still))} is awaited otherwise"
        yield Wrong("awaiting.done", words, "receive")
    elif still - awaited:
        yield Wrong("awaiting.done", f"after a letter {listed(sorted(still - awaited))} is awaited anew", "awaiting")


def missed_deadlines_are_noted(scene: Scene) -> Iterator[Wrong]:
    """A seat that misses one is no longer awaited, the others are as before, and orders stay on file. In a sequential game
    something is due then."""
    rules = scene.rules
    # Also when some have written, so that there is something that could change.
    for position in (*scene.played.positions[:3], scene.played.positions[len(scene.letters)]):
        for seat in rules.awaiting(position) if not is_due(rules, position) else ():
            missed = rules.miss(position, seat).position
            awaited = rules.awaiting(missed)
            if seat in awaited:
                yield Wrong("miss.done", f"{seat} has missed the deadline and is still awaited", "miss")
            expected = {*rules.awaiting(position)} - {seat}
            if not {*awaited} <= {seat, *expected} or (not rules.sequential and not expected <= {*awaited}):
                words = f"when {seat} misses the deadline, {listed(awaited)} is awaited, and not {listed(sorted(expected))}"
                yield Wrong("miss.others", words, "miss")
            if rules.sheets(missed) != rules.sheets(position):
                yield Wrong("miss.others", f"when {seat} misses the deadline, orders on file change", "miss")
            if rules.ready is not None and not rules.ready(missed):
                yield Wrong("miss.ready", f"{seat} has missed the deadline, and nothing is ready to be carried out", "ready")


def a_step_ends(scene: Scene) -> Iterator[Wrong]:
    """The orders on file are resolved, somebody is awaited again, and turns and steps are counted."""
    rules, after = scene.rules, scene.played.resolution.position
    if not rules.sequential and (left := rules.sheets(after)):
        yield Wrong(
            "step.clears", f"after the step the orders of {listed(sheet.seat for sheet in left)} are still on file", "resolve"
        )
    if rules.sequential:
        yield from _a_move_is_made(scene)
    if rules.outcome(after) is None and not rules.awaiting(after) and not is_due(rules, after):
        yield Wrong("step.awaits", "a step begins that awaits nobody: it would last until its deadline", "resolve")
    yield from time_goes_on(scene)


def _a_move_is_made(scene: Scene) -> Iterator[Wrong]:
    """The one that was due, or else somebody's deadline has passed."""
    rules, at = scene.rules, scene.played.positions[-2]
    assert rules.ready is not None
    if not rules.ready(at):
        yield Wrong("miss.ready", "a move is on file or the deadline passed, and nothing is ready", "ready")
        return
    for position in scene.played.positions[: len(scene.letters) + 1]:
        if rules.ready(position) and not to_be_used(rules, position):
            yield Wrong("miss.ready", "something is ready, though whoever is to move has not moved", "ready")
    left = rules.sheets(scene.played.resolution.position)
    for used in to_be_used(rules, at) if not scene.played.missed else ():
        if used in left:
            yield Wrong("step.clears", f"the move of {used.seat} was carried out, and is still on file", "resolve")


def moves_that_wait_stay(scenes: Sequence[Scene]) -> Iterator[Wrong]:
    """Rules may strike off a move that was sent ahead, but not all such moves."""
    waited = stayed = 0
    for scene in scenes:
        rules, at = scene.rules, scene.played.positions[-2]
        if rules.sequential and not scene.played.missed:
            waiting = {*rules.sheets(at)} - {*to_be_used(rules, at)}
            waited, stayed = waited + len(waiting), stayed + len(waiting & {*rules.sheets(scene.played.resolution.position)})
    if waited >= _ENOUGH_MOVES and not stayed:
        yield Wrong("step.ahead", f"of {waited} moves that were sent ahead none is on file after another's move", "resolve")


def time_goes_on(scene: Scene) -> Iterator[Wrong]:
    """Turns are counted upwards, and each step of a turn has a name of its own and takes some time."""
    rules, positions = scene.rules, scene.played.positions
    before, after = positions[0], positions[-1]
    turn, name = rules.turn(after), rules.step_name(after)
    if rules.turn(before) > turn:
        yield Wrong("turn.counts", f"turn {rules.turn(before)} is followed by turn {turn}", "turn")
    for position in positions[:-1]:
        if (rules.turn(position), rules.step_name(position)) != (rules.turn(before), rules.step_name(before)):
            yield Wrong("turn.counts", "the number of the turn, or the name of the step, changes within the step", "turn")
    for position in (before, after):
        if not _STEP_NAME.fullmatch(rules.step_name(position)):
            yield Wrong("step.name", f"a step is called {rules.step_name(position)!r:.40}", "step_name")
        if rules.hours is not None and rules.hours(position) <= 0:
            yield Wrong("step.hours", f"a step has {rules.hours(position)} hours", "hours")
    if rules.sequential:
        if len(scene.past) > _MOVES_A_TURN * len(rules.seats(after)) and len(scene.named_before) == 1:
            yield Wrong("turn.counts", f"after {len(scene.past)} moves it is still turn {turn}", "turn")
    elif rules.outcome(after) is None and (turn, name) in {*scene.named_before, (rules.turn(before), rules.step_name(before))}:
        words = f'turn {turn}, step "{name}"' if name else f"turn {turn}"
        yield Wrong("turn.counts", f"{words} comes a second time", "step_name" if name else "turn")


def phases_are_of_a_kind(scene: Scene) -> Iterator[Wrong]:
    """Each step is of one that is named, the first of the first where all options are as usual: until a game begins, its
    players are told the time of that kind."""
    rules, kinds = scene.rules, scene.rules.info.phases
    if not is_own(rules, "phase"):
        return
    for position in (scene.played.positions[0], scene.played.positions[-1]):
        if (kind := rules.phase(position)) not in kinds and rules.outcome(position) is None:
            yield Wrong("step.phase", f"a step is of the kind {kind!r:.40}, which phases does not name", "phase")
    first = rules.phase(scene.position)
    usual = scene.opening is not None and scene.opening.options == complete(rules.info.options, {})
    if usual and not scene.past and kinds and first != kinds[0]:
        yield Wrong("step.phase", f"the first step is of the kind {first!r:.40}, and phases begins with {kinds[0]}", "phase")


def whoever_missed_a_step_is_awaited_in_the_next(scene: Scene) -> Iterator[Wrong]:
    """At least where it would be awaited if it had sent its orders, and could still send some."""
    rules = scene.rules
    if rules.sequential or rules.outcome(scene.position) is not None:
        return
    for seat in rules.awaiting(scene.position)[:2]:
        others = tuple(mail for mail in scene.letters if mail.seat != seat)
        chance = dice(scene.name, seat, "instead")
        own = Mail(seat, random_lines(rules, scene.position, seat, chance), LATER)
        missed = _goes_on(scene, others)
        if missed is not None and seat in rules.awaiting(missed):
            continue
        wrote = _goes_on(scene, (*others, own))
        if missed is None or wrote is None or seat not in rules.awaiting(wrote):
            continue
        if (rules.turn(missed), rules.step_name(missed)) != (rules.turn(wrote), rules.step_name(wrote)):
            continue  # another phase may follow a skipped one, and its orders can only be sent ahead
        lines = random_lines(rules, wrote, seat, chance)
        if lines and rules.receive(missed, Mail(seat, lines, LATER)).filed:
            words = f"{seat} missed a step, and is not awaited in the next, in which its orders would be filed"
            yield Wrong("miss.over", words, "resolve")


def _goes_on(scene: Scene, letters: tuple[Mail, ...]) -> Any:
    """The position after the step with these letters; None if the game is over."""
    after = play(scene.rules, scene.position, letters, scene.name).resolution.position
    return after if scene.rules.outcome(after) is None else None


def whoever_wins_has_played(scene: Scene) -> Iterator[Wrong]:
    """Also: the outcome has a reason, and the game master's rulings can be told apart."""
    rules, after = scene.rules, scene.played.resolution.position
    outcome = rules.outcome(after)
    if outcome is not None:
        if strangers := {*outcome.winners} - {*rules.seats(after)}:
            yield Wrong("outcome.winners", f"{listed(sorted(strangers))} has won, and there is no such seat", "outcome")
        if len({*outcome.winners}) != len(outcome.winners):
            yield Wrong("outcome.winners", f"a seat has won twice: {listed(outcome.winners)}", "outcome")
        if not outcome.reason.strip():
            yield Wrong("outcome.winners", "the game is over, and no sentence says why", "outcome")
        yield from _placed(rules, after, outcome.winners)
    rulings = rules.rulings(after) if rules.rulings else ()
    keys = [ruling.key for ruling in rulings]
    if len(set(keys)) != len(keys):
        yield Wrong("rulings.keys", f"two rulings have the same key: {listed(keys)}", "rulings")
    if any(not ruling.words.strip() for ruling in rulings):
        yield Wrong("rulings.keys", "a ruling has no words for the game master", "rulings")
    if rulings and rules.rule is None:
        yield Wrong("rulings.keys", "there are rulings, and no function rule", "rulings")
    for key in keys if rules.rule else ():
        yield from _ruled(rules, after, key)


def _placed(rules: Ruleset[Any], position: Any, winners: Sequence[str]) -> Iterator[Wrong]:
    """The places at the end of a game, if the rules give any."""
    places = rules.places(position) if rules.places else {}
    if not places:
        return
    if {*places} != {*rules.seats(position)} or min(places.values()) < 1:
        yield Wrong("places.all", f"the places are {dict(places)}, and the seats {listed(rules.seats(position))}", "places")
    first = [seat for seat, place in places.items() if place == 1]
    if winners and {*first} != {*winners}:
        yield Wrong("places.winners", f"{listed(first) or 'nobody'} is first, and {listed(winners)} has won", "places")
    if not winners and len(first) == 1:
        yield Wrong("places.winners", f"{first[0]} alone is first, and nobody has won", "places")


def what_is_opened_leaves_the_rest(scene: Scene) -> Iterator[Wrong]:
    """Everything that happened in the step that ended the game is still reported."""
    rules, resolution = scene.rules, scene.played.resolution
    if rules.reveal is None or rules.outcome(resolution.position) is None:
        return
    given = iter(rules.reveal(resolution.position, resolution.events, ()))
    for event in resolution.events:
        if event not in given:  # searched after the event before
            yield Wrong("reveal.rest", f"reveal drops the event {event.kind}, or puts it elsewhere", "reveal")
            return


def _ruled(rules: Ruleset[Any], position: Any, key: str) -> Iterator[Wrong]:
    assert rules.rule is not None
    try:
        ruled = rules.rule(position, key)
    except Refused:
        return
    yield from a_position_comes_back(rules, ruled, "a position after a ruling")


def a_step_comes_out_the_same(scene: Scene) -> Iterator[Wrong]:
    """With the same dice, which are rolled in the same order."""
    one, other = scene.played, play(scene.rules, scene.position, scene.letters, scene.name)
    if one == other:
        return
    parts = [
        ("receive", "the answer to a letter", one.receipts, other.receipts),
        ("miss", "what becomes of a missed deadline", one.missed, other.missed),
        ("resolve", "what dice are rolled", one.drawn, other.drawn),
        ("resolve", "what happens", one.resolution, other.resolution),
    ]
    name, what = next(((name, what) for name, what, here, there in parts if here != there), ("receive", "a position"))
    yield Wrong("code.repeats", f"{what} is another when the same is done once more", name)
