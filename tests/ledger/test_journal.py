"""The journal: whatever is done to a kept chain is found, and the hashes are what anybody can compute from the description."""

import hashlib
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
import rfc8785

from pbmd.ledger.journal import FIRST_HASH, SALT_BYTES, ChainError, Entry, link, verify

BEGIN = datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=UTC)
ODD = 'a "quote", a back\\slash, a tab\t, a null\x00, é, €, \U0001f680, \u2028'


def chain(length=5):
    links, head = [], FIRST_HASH
    for number in range(1, length + 1):
        secret = {"seat": "Altair", "lines": [[1, f"Build {number} Frigates"]]} if number % 2 else {}
        salt = bytes([0xA0 + number]) * SALT_BYTES
        entry = link(head, Entry(number, BEGIN + timedelta(minutes=number), f"kind-{number}", {"turn": number}, secret), salt)
        links.append(entry)
        head = entry.hash
    return links


def independent_hash(previous, number, at, kind, public, secret, salt):
    """The hash as the description says, without a line of pbmd."""
    sealed = hashlib.sha256(salt + rfc8785.dumps(secret)).hexdigest() if secret else ""
    frame = {"number": number, "at": at, "kind": kind, "public": public, "secret": sealed, "previous": previous}
    return hashlib.sha256(rfc8785.dumps(frame)).hexdigest()


@pytest.mark.parametrize(
    ("kind", "public", "secret"),
    [
        ("orders", {"turn": 3, "step": 3}, {"seat": "Altair", "lines": [[1, "Build 2 Frigates"]]}),
        ("resolved", {"z": 1, "a": {"é": 1.5, "B": [True, None, -0.0, 1e21]}}, {}),
        (ODD, {ODD: ODD}, {ODD: [ODD]}),
    ],
)
def test_the_hash_is_sha256_over_the_canonical_json_of_the_entry(kind, public, secret):
    salt = b"s" * SALT_BYTES
    entry = link("ab" * 32, Entry(7, BEGIN, kind, public, secret), salt)
    assert entry.hash == independent_hash("ab" * 32, 7, "2026-11-20T12:00:00.123456Z", kind, public, secret, salt)


def test_the_time_of_an_entry_does_not_depend_on_the_zone_it_was_told_in():
    berlin = BEGIN.astimezone(timezone(timedelta(hours=1)))
    assert link(FIRST_HASH, Entry(1, berlin, "k", {}, {}), b"").hash == link(FIRST_HASH, Entry(1, BEGIN, "k", {}, {}), b"").hash


def test_a_whole_chain_holds_and_gives_its_head():
    links = chain()
    assert verify(links) == links[-1].hash
    assert verify([]) == FIRST_HASH


def damaged(entry, name):
    """The entry with every possible change of one character in one of its fields."""
    text = getattr(entry, name)
    for place, old in enumerate(text):
        for new in {"0", "1", "A", old.swapcase()} - {old}:
            yield replace(entry, **{name: text[:place] + new + text[place + 1 :]})


@pytest.mark.parametrize("name", ["kind", "public", "secret", "salt", "hash"])
@pytest.mark.parametrize("number", [1, 3, 5])
def test_any_changed_character_is_found_and_its_entry_named(name, number):
    links = chain()
    for wrong in damaged(links[number - 1], name):
        with pytest.raises(ChainError, match=f"entry {number} "):
            verify([*links[: number - 1], wrong, *links[number:]])


@pytest.mark.parametrize(
    "change",
    [
        {"at": BEGIN + timedelta(microseconds=1)},
        {"public": ""},
        {"public": '{"turn": 2}'},
        {"secret": '{"seat":"Altair"}', "salt": "00" * SALT_BYTES},
        {"salt": "00" * SALT_BYTES},
        {"salt": "no hex"},
        {"kind": ""},
    ],
)
def test_any_changed_field_of_an_entry_without_secret_is_found(change):
    links = chain()
    with pytest.raises(ChainError, match="entry 2 "):
        verify([links[0], replace(links[1], **change), *links[2:]])


def test_a_secret_that_was_taken_out_is_found():
    links = chain()
    with pytest.raises(ChainError, match="entry 3 "):
        verify([*links[:2], replace(links[2], secret="", salt=""), *links[3:]])


@pytest.mark.parametrize("gone", [1, 2, 4])
def test_a_missing_entry_is_named(gone):
    links = chain()
    with pytest.raises(ChainError, match=f"entry {gone} is missing"):
        verify([entry for entry in links if entry.number != gone])


def test_swapped_entries_are_found_also_when_they_were_numbered_anew():
    links = chain()
    with pytest.raises(ChainError, match="entry 2 is missing"):
        verify([links[0], links[2], links[1], *links[3:]])
    renumbered = [links[0], replace(links[2], number=2), replace(links[1], number=3), *links[3:]]
    with pytest.raises(ChainError, match="entry 2 "):
        verify(renumbered)


def test_an_entry_told_twice_or_put_in_is_found():
    links = chain()
    with pytest.raises(ChainError, match="entry 3 "):
        verify([*links[:2], links[1], *links[2:]])
    forged = link(links[1].hash, Entry(3, BEGIN, "orders", {}, {}), b"")
    with pytest.raises(ChainError, match="entry 4 "):
        verify([*links[:2], forged, *links[3:]])


def test_a_chain_that_was_cut_short_has_another_head():
    links = chain()
    assert verify(links[:-1]) != links[-1].hash


def test_the_salt_keeps_a_secret_from_being_guessed():
    first = link(FIRST_HASH, Entry(1, BEGIN, "orders", {"turn": 1}, {"seat": "Altair"}), b"a" * SALT_BYTES)
    second = link(FIRST_HASH, Entry(1, BEGIN, "orders", {"turn": 1}, {"seat": "Altair"}), b"b" * SALT_BYTES)
    assert first.secret == second.secret
    assert first.hash != second.hash
    assert SALT_BYTES * 8 >= 128


def test_what_is_public_tells_nothing_of_the_secret():
    entry = link(FIRST_HASH, Entry(1, BEGIN, "orders", {"turn": 1}, {"seat": "Altair"}), b"a" * SALT_BYTES)
    assert "Altair" not in entry.public
    assert re.fullmatch(r"[0-9a-f]{64}", entry.hash)


def test_both_parts_are_kept_in_their_canonical_form():
    entry = link(FIRST_HASH, Entry(1, BEGIN, "k", {"b": 1, "a": 2}, {"d": "é", "c": 1.0}), b"a" * SALT_BYTES)
    assert (entry.public, entry.secret) == ('{"a":2,"b":1}', '{"c":1,"d":"é"}')
