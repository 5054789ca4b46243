"""`turnserver league`: set leagues up, run them, and look at them."""
