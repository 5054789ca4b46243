"""The worth of results: tables, tie-breaks, ratings, lots, and findings that look unfair.

It pairs nobody, which `formats` does, and shows nothing, which `presentation` does.
"""
