"""Who must be told what because of an event, as values.

Pure: no sentence, no address, no delivery. `writing` makes letters of notices.
"""
