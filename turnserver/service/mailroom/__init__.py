"""Mail as the service handles it: reading what came, answering, sending what is due, and what comes back."""
