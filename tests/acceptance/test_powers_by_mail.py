"""A game of Diplomacy through Dovecot and SMTP: seven players in seven mail programs, a convoy, a retreat, builds,
a power that is silent, and a draw; then the archive of it, checked."""

import json
import subprocess
import sys
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlmodel import col

from pbmd.ledger.tables import Game, GameStatus, Outbox, OutboxState
from tests.acceptance.house import House, open_house
from tests.acceptance.players import Player, html_only, in_the_form, text_of, top_posted
from tests.mailservers import Dovecot

NAME = "vienna-1"
ORDERS = {
    "spring moves": {
        "Austria": "A Vie-Tyr\nA Bud-Ser\nF Tri H",
        "England": "F Lon-Nth, F Edi-Nwg, A Liverpool to Yorkshire",
        "France": "army paris - burgundy\narmy marseilles - spain\nfleet brest - mid",
        "Germany": "A MUN - RUH\nA BER - KIE\nF KIE - DEN",
        "Italy": "A ROM - APU\nF NAP - ION\nA VEN H",
        "Russia": "A WAR - UKR\nF SEV - BLA\nA MOS - SEV\nF STP/SC - BOT",
        "Turkey": "A CON - BUL\nA SMY - CON\nF ANK - BLA",
    },
    "autumn moves": {
        "Austria": "A TYR - VEN\nF TRI S A TYR - VEN\nA SER S A BUL - GRE",
        "England": "A Yor-Nth-Nwy\nF Nth C A Yor-Nwy\nF Nwg-Bar",
        "France": "A BUR - BEL\nA SPA H\nF MAO - POR",
        "Germany": "",
        "Italy": "A VEN H\nF ION - TUN\nA APU - NAP",
        "Russia": "F BOT - SWE\nA UKR - RUM\nA MOS H",
        "Turkey": "A BUL - GRE\nA CON - BUL\nF ANK H",
    },
    "autumn retreats": {"Italy": "A VEN - TUS"},
    "winter": {
        "Austria": "Build A Vie\nBuild A Bud",
        "England": "Build F Lon",
        "France": "A PAR B\nA MAR B\nF BRE B",
        "Germany": "WAIVE",
        "Italy": "",
        "Russia": "Build F STP (NC)\nBuild A Mos",
        "Turkey": "Build A Ank\nBuild A Smy",
    },
}
"""What each writes in each phase of the first year; in the second spring all vote for a draw."""


def bottom_posted(mail: EmailMessage, orders: str) -> EmailMessage:
    """Orders below the whole quoted report, in lines that flow (RFC 3676), as mutt does."""
    reply = EmailMessage()
    quoted = "\n".join(f"> {line}" for line in text_of(mail).splitlines())
    reply.set_content(f"On Fri, 20 Nov 2026 at 12:00, pbmd wrote:\n{quoted}\n\n{orders}\n", params={"format": "flowed"})
    return reply


def both_ways(_mail: EmailMessage, orders: str) -> EmailMessage:
    """Text and HTML side by side, as most programs on the web do."""
    reply = EmailMessage()
    reply.set_content(orders)
    reply.add_alternative("".join(f'<div dir="ltr">{line}</div>' for line in orders.splitlines()), subtype="html")
    return reply


def in_base64(_mail: EmailMessage, orders: str) -> EmailMessage:
    """Text with typographic hyphens in base64, as phones do."""
    reply = EmailMessage()
    reply.set_content(orders.replace(" - ", " – ") + "\n\nGesendet von meinem Telefon\n", cte="base64")
    return reply


def with_a_name(_mail: EmailMessage, orders: str) -> EmailMessage:
    """Quoted-printable, with a greeting and a signature."""
    reply = EmailMessage()
    reply.set_content(f"{orders}\n\n-- \nMehmet · İstanbul\n", cte="quoted-printable")
    return reply


WRITING = {
    "Austria": top_posted,
    "England": bottom_posted,
    "France": html_only,
    "Germany": both_ways,
    "Italy": in_the_form,
    "Russia": in_base64,
    "Turkey": with_a_name,
}


