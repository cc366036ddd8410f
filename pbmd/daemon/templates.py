"""The code and templates for the reports of open games, loaded before the first of them is due."""

import logging

from sqlalchemy.exc import OperationalError
from sqlmodel import select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.ledger.tables import Game, GameStatus
from pbmd.rendering.render import load_templates
from pbmd.rules.troubles import DEFECTS, place_of

_log = logging.getLogger("pbmd.daemon")


def load_open(desk: Desk) -> None:
    """Load them for all open games. What cannot be loaded now is logged, and loaded when it is needed."""
    try:
        with Transaction(desk, reads=True) as work:
            open_games = select(Game.ruleset).where(Game.status != GameStatus.FINISHED)
            slugs = work.session.exec(open_games.distinct().order_by(Game.ruleset)).all()
    except OperationalError as trouble:  # they are loaded when they are needed
        _log.warning("the templates of open games are not loaded ahead: the ledger does not answer (%s)", trouble.orig)
        return
    for slug in slugs:
        try:
            load_templates([desk.ruleset(slug).info])
        except DEFECTS as trouble:  # the game of a broken ruleset is put aside when it is due; the others go on
            _log.warning("the templates of the ruleset %s cannot be loaded: %s", slug, place_of(trouble))
