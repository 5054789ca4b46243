"""Programs that write the generated files of this project, for `make docs`.

The service never runs them.
"""
