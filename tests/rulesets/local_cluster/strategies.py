"""Random positions and random mails for the property tests: crowded, at war, and with much that fails."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from hypothesis import strategies as st

from pbmd.rules import Document, HmacDice
from rulesets.local_cluster import ruleset
from tests.rulesets.local_cluster.appendix import NEIGHBOURS
from tests.rulesets.local_cluster.harness import DEADLINE, Item, Played, duel, mail, resolve

PLAYERS = ("Terrans", "Zorg", "Qix", "Ur")
ARENA = ("Aquila", "Bastion", "Calyx", "Eridu", "Fenris", "Garnet", "Hesper", "Jotun", "Oberon", "Nadir", "Mirach", "Dorado")
"""Planets close to one another, where everything happens."""
TREATIES = ("peace", "trade treaty", "military pact")
_DATA = ruleset.info.tables["data"]
TRAITS, RESOURCES, TECHNOLOGIES = (
    tuple(row["name"] for row in _DATA[table]) for table in ("traits", "resources", "technologies")
)

OPTIONS: dict[str, list[Any]] = {
    "skips_to_npc": [1, 3],
    "slots": [1, 3],
    "trade_income": [0, 7],
    "army_cost": [0, 1],
    "fleet_cost": [2],
    "army_upkeep": [0, 2],
    "fleet_upkeep": [0],
    "fleet_capacity": [2],
    "die_sides": [2, 6],
    "portal_base_range": [1, 8],
    "research_per_move": [2],
    "turn0_order": ["list"],
    "early_orders": ["return"],
    "strict_mails": [False],
    "army_steps": ["free"],
    "casualty": ["newest"],
    "pact_joins_defense": [True],
    "surrender": ["captured"],
    "skip_income": [False],
    "gift_limit": ["tax_and_trade"],
    "offer_turns": [0, 2],
    "npc_home_bonus": [True],
    "npc_pays_upkeep": [False],
    "victory_check": ["move"],
    "victory_planets": [6],
    "last_player_wins": [True],
    "credits_public": [False],
    "offers_public": [True],
}

FORMS = (
    *("End move", "Disband {unit}", "Declare war on {state}", "Declare war on {state}", "Cancel trade treaty with {state}"),
    *(
        "Null military pact with {state}",
        "Gift {n} credits to {player}",
        "Load {army} onto {fleet}",
        "Load all armies at {planet}",
    ),
    *(
        "Load 1 army at {planet}",
        "Move {fleet} to {planet}",
        "Move {fleet} to {planet}",
        "Move all fleets from {planet} to {planet}",
    ),
    *("Move {fleet} to {planet} by portal", "Teleport {army} to {planet}", "Move 1 army from {planet} to {planet}"),
    *("Land {army} on {planet}", "Land all armies on {planet}", "Bombard {planet}", "Bombard {planet} with {fleet}"),
    *("Research {technology}", "Build 2 armies at {planet}", "Build fleet at {planet}", "Build army at {planet}, {planet}"),
    *("Develop {resource} on {planet}", "Redevelop {resource} into {resource} on {planet}", "Move capital to {planet}"),
    *(
        "Offer {treaty} to {state}",
        "Offer {treaty} to {player}",
        "Accept {treaty} from {player}",
        "Decline {treaty} from {player}",
    ),
    *("Withdraw {treaty} offer to {player}", "Proclaim {player}", "Proclaim nobody"),
)
DIPLOMATIC = ("Offer {treaty} to {player}", "Accept {treaty} from {player}", "Decline {treaty} from {player}",
              "Withdraw {treaty} offer to {player}", "Proclaim {player}")  # fmt: skip
NONSENSE = ("Attack everybody", "Move F999 to Nowhere", "Offer peace", "")


@dataclass(frozen=True)
class Course:
    """A position, mails and deadlines in the order of arrival, and a secret for the dice."""

    document: Document
    items: tuple[Item, ...]
    secret: bytes

    def played(self) -> Played:
        """What becomes of them."""
        return resolve(self.document, self.items, HmacDice(self.secret, b""))


def lines(random: Random, document: Document, seat: str, count: int, forms: tuple[str, ...] = FORMS) -> str:
    """That many lines in which this seat names things at random, mostly its own."""
    units = {kind: [unit["id"] for unit in document[kind] if unit["owner"] == seat] for kind in ("fleets", "armies")}
    fleets, armies = units["fleets"] or ["F1"], units["armies"] or ["A1"]
    own = [entry["name"] for entry in document["planets"] if entry.get("owner") == seat] or list(ARENA)
    players = [entry["name"] for entry in document["states"]]
    written: list[str] = []
    fitting = [line for line in _fitting(document, seat) if forms is FORMS or not line.startswith(_MOVES)]
    for _ in range(count):
        if fitting and random.random() < 0.4:
            written.append(random.choice(fitting))
            continue
        form = random.choice(forms)
        while "{planet}" in form:
            form = form.replace("{planet}", random.choice(own if random.random() < 0.5 else ARENA), 1)
        while "{resource}" in form:
            form = form.replace("{resource}", random.choice(RESOURCES), 1)
        written.append(
            form.format(
                unit=random.choice(fleets + armies),
                fleet=random.choice(fleets),
                army=random.choice(armies),
                state=random.choice((*players, *ARENA[1:], "Harrow")),
                player=random.choice(players),
                n=random.randint(1, 9),
                technology=random.choice(TECHNOLOGIES),
                treaty=random.choice(TREATIES),
            )
        )
    return "\n".join(written)


_MOVES = ("Bombard", "Land", "Load", "Move", "Null", "Cancel", "Offer peace")


def _fitting(document: Document, seat: str) -> list[str]:
    """Lines that could be carried out in the position as it is, of the kinds that chance seldom finds."""
    words = {"peace": "peace", "trade": "trade treaty", "pact": "military pact"}
    found = [f"Bombard {unit['planet']}" for unit in document["fleets"] if unit["owner"] == seat]
    found += [
        f"Move {unit['id']} to {near}"
        for unit in document["fleets"]
        if unit["owner"] == seat
        for near in NEIGHBOURS[unit["planet"]]
        if may_be_at(document, seat, near)
    ]
    found += [f"Load all armies at {unit['planet']}" for unit in document["fleets"] if unit["owner"] == seat]
    found += [f"Land all armies on {unit['planet']}" for unit in document["fleets"] if unit["owner"] == seat]
    for offer in document["offers"]:
        if offer["to"] == seat:
            found += [
                f"Accept {words[offer['kind']]} from {offer['from']}",
                f"Decline {words[offer['kind']]} from {offer['from']}",
            ]
        if offer["from"] == seat:
            found.append(f"Withdraw {words[offer['kind']]} offer to {offer['to']}")
    for entry in document["relations"]:
        if seat in entry["between"]:
            (other,) = {*entry["between"]} - {seat}
            found += [f"Null military pact with {other}"] if entry.get("pact") else []
            found += [f"Cancel trade treaty with {other}"] if entry.get("trade") else []
            found += [f"Offer peace to {other}"] if entry.get("status") == "war" else []
    return found


def _world(random: Random, players: int, options: dict[str, Any]) -> Document:
    names = PLAYERS[:players]
    planets = [
        {"name": name, "owner": names[place] if place < players else random.choice((*names, *names, name))}
        for place, name in enumerate(random.sample(ARENA, len(ARENA)))
    ]
    for entry in planets:
        chosen = random.sample(RESOURCES, random.choice((0, 1, 1, 2, 3)))
        entry["resources"] = chosen  # type: ignore[assignment]
    homes = {name: next(str(entry["name"]) for entry in planets if entry["owner"] == name) for name in names}
    states = [
        {
            "name": name,
            "credits": random.randint(0, 60),
            "home_planet": homes[name] if random.random() < 0.8 else random.choice(ARENA),
            "traits": random.sample(TRAITS, 2),
            "technologies": random.sample(TECHNOLOGIES[:-1], random.choice((0, 1, 3))),
            "skips": random.choice((0, 0, 0, 1)),
            "proclaims": random.choice((name, name, *names, "")),
        }
        for name in names
    ]
    npcs = [str(entry["name"]) for entry in planets if entry["owner"] == entry["name"]]
    units = {"establishment_armies": 1, "establishment_fleets": 1}
    states += [
        {"name": name, "kind": "npc", "credits": random.randint(0, 20), **units}
        for name in random.sample(npcs, min(3, len(npcs)))
    ]
    everybody = [*names, *npcs]
    relations = _relations(random, everybody, names)
    document = duel(turn=random.choice((0, 1, 3, 3, 3)), options=options)
    document |= {"states": states, "planets": planets, "relations": relations}
    fleets, armies = _units(random, document, everybody, options.get("fleet_capacity", 1))
    offers = [
        {"kind": kind, "from": giver, "to": taker, "turn": document["turn"]}
        for kind in ("peace", "trade", "pact")
        for giver in names
        for taker in names
        if giver != taker and random.random() < 0.2
    ]
    waiting = list(names)[random.choice((0, 0, 0, 1)) :]
    return document | {"fleets": fleets, "armies": armies, "offers": offers, "waiting": waiting}


def _relations(random: Random, everybody: list[str], names: tuple[str, ...]) -> list[dict[str, Any]]:
    relations: list[dict[str, Any]] = []
    trades = dict.fromkeys(everybody, 0)
    for place, one in enumerate(everybody):
        for other in everybody[place + 1 :]:
            entry: dict[str, Any] = {"between": [one, other]}
            kind = random.choice(("war", "war", "trade", "pact", "", "", "")) if one in names else ""
            if kind == "war":
                entry["status"] = "war"
            elif kind == "pact":
                entry["pact"] = True
            elif kind == "trade" and max(trades[one], trades[other]) < 3:
                trades[one] += 1
                trades[other] += 1
                entry["trade"] = True
            if len(entry) > 1:
                relations.append(entry)
    return relations


def may_be_at(document: Document, owner: str, planet: str) -> bool:
    """The right to be there (LC-R61), from the document alone."""
    host = next((entry.get("owner", planet) for entry in document["planets"] if entry["name"] == planet), planet)
    pair = next((entry for entry in document["relations"] if set(entry["between"]) == {owner, host}), {})
    return host == owner or pair.get("status") == "war" or bool(pair.get("pact"))


def _units(random: Random, document: Document, everybody: list[str], capacity: int) -> tuple[list[Any], list[Any]]:
    fleets: list[dict[str, Any]] = []
    armies: list[dict[str, Any]] = []
    for owner in everybody:
        places = [name for name in ARENA if may_be_at(document, owner, name)]
        for _ in range(random.choice((0, 1, 2, 4))):
            fleets.append({"id": f"F{len(fleets) + 1}", "owner": owner, "planet": random.choice(places)})
            if random.random() < 0.5:
                armies.append({"id": f"A{len(armies) + 1}", "owner": owner, "fleet": fleets[-1]["id"]})
        for _ in range(random.choice((0, 1, 2, 3))):
            armies.append({"id": f"A{len(armies) + 1}", "owner": owner, "planet": random.choice(places)})
    return fleets, armies


def documents(options: bool = True, players: int = 0) -> st.SearchStrategy[Document]:
    """Positions that a game could be in: two to four players in a dozen planets full of units, wars, pacts and offers."""
    return st.integers(0, 2**32).map(lambda seed: _document(Random(seed), options, players))


def _document(random: Random, options: bool, players: int) -> Document:
    chosen = random.sample(sorted(OPTIONS), random.choice((0, 2, 5))) if options else []
    return _world(random, players or random.randint(2, 4), {key: random.choice(OPTIONS[key]) for key in chosen})


def courses(options: bool = True, players: int = 0, length: int = 8) -> st.SearchStrategy[Course]:
    """Some mails and deadlines: moves, early moves, diplomatic mails, and mails that are returned."""
    return st.integers(0, 2**32).map(lambda seed: random_course(seed, options, players, length))


@cache
def short_course(seed: int) -> Course:
    """One for three players, without options."""
    return random_course(seed, options=False, players=3, length=5)


def random_course(seed: int, options: bool, players: int, length: int) -> Course:
    """Up to so many mails and deadlines, each of which fits what became of those before."""
    random = Random(seed)
    document = now = _document(random, options, players)
    secret = random.randbytes(4)
    dice = HmacDice(secret, b"")
    items: list[Item] = []
    for place in range(1, random.randint(2, length) + 1):
        seats = [entry["name"] for entry in now["states"] if entry.get("kind", "player") == "player"]
        if now.get("phase") == "over" or not seats:
            break
        items.append(_item(random, now, random.choice((now["waiting"][0], now["waiting"][0], *seats))))
        now = resolve(now, items[-1:], dice, first=place).document
    return Course(document, tuple(items), secret)


def _item(random: Random, now: Document, seat: str) -> Item:
    what = random.random()
    if what < 0.1:
        return DEADLINE
    if what < 0.15:
        return seat, random.choice(NONSENSE)
    if what < 0.25:
        return seat, lines(random, now, seat, random.randint(1, 4), DIPLOMATIC)
    return seat, _legal(now, seat, lines(random, now, seat, random.randint(5, 40)))


def _legal(document: Document, seat: str, text: str) -> str:
    """Only the lines that would be accepted in the position as it is, and the end of the move."""
    lax = ruleset.load({**document, "options": {**document["options"], "strict_mails": False}})
    receipt = ruleset.receive(lax, mail(seat, f"{text}\nEnd move"))
    return "\n".join(verdict.text for verdict in receipt.verdicts if verdict.canonical) or "End move"
