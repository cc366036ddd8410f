"""Order text of a random player who wants to win: for `pbmd simulate`, for fuzzing, for the demo."""

from dataclasses import dataclass, field

from pbmd.rules import Dice
from pbmd.rules.randomly import one_in, pick

from .checking.examples import good_square, nearest_rival
from .orders import PHASES, STEPS, Function, called
from .resolution.budget import Terms, technology_price, terms_of
from .tables import GOVERNMENTS, NEEDS, NUKE_PRICE, PART_PRICE, SDI_PRICE, TECHNOLOGIES, WONDERS, city_cost, wonder_base
from .world.squares import around, column_label, touches
from .world.state import Position, Society

_FUNCTIONS: tuple[Function, ...] = ("espionage", "trade", *STEPS, "aid", "war")
_TIRED = 14
"""From this turn on players begin to concede."""
_LEISURE = 4
"""In one of this many turns they build a part of their spaceship: else games would end before nukes have decided anything."""


@dataclass(slots=True)
class _Draft:
    """A letter in the making: its lines, the gold that is left, and the level that the research will bring."""

    position: Position
    society: Society
    terms: Terms
    dice: Dice
    gold: int
    level: int
    lines: list[str] = field(default_factory=list[str])

    @property
    def name(self) -> str:
        return self.society.name

    def pay(self, cost: int) -> bool:
        """Whether that can be paid; if so, it is."""
        if cost > self.gold:
            return False
        self.gold -= cost
        return True

    def say(self, *forms: str) -> None:
        """One of these lines."""
        self.lines.append(pick(self.dice, forms))

    @property
    def rivals(self) -> list[str]:
        return [other.name for other in self.position.living if other.name != self.name]


def random_orders(position: Position, seat: str, dice: Dice) -> str:
    """A legal list of a society that is awaited, in all the forms there are; rarely an empty one."""
    society = position.by_name[seat]
    draft = _Draft(position, society, terms_of(position, seat), dice, society.gold, society.tech)
    if draft.rivals and not one_in(draft.dice, 40):
        _spies(draft)
        _trade(draft)
        _revolution(draft)
        _research(draft)
        _wonders(draft)
        _spaceship(draft)
        _nukes_and_sdi(draft)
        _kgb(draft)
        _cities(draft)
        _armies(draft)
        _cuts(draft)
        _aid(draft)
        _war(draft)
        _talk(draft)
    marks = ("", "", "- ", "* ", "{}. ", "{}) ")
    lines = [f"{pick(draft.dice, marks).format(place)}{line}" for place, line in enumerate(draft.lines, start=1)]
    return "\n".join(["Action (cost in Gold)", "-----", *lines] if one_in(draft.dice, 10) else lines)


# --- Espionage and trade -------------------------------------------------------------------------------------------------


def _spies(draft: _Draft) -> None:
    left = draft.society.spies + (draft.society.tech >= NEEDS["spies"])
    while left > 0:
        left -= 1
        words = called(pick(draft.dice, _FUNCTIONS))
        if one_in(draft.dice, 3):
            draft.say(f"Spy defend {words}", f"1 spy --> defends {words}", f"spies x1 on defence of {words}")
            continue
        rival = pick(draft.dice, draft.rivals)
        draft.say(
            f"Spy on {rival}, target {words}",
            f"Spy --> {rival}, target {words}.",
            f"spies x1 against {rival} targeting: {words}",
            f"1 spy to {rival}, targets {draft.dice.roll(2)}",
        )
        if draft.position.options.plain_production != "reject" and one_in(draft.dice, 4):
            draft.lines[-1] = f"Spy -> {rival}, target Production"


