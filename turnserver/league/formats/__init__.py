"""Formats of leagues: pairings, rounds, and who moves first.

A format knows results only as far as it pairs by them. Tables and ratings stand in `scoring`.
"""
