r"""Tables, facts, JSON and the moment that `--at` names: what all commands share when they print.

No command stands here, and nothing that only one noun needs.
"""
