"""The rules of the games, with a board to try them on. They are the same for everybody."""
