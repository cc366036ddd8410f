"""SET: an option of the rules is changed in a running game, where the ruleset says that this is sound."""

import json
from typing import Any

from pbmd.desk.books.transaction import OpenGame, Transaction, compact_json
from pbmd.desk.mail.notice import Notice, tell
from pbmd.desk.step.end_questions import must_have_begun
from pbmd.ledger.entries.master_entries import ChangedOptions, SetEntry
from pbmd.ledger.tables import SeatState
from pbmd.rendering.entry_notices import notices_of
from pbmd.rules.options import OptionError, OptionSpec, OptionValue, changed, complete, from_text, option_words
from pbmd.rules.protocol import PositionError, Refused
from pbmd.rules.troubles import told_of_options
from pbmd.terms.terms import Terms


def changeable(table: OpenGame) -> list[OptionSpec]:
    """The options that can be changed in mid-game."""
    return [spec for spec in table.ruleset.info.options.values() if spec.midgame]


def new_value(table: OpenGame, key: str, text: str) -> tuple[OptionSpec, OptionValue, OptionValue]:
    """The option, its value now, and its new value. Raises `Refused`."""
    must_have_begun(table)
    options = table.ruleset.info.options
    if key not in options or not options[key].midgame:
        names = ", ".join(spec.key for spec in changeable(table)) or "none"
        why = "cannot be changed in mid-game" if key in options else "is no option of this game"
        raise Refused(f'"{key}" {why}; these can be: {names}')
    try:
        value = from_text(options[key], text)
    except OptionError as problem:
        raise Refused(str(problem)) from None
    now = option_now(table, key)
    if value == now:
        raise Refused(f"{key} is {option_words(value)} already")
    rules = table.ruleset
    if rules.info.sheets.later == "final" and not rules.sequential and rules.sheets(table.position):
        raise Refused("orders are final in this game and some are in: change the option when a turn has just begun")
    return options[key], now, value


def option_now(table: OpenGame, key: str) -> OptionValue:
    """The value of an option of the rules in this game. Raises `KeyError` if there is none of that name."""
    return complete(table.ruleset.info.options, json.loads(table.game.options))[key]


def set_option(work: Transaction, table: OpenGame, key: str, text: str, reason: str = "") -> str:
    """Change the option from now on, and notify everybody; returns the sentence for the game master. Raises `Refused` if it
    cannot be changed, or does not fit the present position."""
    spec, now, value = new_value(table, key, text)
    both: dict[str, Any] = changed(table.ruleset.info.options, json.loads(table.game.options) | {key: value})
    given = dict(sorted(both.items()))  # in the journal's order, from which the game can be replayed
    position = with_options(table, given)
    table.game.options = compact_json(given)
    work.move(table, position)
    clock = table.ruleset.info.clock
    if clock is not None and key == clock.turn_hours:
        table.terms = Terms.model_validate(table.terms.model_dump() | {"deadline": f"{value}h"})
        table.game.terms = table.terms.model_dump_json()
    sealed = ChangedOptions(cause=work.cause or None, options=given)
    entry = SetEntry(turn=table.game.turn, option=key, before=now, now=value, reason=reason, sealed=sealed)
    number = work.journal(table, entry)
    work.log("set", table, detail=f"{key} = {option_words(value)}, was {option_words(now)}")
    sentence = f"{key} is {option_words(value)} from now on; it was {option_words(now)}."
    headline = notices_of(entry)[0].headline
    players = [seat for seat in table.seats if seat.state is SeatState.ACTIVE]
    tell(work, table, players, Notice(f"notice {table.id} {number}", headline, f"{sentence} {spec.help}", reason))
    return sentence


def with_options(table: OpenGame, given: dict[str, Any]) -> Any:
    """The position with these options instead of its own. Raises `Refused` if they do not fit it."""
    document: dict[str, Any] = dict(table.ruleset.dump(table.position))
    try:
        return table.ruleset.load(document | {"options": given})
    except PositionError as problem:
        raise Refused(f"that does not fit how the game stands: {told_of_options(problem)}") from None
