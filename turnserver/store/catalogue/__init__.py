"""The event catalogue under `events/`: schemas, examples, and the text about them."""
