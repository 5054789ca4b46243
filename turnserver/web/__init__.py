"""Pages of HTML: tables of leagues, and the page that is served to the public, for unsubscribing with one touch.

It imports no command. Whatever is told in mails stands in `mail`.
"""
