"""Pages of HTML, and the one that is served to the public: unsubscribing with one touch.

It imports no command. Whatever is told in mails stands in `mail`.
"""
