"""What all commands share when they print: tables, facts, JSON, and the moment that `--at` names.

No command stands here, and nothing that only one noun needs.
"""
