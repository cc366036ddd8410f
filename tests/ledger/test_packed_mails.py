"""Mails are stored compressed, and read as they came."""

import zlib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text
from sqlmodel import Session, select

from pbmd.ledger.database import MIGRATIONS, migrate, open_engine, sqlite_url
from pbmd.ledger.tables import Letter, PackedBytes, unpacked_in_part

KIND = PackedBytes()
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
MAIL = b"Subject: orders\r\n\r\n" + b"Build 1 Battleship\r\n" * 50
STORED = "0064787d4b267253830f8a4032122805389566e6a40047409c80f190935a9c9159302a361a06a3e960b8e5050059cd4c87"
"""What that became when the words were chosen."""


def _stored(raw: bytes) -> bytes:
    stored = KIND.process_bind_param(raw, None)  # pyright: ignore[reportArgumentType]
    assert stored is not None
    return stored


def _read(stored: bytes) -> bytes | None:
    return KIND.process_result_value(stored, None)  # pyright: ignore[reportArgumentType]


@given(st.binary(max_size=300))
def test_bytes_come_back_as_they_were(raw: bytes) -> None:
    assert _read(_stored(raw)) == raw
    assert _read(_stored(_stored(raw))) == _stored(raw), "also those that look as if they were compressed"


def test_no_bytes_are_none_for_queries_too() -> None:
    assert _stored(b"") == b""


def test_what_older_versions_have_stored_is_read() -> None:
    assert _read(MAIL) == MAIL
    assert _read(b"\0z" + zlib.compress(MAIL)) == MAIL


def test_the_words_that_compressed_mails_refer_to_are_never_changed() -> None:
    assert _read(bytes.fromhex(STORED)) == MAIL


@pytest.mark.parametrize("place", [2, 3, 8, 30, -1])
def test_what_is_spoiled_is_not_taken_for_the_mail(place: int) -> None:
    spoiled = bytearray(_stored(MAIL))
    spoiled[place] ^= 0xFF
    with pytest.raises(ValueError, match="spoiled"):
        _read(bytes(spoiled))


def test_of_what_is_cut_off_no_mail_is_read_and_the_beginning_can_be_had() -> None:
    noise = bytes(range(256)) * 4
    with pytest.raises(ValueError, match="spoiled"):
        _read(_stored(noise)[:-30])
    begun = unpacked_in_part(_stored(noise)[:-30])
    assert begun
    assert noise.startswith(begun)


def test_an_older_pbmd_gets_them_back_as_they_came(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path / "ledger.sqlite")
    migrate(url)
    engine = open_engine(url)
    with Session(engine) as session:
        session.add(Letter(fingerprint="f", uid=1, arrived_at=NOON, size=len(MAIL), raw=MAIL))
        session.commit()
        assert session.exec(select(Letter.raw)).one() == MAIL
    with engine.connect() as connection:
        assert len(connection.execute(text("SELECT raw FROM letter")).scalar_one()) < len(MAIL) / 4
    engine.dispose()
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("sqlalchemy.url", url)
    command.downgrade(config, "0024")
    engine = open_engine(url)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT raw FROM letter")).scalar_one() == MAIL
    engine.dispose()
