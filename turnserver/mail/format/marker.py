"""The line that the writer of our mails and the reader of their answers agree on."""

MARKER = "== Write above this line: nothing below it is read. =="
"""Stands at the top of every mail that we send. Whatever an answer carries below it is a quotation of ours."""
