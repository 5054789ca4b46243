"""What results come to: tables, tie-breaks, ratings, lots, and what looks unfair."""
