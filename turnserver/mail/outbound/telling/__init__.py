"""Events and rules as sentences that several letters and the terminal share."""
