"""Mails of ours that a letter, or a bounce, names by their Message-IDs."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam
from sqlmodel import col

from pbmd.ledger.tables import Outbox
from pbmd.post.tags import nonce_in

IS_NAMED: ColumnElement[bool] = and_(
    # So that Message-IDs, which are long, need no index of their own.
    col(Outbox.nonce).in_(bindparam("nonces", expanding=True)),
    col(Outbox.message_id).in_(bindparam("ids", expanding=True)),
)
"""Whether a mail is one of those named, with the values of `named_by`."""


def named_by(ids: Sequence[str]) -> dict[str, Any]:
    """The values for `IS_NAMED`: the mails that have these Message-IDs, which somebody else may have made up."""
    return {"nonces": [nonce_in(each) for each in ids], "ids": list(ids)}
