"""Accounts as the service keeps them: joining, choices, vacations, leaving, erasing."""
