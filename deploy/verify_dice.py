#!/usr/bin/env python3
"""Draw the dice of an exported game again, with nothing but this file and Python 3.9 or later.

    python3 verify_dice.py ARCHIVE [HEX ...]

Checks that every entry of the journal follows from the one before, that every dice secret, and every secret of salts, is the
one whose SHA-256 was published before the orders came, and that every roll follows from secret, orders used with the salts of
their seats and the words that came with them, and counter, and is in the journal.
With HEX, copied from your own mails (head, commitment, secret, salt, digest of your orders), it says where the archive has it.
Exit code 0: all is as it must be; 1: something is not; 2: it cannot be read; 3: nothing is wrong, but not all can be proved.
"""

import hashlib
import hmac
import json
import sys
from itertools import count
from pathlib import Path

WORDS = 1 << 64
OF_DICE = ("created", "started", "imported", "resolved", "rolled-back", "finished")
Wrong = type("Wrong", (Exception,), {})


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def canonical(item):
    """JSON as RFC 8785 writes it: no blanks, keys sorted by their UTF-16 units."""
    if isinstance(item, dict):
        keys = sorted(item, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
        return b"{" + b",".join(canonical(key) + b":" + canonical(item[key]) for key in keys) + b"}"
    if isinstance(item, list):
        return b"[" + b",".join(map(canonical, item)) + b"]"
    return json.dumps(item, ensure_ascii=False).encode()


def checked_journal(path):
    """The entries of the journal. Each hash has the one before in it: nothing can be changed, left out or put in. Of what
    is withheld there is no hash, and without its salt a secret part need not be the one that was sealed: they prove nothing."""
    entries, head, since = [], "0" * 64, ""
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        entry = {"secret": {}, "salt": "", "sealed": "", **json.loads(line)}
        shown = sha256(bytes.fromhex(entry["salt"]) + canonical(entry["secret"])) if entry["salt"] else ""
        sealed, gone = entry["sealed"] or shown, "withheld" in entry or not head
        frame = {key: entry.get(key) for key in ("at", "kind", "number", "public")}
        head = entry.setdefault("hash", "") if gone else sha256(canonical({**frame, "previous": head, "secret": sealed}))
        if (entry["number"], entry["hash"], shown or sealed) != (number, head, sealed):
            raise Wrong(f"entry {number} of the journal is not what was written")
        since = f"; it fixes nothing before entry {number}, withheld" if gone else since
        entries.append({**entry, "since": since, "opened": entry["secret"] if entry["salt"] else {}})
    return entries


def drawn_again(key, context, rolls):
    """The rolls of dice with so many sides: HMAC-SHA-256 with the secret over context and counter, its first eight bytes as a
    number, without the numbers of the last, incomplete run of the sides, so that each face is as likely as any other."""
    words = (int.from_bytes(hmac.digest(key, context + n.to_bytes(8, "big"), "sha256")[:8], "big") for n in count())
    if impossible := [sides for sides, _ in rolls if not 1 <= sides <= WORDS]:
        raise Wrong(f"there is no die with {impossible[0]} sides")
    return [[sides, next(word for word in words if word < WORDS - WORDS % sides) % sides + 1] for sides, _ in rolls]


def check_secret(where, kind, secret, promised):
    """Say where a secret comes from. Nothing is promised before a game is created (older: has begun), nor after its end."""
    if (not promised and kind == "started") or (promised in ("", "withheld") and not secret and kind != "resolved"):
        return "nothing was promised before it"
    if kind == "started" and not secret:
        return "the secret that was promised is sealed here"
    if secret and promised == "withheld":
        return "what was promised is withheld here"
    if not secret or sha256(bytes.fromhex(secret)) != promised:
        raise Wrong(f"{where}: the secret is not the one that was promised")
    return "the secret is the one that was promised"


def salt_of(secret, number):
    """The salt of the seat with that number: the beginning of HMAC-SHA-256 with the secret of the salts."""
    return hmac.digest(bytes.fromhex(secret), number.to_bytes(8, "big"), "sha256")[:16].hex()


def check_salts(where, opened, document, promised):
    """All salts of a step come from one secret, promised with that of its dice; it is not shown if orders were changed."""
    secret, seats = document.get("salts", ""), document.get("seats", ())
    if document.get("anonymised") and seats:
        return
    if promised not in ("withheld", sha256(bytes.fromhex(secret)) if secret else ""):
        raise Wrong(f"{where}: the secret of the salts is not the one that was promised")
    if opened.get("salts", secret) != secret or any(seat["salt"] != salt_of(secret, seat["number"]) for seat in seats):
        raise Wrong(f"{where}: dice.json has other salts than follow from their secret")


def bound_to(kind, document, before):
    """What the rolls of a step are bound to: the digests of all seats in their order, each of salt and lines (null: no orders),
    and word if there is one; and `before` if of one secret. Older: the orders used, first come first; anonymised: as told."""
    if kind == "started" and "seats" not in document:
        return b"setup".hex()
    if "sheets" in document and document.get("anonymised"):
        return document["context"]
    plain = [[sheet["seat"], sheet["lines"]] for sheet in document.get("sheets", ())]
    seats = [(one, {"lines": one["lines"], "word": one.get("word")}) for one in document.get("seats", ())]
    told = [(one, canonical(both if both["word"] else one["lines"])) for one, both in seats]
    salted = [sha256(bytes.fromhex(one["salt"]) + text) if "salt" in one else one["digest"] for one, text in told]
    own = sha256(canonical(salted or plain))
    return sha256(bytes.fromhex(before + own)) if before else own


def check_rolls(where, entry, secret, document, before):
    """The rolls of a step drawn again, and what they are bound to."""
    context = bound_to(entry["kind"], document, before)
    if (document["secret"], document["context"]) != (secret or document["secret"], context):
        raise Wrong(f"{where}: dice.json has another secret or context than follow from journal and orders")
    rolls = drawn_again(bytes.fromhex(document["secret"]), bytes.fromhex(context), document["rolls"])
    if rolls != document["rolls"] or entry["opened"].get("dice", rolls) != rolls:
        raise Wrong(f"{where}: other rolls are recorded than follow from the secret: {rolls}")
    return rolls, context


def digests(document, sure):
    """The digests of the orders used in a step, as players have them in their mails, and what they are."""
    fast = "" if sure else ", though no roll shows it"
    for one in () if document.get("anonymised") or document["step"] < 0 else document.get("sheets", document.get("seats", ())):
        if one["lines"] is not None:
            told = f"orders of {one['seat']}, used in step {document['step']}{fast}"
            yield sha256(canonical([[one["seat"], one["lines"]]])), told


def check(archive):
    """Check all dice and say so. Gives what players may have seen of them: hex → what it is; and whether all is proved."""
    entries = checked_journal(archive / "journal.jsonl")
    known = {one["hash"]: f"head of the journal at entry {one['number']} ({one['kind']}){one['since']}" for one in entries}
    print(f"journal: {len(entries)} entries, each follows from the one before; head", "{hash}{since}".format(**entries[-1]))
    found = [json.loads(path.read_bytes()) for path in archive.glob("turns/**/dice.json")]
    promised, salted, last, context, total, unheld, seats = ("", ""), "", None, "", 0, 0, {}
    withheld = sum("withheld" in entry for entry in entries)
    for entry in entries:
        kind, at, public, opened = entry["kind"], entry["at"], entry.get("public", {}), entry["opened"]
        if kind == "joined" and "withheld" not in entry:
            seats[public["number"]] = public["seat"]
        if kind in OF_DICE and "withheld" in entry:
            promised, last = ("withheld", "withheld"), None if kind == "created" else ("withheld", at)
        if kind not in OF_DICE or "withheld" in entry or (kind == "finished" and not public.get("abandoned")):
            last = None if kind in ("set", "ruled") else last  # a host's deeds; letters and deadlines may come in between
            continue
        step, secret = public.get("step"), public.get("secret", opened.get("secret", ""))
        promise = public.get("commitment", ""), public.get("salts_commitment", "")
        where = f"entry {entry['number']}, {kind}" + (f", step {step} (turn {public['turn']})" if kind == "resolved" else "")
        # What is carried out together is so at one time, and its secrets are told, and the next ones promised, after it.
        same = kind == "resolved" and (secret, at) == last and promise in (promised, ("", ""))
        words = "carried out together with the step before, with the same secret" if same else ""
        words, salted = words or check_secret(where, kind, secret, promised[0]), salted if same else promised[1]
        known.update({secret: f"dice secret of {where}", **dict.fromkeys(promise, f"commitment in {where}")})
        number = {"started": -1, "resolved": step}.get(kind)
        held = bool(secret) if kind == "started" else "dice" in opened
        document = next((one for one in found if number is not None and one["step"] == number), None)
        seats.update({seat["number"]: seat["seat"] for seat in (document or {}).get("seats", ())})
        if salts := opened.get("salts", (document or {}).get("salts")):
            known.update({salt_of(salts, number): f"salt of {seat} in {where}" for number, seat in seats.items()})
        if document and (context or not same) and last != ("withheld", at):
            check_salts(where, opened, document, salted)
            rolls, context = check_rolls(where, entry, secret, document, context if same else "")
            words += "; rolled " + (" ".join(f"d{sides}:{roll}" for sides, roll in rolls) or "nothing")
            gap = "; orders anonymised" if document.get("anonymised") else "" if held else "; rolls not held by the journal"
            words, held, total = words + gap, not gap, total + (0 if gap else len(rolls))
            known.update(digests(document, held and rolls))
        elif number is not None:
            context, held, words = "", False, words + "; what was rolled is not in this archive"
        found, unheld = [one for one in found if one is not document], unheld + (number is not None and not held)
        promised, last = promise, (secret, at) if kind == "resolved" else None
        print(f"{where}: {words}")
    if found and not withheld:
        raise Wrong(f"there are dice of steps that are not in the journal: {sorted(one['step'] for one in found)}")
    gaps = f"not all is proved: {unheld} steps without orders, or rolls that the journal holds, {withheld} entries withheld"
    print(
        f"{sum(one['kind'] == 'resolved' for one in entries)} steps and {total} rolls:",
        gaps if unheld or withheld else "all as they must be",
    )
    return known, not unheld and not withheld


def main(folder, *values):
    try:
        archive = Path(folder)
        known, proved = check(archive / "data" if (archive / "data" / "journal.jsonl").exists() else archive)
        for value in values:
            if not value or value.lower() not in known:
                raise Wrong(f"{value}: this archive has no such chain head, commitment, secret, salt or digest of orders used")
            print(f"{value}: {known[value.lower()]}")
    except Wrong as problem:
        print(f"WRONG: {problem}")
        return 1
    except (AttributeError, IndexError, KeyError, OSError, RecursionError, TypeError, ValueError) as problem:
        print(f"cannot be read: {type(problem).__name__} {problem}")
        return 2
    return 0 if proved else 3


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if sys.argv[1:] and not sys.argv[1].startswith("-") else print(__doc__) or 2)
