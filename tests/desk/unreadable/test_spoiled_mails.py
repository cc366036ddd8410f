"""A mail that is kept compressed, and of which something else than pbmd has changed a few bits: it is not read as if it were
whole, but put aside, and holds up no other."""

from sqlalchemy import text

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mailroom import process_letters
from pbmd.desk.unreadable.erasing import erase_values_of
from pbmd.desk.unreadable.put_aside import look
from pbmd.ledger.tables import Letter, LetterState, Outbox, OutboxState, UnreadableValue
from tests.desk.upkeep.test_tidying import send_all
from tests.desk.world import World, body_of


def spoil(world: World, table: str, number: int) -> None:
    """Change the last byte of a mail: of its checksum."""
    with world.desk.engine.begin() as connection:
        raw = bytearray(connection.execute(text(f"SELECT raw FROM {table} WHERE id = :id"), {"id": number}).scalar_one())
        raw[-1] ^= 1
        connection.execute(text(f"UPDATE {table} SET raw = :raw WHERE id = :id"), {"raw": bytes(raw), "id": number})


def told(world: World, words: str) -> bool:
    mails = [" ".join(body_of(mail).split()) for mail in world.outbox("alarm")]
    return any(words in mail for mail in mails) and any(words in line.detail for line in world.log("unreadable"))


def two_letters(world: World) -> tuple[int, int]:
    world.count()
    for seat in ("Altair", "Cygnus"):
        world.arrive(world.letter(seat, "Add 3"))
    first, second = (letter.id for letter in world.rows(Letter, Letter.state == LetterState.NEW))
    return first, second


def test_a_new_letter_is_put_aside_and_the_next_is_dealt_with(world: World) -> None:
    first, second = two_letters(world)
    spoil(world, "letter", first)
    process_letters(world.desk)
    states = {letter.id: letter.state for letter in world.rows(Letter)}
    assert (states[first], states[second]) == (LetterState.QUARANTINED, LetterState.DONE)
    assert told(world, f"raw of letter {first} cannot be read; the letter is put aside")


def test_a_new_letter_is_found_by_the_look_at_rows_in_use(world: World) -> None:
    first, _ = two_letters(world)
    spoil(world, "letter", first)
    assert len(look(world.desk, in_use=True)) == 1
    assert look(world.desk, in_use=True) == []


def test_a_mail_that_is_to_go_out_is_held_and_the_others_go_out(world: World) -> None:
    world.count()
    first, *others = (mail.id for mail in world.rows(Outbox, Outbox.state == OutboxState.QUEUED))
    spoil(world, "outbox", first)
    send_all(world)
    states = {mail.id: mail.state for mail in world.rows(Outbox)}
    assert states[first] is OutboxState.HELD
    assert {states[number] for number in others} == {OutboxState.SENT}
    assert told(world, f"raw of outbox {first} cannot be read; the mail is held")


def test_a_letter_that_answers_a_mail_that_is_spoiled_is_dealt_with(world: World) -> None:
    world.count()
    send_all(world)
    for mail in world.rows(Outbox):
        spoil(world, "outbox", mail.id)
    assert "Add 3" in world.send("Altair", "Add 3")
    assert not world.rows(Letter, Letter.state == LetterState.QUARANTINED)


def test_what_was_put_aside_is_erased_with_the_address_that_is_in_it(world: World) -> None:
    first, _ = two_letters(world)
    spoil(world, "letter", first)
    look(world.desk, in_use=True)
    with Transaction(world.desk) as work:
        assert erase_values_of(work, "altair@players.test") == 1
    assert [value.value for value in world.rows(UnreadableValue)] == [""]
