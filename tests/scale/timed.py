"""Runs a command and tells in its last line, as JSON, how it went. It has to be small itself: its memory counts as the command's."""

import json
import resource
import subprocess
import sys
import time

began = time.monotonic()
code = subprocess.run(sys.argv[1:], check=False).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
went = {"seconds": time.monotonic() - began, "processor": used.ru_utime + used.ru_stime, "memory": used.ru_maxrss * 1024}
sys.stdout.write(f"\n{json.dumps(went)}\n")
sys.exit(code)
