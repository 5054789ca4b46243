"""A game as players live it: commands, events, the state they fold into, and the decisions between them.

Pure: instants and draws are arguments. No mail, no database, no accounts, and no second opinion, which stands in `audit`.
"""
