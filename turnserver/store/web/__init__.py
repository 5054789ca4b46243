"""What pages keep: the forms that were sent already.

Whoever may see or do something is decided in `service`; nothing here knows of HTML or HTTP.
"""
