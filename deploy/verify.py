#!/usr/bin/env python3
# fmt: off
"""Check an exported game with Python 3.9 or later and nothing else: python3 verify.py [ARCHIVE] [HEX ...]

ARCHIVE is a folder or a zip file; without it, the folder that this program is in is checked.
Checks the files of the bag, the chain of the journal, the letter behind every receipt, each secret against the SHA-256 that was
published before the orders came, and that each roll follows from it, from salts, orders and words, and is in the journal.
With HEX, copied from your own mails (chain head, commitment, secret, your salt, digest of your orders), it says where it is.
Exit code 0: all is as it must be; 1: something is not; 2: it cannot be read; 3: nothing is wrong, but not all can be proved."""
import hashlib, hmac, json, sys, tempfile, zipfile
from datetime import datetime, timedelta
from pathlib import Path

WORDS, EPOCH, NONE, HEX = 1 << 64, datetime.fromisoformat("1970-01-01T00:00:00"), (None, ""), set("0123456789abcdef")
OF_DICE = ("created", "started", "imported", "resolved", "rolled-back", "restored", "finished")
OF_ORDERS = ("joined", "orders", "cancelled", "resolved", "rolled-back", "finished")
BECOMES = {"filed": ("filed", "used", "replaced", "cancelled", "rolled-back")}  # by state in the journal

def must(holds, *words):
    if not holds: raise AssertionError(": ".join(words))

def sha256(data): return hashlib.sha256(data).hexdigest()

