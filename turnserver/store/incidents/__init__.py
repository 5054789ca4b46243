"""Incidents and how they were put right: outages, restorations, lost history, resting games, backups.

Rows and files only; what follows from an incident is decided in `service.upkeep`.
"""
