"""DKIM (RFC 6376): keys, signatures, and a second program's check of them."""
