"""What commands share when they print: tables, facts, JSON, and the moment that `--at` names."""
