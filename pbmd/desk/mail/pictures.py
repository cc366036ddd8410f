"""Pictures of mails, kept once each: they are most of what is sent, and often go to several readers."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select
from sqlmodel import col

from pbmd.desk.books.transaction import Transaction
from pbmd.ledger.database import padded
from pbmd.ledger.tables import Picture, PictureInMail
from pbmd.post.compose import base64_lines

LEAST_BYTES = 2_000
"""What is smaller stays where it is."""
# Made once: who has written a letter waits for it.
_OF_MAILS = (
    select(col(PictureInMail.mail), col(PictureInMail.at), col(Picture.data))
    .join(Picture, col(Picture.digest) == col(PictureInMail.digest))
    .where(col(PictureInMail.mail).in_(bindparam("mails", expanding=True)))
    .order_by(col(PictureInMail.mail), col(PictureInMail.at))
)


class Placed(NamedTuple):
    """Where a picture belongs in the bytes that are left of a mail."""

    at: int
    data: bytes


def without_pictures(mail: bytes, pictures: Iterable[bytes]) -> tuple[bytes, list[Placed]]:
    """A mail without those of its pictures that are worth it, and where they belong."""
    found = ((mail.find(lines), lines, data) for data in pictures if len(data) >= LEAST_BYTES for lines in [base64_lines(data)])
    rest, end = list[bytes](), 0
    places = list[Placed]()
    for at, lines, data in sorted(each for each in found if each[0] >= 0):
        rest.append(mail[end:at])
        places.append(Placed(sum(map(len, rest)), data))
        end = at + len(lines)
    return b"".join([*rest, mail[end:]]), places


def with_pictures(rest: bytes, places: Sequence[Placed]) -> bytes:
    """The mail as it was."""
    pieces, end = list[bytes](), 0
    for at, data in places:
        pieces += [rest[end:at], base64_lines(data)]
        end = at
    return b"".join([*pieces, rest[end:]])


def keep_pictures(work: Transaction, mail: str, places: Iterable[Placed]) -> None:
    """Note the pictures of the mail with this key, and keep those that are not kept already."""
    for at, data in places:
        digest = hashlib.sha256(data).hexdigest()
        work.add(Picture, digest=digest, data=data)
        work.add(PictureInMail, mail=mail, at=at, digest=digest)


def pictures_of(connection: Connection, mails: Collection[str]) -> dict[str, list[Placed]]:
    """The pictures of the mails with these keys."""
    found = defaultdict[str, list[Placed]](list)
    if not mails:
        return found
    for mail, at, data in connection.execute(_OF_MAILS, {"mails": padded(mails)}):
        found[mail].append(Placed(at, data))
    return found
