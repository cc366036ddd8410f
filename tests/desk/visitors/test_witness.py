"""Letters of witnesses: a checkpoint of a listed game with their signature and key."""

from datetime import timedelta

import pytest

from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.desk.books.checkpoints import signer_of
from pbmd.desk.changes import witnesses
from pbmd.desk.changes.witnesses import MOST_OF_ADDRESS, MOST_WITNESSES
from pbmd.ledger.tables import Endorsement
from pbmd.notes.checkpoint import Checkpoint, cosign, cosignature_of, read_checkpoint, sign_checkpoint
from pbmd.notes.signed_note import COSIGNATURE, Note, Signer, told_apart
from tests.desk.visitors.test_serve import ask, finish_the_turn
from tests.desk.world import BEGIN, World, body_of

ALICE = Signer("example.net/alice", b"a" * 32, COSIGNATURE)
LOG = "pbmd.test/games/galaxy-7"
NOW = int(BEGIN.timestamp())


def reported(world: World) -> Note:
    """What the last report has."""
    return claims_of_mail(world.outbox("report", "Altair")[-1].raw).checkpoints[0].note


def letter(note: Note, witness: Signer = ALICE, at: int = NOW) -> str:
    return f"WITNESS KEY {witness.verifier}\n\n{note.with_signatures([cosign(note, witness, at)])}"


def kept(world: World) -> list[tuple[str, int]]:
    return [(row.key, row.entry) for row in world.rows(Endorsement)]


@pytest.fixture
def listed(world: World) -> World:
    world.count(listed=True)
    return world


def test_anybody_may_vouch_and_is_answered(listed: World) -> None:
    note = reported(listed)
    answer = ask(listed, "Deneb", letter(note))
    entry = read_checkpoint(str(note))[1].size
    assert f"example.net/alice vouches for galaxy-7 up to entry {entry}" in answer
    [row] = listed.rows(Endorsement)
    assert (row.key, row.entry) == (str(ALICE.verifier), entry)
    assert cosignature_of(read_checkpoint(row.note)[0], ALICE.verifier) is not None
    assert [line.detail for line in listed.log("witness")] == [f"example.net/alice vouches up to entry {entry}"]


def test_only_what_was_signed_last_is_kept(listed: World) -> None:
    first = reported(listed)
    ask(listed, "Deneb", letter(first))
    finish_the_turn(listed)
    ask(listed, "Deneb", letter(reported(listed)))
    assert "which was known already" in ask(listed, "Deneb", letter(first, at=NOW + 1))
    assert kept(listed) == [(str(ALICE.verifier), read_checkpoint(str(reported(listed)))[1].size)]


def test_a_player_may_too_in_a_letter_that_says_nothing_else(listed: World) -> None:
    """What else a letter of a seat says are orders, and none may be lost."""
    note = reported(listed)
    report = listed.outbox("report", "Altair")[-1]
    assert "vouches for galaxy-7" in listed.reply(report, letter(note))
    assert listed.sheet("Altair") is None
    answer = listed.reply(report, f"Add 3\n\n{letter(note, Signer('bob', b'b' * 32, COSIGNATURE))}")
    assert listed.sheet("Altair") == ["Add 3"]
    assert len(kept(listed)) == 1
    assert "vouches" not in answer


def test_a_player_who_shows_only_an_address_is_not_asked_whether_it_was_them(listed: World) -> None:
    assert "vouches for galaxy-7" in ask(listed, "Altair", letter(reported(listed)))
    assert listed.questions() == []


def test_a_game_that_is_not_listed_is_answered_like_none(world: World) -> None:
    world.count()
    note = reported(world)
    other = signer_of(world.desk, "galaxy-9")
    none = sign_checkpoint(Checkpoint(other.name, 3, "ab" * 32), other)
    one, two = ask(world, "Deneb", letter(note)), ask(world, "Vega", letter(none))
    assert one == two
    assert "no game of that name" in one
    assert kept(world) == []


