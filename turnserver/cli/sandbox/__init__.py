"""`turnserver mail sandbox`: the service without a mail account, on one page."""
