"""Machines that say in no header what they are: by how their subjects begin in each language, by what parts they send, by their names."""

from collections.abc import Sequence

import pytest

from tests.cases import for_each
from turnserver.mail.inbound.read import read

OURS = "turns@play.example.org"
SUBJECTS: dict[str, Sequence[str]] = {
    "ar": ["رد تلقائي: Take 17", "الرد التلقائي: Take 17"],
    "bg": ["Автоматичен отговор: Take 17"],
    "ca": ["Resposta automàtica: Take 17"],
    "cs": ["Automatická odpověď: Take 17", "Mimo kancelář: Take 17", "Nedoručitelné: Take 17"],
    "da": ["Automatisk svar: Take 17", "Ikke til stede: Take 17", "Læst: Take 17"],
    "de": ["Automatische Antwort: Take 17", "Abwesend: Take 17", "Abwesenheitsnotiz: Take 17", "Gelesen: Take 17", "Unzustellbar: Take 17"],
    "el": ["Αυτόματη απάντηση: Take 17", "ΑΥΤΌΜΑΤΗ ΑΠΆΝΤΗΣΗ: Take 17"],
    "en": [
        "Automatic reply: Take 17",
        "Out of Office: Take 17",
        "Undeliverable: Take 17",
        "Read: Take 17",
        "Not read: Take 17",
        "Recall: Take 17",
    ],
    "es": ["Respuesta automática: Take 17", "Fuera de la oficina: Take 17", "Leído: Take 17"],
    "et": ["Automaatvastus: Take 17"],
    "eu": ["Erantzun automatikoa: Take 17"],
    "fa": ["پاسخ خودکار: Take 17"],
    "fi": ["Automaattinen vastaus: Take 17", "Poissaoloilmoitus: Take 17", "Luettu: Take 17"],
    "fr": ["Réponse automatique : Take 17", "Re\u0301ponse automatique : Take 17", "Absence du bureau : Take 17", "Lu : Take 17"],
    "he": ["מענה אוטומטי: Take 17", "\u200fתשובה אוטומטית: Take 17"],
    "hi": ["स्वचालित उत्तर: Take 17"],
    "hr": ["Automatski odgovor: Take 17"],
    "hu": ["Automatikus válasz: Take 17", "Házon kívül: Take 17", "Kézbesíthetetlen: Take 17"],
    "id": ["Balasan Otomatis: Take 17"],
    "it": ["Risposta automatica: Take 17", "Fuori sede: Take 17", "Letto: Take 17"],
    "ja": ["自動応答: Take 17", "自動返信：Take 17", "開封済み： Take 17"],
    "ko": ["자동 회신: Take 17", "자동 응답: Take 17", "부재중: Take 17"],
    "lt": ["Automatinis atsakymas: Take 17"],
    "lv": ["Automātiska atbilde: Take 17"],
    "nb": ["Automatisk svar: Take 17", "Fraværsmelding: Take 17"],
    "nl": ["Automatisch antwoord: Take 17", "Afwezig: Take 17", "Gelezen: Take 17", "Onbestelbaar: Take 17"],
    "pl": ["Automatyczna odpowiedź: Take 17", "Odpowiedź automatyczna: Take 17", "Przeczytano: Take 17"],
    "pt": ["Resposta automática: Take 17", "Fora do escritório: Take 17", "Lida: Take 17"],
    "ro": ["Răspuns automat: Take 17", "Nelivrabil: Take 17"],
    "ru": ["Автоматический ответ: Take 17", "Автоответ: Take 17", "Недоставленное сообщение"],
    "sk": ["Automatická odpoveď: Take 17", "Nedoručiteľné: Take 17"],
    "sl": ["Samodejni odgovor: Take 17"],
    "sr": ["Аутоматски одговор: Take 17", "Automatski odgovor: Take 17"],
    "sv": ["Automatiskt svar: Take 17", "Autosvar: Take 17", "Frånvaro: Take 17"],
    "th": ["ตอบกลับอัตโนมัติ: Take 17", "การตอบกลับอัตโนมัติ: Take 17"],
    "tr": ["Otomatik yanıt: Take 17", "Ofis dışında: Take 17"],
    "uk": ["Автоматична відповідь: Take 17", "Автовідповідь: Take 17"],
    "vi": ["Thư trả lời tự động: Take 17", "Trả lời tự động: Take 17"],
    "zh": ["自动回复: Take 17", "自动答复: Take 17", "自動回覆: Take 17", "已读: Take 17"],
}
"""Subjects as programs write them, with the subject of the mail that they answer behind."""

