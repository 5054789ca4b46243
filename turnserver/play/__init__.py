"""A game as players live it: commands, events, the state they fold into, and the decisions between them."""
