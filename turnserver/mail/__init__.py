"""Mail: from notices to messages, from messages to phrases, and the ways out and in. Nothing here knows of a database."""
