"""Phase 3 without the wonders: the budget, research, military, cities, conquered cities (SO-90 to SO-105, SO-R14 to SO-R26)."""

from dataclasses import replace

from ..orders import STEPS, BuildCities, Buy, Research, amount, step_of
from ..tables import NEEDS, city_cost, technology_name
from ..world.squares import Square, around, best_square, labels
from ..world.state import City
from .budget import Terms, budget_of, levels_of, technology_price, terms_of, unit_price
from .turn import Turn
from .wonders import can_build, expire


def plan_budgets(turn: Turn) -> None:
    """What each society can pay of its plan; the rest is cut (SO-86, SO-87, SO-R14)."""
    for name in turn.acting:
        orders = turn.plans[name].orders
        for place, order in enumerate(orders):
            step = step_of(order)
            if step and (obstacle := turn.obstacle(name, step)):
                turn.fail(name, place, obstacle)
        if turn.obstacle(name, "production"):
            continue
        negated = turn.stopped_steps(name, STEPS)
        budget = budget_of(terms_of(turn.start, name), turn.society(name).gold, orders, negated)
        turn.budgets[name] = budget
        for place, units, listed in budget.cuts:
            turn.tell_alone("order_cut", name, {"line": orders[place].text, "count": units, "listed": listed})
            of = budget.planned[place][0]
            turn.note(name, place, f"{units} of {of} cut for lack of gold" if of > 1 else "cut for lack of gold")


def research(turn: Turn) -> None:
    """Step 3a, technology by technology (SO-97, SO-98)."""
    for name in turn.acting:
        terms, before = terms_of(turn.start, name), turn.society(name).tech
        for place, order, count in turn.affordable(name, Research):
            found = 0
            for _ in range(count):
                level = turn.society(name).tech + 1
                if order.technology not in (0, level):
                    turn.fail(name, place, "out_of_sequence")
                    continue
                cost = technology_price(_as_counted(turn, terms), level)
                turn.pay(name, place, cost, tech=level)
                turn.tell_alone("purchase", name, {"what": technology_name(level), "cost": cost})
                found += 1
            if found:
                turn.note(name, place, f"level {turn.society(name).tech} reached, cost {turn.paid[name, place][1]}")
        if turn.society(name).tech > before:
            turn.tell("research", name, {"level": turn.society(name).tech, "name": technology_name(turn.society(name).tech)})
            expire(turn)


def military(turn: Turn) -> None:
    """Step 3b: armies cost what the present level makes them, nukes and SDI have fixed prices (SO-147, SO-108, SO-111)."""
    for name in turn.acting:
        for place, order, count in turn.affordable(name, Buy):
            society = turn.society(name)
            if order.item != "armies" and not can_build(turn, name, NEEDS[order.item]):
                turn.fail(name, place, "tech_missing")
                continue
            price, held = unit_price(order.item, society.tech), getattr(society, order.item)
            turn.pay(name, place, price * count, count, **{order.item: held + count})
            what = amount(count, order.item)
            turn.tell_alone("purchase", name, {"what": what, "cost": price * count})
            turn.note(name, place, f"{what} bought, cost {price * count}")


def cities(turn: Turn) -> None:
    """Step 3c: all cities of one society before those of the next (SO-R24)."""
    for name in turn.acting:
        for place, order, count in turn.affordable(name, BuildCities):
            built: list[Square] = []
            while len(built) < count and (square := _site(turn, name, order)):
                cost = city_cost(len(turn.now.territory[name]) + 1)
                turn.put_city(City(square, name, "" if built else order.name))
                turn.pay(name, place, cost)
                turn.tell("city_built", name, {"square": square.text})
                turn.tell_alone("purchase", name, {"what": f"city at {square.text}", "cost": cost})
                built.append(square)
            if len(built) < count:
                turn.fail(name, place, "no_square", count - len(built))
            if built:
                turn.note(name, place, f"built at {labels(built)}, cost {turn.paid[name, place][1]}")


def rehabilitate(turn: Turn) -> None:
    """Step 3e, free of charge and without orders (SO-28, SO-R08, SO-R86)."""
    for name in turn.acting:
        if turn.obstacle(name, "rehabilitation"):
            continue
        waiting = [city for city in turn.now.city_at.values() if city.owner == name and city.rehabilitating]
        for city in waiting:
            turn.put_city(city._replace(rehabilitating=False))
        if waiting:
            turn.tell_alone("rehabilitated", name, {"squares": [city.square.text for city in waiting]})


def tell_budgets(turn: Turn) -> None:
    """Tell each society its budget as planned and as spent, order by order."""
    for name, budget in turn.budgets.items():
        if not budget.planned:
            continue
        listed = {place for place, _, from_list in budget.cuts if from_list}
        rows: list[dict[str, str | int | bool]] = []
        total = 0
        for place, (units, cost) in budget.planned.items():
            bought, spent = turn.paid.get((name, place), (0, 0))
            total += spent
            row = {"units": units, "cost": cost, "kept": budget.kept[place][0], "bought": bought, "spent": spent}
            rows.append({"line": turn.plans[name].orders[place].text, "listed": place in listed, **row})
        data = {"treasury": budget.treasury, "cost": budget.planned_cost, "rows": rows, "spent": total}
        turn.tell_alone("budget", name, {**data, "left": budget.treasury - total})


def _as_counted(turn: Turn, terms: Terms) -> Terms:
    """The present prices, if knowledge counts as soon as it is found (SO-R17)."""
    if turn.options.tech_discount_counts == "start_of_turn":
        return terms
    return replace(terms, levels=levels_of(turn.now))


def _site(turn: Turn, name: str, order: BuildCities) -> Square | None:
    """Where the next city of an order goes (SO-R21 to SO-R23), None if it cannot be built."""
    legal = _legal(turn, name)
    wished = next((square for square in order.squares if square in legal), None)
    if wished or (order.squares and turn.options.city_list_exhausted == "fail"):
        return wished
    return best_square(legal, turn.now.territory[name], turn.now.side)


def _legal(turn: Turn, name: str) -> frozenset[Square]:
    """The squares on which the society can found a city (SO-R22)."""
    side = turn.now.side
    if turn.now.has_active(name, "Trans-Siberian Railroad"):
        near = {Square(row, column) for row in range(1, side + 1) for column in range(1, side + 1)}
    else:
        near = {square for own in turn.now.territory[name] for square in around(own, side)}
    return frozenset(near - turn.now.city_at.keys() - {*turn.now.nuked})
