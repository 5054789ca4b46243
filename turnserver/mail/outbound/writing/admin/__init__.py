"""Reports to the admin, in English."""
