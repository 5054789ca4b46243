"""Proofs and looks into the past: what somebody who does not trust the service can check, and what an admin can find out."""
