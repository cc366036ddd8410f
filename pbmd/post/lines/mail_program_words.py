"""What mail programs write around a reply, in the languages they speak: data for `pbmd.post.lines.quotes`.

All entries are lower case and in the form that `normal` gives a line.
"""

WROTE = (
    "wrote", "writes", "schrieb", "schreibt", "geschrieben", "a écrit", "écrivait", "escribió", "escribio", "ha scritto",
    "scrive", "escreveu", "schreef", "napisał", "pisze", "skrev", "kirjoitti", "napsal", "napísal", "пишет", "написал",
    "писал", "написав", "пише", "írta", "yazdı", "a scris", "έγραψε", "написа", "je napisao", "je pisao", "napisao",
    "je napisal", "rašė", "rakstīja", "kirjutas", "va escriure", "ha escrit", "idatzi", "כתב", "כתבה", "كتب", "写道", "写到",
    "寫道", "のメール", "書きました", "さんは", "작성", "님이", "viết", "menulis", "เขียน", "said", "escrit",
)  # fmt: skip
"""A verb of the line that introduces a quote ("On Monday, Ada wrote:")."""

OPENERS = (
    "on ", "am ", "le ", "el ", "il ", "em ", "op ", "den ", "den. ", "på ", "w dniu ", "dnia ", "dne ", "dňa ", "в ", "на ",
    "pe ", "în ", "στις ", "tarihinde ", "ma ", "ti ", "no dia ", "il giorno ", "quoting ", "at ", "vào ", "pada ", "mon",
    "tue", "wed", "thu", "fri", "sat", "sun", "vom ", "dana ", "dia ", "a ",
)  # fmt: skip
"""How the first of several lines that introduce a quote begins."""

SENDER_LABELS = frozenset((
    "from", "von", "de", "da", "van", "från", "fra", "od", "от", "від", "lähettäjä", "feladó", "kimden", "gönderen", "από",
    "expéditeur", "de la", "remitente", "mittente", "afzender", "nadawca", "odesílatel", "saatja", "nuo", "no", "dari", "từ",
    "จาก", "发件人", "寄件者", "寄件人", "差出人", "送信元", "보낸 사람", "보낸사람", "מאת", "من", "du", "nga", "prej",
    "šalje", "desde", "frå", "expeditor",
))  # fmt: skip
OTHER_LABELS = frozenset((
    "sent", "date", "to", "cc", "subject", "reply-to", "importance", "gesendet", "datum", "an", "betreff", "kopie",
    "antwort an", "wichtigkeit", "envoyé", "envoyé le", "date d'envoi", "à", "objet", "destinataire", "cc :", "importance :",
    "enviado", "enviado el", "enviada", "enviada em", "fecha", "data", "para", "asunto", "assunto", "inviato", "a", "oggetto",
    "verzonden", "aan", "onderwerp", "skickat", "till", "ämne", "sendt", "til", "emne", "dato", "lähetetty", "vastaanottaja",
    "aihe", "päiväys", "wysłano", "wysłane", "do", "dw", "temat", "odesláno", "komu", "předmět", "odoslané", "predmet",
    "dátum", "elküldve", "küldve", "címzett", "tárgy", "másolat", "отправлено", "дата", "кому", "тема", "копия", "надіслано",
    "копія", "gönderildi", "gönderme tarihi", "kime", "konu", "tarih", "στάλθηκε", "ημερομηνία", "προς", "θέμα", "trimis",
    "către", "subiect", "poslano", "poslato", "za", "saadetud", "kellele", "teema", "išsiųsta", "kam", "tema", "nosūtīts",
    "temats", "enviat", "assumpte", "gửi", "đến", "chủ đề", "dikirim", "kepada", "subjek", "perihal", "发送时间", "日期",
    "收件人", "主题", "抄送", "寄件日期", "傳送時間", "主旨", "收件者", "副本", "送信日時", "日時", "宛先", "件名",
    "보낸 날짜", "날짜", "받는 사람", "받는사람", "제목", "참조", "נשלח", "אל", "נושא", "تاريخ", "إلى", "الموضوع",
))  # fmt: skip
"""The labels of the header block that Outlook and others put above an original that they do not quote."""

ORIGINAL = (
    "original message", "original-nachricht", "originalnachricht", "ursprüngliche nachricht", "ursprungliche nachricht",
    "original appointment", "forwarded message", "weitergeleitete nachricht", "message d'origine", "message original",
    "message transféré", "mensaje original", "mensagem original", "messaggio originale", "messaggio inoltrato",
    "oorspronkelijk bericht", "originalmeddelande", "ursprungligt meddelande", "oprindelig meddelelse", "opprinnelig melding",
    "alkuperäinen viesti", "oryginalna wiadomość", "wiadomość oryginalna", "původní zpráva", "pôvodná správa",
    "eredeti üzenet", "исходное сообщение", "пересылаемое сообщение", "оригинальное сообщение", "orijinal ileti",
    "özgün ileti", "mesaj original", "αρχικό μήνυμα", "izvorna poruka", "izvirno sporočilo", "algkiri", "原始邮件",
    "原始郵件", "邮件原件", "元のメッセージ", "원본 메시지", "원본 메일", "reply message", "quoted message",
    "reply separator", "begin forwarded message", "anfang der weitergeleiteten nachricht", "début du message réexpédié",
    "inicio del mensaje reenviado", "inizio messaggio inoltrato",
)  # fmt: skip
"""What is between dashes above an original."""

MOBILE = (
    "sent from my ", "sent from a ", "sent from mail for ", "sent from yahoo", "sent from outlook", "sent from aol",
    "sent from gmail", "sent from proton", "sent from samsung", "sent from iphone", "sent from ipad", "sent from android",
    "sent from the ", "sent via ", "sent with ", "sent using ", "sent on ", "get outlook for ", "get bluemail",
    "download outlook", "von meinem ", "gesendet von ", "gesendet mit ", "diese nachricht wurde von meinem ",
    "holen sie sich outlook", "outlook für android", "outlook für ios", "envoyé de ", "envoyé depuis ", "envoyé à partir de ",
    "télécharger outlook", "enviado desde ", "enviado do ", "enviado de ", "obtener outlook", "obter o outlook", "inviato da",
    "ottieni outlook", "scarica outlook", "verstuurd vanaf ", "verzonden vanaf ", "verzonden met ", "outlook voor ",
    "skickat från ", "skickades från ", "sendt fra ", "lähetetty ", "wysłane z ", "wysłano z ", "pobierz outlook",
    "odesláno z ", "odoslané z ", "elküldve az ", "отправлено с ", "отправлено из ", "надіслано з ", "gönderildi ",
    "iphone'umdan gönderildi", "trimis de pe ", "στάλθηκε από ", "发自我的", "從我的", "从我的", "iphoneから送信",
    "나의 iphone에서 보냄", "enviat des de",
)  # fmt: skip
"""How the line begins that a telephone, or a program, adds below a mail by itself."""