BY_PERSONS = [
    "Re: Automatic reply: Take 17",
    "AW: Abwesend",
    "Ich bin nächste Woche abwesend",
    "Abwesenheit im Mai",
    "reading the rules",
    "ready",
    "Lunes",
    "Autos",
    "Take 17",
    "",
]


def automatic(subject: str = "", sender: str = "ada@example.org", fields: str = "", body: str = "f4\n") -> str | None:
    """Return why a mail is taken for a machine's, None if it is not."""
    head = f"From: {sender}\nTo: {OURS}\nSubject: {subject}\n{fields}"
    content = "" if "Content-Type" in fields else "Content-Type: text/plain; charset=utf-8\n"
    return read(f"{head}{content}\n{body}".encode(), None, OURS, "ada@example.org").automatic


@for_each(("language", "subject"), [(language, one) for language, known in SUBJECTS.items() for one in known])
def test_a_subject_of_a_machine_is_recognised(language: str, subject: str) -> None:
    assert automatic(subject) == "automatic subject", language


@for_each("subject", BY_PERSONS)
def test_a_subject_of_a_person_is_not(subject: str) -> None:
    assert automatic(subject) is None


@for_each("method", ["REPLY", "REQUEST", "CANCEL", "COUNTER"])
def test_an_answer_of_a_calendar_is_no_answer_to_us(method: str) -> None:
    """Its text part may say no more than `accept`."""
    parts = f"--b\nContent-Type: text/plain\n\naccept\n--b\nContent-Type: text/calendar; method={method}\n\nBEGIN:VCALENDAR\n--b--\n"
    assert automatic("Accepted: Take 17", fields="Content-Type: multipart/alternative; boundary=b\n", body=parts) == (
        f"text/calendar; method={method.lower()}"
    )


@pytest.mark.parametrize(
    "calendar",
    ["Content-Type: text/calendar; method=PUBLISH\n", "Content-Type: text/calendar; method=REQUEST\nContent-Disposition: attachment\n"],
)
def test_a_date_that_somebody_attaches_is_a_person_s(calendar: str) -> None:
    parts = f"--b\nContent-Type: text/plain\n\nf4\n--b\n{calendar}\nBEGIN:VCALENDAR\n--b--\n"
    assert automatic("Take 17", fields="Content-Type: multipart/mixed; boundary=b\n", body=parts) is None


@for_each(
    "fields",
    [
        "Content-Type: multipart/digest; boundary=b\n",
        "Content-Type: multipart/report; report-type=disposition-notification; boundary=b\n",
        "Content-Type: message/feedback-report\n",
        "Content-Class: urn:content-classes:recallmessage\n",
        "Content-Class: urn:content-classes:mdn\n",
        "X-Zendesk-From-Account-Id: 1\n",
        "X-HmXmrOriginalRecipient: ada@example.org\n",
    ],
)
def test_a_header_that_only_machines_write(fields: str) -> None:
    assert automatic("Take 17", fields=fields) is not None


@for_each(
    "sender",
    [
        "forwarding-noreply@google.com",
        "noreply-17@example.net",
        "do_not_reply@example.net",
        "no.reply@example.net",
        "bounces+17@example.net",
        "Postmaster@example.net",
        "news-bounce@example.net",
        "autoreply@example.net",
    ],
)
def test_an_address_that_nobody_reads(sender: str) -> None:
    assert automatic(sender=sender) == f"from {sender}"


@for_each("sender", ["noel.reply@example.net", "bouncer@example.net", "norep@example.net", "postmasters@example.net"])
def test_an_address_that_somebody_may_read(sender: str) -> None:
    assert automatic(sender=sender) is None
