"""Who must be told what because of an event. Pure: no text, no addresses, no delivery."""
