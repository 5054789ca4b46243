"""The page of a turn, which a link in a mail opens: the board to play on by touch, and everything else that a mail can say."""
