"""What a witness put under a checkpoint with pbmd 1.0, as c2sp.org/tlog-cosignature has it."""

from dataclasses import replace

from pbmd.notes.signed_note import Note, Signature, Signer, signature


def cosign(note: Note, witness: Signer, at: int) -> Signature:
    """The line of a witness, which is of the kind `COSIGNATURE`."""
    made = signature(witness.seed, f"cosignature/v1\ntime {at}\n{note.text}".encode())
    return Signature(witness.name, witness.verifier.key_id, at.to_bytes(8, "big") + made)


def with_lines(note: Note, *more: Signature) -> Note:
    """The note with these lines as well."""
    return replace(note, signatures=(*note.signatures, *more))
