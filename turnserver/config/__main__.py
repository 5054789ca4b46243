"""`python -m turnserver.config` prints `config/turnserver.toml`."""

import sys

from turnserver.config.handbook import annotated

if __name__ == "__main__":
    sys.stdout.write(annotated())