def forged(listed: World) -> dict[str, str]:
    note = reported(listed)
    said = read_checkpoint(str(note))[1]
    mallory = Signer(said.origin, b"m" * 32)
    own = signer_of(listed.desk, "galaxy-7")
    line = cosign(note, ALICE, NOW)
    return {
        "another host's": letter(sign_checkpoint(said, mallory)),
        "altered": letter(Note(str(Checkpoint(said.origin, said.size + 1, said.head)), note.signatures)),
        "another game's": letter(sign_checkpoint(Checkpoint("pbmd.test/games/galaxy-7", 2, said.head), own)),
        "another history": letter(sign_checkpoint(Checkpoint(said.origin, said.size, "cd" * 32), own)),
        "of a time to come": letter(note, at=NOW + 8000),
        "of no time": letter(note, at=2**63 - 1),
        "signed by another": letter(note, Signer(ALICE.name, b"x" * 32, 4)).replace(
            str(Signer(ALICE.name, b"x" * 32, 4).verifier), str(ALICE.verifier)
        ),
        "under a name like an address": letter(note, Signer("alice@example.net", b"a" * 32, COSIGNATURE)),
        "under the game's name": letter(note, Signer(said.origin, b"a" * 32, COSIGNATURE)),
        "with a signature that does not hold": letter(note).replace(str(line)[-20:-6], "A" * 14),
    }


@pytest.mark.parametrize("name", ["another host's", "altered", "another game's", "another history", "of a time to come",
    "of no time", "signed by another", "under a name like an address", "under the game's name",
    "with a signature that does not hold"])  # fmt: skip
def test_nothing_forged_is_kept_and_the_answer_says_why(listed: World, name: str) -> None:
    answer = ask(listed, "Deneb", forged(listed)[name])
    assert "Your signature was not kept: " in answer
    assert kept(listed) == []


def test_a_head_that_was_signed_here_and_is_not_in_the_journal_stands_in_the_log(listed: World) -> None:
    ask(listed, "Deneb", forged(listed)["another history"])
    assert [line.detail for line in listed.log("witness") if "signed with our key, and not in the journal" in line.detail]


