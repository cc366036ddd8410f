"""The order form: lines to fill in, for the coming step (section 6 of the rules)."""

from collections.abc import Iterable, Sequence
from itertools import islice
from textwrap import wrap

from pbmd.rules import Line
from pbmd.rules.checking import Right
from pbmd.rules.words import counted, listing

from . import orders
from .checking.building import default_place, points_of
from .checking.examples import day_examples
from .checks import answers_to
from .position import awaiting, is_called
from .tables import LIMITS
from .telling.status import zones
from .world.condition import current
from .world.counters import Unit
from .world.factors import Factors
from .world.hexes import Hex, neighbours
from .world.state import Position
from .world.systems import Place, SideNumber

FORM_WIDTH = 65
"""A program that wraps a longer comment when it quotes the form would turn its rest into an order."""
_MOST_MOVES = 8
_MOST_EXAMPLES = 12
_FLAGSHIP = Factors(4, 6, 5, 20, 7, 6)
_TENDER = Factors(4, 4, 0, 0, 0, 2, 8)
_FORTRESS = Factors(0, 0, 5, 12, 5, 10, 2)


def order_form(position: Position, seat: str) -> str:
    """Orders that this player could give now, each after a single "# " and valid when that is removed, all of them in one mail;
    remarks begin with "## ". The unchanged form contains no order."""
    player = position.by_player[seat]
    if position.is_over or not player.active:
        return ""
    good = _accepted(position, seat, _suggestions(position, seat))
    return "\n".join(
        [
            *_as_remarks(_remarks(position, seat)),
            *(f"# {line}" for line in good),
            *_as_remarks(_others(position, seat, good)),
            *(f"# {line}" for line in _instead(position, seat)),
        ]
    )


def _as_remarks(sentences: Iterable[str]) -> list[str]:
    return [f"## {part}" for sentence in sentences for part in wrap(sentence, FORM_WIDTH)]


_KINDS = {
    "TRANSFER": "TRANSFER 1 SUPPLY FROM <unit or STARPORT> TO <unit>",
    "REPAIR": "REPAIR <unit> FROM <unit, STARPORT or SELF>",
    "JUMP": "JUMP <squadron> TO <system> <hex>",
    "PLACE": "PLACE ? AT <system> <hex>",
}
"""What is done at the end of a day, with its words."""


def _others(position: Position, seat: str, good: Sequence[str]) -> list[str]:
    """What else can be ordered, and what comes below."""
    told: list[str] = []
    if position.phase in ("day", "ops"):
        missing = [words for kind, words in _KINDS.items() if not any(line.startswith(kind) for line in good)]
        told += ["Also, where they can be carried out:", *missing] if missing else []
    return [*told, *(["In place of all that, to let a day pass as well:"] if _instead(position, seat) else [])]


def _instead(position: Position, seat: str) -> list[str]:
    return _accepted(position, seat, [orders.Wait(2).text]) if position.phase == "day" else []


def _remarks(position: Position, seat: str) -> list[str]:
    player = position.by_player[seat]
    if position.phase == "setup":
        points, tech, options = points_of(position, player), position.side(player.side).tech, position.options
        return [
            f"You have {counted(points, 'point')} at tech level {tech}. What is not spent is lost.",
            f"A level costs 1 point{_surcharge(position, tech)}.",
            *_deploy_words(position, player.side),
            f'A "?" costs {options.question_cost}, Supply {options.supply_cost}, an Admiral {options.admiral_cost}.',
        ]
    if position.in_phases:
        return [f"Day {position.day}, phase {position.phase}. {_who_moves(position, seat)}".rstrip()]
    waiting = "" if is_called(position, player) else f" You wait for {counted(player.wait, 'day')} more."
    return [f"Day {position.day}.{waiting} Lines without a heading hold for both impulses."]


def _deploy_words(position: Position, side: SideNumber) -> list[str]:
    """Where a side may deploy, in a sentence."""
    columns = (
        row["system"] + ("" if row["everywhere"] else f" (columns {listing(row['columns'])})") for row in zones(position, side)
    )
    places = listing(columns)
    return [f"You may deploy in {places}."] if places else []


def _surcharge(position: Position, tech: int) -> str:
    if tech == 15:
        return ""
    each = "level" if position.options.cost_scheme == "per_level" else "factor"
    return f", and every {each} {15 - tech} more"


def _who_moves(position: Position, seat: str) -> str:
    if seat in awaiting(position):
        return "Your orders are awaited."
    side = position.mover
    return "The other side moves." if side is not None and side != position.side_of(seat) else ""


