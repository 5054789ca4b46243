"""Second opinions: what somebody who does not trust the service can check, and what an admin can find out about the past.

Everything here reads histories and objects, or shows. No game that is being played asks it, and nothing here writes.
"""
