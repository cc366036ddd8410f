#!/usr/bin/env python3
"""Check an exported game, and draw its dice again, with nothing but this file and Python 3.9 or later.

    python3 verify_dice.py ARCHIVE [HEX ...]

Checks the files of the bag, the chain of the journal, the orders behind every receipt, each secret against the SHA-256 that
was published before the orders came, and that each roll follows from it, from salts, orders and words, and is in the journal.
With HEX, copied from your own mails (chain head, commitment, secret, your salt, digest of your orders), it says where it is.
Exit code 0: all is as it must be; 1: something is not; 2: it cannot be read; 3: nothing is wrong, but not all can be proved.
"""

import hashlib
import hmac
import json
import sys
from datetime import datetime, timedelta
from itertools import count, product
from pathlib import Path

WORDS, EPOCH = 1 << 64, datetime.fromisoformat("1970-01-01T00:00:00")
OF_DICE = ("created", "started", "imported", "resolved", "rolled-back", "restored", "finished")
sha256 = lambda data: hashlib.sha256(data).hexdigest()  # noqa: E731
Wrong = type("Wrong", (Exception,), {})


def canonical(item):
    """JSON as RFC 8785 writes it: no blanks, keys sorted by their UTF-16 units."""
    if isinstance(item, dict):
        keys = sorted(item, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
        return b"{" + b",".join(canonical(key) + b":" + canonical(item[key]) for key in keys) + b"}"
    if isinstance(item, list):
        return b"[" + b",".join(map(canonical, item)) + b"]"
    return json.dumps(item, ensure_ascii=False).encode()


def check_bag(bag):
    """Every file has the checksums of both manifests, and every checksum its file."""
    there = {path.relative_to(bag).as_posix() for path in bag.rglob("*") if path.is_symlink() or not path.is_dir()}
    for kind, algorithm in product(("manifest", "tagmanifest"), ("sha256", "sha512")):
        text = (bag / f"{kind}-{algorithm}.txt").read_text("utf-8")
        said = dict(line.split(maxsplit=1)[::-1] for line in text.splitlines())
        own = {path for path in there if path.startswith("data/") == (kind == "manifest") and not path.startswith("tagm")}
        for path in sorted(own | said.keys()):
            found = path in own and not (bag / path).is_symlink() and hashlib.new(algorithm, (bag / path).read_bytes())
            if not found or found.hexdigest() != said.get(path):
                raise Wrong(f"{path} is not what {kind}-{algorithm}.txt says")
    print(f"bag: {len(there)} files, all with the checksums of both manifests")


def check_receipts(archive, entries):
    """A letter with orders is in the entry that its receipt names, if that is open, and its digest is that of its lines."""
    for path in sorted(archive.glob("turns/**/sheets.json")):
        for sheet in json.loads(path.read_bytes()):
            where, seat = f"{path.relative_to(archive)}, receipt {sheet['receipt']}", sheet["seat"]
            if sheet["digest"] not in ("", sha256(canonical([[seat, sheet["lines"]]]))):
                raise Wrong(f"{where}: the digest is not that of the orders")
            kind, opened = (entries[sheet["receipt"] - 1][key] for key in ("kind", "opened"))
            at = (datetime.fromisoformat(sheet["arrived_at"][:-1]) - EPOCH) // timedelta(microseconds=1)
            came = [(one["seat"], one["arrival"][0]) for one in (opened, *opened.get("meanwhile", ())) if "lines" in one]
            if kind not in ("orders", *OF_DICE[1:]) or (opened and (seat, at) not in came):
                raise Wrong(f"{where}: that entry of the journal has no such letter")


def checked_journal(path):
    """The entries of the journal, each bound to the one before. Nothing is proved by what is withheld, or has lost its salt."""
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
    """HMAC-SHA-256 over context and counter; its first eight bytes, without the last, incomplete run of the sides."""
    words = (int.from_bytes(hmac.digest(key, context + n.to_bytes(8, "big"), "sha256")[:8], "big") for n in count())
    if impossible := [sides for sides, _ in rolls if not 1 <= sides <= WORDS]:
        raise Wrong(f"there is no die with {impossible[0]} sides")
    return [[sides, next(word for word in words if word < WORDS - WORDS % sides) % sides + 1] for sides, _ in rolls]


def check_secret(where, kind, secret, promised):
    """Nothing is promised before a game is created (older: has begun), nor once it is over."""
    if (not promised and kind == "started") or (promised in ("", "withheld") and not secret and kind != "resolved"):
        return "nothing was promised before it"
    if kind == "started" and not secret:
        return "the secret that was promised is sealed here"
    if secret and promised == "withheld":
        return "what was promised is withheld here"
    if not secret or sha256(bytes.fromhex(secret)) != promised:
        raise Wrong(f"{where}: the secret is not the one that was promised")
    return "the secret is the one that was promised"


def bound_to(kind, document, before):
    """The digests of all seats (salt, lines, word) in order, and `before` if of one secret; once the orders as they came."""
    if kind == "started" and "seats" not in document:
        return b"setup".hex()
    if "sheets" in document and document.get("anonymised"):
        return document["context"]
    plain, seats = [[s["seat"], s["lines"]] for s in document.get("sheets", ())], document.get("seats", ())
    told = [(s, {"lines": s["lines"], "word": s["word"]} if s.get("word") else s["lines"]) for s in seats]
    salted = [sha256(bytes.fromhex(s["salt"]) + canonical(t)) if "salt" in s else s["digest"] for s, t in told]
    own = sha256(canonical(salted or plain))
    return sha256(bytes.fromhex(before + own)) if before else own


def check_rolls(where, entry, document, told):
    """Salts, context and rolls; `told` are the secret, what salts were promised, and the context before, if of one secret."""
    (secret, promised, before), salts, seats = told, document.get("salts", ""), document.get("seats", ())
    if not (document.get("anonymised") and seats):
        if promised not in ("withheld", sha256(bytes.fromhex(salts)) if salts else ""):
            raise Wrong(f"{where}: the secret of the salts is not the one that was promised")
        own = [hmac.digest(bytes.fromhex(salts), s["number"].to_bytes(8, "big"), "sha256")[:16].hex() for s in seats]
        if entry["opened"].get("salts", salts) != salts or own != [one["salt"] for one in seats]:
            raise Wrong(f"{where}: dice.json has other salts than follow from their secret")
    context = bound_to(entry["kind"], document, before)
    if (document["secret"], document["context"]) != (secret or document["secret"], context):
        raise Wrong(f"{where}: dice.json has another secret or context than follow from journal and orders")
    rolls = drawn_again(bytes.fromhex(document["secret"]), bytes.fromhex(context), document["rolls"])
    if rolls != document["rolls"] or entry["opened"].get("dice", rolls) != rolls:
        raise Wrong(f"{where}: other rolls are recorded than follow from the secret: {rolls}")
    return rolls, context


def check(archive):
    """Check all and say so. Gives what players may have seen (hex → what it is), and whether all is proved."""
    entries = checked_journal(archive / "journal.jsonl")
    known = {one["hash"]: f"head of the journal at entry {one['number']} ({one['kind']}){one['since']}" for one in entries}
    print(f"journal: {len(entries)} entries, each follows from the one before; head", "{hash}{since}".format(**entries[-1]))
    found = [json.loads(path.read_bytes()) for path in archive.glob("turns/**/dice.json")]
    promised, salted, last, context, total, unheld = ("", ""), "", None, "", 0, 0
    withheld, steps = sum("withheld" in entry for entry in entries), sum(entry["kind"] == "resolved" for entry in entries)
    for entry in entries:
        kind, at, public, opened = entry["kind"], entry["at"], entry.get("public", {}), entry["opened"]
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
        if document and (context or not same) and last != ("withheld", at):
            rolls, context = check_rolls(where, entry, document, (secret, salted, context if same else ""))
            words += "; rolled " + (" ".join(f"d{sides}:{roll}" for sides, roll in rolls) or "nothing")
            gap = "; orders anonymised" if document.get("anonymised") else "" if held else "; rolls not held by the journal"
            words, held, total = words + gap, not gap, total + (0 if gap else len(rolls))
            known.update({s["salt"]: f"salt of {s['seat']} in {where}" for s in document.get("seats", ()) if "salt" in s})
            used = [] if document.get("anonymised") or number < 0 else document.get("sheets", document.get("seats", ()))
            used = [(one["seat"], one["lines"]) for one in used if one["lines"] is not None]
            fast = "" if held and rolls else ", though no roll shows it"
            known.update({sha256(canonical([[*one]])): f"orders of {one[0]}, used in step {step}{fast}" for one in used})
        elif number is not None:
            context, held, words = "", False, words + "; what was rolled is not in this archive"
        found, unheld = [one for one in found if one is not document], unheld + (number is not None and not held)
        promised, last = promise, (secret, at) if kind == "resolved" else None
        print(f"{where}: {words}")
    if found and not withheld:
        raise Wrong(f"there are dice of steps that are not in the journal: {sorted(one['step'] for one in found)}")
    check_receipts(archive, entries)
    gaps = f"not all is proved: {unheld} steps without orders, or rolls that the journal holds, {withheld} entries withheld"
    print(f"{steps} steps and {total} rolls:", gaps if unheld or withheld else "all as they must be")
    return known, not unheld and not withheld


def main(folder, *values):
    try:
        if ((bag := Path(folder)) / "bagit.txt").exists():
            check_bag(bag)
        known, proved = check(bag / "data" if (bag / "data" / "journal.jsonl").exists() else bag)
        for value in values:
            if not value or value.lower() not in known:
                raise Wrong(f"{value}: this archive has no such chain head, commitment, secret, salt or digest of orders used")
            print(f"{value}: {known[value.lower()]}")
    except Wrong as problem:
        print(f"WRONG: {problem}")
        return 1
    except (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError) as problem:
        print(f"cannot be read: {type(problem).__name__} {problem}")
        return 2
    return 0 if proved else 3


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if sys.argv[1:] and not sys.argv[1].startswith("-") else print(__doc__) or 2)
