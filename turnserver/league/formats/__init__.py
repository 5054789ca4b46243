"""Formats of leagues: who meets whom, in which round, who moves first.

A format knows results as far as it pairs by them. Tables and ratings stand in `scoring`.
"""
