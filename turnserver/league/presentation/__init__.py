"""Leagues as people and other programs see them: tables, brackets, explanations, exports.

Nothing here decides. What it shows is computed in `scoring` and `formats`.
"""
