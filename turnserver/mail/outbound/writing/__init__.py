"""Letters: what each kind of mail says, as values for its template.

A file has the letters of one subject. How a letter looks is the business of its template.
"""
