"""What results come to: tables, tie-breaks, ratings, lots, and what looks unfair.

It pairs nobody, which `formats` does, and shows nothing, which `presentation` does.
"""
