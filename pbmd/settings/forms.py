"""The forms of text that a setting can have beyond the plain types: an address, a time zone."""

import re
from typing import Annotated

from pydantic import AfterValidator

from pbmd.ledger.address import address_problem
from pbmd.terms.times import zone

MOST_LOCAL = 64
"""How many characters may stand before the @ (RFC 5321, 4.5.3.1.1)."""
_ADDRESS = re.compile(rf"[A-Za-z0-9.!#$%&'*/=?^_`{{|}}~-]{{1,{MOST_LOCAL}}}@[A-Za-z0-9.-]{{1,253}}")
_PUBLIC_URL = re.compile(r"https?://[A-Za-z0-9.-]{1,200}(:\d{1,5})?(/[A-Za-z0-9._~-]{1,60}){0,3}/?")


def _address(text: str) -> str:
    if not _ADDRESS.fullmatch(text):
        raise ValueError("must be an e-mail address like games@example.org, without a + in it")
    return text


def _zone(text: str) -> str:
    zone(text)
    return text


def _database(text: str) -> str:
    if text and (problem := address_problem(text)):
        raise ValueError(problem)
    return text


def _public_url(text: str) -> str:
    if text and not _PUBLIC_URL.fullmatch(text):
        raise ValueError("must be an address like https://games.example.org, without anything behind the path")
    return text.rstrip("/")


Database = Annotated[str, AfterValidator(_database)]
Address = Annotated[str, AfterValidator(_address)]
Zone = Annotated[str, AfterValidator(_zone)]
PublicUrl = Annotated[str, AfterValidator(_public_url)]
