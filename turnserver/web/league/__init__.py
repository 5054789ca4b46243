"""The pages of leagues: standings that explain themselves, all results, pairings, dates, and files for other programs."""
