"""What went wrong and was put right: outages, restorations, lost history, resting games, backups."""
