"""Incidents and how they were put right: outages, restorations, lost history, resting games, backups, copies.

Rows and files only; `service.upkeep` decides about the consequences.
"""
