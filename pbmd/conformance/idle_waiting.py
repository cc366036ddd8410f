"""Nobody waits for a seat that can do nothing: that would hold up the game for a letter that cannot come."""

from collections.abc import Iterator

from pbmd.conformance.derivation import Derivation
from pbmd.conformance.derived_letters import readers_of, words_of
from pbmd.conformance.findings import Wrong
from pbmd.conformance.hostile_input import letter_of
from pbmd.conformance.scenes import Scene, dice
from pbmd.rules.forms import offered

_DRAWS = 3
"""So many lines of each alternative of a grammar, and letters of each random player."""


def whoever_is_awaited_can_do_something(scene: Scene) -> Iterator[Wrong]:
    """What its form offers, what a random player writes, or some line that the grammar has or others write."""
    rules = scene.rules
    for seat in rules.awaiting(scene.position):
        if not _is_offered_something(scene, seat) and not any(_random_lines(scene, seat)):
            lines = [*dict.fromkeys(_lines_of_all(scene))]
            if lines and not any(_is_taken(scene, seat, line) for line in lines):
                words = f"{seat} is awaited, and its form offers nothing, and each of {len(lines)} different lines is refused"
                yield Wrong("awaiting.nothing", words, "awaiting")


def _is_offered_something(scene: Scene, seat: str) -> bool:
    """In its form, be it a line that is still to be filled in."""
    form = scene.rules.order_form(scene.position, seat)
    return bool(offered(form).together) or any(line.strip() and not line.startswith("#") for line in form.splitlines())


def _random_lines(scene: Scene, seat: str) -> Iterator[str]:
    for number in range(_DRAWS):
        text = scene.rules.random_orders(scene.position, seat, dice(scene.name, seat, "anything", number))
        yield from (line for line in text.splitlines() if line.strip())


def _lines_of_all(scene: Scene) -> Iterator[str]:
    rules, chance = scene.rules, dice(scene.name, "anything")
    for seat in rules.awaiting(scene.position):
        together = offered(rules.order_form(scene.position, seat)).letters
        yield from (line for letter in together for line in letter.splitlines())
        yield from _random_lines(scene, seat)
    for reader in readers_of(rules):
        derivation = Derivation(reader.source(), words_of(scene))
        found = (derivation.line(rule, chance) for rule in derivation.rules for _ in range(_DRAWS))
        yield from (line for line in found if line)


def _is_taken(scene: Scene, seat: str, line: str) -> bool:
    receipt = scene.rules.receive(scene.position, letter_of(seat, (line,)))
    return any(verdict.canonical for verdict in receipt.verdicts)
