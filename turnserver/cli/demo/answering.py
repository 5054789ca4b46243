"""An answer as a player's mail program writes it, for whatever plays the part of a player on this machine."""

from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid


def answer_to(mail: EmailMessage, text: str, at: datetime | None = None) -> EmailMessage:
    """What a mail program makes of `text` written above a quoted mail, `at` an instant; else at the instant of the mail."""
    body = mail.get_body(("plain",))
    quoted = "".join(f"> {line}\n" for line in (body.get_content() if body else "").splitlines())
    answer = EmailMessage()
    answer["From"] = mail["To"]
    answer["To"] = mail["Reply-To"]
    answer["Subject"] = f"Re: {mail['Subject']}"
    answer["Date"] = format_datetime(at or mail["Date"].datetime)
    answer["Message-ID"] = make_msgid(domain="demo.example")
    answer["In-Reply-To"] = mail["Message-ID"]
    answer["References"] = " ".join(filter(None, (mail["References"], mail["Message-ID"])))
    answer.set_content(f"{text}\n\nOn {mail['Date']}, {mail['From']} wrote:\n{quoted}")
    return answer
