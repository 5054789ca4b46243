"""`turnserver init`, `serve`, `tick`, `backup` and their kin: the service itself and its database."""