def canonical(item):
    """JSON as RFC 8785 writes it: no blanks, keys sorted by their UTF-16 units. (What is read here has no number like 2.0.)"""
    if isinstance(item, dict):
        keys = sorted(item, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
        return b"{" + b",".join(canonical(key) + b":" + canonical(item[key]) for key in keys) + b"}"
    if isinstance(item, list): return b"[" + b",".join(map(canonical, item)) + b"]"
    return json.dumps(item, ensure_ascii=False).encode()

def unpacked(archive, aside):
    """The archive if it is a folder; a zip is unpacked, which writes only below the empty folder `aside`."""
    if not zipfile.is_zipfile(archive): return archive
    with zipfile.ZipFile(archive) as packed:
        must(sum(item.file_size for item in packed.infolist()) <= 1 << 31, "it would take more than 2 GiB")
        packed.extractall(aside)
    return must(len(bags := [mark.parent for mark in aside.glob("*/bagit.txt")] or [aside]) == 1, "there are two") or bags[0]

def check_bag(bag):
    """Every file has the checksums of both manifests, and every checksum its file."""
    files = (path.relative_to(bag).as_posix() for path in bag.rglob("*") if path.is_symlink() or not path.is_dir())
    there = {path for path in files if "/." not in f"/{path}"}  # which systems put into folders that somebody has looked into
    for kind, algorithm in [(kind, name) for kind in ("manifest", "tagmanifest") for name in ("sha256", "sha512")]:
        said = dict(line.split(maxsplit=1)[::-1] for line in (bag / f"{kind}-{algorithm}.txt").read_text("utf-8").splitlines())
        own = {path for path in there if path.startswith("data/") == (kind == "manifest") and not path.startswith("tagm")}
        for path in sorted(own | said.keys()):
            found = path in own and not (bag / path).is_symlink() and hashlib.new(algorithm, (bag / path).read_bytes())
            must(found and found.hexdigest() == said.get(path), f"{path} is not what {kind}-{algorithm}.txt says")
    print(f"bag: {len(there)} files, all with the checksums of both manifests")

def checked_journal(path):
    """The entries of the journal, each bound to the one before. Nothing is proved by what is withheld, or has lost its salt."""
    entries, head, since = [], "0" * 64, ""
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        entry = {"public": {}, "secret": {}, "salt": "", "sealed": "", **json.loads(line)}
        shown = sha256(bytes.fromhex(entry["salt"]) + canonical(entry["secret"])) if entry["salt"] else ""
        sealed, gone = entry["sealed"] or shown, "withheld" in entry or not head
        frame = {key: entry[key] for key in ("at", "kind", "number", "public")} | {"previous": head, "secret": sealed}
        head = entry.setdefault("hash", "") if gone else sha256(canonical(frame))
        right = (entry["number"], entry["hash"], shown or sealed) == (number, head, sealed)
        must(right, f"entry {number} of the journal is not what was written")
        since = f"; it fixes nothing before entry {number}, withheld" if gone else since
        entries.append({**entry, "since": since, "opened": entry["secret"] if entry["salt"] else {}})
    print(f"journal: {len(entries)} entries, each follows from the one before; head {entries[-1]['hash']}{since}")
    return entries

def drawn_again(key, context, rolls):
    """HMAC-SHA-256 over context and counter; its first eight bytes, without the last, incomplete run of the sides."""
    words = (int.from_bytes(hmac.digest(key, context + n.to_bytes(8, "big"), "sha256")[:8], "big") for n in range(WORDS))
    for sides, _ in rolls: must(1 <= sides <= WORDS, f"there is no die with {sides} sides")
    return [[sides, next(word for word in words if word < WORDS - WORDS % sides) % sides + 1] for sides, _ in rolls]

def check_secret(where, kind, secret, promised):
    """Nothing is promised before a game is created (older: has begun), nor once it is over."""
    if promised == "withheld": return "what was promised is withheld here"
    if not promised and (not secret or kind == "started") and kind != "resolved": return "nothing was promised before it"
    if not secret and kind == "started": return "the secret that was promised is sealed here"
    must(secret and sha256(bytes.fromhex(secret)) == promised, where, "the secret is not the one that was promised")
    return "the secret is the one that was promised"

def bound_to(document, before):
    """The digests of all seats (salt, lines, word) in order, and `before` if of one secret; once the orders as they came."""
    if document["step"] < 0 and "seats" not in document: return b"setup".hex()
    if "sheets" in document and document.get("anonymised"): return document["context"]
    digests = [[one["seat"], one["lines"]] for one in document.get("sheets", ())]
    for one in document.get("seats", ()):
        told = {"lines": one["lines"], "word": one["word"]} if one.get("word") else one["lines"]
        digests.append(sha256(bytes.fromhex(one["salt"]) + canonical(told)) if "salt" in one else one["digest"])
    own = sha256(canonical(digests))
    return sha256(bytes.fromhex(before + own)) if before else own

class Game:
    """The journal, gone through entry by entry, with the files of the turns at hand."""
    def __init__(self, archive):
        self.entries, self.sheets, self.rolls, self.loose = checked_journal(archive / "journal.jsonl"), {}, 0, 0
        self.known = {e["hash"]: f"head of the journal at entry {e['number']} ({e['kind']}){e['since']}" for e in self.entries}
        self.dice = [json.loads(path.read_bytes()) for path in archive.glob("turns/**/dice.json")]
        for sheet in [one for path in archive.glob("turns/**/sheets.json") for one in json.loads(path.read_bytes())]:
            where, digest = f"receipt {sheet['receipt']}", sha256(canonical([[sheet["seat"], sheet["lines"]]]))
            must(sheet["digest"] in ("", digest), where, "the digest is not that of the orders")
            self.known[sheet["digest"]] = f"orders of {sheet['seat']}, {where}, {sheet['state']}"
            came = (sheet["seat"], sheet["arrived_at"], sheet.get("head"), sheet.get("word"))
            self.sheets.setdefault(sheet["receipt"], {})[came] = sheet
        self.promised, self.salted = ("", ""), ""  # commitments of dice and salts from now on; of the salts of this step
        self.last, self.context = None, ""  # secret and time of the step before, if no deed came since; what it was bound to
        self.on_file, self.gone, self.hidden = {}, set(), False  # lines and word of seats; who left; if orders are sealed

    def take_orders(self, entry):
        """Of each seat the lines of the last letter on file count, and the last word that came with any that was."""
        kind, opened, came, where = entry["kind"], entry["opened"], set(), f"receipt {entry['number']}"
        sheets, seat = self.sheets.pop(entry["number"], {}), entry["public"].get("seat")
        self.hidden |= kind in OF_ORDERS and not opened
        if kind == "resigned": self.gone.add(seat)
        if kind == "joined" and opened: self.on_file[seat] = [text for _, text in json.loads(opened["setup"])], ""
        for one in (opened, *opened.get("meanwhile", ())):
            if kind == "cancelled" or "cancelled" in one: self.on_file.pop(one.get("seat"), None)
            elif "lines" in one:
                at = (EPOCH + timedelta(microseconds=one["arrival"][0])).isoformat(timespec="microseconds") + "Z"
                came.add((one["seat"], at, one.get("head"), one.get("word")))
                sheet, state = sheets.get((one["seat"], at, one.get("head"), one.get("word")), one), one["state"]
                must(sheet["state"] in BECOMES.get(state, [state]), where, f"it is {sheet['state']}, and was {state} then")
                if state == "filed" and (one is opened or sheet["state"] != "cancelled"):  # else the rules struck it off
                    self.on_file[one["seat"]] = sheet["lines"], one.get("word", self.on_file.get(one["seat"], NONE)[1])
        right = sheets.keys() <= came if opened else kind in OF_ORDERS or not sheets
        must(right, where, "that entry of the journal has no such letter, or another head or word with it")

    def take_secret(self, entry):
        """The secret of an entry against its promise, what was rolled with it, and what it promises itself."""
        kind, at, public, where = entry["kind"], entry["at"], entry["public"], f"entry {entry['number']}, {entry['kind']}"
        if kind in OF_DICE and "withheld" in entry:
            self.promised, self.last = ("withheld", "withheld"), ("withheld", at) if kind == "resolved" else None
        elif kind in ("set", "ruled"): self.last = None  # a host's deeds; letters and deadlines may come in between
        elif kind in OF_DICE and (kind != "finished" or public.get("abandoned")):
            secret = public.get("secret", entry["opened"].get("secret", ""))
            promise = public.get("commitment", ""), public.get("salts_commitment", "")
            where += f", step {public['step']} (turn {public['turn']})" if kind == "resolved" else ""
            # What is carried out together is so at one time, and its secrets are told, and the next ones promised, after it.
            words = "carried out together with the step before, with the same secret"
            if kind != "resolved" or (secret, at) != self.last or promise not in (self.promised, ("", "")):
                words, self.salted, self.context = check_secret(where, kind, secret, self.promised[0]), self.promised[1], ""
            self.known.update({secret: f"dice secret of {where}", **dict.fromkeys(promise, f"commitment in {where}")})
            if kind in ("started", "resolved"):
                words += self.take_dice(where, entry, secret, public["step"] if kind == "resolved" else -1)
            self.promised, self.last = promise, (secret, at) if kind == "resolved" else None
            print(f"{where}: {words}")

    def take_dice(self, where, entry, secret, step):
        """What was rolled, in words. Nothing is proved by rolls or orders that the journal does not hold."""
        document = next((one for one in self.dice if one["step"] == step), None)
        self.dice = [one for one in self.dice if one is not document]
        if document is None or self.context is None or self.last == ("withheld", entry["at"]):
            self.context, self.loose = None, self.loose + 1
            return "; what was rolled is not in this archive"
        opened, seats, changed, salts = entry["opened"], *(document.get(key, "") for key in ("seats", "anonymised", "salts"))
        used = {one["seat"]: (one["lines"], one.get("word", "")) for one in document.get("sheets", seats)}
        if not (changed and seats):
            right = self.salted in ("withheld", salts and sha256(bytes.fromhex(salts)))
            must(right, where, "the secret of the salts is not the one that was promised")
            own = [hmac.digest(bytes.fromhex(salts), one["number"].to_bytes(8, "big"), "sha256")[:16].hex() for one in seats]
            right = opened.get("salts", salts) == salts and own == [one["salt"] for one in seats]
            must(right, where, "dice.json has other salts than follow from their secret")
        if not (changed or self.hidden or (step < 0 and "seats" not in document)):
            for seat in sorted({*used, *self.on_file} - self.gone):
                right = used.get(seat, NONE) == self.on_file.get(seat, NONE)
                must(right, where, f"dice.json has other orders, or another word, of {seat} than journal and sheets.json")
        self.context = bound_to(document, self.context)
        right = (document["secret"], document["context"]) == (secret or document["secret"], self.context)
        must(right, where, "dice.json has another secret or context than follow from journal and orders")
        rolls = drawn_again(bytes.fromhex(document["secret"]), bytes.fromhex(self.context), document["rolls"])
        must(rolls == document["rolls"] == opened.get("dice", rolls), where, "other rolls are recorded than follow from it")
        held = (secret if step < 0 else "dice" in opened) and not (self.hidden and any(lines for lines, _ in used.values()))
        gap = "" if held else "; orders, words or rolls not held by the journal"
        if changed: gap = "; orders anonymised"
        self.loose, self.rolls = self.loose + bool(gap), self.rolls + (0 if gap else len(rolls))
        self.known.update({one["salt"]: f"salt of {one['seat']} in {where}" for one in seats if "salt" in one})
        return "; rolled " + (" ".join(f"d{sides}:{roll}" for sides, roll in rolls) or "nothing") + gap

    def check(self):
        """Check all and say so; tells whether all is proved."""
        for entry in self.entries:
            self.take_orders(entry)
            self.take_secret(entry)
            if entry["kind"] in ("started", "imported", "resolved", "rolled-back"):
                self.on_file, self.gone, self.hidden = {}, set(), False
        gone, steps = sum("withheld" in e for e in self.entries), sum(e["kind"] == "resolved" for e in self.entries)
        must(gone or not self.dice, f"dice of steps that are not in the journal: {[one['step'] for one in self.dice]}")
        must(not self.sheets, f"there are receipts {sorted(self.sheets)}, and no such entries in the journal")
        gaps = f"not all is proved: {self.loose} steps without orders, or rolls that the journal holds, {gone} entries withheld"
        print(f"{steps} steps and {self.rolls} rolls:", gaps if self.loose or gone else "all as they must be")
        return not self.loose and not gone

def main(*told):
    named = told and (Path(told[0]).exists() or not set(told[0].lower()) <= HEX)
    archive, values = (Path(told[0]), told[1:]) if named else (Path(sys.argv[0]).parent, told)
    if str(archive).startswith("-") or not (named or (archive / "bagit.txt").exists()): return print(__doc__) or 2
    with tempfile.TemporaryDirectory() as aside:
        try:
            bag = unpacked(archive, Path(aside))
            check_bag(bag)
            game = Game(bag / "data")
            proved = game.check()
            for value in map(str.lower, values):
                must(value and value in game.known, value, "this archive has no such head, commitment, secret, salt or digest")
                print(f"{value}: {game.known[value]}")
        except AssertionError as problem: return print(f"WRONG: {problem}") or 1
        except Exception as problem: return print(f"cannot be read: {type(problem).__name__} {problem}") or 2
    return 0 if proved else 3

if __name__ == "__main__": sys.exit(main(*sys.argv[1:]))
