"""DNS: questions, and the records that a domain of ours should have."""
