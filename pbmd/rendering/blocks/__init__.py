"""What a mail says, read from its text into a few kinds of blocks, and these written as HTML.

The HTML of a mail is made from the text of the very same mail, so neither can say what the other does not. `page.html_of` is
the door; docs/ruleset-kit.md tells authors of rulesets by which conventions texts are read.
"""
