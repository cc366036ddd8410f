"""Small order mails as mail programs write them: 2 to 4 KB, most of it header, in the forms that come in practice."""

import base64
import quopri
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from random import Random

from tests.benchmarks.galaxy import order_lines

BEGIN = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
_HEADER = """\
Return-Path: <{address}>
Delivered-To: {mailbox}
Authentication-Results: mail.pbmd.test; dkim=pass header.d=players.test header.s=2026a;
\tspf=pass (mail.pbmd.test: domain of {address} designates 192.0.2.25
\tas permitted sender) smtp.mailfrom={address}; dmarc=pass header.from=players.test
X-Spam-Status: No, score=-1.9 required=5.0 tests=BAYES_00,DKIM_SIGNED,DKIM_VALID,
\tSPF_PASS autolearn=ham version=4.0.1
Received: from mx.provider.test (mx.provider.test [192.0.2.25])
\tby mail.pbmd.test (Postfix) with ESMTPS id 4F{number:08X}
\tfor <{mailbox}>; {date}
Received: from out.players.test (out.players.test [198.51.100.7])
\tby mx.provider.test (Postfix) with ESMTPS id 7A{number:08X}
\tfor <{mailbox}>; {date}
Received: from [10.0.0.{place}] (dsl-{place}.example.net [203.0.113.{place}])
\tby out.players.test with ESMTPSA id {number}; {date}
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=players.test;
\ts=2026a; t=1795176000; h=from:to:subject:date:message-id:in-reply-to;
\tbh={noise_a}=;
\tb={noise_b}
\t {noise_c}
\t {noise_d}=
Date: {date}
From: "{seat}'s player" <{address}>
To: {mailbox}
Subject: Re: {subject}
Message-ID: <{noise_e}.{number}@players.test>
In-Reply-To: {answered}
References: <game.{noise_c}@pbmd.test>
 {answered}
User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4
Content-Language: en-US
MIME-Version: 1.0
"""
_REPORT = """\
GALACTIC OVERLORD - {game}, turn {turn}

Faction              home  captured  ships  generators  status
Altair                  4         0      9           1  alive
Borealis                4         0      9           1  alive
Cygnus                  4         0      9           1  alive
Deneb                   4         0      9           1  alive
Elnath                  4         0      9           1  alive
Fomalhaut               4         0      9           1  alive

You have 32 BP, no spies, no shield generator and two options of
counter-espionage. The deadline is in three days.

Battles of this turn
  Altair attacked Cygnus with 3 ships against 5: repelled after one run,
  2 Laserfrigates and 1 Torpedocruiser were lost on the attacking side.
  Deneb attacked Elnath with 6 ships against 4: a base changed hands.
  Fomalhaut raised shields; the fleet of Borealis turned back damaged.

Orders for the next turn, to be filled in:
  Build
  Repair
  Use spy on
  Attack
  OOB attack:
  OOB defence:
  OOB default:
"""


@dataclass(frozen=True)
class Player:
    """Who writes: game and turn, seat, own address, the address that their mails are to go to, and the Message-ID and the
    subject of the report that they answer."""

    game: str
    turn: int
    seat: str
    address: str
    mailbox: str
    answered: str
    subject: str


def letters(players: Sequence[Player], count: int, seed: int) -> Iterator[bytes]:
    """So many letters (LF line ends), from players in random order, each with eight legal order lines."""
    chance = Random(seed)
    for number in range(count):
        player = chance.choice(players)
        lines = order_lines(player.seat, chance)
        write = chance.choices((_plain, _reply, _quoted_printable, _alternative, _base64), weights=(30, 20, 20, 25, 5))[0]
        yield (_header(player, number, chance) + write(player, lines, chance)).encode()


def _header(player: Player, number: int, chance: Random) -> str:
    noise = {f"noise_{letter}": chance.randbytes(24).hex() for letter in "abcde"}
    return _HEADER.format(**vars(player), number=number, place=chance.randint(2, 250), date=format_datetime(BEGIN), **noise)


def _plain(_player: Player, lines: list[str], _chance: Random) -> str:
    body = "\n".join(lines) + "\n\n-- \nSent from my commodore\n"
    return f"Content-Type: text/plain; charset=UTF-8; format=flowed\nContent-Transfer-Encoding: 7bit\n\n{body}"


def _reply(player: Player, lines: list[str], _chance: Random) -> str:
    report = _REPORT.format(**vars(player))
    quoted = "".join(f"> {line}".rstrip() + "\n" for line in report.splitlines())
    body = "\n".join(lines) + f"\n\nOn Fri, 20 Nov 2026 at 12:00, {player.game} wrote:\n{quoted}"
    return f"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{body}"


def _quoted_printable(player: Player, lines: list[str], _chance: Random) -> str:
    body = (
        "\n".join(lines)
        + f"\n\n-- \nGrüße – {player.seat}, Großadmiral der Flotte, im Auftrag des Rates und aller seiner Häuser\n"
    )
    encoded = quopri.encodestring(body.encode()).decode()
    return f"Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: quoted-printable\n\n{encoded}"


def _base64(_player: Player, lines: list[str], _chance: Random) -> str:
    encoded = base64.encodebytes(("\r\n".join(lines) + "\r\n").encode()).decode()
    return f"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n{encoded}"


def _alternative(_player: Player, lines: list[str], chance: Random) -> str:
    mark = f"=_{chance.randbytes(12).hex()}"
    html = "<html><body>" + "".join(f"<div>{line}</div>\n" for line in lines) + "</body></html>"
    text = "\n".join(lines)
    return (
        f'Content-Type: multipart/alternative; boundary="{mark}"\n\nThis is a multi-part message in MIME format.\n'
        f"--{mark}\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 7bit\n\n{text}\n"
        f"--{mark}\nContent-Type: text/html; charset=UTF-8\nContent-Transfer-Encoding: 7bit\n\n{html}\n--{mark}--\n"
    )
