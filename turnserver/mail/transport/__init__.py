"""Ways in and out: LMTP, IMAP and maildirs in, SMTP and maildirs out.

Bytes and envelopes only; `inbound` reads the contents of mails.
"""
