"""`python -m turnserver` does what `turnserver` does."""

from turnserver.cli import main

main()
