"""The public pages as files, for a club that has web space and no server."""
