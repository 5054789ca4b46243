"""Ways in and out: LMTP, IMAP and maildirs in, SMTP and maildirs out.

Bytes and envelopes only; what stands in a mail is read in `inbound`.
"""
