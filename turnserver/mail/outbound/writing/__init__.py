"""Letters: what each kind of mail says, as values for its templates."""