def _trade(draft: _Draft) -> None:
    position, society = draft.position, draft.society
    limit = min(society.tech, position.options.max_caravans)
    near = [
        position.by_name[name]
        for name in draft.rivals
        if not position.at_war(name, draft.name) and position.reaches(draft.name, name)
    ]
    near.sort(key=lambda other: -other.tech)
    bonus = GOVERNMENTS[society.government].bonus
    income = 0
    for partner in near[:2]:
        cost, product = position.caravan(draft.name, partner.name)
        count = min(limit, draft.gold // cost if cost else limit)
        if count < 1 or product * bonus <= cost:
            continue
        limit -= count
        draft.pay(cost * count)
        income += int(product * count * bonus)
        draft.say(
            f"Trade with {partner.name} x{count}",
            f"Trade with {partner.name} x{count} ({cost * count})-->(+{product * count}) Note that it can be spent at once",
            f"Send {count} caravans to {partner.name} ({cost * count})",
            f"{count} caravans with {partner.name}",
        )
    if position.has_active(draft.name, "NASCAR") and limit:
        draft.say("Trade with me", "Trade with myself x1")
    # Now and then uncertain gold is spent anyway: then something is cut.
    draft.gold += income if one_in(draft.dice, 2) else 0


# --- Production ----------------------------------------------------------------------------------------------------------


def _research(draft: _Draft) -> None:
    for _ in range(draft.dice.roll(2)):
        following = draft.level + 1
        price = technology_price(draft.terms, following)
        if following > len(TECHNOLOGIES) + 1 or not draft.pay(price):
            return
        draft.level = following
        forms = ["Research 1", f"Research 1 tech ({price})", "Technology x1", "Buy technology"]
        if following <= len(TECHNOLOGIES):
            name = TECHNOLOGIES[following - 1]
            forms += [name, f"Research {name}", f"{name} ({price})"]
        draft.say(*forms)


def _wonders(draft: _Draft) -> None:
    position = draft.position
    free = position.free_cities(draft.name)
    for wonder in reversed(WONDERS[: draft.level]):
        if not free or one_in(draft.dice, 3):
            return
        base = wonder_base(wonder)
        if wonder in position.wonder or draft.gold < base:
            continue
        spend = base + draft.dice.roll(min(draft.gold - base, base // 4 + 1) + 1) - 1
        draft.pay(spend)
        place = f" in {free[0].text}"
        draft.say(
            f"Build {wonder} for {spend}", f"{wonder} ({spend})", f"{wonder} {spend}", f"Build {wonder} for {spend}{place}"
        )
        free.pop(0)


def _spaceship(draft: _Draft) -> None:
    missing = draft.position.options.spaceship_parts - draft.society.spaceship_parts
    ready = draft.level >= NEEDS["part"] and missing > 0
    if not (ready and one_in(draft.dice, _LEISURE) and draft.pay(PART_PRICE)):
        return
    if missing > 1:
        draft.say("Build spaceship part", "Spaceship (1000)", "Buy spaceship part")
        return
    more = draft.gold // 2
    draft.pay(more)
    draft.say(f"Build engines for {PART_PRICE + more}", f"Engines ({PART_PRICE + more})")


def _nukes_and_sdi(draft: _Draft) -> None:
    if draft.level >= NEEDS["nukes"] and one_in(draft.dice, 3) and draft.pay(NUKE_PRICE):
        draft.say("Buy 1 nuke", "Nukes x1 (500)", "Build nuke")
    if draft.level >= NEEDS["sdi"] and one_in(draft.dice, 3) and draft.pay(SDI_PRICE):
        draft.say("Buy 1 SDI", "SDI (1000)")


def _kgb(draft: _Draft) -> None:
    if not draft.position.has_active(draft.name, "KGB"):
        return
    theirs = [w.name for w in draft.position.wonders if w.active and w.owner not in ("", draft.name) and w.name != "KGB"]
    if theirs:
        wonder = pick(draft.dice, theirs)
        draft.say(f"KGB obsoletes {wonder}", f"Use KGB on {wonder}", f"KGB: obsolete {wonder}")


def _cities(draft: _Draft) -> None:
    position, owned = draft.position, draft.terms.cities
    square = good_square(position, draft.name)
    for number in range(owned + 1, owned + 1 + draft.dice.roll(2)):
        if square is None or not draft.pay(city_cost(number)):
            return
        near = [s for s in around(square, position.side) if s not in position.city_at and s not in position.nuked]
        squares = ", ".join(s.text for s in (square, *near))
        cost = city_cost(number)
        draft.say(
            "Build city",
            f"Build city at {square.text}",
            f"City of Port {column_label(number)} ({cost}) {squares}",
            f"City: {squares}",
        )


def _armies(draft: _Draft) -> None:
    count = draft.gold // draft.level // (1 + draft.dice.roll(4))
    if count and draft.pay(count * draft.level):
        draft.say(f"Buy {count} armies", f"Armies x{count} ({count * draft.level})", f"{count} armies", f"Armies x{count}")


def _cuts(draft: _Draft) -> None:
    if one_in(draft.dice, 3):
        wonder = pick(draft.dice, WONDERS)
        draft.say("If short, cut armies", f"If short cut: cities x1, {wonder} and research", "Cut technology, SDI, engines")


# --- Foreign aid, war and talk -------------------------------------------------------------------------------------------


def _aid(draft: _Draft) -> None:
    if not one_in(draft.dice, 6):
        return
    society, friend = draft.society, pick(draft.dice, draft.rivals)
    if society.tech > draft.position.by_name[friend].tech and one_in(draft.dice, 2):
        draft.say(f"Give {friend} 1 tech", f"Give 1 technology to {friend}")
    if draft.position.options.aid_gold and draft.pay(2):
        draft.say(f"Give {friend} 2 gold", f"Give 2 gold to {friend}")
    if society.armies > 2 and draft.position.adjacent(draft.name, friend):
        draft.say(f"Give {friend} 1 army", f"Give 1 army to {friend}")


def _war(draft: _Draft) -> None:
    position, society = draft.position, draft.society
    own = position.territory[draft.name]
    victims = [n for n in draft.rivals if position.adjacent(n, draft.name) and not position.has_active(n, "Colosseum")]
    if victims and society.armies:
        victim = min(victims, key=lambda name: position.by_name[name].tech)
        near = [square for square in position.territory[victim] if touches(square, own, position.side)]
        squares = ", ".join(square.text for square in near[:3])
        if one_in(draft.dice, 3):
            force = max(1, society.armies * 3 // 4)
            draft.say(
                f"Attack {victim} with {force} armies.\nTargets: {squares}, etc.",
                f"Attack {victim} with {force}, targets: {squares}",
                f"Attack {victim} with all armies",
            )
        elif not position.at_war(draft.name, victim) and one_in(draft.dice, 4):
            draft.say(f"Declare war on {victim}", f"declare war against {victim}")
    if society.nukes:
        victim = nearest_rival(position, draft.name)
        squares = ", ".join(square.text for square in position.territory[victim][:3])
        count = society.nukes
        draft.say(f"Launch {count} nukes at {victim}\nTargets: {squares}", f"{count} nukes to {victim}, targets {squares}")


def _talk(draft: _Draft) -> None:
    position = draft.position
    for war in position.wars:
        if draft.name in war.between and one_in(draft.dice, 2):
            other = next(name for name in war.between if name != draft.name)
            draft.say(f"Peace with {other}", f"Declare peace with {other}")
    if one_in(draft.dice, 20):
        victim = pick(draft.dice, draft.rivals)
        draft.say(f"Spoils of {victim} to me", f"Spoils of {victim}: {pick(draft.dice, WONDERS)} to me")
    conceded = any(concession.by == draft.name for concession in position.concessions)
    if conceded and one_in(draft.dice, 10):
        draft.say("Withdraw concession")
    elif not conceded and position.turn >= _TIRED and one_in(draft.dice, 8):
        leader = max(position.living, key=lambda society: (society.tech, len(position.territory[society.name])))
        if leader.name != draft.name:
            draft.say(f"Concede to {leader.name}")


def _revolution(draft: _Draft) -> None:
    society, position = draft.society, draft.position
    republic = society.tech >= GOVERNMENTS["republic"].needs or position.has_active(draft.name, "Acropolis")
    wanted = "republic" if republic else "monarchy" if society.tech >= GOVERNMENTS["monarchy"].needs else society.government
    if society.government in (wanted, "republic") or not one_in(draft.dice, 2):
        return
    phase = called(pick(draft.dice, ("production", "production", *PHASES)))
    name = GOVERNMENTS[wanted].name
    draft.say(
        f"Revolution to {name}, keep {phase}", f"Revolution: {name} retain {phase}", f"Revolution to {name} keeping {phase}"
    )
