"""Replies as mail programs write them: the player's own lines are read, and each line that is not is told with its reason."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.post.lines import quotes
from pbmd.post.lines.mail_program_words import MOBILE, ORIGINAL
from tests.post.samples import read, texts

OWN = ["MOVE A-B", "BUILD 2 bases"]
QUOTE = "> Turn 5 is over.\n> MOVE C-D\n>\n> > BUILD 9 bases\n"

INTRODUCTIONS = {
    "Gmail": "On Sat, Nov 21, 2026 at 8:00 PM Galaxy <gm@pbmd.test> wrote:",
    "Gmail, wrapped": "On Sat, Nov 21, 2026 at 8:00 PM The Galaxy Game Master of Games <gm@pbmd.test>\nwrote:",
    "Gmail, wrapped at the address": (
        "On Sat, Nov 21, 2026 at 8:00 PM The Galaxy Game Master\n<gm+g12p3.prcnnjn76sno3vgs@pbmd.test> wrote:"
    ),
    "Gmail, by the year": "2026-11-21 20:00 GMT+01:00 Galaxy <gm@pbmd.test>:",
    "Apple Mail": "On 21. Nov 2026, at 20:00, Galaxy <gm@pbmd.test> wrote:",
    "Thunderbird": "On 11/21/26 20:00, Galaxy wrote:",
    "mutt": "On Sat, Nov 21, 2026 at 08:00:00PM +0100, Galaxy wrote:",
    "pine": "Galaxy wrote:",
    "German": "Am Sa., 21. Nov. 2026 um 20:00 Uhr schrieb Galaxy <gm@pbmd.test>:",
    "German Thunderbird": "Am 21.11.26 um 20:00 schrieb Galaxy:",
    "French": "Le sam. 21 nov. 2026 à 20:00, Galaxy <gm@pbmd.test> a écrit :",
    "Spanish": "El sáb, 21 nov 2026 a las 20:00, Galaxy (<gm@pbmd.test>) escribió:",
    "Italian": "Il giorno sab 21 nov 2026 alle ore 20:00 Galaxy <gm@pbmd.test> ha scritto:",
    "Portuguese": "Em sáb., 21 de nov. de 2026 às 20:00, Galaxy <gm@pbmd.test> escreveu:",
    "Dutch": "Op za 21 nov. 2026 om 20:00 schreef Galaxy <gm@pbmd.test>:",
    "Polish": "sob., 21 lis 2026 o 20:00 Galaxy <gm@pbmd.test> napisał(a):",
    "Swedish": "Den lör 21 nov. 2026 kl 20:00 skrev Galaxy <gm@pbmd.test>:",
    "Finnish": "la 21. marrask. 2026 klo 20.00 Galaxy (gm@pbmd.test) kirjoitti:",
    "Czech": "so 21. 11. 2026 v 20:00 odesílatel Galaxy <gm@pbmd.test> napsal:",
    "Russian": "сб, 21 нояб. 2026 г. в 20:00, Galaxy <gm@pbmd.test>:",
    "Turkish": "Galaxy <gm@pbmd.test>, 21 Kas 2026 Cmt, 20:00 tarihinde şunu yazdı:",
    "Japanese": "2026年11月21日(土) 20:00 Galaxy <gm@pbmd.test>:",
    "Chinese": "Galaxy <gm@pbmd.test> 于2026年11月21日周六 20:00写道：",
    "an unknown language": "21.11.2026 20:00 Galaxy <gm@pbmd.test> xyzzy:",
}


@pytest.mark.parametrize("introduction", INTRODUCTIONS.values(), ids=INTRODUCTIONS)
def test_a_reply_above_a_quote(introduction):
    letter = read(f"MOVE A-B\nBUILD 2 bases\n\n{introduction}\n\n{QUOTE}")
    assert texts(letter) == OWN
    assert [(left.reason, left.lines) for left in letter.left_out] == [
        (quotes.INTRODUCTION, introduction.count("\n") + 1),
        (quotes.QUOTED, 3),
    ]


@pytest.mark.parametrize("introduction", INTRODUCTIONS.values(), ids=INTRODUCTIONS)
def test_a_reply_below_a_quote_and_between_quotes(introduction):
    assert texts(read(f"{introduction}\n{QUOTE}\nMOVE A-B\n\n> Bases:\nBUILD 2 bases\n> 3\n")) == OWN


@pytest.mark.parametrize("introduction", INTRODUCTIONS.values(), ids=INTRODUCTIONS)
@pytest.mark.parametrize("last", ["A VIE H", "On to Bohemia", "Le Havre - Brest", "El Dorado: build 2 bases", "BUILD 2 bases"])
def test_no_order_right_above_an_introduction_is_taken_for_its_beginning(last, introduction):
    """However that language begins one: ``A terça-feira``, ``On Monday``, ``Le lundi``."""
    assert texts(read(f"MOVE A-B\n{last}\n{introduction}\n{QUOTE}")) == ["MOVE A-B", last]


ORIGINALS = {
    "Outlook": (
        "-----Original Message-----\nFrom: Galaxy [mailto:gm@pbmd.test]\n"
        "Sent: Saturday, November 21, 2026 8:00 PM\nTo: Ada\nSubject: Turn 5\n\n"
    ),
    "Outlook 2016": (
        "________________________________\nFrom: Galaxy <gm@pbmd.test>\n"
        "Sent: Saturday, November 21, 2026 8:00 PM\nTo: Ada\nSubject: Turn 5\n\n"
    ),
    "Outlook with stars": "*From:* Galaxy\n*Sent:* Saturday, November 21, 2026\n*To:* Ada\n*Subject:* Turn 5\n\n",
    "Outlook, spread out": "From: Galaxy\n\nSent: Saturday, November 21, 2026\n\nTo: Ada\n\nSubject: Turn 5\n\n",
    "German": "Von: Galaxy <gm@pbmd.test>\nGesendet: Samstag, 21. November 2026 20:00\nAn: Ada\nBetreff: Zug 5\n\n",
    "German, old": (
        "-----Ursprüngliche Nachricht-----\nVon: Galaxy\n"
        "Gesendet: Samstag, 21. November 2026 20:00\nAn: Ada\nBetreff: Zug 5\n\n"
    ),
    "French": "De : Galaxy <gm@pbmd.test>\nEnvoyé : samedi 21 novembre 2026 20:00\nÀ : Ada\nObjet : Tour 5\n\n",
    "Spanish": "De: Galaxy\nEnviado: sábado, 21 de noviembre de 2026 20:00\nPara: Ada\nAsunto: Turno 5\n\n",
    "Italian": "Da: Galaxy\nInviato: sabato 21 novembre 2026 20:00\nA: Ada\nOggetto: Turno 5\n\n",
    "Portuguese": "De: Galaxy\nEnviada em: sábado, 21 de novembro de 2026 20:00\nPara: Ada\nAssunto: Turno 5\n\n",
    "Dutch": "Van: Galaxy\nVerzonden: zaterdag 21 november 2026 20:00\nAan: Ada\nOnderwerp: Beurt 5\n\n",
    "Polish": "Od: Galaxy\nWysłano: sobota, 21 listopada 2026 20:00\nDo: Ada\nTemat: Tura 5\n\n",
    "Swedish": "Från: Galaxy\nSkickat: den 21 november 2026 20:00\nTill: Ada\nÄmne: Drag 5\n\n",
    "Danish": "Fra: Galaxy\nSendt: 21. november 2026 20:00\nTil: Ada\nEmne: Tur 5\n\n",
    "Finnish": "Lähettäjä: Galaxy\nLähetetty: lauantai 21. marraskuuta 2026 20.00\nVastaanottaja: Ada\nAihe: Vuoro 5\n\n",
    "Czech": "Od: Galaxy\nOdesláno: sobota 21. listopadu 2026 20:00\nKomu: Ada\nPředmět: Tah 5\n\n",
    "Hungarian": "Feladó: Galaxy\nElküldve: 2026. november 21. 20:00\nCímzett: Ada\nTárgy: 5. forduló\n\n",
    "Russian": "От: Galaxy\nОтправлено: 21 ноября 2026 г. 20:00\nКому: Ada\nТема: Ход 5\n\n",
    "Turkish": "Kimden: Galaxy\nGönderildi: 21 Kasım 2026 Cumartesi 20:00\nKime: Ada\nKonu: Tur 5\n\n",
    "Chinese": "发件人: Galaxy\n发送时间: 2026年11月21日 20:00\n收件人: Ada\n主题: 第五回合\n\n",
    "Japanese": "差出人: Galaxy\n送信日時: 2026年11月21日 20:00\n宛先: Ada\n件名: ターン5\n\n",
    "Yahoo": "On Saturday, November 21, 2026 at 08:00:00 PM GMT+1, Galaxy <gm@pbmd.test> wrote:\n\n",
    "a telephone": "Am 21.11.2026 um 20:00 schrieb Galaxy <gm@pbmd.test>:\n\n",
    "forwarded": (
        "Begin forwarded message:\n\nFrom: Galaxy <gm@pbmd.test>\nDate: 21 November 2026\nTo: Ada\nSubject: Turn 5\n\n"
    ),
    "Hotmail": "Date: Sat, 21 Nov 2026 20:00:00 +0100\nFrom: gm@pbmd.test\nTo: ada@example.org\nSubject: Turn 5\n\n",
}


@pytest.mark.parametrize("original", ORIGINALS.values(), ids=ORIGINALS)
def test_an_original_without_quote_marks_is_cut_off(original):
    letter = read(f"MOVE A-B\nBUILD 2 bases\n\n{original}Turn 5 is over.\nMOVE C-D\n")
    assert texts(letter) == OWN
    assert letter.left_out
    assert letter.left_out[0].text.startswith(original[:10].strip())


def test_header_lines_above_a_quote_are_no_reason_to_cut_what_follows_the_quote():
    header = "From: Galaxy\nSent: Saturday, November 21, 2026\nTo: Ada\nSubject: Turn 5\n"
    assert texts(read(f"MOVE A-B\n{header}\n{QUOTE}BUILD 2 bases\n")) == OWN


@pytest.mark.parametrize(
    "body",
    [
        "MOVE A-B\nFrom: Altair\nBUILD 2 bases\n",
        "To: Bob\nMOVE A-B\nBUILD 2 bases\n",
        "Subject: fleet\nDate: now\nMOVE A-B\nBUILD 2 bases\n",
        "Bob wrote in turn 3:\nMOVE A-B\nBUILD 2 bases\n",
        "On turn 5 Bob wrote:\nMOVE A-B\nBUILD 2 bases\n",
        "Orders:\nMOVE A-B\nBUILD 2 bases\n",
        "----- ORDERS -----\nMOVE A-B\nBUILD 2 bases\n",
        "======\nMOVE A-B\nBUILD 2 bases\n======\n",
        "________________\nMOVE A-B\nBUILD 2 bases\n",
        "MOVE A-B\n--\nBUILD 2 bases\n" + "x\n" * 15,
    ],
)
def test_orders_that_look_a_little_like_mail_are_not_cut(body):
    assert [line for line in texts(read(body)) if line in OWN] == OWN


@pytest.mark.parametrize("mark", ["-- \n", "--\n", "--  \n"])
def test_a_signature_is_left_out_up_to_the_quote_below_it(mark):
    letter = read(f"MOVE A-B\n{mark}Ada\nBUILD 9 bases\n\nOn 11/21/26 20:00, Galaxy wrote:\n{QUOTE}BUILD 2 bases\n")
    assert texts(letter) == OWN
    assert letter.left_out[0].reason == quotes.SIGNATURE
    assert letter.left_out[0].lines == 3


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my iPhone", "Sent from Mail for Windows", "Get Outlook for Android", "Von meinem iPhone gesendet",
        "Envoyé de mon iPad", "Enviado desde mi iPhone", "Inviato da iPhone", "Verstuurd vanaf mijn iPhone",
        "Skickat från min iPhone", "Wysłane z iPhone'a", "Отправлено с iPhone", "发自我的iPhone",
        "Sent from Yahoo Mail on Android", "-- Sent from my Pixel",
    ],
)  # fmt: skip
def test_what_a_telephone_puts_below_is_left_out(line):
    letter = read(f"MOVE A-B\nBUILD 2 bases\n\n{line}\n")
    assert texts(letter) == OWN
    assert [left.text for left in letter.left_out] == [line]


def test_the_footer_of_a_mailing_list_is_left_out():
    letter = read(f"MOVE A-B\nBUILD 2 bases\n{'_' * 47}\nplayers mailing list\nplayers@x.test\n")
    assert texts(letter) == OWN
    assert letter.left_out[0].reason == quotes.LIST_FOOTER


def test_what_is_left_out_is_told_in_a_few_short_entries():
    letter = read("MOVE A-B\n" + "> old\n" * 5000 + "BUILD 2 bases\n" + "> older\nx\n" * 100)
    assert len(letter.left_out) <= 20
    assert sum(left.lines for left in letter.left_out) == 5100
    assert all(len(line) <= 200 for left in letter.left_out for line in left.text.split("\n"))
    assert all(len(left.text.split("\n")) <= 100 for left in letter.left_out)


def test_only_a_quote_leaves_no_lines():
    letter = read(QUOTE)
    assert (letter.lines, letter.problem) == ((), "")
    assert letter.left_out[0].reason == quotes.QUOTED


PIECES = st.sampled_from(
    [*MOBILE, *ORIGINAL, *INTRODUCTIONS.values(), "From", "Sent", "To", "Ada", *"-_=*>:： \tİΣſ", "--", "_" * 30]
)
WRITTEN = st.lists(PIECES | st.text(max_size=3), max_size=5).map("".join) | st.sampled_from(OWN)


@given(st.lists(WRITTEN | WRITTEN.map(str.upper), max_size=12))
def test_lines_that_are_known_to_be_plain_at_a_glance_are_so_by_the_rules(written):
    lines = quotes.quoted_lines([line for text in written for line in text.split("\n")])
    with patch.object(quotes, "_is_plain", lambda body, names_us: False):
        by_the_rules = quotes.reasons(lines)
    assert quotes.reasons(lines) == by_the_rules