class Diplomat(Player):
    """A player who knows what to write in which phase."""

    def play(self) -> None:
        for mail in self.new_mails():
            if "ORDER FORM" not in text_of(mail) or mail["Message-ID"] in self.answered:
                continue
            self.answered.add(mail["Message-ID"])
            turn = str(mail["Subject"]).partition("]")[0].rpartition(" t")[2]
            _, _, said = text_of(mail).partition("ORDERS FOR ")
            words = [word for word in said.partition("\n")[0].lower().split() if not word.isdigit()]  # without the year
            phase = " ".join(words if words[1:] or words == ["winter"] else [*words, "moves"])
            orders = "DRAW" if turn == "2" else ORDERS.get(phase, {}).get(self.seat, "")
            if orders:
                self.answer(mail, orders)


def power(house: House, name: str) -> dict[str, list[str]]:
    position = json.loads(house.rows(Game)[0].position)
    return next(each for each in position["powers"] if each["name"] == name)


def phase(house: House) -> str:
    return json.loads(house.rows(Game)[0].position)["phase"]


def played(house: House, players: list[Player], until: str) -> bool:
    for player in players:
        player.play()
    return phase(house) == until


@pytest.mark.in_turn(3, of="long games")
@pytest.mark.dovecot
def test_seven_powers_play_by_mail_and_agree_on_a_draw(tmp_path: Path, dovecot: Dovecot) -> None:
    with open_house(tmp_path, dovecot, deadline="3d") as house:
        listed = tmp_path / "players.toml"
        listed.write_text("".join(f'[[players]]\nseat = "{n}"\naddress = "{n.lower()}@players.test"\n' for n in WRITING))
        house.pbmd("new", NAME, "--ruleset", "diplomacy", "--players", str(listed))
        players: list[Player] = [
            Diplomat(house, name, f"{name.lower()}@players.test", writing, str) for name, writing in WRITING.items()
        ]
        house.start()
        house.wait_until("spring is over", lambda: played(house, players, "autumn moves"))
        silent = next(player for player in players if player.seat == "Germany")
        house.wait_until("all but Germany have sent", lambda: played(house, players, "autumn moves") and answered(house) == 6)
        house.pbmd("deadline", NAME, "in 1s", "--yes")
        house.wait_until("Venice falls", lambda: played(house, players, "autumn retreats"))
        assert [each["unit"] for each in power(house, "Italy")["dislodged"]] == ["A VEN"]
        house.wait_until("it is winter", lambda: played(house, players, "winter"))
        assert "A NWY" in power(house, "England")["units"]
        assert "A TUS" in power(house, "Italy")["units"]
        assert sorted(power(house, "Germany")["units"]) == ["A KIE", "A RUH", "F DEN"]
        house.wait_until("spring comes", lambda: played(house, players, "spring moves"))
        assert "F BRE" in power(house, "France")["units"]
        house.wait_until("the game is over", lambda: played(house, players, "over"))
        unsent = col(Outbox.state) != OutboxState.SENT
        house.wait_until("all mail is out", lambda: not house.rows(Outbox, unsent))
        house.stop()

        game = house.rows(Game)[0]
        assert game.status is GameStatus.FINISHED
        last = text_of(house.sink.of("turkey@players.test")[-1])
        assert "All have agreed to a draw" in " ".join(last.split())
        assert any("Turkey" in text_of(mail) for mail in house.sink.of(silent.address))
        archive = tmp_path / "archive"
        house.pbmd("export", NAME, "--to", str(archive))
        command = [sys.executable, "-m", "pbmd", "verify", str(archive), "--json"]
        checked = subprocess.run(command, capture_output=True, text=True, check=False)
        assert json.loads(checked.stdout)["problems"] == [], checked.stdout
        assert checked.returncode == 0, checked.stderr


def answered(house: House) -> int:
    """How many have orders on file."""
    return len(json.loads(house.rows(Game)[0].position).get("sheets", ()))
