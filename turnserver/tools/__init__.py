"""Programs that write the generated files of this project."""
