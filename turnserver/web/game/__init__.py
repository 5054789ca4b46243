"""The pages of a game for everybody who may see it: the board as it stands, every turn, the history, proofs of chance, downloads."""
