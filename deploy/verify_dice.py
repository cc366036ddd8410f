#!/usr/bin/env python3
"""Draw the dice of an exported game again, with nothing but this file and Python 3.9 or later.

    python3 verify_dice.py ARCHIVE [HEX ...]

Checks that every entry of the journal follows from the one before, that every dice secret is the one whose SHA-256 was
published before the orders came, and that every roll follows from the secret, the orders used, and a counter. With HEX,
copied from your own mails (chain head, commitment, secret, or the digest of your orders), it says where the archive has it.
Exit code 0: all is as it must be; 1: something is not, and the last line says what; 2: it cannot be read.
"""

import hashlib
import hmac
import json
import sys
from pathlib import Path

WORDS = 1 << 64
Wrong = type("Wrong", (Exception,), {})


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def canonical(value):
    """JSON as RFC 8785 writes it: no blanks, keys sorted by their UTF-16 units."""

    def ordered(item):
        if isinstance(item, dict):
            return {key: ordered(item[key]) for key in sorted(item, key=lambda key: key.encode("utf-16-be", "surrogatepass"))}
        return [ordered(part) for part in item] if isinstance(item, list) else item

    return json.dumps(ordered(value), ensure_ascii=False, separators=(",", ":")).encode()


def checked_journal(path):
    """The entries of the journal. Each hash has the one before in it: nothing can be changed, left out or put in. Of what is
    withheld from an anonymised archive only the place in the chain can be checked, by the next that has a hash."""
    entries, head, since = [], "0" * 64, ""
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            entry = {"secret": {}, "salt": "", "sealed": "", **json.loads(line)}
            shown = sha256(bytes.fromhex(entry["salt"]) + canonical(entry["secret"])) if entry["salt"] else ""
            sealed = entry["sealed"] or shown
            frame = {key: entry.get(key) for key in ("at", "kind", "number", "public")} | {"previous": head, "secret": sealed}
            head = entry.setdefault("hash", "") if (anew := "withheld" in entry or not head) else sha256(canonical(frame))
            if (entry["number"], entry["hash"], shown or sealed) != (number, head, sealed):
                raise Wrong(f"entry {number} of the journal is not what was written")
            entry["since"] = since = f"; it fixes nothing before entry {number}, withheld" if anew else since
            entries.append(entry)
    return entries


def drawn_again(secret, context, rolls):
    """The rolls of dice with so many sides: HMAC-SHA-256 with the secret over context and counter, its first eight bytes as a
    number, without the numbers of the last, incomplete run of the sides, so that each face is as likely as any other."""
    counter, again = 0, []
    for sides, _ in rolls:
        if not 1 <= sides <= WORDS:
            raise Wrong(f"there is no die with {sides} sides")
        while True:
            digest = hmac.new(secret, context + counter.to_bytes(8, "big"), hashlib.sha256).digest()
            word, counter = int.from_bytes(digest[:8], "big"), counter + 1
            if word < WORDS - WORDS % sides:
                again.append([sides, word % sides + 1])
                break
    return again


def bound(sheets, before):
    """What dice are bound to: the orders used, first come first, and what the step before was, if both have one secret."""
    own = hashlib.sha256(canonical([[sheet["seat"], sheet["lines"]] for sheet in sheets])).digest()
    return hashlib.sha256(before + own).digest() if before else own


def check_secret(where, secret, promised, last_secret):
    """Say where a secret comes from."""
    if promised in (None, "withheld"):
        return "what was promised is withheld here" if promised else "nothing was promised before it"
    if secret and secret == last_secret:
        return "carried out together with the step before, with the same secret"
    if (sha256(bytes.fromhex(secret)) if secret else "") != promised:
        raise Wrong(f"{where}: the secret is not the one that was promised")
    return "the secret is the one that was promised"


def check_rolls(where, entry, document, before):
    """Draw the rolls of a step again. Gives them, and what they are bound to."""
    context = document["text"].encode() if entry["kind"] == "started" else bound(document["sheets"], before)
    if (document["secret"], document["context"]) != (entry["public"]["secret"], context.hex()):
        raise Wrong(f"{where}: dice.json has another secret or context than follow from journal and orders")
    rolls = drawn_again(bytes.fromhex(document["secret"]), context, document["rolls"])
    if rolls != document["rolls"] or entry["secret"].get("dice", rolls) != rolls:
        raise Wrong(f"{where}: other rolls are recorded than follow from the secret: {rolls}")
    return rolls, context


def check(archive):
    """Check all dice and say so. Gives what players may have seen of them: hex → what it is."""
    entries = checked_journal(archive / "journal.jsonl")
    known = {one["hash"]: f"head of the journal at entry {one['number']} ({one['kind']}){one['since']}" for one in entries}
    print(f"journal: {len(entries)} entries, each follows from the one before; head", "{hash}{since}".format(**entries[-1]))
    documents = {each["step"]: each for each in map(json.loads, map(Path.read_bytes, archive.glob("turns/**/dice.json")))}
    promised, last_secret, context, steps, count = None, "", b"", 0, 0
    for entry in (entry for entry in entries if entry["kind"] in ("started", "resolved", "rolled-back", "orders")):
        if entry["kind"] == "orders":  # whoever has read the secret since must not order by it
            last_secret = ""
            continue
        kind, public = entry["kind"], entry.get("public", {"secret": "", "commitment": "withheld"})
        step = {"started": -1, "resolved": public.get("step")}.get(kind)
        where = f"entry {entry['number']}, {kind}" + (f", step {step} (turn {public['turn']})" if kind == "resolved" else "")
        words = check_secret(where, public["secret"], promised if public["secret"] else "withheld", last_secret)
        known[public["secret"]], known[public["commitment"]] = f"dice secret of {where}", f"commitment in {where}"
        if (document := documents.pop(step, None)) and (context or public["secret"] != last_secret):
            rolls, context = check_rolls(where, entry, document, context if public["secret"] == last_secret else b"")
            words += "; rolled " + (" ".join(f"d{sides}:{roll}" for sides, roll in rolls) or "nothing")
            count += len(rolls)
            for sheet in document.get("sheets", ()):
                known[sha256(canonical([[sheet["seat"], sheet["lines"]]]))] = f"orders of {sheet['seat']}, used in step {step}"
        elif kind != "rolled-back":
            context, words = b"", words + "; what was rolled is not in this archive"
        promised, last_secret, steps = public["commitment"], public["secret"], steps + (kind == "resolved")
        print(f"{where}: {words}")
    if documents:
        raise Wrong(f"there are dice of steps that are not in the journal: {sorted(documents)}")
    print(f"{steps} steps and {count} rolls: all as they must be")
    return known


def main(folder, *values):
    """Gives the exit code."""
    try:
        archive = Path(folder)
        known = check(archive / "data" if (archive / "data" / "journal.jsonl").exists() else archive)
        for value in values:
            if not value or value.lower() not in known:
                raise Wrong(f"{value}: this archive has no such chain head, commitment, secret or digest of orders used")
            print(f"{value}: {known[value.lower()]}")
    except Wrong as problem:
        print(f"WRONG: {problem}")
        return 1
    except (AttributeError, IndexError, KeyError, OSError, RecursionError, TypeError, ValueError) as problem:
        print(f"cannot be read: {type(problem).__name__} {problem}")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if sys.argv[1:] and not sys.argv[1].startswith("-") else print(__doc__) or 2)