def _suggestions(position: Position, seat: str) -> list[str]:
    if position.phase == "setup":
        return _setup(position, seat)
    if position.phase in ("1a", "1b", "2a", "2b"):
        return [*_fleets(position, seat), *_moves(position, seat)] if position.mover == position.side_of(seat) else []
    if position.phase in ("1f", "2f"):
        return _fire(position, seat)
    if position.phase == "ops":
        return _end(position, seat)
    impulses: list[str] = []
    for impulse in (orders.Heading(1), orders.Heading(2)):
        impulses += [impulse.text, *_moves(position, seat, impulse.impulse), *_fire(position, seat)]
    return [*_fleets(position, seat), *impulses, orders.Heading(0).text, *_end(position, seat)]


def _setup(position: Position, seat: str) -> list[str]:
    side = position.side_of(seat)
    where = default_place(position, side)
    most = LIMITS[position.side(side).tech]
    at = f" AT {where.text}" if where else ""
    planets = [*position.planets_of(seat)]
    return [
        f"SQUADRON Flagship: {_levels(_FLAGSHIP, most)}{at}",
        f"SQUADRON Tender: {_levels(_TENDER, most)}{at}",
        *(f"PLANET {name}: {_levels(_FORTRESS, most)}" for name in planets[:1]),
        orders.BuyAdmirals(1, "Flagship").text,
        orders.BuySupply(2, "Tender").text,
        orders.BuyQuestions(2).text,
        orders.PlaceQuestion("Q1", None, "Flagship").text,
        orders.FormFleet("Alpha", ("Flagship", "Tender", "Q1")).text,
    ]


def _levels(factors: Factors, most: Factors) -> str:
    """The short form of what is installed: "J4 M6 D2"."""
    letters = "JMSARDU"
    return " ".join(f"{letter}{min(pair)}" for letter, *pair in zip(letters, factors, most, strict=True) if any(pair[:1]))


def _groups(position: Position, seat: str) -> dict[Place, list[str]]:
    """The player's squadrons and "?" on boards by their hexes."""
    found: dict[Place, list[str]] = {}
    for unit in position.units:
        if unit.player == seat and unit.is_squadron and unit.place:
            found.setdefault(unit.place, []).append(unit.name)
    for question in position.questions:
        if question.player == seat and question.place:
            found.setdefault(question.place, []).append(question.id)
    return found


def _fleets(position: Position, seat: str) -> list[str]:
    if any(fleet.player == seat for fleet in position.fleets):
        return []
    large = (members for members in _groups(position, seat).values() if len(members) > 1)
    return [orders.FormFleet("Alpha", tuple(members[:3])).text for members in large][:1]


def _moves(position: Position, seat: str, steps: int = 1) -> list[str]:
    """For each group of counters a move by this many hexes, north if possible."""
    found: list[str] = []
    stuck = {unit.name for unit in position.units if unit.player == seat and not current(unit).maneuver}
    for place, group in _groups(position, seat).items():
        members = [name for name in group if name not in stuck]
        if not members:
            continue
        size, here = position.by_system[place.system].size, place.hex
        for near in neighbours(here):
            goal = Hex(here.q + steps * (near.q - here.q), here.s + steps * (near.s - here.s))
            if size.holds(goal):
                found.append(orders.Move(0, tuple(members[:3]), (goal,)).text)
                break
    return found[:_MOST_MOVES]


def _fire(position: Position, seat: str) -> list[str]:
    armed = any(unit.player == seat and unit.printed.attack + unit.admirals for unit in position.units)
    return [orders.Fire(0, (orders.ALL,), (orders.Target("nearest"),)).text] if armed else []


def _end(position: Position, seat: str) -> list[str]:
    own = [unit for unit in position.units if unit.player == seat]
    hurt: Sequence[Unit] = [unit for unit in own if unit.damage]
    lines = [f"REPAIR {hurt[0].name}"] if hurt else []
    lines += _first_good(position, seat, "TRANSFER")
    lines += _first_good(position, seat, "JUMP")
    on_board = [unit for unit in own if unit.place]
    return [*lines, orders.PlaceQuestion(orders.ANY_QUESTION, None, on_board[0].name).text] if on_board else lines


def _first_good(position: Position, seat: str, kind: str) -> list[str]:
    """The first example of a kind of order that can be carried out at present."""
    examples = islice(day_examples(position, seat, kind), _MOST_EXAMPLES)
    return next((good for example in examples if (good := _accepted(position, seat, [example]))), [])


def _accepted(position: Position, seat: str, lines: Sequence[str]) -> list[str]:
    """The lines of those that are accepted together, need no warning and are short enough for the form, including headings."""
    numbered = [Line(number, text) for number, text in enumerate(lines) if len(text) <= FORM_WIDTH]
    headings = {orders.Heading(1).text, orders.Heading(2).text, orders.Heading(0).text}
    answers = answers_to(position, seat, numbered)
    good = {answer.line.number for answer in answers if isinstance(answer, Right) and not answer.remark}
    return [line.text for line in numbered if line.number in good or line.text in headings]
