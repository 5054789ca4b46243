"""Leagues as people and other programs see them: tables, brackets, explanations, exports.

Nothing here decides. `scoring` and `formats` compute the figures that are shown here.
"""