def test_of_many_who_sign_once_the_first_stay_and_the_last_is_kept(listed: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbmd.desk.changes.witnesses.MOST_WITNESSES", 4)
    note = reported(listed)
    for number in range(6):
        listed.now += timedelta(minutes=1)
        ask(listed, f"Deneb{number}", letter(note, Signer(f"w/{number}", number.to_bytes(32, "big"), COSIGNATURE)))
    keys = [row.key for row in listed.rows(Endorsement)]
    assert len(keys) == 4
    assert [key.partition("+")[0] for key in (keys[0], keys[-1])] == ["w/0", "w/5"]


def test_an_address_is_answered_only_so_often(listed: World) -> None:
    note = reported(listed)
    for number in range(8):
        listed.now += timedelta(minutes=1)
        ask(listed, "Deneb", letter(note, Signer(f"w/{number}", number.to_bytes(32, "big"), COSIGNATURE)))
    assert len(listed.outbox("visit", "Deneb")) == 5


def test_a_machine_is_not_answered(listed: World) -> None:
    ask(listed, "Deneb", letter(reported(listed)), headers={"Auto-Submitted": "auto-generated"})
    assert listed.outbox("visit", "Deneb") == []
    assert kept(listed) == []


def test_what_a_witness_vouches_for_is_no_word_of_a_report(listed: World) -> None:
    """It changes nothing that players get."""
    before = len(listed.outbox("report"))
    ask(listed, "Deneb", letter(reported(listed)))
    finish_the_turn(listed)
    assert len(listed.outbox("report")) == before + 3
    assert not [mail for mail in listed.outbox("report") if "alice" in body_of(mail)]


# A crowd of keys


def of(number: int, name: str = "") -> Signer:
    return Signer(name or f"example.net/w{number}", number.to_bytes(32, "big"), COSIGNATURE)


def flood(world: World, note: Note, signers: list[Signer], *senders: str) -> None:
    for number, signer in enumerate(signers):
        world.now += timedelta(seconds=5)
        sender = senders[number % len(senders)]
        world.send("", letter(note, signer, at=int(world.now.timestamp())), sender=sender, to="games@pbmd.test")


def test_from_one_address_come_few_keys_and_the_honest_witness_stays(listed: World) -> None:
    note = reported(listed)
    ask(listed, "Deneb", letter(note))
    flood(listed, note, [of(number) for number in range(1, 51)], "troll@evil.test")
    assert len(kept(listed)) == 1 + MOST_OF_ADDRESS
    assert str(ALICE.verifier) in dict(kept(listed))
    told = " ".join(body_of([mail for mail in listed.mails() if mail.recipient == "troll@evil.test"][-1]).split())
    assert "from your address already" in told or "no answers" in told


def test_from_many_addresses_newcomers_push_out_newcomers(listed: World) -> None:
    note = reported(listed)
    ask(listed, "Deneb", letter(note))
    flood(listed, note, [of(number) for number in range(1, 56)], *[f"t{number}@evil.test" for number in range(30)])
    keys = dict(kept(listed))
    assert len(keys) == MOST_WITNESSES
    assert str(ALICE.verifier) in keys
    assert str(of(55).verifier) in keys, "there is room for who comes last"


def test_an_honest_newcomer_has_a_way_in_and_stays_where_strangers_have_taken_all_places(listed: World) -> None:
    note = reported(listed)
    trolls = [f"t{number}@evil.test" for number in range(17)]
    flood(listed, note, [of(number) for number in range(1, 52)], *trolls)
    assert len(kept(listed)) == MOST_WITNESSES
    assert "vouches for galaxy-7" in ask(listed, "Deneb", letter(note))
    flood(listed, note, [of(number) for number in range(60, 70)], *trolls, *[f"u{number}@evil.test" for number in range(9)])
    assert len(kept(listed)) == MOST_WITNESSES
    assert str(ALICE.verifier) in dict(kept(listed))


def test_who_has_signed_more_stays_where_strangers_have_taken_all_other_places(listed: World) -> None:
    for _ in range(2):
        ask(listed, "Deneb", letter(reported(listed)))
        finish_the_turn(listed)
    note = reported(listed)
    flood(listed, note, [of(number) for number in range(1, 81)], *[f"t{number}@evil.test" for number in range(80)])
    assert len(kept(listed)) == MOST_WITNESSES
    assert str(ALICE.verifier) in dict(kept(listed))


def test_of_one_address_no_key_takes_the_place_of_an_address_with_fewer(listed: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnesses, "MOST_WITNESSES", 2)
    note = reported(listed)
    for name, number in (("Deneb", 1), ("Electra", 2)):
        ask(listed, name, letter(note, of(number)))
    assert "nobody makes room for one more of your address" in " ".join(ask(listed, "Electra", letter(note, of(3))).split())
    assert {key.partition("+")[0] for key in dict(kept(listed))} == {"example.net/w1", "example.net/w2"}


def test_who_has_signed_more_is_never_pushed_out(listed: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnesses, "MOST_WITNESSES", 2)
    for _ in range(2):
        for name in ("Deneb", "Electra"):
            ask(listed, name, letter(reported(listed), of(len(name))))
        finish_the_turn(listed)
    before = dict(kept(listed)).keys()
    assert len(before) == 2
    assert "no room for more" in " ".join(ask(listed, "Fomalhaut", letter(reported(listed), of(99))).split())
    assert dict(kept(listed)).keys() == before


def test_two_keys_of_one_name_are_told_apart(listed: World) -> None:
    note = reported(listed)
    ask(listed, "Deneb", letter(note))
    other = of(7, ALICE.name)
    answer = " ".join(ask(listed, "Electra", letter(note, other)).split())
    assert f"example.net/alice (key {other.verifier.key_id.hex()}) vouches for galaxy-7" in answer
    assert f"(key {other.verifier.key_id.hex()})" in listed.log("witness")[-1].detail
    assert told_apart(ALICE.verifier, [other.verifier, ALICE.verifier]).endswith(f"(key {ALICE.verifier.key_id.hex()})")
    assert told_apart(ALICE.verifier, [ALICE.verifier]) == ALICE.name
